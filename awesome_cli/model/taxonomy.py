"""The survey's vocabulary: axes, terms, strengths, and what else names them.

The models mirror `taxonomy.yaml`; `survey.loading` reads them, `rules.axes` checks them.
"""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from awesome_cli import __version__
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.model.appearance import About, Artifact, Readme
from awesome_cli.model.codings import Frozen, Id, Judgement, Many
from awesome_cli.text.known import require_known, unknown
from awesome_cli.text.numbers import counted


class Deprecation(Frozen):
    """The successor of a retired term, and the day when it was retired."""

    use: Id
    on: date


class RetiredStrength(Deprecation):
    """A strength of older codings: it counts as its successor `use` or stronger, until the paper is read again."""

    id: Id


class Sparse(Frozen):
    """When a term is sparse: with at most so many papers, or with at most a share of those that match a query."""

    at_most: int | None = Field(default=None, ge=0)
    share: float | None = Field(default=None, ge=0, le=1)
    of: str = "*"

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.at_most is None) is (self.share is None):
            raise ValueError(
                "sparse is at_most (a number of papers) or share (of the papers that match 'of'), one of the two"
            )
        return self

    def __str__(self) -> str:
        if self.at_most is not None:
            return f"at most {counted(self.at_most, 'paper')}"
        return f"at most {100 * (self.share or 0):.3g} % of the papers" + (f" with {self.of}" if self.of != "*" else "")

    def limit(self, population: int) -> int:
        """The largest number of papers that is sparse, where `population` papers match `of`."""
        # The small addend keeps 0.29 x 100 from becoming 28.
        return self.at_most if self.at_most is not None else int((self.share or 0) * population + 1e-9)


class AxisChange(Frozen):
    """Fields of an axis that were changed on a day: before it they had the values in `was`.

    Without `was` the axis did not exist before that day.
    """

    on: date
    was: dict[str, Any] | None = None
    because: str | None = None


CURRENT_FORMAT = 2
"""The form of a survey's files that this version reads and writes, `format` in taxonomy.yaml; one without it has 1."""
NA = "NA"
"""The word for a record without a term on an axis, in tables and queries."""
UNCODED = "unspecified"
"""Stands for a stage or reason that a source does not code; `validate` asks for a better one."""


class Named(Frozen):
    """Something with an id, a label and a meaning."""

    id: Id
    label: str
    definition: str = ""

    @property
    def full_label(self) -> str:
        """The label, after the code of a term that has one."""
        return self.label


class Term(Named):
    """A value of an axis; a term with children (`parent`) is counted through them.

    What was published of it stands beside the records: papers that are named for it (`representatives`) or `judged` one
    by one, `typical` terms of other axes, a `note`. `former` are ids that it had before, or that were merged into it.
    """

    code: str | None = None
    representatives: Many[str] = ()
    typical: Mapping[Id, Many[Id]] = {}
    judged: tuple[Judgement, ...] = ()
    note: str | None = None
    parent: Id | None = None
    badge: str | None = None
    deprecated: Deprecation | None = None
    former: Many[str] = ()

    @property
    def full_label(self) -> str:
        return f"{self.code} {self.label}" if self.code else self.label


