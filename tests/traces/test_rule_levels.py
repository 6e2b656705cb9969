"""Levels of rules are set from real runs: none above a note fires on more than one run in ten without being right."""

from functools import cache

from builders import DATA
from rule_counts import RuleCounts, count

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules import RULES

RIGHT: dict[str, tuple[str, ...]] = {
    "TW101": ("codex:019c8a70",),
    "TW103": ("who-and-when:hand-crafted-1", "codex:01a20057", "codex:01a20063", "codex-bundle:01a20063"),
    "TW104": ("codex:019c8a70",),
}
"""Runs in which a rule is right, by its code and the beginning of the run's name: docs/trace-checks.md says why."""


@cache
def counted() -> RuleCounts:
    folders = (DATA / name for name in ("traces", "runs"))
    return count(folder for folder in folders if folder.is_dir())


def test_no_rule_above_a_note_fires_on_more_than_one_run_in_ten_without_being_right() -> None:
    counts = counted()
    assert len(counts.runs) >= 15
    often = {
        code: wrong
        for code, runs in counts.fired.items()
        if RULES[code].levels[2] is not Level.NOTE
        and 10 * len(wrong := [run for run in runs if not run.startswith(RIGHT.get(code, ()))]) > len(counts.runs)
    }
    assert often == {}


def test_rules_said_to_be_right_fire_there() -> None:
    counts = counted()
    said = {(code, run) for code, names in RIGHT.items() for run in counts.runs if run.startswith(names)}
    assert said == {(code, run) for code, run in said if run in counts.fired.get(code, ())}
