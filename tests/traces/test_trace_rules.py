"""Rules beside their examples: levels, what a format cannot record, misspelt members, inputs, totals, and kinds."""

from typing import Any

import pytest

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rules import RULES, collapse
from awesome_cli.traces.schema import EVENT_2
from awesome_cli.traces.schema_check import nearest

LEAD = {"id": "e1", "t": 0, "type": "llm_call", "agent": "lead"}
STOP = {"id": "e9", "t": 9, "type": "stop", "agent": "lead", "reason": "answered"}


def checked(*events: dict[str, Any], skew: float = 0.0, **header: Any) -> tuple[Finding, ...]:
    """The findings of a run of `lead`: its first call, the events, and the stop."""
    document = {
        "schema_version": "2.0", "trace_id": "t", "task_id": "t", "root_agents": ["lead"], "edges": [], "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 9}, "events": [LEAD, *events, STOP], **header,
    }  # fmt: skip
    trace = read_document(document).trace
    assert trace is not None
    return check_trace(trace, skew=skew)


def codes(*events: dict[str, Any], **header: Any) -> list[str]:
    return [found.code for found in checked(*events, **header)]


SPAWN = {"id": "s", "t": 1, "type": "spawn", "agent": "lead", "to": "a"}
RETURN = {"id": "r", "t": 3, "type": "return", "agent": "a", "to": "lead"}
CALL = {"id": "w", "t": 2, "type": "tool_call", "agent": "lead", "tool": "web", "call_id": "c"}
LOST = {**RETURN, "delivery": "explicit"}
DELEGATE = {"id": "g", "t": 4, "type": "delegate", "agent": "lead", "to": "a"}


@pytest.mark.parametrize(
    ("word", "events", "code"),
    [
        ("stop", [], "TW104"),
        ("result", [CALL, STOP], "TW101"),
        ("return", [SPAWN, {"id": "x", "t": 2, "type": "llm_call", "agent": "a"}, STOP], "TW102"),
        ("return", [SPAWN, RETURN, DELEGATE, STOP], "TW106"),
        ("delivery", [SPAWN, LOST, STOP], "TW103"),
        ("delivery", [{"id": "x", "t": 1, "type": "aggregate", "agent": "lead"}, STOP], "TR011"),
        ("usage", [{**LEAD, "id": "x", "tokens_in": 5}, STOP], "TC006"),
    ],
)
def test_what_a_format_cannot_record_is_no_finding(word: str, events: list[Any], code: str) -> None:
    without = {"events": [LEAD, *events]}
    assert codes(**without) == [code]
    assert codes(**without, provenance={"unrecorded": [word]}) == []
    assert codes(**without, provenance={"unrecorded": ["duration"]}) == [code]
    assert RULES[code].unrecorded == word
    assert f"lists '{word}'" in RULES[code].manual()


def test_an_agent_that_returned_acts_again_only_with_a_new_task() -> None:
    again = {"id": "x", "t": 5, "type": "llm_call", "agent": "a"}
    late = {"id": "z", "t": 5, "type": "tool_result", "agent": "a", "tool": "web", "call_id": "c"}
    assert codes(SPAWN, RETURN, again) == ["TR016"]
    assert "TR016" not in codes(SPAWN, RETURN, DELEGATE, again)
    assert codes(SPAWN, {**CALL, "agent": "a"}, RETURN, late) == []


def test_a_spawned_agent_ends_by_a_return_or_a_stop_of_its_own() -> None:
    stopped = {"id": "x", "t": 5, "type": "stop", "agent": "a", "scope": "agent", "reason": "cancelled"}
    assert codes(SPAWN, {**CALL, "agent": "a", "type": "llm_call"}) == ["TW102"]
    assert codes(SPAWN, stopped) == []


@pytest.mark.parametrize(("signer", "found"), [("lead", []), ("web", []), ("a", ["TR017"]), ("nobody", ["TR017"])])
def test_a_result_is_signed_by_the_caller_or_the_tool(signer: str, found: list[str]) -> None:
    result = {"id": "x", "t": 2.5, "type": "tool_result", "agent": signer, "tool": "web", "call_id": "c"}
    assert codes(SPAWN, CALL, result, RETURN) == found
    assert codes(SPAWN, CALL, result, RETURN, agents={"nobody": {"kind": "environment"}})[:1] == (
        [] if signer == "nobody" else found
    )


