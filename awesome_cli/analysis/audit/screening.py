"""Comparison of people who screened the same candidates: agreement and conflicts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.analysis.audit import report as audit_report
from awesome_cli.analysis.audit.agreement import Agreement, CodedColumn, Subset
from awesome_cli.errors import UsageError
from awesome_cli.model.screenings import OUT, Decision, Screenings
from awesome_cli.reports.report import Block, Bullets, Code, Report, Section, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted

Sided = tuple[tuple[str, Decision], ...]
"""`(who, decision)` of each person who decided on a candidate."""


def value(decision: Decision) -> str:
    """Return the verdict for comparison; a near-miss counts as `exclude`."""
    return "exclude" if decision.verdict in OUT else decision.verdict


def effect(decision: Decision) -> tuple[object, ...]:
    """Return the parts of a decision that change records; the stage of an inclusion does not count."""
    if decision.verdict == "include":
        return ("include",)
    return (value(decision), decision.stage, decision.reason, frozenset(decision.near_miss), decision.of)


def words(decision: Decision) -> str:
    """Describe a decision: `exclude (title, off_topic): a note`."""
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason, *decision.near_miss)))
    note = f": {decision.note}" if decision.note else ""
    return decision.verdict.replace("_", "-") + (f" ({why})" if why else "") + note


@dataclass(frozen=True, slots=True)
class ScreeningConflict:
    """A candidate with different decisions; `settled` is the later decision that resolved the conflict, if any."""

    key: str
    decisions: Sided
    settled: Decision | None = None

    @property
    def lines(self) -> Sequence[str]:
        """Each person's decision as text."""
        return tuple(f"{who}: {words(decision)}" for who, decision in self.decisions)


@dataclass(frozen=True)
class ComparedScreenings:
    """The decisions of several people, and of those `after` them who settled their conflicts.

    `gone` returns True for a key that is not a candidate any more.
    """

    people: tuple[Screenings, ...]
    after: tuple[Screenings, ...] = ()
    gone: Callable[[str], bool] = lambda _: False

    @cached_property
    def _settled(self) -> Mapping[str, Decision]:
        return {key: decision for person in self.after for key, decision in person.final.items()}

    @cached_property
    def shared(self) -> Mapping[str, Sided]:
        """Decisions by key, for keys with two or more decisions."""
        pairs = ((key, (person.who, made)) for person in self.people for key, made in person.final.items())
        decisions = group_pairs(pairs)
        return {key: tuple(decisions[key]) for key in sorted(decisions) if len(decisions[key]) > 1}

    @cached_property
    def conflicts(self) -> tuple[ScreeningConflict, ...]:
        """Shared keys with different decisions: verdict, stage, reason, near-miss or duplicate."""
        differ = ((key, each) for key, each in self.shared.items() if not _alike(each))
        return tuple(ScreeningConflict(key, each, self._settled.get(key)) for key, each in differ)

    @cached_property
    def open(self) -> tuple[ScreeningConflict, ...]:
        """Conflicts on present candidates that nobody settled."""
        return tuple(c for c in self.conflicts if c.settled is None and not self.gone(c.key))

    @cached_property
    def agreed(self) -> tuple[Decision, ...]:
        """The agreed decision on each key, unless it was settled already."""
        alike = {key: each for key, each in self.shared.items() if _alike(each) and key not in self._settled}
        return tuple(each[0][1] for each in alike.values())

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """Shared keys with a decision that was not blind, or is not known to be."""
        return tuple(key for key, each in self.shared.items() if not all(decision.blind for _, decision in each))

    def columns(self, without: Collection[str] = ()) -> tuple[CodedColumn, ...]:
        """Return columns of two people: decisions on shared keys; stage and reason where both screened out."""
        first, second = self.people
        both = [(key, a, b) for key, ((_, a), (_, b)) in self.shared.items() if key not in without]
        out = [pair for pair in both if value(pair[1]) == value(pair[2]) == "exclude"]
        missing = tuple(sorted(first.final.keys() ^ second.final.keys()))
        decision = CodedColumn("decision", tuple((key, value(a), value(b)) for key, a, b in both), missing)
        more = {name: [(key, getattr(a, name), getattr(b, name)) for key, a, b in out] for name in ("stage", "reason")}
        return (decision, *(CodedColumn(name, tuple(pairs)) for name, pairs in more.items()))


def _alike(each: Sided) -> bool:
    return len({effect(decision) for _, decision in each}) == 1


def blind_ones(corpus: Corpus) -> ComparedScreenings:
    """Compare all who screened blind; the decisions of other people settle conflicts."""
    return _compared(corpus, tuple(person for person in corpus.screenings if person.blind))


