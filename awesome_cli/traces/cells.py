"""Assign the events and rewards of runs to terms of a survey's taxonomy."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.traces.model import EVENT_TYPES, Trace
from awesome_cli.traces.rewards import rewards_of

# {"events": {axis: {event type: term}}, "rewards": {axis: {pattern of channel names: term}}}
TaxonomyMap = Mapping[str, Mapping[str, Mapping[str, str]]]
Cells = dict[str, dict[str, dict[str, Any]]]
"""By axis and term, the published form of a cell."""


def cells(trace: Trace, mapping: TaxonomyMap) -> Cells:
    """Return `{"events": n, "rewards": {channel: value}}` for every term of the mapping, exercised or not.

    Rewards are those of the run (`rewards_of`). If several patterns match a channel, the first one counts.
    """
    check_map(mapping)
    axes: Cells = {}
    types = Counter(event.type for event in trace.events)
    for part, tables in mapping.items():
        for axis, words in tables.items():
            for word, term in words.items():
                cell = axes.setdefault(axis, {}).setdefault(term, {"events": 0, "rewards": {}})
                if part == "events":
                    cell["events"] += types[word]
    for axis, patterns in mapping.get("rewards", {}).items():
        for channel, value in rewards_of(trace).items():
            if (match := term_of(channel, patterns)) is not None:
                axes[axis][match]["rewards"][channel] = value
    return axes


def term_of(channel: str, patterns: Mapping[str, str]) -> str | None:
    """The term of the first pattern that a reward channel matches."""
    return next((term for pattern, term in patterns.items() if fnmatchcase(channel, pattern)), None)


def check_map(mapping: TaxonomyMap) -> None:
    """Raise `SurveyError` if the mapping has an unknown part or an unknown event type."""
    for kind in mapping:
        if kind not in ("events", "rewards"):
            raise SurveyError(f"traces: unknown part {kind!r}", hint="its parts are 'events' and 'rewards'")
    for axis, words in mapping.get("events", {}).items():
        for word in words:
            if word not in EVENT_TYPES:
                raise SurveyError(
                    f"traces: events: {axis}: {word!r} is not an event type", hint=f"types: {', '.join(EVENT_TYPES)}"
                )


def exercised(runs: Sequence[Cells]) -> Cells:
    """Per axis and term: how many traces exercise it, by how many events, and through which reward channels."""
    axes: Cells = {}
    for axis, terms in runs[0].items() if runs else ():
        for term in terms:
            values = [run[axis][term] for run in runs]
            axes.setdefault(axis, {})[term] = {
                "traces": sum(bool(cell["events"] or cell["rewards"]) for cell in values),
                "events": sum(cell["events"] for cell in values),
                "rewards": sorted({channel for cell in values for channel in cell["rewards"]}),
            }
    return axes
