"""Instructions that were never answered: found by reading the log, and by the findings of the trace that it becomes."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from builders import DATA
from hypothesis import example, given
from hypothesis import strategies as st

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.log_file import LogFile, RunFiles
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay

INSTRUCTION = re.compile(r"Orchestrator \(-> (.+)\)")
WORKERS = ("Surfer", "Coder", "Terminal")
ROLES = st.sampled_from(("Orchestrator (thought)", *WORKERS, *(f"Orchestrator (-> {name})" for name in WORKERS)))


def unanswered(roles: Iterable[str]) -> set[int]:
    """Return the places of the instructions to a worker that did not speak before the next instruction to it."""
    waiting: dict[str, int] = {}
    never = set()
    for place, role in enumerate(roles):
        if instruction := INSTRUCTION.fullmatch(role):
            never |= {waiting[name] for name in {instruction[1]} & waiting.keys()}
            waiting[instruction[1]] = place
        waiting.pop(role, None)
    return never | set(waiting.values())


def reported(document: dict[str, Any]) -> list[float]:
    """Return the places of the instructions that the rules of traces report."""
    run = RunFiles(LogFile(Path("run.json"), json.dumps(document).encode()))
    (imported,) = FORMATS["who-and-when"].convert(run, with_content=False)
    trace = read_document(imported).trace
    assert trace is not None
    found = replay(trace, graph_of(trace)).loose_ends
    # The first entry, the task of the run, is no event.
    return sorted(1 + each.event.start for each in found if each.event and each.code in ("TW102", "TW106"))


def test_every_instruction_of_the_sample_is_answered() -> None:
    document = json.loads((DATA / "traces" / "who-and-when" / "hand-crafted-1.json").read_bytes())
    roles = [entry["role"] for entry in document["history"]]
    assert (sum(bool(INSTRUCTION.fullmatch(role)) for role in roles), unanswered(roles)) == (7, set())
    assert reported(document) == []


def test_an_instruction_of_the_sample_whose_answer_is_lost_is_the_one_that_is_reported() -> None:
    document = json.loads((DATA / "traces" / "who-and-when" / "hand-crafted-1.json").read_bytes())
    history = document["history"]
    answers = [place for place, entry in enumerate(history) if entry["role"] == "WebSurfer"]
    for place in answers:
        left = history[:place] + history[place + 1 :]
        (lost,) = unanswered(entry["role"] for entry in left)
        assert reported({**document, "history": left}) == [lost]


@given(st.lists(ROLES, max_size=14), st.booleans())
@example(["Orchestrator (-> Surfer)", "Orchestrator (-> Surfer)", "Surfer"], True)
@example(["Orchestrator (-> Surfer)", "Orchestrator (-> Surfer)", "Surfer", "Surfer"], False)
def test_the_unanswered_instructions_are_those_that_are_reported(middle: list[str], ends: bool) -> None:
    roles = ["human", "Orchestrator (thought)", *middle, *(["Orchestrator (termination condition)"] if ends else [])]
    document = {"history": [{"role": role, "content": "text"} for role in roles], "mistake_step": "0"}
    assert reported(document) == sorted(unanswered(roles))