def require_blind(corpus: Corpus) -> ComparedScreenings:
    """Return `blind_ones`; raises `UsageError` if fewer than two people screened blind."""
    screenings = blind_ones(corpus)
    if len(screenings.people) < 2:
        who = f"so far only {screenings.people[0].who} did" if screenings.people else "nobody did so far"
        raise UsageError(f"two people must screen blind; {who}", hint="awesome screen --blind --who NAME")
    return screenings


def compared(corpus: Corpus, a: str | None = None, b: str | None = None) -> ComparedScreenings:
    """Compare two people by name [default: the two who screened blind].

    Raises `UsageError` for an unknown name, or without names if not exactly two people screened blind.
    """
    names = {name: person for person in corpus.screenings for name in (person.key, person.who)}
    if a is None or b is None:
        blind = [person.key for person in require_blind(corpus).people]
        if len(blind) != 2 or a is not None:
            message = f"expected the names of two people; these screened blind: {', '.join(blind)}"
            raise UsageError(message, hint=f"awesome audit screening {blind[0]} {blind[1]}")
        a, b = blind
    first, second = (names[require_known(name, names, "person who screened")] for name in (a, b))
    if first.key == second.key:
        raise UsageError(f"{first.path} cannot be compared with itself", hint="name two people")
    return _compared(corpus, (first, second))


def _compared(corpus: Corpus, people: tuple[Screenings, ...]) -> ComparedScreenings:
    keys = {person.key for person in people}
    after = tuple(person for person in corpus.screenings if not person.blind and person.key not in keys)
    candidates = {candidate.key for candidate in corpus.candidates}
    return ComparedScreenings(people, after, lambda key: key not in candidates)


def report(compared: ComparedScreenings, *, seed: int = 0) -> Report:
    """Report the agreement of two people with 95 % intervals, and their conflicts."""
    first, second = compared.people
    both, seen = len(compared.shared), compared.seen
    subset = _subset("candidates that both decided on", compared.columns(), seen, seed)
    blind = _subset("candidates that both decided on blind", compared.columns(seen), (), seed)
    alone = [len(person.final) - both for person in (first, second)]
    head = f"{first.who} and {second.who} both decided on {counted(both, 'candidate')};"
    blocks: list[Block] = [Text(f"{head} {first.who} alone on {alone[0]}, {second.who} alone on {alone[1]}.")]
    if seen:
        text = (
            f"Not known to be blind on both sides: {len(seen)} of {both}, which do not measure independent agreement."
        )
        blocks.append(Text(text, "warn"))
    blocks.append(audit_report.table(subset))
    if 0 < len(seen) < both:
        blocks += [Text(f"Blind on both sides: {both - len(seen)} of {both}."), audit_report.table(blind)]
    blocks.append(Text("Stage and reason count only candidates that both readers screened out."))
    sections = [Section(None, tuple(blocks)), *_conflicts(compared)]
    data = {
        "first": first.who,
        "second": second.who,
        "blind": not seen,
        "of_blind": blind.to_json(),
        "seed": seed,
        "both": both,
        "alone": {first.who: alone[0], second.who: alone[1]},
        **subset.to_json(),
        "agreed": [decision.key for decision in compared.agreed],
        "conflicts": [_to_json(conflict) for conflict in compared.conflicts],
    }
    return Report("awesome/screening/1", data, tuple(sections), "Agreement of two people who screened")


def _subset(label: str, columns: Sequence[CodedColumn], seen: tuple[str, ...], seed: int) -> Subset:
    measured = tuple(Agreement.of(column, seed, coefficients=True) for column in columns)
    return Subset(label, columns[0].n, seen, coefficients=True, columns=measured)


def _conflicts(compared: ComparedScreenings) -> Sequence[Section]:
    settled = len(compared.conflicts) - len(compared.open)
    sections = []
    if compared.conflicts:
        lines = [
            f"{c.key}: {'; '.join(c.lines)}" + (f"; settled: {words(c.settled)}" if c.settled else "")
            for c in compared.conflicts
        ]
        title = f"Conflicts ({len(lines)}" + (f", {settled} settled)" if settled else ")")
        sections.append(Section(title, (Bullets(tuple(lines)),)))
    commands = ["awesome screen --apply"] if compared.agreed else []
    commands += ["awesome screen --conflicts"] if compared.open else []
    if commands:
        lead = Text("Apply the decisions on which both agree, and settle the conflicts:")
        sections.append(Section("Next", (lead, Code("\n".join(commands), "sh"))))
    return sections


def _to_json(conflict: ScreeningConflict) -> Mapping[str, object]:
    decisions = (*(decision for _, decision in conflict.decisions), conflict.settled)
    sides = dict(zip(("first", "second", "settled"), decisions, strict=True))
    return {
        "key": conflict.key,
        **{side: d.model_dump(mode="json", exclude_defaults=True) if d else None for side, d in sides.items()},
    }
