"""Two people who screened the same candidates: how far they agree, and what they decided differently."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.analysis.audit import audit_report
from awesome_cli.analysis.audit.agreement import CodedColumn
from awesome_cli.analysis.audit.subsets import Agreement, Subset
from awesome_cli.errors import UsageError
from awesome_cli.model.screenings import OUT, Decision, Screenings
from awesome_cli.reports.report import Block, Bullets, Code, Report, Section, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted


def value(decision: Decision) -> str:
    """A decision in the comparison: a near-miss is an exclusion."""
    return "exclude" if decision.verdict in OUT else decision.verdict


def effect(decision: Decision) -> tuple[object, ...]:
    """What a decision would do to the records; the stage that an included one passed is that of the sitting."""
    if decision.verdict == "include":
        return ("include",)
    return (value(decision), decision.stage, decision.reason, frozenset(decision.near_miss), decision.of)


def words(decision: Decision) -> str:
    """A decision as people read it."""
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason, *decision.near_miss)))
    note = f": {decision.note}" if decision.note else ""
    return decision.verdict.replace("_", "-") + (f" ({why})" if why else "") + note


@dataclass(frozen=True, slots=True)
class ScreeningConflict:
    """A candidate on which two people decided differently; `settled` is what was decided then, if it was."""

    key: str
    first: Decision
    second: Decision
    settled: Decision | None = None


@dataclass(frozen=True)
class ComparedScreenings:
    """The decisions of two people, and of those `after` them who settled what was in conflict."""

    first: Screenings
    second: Screenings
    after: tuple[Screenings, ...] = ()

    @cached_property
    def _settled(self) -> Mapping[str, Decision]:
        return {key: decision for one in self.after for key, decision in one.final.items()}

    @cached_property
    def both(self) -> tuple[tuple[str, Decision, Decision], ...]:
        """`(key, first, second)` of what both decided, by key."""
        a, b = self.first.final, self.second.final
        return tuple((key, a[key], b[key]) for key in sorted(a.keys() & b.keys()))

    @cached_property
    def conflicts(self) -> tuple[ScreeningConflict, ...]:
        """What they decided differently, in the decision, stage, reason, near-misses, or the record of a duplicate."""
        differ = (one for one in self.both if effect(one[1]) != effect(one[2]))
        return tuple(ScreeningConflict(*one, self._settled.get(one[0])) for one in differ)

    @cached_property
    def open(self) -> tuple[ScreeningConflict, ...]:
        """The conflicts that nobody settled."""
        return tuple(one for one in self.conflicts if one.settled is None)

    @cached_property
    def agreed(self) -> tuple[Decision, ...]:
        """What both decided alike and nobody carried out; the words are those of the first."""
        return tuple(a for key, a, b in self.both if effect(a) == effect(b) and key not in self._settled)

    @cached_property
    def told(self) -> Mapping[str, Sequence[str]]:
        """What each decided on a candidate in conflict, in words."""
        return {
            one.key: (f"{self.first.who}: {words(one.first)}", f"{self.second.who}: {words(one.second)}")
            for one in self.conflicts
        }

    def columns(self) -> tuple[CodedColumn, ...]:
        """The decision of all that both decided on, and stage and reason of those that both screened out."""
        out = [one for one in self.both if value(one[1]) == value(one[2]) == "exclude"]
        missing = tuple(sorted(self.first.final.keys() ^ self.second.final.keys()))
        found = [CodedColumn("decision", tuple((key, value(a), value(b)) for key, a, b in self.both), missing)]
        more = {name: [(key, getattr(a, name), getattr(b, name)) for key, a, b in out] for name in ("stage", "reason")}
        return (*found, *(CodedColumn(name, tuple(pairs)) for name, pairs in more.items()))


def compared(corpus: Corpus, a: str | None = None, b: str | None = None) -> ComparedScreenings:
    """The decisions of two people by their names, without names of the only two who screened blind.

    Raises `UsageError` where it is not clear who they are.
    """
    known = {one.key: one for one in corpus.screenings}
    names = {name: one for one in corpus.screenings for name in (one.key, one.who)}
    blind = [one.key for one in corpus.screenings if one.blind]
    if a is None or b is None:
        if len(blind) != 2 or a is not None:
            who = f"these screened blind: {', '.join(blind)}" if blind else "nobody screened blind yet"
            hint = "awesome audit screening A B" if len(known) > 1 else "awesome screen --blind --who NAME"
            raise UsageError(f"two people who screened are to be compared; {who}", hint=hint)
        a, b = blind
    first, second = (names[require_known(name, names, "person who screened")] for name in (a, b))
    if first.key == second.key:
        raise UsageError(f"{first.path} cannot be compared with itself", hint="name two people")
    after = tuple(one for one in corpus.screenings if not one.blind and one.key not in {first.key, second.key})
    return ComparedScreenings(first, second, after)


def report(found: ComparedScreenings, *, seed: int = 0) -> Report:
    """Agreement with 95 % intervals, and the conflicts."""
    first, second = found.first, found.second
    measured = tuple(Agreement.of(column, seed, coefficients=True) for column in found.columns())
    both, seen = len(found.both), not (first.blind and second.blind)
    subset = Subset("candidates that both decided on", both, (), coefficients=True, found=measured)
    alone = [len(one.final) - both for one in (first, second)]
    head = f"{first.who} and {second.who} both decided on {counted(both, 'candidate')};"
    blocks: list[Block] = [Text(f"{head} {first.who} alone on {alone[0]}, {second.who} alone on {alone[1]}.")]
    if seen:
        blocks.append(Text("Not both screened blind: the coefficients do not measure independent agreement.", "warn"))
    blocks += [audit_report.table(subset), Text("stage and reason: of the candidates that both screened out")]
    sections = [Section(None, tuple(blocks)), *_conflicts(found)]
    data = {
        "first": first.who,
        "second": second.who,
        "blind": not seen,
        "seed": seed,
        "both": both,
        "alone": {first.who: alone[0], second.who: alone[1]},
        **subset.to_json(),
        "agreed": [one.key for one in found.agreed],
        "conflicts": [_to_json(one) for one in found.conflicts],
    }
    return Report("awesome/screening/1", data, tuple(sections), "Agreement of two people who screened")


def _conflicts(found: ComparedScreenings) -> Sequence[Section]:
    settled = len(found.conflicts) - len(found.open)
    sections = []
    if found.conflicts:
        lines = [
            f"{one.key}: {'; '.join(found.told[one.key])}" + (f"; settled: {words(one.settled)}" if one.settled else "")
            for one in found.conflicts
        ]
        title = f"Conflicts ({len(lines)}" + (f", {settled} settled)" if settled else ")")
        sections.append(Section(title, (Bullets(tuple(lines)),)))
    commands = ["awesome screen --apply"] if found.agreed else []
    commands += ["awesome screen --conflicts"] if found.open else []
    if commands:
        what = Text("Carry out what both decided alike, and settle what is in conflict:")
        sections.append(Section("Next", (what, Code("\n".join(commands), "sh"))))
    return sections


def _to_json(one: ScreeningConflict) -> Mapping[str, object]:
    sides = {"first": one.first, "second": one.second, "settled": one.settled}
    return {
        "key": one.key,
        **{side: d.model_dump(mode="json", exclude_defaults=True) if d else None for side, d in sides.items()},
    }
