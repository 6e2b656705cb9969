"""The rules of traces: what is wrong with a trace, why, and how to correct it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.text.grouping import group_pairs

if TYPE_CHECKING:
    from awesome_cli.traces.model import Event, Trace, Version

RULES: dict[str, "TraceRule"] = {}
"""Every rule by its code. Creating a rule registers it."""
EXAMPLES = (
    "Examples: the run {0} in traces/examples/one-rule-each.jsonl breaks the rule, the run {0} in "
    "one-rule-each-sound.jsonl does not."
)


@dataclass(frozen=True, slots=True)
class TraceRule:
    """A rule: `title` says what is wrong, `why` gives the reason, `fix` says how to correct it.

    `level` is the level of findings in traces of v2, `v1` in traces of v1. A rule about a missing fact names in
    `unrecorded` the word of `UNRECORDED` that switches the rule off.
    """

    code: str
    title: str
    why: str
    fix: str
    level: Level = Level.ERROR
    v1: Level = Level.WARNING
    unrecorded: str | None = None

    def __post_init__(self) -> None:
        if self.code in RULES:
            raise ValueError(f"two rules have the code {self.code}")
        RULES[self.code] = self

    @property
    def levels(self) -> Mapping["Version", Level]:
        return {1: self.v1, 2: self.level}

    def holds_for(self, trace: "Trace") -> bool:
        """False if the trace's format cannot record the fact that the rule looks for."""
        return self.unrecorded is None or self.unrecorded not in trace.unrecorded

    def manual(self) -> str:
        """The manual page: the title on the first line, then the reason, the level, the correction and examples."""
        level = self.level.value if self.v1 is self.level else f"{self.v1} in v1, {self.level} in v2"
        silent = f" Silent where 'provenance.unrecorded' lists '{self.unrecorded}'." if self.unrecorded else ""
        page = f"{self.title}\n\n{self.why}\n\nLevel: {level}.{silent}\nFix: {self.fix}\n"
        # An unreadable file cannot be shown as an example.
        return page if self.code == "TP005" else f"{page}\n{EXAMPLES.format(self.code)}\n"


def escape(key: str) -> str:
    """Escape a key for use in a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


class TraceFinding(NamedTuple):
    """A finding of a rule in a trace.

    `pointer` is the JSON pointer of the faulty value, `""` for the whole trace. Only findings of the replay have an
    event and an agent.
    """

    rule: TraceRule
    message: str
    pointer: str = ""
    event: "Event | None" = None
    agent: str | None = None

    @classmethod
    def at(cls, rule: TraceRule, event: "Event", message: str, agent: str | None = None) -> "TraceFinding":
        return cls(rule, message, event.pointer, event, agent)

    @property
    def code(self) -> str:
        return self.rule.code

    def to_json(self) -> dict[str, str | None]:
        """Return the JSON form of a finding of the replay."""
        event = self.event.id if self.event else None
        return {"code": self.code, "event": event, "agent": self.agent, "message": self.message}


def applicable(findings: Iterable[TraceFinding], trace: "Trace") -> Iterator[TraceFinding]:
    return (finding for finding in findings if finding.rule.holds_for(trace))


RuleMessage = tuple[TraceRule, str]
"""A broken rule and a message; the caller adds the JSON pointer."""
F = TypeVar("F", Finding, TraceFinding)
MOST = 100_000
"""The maximum number of listed findings of one trace."""
VARIABLE = re.compile(r"""'[^']*'|"[^"]*"|[\d.]*\d""")
"""The variable parts of a message: quoted names and numbers."""


def listed(findings: Iterable[TraceFinding]) -> Iterator[TraceFinding]:
    """Limit the number of findings to `MOST`; a last finding says that there are more."""
    for number, each in enumerate(findings):
        if number == MOST:
            yield TraceFinding(each.rule, f"the trace has more findings; only the first {MOST:,} are listed")
            return
        yield each


