"""People who screened the same candidates: how far two agree, and what they decided differently."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.analysis.audit import report as audit_report
from awesome_cli.analysis.audit.agreement import Agreement, CodedColumn, Subset
from awesome_cli.errors import UsageError
from awesome_cli.model.screenings import OUT, Decision, Screenings
from awesome_cli.reports.report import Block, Bullets, Code, Report, Section, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted

Sided = tuple[tuple[str, Decision], ...]
"""`(who, decision)` of each who decided on a candidate."""


def value(decision: Decision) -> str:
    """A decision in the comparison: a near-miss is an exclusion."""
    return "exclude" if decision.verdict in OUT else decision.verdict


def effect(decision: Decision) -> tuple[object, ...]:
    """Return the effect of a decision on the records; the stage of an inclusion does not count."""
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
    """A candidate on which people decided differently; `settled` is what was decided then, if it was."""

    key: str
    decisions: Sided
    settled: Decision | None = None

    @property
    def told(self) -> Sequence[str]:
        """Each person's decision in words."""
        return tuple(f"{who}: {words(decision)}" for who, decision in self.decisions)


@dataclass(frozen=True)
class ComparedScreenings:
    """The decisions of some people, and of those `after` them who settled what was in conflict.

    `gone` says of a key that it is no candidate any more: there is nothing to settle.
    """

    people: tuple[Screenings, ...]
    after: tuple[Screenings, ...] = ()
    gone: Callable[[str], bool] = lambda _: False

    @cached_property
    def _settled(self) -> Mapping[str, Decision]:
        return {key: decision for one in self.after for key, decision in one.final.items()}

    @cached_property
    def shared(self) -> Mapping[str, Sided]:
        """The decisions on each key on which two or more decided."""
        found: dict[str, list[tuple[str, Decision]]] = {}
        for person in self.people:
            for key, decision in person.final.items():
                found.setdefault(key, []).append((person.who, decision))
        return {key: tuple(found[key]) for key in sorted(found) if len(found[key]) > 1}

    @cached_property
    def conflicts(self) -> tuple[ScreeningConflict, ...]:
        """The shared keys with different decisions, stages, reasons, near-misses or records of a duplicate."""
        differ = ((key, each) for key, each in self.shared.items() if not _alike(each))
        return tuple(ScreeningConflict(key, each, self._settled.get(key)) for key, each in differ)

    @cached_property
    def open(self) -> tuple[ScreeningConflict, ...]:
        """The conflicts that nobody settled, on what is a candidate still."""
        return tuple(one for one in self.conflicts if one.settled is None and not self.gone(one.key))

    @cached_property
    def agreed(self) -> tuple[Decision, ...]:
        """The first of two or more equal decisions on each key, unless somebody carried it out."""
        alike = {key: each for key, each in self.shared.items() if _alike(each) and key not in self._settled}
        return tuple(each[0][1] for each in alike.values())

    def columns(self) -> tuple[CodedColumn, ...]:
        """Of two people the decision of all that both decided on, and stage and reason of what both screened out."""
        first, second = self.people
        both = [(key, a, b) for key, ((_, a), (_, b)) in self.shared.items()]
        out = [one for one in both if value(one[1]) == value(one[2]) == "exclude"]
        missing = tuple(sorted(first.final.keys() ^ second.final.keys()))
        found = [CodedColumn("decision", tuple((key, value(a), value(b)) for key, a, b in both), missing)]
        more = {name: [(key, getattr(a, name), getattr(b, name)) for key, a, b in out] for name in ("stage", "reason")}
        return (*found, *(CodedColumn(name, tuple(pairs)) for name, pairs in more.items()))


def _alike(each: Sided) -> bool:
    return len({effect(decision) for _, decision in each}) == 1


def blind_ones(corpus: Corpus) -> ComparedScreenings:
    """The decisions of all who screened blind, however many; every other person settles."""
    blind = tuple(one for one in corpus.screenings if one.blind)
    return _compared(corpus, blind)


def require_blind(corpus: Corpus) -> ComparedScreenings:
    """`blind_ones`; raises `UsageError` where fewer than two people screened blind."""
    found = blind_ones(corpus)
    if len(found.people) < 2:
        who = f"so far only {found.people[0].who} did" if found.people else "nobody did so far"
        raise UsageError(f"two people must have screened blind; {who}", hint="awesome screen --blind --who NAME")
    return found


def compared(corpus: Corpus, a: str | None = None, b: str | None = None) -> ComparedScreenings:
    """The decisions of two people by their names, without names of the only two who screened blind.

    Raises `UsageError` where it is not clear who they are.
    """
    names = {name: one for one in corpus.screenings for name in (one.key, one.who)}
    if a is None or b is None:
        blind = [one.key for one in require_blind(corpus).people]
        if len(blind) != 2 or a is not None:
            message = f"two people who screened are to be compared; these screened blind: {', '.join(blind)}"
            raise UsageError(message, hint=f"name two: awesome audit screening {blind[0]} {blind[1]}")
        a, b = blind
    first, second = (names[require_known(name, names, "person who screened")] for name in (a, b))
    if first.key == second.key:
        raise UsageError(f"{first.path} cannot be compared with itself", hint="name two people")
    return _compared(corpus, (first, second))


def _compared(corpus: Corpus, people: tuple[Screenings, ...]) -> ComparedScreenings:
    after = tuple(
        one for one in corpus.screenings if not one.blind and one.key not in {person.key for person in people}
    )
    candidates = {candidate.key for candidate in corpus.candidates}
    return ComparedScreenings(people, after, lambda key: key not in candidates)


def report(found: ComparedScreenings, *, seed: int = 0) -> Report:
    """Agreement with 95 % intervals, and the conflicts."""
    first, second = found.people
    measured = tuple(Agreement.of(column, seed, coefficients=True) for column in found.columns())
    both, seen = len(found.shared), not (first.blind and second.blind)
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
            f"{one.key}: {'; '.join(one.told)}" + (f"; settled: {words(one.settled)}" if one.settled else "")
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
    sides = dict(zip(("first", "second", "settled"), (*(each for _, each in one.decisions), one.settled), strict=True))
    return {
        "key": one.key,
        **{side: d.model_dump(mode="json", exclude_defaults=True) if d else None for side, d in sides.items()},
    }
