"""The pages of the screening flow, of changes by day with their feed, and of revised claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup

from awesome_cli.analysis.audit.report import coding_words
from awesome_cli.analysis.claims import succession as words
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.claims.succession import Succession
from awesome_cli.analysis.claims.wording import answer_texts, titled
from awesome_cli.analysis.diff.changelog import Changelog
from awesome_cli.analysis.diff.comparison import compare
from awesome_cli.analysis.diff.revisions import SincePublished
from awesome_cli.analysis.flow import flow, protocol_headline, protocol_lists, protocol_tables
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE, SPARSE, STATES, UNKNOWN, GapState
from awesome_cli.model.codings import split_axis
from awesome_cli.model.records import to_document
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.publish import flow as pictures
from awesome_cli.publish.atom import feed
from awesome_cli.publish.site.mentions import mentions
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

DAYS = 20
"""Number of days with changes on the page and in the feed."""
LOOKS = {
    ClaimStatus.HOLDS: COVERED,
    ClaimStatus.CONTESTED: SPARSE,
    ClaimStatus.UNDECIDED: UNKNOWN,
    ClaimStatus.FAILS: GAP,
    ClaimStatus.REVISED: NOT_APPLICABLE,
    ClaimStatus.WITHDRAWN: NOT_APPLICABLE,
    ClaimStatus.NOT_YET: NOT_APPLICABLE,
}
"""The gap state whose colours represent a claim's status."""


def flow_pages(frame: Frame) -> Iterator[SitePage]:
    """Yield the page of the screening flow and protocol, and the flow as SVG."""
    diagram = flow(frame.corpus)
    yield SitePage("flow.svg", pictures.svg(diagram))
    # The Content-Security-Policy forbids inline styles: the site's style sheet colours the picture.
    drawing = pictures.svg(diagram, alone=False)
    # Labels were escaped when the picture was drawn.
    shown: dict[str, object] = {"flow": diagram, "drawing": Markup(drawing)}  # noqa: S704
    if diagram.about:
        shown["headline"] = protocol_headline(diagram.protocol) if diagram.protocol else ""
        shown |= {"search": list(protocol_tables(frame.corpus)), "lists": list(protocol_lists(frame.corpus))}
    title = "Flow and protocol" if diagram.about else "Flow"
    boxes = "; ".join(f"{box.label} ({box.n:,})" for box in diagram.boxes)
    yield frame.page("flow.html", "flow", title=title, description=f"{diagram.title} of the survey: {boxes}.", **shown)


def change_pages(frame: Frame, logs: Sequence[Changelog], published: object) -> Iterator[SitePage]:
    """Yield the page of changes since the published version and by day, and the feed."""
    days = [(log.diff.names[1], log.headline(), log.summary(), log.notes()) for log in logs]
    if logs:
        page = frame.address("changes.html") or "changes.html"
        yield SitePage("changes.atom", feed(*logs, address=frame.address("changes.atom"), page=page))
    more = {"days": days, "mentions": mentions, "published": published, "most": SHOWN}
    span = f"the last {counted(len(days), 'day')} of change, {days[-1][0]} to {days[0][0]}" if days else "no day so far"
    about = f"What changed in {frame.corpus.taxonomy.survey.title} on {span}."
    yield frame.page("changes.html", "changes", title="Changes", description=about, styles=("claims",), **more)


def change_logs(pool: Pool) -> tuple[Changelog, ...]:
    """Return the release notes of the last days with changes to records or claims, newest first."""
    corpus, logs, near = pool.corpus, [], pool
    for day in watched(_days(corpus)[:DAYS], "comparing days"):
        before = day - timedelta(days=1)
        then = _with_claims_of(corpus, before)
        # The pool at the start of a day is mostly that at the end of the previous day of change.
        after = Pool(then.as_of(day), near=near, later=pool)
        near = Pool(then.as_of(before), near=after, later=pool)
        names = (before.isoformat(), day.isoformat())
        difference = compare(near.corpus, after.corpus, names, pools=(near, after))
        near = replace(near, near=None)  # release older pools
        logs.append(Changelog(difference, f"{day}T00:00:00Z"))
    return tuple(logs)


def _with_claims_of(corpus: Corpus, day: date) -> Corpus:
    """Return the corpus with the claims made by a day and those that replace them, if they name no other claims."""
    early = (claim for claim in corpus.claims.claims if claim.as_of <= day)
    made = {name for claim in early for name in (claim.id, *(claim.revised.by if claim.revised else ()))}
    claims = (c for c in corpus.claims.claims if {c.id, *(name for e in c.expect for name in e.survive)} <= made)
    return replace(corpus, claims_file=corpus.claims.model_copy(update={"claims": tuple(claims)}))


