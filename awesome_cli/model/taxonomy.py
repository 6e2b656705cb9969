"""Model of `taxonomy.yaml`, the survey's codebook: axes, terms, strengths, measures and maps.

`survey.loading` reads the file, `rules.taxonomy` checks it.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from awesome_cli import __version__
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.model.appearance import About, Artifact, Readme
from awesome_cli.model.codings import Frozen, Id, Judgement, Many
from awesome_cli.text.known import require_known, unknown
from awesome_cli.text.numbers import counted


class Deprecation(Frozen):
    """The retirement of a term: the successor `use`, and the day."""

    use: Id
    on: date


class RetiredStrength(Deprecation):
    """A deprecated strength of older codings; it counts as the successor `use` until the paper is read again."""

    id: Id


def require_share(number: float) -> float:
    """Return a share unchanged; raise `ValueError` if it is not from 0 to 1."""
    if not 0 <= number <= 1:
        raise ValueError(f"a share must be from 0 to 1; {number:g} % is {number / 100:g}")
    return number


Share = Annotated[float, AfterValidator(require_share), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]


class Sparse(Frozen):
    """The maximum number of papers in a sparse cell, or their maximum share of the papers `among` a query."""

    at_most: int | None = Field(default=None, ge=0)
    share: Share | None = None
    among: str = "*"

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.at_most is None) is (self.share is None) or (self.share is None and self.among != "*"):
            raise ValueError("expected either at_most (a number of papers) or share (from 0 to 1, among a query)")
        return self

    def __str__(self) -> str:
        if self.at_most is not None:
            return f"at most {counted(self.at_most, 'paper')}"
        among = f" among {self.among}" if self.among != "*" else ""
        return f"at most {100 * (self.share or 0):.3g} % of the papers{among}"

    def limit(self, population: int) -> int:
        """Return the threshold as a number of papers; `population` is the number of papers `among` the query."""
        # The small addend keeps 0.29 x 100 from becoming 28.
        return self.at_most if self.at_most is not None else int((self.share or 0) * population + 1e-9)


class AxisChange(Frozen):
    """A change of an axis on the day `on`; `was` has the values that the axis' fields had before.

    If `was` is None, the axis did not exist before.
    """

    on: date
    was: dict[str, Any] | None = None
    because: str | None = None


CURRENT_FORMAT = 2
"""The newest file format that this version supports (`format` in taxonomy.yaml)."""
NA = "NA"
"""The placeholder in tables and queries for a record without a term on an axis."""
LISTED = "listed"
"""The `silence` of an axis on which only terms that stand out were coded."""
UNCODED = "unspecified"
"""Placeholder for a stage or reason that an imported source does not state; `validate` reports the placeholder."""


class Named(Frozen):
    """An entry of the codebook: id, label and definition."""

    id: Id
    label: str
    definition: str = ""

    @property
    def full_label(self) -> str:
        """The label, after the code if the entry has one."""
        return self.label


class Term(Named):
    """A term of an axis. Children name their `parent`; queries for a parent term also match papers with its children.

    `representatives` are example papers, `judged` are verdicts on single papers, `typical` maps other axes to the terms
    that usually occur with this term. `former` lists previous ids, and the ids of terms merged into this term.
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
    """A question on which every paper is coded.

    `required_for` is a query for the papers that must have a term. On an axis of kind `one`, a paper has one main term
    and any number of parts. `strengths` are ordered from weak to strong; a paper covers a term if its main coding has
    `gap_strength` or a stronger one. `history` lists changes of the axis.

    `silence` is the meaning of a paper without a term: with `none`, it has none of the terms; with `listed`, only terms
    that stand out were coded, so that counts are lower bounds. By default such a paper is not coded yet; if it does
    not match `required_for`, the axis does not apply to it.

    A `bookkeeping` axis describes the records, not the literature; the gap map leaves it out.
    """

    id: Id
    label: str
    question: str
    kind: Literal["one", "many"] = "one"
    required_for: str | None = None
    silence: Literal["none", "listed"] | None = None
    strengths: tuple[Named, ...] = ()
    retired: tuple[RetiredStrength, ...] = ()
    gap_strength: Id | None = None
    bookkeeping: bool = False
    former: Many[str] = ()
    terms: tuple[Term, ...]
    history: tuple[AxisChange, ...] = ()

    def as_of(self, day: date) -> "Axis | None":
        """Return the axis as of a day; None if it did not exist."""
        if all(change.on <= day for change in self.history):
            return self
        fields = self.fields_on(day)
        return None if fields is None else Axis.model_validate(fields)

    def fields_on(self, day: date) -> dict[str, Any] | None:
        """Return the fields of the axis as of a day, without validation; None if the axis did not exist."""
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
        """Return the id that replaces a retired or renamed term; None if the term is in use or unknown."""
        term = self.by_id.get(name)
        if term is not None:
            return term.deprecated.use if term.deprecated else None
        return next((term.id for term in self.terms if name in term.former), None)

    def retirement(self, name: str) -> str | None:
        """Return the message for a retired, renamed or merged term; None for other words."""
        term, successor = self.by_id.get(name), self.successor(name)
        if term is not None and term.deprecated is not None:
            return f"{self.id}={name} was retired on {term.deprecated.on}; use {successor}"
        return f"{self.id}={name} was renamed or merged; use {successor}" if successor else None

    def term(self, word: str, *, to_give: bool = False) -> Term:
        """Return the term with an id, code or label; else raise `UsageError` with the closest match or the successor.

        With `to_give` (for a new coding), retired terms raise `UsageError`, too.
        """
        term = self.by_id.get(word) or self.find(word)
        if term is not None and not (to_give and term.deprecated):
            return term
        name = term.id if term else word
        if sentence := self.retirement(name):
            raise UsageError(sentence, hint=f"write {self.id}={self.successor(name)}")
        known = [term.id for term in self.terms if not (to_give and term.deprecated)]
        return self.by_id[require_known(word, known, "term", owner=f"axis {self.id!r}")]

    def find(self, word: str) -> Term | None:
        """Return the term with an id, code or label, ignoring case; None for several matches or a former id."""
        name = word.casefold()
        terms = [term for term in self.terms if name in {term.id, (term.code or "").casefold(), term.label.casefold()}]
        return terms[0] if len(terms) == 1 and not self.successor(word) else None

    @cached_property
    def by_id(self) -> Mapping[str, Term]:
        """Terms by id."""
        return {term.id: term for term in self.terms}

    @cached_property
    def parents(self) -> tuple[str, ...]:
        """Ids of terms with children, in order."""
        parents = {term.parent for term in self.terms}
        return tuple(term.id for term in self.terms if term.id in parents)

    @cached_property
    def leaves(self) -> tuple[Term, ...]:
        """Terms without children; papers are tagged with these."""
        return tuple(term for term in self.terms if term.id not in self.parents)

    @cached_property
    def current(self) -> tuple[Term, ...]:
        """Terms for new codings: leaves that are not retired."""
        return tuple(term for term in self.leaves if not term.deprecated)

    @cached_property
    def family(self) -> Mapping[str, frozenset[str]]:
        """Ids of a term and all its descendants, by term id."""
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
        """Ranks of strengths, 0 the weakest; a retired strength has the rank of its successor."""
        places = {strength.id: place for place, strength in enumerate(self.strengths)}
        return {entry.id: places.get(entry.use, -1) for entry in self.retired} | places

    @cached_property
    def strength_ids(self) -> tuple[str, ...]:
        """Ids of the strengths in use, from weak to strong."""
        return tuple(strength.id for strength in self.strengths)

    def display(self, strength: str | None) -> str | None:
        """Return a strength for display; a retired strength is marked `not yet re-read`."""
        retired = strength in self.rank and strength not in self.strength_ids
        return f"{strength}, not yet re-read" if retired else strength

    def counts_at(self, strength: str | None) -> bool:
        """True if a tag with this strength covers its term in the evidence gap map."""
        return self.gap_strength is None or self.rank.get(strength or "", -1) >= self.rank.get(self.gap_strength, 0)