def collapse(findings: Iterable[F]) -> list[tuple[F, int]]:
    """Return the first finding of each kind, with the number of findings of this kind.

    Findings are of the same kind if they have the same rule, and their messages differ only in names and numbers.
    """
    kinds = group_pairs(((each.code, VARIABLE.sub("…", each.message)), each) for each in findings)
    return [(same[0], len(same)) for same in kinds.values()]


def manual() -> Mapping[str, str]:
    """Return the manual page of every rule, by the rule's code."""
    return {code: rule.manual() for code, rule in RULES.items()}


# fmt: off

# TC: totals and metrics that the trace declares, compared with its events.
NEGATIVE_COST = TraceRule("TC001", "A cost is negative", v1=Level.ERROR,
    why="A cost cannot be below 0. In v1, the schema checks only the sign of costs with known names.",
    fix="Correct the cost.")
WRONG_COUNT = TraceRule("TC002", "A declared count is not the number of events",
    why="'costs.tool_calls' or 'costs.messages' differs from the number of tool_call or message events in the trace.",
    fix="Correct the cost, or record the missing events.")
WALL_CLOCK_TOO_SHORT = TraceRule("TC003", "The wall clock is shorter than the events",
    why="'costs.wall_clock_s' is less than the time from the first event to the last. If the trace has no time unit, "
        "its times are read as seconds. Steps are not compared.",
    fix="Correct the cost, or add the 'time_unit' (v2).")
WRONG_METRIC = TraceRule("TC004", "A declared metric differs from the recomputed one", level=Level.WARNING,
    why="'awesome trace metrics' computes a metric of this name from the events, and gets a different value. Perhaps "
        "the producer uses the same name for a different formula.",
    fix="Correct the metric, delete it, or declare it under another name.")
PART_ABOVE_WHOLE = TraceRule("TC005", "A part of the tokens is more than the whole",
    why="'tokens_cached' and 'tokens_cache_write' are parts of 'tokens_in', 'tokens_reasoning' is part of "
        "'tokens_out'. Some programs record the parts separately from the whole; then the parts must be added.",
    fix="Set 'tokens_in' to the tokens of the whole prompt and 'tokens_out' to those of the whole answer.")
WRONG_TOTAL = TraceRule("TC006", "A declared total is not the sum of the events", unrecorded="usage",
    why="'costs.tokens' or 'costs.cost_usd' differs from the sum over the events by more than 0.5 %. A total above the "
        "sum is accepted if the usage of some llm_call is missing or incomplete ('tokens_partial').",
    fix="Correct the total, or record the missing usage of events.")

# TG: the graph of events and declared edges.
REPEATED_ID = TraceRule("TG001", "Two events have the same id", v1=Level.ERROR,
    why="An edge with this id could refer to either event.", fix="Give every event its own id.")
UNKNOWN_EVENT = TraceRule("TG002", "An edge refers to an unknown event", v1=Level.ERROR,
    why="The edge names an id that does not occur in 'events'.", fix="Correct the id, or delete the edge.")
SELF_LOOP = TraceRule("TG003", "An edge leads from an event to itself",
    why="An event cannot come before itself.", fix="Delete the edge.")
REPEATED_EDGE = TraceRule("TG004", "An edge is listed twice",
    why="Two edges have the same source, target and type, so counts of edges would be too high.",
    fix="Delete one of the two edges.")
BACKWARD_EDGE = TraceRule("TG005", "An edge goes back in time",
    why="The target of the edge starts before the source. The replay follows the times and ignores the edge.",
    fix="Correct the times or the direction of the edge. If clocks of machines differ, pass the difference as --skew.")
CYCLE = TraceRule("TG006", "Edges form a cycle",
    why="Every event happens once, so an event cannot be its own cause. Agents may answer each other any number of "
        "times, because every message is a new event.",
    fix="Delete or reverse the wrong edge.")
