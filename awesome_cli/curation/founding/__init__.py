"""Founding a survey on somebody's list: its headings, keywords and columns become axes, its entries records."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from awesome_cli.curation.founding.axes import HEADINGS, KEYWORDS, Listed, Made, Words, chosen, made
from awesome_cli.curation.intake import Intake, Settings, begin, take_in
from awesome_cli.curation.intake.recording import readable
from awesome_cli.curation.intake.summary import to_report as of_intake
from awesome_cli.errors import RefusedError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Batch, Draft, filled
from awesome_cli.model.records import AnyRecord, Exclusion, Paper, to_text
from awesome_cli.model.taxonomy import UNCODED, Axis, Taxonomy
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Toned
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted


@dataclass(frozen=True, slots=True)
class DoubtfulIdentifier:
    """An identifier that a list gives to two works, of which one is another: `key` keeps it under `extra`."""

    key: str
    other: str
    scheme: str
    value: str

    def __str__(self) -> str:
        return f"{self.key} and {self.other} both have {self.scheme} {self.value}: one of the two is wrong"


def settled(intake: Intake) -> tuple[DoubtfulIdentifier, ...]:
    """Take an identifier of two different works from the one that comes later, and keep it there under `extra`."""
    records = intake.works.records
    owners: dict[tuple[str, str], AnyRecord] = {}
    found: list[DoubtfulIdentifier] = []
    for key in [taken.record.key for taken in intake.taken]:
        for scheme, value in records[key].identifiers.pairs():
            first = owners.setdefault((scheme, value.casefold()), records[key])
            if first.key != key and scheme != "isbn" and first.key not in records[key].distinct_from:
                found.append(DoubtfulIdentifier(key, first.key, scheme, value))
                records[key] = _without(records[key], scheme, value)
    return tuple(found)


def _without(record: AnyRecord, scheme: str, value: str) -> AnyRecord:
    gone = {scheme: None, "arxiv_version": None} if scheme == "arxiv" else {scheme: None}
    identifiers = record.identifiers.model_copy(update=gone)
    return record.model_copy(update={"identifiers": identifiers, "extra": {**record.extra, scheme: value}})


@dataclass(frozen=True)
class Founding:
    """What a survey is founded on: the axes that were made and what of, the intake of the works.

    `unclear` are the sources that became no axis, `doubtful` the identifiers that two works have.
    """

    made: tuple[Made, ...]
    unclear: tuple[Words, ...]
    intake: Intake
    doubtful: tuple[DoubtfulIdentifier, ...] = ()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of the survey, the best to group by first; none if the list has none."""
        return tuple(one.axis for one in self.made)

    @property
    def uncoded(self) -> Collection[str]:
        """Which of stage and reason an exclusion does not have, by their lists in the taxonomy."""
        screenings = [one.record.screening for one in self.intake.taken if isinstance(one.record, Exclusion)]
        return [f"{name}s" for name in ("stage", "reason") if any(getattr(s, name) == UNCODED for s in screenings)]

    @property
    def incomplete(self) -> int:
        """How many papers have no authors, which a service knows."""
        records = (one.record for one in self.intake.taken)
        return sum(isinstance(one, Paper) and not one.authors and one.identifiers.is_askable for one in records)

    @property
    def files(self) -> Mapping[str, bytes]:
        """The files of the records."""
        order, records = [axis.id for axis in self.axes], self.intake.works.records
        taken = (records[one.record.key] for one in self.intake.taken)
        return {record.path: to_text(record, order).encode() for record in taken}


