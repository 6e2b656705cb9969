"""TW: what is still open when the replay ends. Loose ends are warnings in both versions."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
OPEN_CALL = rule("TW101", Level.WARNING, "A call without a result",
    unrecorded="result", why="It was still open when the trace ended.", fix="Record the result, or its timeout.")
NEVER_RETURNED = rule("TW102", Level.WARNING, "A spawned agent never returned",
    unrecorded="return", why="Either its parent still waits for it, or its parent did not need it.",
    fix="Record its return, or stop it (a stop event with scope 'agent').")
UNREAD_RETURN = rule("TW103", Level.WARNING, "A return was never read",
    unrecorded="delivery", why="The work was lost, or the event that read it is not recorded.",
    fix="Record the event that read it, or (v2) list the return in the 'inputs' of that event.")
NO_STOP = rule("TW104", Level.WARNING, "The run has no stop event",
    unrecorded="stop", why="It is unknown whether the run found an answer, used up its budget or was cancelled.",
    fix="Add a stop event with its reason (v2).")
NEVER_ACTED = rule("TW105", Level.WARNING, "An agent never acted",
    unrecorded="work", why="It was spawned or declared, but it has no events.", fix="Record what it did, or remove it.")
OPEN_TASK = rule("TW106", Level.WARNING, "A delegated task is open",
    unrecorded="return", why="The agent that received it never returned it.",
    fix="Record the return, or the stop of the agent.")
