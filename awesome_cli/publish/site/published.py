"""What changed since the published version of the survey, for its section on a page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.diff.revisions import SincePublished
from awesome_cli.analysis.gaps.states import STATES, GapState
from awesome_cli.model.codings import split_axis
from awesome_cli.model.records import to_document
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.publish.site.evidence import LOOKS
from awesome_cli.publish.site.page import Frame

SHOWN = 200
"""So many changed codings are listed on an axis; the others are told by their number."""
COUNTED = {"papers": "Papers retained", "exclusions": "Records screened out"}
State = tuple[str, GapState]
"""The word of a state or status, and the gap state in whose colours it is shown."""


@dataclass(frozen=True, slots=True)
class Recoded:
    """The codings on an axis that changed: of each record its key, and the codings before and after, in words."""

    axis: Axis
    changes: tuple[tuple[str, str, str], ...]


def published(frame: Frame) -> dict[str, Any] | None:
    """The changes since the published version, with old and new values; None where the survey names no such day."""
    found = frame.since_published
    if found is None:
        return None
    diff, cells = found.diff, tuple(_cells(frame, found))
    return {
        "day": found.day,
        "counts": [(COUNTED[name], was, now) for name, (was, now) in diff.counts.items() if name in COUNTED],
        "turned": [(c, _status(c.before), _status(c.after)) for c in found.turned],
        "made": [(c, _status(c.after)) for c in found.made],
        "cells": [cell for cell in cells if None not in cell],
        "there": [cell for cell in cells if None in cell],
        "corrections": [(paper, c.field, c.published, _value(paper, c.field)) for paper, c in found.corrections],
        "recoded": tuple(_recoded(frame, found)),
        "papers": {entry.key for entry in diff.retagged if entry.kind == "paper"},
        "most": SHOWN,
    }


def _status(name: str | None) -> State:
    status = next((one for one in ClaimStatus if one.value == name), None)
    return (status.words, LOOKS[status]) if status in LOOKS else (name or "not stated", LOOKS[ClaimStatus.WITHDRAWN])


def _cells(frame: Frame, found: SincePublished) -> Iterator[tuple[Axis, Term, State | None, State | None]]:
    """The terms whose state changed, each with the states before and after; None for a term that was not there."""
    states: Mapping[str | None, State] = {state.value: (state.word, state) for state in STATES}
    for cell in found.diff.cells:
        name, term = split_axis(cell.cell)
        axis = frame.corpus.taxonomy.by_id.get(name)
        if axis is not None and (known := axis.by_id.get(term or "")) is not None:
            yield axis, known, states.get(cell.before), states.get(cell.after)


def _recoded(frame: Frame, found: SincePublished) -> Iterator[Recoded]:
    for axis in frame.corpus.taxonomy.axes:
        changed = [entry for entry in found.diff.retagged if entry.axis == axis.id and entry.kind == "paper"]
        pairs = ((entry.key, _words(axis, entry.before), _words(axis, entry.after)) for entry in changed)
        if changed:
            yield Recoded(axis, tuple(pairs))


def _words(axis: Axis, codings: tuple[str, ...]) -> str:
    """Codings in words: `message:explicit:part (contested, weak)` is `Message, explicit, a part (contested, weak)`."""
    return "; ".join(_coding(axis, *text.partition(" ")) for text in codings)


def _coding(axis: Axis, coding: str, blank: str, remark: str) -> str:
    term, *rest = coding.split(":")
    label = axis.by_id[term].label if term in axis.by_id else "none" if term == "NA" else term
    return ", ".join((label, *("a part" if word == "part" else word for word in rest))) + blank + remark


def _value(paper: Any, field: str) -> object:
    """The value of a field that is given by its path; None where there is none."""
    value: Any = to_document(paper)
    for name in field.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
