"""TC: totals and metrics that the trace declares, compared with its events."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
NEGATIVE_COST = rule("TC001", Level.ERROR, "A cost is negative", v1=Level.ERROR,
    why="The schema of v1 checks the sign of the costs that it knows; other costs can be negative there.",
    fix="Correct the cost.")
WRONG_COUNT = rule("TC002", Level.ERROR, "A declared count is not the number of events",
    why="'costs.tool_calls' or 'costs.messages' differs from the number of tool_call or message events in the trace.",
    fix="Correct the cost, or record the missing events.")
WALL_CLOCK_TOO_SHORT = rule("TC003", Level.ERROR, "The wall clock is shorter than the events",
    why="'costs.wall_clock_s' is less than the time from the first event to the last. If the trace has no time "
        "unit, its times are read as seconds. Steps are not compared.",
    fix="Correct the cost, or add the 'time_unit' (v2).")
WRONG_METRIC = rule("TC004", Level.WARNING, "A declared metric differs from the recomputed one",
    why="'awesome trace metrics' computes a metric of this name from the events, and the result is another value. The "
        "producer can mean another formula by the same name.",
    fix="Correct the metric, delete it, or declare it under another name.")
PART_ABOVE_WHOLE = rule("TC005", Level.ERROR, "A part of the tokens is more than the whole",
    why="'tokens_cached' and 'tokens_cache_write' are parts of 'tokens_in', 'tokens_reasoning' is part of "
        "'tokens_out'. Some programs count them apart; then they must be added.",
    fix="Write the whole prompt as 'tokens_in' and the whole answer as 'tokens_out'.")
WRONG_TOTAL = rule("TC006", Level.ERROR, "A declared total is not the sum of the events",
    unrecorded="usage",
    why="'costs.tokens' or 'costs.cost_usd' differs from the sum over the events by more than 0.5 %. A total above the "
        "sum is accepted where an llm_call has no usage, or has a lower bound ('tokens_partial').",
    fix="Correct the total, or record the usage of the missing events.")