AGAINST_AGENT_ORDER = TraceRule("TG008", "An edge contradicts the order of an agent's own events",
    why="The agent's first event ends before the second event starts, but the edge leads from the second to the first.",
    fix="Correct 'seq', the times, or the direction of the edge.")
ENDS_BEFORE_START = TraceRule("TG009", "An event ends before it starts",
    why="'t_end' is less than 't'. The event is read as an instant at 't'.", fix="Correct the times.")
UNKNOWN_INPUT = TraceRule("TG010", "'inputs' names an unknown event",
    why="The id in 'inputs' does not occur in 'events', so the input is unknown.",
    fix="Correct the id, or delete it from 'inputs'.")
LATER_INPUT = TraceRule("TG011", "'inputs' names an event that is not earlier",
    why="An event can only use earlier events. In the replay, the input comes later, so the event reads nothing.",
    fix="Correct the id, the times or 'seq'. If clocks of machines differ, pass the difference as --skew.")

# TW: what is still open when the replay ends. Loose ends are warnings in both versions.
OPEN_CALL = TraceRule("TW101", "A call without a result", level=Level.WARNING, unrecorded="result",
    why="The call was still open when the trace ended.", fix="Record the result, or the timeout of the call.")
NEVER_RETURNED = TraceRule("TW102", "A spawned agent never returned", level=Level.WARNING, unrecorded="return",
    why="The agent's parent either still waits for the agent, or did not need its result.",
    fix="Record the agent's return, or a 'stop' event of the agent with the scope 'agent'.")
UNREAD_RETURN = TraceRule("TW103", "A return was never read", level=Level.WARNING, unrecorded="delivery",
    why="The agent's work was lost, or the trace does not record the event that read the return.",
    fix="Record the event that read the return. In v2, you can also list the return in the 'inputs' of this event.")
NO_STOP = TraceRule("TW104", "The run has no stop event", level=Level.WARNING, unrecorded="stop",
    why="The trace does not say whether the run found an answer, used up its budget or was cancelled.",
    fix="Add a 'stop' event with its reason (v2).")
NEVER_ACTED = TraceRule("TW105", "An agent never acted", level=Level.WARNING, unrecorded="work",
    why="The agent was spawned or declared, but has no events.", fix="Record the agent's events, or remove the agent.")
OPEN_TASK = TraceRule("TW106", "A task was never returned", level=Level.WARNING, unrecorded="return",
    why="The agent has not returned the task. A 'return' event closes the task of its 'task_ref'; without 'task_ref', "
        "it closes the latest open task that the receiver gave to the agent.",
    fix="Record a 'return' event with the task's 'task_ref', or a 'stop' event of the agent.")

# TP: reading the text. JSON Schema cannot check these.
REPEATED_KEY = TraceRule("TP001", "A key appears twice in one object", v1=Level.ERROR,
    why="JSON readers keep the first value, the last value or both, so two programs could read two different runs.",
    fix="Delete one of the two keys.")
NOT_A_NUMBER = TraceRule("TP002", "NaN, Infinity, or a number too large for a double", v1=Level.ERROR,
    why="JSON does not allow NaN and infinity, because they make sums and comparisons meaningless.",
    fix="Omit the field, or write the intended number.")
NOT_UTF8 = TraceRule("TP003", "The text is not UTF-8", v1=Level.ERROR,
    why="JSON files must be UTF-8. The byte or escape at this position is not part of a character.",
    fix="Save the file as UTF-8, or correct the program that cuts strings in the middle of a character.")
NOT_JSON = TraceRule("TP004", "The text is not JSON", v1=Level.ERROR,
    why="The text cannot be parsed. If the end of the text is missing, the program that wrote it was interrupted.",
    fix="Correct the text at the given line and column.")
UNREADABLE = TraceRule("TP005", "The input cannot be read", v1=Level.ERROR,
    why="The file could not be opened, or it is a compressed file that is damaged or incomplete.",
    fix="Check that the file is complete and that you have permission to read it.")

