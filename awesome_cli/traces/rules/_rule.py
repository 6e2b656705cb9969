"""What a rule of traces is, and what it finds."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from awesome_cli.reports.findings import Level

if TYPE_CHECKING:
    from awesome_cli.traces.model import Event, Trace, Version

RULES: dict[str, "TraceRule"] = {}
"""Every rule by its code. `rule` fills it, and a finding holds its rule, so no unregistered rule can report."""


@dataclass(frozen=True, slots=True)
class TraceRule:
    """A rule: `title` says what is wrong, `why` gives the reason, `fix` says how to correct it.

    A rule about something absent names the word of `UNRECORDED` for it.
    """

    code: str
    title: str
    why: str
    fix: str
    levels: Mapping["Version", Level]
    unrecorded: str | None = None

    def holds_for(self, trace: "Trace") -> bool:
        """Whether the rule is asked of a trace: not where the trace's format cannot record what the rule misses."""
        return self.unrecorded is None or self.unrecorded not in trace.unrecorded

    def manual(self) -> str:
        """The manual page: the title on the first line, then the reason, the level, the correction and examples."""
        one, two = self.levels[1], self.levels[2]
        level = f"{one} in v1, {two} in v2" if one is not two else one.value
        silent = f" Silent where 'provenance.unrecorded' lists '{self.unrecorded}'." if self.unrecorded else ""
        page = f"{self.title}\n\n{self.why}\n\nLevel: {level}.{silent}\nFix: {self.fix}\n"
        # No example can be a file that cannot be opened.
        return page if self.code == "TP005" else f"{page}\n{EXAMPLES.format(self.code)}\n"


EXAMPLES = (
    "Examples: the run {0} in traces/examples/one-rule-each.jsonl breaks the rule, the run {0} in "
    "one-rule-each-sound.jsonl does not."
)


def rule(
    code: str, level: Level, title: str, *, why: str, fix: str, v1: Level = Level.WARNING, unrecorded: str | None = None
) -> TraceRule:
    """Register a rule. `level` counts for version 2, `v1` for version 1, which is read leniently."""
    if code in RULES:
        raise ValueError(f"two rules have the code {code}")
    RULES[code] = TraceRule(code, title, why, fix, {1: v1, 2: level}, unrecorded)
    return RULES[code]


class TraceFinding(NamedTuple):
    """What a rule found at a place in a trace.

    `pointer` is the JSON pointer of the place, `""` for the whole trace. The replay also names the event and the agent.
    """

    rule: TraceRule
    message: str
    pointer: str = ""
    event: "Event | None" = None
    agent: str | None = None

    @classmethod
    def at(cls, rule: TraceRule, event: "Event", message: str, agent: str | None = None) -> "TraceFinding":
        """A finding at an event."""
        return cls(rule, message, event.pointer, event, agent)

    @property
    def code(self) -> str:
        """The code of the rule."""
        return self.rule.code

    def to_json(self) -> dict[str, str | None]:
        """The published form of a finding of the replay."""
        event = self.event.id if self.event else None
        return {"code": self.code, "event": event, "agent": self.agent, "message": self.message}


MOST = 100_000
"""So many findings of one trace are listed."""


def listed(found: Iterable[TraceFinding]) -> Iterator[TraceFinding]:
    """The first findings; in the place of the next one, of its rule, that no more are listed."""
    for number, each in enumerate(found):
        if number == MOST:
            yield TraceFinding(each.rule, f"the first {MOST:,} findings are listed, and there are more")
            return
        yield each


VARIABLE = re.compile(r"""'[^']*'|"[^"]*"|[\d.]*\d""")
"""The parts of a message that name something of one trace: quoted names, and numbers."""


class WordedFinding(Protocol):
    """A finding as far as it is compared with others: a `Finding` or a `TraceFinding`."""

    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...


F = TypeVar("F", bound=WordedFinding)


def collapse(found: Iterable[F]) -> list[tuple[F, int]]:
    """The findings of one trace, each kind once: the first of it, and how many there are.

    Findings are of one kind if their rule is the same, and their message but for names and numbers.
    """
    first: dict[tuple[str, str], F] = {}
    number: dict[tuple[str, str], int] = {}
    for each in found:
        kind = each.code, VARIABLE.sub("…", each.message)
        first.setdefault(kind, each)
        number[kind] = number.get(kind, 0) + 1
    return [(each, number[kind]) for kind, each in first.items()]


RuleMessage = tuple[TraceRule, str]
"""A rule and what it found, where the caller knows the place."""


def manual() -> Mapping[str, str]:
    """The manual page of every rule by its code."""
    return {code: rule.manual() for code, rule in RULES.items()}
