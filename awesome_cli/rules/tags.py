"""The codings that rules look at, and how they speak of one."""

from collections.abc import Iterator

from awesome_cli.model.codings import Tag
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Axis
from awesome_cli.rules.registry import Found, at
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown

Place = tuple[AnyWork, Axis, int, Tag]


def every_tag(corpus: Corpus) -> Iterator[Place]:
    """Every tag on a known axis."""
    axes = corpus.taxonomy.by_id
    for work in corpus.works:
        for axis_id, tags in work.tags.items():
            axis = axes.get(axis_id)
            if axis is not None:
                for i, tag in enumerate(tags):
                    yield work, axis, i, tag


def at_tag(place: Place, message: str, fix: str | None, *field: str) -> Found:
    """A finding at a field of a coding, by default its term."""
    work, axis, i, _ = place
    return at(work, ("tags", axis.id, i, *(field or ("term",))), message, fix)


def has_no(axis: Axis, what: str, word: str) -> str:
    """The message for a term or strength that an axis does not define."""
    return unknown(word, axis.strength_ids if what == "strength" else axis.by_id, what, owner=f"axis {axis.id!r}")
