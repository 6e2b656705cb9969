"""TG: the graph of events and declared edges."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
REPEATED_ID = rule("TG001", Level.ERROR, "Two events have the same id", v1=Level.ERROR,
    why="It is unclear which of the two an edge refers to.", fix="Give every event its own id.")
UNKNOWN_EVENT = rule("TG002", Level.ERROR, "An edge refers to an unknown event", v1=Level.ERROR,
    why="No event has the id at one end of the edge.", fix="Correct the id, or delete the edge.")
SELF_LOOP = rule("TG003", Level.ERROR, "An edge leads from an event to itself",
    why="No event can come before itself.", fix="Delete the edge.")
REPEATED_EDGE = rule("TG004", Level.ERROR, "An edge is listed twice",
    why="Source, target and type are the same. Every count of edges would be too high.", fix="Delete one of the two.")
BACKWARD_EDGE = rule("TG005", Level.ERROR, "An edge goes back in time",
    why="The target starts before the source does. If clocks of machines differ, pass the difference as --skew.",
    fix="Correct the times or the direction of the edge. The replay follows the times.")
CYCLE = rule("TG006", Level.ERROR, "Edges form a cycle",
    why="Every event happens once, so no event can be among its own causes. Agents may answer each other any number of "
        "times, because every message is an event of its own.",
    fix="Delete or reverse the edge that is wrong.")
AGAINST_AGENT_ORDER = rule("TG008", Level.ERROR, "An edge contradicts the order of an agent's own events",
    why="If one event of an agent ends before another starts, it came first. The edge says the opposite.",
    fix="Correct 'seq', the times, or the direction of the edge.")
ENDS_BEFORE_START = rule("TG009", Level.ERROR, "An event ends before it starts",
    why="'t_end' is less than 't'. The event is read as an instant at 't'.", fix="Correct the times.")
UNKNOWN_INPUT = rule("TG010", Level.ERROR, "'inputs' names an unknown event",
    why="No event has this id, so it is unknown what was read.", fix="Correct the id, or delete it from 'inputs'.")
LATER_INPUT = rule("TG011", Level.ERROR, "'inputs' names an event that is not earlier",
    why="An event can only use what was there before it. The replay reaches the input later, so nothing is read.",
    fix="Correct the id, the times or 'seq'. If clocks of machines differ, pass the difference as --skew.")
