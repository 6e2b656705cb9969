"""The pages of candidates and of contributing; robots.txt, sitemap and the page for missing addresses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from awesome_cli.analysis.claims.danger import Danger, dangers, judged
from awesome_cli.analysis.claims.wording import answer_text, titled
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.publish.forms import FormText, form_address, forms
from awesome_cli.publish.site.data import SCRIPTS, badges, script
from awesome_cli.publish.site.index import vocabulary
from awesome_cli.publish.site.page import Frame, SitePage, web_address
from awesome_cli.text.grouping import group_pairs

FIRST = 25
"""Candidates in the HTML page; its script shows the rest."""
PROPOSALS = ("retain", "consider", "exclude")
HOW = {"missed": "missed by the search", "later": "appeared after the search", "unknown": "found", None: "found"}


def candidate_pages(frame: Frame) -> Iterator[SitePage]:
    """Yield the page of candidates and the data of its script; nothing without candidates."""
    candidates = frame.corpus.candidates
    if not candidates:
        return
    pool = frame.checked.pool
    coded = [c for c in candidates if c.tags or c.measures]
    by_key = group_pairs((danger.candidate.key, danger) for danger in dangers(pool, judged(pool), coded))
    dangerous = [frame.corpus.by_key[key] for key in by_key]
    order = {proposal: place for place, proposal in enumerate(PROPOSALS)}
    harmless = sorted((c for c in candidates if c.key not in by_key), key=lambda c: (order[c.proposal], c.key))
    ordered = [c for c in (*dangerous, *harmless) if isinstance(c, Candidate)]
    rows = [_row(frame, c, by_key.get(c.key, ())) for c in ordered]
    yield SitePage("data/candidates.js", script("candidates", rows))
    yield SitePage("data/words-candidates.js", script("vocabulary.candidates", vocabulary(ordered)))
    proposals = Counter[str](candidate.proposal for candidate in candidates)
    yield frame.page(
        "candidates.html",
        "candidates",
        title="Candidates",
        description="Works to be screened, each with its source and the claims it would overturn or weaken.",
        styles=("candidates",),
        candidates=rows[:FIRST],
        total=len(rows),
        coded=len(coded),
        touching=len(by_key),
        ending=sum(any(danger.effect == "ends" for danger in effects) for effects in by_key.values()),
        proposals={name: proposals[name] for name in PROPOSALS if name in proposals},
        scripts=(*SCRIPTS, "assets/candidates.js"),
    )


def _row(frame: Frame, candidate: Candidate, effects: Sequence[Danger]) -> dict[str, Any]:
    taxonomy = frame.corpus.taxonomy
    ids = [{"id": f"{scheme}:{value}", "url": web_address(dict(candidate.identifiers.addresses()).get(scheme))}
           for scheme, value in candidate.identifiers.pairs()]  # fmt: skip
    first = candidate.first_public or str(candidate.year or "")
    names = [name.partition(",")[0] for name in candidate.authors if name != "others"]
    authors = names[0] + (" et al." if len(candidate.authors) > 1 else "") if names else ""
    return {
        "key": candidate.key,
        "title": candidate.title,
        "url": web_address(candidate.address),
        "by": ", ".join(filter(None, (authors, candidate.venue, first))),
        "first": first,
        "ids": ids,
        "proposal": candidate.proposal,
        "tags": {axis: [{"term": tag.term} for tag in tags] for axis, tags in candidate.tags.items()},
        "why": list(_why(candidate, taxonomy)),
        "codings": list(_codings(candidate, [taxonomy.by_id[axis] for axis in badges(taxonomy)])),
        "claims": [_touched(frame, danger) for danger in effects],
    }


def _why(candidate: Candidate, taxonomy: Taxonomy) -> Iterator[str]:
    reasons = {reason.id: reason.label for reason in taxonomy.reasons}
    sure = f"confidence {candidate.confidence}" if candidate.confidence else ""
    remarks = ", ".join(filter(None, (reasons.get(candidate.reason or "", candidate.reason), sure)))
    yield f"Proposed: {candidate.proposal}{f' ({remarks})' if remarks else ''}"
    if found := candidate.found:
        where = ", ".join(filter(None, (found.source, found.search, found.by, str(found.on or ""))))
        how = HOW[found.how]
        yield f"{how[:1].upper()}{how[1:]}{f': {where}' if where else ''}"
    yield from filter(None, (candidate.summary, candidate.note))


def _codings(candidate: Candidate, axes: Sequence[Axis]) -> Iterator[dict[str, str]]:
    for axis in axes:
        for tag in candidate.tags.get(axis.id, ()):
            term = axis.by_id.get(tag.term)
            sure = f" (confidence {tag.confidence})" if tag.confidence else ""
            label = term.label if term else tag.term
            words = f"{label}{f', {axis.display(tag.strength)}' if tag.strength else ''}{sure}"
            yield {"axis": axis.label, "term": words, "evidence": tag.marked_evidence or ""}


def _touched(frame: Frame, danger: Danger) -> dict[str, str]:
    pool = frame.checked.pool
    before, after = (answer_text(outcome, danger.claim, pool) for outcome in (danger.before, danger.after))
    change = f"{before.about[:1].upper()}{before.about[1:]}: today {before.value}; with it {after.value}"
    lost = f"; its margin shrinks by {100 * danger.loss:.0f} %" if danger.effect == "weakens" else ""
    return {
        "id": danger.claim.id,
        "effect": danger.effect.removesuffix("s"),
        "claim": titled(frame.corpus, danger.claim.statement),
        "change": titled(frame.corpus, change + lost),
    }


WAYS = (
    ("propose", "paper", "Propose a paper", "awesome add REFERENCE --kind candidate"),
    ("dispute", "coding", "Dispute a coding", "awesome issue apply FILE"),
    ("correct", "correction", "Correct a record", "awesome set KEY FIELD=VALUE"),
)
"""Fragment on the page, kind of form, heading, and the equivalent command in a copy of the survey."""
BLANKS = {"coding": {"key": "KEY", "coding": "AXIS=TERM"}}
"""Placeholders in texts by kind of form; assets/dispute.js fills them in."""


def taking_part_page(frame: Frame) -> SitePage:
    """Return the page to propose, dispute and correct: links to forms of the host, else texts to copy."""
    survey, texts = frame.corpus.taxonomy.survey, forms(frame.corpus.taxonomy)
    ways = [
        (place, heading, form_address(survey, kind), FormText.of(survey, texts[kind], **BLANKS.get(kind, {})), command)
        for place, kind, heading, command in WAYS
        if kind in texts
    ]
    return frame.page(
        "take-part.html",
        "take-part",
        title="Take part",
        description="How to propose a paper, dispute a coding and correct a record of this survey.",
        ways=ways,
        graded=[grade for grade in frame.corpus.taxonomy.grades if grade.definition],
        scripts=("assets/view.js", "assets/dispute.js"),
    )


def found_by_others(frame: Frame, paths: Iterable[str]) -> Iterator[SitePage]:
    """Yield `robots.txt` and, if the URL of the site is known, the sitemap and 404.html."""
    home = frame.base
    yield SitePage("robots.txt", "User-agent: *\nDisallow:\n" + (f"\nSitemap: {home}sitemap.xml\n" if home else ""))
    if home is None:
        return
    # Servers show 404.html for any folder, so its links are absolute.
    yield frame.page(
        "404.html",
        "missing",
        title="Page not found",
        description="No page of this site has this address.",
        root=home,
        canonical=None,
    )
    lines = (f"<url><loc>{escape(home + path)}</loc></url>\n" for path in sorted(paths) if path.endswith(".html"))
    start = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    yield SitePage("sitemap.xml", f"{start}{''.join(lines)}</urlset>\n")
