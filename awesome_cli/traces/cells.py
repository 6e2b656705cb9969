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
"""Cells by axis and term; a cell is `{"events": n, "rewards": {channel: value}}`."""


def cells(trace: Trace, mapping: TaxonomyMap) -> Cells:
    """Return a cell for every term of the mapping: the number of events and the run's rewards by channel.

    A term without events or rewards also gets a cell. If several patterns match a channel, the first pattern counts.
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
    """Return the term of the first pattern that matches a reward channel; None if no pattern matches."""
    return next((term for pattern, term in patterns.items() if fnmatchcase(channel, pattern)), None)


def check_map(mapping: TaxonomyMap) -> None:
    """Raise `SurveyError` if the mapping has an unknown part or an unknown event type."""
    for kind in mapping:
        if kind not in ("events", "rewards"):
            raise SurveyError(f"traces: unknown part {kind!r}", hint="use 'events' or 'rewards'")
    for axis, words in mapping.get("events", {}).items():
        for word in words:
            if word not in EVENT_TYPES:
                raise SurveyError(
                    f"traces: events: {axis}: {word!r} is not an event type", hint=f"use: {', '.join(EVENT_TYPES)}"
                )


def exercised(runs: Sequence[Cells]) -> Cells:
    """Return, by axis and term, the numbers of traces and events with the term, and reward channels."""
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
