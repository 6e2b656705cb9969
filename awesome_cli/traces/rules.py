"""The rules of traces: what is wrong with a trace, why, and how to correct it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from awesome_cli.reports.findings import Finding, Level

if TYPE_CHECKING:
    from awesome_cli.traces.model import Event, Trace, Version

RULES: dict[str, "TraceRule"] = {}
"""Every rule by its code. A rule registers itself, and a finding holds its rule, so no unregistered rule can report."""
EXAMPLES = (
    "Examples: the run {0} in traces/examples/one-rule-each.jsonl breaks the rule, the run {0} in "
    "one-rule-each-sound.jsonl does not."
)


@dataclass(frozen=True, slots=True)
class TraceRule:
    """A rule: `title` says what is wrong, `why` gives the reason, `fix` says how to correct it.

    `level` applies to traces of v2, `v1` to traces of v1, which is more lenient. A rule about an absent fact has the
    word of `UNRECORDED` for the fact.
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
        # No example can be a file that cannot be opened.
        return page if self.code == "TP005" else f"{page}\n{EXAMPLES.format(self.code)}\n"


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


class TraceFinding(NamedTuple):
    """A finding of a rule at a place in a trace.

    `pointer` is the JSON pointer of the place, `""` for the whole trace. The replay also names the event and the agent.
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
        """The published form of a finding of the replay."""
        event = self.event.id if self.event else None
        return {"code": self.code, "event": event, "agent": self.agent, "message": self.message}


def applicable(findings: Iterable[TraceFinding], trace: "Trace") -> Iterator[TraceFinding]:
    return (finding for finding in findings if finding.rule.holds_for(trace))


RuleMessage = tuple[TraceRule, str]
"""A rule and a message, where the caller knows the place."""
F = TypeVar("F", Finding, TraceFinding)
MOST = 100_000
"""The most findings of one trace that are listed."""
VARIABLE = re.compile(r"""'[^']*'|"[^"]*"|[\d.]*\d""")
"""The parts of a message that name something of one trace: quoted names, and numbers."""


def listed(findings: Iterable[TraceFinding]) -> Iterator[TraceFinding]:
    """Truncate findings: replace the finding after the limit by a note, and drop the rest."""
    for number, each in enumerate(findings):
        if number == MOST:
            yield TraceFinding(each.rule, f"the first {MOST:,} findings are listed, and there are more")
            return
        yield each


def collapse(findings: Iterable[F]) -> list[tuple[F, int]]:
    """Reduce the findings of one trace to the first of each kind, with the number of findings of that kind.

    Findings are of one kind if they have the same rule, and messages that differ only in names and numbers.
    """
    kinds: dict[tuple[str, str], list[F]] = {}
    for each in findings:
        kinds.setdefault((each.code, VARIABLE.sub("…", each.message)), []).append(each)
    return [(same[0], len(same)) for same in kinds.values()]


def manual() -> Mapping[str, str]:
    """The manual page of every rule by its code."""
    return {code: rule.manual() for code, rule in RULES.items()}


# fmt: off

# TC: totals and metrics that the trace declares, compared with its events.
NEGATIVE_COST = TraceRule("TC001", "A cost is negative", v1=Level.ERROR,
    why="The schema of v1 checks the sign of the costs that it knows; other costs can be negative there.",
    fix="Correct the cost.")
WRONG_COUNT = TraceRule("TC002", "A declared count is not the number of events",
    why="'costs.tool_calls' or 'costs.messages' differs from the number of tool_call or message events in the trace.",
    fix="Correct the cost, or record the missing events.")
WALL_CLOCK_TOO_SHORT = TraceRule("TC003", "The wall clock is shorter than the events",
    why="'costs.wall_clock_s' is less than the time from the first event to the last. If the trace has no time unit, "
        "its times are read as seconds. Steps are not compared.",
    fix="Correct the cost, or add the 'time_unit' (v2).")
WRONG_METRIC = TraceRule("TC004", "A declared metric differs from the recomputed one", level=Level.WARNING,
    why="'awesome trace metrics' computes a metric of this name from the events, and the result is another value. The "
        "producer can mean another formula by the same name.",
    fix="Correct the metric, delete it, or declare it under another name.")