# TR: events that are illegal in the state that the replay has reached.
SPAWNED_WHILE_RUNNING = TraceRule("TR001", "An agent is spawned while it runs",
    why="Two agents would share one id, and their events could not be distinguished. The replay reads the spawn as "
        "another task for the running agent.",
    fix="Give the second agent its own id, such as 'worker#2', or record a 'delegate' event.")
UNKNOWN_AGENT = TraceRule("TR002", "An unknown agent acts",
    why="The agent is not spawned by an event and not listed in 'root_agents'. The replay treats it as a root.",
    fix="Record the spawn, or name the agent in 'root_agents' (v2). If it is a tool, person or environment, declare it "
        "in 'agents' with its 'kind'.")
ACTS_AFTER_END = TraceRule("TR003", "An agent acts after its end",
    why="An earlier event despawned or stopped the agent.",
    fix="Remove the 'despawn' or 'stop' event, correct the times, or spawn the agent again.")
RESULT_WITHOUT_CALL = TraceRule("TR004", "A result without a call",
    why="The result has the id of a call that is not open. In v1, the result's tool has no open call.",
    fix="Record the call, or correct 'call_id'.")
SECOND_RESULT = TraceRule("TR005", "A second result of one call",
    why="The call already has a result.", fix="Give every call its own id.")
RETURN_WITHOUT_TASK = TraceRule("TR006", "A return without a task",
    why="The agent has no open task to return.",
    fix="Record the 'spawn' or 'delegate' event that gave the task. If the agent is a root, record a 'stop' event "
        "instead of the return.")
WRONG_RETURN = TraceRule("TR007", "A return to the wrong agent",
    why="The receiver neither spawned the agent nor delegated anything to it.",
    fix="Correct 'to', or record the delegation.")
UNKNOWN_RECEIVER = TraceRule("TR008", "A message or task for an unknown or ended agent",
    why="The receiver is unknown or was despawned, or the receiver of a message was stopped. (A task restarts a "
        "stopped agent.)",
    fix="Correct 'to', or record the spawn.")
AFTER_STOP = TraceRule("TR009", "An event after the run was stopped",
    why="After a 'stop' event with the scope 'trace', only rewards, safety events, human interventions and despawns "
        "are legal.",
    fix="Correct the times, or set the scope of the 'stop' event to 'agent'.")
DESPAWNED_AT_WORK = TraceRule("TR010", "An agent is despawned before its work is done",
    why="The agent has open calls, or children that still run.",
    fix="Despawn the children and wait for the calls first, or record how they ended.")
NOTHING_TO_AGGREGATE = TraceRule("TR011", "An aggregation without input", unrecorded="delivery",
    why="The agent has not read any return, message or input since its last aggregation.",
    fix="Record the 'return' events that the agent aggregated, or list their ids in the 'inputs' of the aggregation.")
UNKNOWN_DELEGATE = TraceRule("TR012", "A task for an unknown agent",
    why="The receiver of the task was not spawned by an event. The replay reads the delegation as a spawn.",
    fix="Record the spawn, or name the agent in 'root_agents'.")
SPAWN_WITHOUT_NAME = TraceRule("TR013", "A spawn without an agent", level=Level.WARNING,
    why="The 'spawn' event has no field 'to', so the name of the spawned agent is unknown.", fix="Add 'to'.")
REPEATED_CALL_ID = TraceRule("TR014", "A call id is used again",
    why="Two calls share one id, so a result could belong to either call.", fix="Give every call its own id.")
WRONG_SENDER = TraceRule("TR015", "A message has two senders",
    why="'from' and 'agent' differ, so it is unclear who sent the message.",
    fix="Set 'from' and 'agent' to the sender. If a message was forwarded, this is the agent that forwarded it.")
