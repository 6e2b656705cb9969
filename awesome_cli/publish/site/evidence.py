"""The pages of the screening flow, and of changes by day with their feed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from markupsafe import Markup

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.diff.changelog import Changelog
from awesome_cli.analysis.diff.comparison import compare
from awesome_cli.analysis.flow import flow, protocol_headline, protocol_lists, protocol_tables
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE, SPARSE
from awesome_cli.model.claims import Claim
from awesome_cli.publish import flow as pictures
from awesome_cli.publish.atom import feed
from awesome_cli.publish.site.mentions import mentions
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

DAYS = 20
"""How many days with changes the page and the feed list, newest first."""
LOOKS = {
    ClaimStatus.HOLDS: COVERED,
    ClaimStatus.CONTESTED: SPARSE,
    ClaimStatus.FAILS: GAP,
    ClaimStatus.REVISED: NOT_APPLICABLE,
    ClaimStatus.WITHDRAWN: NOT_APPLICABLE,
    ClaimStatus.NOT_YET: NOT_APPLICABLE,
}
"""The gap state whose colours a claim's status is shown in."""


def flow_pages(frame: Frame) -> Iterator[SitePage]:
    """The screening flow on a page, as a picture to take away, and as numbers, with the protocol."""
    found = flow(frame.corpus)
    yield SitePage("flow.svg", pictures.svg(found))
    # Inline styles are forbidden on our pages: there the site's sheet colours the picture.
    drawing = pictures.svg(found, alone=False)
    # The picture is ours: its labels were escaped when it was drawn.
    shown: dict[str, object] = {"flow": found, "drawing": Markup(drawing)}  # noqa: S704
    if found.about:
        shown["headline"] = protocol_headline(found.protocol) if found.protocol else ""
        shown |= {"search": list(protocol_tables(frame.corpus)), "lists": list(protocol_lists(frame.corpus))}
    title = "Flow and protocol" if found.about else "Flow"
    boxes = "; ".join(f"{box.label} ({box.n:,})" for box in found.boxes)
    yield frame.page("flow.html", "flow", title=title, description=f"{found.title} of the survey: {boxes}.", **shown)


def change_pages(frame: Frame, logs: Sequence[Changelog], published: object) -> Iterator[SitePage]:
    """What changed since the published version and on each of the last days of change, and the feed."""
    days = [(log.diff.names[1], log.headline(), log.notes()) for log in logs]
    if logs:
        page = frame.address("changes.html") or "changes.html"
        yield SitePage("changes.atom", feed(*logs, address=frame.address("changes.atom"), page=page))
    more = {"days": days, "mentions": mentions, "published": published}
    span = f"the last {counted(len(days), 'day')} of change, {days[-1][0]} to {days[0][0]}" if days else "no day yet"
    about = f"What changed in {frame.corpus.taxonomy.survey.title} on {span}."
    yield frame.page("changes.html", "changes", title="Changes", description=about, styles=("claims",), **more)


def change_logs(corpus: Corpus) -> tuple[Changelog, ...]:
    """Release notes of each day on which a record was added, screened, corrected or recoded, newest first."""
    logs, near = [], None
    for day in watched(_days(corpus)[:DAYS], "comparing days"):
        before = day - timedelta(days=1)
        then = _with_claims_of(corpus, before)
        # What a day began with is mostly what the day of change before it ended with.
        after = Pool(then.as_of(day), near=near)
        near = Pool(then.as_of(before), near=after)
        names = (before.isoformat(), day.isoformat())
        difference = compare(near.corpus, after.corpus, names, pools=(near, after))
        near = replace(near, near=None)  # older pools are let go
        logs.append(Changelog(difference, f"{day}T00:00:00Z"))
    return tuple(logs)


def _with_claims_of(corpus: Corpus, day: date) -> Corpus:
    """The corpus with the claims made by `day`, and their successors; without those that name another later one."""
    made = {name for claim in corpus.claims.claims if claim.as_of <= day for name in (claim.id, *_successors(claim))}
    claims = (c for c in corpus.claims.claims if {c.id, *(name for e in c.expect for name in e.survive)} <= made)
    return replace(corpus, claims_file=corpus.claims.model_copy(update={"claims": tuple(claims)}))


def _successors(claim: Claim) -> tuple[str, ...]:
    return claim.revised.by if claim.revised else ()


def _ended(claim: Claim) -> set[date]:
    return {life.on for life in (claim.revised, claim.withdrawn) if life is not None}


def _days(corpus: Corpus) -> list[date]:
    days = {exclusion.screening.on for exclusion in corpus.exclusions}
    days |= {day for claim in corpus.claims.claims for day in _ended(claim)}
    for paper in corpus.papers:
        days |= {paper.added, *(c.corrected_on for c in paper.corrections), *(r.on for r in paper.history)}
        days |= {paper.withdrawn} if paper.withdrawn else set()
    return sorted((day for day in days if corpus.day is None or day <= corpus.day), reverse=True)