def test_inputs_are_events_that_came_before() -> None:
    later = {"id": "y", "t": 2, "type": "llm_call", "agent": "lead"}
    first = {"id": "x", "t": 1, "type": "llm_call", "agent": "lead"}
    assert codes({**first, "inputs": ["gone", "y", "x", "e1"]}, later) == ["TG010", "TG011", "TG011"]
    assert codes(first, {**later, "inputs": ["x", "e1"]}) == []
    assert codes({**first, "inputs": ["y"]}, later, skew=1) == []
    # At one time, seq decides.
    assert codes({**first, "seq": 1, "inputs": ["y"]}, {**later, "t": 1, "seq": 0}) == []


def test_parts_of_tokens_and_totals() -> None:
    call = {**LEAD, "id": "x", "tokens_in": 10, "tokens_cached": 4, "tokens_cache_write": 6, "tokens_out": 3}

    def totals(declared: float, *more: dict[str, Any], **fields: Any) -> list[str]:
        events = [{**LEAD, "tokens_in": 0}, {**call, **fields}, *more, STOP]
        return codes(events=events, costs={"tokens": declared, "wall_clock_s": 9})

    assert totals(13) == []
    assert totals(13, tokens_cache_write=7) == ["TC005"]
    assert totals(13, tokens_reasoning=4) == ["TC005"]
    assert [totals(12), totals(14)] == [["TC006"], ["TC006"]]
    # A lower bound, or a call without usage, allows more and never less.
    assert [totals(14, tokens_partial=True), totals(12, tokens_partial=True)] == [[], ["TC006"]]
    assert [totals(14, {**LEAD, "id": "y"}), totals(12, {**LEAD, "id": "y"})] == [[], ["TC006"]]
    costly = {"events": [{**LEAD, "cost_usd": 1.0}, STOP]}
    assert codes(**costly, costs={"tokens": 0, "wall_clock_s": 9, "cost_usd": 1.004}) == []
    assert codes(**costly, costs={"tokens": 0, "wall_clock_s": 9, "cost_usd": 2}) == ["TC006"]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("token_in", "tokens_in"), ("tokens_input", "tokens_in"), ("input_tokens", "tokens_in"), ("tEnd", "t_end"),
        ("callId", "call_id"), ("output-tokens", "tokens_out"), ("cached_tokens", "tokens_cached"), ("Status", "status"),
        ("agent_id", None), ("tools", None), ("content", None), ("duration", None), ("label", None), ("name", None),
    ],
)  # fmt: skip
def test_members_that_are_nearly_known(name: str, known: str | None) -> None:
    assert nearest(name, EVENT_2) == known


def test_misspelt_members_are_warned_of_wherever_they_stand() -> None:
    found = checked(
        {**LEAD, "id": "x", "token_in": 1},
        agents={"lead": {"kind": "llm", "Role": "boss"}},
        tools={"web": {"side_effects": True}},
        rollout={"groupId": "g", "mine": 1},
        baseline={"turn": 3, "tokens": 2},
        provenance={"unrecorder": ["stop"]},
    )
    assert {(f.code, f.pointer, f.level) for f in found} == {
        ("TS011", place, Level.WARNING)
        for place in (
            "/events/1/token_in", "/agents/lead/Role", "/tools/web/side_effects", "/rollout/groupId",
            "/provenance/unrecorder",
        )
    }  # fmt: skip


def test_findings_of_one_kind_are_one_line() -> None:
    found = checked(*({**CALL, "id": f"w{n}", "call_id": f"c{n}"} for n in range(41)), SPAWN)
    lines = [(each.code, each.pointer, n) for each, n in collapse(found)]
    assert lines == [("TW101", "/events/1", 41), ("TW102", "/events/42", 1), ("TW105", "/events/42", 1)]
