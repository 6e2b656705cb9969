"""The manual pages of every rule, of records and of traces, by their codes."""

from collections.abc import Mapping

from awesome_cli import traces
from awesome_cli.rules.checking import RULES
from awesome_cli.traces import codes


def manual() -> Mapping[str, str]:
    """Code to manual text; the first line is the title."""
    return {code: rule.manual for code, rule in RULES.items()} | dict(traces.manual())


def levels() -> Mapping[str, str]:
    """Code to level; a code of traces may have another level in each version of the format, and says so."""
    return {code: rule.level.value for code, rule in RULES.items()} | {
        code: codes.levels(code) for code in traces.manual()
    }
