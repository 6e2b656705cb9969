"""Levels of rules are set from real runs: none above a note fires on more than one run in ten without being right."""

from functools import cache

from builders import DATA
from rule_counts import RuleCounts, count

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules import RULES

RIGHT: dict[str, frozenset[str]] = {}
"""Runs in which a rule is right, by its code: docs/trace-checks.md says why."""


@cache
def counted() -> RuleCounts:
    folders = (DATA / name for name in ("traces", "runs"))
    return count(folder for folder in folders if folder.is_dir())


def test_no_rule_above_a_note_fires_on_more_than_one_run_in_ten_without_being_right() -> None:
    counts = counted()
    assert len(counts.runs) >= 15
    wrong = {code: set(runs) - RIGHT.get(code, frozenset()) for code, runs in counts.fired.items()}
    often = {
        c: runs
        for c, runs in wrong.items()
        if RULES[c].levels[2] is not Level.NOTE and 10 * len(runs) > len(counts.runs)
    }
    assert often == {}


def test_rules_said_to_be_right_fire_there() -> None:
    fired = counted().fired
    assert {code: runs - fired[code].keys() for code, runs in RIGHT.items() if runs - fired[code].keys()} == {}
