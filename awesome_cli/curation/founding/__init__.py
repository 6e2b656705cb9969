"""Founding a survey on somebody's list: its headings, keywords and columns become axes, its entries records."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from awesome_cli.curation.founding.axes import Made, chosen, made
from awesome_cli.curation.founding.identifiers import DoubtfulIdentifier, settled
from awesome_cli.curation.founding.sources import HEADINGS, KEYWORDS, Listed, Words
from awesome_cli.curation.intake import Intake, Settings, begin, take_in
from awesome_cli.curation.intake.recording import readable
from awesome_cli.errors import RefusedError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Batch, Draft, filled
from awesome_cli.model.records import Exclusion, Paper, to_text
from awesome_cli.model.taxonomy import UNCODED, Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus


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
