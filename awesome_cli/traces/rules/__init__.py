"""The rules of traces, one file per topic. Calling `rule` registers a rule; the code that checks it refers to it."""

from awesome_cli.traces.rules import consistency, edges, loose_ends, parsing, replay, schema  # noqa: F401 (registers)
from awesome_cli.traces.rules._rule import RULES, RuleMessage, TraceFinding, TraceRule, collapse, listed, manual

__all__ = ["RULES", "RuleMessage", "TraceFinding", "TraceRule", "collapse", "listed", "manual"]
