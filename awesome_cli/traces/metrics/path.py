"""The critical path: the events of the longest chain of working intervals, which decide how long a run takes."""

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError
from awesome_cli.traces.model import Event


def critical_path(run: MeasuredRun) -> list[Event]:
    """The working events of one longest chain, the first one first; the sum of their durations is `span_s`.

    Empty where no interval is recorded.
    """
    try:
        before, with_it = run.chains
    except NotComputableError:
        return []
    ends = Ends(run, with_it)
    at: int | None = max(range(len(with_it)), key=with_it.__getitem__)
    path = []
    while at is not None:
        if run.durations[at] > 0:
            path.append(run.events[at])
        at = ends.leading_to(at, before[at]) if before[at] > 0 else None
    return path[::-1]


class Ends:
    """Where chains end: by actor and length the event that ended first; the actor None stands for all broadcasts."""

    def __init__(self, run: MeasuredRun, lengths: list[float]) -> None:
        self.run, self.lengths = run, lengths
        self.place = {index: place for place, index in enumerate(run.precedence.order)}
        self.first: dict[tuple[str | None, float], int] = {}
        for index in run.precedence.order:
            event = run.events[index]
            self.add(event.agent, index)
            if event.type == "message" and event.to is None:
                self.add(None, index)

    def add(self, actor: str | None, index: int) -> None:
        """A chain of the actor ends with this event."""
        key = (actor, self.lengths[index])
        known = self.first.get(key)
        if known is None or self.run.events[index].end < self.run.events[known].end:
            self.first[key] = index

    def leading_to(self, index: int, length: float) -> int | None:
        """The event before this one in its chain, which ends with this length."""
        event, p = self.run.events[index], self.run.precedence
        actors = (None,) if event.agent in p.unordered else (event.agent, None)
        own = [u for actor in actors if (u := self.first.get((actor, length))) is not None]
        found = [*(u for u in p.before[index] if self.lengths[u] == length), *own]
        return next((u for u in found if self.place[u] < self.place[index]), None)