class Axis(Frozen):
    """A question that every paper is coded on.

    `required_for` is a query: papers that match it must have a term. On an axis of the `kind` one a paper has one main
    term, and any number of parts. `strengths` go from weak to strong; a term is covered by papers whose main coding
    has `gap_strength` or more. `history` tells how the axis was on earlier days.
    """

    id: Id
    label: str
    question: str
    kind: Literal["one", "many"] = "one"
    required_for: str | None = None
    strengths: tuple[Named, ...] = ()
    retired: tuple[RetiredStrength, ...] = ()
    gap_strength: Id | None = None
    sparse: Sparse = Sparse(at_most=2)
    former: Many[str] = ()
    terms: tuple[Term, ...]
    history: tuple[AxisChange, ...] = ()

    def as_of(self, day: date) -> "Axis | None":
        """The axis as it was on a day; None if it did not exist."""
        if all(change.on <= day for change in self.history):
            return self
        fields = self.fields_on(day)
        return None if fields is None else Axis.model_validate(fields)

    def fields_on(self, day: date) -> dict[str, Any] | None:
        """The fields of the axis as its history has them on a day, unchecked; None if the axis did not exist."""
        document = self.model_dump(exclude_defaults=True)
        for change in sorted(self.history, key=lambda change: change.on)[::-1]:
            if change.on > day:
                if change.was is None:
                    return None
                document |= change.was
        document["retired"] = [entry for entry in self.retired if entry.on <= day]
        document["history"] = [change for change in self.history if change.on <= day]
        return document

    def successor(self, name: str) -> str | None:
        """What a retired or renamed term is now; None for a term in use and for an unknown one."""
        term = self.by_id.get(name)
        if term is not None:
            return term.deprecated.use if term.deprecated else None
        return next((term.id for term in self.terms if name in term.former), None)

    def retirement(self, name: str) -> str | None:
        """The sentence on a term that is no longer given, and its successor; None for every other word."""
        term, successor = self.by_id.get(name), self.successor(name)
        if term is not None and term.deprecated is not None:
            return f"{self.id}={name} was retired on {term.deprecated.on}; use {successor}"
        return f"{self.id}={name} was renamed or merged; use {successor}" if successor else None

    def term(self, word: str, *, to_give: bool = False) -> Term:
        """The term of an id, code or label; raises `UsageError` naming the nearest, or the successor of a former term.

        A retired term is found, too, unless it is `to_give`.
        """
        found = self.by_id.get(word) or self.named(word)
        if found is not None and not (to_give and found.deprecated):
            return found
        name = found.id if found else word
        if sentence := self.retirement(name):
            raise UsageError(sentence, hint=f"write {self.id}={self.successor(name)}")
        known = [term.id for term in self.terms if not (to_give and term.deprecated)]
        return self.by_id[require_known(word, known, "term", owner=f"axis {self.id!r}")]

    def named(self, word: str) -> Term | None:
        """The one term with this id, code or label in any case; None for none, for several, and for a former id."""
        name = word.casefold()
        found = [term for term in self.terms if name in {term.id, (term.code or "").casefold(), term.label.casefold()}]
        return found[0] if len(found) == 1 and not self.successor(word) else None

    @cached_property
    def by_id(self) -> Mapping[str, Term]:
        """Terms by their id."""
        return {term.id: term for term in self.terms}

    @cached_property
    def parents(self) -> tuple[str, ...]:
        """Ids of the terms that have children, in order."""
        named = {term.parent for term in self.terms}
        return tuple(term.id for term in self.terms if term.id in named)

    @cached_property
    def leaves(self) -> tuple[Term, ...]:
        """The terms without children: the ones that papers are tagged with."""
        return tuple(term for term in self.terms if term.id not in self.parents)

    @cached_property
    def family(self) -> Mapping[str, frozenset[str]]:
        """For each term, itself and every term below it; a cycle of parents is followed once."""
        below = {term.id: {term.id} for term in self.terms}
        for term in self.terms:
            seen, parent = {term.id}, term.parent
            while parent in below and parent not in seen:
                below[parent].add(term.id)
                seen.add(parent)
                parent = self.by_id[parent].parent
        return {term: frozenset(ids) for term, ids in below.items()}

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Each strength's place, 0 the weakest; a retired one has that of its successor."""
        places = {strength.id: place for place, strength in enumerate(self.strengths)}
        return {entry.id: places.get(entry.use, -1) for entry in self.retired} | places

    @cached_property
    def strength_ids(self) -> tuple[str, ...]:
        """The strengths in use, from weak to strong."""
        return tuple(strength.id for strength in self.strengths)

    def said(self, strength: str | None) -> str | None:
        """A strength as people read it; of a retired one it says that the paper was not read again since."""
        retired = strength in self.rank and strength not in self.strength_ids
        return f"{strength}, not yet re-read" if retired else strength

    def counts_at(self, strength: str | None) -> bool:
        """True if a tag of this strength covers its term."""
        return self.gap_strength is None or self.rank.get(strength or "", -1) >= self.rank.get(self.gap_strength, 0)


class Group(Named):
    """Papers whose values of a measure are compared with another group's."""

    where: str


class Measure(Frozen):
    """A numeric fact of papers, and which values are compared.

    `counted` is a query over papers; `confidence_at_least` names a grade of `confidences`. The ratio
    is the first group's maximum over the second's, unless `ratio` says that none is meaningful.
    """

    id: Id
    label: str
    unit: str
    question: str = ""
    groups: tuple[Group, ...] = ()
    counted: str = "*"
    confidence_at_least: Id | None = None
    ratio: bool = True
    note: str = ""


class Map(Frozen):
    """A pair of axes that is cross-tabulated and drawn by default; without columns, by strength."""

    rows: Id
    columns: Id | None = None
    label: str = ""
    impossible: tuple[tuple[Id, Id], ...] = ()

    @property
    def name(self) -> str:
        """How the pair is called in machine-readable answers."""
        return f"{self.rows} x {self.columns or 'strength'}"


def _named(entry: object) -> object:
    """Allow `- weak` where a label would only repeat the id."""
    return {"id": entry, "label": entry.replace("_", " ")} if isinstance(entry, str) else entry


Grade = Annotated[Named, BeforeValidator(_named)]