ACTS_AFTER_RETURN = TraceRule("TR016", "An agent acts after its return", unrecorded="return",
    why="The agent returned or passed control on, and has no open task. It may act again after a new task (delegate or "
        "spawn). Results of its earlier calls may still arrive.",
    fix="Record the delegation that gave the agent more work, or correct the time of the return.")
WRONG_SIGNER = TraceRule("TR017", "A result is signed by an agent that did not make the call",
    why="The 'agent' of a result must be the caller, the tool, or a tool, person or environment that is declared in "
        "'agents'.",
    fix="Correct 'agent' or 'call_id', or declare the signer in 'agents' with its 'kind'.")

# TS: what the JSON Schema of a trace requires.
NOT_AN_OBJECT = TraceRule("TS001", "A trace is not an object", v1=Level.ERROR,
    why="Each file, or each line of JSON Lines, must be one JSON object.", fix="See 'awesome schema trace'.")
MISSING_FIELD = TraceRule("TS002", "A required field is missing", v1=Level.ERROR,
    why="A trace without the field cannot be replayed.", fix="Add the field.")
UNKNOWN_FIELD = TraceRule("TS003", "A field is not known here", v1=Level.ERROR,
    why="The top level and the edges accept only known fields, so that a misspelt field is noticed. Events accept any "
        "field.",
    fix="Correct the spelling, move the field into an event or into 'annotations', or in v2 start its name with 'x-'.")
WRONG_TYPE = TraceRule("TS004", "A value has the wrong type", v1=Level.ERROR,
    why="For example, a number is written as text, or a boolean as a number. Programs read these differently.",
    fix="Write a value of the type that 'awesome schema trace' requires.")
UNKNOWN_WORD = TraceRule("TS005", "A word is not in the vocabulary", v1=Level.ERROR,
    why="Event types, edge types, topologies, statuses and reasons are closed lists. Events of type 'delegate', "
        "'stop', 'llm_call' and 'reward' exist in v2 only.",
    fix='Use a listed word. To use the words of v2, add "schema_version": "2.0".')
BELOW_MINIMUM = TraceRule("TS006", "A number is below its minimum", v1=Level.ERROR,
    why="Times, counts, tokens and costs are at least 0.", fix="Correct the number.")
EMPTY = TraceRule("TS007", "A required text or list is empty", v1=Level.ERROR,
    why="Ids and names need at least one character. A trace needs at least one event.", fix="Add the missing content.")
WRONG_FORM = TraceRule("TS008", "A text has the wrong form", v1=Level.ERROR,
    why="Versions look like 2.0 and content hashes like sha256:0123abcd, so that programs can compare them.",
    fix="Correct the text.")
REPEATED_NAME = TraceRule("TS009", "A list contains the same name twice", v1=Level.ERROR,
    why="The lists of inputs and root agents are sets.", fix="Delete the repeated name.")
MISSING_FOR_TYPE = TraceRule("TS010", "An event lacks a field that its type requires", v1=Level.ERROR,
    why="A 'delegate' event needs the field 'to', a 'stop' event 'reason', and a 'reward' event 'reward'. The replay "
        "cannot guess these values.",
    fix="Add the field.")
MISSPELT = TraceRule("TS011", "The name of a member is probably misspelt", level=Level.WARNING,
    why="Objects of v2 accept unknown members. A misspelt name, such as 'token_in', is therefore accepted as a custom "
        "member, and metrics ignore its value.",
    fix="Correct the spelling. Start the names of custom members with 'x-'.")
UNNAMED = TraceRule("TS012", "A tool event does not name its call or tool", level=Level.NOTE, v1=Level.NOTE,
    why="A tool_result without 'call_id' is read as the result of the oldest open call of its tool, as in v1. If calls "
        "of a tool overlap, this can be the wrong call. Calls without 'tool' cannot be compared.",
    fix="Give the call and its result the same 'call_id', and the call its 'tool'.")
