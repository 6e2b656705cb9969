"""Start a survey from an existing list: headings, keywords and columns become axes, entries become records."""

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


def settled(intake: Intake) -> tuple[str, ...]:
    """Move identifiers shared by different works to `extra` in the later record; return a message for each."""
    records = intake.works.records
    owners: dict[tuple[str, str], AnyRecord] = {}
    doubtful: list[str] = []
    for key in [taken.record.key for taken in intake.taken]:
        for scheme, value in records[key].identifiers.pairs():
            first = owners.setdefault((scheme, value.casefold()), records[key])
            if first.key != key and scheme != "isbn" and first.key not in records[key].distinct_from:
                doubtful.append(f"{key} and {first.key} both have {scheme} {value}; one of the two is wrong")
                records[key] = _without(records[key], scheme, value)
    return tuple(doubtful)


def _without(record: AnyRecord, scheme: str, value: str) -> AnyRecord:
    gone = {scheme: None, "arxiv_version": None} if scheme == "arxiv" else {scheme: None}
    identifiers = record.identifiers.model_copy(update=gone)
    return record.model_copy(update={"identifiers": identifiers, "extra": {**record.extra, scheme: value}})


@dataclass(frozen=True)
class Founding:
    """A new survey from a list: its axes with their sources, and the intake of its works.

    `unclear` are the sources that did not become axes, `doubtful` messages on identifiers that two works share.
    """

    made: tuple[Made, ...]
    unclear: tuple[Words, ...]
    intake: Intake
    doubtful: tuple[str, ...] = ()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of the survey, the best one to group by first."""
        return tuple(made.axis for made in self.made)

    @property
    def uncoded(self) -> Collection[str]:
        """`stages` and `reasons`, as far as an exclusion lacks one."""
        screenings = [new.record.screening for new in self.intake.taken if isinstance(new.record, Exclusion)]
        return [f"{name}s" for name in ("stage", "reason") if any(getattr(s, name) == UNCODED for s in screenings)]

    @property
    def incomplete(self) -> int:
        """Number of papers without authors whose metadata can be fetched from a service."""
        records = (new.record for new in self.intake.taken)
        return sum(isinstance(r, Paper) and not r.authors and r.identifiers.is_askable for r in records)

    @property
    def files(self) -> Mapping[str, bytes]:
        """The files of the records, by path."""
        order, records = [axis.id for axis in self.axes], self.intake.works.records
        taken = (records[new.record.key] for new in self.intake.taken)
        return {record.path: to_text(record, order).encode() for record in taken}


def found(batch: Batch, taxonomy: Taxonomy, tree: FileTree, settings: Settings, names: Sequence[str] = ()) -> Founding:
    """Create axes and records from a list that was imported without axes.

    `taxonomy` is the new survey's; its axes are used if the list has none. `names` are the sources that become axes
    [default: those that clearly contain terms]; `none` for none. Works without a value are not coded. Raises
    `UsageError` for an unknown name, `RefusedError` for records of a survey.
    """
    if any(draft.fields.get("tags") for draft in batch.drafts):
        hint = "run 'awesome init', copy the survey's taxonomy.yaml into the new one, and use 'awesome import'"
        raise RefusedError("these records are from a survey and have codings on its axes", hint=hint)
    listed = Listed(replace(batch, drafts=tuple(map(readable, batch.drafts))))
    taken, unclear = chosen(listed, names)
    axes = made(taken)
    if axes:
        taxonomy = taxonomy.model_copy(update={"axes": tuple(new.axis for new in axes)})
    drafts = _coded(listed, axes, taxonomy)
    intake = take_in(begin(Corpus(taxonomy), tree, settings, replace(batch, drafts=())), drafts)
    return Founding(axes, unclear, intake, settled(intake))


def _coded(listed: Listed, axes: Sequence[Made], taxonomy: Taxonomy) -> list[Draft]:
    """Return all drafts, with tags in place of the values from which the axes were made."""
    works = iter(range(len(listed.works)))
    waiting = [axis.id for axis in taxonomy.axes] if not axes else []
    return [
        draft if draft.kind == "exclusion" else _tagged(draft, next(works), axes, waiting)
        for draft in listed.batch.drafts
    ]


def _tagged(draft: Draft, place: int, axes: Sequence[Made], waiting: Sequence[str]) -> Draft:
    values = {new.axis.id: new.words.of_works[place] for new in axes}
    tags = {new.axis.id: [new.terms.ids[path] for path in values[new.axis.id] or ()] for new in axes}
    used = {new.words.name for new in axes}
    extra = {name: value for name, value in (draft.fields.get("extra") or {}).items() if name not in used}
    if draft.headings and HEADINGS not in used:
        extra[HEADINGS] = [" > ".join(path) for path in draft.headings]
    silent = [axis for axis, paths in values.items() if paths is None]
    fields: dict[str, Any] = filled({**draft.fields, "extra": extra, "tags": tags, "not_coded": [*waiting, *silent]})
    worded = any(new.words.kind == KEYWORDS for new in axes)
    return replace(draft, fields=fields, headings=(), keywords=() if worded else draft.keywords)


FEW = 3
"""Maximum number of entries in the report that are not papers; a page may have hundreds."""


def to_report(founding: Founding, *, written: bool) -> Report:
    """Report the axes with their sources, the sources that did not become axes, and the result of the intake."""
    rows = [
        (new.axis.id, new.words.name, len(new.axis.terms), new.words.coded, len(new.words.of_works) - new.words.coded)
        for new in founding.made
    ]
    table = Table.of(("axis", "made of", "terms", "works", "without"), rows, title="axes")
    data = {
        "axes": table.records(),
        "unclear": [{"name": words.name, "why": words.why_not} for words in founding.unclear],
        "doubtful": list(founding.doubtful),
    }
    report = Report("awesome/init/1", data, (Section(None, tuple(_blocks(founding, table))),), rows=table)
    return report.followed_by(of_intake(founding.intake, written=written, most_left=FEW))


def _blocks(founding: Founding, table: Table) -> Iterator[Block]:
    if founding.made:
        yield table
        terms = sum(len(new.axis.terms) for new in founding.made)
        yield Text(
            f"{counted(terms, 'term')} without a definition: the list gives none, so write what each stands for in"
            " taxonomy.yaml; 'awesome validate' names them"
        )
    else:
        axes = ", ".join(axis.id for axis in founding.intake.corpus.taxonomy.axes)
        yield Text(f"No part of the list became an axis; its works are not yet coded on {axes}")
    if founding.unclear:
        yield Text("Columns that did not become an axis (use '--axis COLUMN' to make one an axis):")
        yield Bullets(tuple(without_middle(f"{words.name}: {words.why_not}") for words in founding.unclear))
    if founding.doubtful:
        yield Text("Identifiers of two works; the later one has it under 'extra' until somebody has looked:")
        yield Bullets(tuple(Toned(without_middle(doubt), "warn") for doubt in founding.doubtful))
