"""The cells of a survey's taxonomy that a run exercises: a mapping assigns events and rewards to terms."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.traces.model import EVENT_TYPES, Trace

# {"events": {axis: {event type: term}}, "rewards": {axis: {pattern of channel names: term}}}
TaxonomyMap = Mapping[str, Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class TaxonomyCell:
    """A term of an axis in one run: how many events are assigned to it, and the rewards of its channels."""

    axis: str
    term: str
    events: int
    rewards: Mapping[str, float]

    @property
    def exercised(self) -> bool:
        """True if the run has an event or a reward of the term."""
        return bool(self.events or self.rewards)


def cells(trace: Trace, mapping: TaxonomyMap) -> tuple[TaxonomyCell, ...]:
    """Every term of the mapping, in its order, also those that the run does not exercise.

    Rewards are those of the trace, and the sums of its reward events, by channel. If several patterns match a channel,
    the first one counts.
    """
    check_map(mapping)
    tables = ((axis, words) for axes in mapping.values() for axis, words in axes.items())
    events = {(axis, term): 0 for axis, words in tables for term in words.values()}
    rewards: dict[tuple[str, str], dict[str, float]] = {key: {} for key in events}
    types = Counter(event.type for event in trace.events)
    for axis, words in mapping.get("events", {}).items():
        for kind, term in words.items():
            events[axis, term] += types[kind]
    channels = reward_channels(trace)
    for axis, patterns in mapping.get("rewards", {}).items():
        for channel, value in channels.items():
            matched = term_of(channel, patterns)
            if matched is not None:
                rewards[axis, matched][channel] = value
    return tuple(TaxonomyCell(axis, term, n, rewards[axis, term]) for (axis, term), n in events.items())


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
                    f"traces: events: {axis}: {word!r} is not an event type", hint=f"one of {', '.join(EVENT_TYPES)}"
                )


def reward_channels(trace: Trace) -> dict[str, float]:
    """The trace's rewards by channel; a channel that only reward events have is their sum."""
    summed: dict[str, float] = defaultdict(int)
    for event in trace.events:
        if event.type == "reward":
            for channel, value in event.data["reward"].items():
                summed[channel] += value
    return {**summed, **trace.rewards}


def by_axis(found: Sequence[TaxonomyCell]) -> dict[str, dict[str, dict[str, object]]]:
    """`{axis: {term: {"events": n, "rewards": {channel: value}}}}`."""
    result: dict[str, dict[str, dict[str, object]]] = {}
    for cell in found:
        result.setdefault(cell.axis, {})[cell.term] = {"events": cell.events, "rewards": dict(cell.rewards)}
    return result


def exercised(found: Sequence[Sequence[TaxonomyCell]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Per axis and term: how many traces exercise it, by how many events, and through which reward channels."""
    axes: dict[str, dict[str, dict[str, Any]]] = {}
    for same in zip(*found, strict=True):
        axes.setdefault(same[0].axis, {})[same[0].term] = {
            "traces": sum(cell.exercised for cell in same),
            "events": sum(cell.events for cell in same),
            "rewards": sorted({channel for cell in same for channel in cell.rewards}),
        }
    return axes
