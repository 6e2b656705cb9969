"""The rules of traces by code: what each says, how much it matters, and its manual page."""

from collections.abc import Mapping
from typing import NamedTuple

from awesome_cli.reports.findings import Level
from awesome_cli.traces.model import Version


class Rule(NamedTuple):
    """`title` is what is wrong in general, `why` the reason, `fix` what puts it right."""

    title: str
    why: str
    fix: str


# What makes a file no v1 trace at all; the other rules only warn there, because v1 cannot express what they ask for.
INVALID_1 = frozenset({"TG001", "TG002", "TC001"})

RULES: Mapping[str, Rule] = {
    # Parse: what JSON Schema cannot see.
    "TP001": Rule(
        "A key stands twice in one object",
        "JSON readers keep the first value, or the last, or both: two programs would read two different runs.",
        "Delete one of the two members.",
    ),
    "TP002": Rule(
        "NaN, Infinity, or a number beyond a double",
        "JSON has no such numbers, and one of them makes every sum and every comparison meaningless.",
        "Leave the field out, or write the number that was meant.",
    ),
    "TP003": Rule(
        "The text is not UTF-8",
        "JSON is exchanged in UTF-8. A byte or an escape here stands for no character.",
        "Save the file as UTF-8, or repair the program that cut a string in the middle of a character.",
    ),
    "TP004": Rule(
        "The text is not JSON",
        "What cannot be parsed cannot be judged. A missing end often means that a writer was interrupted.",
        "Repair the text at the line and column given.",
    ),
    "TP005": Rule(
        "The input cannot be read",
        "The file could not be opened, or a compressed one ends too early or is damaged.",
        "Check that the file is whole and that you may read it.",
    ),
    # Shape: what the schema says.
    "TS001": Rule(
        "A trace is not an object", "A trace is one JSON object per file or line.", "See 'awesome schema trace'."
    ),
    "TS002": Rule("A required field is missing", "Without it the run cannot be told.", "Add the field."),
    "TS003": Rule(
        "A field is not known here",
        "The top level and the edges are closed, so that a misspelt field cannot be lost in silence. Events are open.",
        "Correct the spelling, move it into an event or into 'annotations', or in v2 begin its name with 'x-'.",
    ),
    "TS004": Rule(
        "A value has the wrong type",
        "A number as text, a boolean as a number: what one reader accepts another reads differently.",
        "Write the type that 'awesome schema trace' asks for.",
    ),
    "TS005": Rule(
        "A word is not one of the vocabulary",
        "Event types, edge types, topologies, statuses and reasons are closed lists. 'delegate', 'stop', 'llm_call' "
        "and 'reward' events exist in v2 only.",
        'Use a word of the list; to use the new ones, add "schema_version": "2.0".',
    ),
    "TS006": Rule(
        "A number is below its minimum", "Times, counts, tokens and costs begin at 0.", "Correct the number."
    ),
    "TS007": Rule("Something is empty", "Ids and names need a character, a trace needs an event.", "Fill it in."),
    "TS008": Rule(
        "A text has the wrong form",
        "Versions look like 2.0 and content hashes like sha256:0123abcd, so that programs can compare them.",
        "Write it in that form.",
    ),
    "TS009": Rule("A list names something twice", "Inputs and root agents are sets.", "Delete the copy."),
    "TS010": Rule(
        "An event lacks what its type needs",
        "In v2 a spawn and a delegate need 'to', a tool_call 'tool', a tool_result 'call_id', a stop 'reason', a "
        "reward 'reward': without it the replay could only guess.",
        "Add the field.",
    ),
    # Graph.
    "TG001": Rule("Two events share an id", "Edges could mean either.", "Give every event its own id."),
    "TG002": Rule("An edge names no event", "It leads to or from nothing.", "Correct the id, or delete the edge."),
    "TG003": Rule("An edge leads to itself", "Nothing comes before itself.", "Delete the edge."),
    "TG004": Rule(
        "An edge is there twice", "Same source, target and type: counted twice, it skews counts.", "Delete one."
    ),
    "TG005": Rule(
        "An edge goes back in time",
        "The target starts before the source does. Clocks of two machines may disagree: --skew says by how much.",
        "Correct the times or the direction of the edge. In the replay, time wins.",
    ),
    "TG006": Rule(
        "Edges form a cycle",
        "Events happen once, so their causes have an order. (Agents may talk in circles: every message is an event.)",
        "Delete or turn round the edge that does not belong.",
    ),
    "TG008": Rule(
        "An edge contradicts an agent's own order",
        "An agent's event that ends before another of its own starts came first; the edge says the opposite.",
        "Correct 'seq', the times, or the direction of the edge.",
    ),
    "TG009": Rule(
        "An event ends before it starts",
        "'t_end' is less than 't'. It is read as an instant.",
        "Correct the times.",
    ),
    # Replay.
    "TR001": Rule(
        "An agent is spawned while it runs",
        "One id, two agents: what follows cannot be told apart. It is read as one more task for the agent that runs.",
        "Give the second agent an id of its own ('worker#2'), or use delegate.",
    ),
    "TR002": Rule(
        "An unknown agent acts",
        "Nobody spawned it and 'root_agents' does not name it. It is read as one more root.",
        "Add the spawn, or name it in 'root_agents' (v2); declare tools, people and environments in 'agents' by kind.",
    ),
    "TR003": Rule(
        "An agent acts after its end",
        "It was despawned or stopped before.",
        "Remove the despawn or stop, correct the times, or spawn it again.",
    ),
    "TR004": Rule(
        "A result without a call",
        "No open call has this id (in v1: no call of this tool is open).",
        "Record the call, or correct 'call_id'.",
    ),
    "TR005": Rule("A second result of one call", "The call is closed already.", "Give every call an id of its own."),
    "TR006": Rule(
        "A return of nothing",
        "The agent has no open task that it could return.",
        "Record the spawn or delegate that gave it the task; a root ends a run with stop, not return.",
    ),
    "TR007": Rule(
        "A return to the wrong one",
        "The addressee neither spawned the agent nor delegated anything to it.",
        "Correct 'to', or record the delegation.",
    ),
    "TR008": Rule(
        "A message or task for nobody",
        "The receiver is unknown, or was despawned or stopped.",
        "Correct 'to', or record the spawn.",
    ),
    "TR009": Rule(
        "Something happens after the run was stopped",
        "After a stop of scope 'trace' only rewards, safety events, human interventions and despawns make sense. A "
        "second stop is no exception.",
        "Correct the times, or give the stop the scope 'agent'.",
    ),
    "TR010": Rule(
        "An agent is despawned in the middle of work",
        "It has open calls, or children that run.",
        "Despawn the children and await the calls first, or record that they ended.",
    ),
    "TR011": Rule(
        "An aggregation of nothing",
        "The agent read no return, message or listed input since it last aggregated.",
        "Record the returns that it used, or list them in 'inputs'.",
    ),
    "TR012": Rule(
        "A task for an unknown agent",
        "Nobody spawned the one that the work is delegated to. It is read as spawned by the delegation.",
        "Record the spawn, or name it in 'root_agents'.",
    ),
    "TR013": Rule("A spawn of nobody", "v1 allows a spawn without 'to', but then nobody is born.", "Add 'to'."),
    "TR014": Rule("A call id is used again", "Two calls, one id: a result could be either's.", "Use fresh call ids."),
    "TR015": Rule(
        "A message is signed by another",
        "'from' and 'agent' differ: was it sent, or forged, or forwarded?",
        "Make them equal; record a forwarded message as a message of the forwarder.",
    ),
    # Loose ends.
    "TW101": Rule("A call without a result", "It was open when the trace ended.", "Record the result, or its timeout."),
    "TW102": Rule(
        "A spawned agent never returned",
        "Whoever spawned it waits for ever, or never needed it.",
        "Record its return, or stop it (stop with scope 'agent').",
    ),
    "TW103": Rule(
        "A return was never read",
        "Its work was lost, or the reading is not recorded.",
        "Record the event that read it, or (v2) list the return in the 'inputs' of the event that did.",
    ),
    "TW104": Rule(
        "Nothing says that the run stopped",
        "Was it answered, cut off by a budget, cancelled? The stopping decision is the least observed of all.",
        "Add a stop event with its reason (v2).",
    ),
    "TW105": Rule(
        "An agent never acted", "It was spawned or declared, and did nothing.", "Record what it did, or remove it."
    ),
    "TW106": Rule("A delegated task is open", "It was never returned.", "Record the return, or the stop of the agent."),
    # Consistency.
    "TC001": Rule("A cost is negative", "v1's schema lets other costs than the known ones be negative.", "Correct it."),
    "TC002": Rule(
        "A declared count is not the number of events",
        "'costs.tool_calls' or 'costs.messages' differs from the tool_call or message events in the trace.",
        "Correct the cost, or record the missing events.",
    ),
    "TC003": Rule(
        "The wall clock is shorter than the events",
        "'costs.wall_clock_s' is less than the time from the first event to the last. A trace that names no time "
        "unit is read in seconds here; steps are not compared.",
        "Correct the cost, or say the 'time_unit' (v2).",
    ),
    "TC004": Rule(
        "A declared metric differs from the recomputed one",
        "The metric has a name and a formula here ('awesome trace metrics'), and another value.",
        "Correct it, delete it, or declare it under a name of its own.",
    ),
}


def level(code: str, version: Version) -> Level:
    """How much a rule matters: v1 is read leniently, v2 strictly; loose ends are warnings in both."""
    if code.startswith("TW"):
        return Level.WARNING
    if version == 2 or code[:2] in ("TP", "TS") or code in INVALID_1:
        return Level.ERROR
    return Level.WARNING


def levels(code: str) -> str:
    """The level of a rule in words."""
    one, two = level(code, 1), level(code, 2)
    return f"{one} in v1, {two} in v2" if one is not two else one.value


def manual() -> Mapping[str, str]:
    """The manual page of every rule by its code: the title on the first line, then why, and what to do."""
    return {
        code: f"{rule.title}\n\n{rule.why}\n\nLevel: {levels(code)}.\nFix: {rule.fix}\n" for code, rule in RULES.items()
    }