PART_ABOVE_WHOLE = TraceRule("TC005", "A part of the tokens is more than the whole",
    why="'tokens_cached' and 'tokens_cache_write' are parts of 'tokens_in', 'tokens_reasoning' is part of "
        "'tokens_out'. Some programs count them apart; then they must be added.",
    fix="Write the whole prompt as 'tokens_in' and the whole answer as 'tokens_out'.")
WRONG_TOTAL = TraceRule("TC006", "A declared total is not the sum of the events", unrecorded="usage",
    why="'costs.tokens' or 'costs.cost_usd' differs from the sum over the events by more than 0.5 %. A total above the "
        "sum is accepted where an llm_call has no usage, or has a lower bound ('tokens_partial').",
    fix="Correct the total, or record the usage of the missing events.")

# TG: the graph of events and declared edges.
REPEATED_ID = TraceRule("TG001", "Two events have the same id", v1=Level.ERROR,
    why="It is unclear which of the two an edge refers to.", fix="Give every event its own id.")
UNKNOWN_EVENT = TraceRule("TG002", "An edge refers to an unknown event", v1=Level.ERROR,
    why="No event has the id at one end of the edge.", fix="Correct the id, or delete the edge.")
SELF_LOOP = TraceRule("TG003", "An edge leads from an event to itself",
    why="No event can come before itself.", fix="Delete the edge.")
REPEATED_EDGE = TraceRule("TG004", "An edge is listed twice",
    why="Source, target and type are the same. Every count of edges would be too high.", fix="Delete one edge.")
BACKWARD_EDGE = TraceRule("TG005", "An edge goes back in time",
    why="The target starts before the source does. If clocks of machines differ, pass the difference as --skew.",
    fix="Correct the times or the direction of the edge. The replay follows the times.")
CYCLE = TraceRule("TG006", "Edges form a cycle",
    why="Every event happens once, so no event can be among its own causes. Agents may answer each other any number of "
        "times, because every message is an event of its own.",
    fix="Delete or reverse the edge that is wrong.")
AGAINST_AGENT_ORDER = TraceRule("TG008", "An edge contradicts the order of an agent's own events",
    why="If one event of an agent ends before another starts, it came first. The edge says the opposite.",
    fix="Correct 'seq', the times, or the direction of the edge.")
ENDS_BEFORE_START = TraceRule("TG009", "An event ends before it starts",
    why="'t_end' is less than 't'. The event is read as an instant at 't'.", fix="Correct the times.")
UNKNOWN_INPUT = TraceRule("TG010", "'inputs' names an unknown event",
    why="No event has this id, so it is unknown what was read.", fix="Correct the id, or delete it from 'inputs'.")
LATER_INPUT = TraceRule("TG011", "'inputs' names an event that is not earlier",
    why="An event can only use what was there before it. The replay reaches the input later, so nothing is read.",
    fix="Correct the id, the times or 'seq'. If clocks of machines differ, pass the difference as --skew.")

# TW: what is still open when the replay ends. Loose ends are warnings in both versions.
OPEN_CALL = TraceRule("TW101", "A call without a result", level=Level.WARNING, unrecorded="result",
    why="It was still open when the trace ended.", fix="Record the result, or its timeout.")
NEVER_RETURNED = TraceRule("TW102", "A spawned agent never returned", level=Level.WARNING, unrecorded="return",
    why="Either its parent still waits for it, or its parent did not need it.",
    fix="Record the agent's return, or a stop event with scope 'agent'.")
UNREAD_RETURN = TraceRule("TW103", "A return was never read", level=Level.WARNING, unrecorded="delivery",
    why="The work was lost, or the event that read it is not recorded.",
    fix="Record the event that read it, or (v2) list the return in the 'inputs' of that event.")
NO_STOP = TraceRule("TW104", "The run has no stop event", level=Level.WARNING, unrecorded="stop",
    why="It is unknown whether the run found an answer, used up its budget or was cancelled.",
    fix="Add a stop event with its reason (v2).")
NEVER_ACTED = TraceRule("TW105", "An agent never acted", level=Level.WARNING, unrecorded="work",
    why="The agent was spawned or declared, but has no events.", fix="Record its events, or remove the agent.")
OPEN_TASK = TraceRule("TW106", "A task was never returned", level=Level.WARNING, unrecorded="return",
    why="No return closed it. A return closes the task of its 'task_ref'; without one, the latest open task that its "
        "receiver gave.",
    fix="Record the return, with the 'task_ref' of the task, or the stop of the agent.")