def found(batch: Batch, taxonomy: Taxonomy, tree: FileTree, settings: Settings, names: Sequence[str] = ()) -> Founding:
    """The axes and records of a list that was read without any axis.

    `taxonomy` is that of the survey to be, whose axes stay where the list has none. `names` are the sources that become
    axes: by default those that clearly hold terms; `none` for none. A work that the list says nothing of is not coded.
    Raises `UsageError` for an unknown name, `RefusedError` for the records of a survey.
    """
    if any(draft.fields.get("tags") for draft in batch.drafts):
        hint = "start one with 'awesome init', copy the other's taxonomy.yaml into it and use 'awesome import'"
        raise RefusedError("these are records of a survey, coded on its axes", hint=hint)
    listed = Listed(replace(batch, drafts=tuple(map(readable, batch.drafts))))
    taken, unclear = chosen(listed, names)
    axes = made(taken)
    if axes:
        taxonomy = taxonomy.model_copy(update={"axes": tuple(one.axis for one in axes)})
    drafts = _coded(listed, axes, taxonomy)
    intake = take_in(begin(Corpus(taxonomy), tree, settings, replace(batch, drafts=())), drafts)
    return Founding(axes, unclear, intake, settled(intake))


def _coded(listed: Listed, axes: Sequence[Made], taxonomy: Taxonomy) -> list[Draft]:
    """All drafts; those of works with the tags that the axes give them, in place of the values these were made of."""
    works = iter(range(len(listed.works)))
    waiting = [axis.id for axis in taxonomy.axes] if not axes else []
    return [
        draft if draft.kind == "exclusion" else _tagged(draft, next(works), axes, waiting)
        for draft in listed.batch.drafts
    ]


def _tagged(draft: Draft, place: int, axes: Sequence[Made], waiting: Sequence[str]) -> Draft:
    said = {one.axis.id: one.words.of_works[place] for one in axes}
    tags = {one.axis.id: [one.terms.ids[path] for path in said[one.axis.id] or ()] for one in axes}
    used = {one.words.name for one in axes}
    extra = {name: value for name, value in (draft.fields.get("extra") or {}).items() if name not in used}
    if draft.headings and HEADINGS not in used:
        extra[HEADINGS] = [" > ".join(path) for path in draft.headings]
    silent = [axis for axis, paths in said.items() if paths is None]
    fields: dict[str, Any] = filled({**draft.fields, "extra": extra, "tags": tags, "not_coded": [*waiting, *silent]})
    worded = any(one.words.kind == KEYWORDS for one in axes)
    return replace(draft, fields=fields, headings=(), keywords=() if worded else draft.keywords)


FEW = 3
"""So many entries of the list are named that are no papers: a page may have hundreds."""


def to_report(founding: Founding, *, written: bool) -> Report:
    """The axes with what they were made of, the sources that became none, then the outcome of the intake."""
    rows = [
        (one.axis.id, one.words.name, len(one.axis.terms), one.words.coded, len(one.words.of_works) - one.words.coded)
        for one in founding.made
    ]
    table = Table.of(("axis", "made of", "terms", "works", "without"), rows, title="axes")
    data = {
        "axes": table.records(),
        "unclear": [{"name": words.name, "why": words.why_not} for words in founding.unclear],
        "doubtful": [str(one) for one in founding.doubtful],
    }
    own = Report("awesome/init/1", data, (Section(None, tuple(_blocks(founding, table))),), rows=table)
    return own.followed_by(of_intake(founding.intake, written=written, most_left=FEW))


def _blocks(founding: Founding, table: Table) -> Iterator[Block]:
    if founding.made:
        yield table
        terms = sum(len(one.axis.terms) for one in founding.made)
        yield Text(
            f"{counted(terms, 'term')} without a definition: the list gives none, so write what each stands for in"
            " taxonomy.yaml; 'awesome validate' names them"
        )
    else:
        axes = ", ".join(axis.id for axis in founding.intake.corpus.taxonomy.axes)
        yield Text(f"No axis was made of the list; its works are not yet coded on {axes}")
    if founding.unclear:
        yield Text("Not made an axis ('--axis NAME' makes it one):")
        yield Bullets(tuple(without_middle(f"{words.name}: {words.why_not}") for words in founding.unclear))
    if founding.doubtful:
        yield Text("Identifiers of two works; the later one has it under 'extra' until somebody has looked:")
        yield Bullets(tuple(Toned(without_middle(str(one)), "warn") for one in founding.doubtful))