class Taxonomy(Frozen):
    """The whole of `taxonomy.yaml`.

    Readings of contested codings start from the grade `contested_from` unless a command names another. `crosstabs` are
    pairs of axes that statistics count besides those of `maps`, `format` the number of the form of the files.
    """

    format: int | None = None
    survey: About
    axes: tuple[Axis, ...]
    stages: tuple[Grade, ...] = ()
    reasons: tuple[Grade, ...] = ()
    confidences: tuple[Grade, ...] = ()
    grades: tuple[Grade, ...] = ()
    contested_from: Id | None = None
    measures: tuple[Measure, ...] = ()
    maps: tuple[Map, ...] = ()
    crosstabs: tuple[tuple[Id, Id], ...] = ()
    readme: Readme | None = None
    artifact: Artifact | None = None
    traces: Mapping[str, Mapping[str, Mapping[str, str]]] = {}

    @model_validator(mode="after")
    def _has_axes(self) -> Self:
        if not self.axes:
            raise ValueError("a taxonomy needs at least one axis")
        return self

    @cached_property
    def by_id(self) -> Mapping[str, Axis]:
        """Axes by their id."""
        return {axis.id: axis for axis in self.axes}

    def as_of(self, day: date) -> "Taxonomy":
        """The taxonomy with the axes as they were on a day."""
        axes = tuple(axis for now in self.axes if (axis := now.as_of(day)) is not None)
        same = all(was is now for was, now in zip(axes, self.axes, strict=False)) and len(axes) == len(self.axes)
        return self if same else self.model_copy(update={"axes": axes})

    def axis(self, name: str) -> Axis:
        """The axis of that id; raises `UsageError` that names the nearest, or the new id of a renamed one."""
        self.refuse_former(name)
        return self.by_id[require_known(name, self.by_id, "axis")]

    def refuse_former(self, name: str) -> None:
        """Raise `UsageError` for the former id of an axis; it names the present one."""
        for axis in self.axes if name not in self.by_id else ():
            if name in axis.former:
                raise UsageError(f"the axis {name} was renamed; use {axis.id}", hint=f"write {axis.id}")

    def unknown_term(self, word: str) -> UsageError:
        """The error for a word that is no term of any axis: what became of it, or the nearest."""
        self.refuse_former(word)
        retired = next((said for axis in self.axes if (said := axis.retirement(word))), None)
        known = [*self.axes_of, *self.by_id]
        return UsageError(retired or unknown(word, known, "axis or term"), hint="see 'awesome taxonomy show'")

    @cached_property
    def axes_of(self) -> Mapping[str, tuple[str, ...]]:
        """For each term id and code, the axes it stands on."""
        found: dict[str, tuple[str, ...]] = {}
        for axis in self.axes:
            for term in axis.terms:
                for name in filter(None, (term.id, term.code)):
                    found[name] = (*found.get(name, ()), axis.id)
        return found

    def axes_with(self, word: str) -> tuple[str, ...]:
        """The axes with a term of this id or code, else those with one so named in any case."""
        return self.axes_of.get(word) or tuple(axis.id for axis in self.axes if axis.named(word))

    @cached_property
    def grade_rank(self) -> Mapping[str, int]:
        """Each grade of contest's place, 0 the weakest."""
        return {grade.id: place for place, grade in enumerate(self.grades)}

    @cached_property
    def confidence_rank(self) -> Mapping[str, int]:
        """Each confidence's place, 0 the lowest."""
        return {grade.id: place for place, grade in enumerate(self.confidences)}


def require_known_format(document: Any, path: str) -> None:
    """Raise `SurveyError` for a survey of a later form, of which this version might lose something."""
    number = str(document.get("format", "")) if isinstance(document, dict) else ""
    if number.isdecimal() and int(number) > CURRENT_FORMAT:
        raise SurveyError(
            f"{path} says format: {number}, and awesome {__version__} reads formats up to {CURRENT_FORMAT}",
            hint="install a newer awesome, for instance with 'pip install --upgrade awesome-survey'",
        )


def outline(axis: Axis) -> tuple[tuple[Term, int], ...]:
    """The terms with how many are above each, children right after their parent; a cycle of parents is left out."""
    below: dict[str, list[Term]] = {}
    for term in axis.terms:
        below.setdefault(term.parent if term.parent and term.parent in axis.by_id else "", []).append(term)
    found, waiting = list[tuple[Term, int]](), [(term, 0) for term in reversed(below.get("", []))]
    while waiting:
        term, depth = waiting.pop()
        found.append((term, depth))
        waiting += [(child, depth + 1) for child in reversed(below.get(term.id, []))]
    return tuple(found)


def tree(axis: Axis) -> tuple[Term, ...]:
    """All terms, each parent before its children and they before what follows it; those in a cycle come last."""
    found = [term for term, _ in outline(axis)]
    return (*found, *(term for term in axis.terms if term not in found))
