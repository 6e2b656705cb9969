"""The numbers of a run that stand above its lanes."""

from collections.abc import Iterable, Sequence

from awesome_cli.text.numbers import short, spell_seconds
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.usage import usage_of, without_tokens
from awesome_cli.traces.views.timeline import Timeline

PARTS = ("fresh", "cached", "cache-writing", "output")


def length(trace: Trace, time: float) -> str:
    """A length of time of a trace in words: `4.2 s`, `5 h 1 min`, `12 steps`."""
    if trace.seconds is not None:
        return spell_seconds(time * trace.seconds)
    unit = {"step": "steps"}.get(trace.time_unit or "", "")
    return f"{short(time)} {unit}".strip()


def facts(view: Timeline) -> list[tuple[str, str]]:
    """Names and values: agents, events, time, tokens, findings by level."""
    first, last = view.range
    levels = [finding["level"] for finding in view.findings]
    found = [(f"{level}s", f"{levels.count(level):,}") for level in ("error", "warning", "note") if level in levels]
    shown = [
        ("agents", f"{len(view.machine.agents):,}"),
        ("events", f"{len(view.order):,}"),
        ("elapsed", length(view.trace, last - first)),
        *_tokens(view.trace, view.order, view.machine.agents),
        *(found or [("findings", "no")]),
    ]
    return [(name.removesuffix("s") if value == "1" else name, value) for name, value in shown]


def _tokens(trace: Trace, events: Sequence[Event], agents: Iterable[str]) -> list[tuple[str, str]]:
    """The sum of the events and its parts; the declared total where it differs, or where no event has tokens."""
    declared = trace.costs["tokens"]
    if all(event.tokens is None for event in events):
        return [("tokens", f"{declared:,.0f}")] if declared else []
    sums = [sum(part) for part in zip(*map(usage_of, events), strict=True)]
    total = sum(event.tokens or 0 for event in events)
    partial = any(event.data.get("tokens_partial") for event in events) or without_tokens(trace, agents)
    least = "at least " if partial else ""
    shown = [("tokens", f"{least}{total:,}")]
    shown += [(f"{name} tokens", f"{n:,}") for name, n in zip(PARTS, sums[: len(PARTS)], strict=True) if n]
    return shown if declared == total else [*shown, ("tokens declared (differs)", f"{declared:,.0f}")]
