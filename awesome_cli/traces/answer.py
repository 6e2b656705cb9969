"""Which event gave the answer of a run, as far as the producer recorded it: what an importer inferred is no answer."""

from collections.abc import Sequence

from awesome_cli.traces.model import Event, Trace


def gives_answer(event: Event) -> bool:
    """Whether the producer recorded that this event answers: an aggregation, or a stop of the run as answered."""
    stops = event.type == "stop" and event.data.get("scope") != "agent" and event.data.get("reason") == "answered"
    return (event.type == "aggregate" or stops) and not event.inferred


def answer_of(trace: Trace, order: Sequence[int]) -> Event | None:
    """The last aggregation, or stop of the whole run with the reason `answered`, in `order`.

    Without one, the last event that had ended at `answer_available_at`.
    """
    at = trace.header.get("answer_available_at")
    ended = None
    for i in reversed(order):
        event = trace.events[i]
        if gives_answer(event):
            return event
        if ended is None and at is not None and event.end <= at:
            ended = event
    return ended
