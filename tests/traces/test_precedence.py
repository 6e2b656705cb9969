"""Chains and ancestors against their definitions, computed the slow way."""

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from wellformed import fork_join, run

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import MeasuredRun, NotComputableError
from awesome_cli.traces.precedence import Precedence, ancestors, descendants, longest_chains
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay


def made(seed: int, size: int = 40) -> MeasuredRun:
    trace = read_document(run(seed, size)).trace
    assert trace is not None
    graph = graph_of(trace)
    return MeasuredRun(trace, graph, replay(trace, graph))


def relation(p: Precedence) -> list[list[int]]:
    """All predecessors of every event that the definition names, transitive ones of the same agent included."""
    rank = {i: place for place, i in enumerate(p.order)}
    before: list[list[int]] = []
    for j, later in enumerate(p.events):
        own = [
            i
            for i, e in enumerate(p.events)
            if rank[i] < rank[j]
            and e.end <= later.start
            and ((e.agent == later.agent and e.agent not in p.unordered) or (e.type == "message" and e.to is None))
        ]
        before.append([*own, *p.before[j]])
    return before


@given(st.integers(0, 10_000))
def test_longest_chain(seed: int) -> None:
    facts = made(seed)
    p = facts.precedence
    before = relation(p)
    for weights in (facts.steps, facts.durations):
        best: dict[int, float] = {}
        for j in p.order:
            best[j] = weights[j] + max((best[i] for i in before[j]), default=0)
        assert max(longest_chains(p, weights)[1]) == max(best.values())


@given(st.integers(0, 10_000), st.data())
def test_ancestors_and_descendants(seed: int, data: st.DataObject) -> None:
    p = made(seed).precedence
    before = relation(p)
    target = data.draw(st.sampled_from(p.order))
    above, todo = {target}, [target]
    while todo:
        for i in before[todo.pop()]:
            if i not in above:
                above.add(i)
                todo.append(i)
    assert {i for i, yes in enumerate(ancestors(p, target)) if yes} == above
    below = {target}
    for j in p.order:
        if below & set(before[j]):
            below.add(j)
    assert {i for i, yes in enumerate(descendants(p, [target])) if yes} == below


def event(key: str, t: float, agent: str, **more: object) -> dict[str, object]:
    return {"id": key, "t": t, "type": "llm_call", "agent": agent, **more}


def small(*events: dict[str, object], **more: object) -> Precedence:
    document = {"schema_version": "2.0", "trace_id": "t", "task_id": "t", "root_agents": ["lead"], "events": events,
                "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9}, **more}  # fmt: skip
    trace = read_document(json.loads(json.dumps(document))).trace
    assert trace is not None
    return MeasuredRun(trace, graph := graph_of(trace), replay(trace, graph)).precedence


def test_inputs_come_before_the_event_that_lists_them() -> None:
    p = small(event("a", 0, "lead"), event("b", 1, "x"), event("c", 2, "y", inputs=["a", "c", "gone"]))
    assert [list(before) for before in p.before] == [[], [], [0]]


def test_tools_and_environments_have_no_order_of_their_own() -> None:
    kinds = {"web": "tool", "maze": "environment", "ann": "human", "lead": "llm"}
    p = small(event("a", 0, "lead"), agents={name: {"kind": kind} for name, kind in kinds.items()})
    assert p.unordered == {"web", "maze"}


def test_what_is_blocked_ends_one_way_and_not_the_others() -> None:
    p = small(event("a", 0, "lead"), event("b", 1, "x", inputs=["a"]), event("c", 2, "x"), event("d", 3, "lead"))
    assert descendants(p, [0]) == [True] * 4
    assert descendants(p, [0], blocked=lambda event: event.id == "b") == [True, False, False, True]


@given(st.integers(0, 10_000), st.integers(5, 120))
def test_invariants(seed: int, size: int) -> None:
    facts = made(seed, size)
    assert not facts.precedence.left_out
    assert facts.critical_steps <= sum(facts.steps)
    with suppress(NotComputableError):
        assert facts.work
        slack = 1e-9 * facts.elapsed
        assert max(facts.chains[1]) <= facts.concurrency.busy + slack
        assert facts.concurrency.busy <= facts.elapsed + slack
        achieved, potential = sum(facts.durations) / facts.concurrency.busy, sum(facts.durations) / max(facts.chains[1])
        assert achieved <= potential + 1e-9
        assert achieved <= facts.concurrency.peak + 1e-9


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 6))
def test_fork_and_join(rounds: int, children: int, steps: int) -> None:
    from awesome_cli.traces.metrics import measure

    trace = read_document(fork_join(rounds, children, steps)).trace
    assert trace is not None
    values = measure(trace).values
    assert values["critical_steps"] == values["stage_steps"] == rounds * (1 + steps)
    assert values["span_s"] == values["busy_s"] == values["elapsed_s"] == rounds * (1 + steps)
    assert values["live_children"] == children
    assert values["spawn_width"] == rounds * children
