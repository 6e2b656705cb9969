"""The manual pages of every rule, of records and of traces, by their codes."""

from collections.abc import Mapping

from awesome_cli import traces
from awesome_cli.rules.checking import RULES


def manual() -> Mapping[str, str]:
    """Code to manual text; the first line is the title."""
    return {code: rule.manual for code, rule in RULES.items()} | dict(traces.manual())


def levels() -> Mapping[str, str]:
    """Code to level; a code of traces has one for each version of the format, and its page says so."""
    return {code: rule.level.value for code, rule in RULES.items()}