class Group(Named):
    """Papers that match the query `where`; their values of a measure are compared with those of another group."""

    where: str


class Measure(Frozen):
    """A number that papers report, and the groups of papers whose values are compared.

    Only papers that match the query `counted` and have the confidence `confidence_at_least` or a higher one count. The
    ratio is the first group's maximum divided by the second group's; `ratio: false` omits the ratio.
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
    """Two axes that are cross-tabulated and plotted by default; without `columns`, the strengths are the columns."""

    rows: Id
    columns: Id | None = None
    label: str = ""
    impossible: tuple[tuple[Id, Id], ...] = ()

    @property
    def name(self) -> str:
        """The name of the pair in JSON output."""
        return f"{self.rows} x {self.columns or 'strength'}"


def _named(entry: object) -> object:
    """Expand the id `very_weak` to `{id: very_weak, label: very weak}`; return mappings unchanged."""
    return {"id": entry, "label": entry.replace("_", " ")} if isinstance(entry, str) else entry


Grade = Annotated[Named, BeforeValidator(_named)]


class Taxonomy(Frozen):
    """The contents of `taxonomy.yaml`.

    `sparse` is the limit of every cell of the gap map, on every day. Readings apply contests of the grade
    `contested_from` or above [default: the weakest]. `crosstabs` are pairs of axes that statistics count in addition to
    those in `maps`. `format` is the file format's version.
    """

    format: int | None = None
    survey: About
    sparse: Sparse = Sparse(at_most=2)
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
        """Axes by id."""
        return {axis.id: axis for axis in self.axes}

    def as_of(self, day: date) -> "Taxonomy":
        """Return the taxonomy with the axes as of a day; all days between two changes share one object."""
        at = bisect_right(self.changes, day)
        if at < len(self.changes) and ("as of", at) not in self.memo:
            self.memo["as of", at] = self._as_of(day)
        return self if at == len(self.changes) else cast("Taxonomy", self.memo["as of", at])

    @cached_property
    def changes(self) -> Sequence[date]:
        """The days on which axes changed or words were retired, sorted."""
        changed = {change.on for axis in self.axes for change in axis.history}
        return sorted(changed.union(entry.on for axis in self.axes for entry in axis.retired))

    def _as_of(self, day: date) -> "Taxonomy":
        axes = tuple(axis for now in self.axes if (axis := now.as_of(day)) is not None)
        same = all(was is now for was, now in zip(axes, self.axes, strict=False)) and len(axes) == len(self.axes)
        return self if same else self.model_copy(update={"axes": axes})

    def axis(self, name: str) -> Axis:
        """Return an axis by id; else raise `UsageError` with the closest match, or the new id of a renamed axis."""
        self.refuse_former(name)
        return self.by_id[require_known(name, self.by_id, "axis")]

    def refuse_former(self, name: str) -> None:
        """Raise `UsageError` with the new id if `name` is the former id of an axis."""
        for axis in self.axes if name not in self.by_id else ():
            if name in axis.former:
                raise UsageError(f"the axis {name} was renamed; use {axis.id}", hint=f"write {axis.id}")

    def unknown_term(self, word: str) -> UsageError:
        """Return the error for an unknown term, with the successor of a retired term or the closest match."""
        self.refuse_former(word)
        retired = next((message for axis in self.axes if (message := axis.retirement(word))), None)
        known = [*self.axes_of, *self.by_id]
        return UsageError(retired or unknown(word, known, "axis or term"), hint="see 'awesome taxonomy show'")

    @cached_property
    def axes_of(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the axes that have a term, by the term's id and by its code."""
        axes: dict[str, tuple[str, ...]] = {}
        for axis in self.axes:
            for term in axis.terms:
                for name in filter(None, (term.id, term.code)):
                    axes[name] = (*axes.get(name, ()), axis.id)
        return axes

    def axes_with(self, word: str) -> tuple[str, ...]:
        """Return the ids of the axes that have a term with this id or code; if none, ignore case and compare labels."""
        return self.axes_of.get(word) or tuple(axis.id for axis in self.axes if axis.find(word))

    @cached_property
    def grade_rank(self) -> Mapping[str, int]:
        """Ranks of contest grades, 0 the weakest."""
        return {grade.id: place for place, grade in enumerate(self.grades)}

    @cached_property
    def confidence_rank(self) -> Mapping[str, int]:
        """Ranks of confidences, 0 the lowest."""
        return {grade.id: place for place, grade in enumerate(self.confidences)}


