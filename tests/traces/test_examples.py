"""The shipped examples, one rule after the other, and the published v1 cases."""

import copy
import json
import re
from typing import Any

import pytest
from builders import DATA, EXAMPLES

from awesome_cli.reports.findings import Level
from awesome_cli.traces import manual
from awesome_cli.traces.checking import check_reading
from awesome_cli.traces.reading import read_trace
from awesome_cli.traces.rules import RULES

LINES = (EXAMPLES / "one-rule-each.jsonl").read_bytes().splitlines()
NAME = re.compile(rb'"trace_id": "(T\w+)"')
SOUND = (EXAMPLES / "one-rule-each-sound.jsonl").read_bytes().splitlines()


def codes(data: bytes) -> list[str]:
    return [finding.code for finding in check_reading(read_trace(data)).findings]


def test_minimal_v1_breaks_no_rule() -> None:
    assert codes((EXAMPLES / "minimal-v1.json").read_bytes()) == []


def test_rich_v2_breaks_no_rule() -> None:
    assert codes((EXAMPLES / "rich-v2.json").read_bytes()) == []


def test_one_trace_breaks_every_rule_that_one_trace_can_break() -> None:
    found = set(codes((EXAMPLES / "violations-v2.json").read_bytes()))
    # A run without a stop cannot go on after one; v2 has no negative costs.
    assert found == {code for code in RULES if code[:2] not in ("TP", "TS")} - {"TW104", "TC001"}


@pytest.mark.parametrize("line", LINES, ids=range(1, len(LINES) + 1))
def test_a_line_breaks_the_rule_that_it_is_named_after(line: bytes) -> None:
    name = NAME.search(line)
    expected = name[1].decode() if name else "TS001"
    found = codes(line)
    assert expected in found
    assert expected[:2] not in ("TP", "TS", "TG") or found == [expected]


def test_every_rule_has_a_sound_example_in_the_same_line_that_breaks_none() -> None:
    named = [json.loads(line)["trace_id"] for line in SOUND]
    # The run that is not an object has no name.
    assert named == ["TS001" if not (m := NAME.search(line)) else m[1].decode() for line in LINES]
    assert {name: found for name, line in zip(named, SOUND, strict=True) if (found := codes(line))} == {}


def test_every_rule_has_an_example_and_a_manual_page() -> None:
    named = {found for line in LINES for found in codes(line)}
    # A file that cannot be opened is tested where files are read.
    assert named == set(RULES) - {"TP005"}
    for code, page in manual().items():
        title, blank, *rest = page.split("\n")
        assert (bool(title), blank) == (True, ""), code
        assert any(line.startswith("Fix: ") for line in rest), code


def apply(document: Any, patch: list[dict[str, Any]]) -> Any:
    """JSON Patch, as far as the mutants use it."""
    document = copy.deepcopy(document)
    for operation in patch:
        *route, last = operation["path"].split("/")[1:]
        target = document
        for key in route:
            target = target[int(key)] if isinstance(target, list) else target[key]
        if isinstance(target, list):
            at = len(target) if last == "-" else int(last)
            if operation["op"] != "add":
                del target[at]
            if operation["op"] != "remove":
                target.insert(at, operation["value"])
        elif operation["op"] == "remove":
            del target[last]
        else:
            target[last] = operation["value"]
    return document


def verdict(data: bytes, base: set[tuple[str, str]]) -> str:
    """reject: no v1 trace; flag: something new to say; legal: nothing new."""
    reading = read_trace(data)
    found = check_reading(reading).findings
    if any(f.level is Level.ERROR for f in found):
        return "reject"
    return "flag" if said(data) - base else "legal"


def said(data: bytes) -> set[tuple[str, str]]:
    """Findings by code and event, wherever the event stands in the array."""
    reading = read_trace(data)
    assert reading.trace is not None
    events = reading.trace.events
    return {
        (
            f.code,
            events[int(f.pointer.split("/")[2])].id if (f.pointer or "").startswith("/events/") else f.pointer or "",
        )
        for f in check_reading(reading).findings
    }


def test_the_published_mutants() -> None:
    folder = DATA / "traces" / "v1"
    text = (folder / "example.json").read_text(encoding="utf-8")
    example, cases = json.loads(text), json.loads((folder / "mutants.json").read_text(encoding="utf-8"))
    base = said(text.encode())
    turned = copy.deepcopy(example)
    turned["events"].reverse()
    mutants = {case["name"]: json.dumps(apply(example, case["patch"])) for case in cases["mutants"]}
    mutants |= {
        "events_reversed": json.dumps(turned),
        "nan_time": text.replace('"t": 0', '"t": NaN'),
        "infinite_time": text.replace('"t": 0', '"t": Infinity'),
        "nan_reward": text.replace('"team": 1.0', '"team": NaN'),
        "nan_cost": text.replace('"tokens": 12000', '"tokens": NaN'),
        "duplicate_key": text.replace('"trace_id": ', '"trace_id": "other", "trace_id": '),
    }
    expected = {case["name"]: case["expect"].split()[0] for case in (*cases["mutants"], *cases["text_mutants"])}
    assert {name: verdict(data.encode(), base) for name, data in mutants.items()} == expected
    assert len(expected) == 33


def test_the_published_example_has_three_agents_and_the_known_counts() -> None:
    from awesome_cli.traces.metrics import measure

    trace = read_trace((DATA / "traces" / "v1" / "example.json").read_bytes()).trace
    assert trace is not None
    values = measure(trace).values
    assert (values["agents"], values["unreturned_children"], values["protocol_overhead"]) == (3, 1, 5 / 8)
