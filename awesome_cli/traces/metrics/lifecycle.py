"""How many agents ran, and how deep in the spawn tree, over the time of a run."""

from typing import NamedTuple

from awesome_cli.traces.metrics.run import MeasuredRun

SLICES = 10


class Live(NamedTuple):
    """From the time `t` on, in the trace's unit, `agents` run, the deepest of them at `depth`."""

    t: float
    agents: int
    depth: int


def over_time(run: MeasuredRun) -> list[Live]:
    """The number of running agents and their greatest depth, at every time at which one of them changes."""
    machine = run.replay.machine
    at_depth = {0: len(run.roots)}
    deepest, live = 0, len(run.roots)
    found = [Live(min(event.start for event in run.events), live, 0)]
    for index, name, begins in machine.lifecycle:
        depth, change = machine.agents[name].depth, 1 if begins else -1
        at_depth[depth] = at_depth.get(depth, 0) + change
        live += change
        deepest = max(deepest, depth)
        while deepest and not at_depth.get(deepest):
            deepest -= 1
        now = Live(run.events[index].start, live, deepest)
        if now.t == found[-1].t:
            found.pop()
        found.append(now)
    return found


def sliced(series: list[Live], end: float) -> list[Live]:
    """The most agents, and the greatest depth, in each of ten equal parts of the time."""
    begin = series[0].t
    length = (end - begin) / SLICES or 1.0
    slices = [Live(begin + i * length, 0, 0) for i in range(SLICES)]
    for one, following in zip(series, [*(s.t for s in series[1:]), end], strict=True):
        first = min(int((one.t - begin) / length), SLICES - 1)
        last = min(int((following - begin) / length), SLICES - 1)
        for i in range(first, last + 1):
            slices[i] = Live(slices[i].t, max(slices[i].agents, one.agents), max(slices[i].depth, one.depth))
    return slices