def _days(corpus: Corpus) -> list[date]:
    days = {exclusion.screening.on for exclusion in corpus.exclusions}
    days |= {end.on for claim in corpus.claims.claims for end in (claim.revised, claim.withdrawn) if end}
    for paper in corpus.papers:
        days |= {paper.added, *(c.corrected_on for c in paper.corrections), *(r.on for r in paper.history)}
    days |= {paper.withdrawn for paper in corpus.papers if paper.withdrawn}
    return sorted((day for day in days if corpus.day is None or day <= corpus.day), reverse=True)


def succession_pages(frame: Frame, successions: Sequence[Succession]) -> Iterator[SitePage]:
    """Yield the page `claims/ID.html` of each revised claim."""
    for succession in successions:
        result = succession.result
        yield frame.page(
            f"claims/{result.claim.id}.html",
            "succession",
            title="How a finding changed",
            description=f"How this finding changed: {titled(frame.corpus, result.claim.statement)}",
            program=f"claims/{result.claim.id}.json",
            claim=result.claim,
            look=LOOKS,
            judged=replace(result, stands=True).status,
            told=answer_texts(result.verdict, frame.checked.pool),
            ended=result.ended,
            successors=result.successors,
            account=succession.result.claim.paragraphs,
            changes=succession.terms,
            papers={paper.key: paper for paper in frame.corpus.papers},
            read=words.READ,
            most=SHOWN,
            **{helper.__name__: helper for helper in HELPERS},
        )


HELPERS = (
    words.coded,
    words.second_words,
    words.remarks,
    words.by_value,
    words.percent_words,
    words.kappa_words,
    coding_words,
)
"""Functions available in the template by their names."""
SHOWN = 100
"""Maximum number of entries in a list of changes or of codings."""
COUNTED = {"papers": "Papers retained", "exclusions": "Records screened out"}
State = tuple[str, GapState]
"""`(label, gap state whose colours are used)` of a state or status."""


def published(frame: Frame) -> dict[str, Any] | None:
    """Return the changes since the published version, with old and new values; None without a published version."""
    changes = frame.since_published
    if changes is None:
        return None
    diff, cells = changes.diff, tuple(_cells(frame, changes))
    return {
        "day": changes.day,
        "counts": [(COUNTED[name], was, now) for name, (was, now) in diff.counts.items() if name in COUNTED],
        "turned": [(c, _status(c.before), _status(c.after)) for c in changes.turned],
        "made": [(c, _status(c.after)) for c in changes.made],
        "cells": [cell for cell in cells if None not in cell],
        "there": [cell for cell in cells if None in cell],
        "corrections": [(paper, c.field, c.published, _value(paper, c.field)) for paper, c in changes.corrections],
        "recoded": tuple(_recoded(frame, changes)),
        "papers": {entry.key for entry in diff.retagged if entry.kind == "paper"},
    }


def _status(name: str | None) -> State:
    status = next((known for known in ClaimStatus if known.value == name), None)
    return (status.words, LOOKS[status]) if status in LOOKS else (name or "not stated", LOOKS[ClaimStatus.WITHDRAWN])


def _cells(frame: Frame, changes: SincePublished) -> Iterator[tuple[Axis, Term, State | None, State | None, str]]:
    """Yield `(axis, term, state before, state after, causes)` of changed cells; None where the term did not exist."""
    states: Mapping[str | None, State] = {state.value: (state.word, state) for state in STATES}
    for cell in changes.diff.cells:
        name, term = split_axis(cell.cell)
        axis = frame.corpus.taxonomy.by_id.get(name)
        if axis is not None and (known := axis.by_id.get(term or "")) is not None:
            yield axis, known, states.get(cell.before), states.get(cell.after), cell.by


def _recoded(frame: Frame, changes: SincePublished) -> Iterator[tuple[Axis, list[tuple[str, str, str]]]]:
    """Yield each axis with recoded papers, as `(key, codings before, codings after)`."""
    for axis in frame.corpus.taxonomy.axes:
        changed = (entry for entry in changes.diff.retagged if entry.axis == axis.id and entry.kind == "paper")
        codings = [(entry.key, _words(axis, entry.before), _words(axis, entry.after)) for entry in changed]
        if codings:
            yield axis, codings


def _words(axis: Axis, codings: tuple[str, ...]) -> str:
    """Format codings: `message:explicit:part (contested, weak)` as `Message, explicit, a part (contested, weak)`."""
    return "; ".join(_coding(axis, *text.partition(" ")) for text in codings)


def _coding(axis: Axis, coding: str, blank: str, remark: str) -> str:
    term, *rest = coding.split(":")
    label = axis.by_id[term].label if term in axis.by_id else "none" if term == "NA" else term
    return ", ".join((label, *("a part" if word == "part" else word for word in rest))) + blank + remark


def _value(paper: Any, field: str) -> object:
    value: Any = to_document(paper)
    for name in field.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