# TP: reading the text. JSON Schema cannot check these.
REPEATED_KEY = TraceRule("TP001", "A key appears twice in one object", v1=Level.ERROR,
    why="Some JSON readers keep the first value, some the last, some both. Two programs would read two different runs.",
    fix="Delete one edge.")
NOT_A_NUMBER = TraceRule("TP002", "NaN, Infinity, or a number too large for a double", v1=Level.ERROR,
    why="JSON does not allow NaN and infinity, which make sums and comparisons meaningless.",
    fix="Leave the field out, or write the intended number.")
NOT_UTF8 = TraceRule("TP003", "The text is not UTF-8", v1=Level.ERROR,
    why="JSON is exchanged in UTF-8. A byte or an escape here is not part of any character.",
    fix="Save the file as UTF-8, or correct the program that cut a string in the middle of a character.")
NOT_JSON = TraceRule("TP004", "The text is not JSON", v1=Level.ERROR,
    why="A text that cannot be parsed cannot be checked. If its end is missing, the writer was often interrupted.",
    fix="Correct the text at the given line and column.")
UNREADABLE = TraceRule("TP005", "The input cannot be read", v1=Level.ERROR,
    why="The file could not be opened, or it is a compressed file that is damaged or ends too early.",
    fix="Check that the file is complete and that you have permission to read it.")

# TR: events that are illegal in the state that the replay has reached.
SPAWNED_WHILE_RUNNING = TraceRule("TR001", "An agent is spawned while it runs",
    why="Two agents would share one id, and their events could not be told apart. The replay reads the spawn as one "
        "more task for the running agent.",
    fix="Give the second agent its own id ('worker#2'), or use delegate.")
UNKNOWN_AGENT = TraceRule("TR002", "An unknown agent acts",
    why="No event spawned it and 'root_agents' does not name it. The replay reads it as another root.",
    fix="Add the spawn, or name the agent in 'root_agents' (v2). Declare tools, people and environments in 'agents', "
        "with their 'kind'.")
ACTS_AFTER_END = TraceRule("TR003", "An agent acts after its end",
    why="It was despawned or stopped before.",
    fix="Remove the despawn or stop, correct the times, or spawn the agent again.")
RESULT_WITHOUT_CALL = TraceRule("TR004", "A result without a call",
    why="No open call has this id. (In v1: no call of this tool is open.)",
    fix="Record the call, or correct 'call_id'.")
SECOND_RESULT = TraceRule("TR005", "A second result of one call",
    why="The call already has a result.", fix="Give every call its own id.")
RETURN_WITHOUT_TASK = TraceRule("TR006", "A return without a task",
    why="The agent has no open task to return.",
    fix="Record the spawn or delegate that gave it the task. A root agent ends a run with stop, not with return.")
WRONG_RETURN = TraceRule("TR007", "A return to the wrong agent",
    why="The receiver neither spawned the agent nor delegated anything to it.",
    fix="Correct 'to', or record the delegation.")
UNKNOWN_RECEIVER = TraceRule("TR008", "A message or task for an agent that is not there",
    why="The receiver is unknown or was despawned, or was stopped before a message. A task starts a stopped agent "
        "again.",
    fix="Correct 'to', or record the spawn.")
AFTER_STOP = TraceRule("TR009", "An event after the run was stopped",
    why="After a stop of scope 'trace' only rewards, safety events, human interventions and despawns are legal. A "
        "second stop is illegal too.",
    fix="Correct the times, or give the stop the scope 'agent'.")
DESPAWNED_AT_WORK = TraceRule("TR010", "An agent is despawned before its work is done",
    why="It has open calls, or children that still run.",
    fix="Despawn the children and wait for the calls first, or record how they ended.")
NOTHING_TO_AGGREGATE = TraceRule("TR011", "An aggregation without input", unrecorded="delivery",
    why="The agent has read no return, message or listed input since its last aggregation.",
    fix="Record the returns that the aggregation used, or list them in its 'inputs'.")
UNKNOWN_DELEGATE = TraceRule("TR012", "A task for an unknown agent",
    why="No event spawned the agent that receives the task. The replay reads the delegation as its spawn.",
    fix="Record the spawn, or name the agent in 'root_agents'.")
SPAWN_WITHOUT_NAME = TraceRule("TR013", "A spawn without an agent", level=Level.WARNING,
    why="A spawn can lack 'to', as in v1, but then it is unknown which agent was spawned.", fix="Add 'to'.")