def require_known_format(document: Any, path: str) -> None:
    """Raise `SurveyError` if the survey has a newer format, since this version could damage its files."""
    number = str(document.get("format", "")) if isinstance(document, dict) else ""
    if number.isdecimal() and int(number) > CURRENT_FORMAT:
        raise SurveyError(
            f"{path} has format {number}, but awesome {__version__} supports formats up to {CURRENT_FORMAT}",
            hint="install a newer awesome from where you have this one",
        )


def outline(axis: Axis) -> tuple[tuple[Term, int], ...]:
    """Return `(term, depth)`, children after their parent (depth 0 has no parent); omit terms in a cycle of parents."""
    below: dict[str, list[Term]] = {}
    for term in axis.terms:
        below.setdefault(term.parent if term.parent and term.parent in axis.by_id else "", []).append(term)
    result, waiting = list[tuple[Term, int]](), [(term, 0) for term in reversed(below.get("", []))]
    while waiting:
        term, depth = waiting.pop()
        result.append((term, depth))
        waiting += [(child, depth + 1) for child in reversed(below.get(term.id, []))]
    return tuple(result)


def tree(axis: Axis) -> tuple[Term, ...]:
    """Return all terms, children after their parent; terms in a cycle of parents come last."""
    ordered = [term for term, _ in outline(axis)]
    return (*ordered, *(term for term in axis.terms if term not in ordered))