REPEATED_CALL_ID = TraceRule("TR014", "A call id is used again",
    why="Two calls share one id, so a result could belong to either of them.", fix="Give every call its own id.")
WRONG_SENDER = TraceRule("TR015", "A message has two senders",
    why="'from' and 'agent' differ, so it is unclear who sent the message.",
    fix="Make them equal. Record a forwarded message as a message of the agent that forwards it.")
ACTS_AFTER_RETURN = TraceRule("TR016", "An agent acts after its return", unrecorded="return",
    why="It returned, or passed control on, and has no open task. A new task (delegate or spawn) lets it act again. "
        "Results of its earlier calls may still arrive.",
    fix="Record the delegation that gave it more work, or correct the time of the return.")
WRONG_SIGNER = TraceRule("TR017", "A result is signed by another agent than the caller",
    why="A result reaches the agent that called. It is signed by that agent, by the tool, or by a tool, person or "
        "environment that 'agents' declares.",
    fix="Correct 'agent' or 'call_id', or declare the signer in 'agents' with its 'kind'.")

# TS: what the JSON Schema of a trace requires.
NOT_AN_OBJECT = TraceRule("TS001", "A trace is not an object", v1=Level.ERROR,
    why="A trace is one JSON object per file or line.", fix="See 'awesome schema trace'.")
MISSING_FIELD = TraceRule("TS002", "A required field is missing", v1=Level.ERROR,
    why="A trace without the field cannot be replayed.", fix="Add the field.")
UNKNOWN_FIELD = TraceRule("TS003", "A field is not known here", v1=Level.ERROR,
    why="The top level and the edges accept known fields only, so that a misspelt field is not lost silently. Events "
        "accept any field.",
    fix="Correct the spelling, move the field into an event or into 'annotations', or in v2 start its name with 'x-'.")
WRONG_TYPE = TraceRule("TS004", "A value has the wrong type", v1=Level.ERROR,
    why="For example a number written as text or a boolean written as a number: programs read such values differently.",
    fix="Write the type that 'awesome schema trace' asks for.")
UNKNOWN_WORD = TraceRule("TS005", "A word is not in the vocabulary", v1=Level.ERROR,
    why="Event types, edge types, topologies, statuses and reasons are closed lists. Events of type 'delegate', "
        "'stop', 'llm_call' and 'reward' exist in v2 only.",
    fix='Use a word of the list. To use the words of v2, add "schema_version": "2.0".')
BELOW_MINIMUM = TraceRule("TS006", "A number is below its minimum", v1=Level.ERROR,
    why="Times, counts, tokens and costs are at least 0.", fix="Correct the number.")
EMPTY = TraceRule("TS007", "A required text or list is empty", v1=Level.ERROR,
    why="Ids and names need at least one character. A trace needs at least one event.", fix="Fill it in.")
WRONG_FORM = TraceRule("TS008", "A text has the wrong form", v1=Level.ERROR,
    why="Versions look like 2.0 and content hashes like sha256:0123abcd, so that programs can compare them.",
    fix="Correct the text.")
REPEATED_NAME = TraceRule("TS009", "A list contains the same name twice", v1=Level.ERROR,
    why="Inputs and root agents are sets.", fix="Delete one edge.")
MISSING_FOR_TYPE = TraceRule("TS010", "An event lacks a field that its type requires", v1=Level.ERROR,
    why="A delegate needs 'to', a stop 'reason', and a reward 'reward'. Without the field, the replay could only "
        "guess. The types of v1 need no more than in v1.",
    fix="Add the field.")
MISSPELT = TraceRule("TS011", "A member has nearly the name of a known one", level=Level.WARNING,
    why="Objects of v2 accept unknown members. A misspelt name ('token_in') is therefore accepted as a custom member, "
        "and no metric counts its value.",
    fix="Correct the spelling. Start the names of custom members with 'x-'.")
UNNAMED = TraceRule("TS012", "A tool event says less than v2 can say", level=Level.NOTE, v1=Level.NOTE,
    why="A tool_result without 'call_id' is read as the result of the oldest open call of its tool, as in v1. That can "
        "be the wrong one if calls of a tool overlap. Calls without 'tool' cannot be compared.",
    fix="Give the call and its result the same 'call_id', and the call its 'tool'.")
