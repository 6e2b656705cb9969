"""What was renamed between two states of a survey: records, and terms and axes of the vocabulary."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyRecord
from awesome_cli.model.taxonomy import Axis, Taxonomy

QUERY = re.compile(r"([^\s=]+)=([^\s:]+)")


@dataclass(frozen=True, slots=True)
class Renames:
    """The new ids of axes by their former ones, and of terms by former axis and term."""

    axes: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def axis(self, name: str) -> str:
        """The id that an axis has later."""
        return self.axes.get(name, name)

    def term(self, axis: str, term: str) -> str:
        """The id that a term has later."""
        return self.terms.get((axis, term), term)

    def query(self, name: str) -> str:
        """`axis=term`, or several of them in a text, by their later ids."""
        return QUERY.sub(lambda found: on_axis(self.axis(found[1]), self.term(found[1], found[2])), name)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """`(was, now)` of each axis and each term, as in queries before and after."""
        terms = ((on_axis(axis, term), on_axis(self.axis(axis), now)) for (axis, term), now in self.terms.items())
        return (*self.axes.items(), *terms)


def renames(before: Taxonomy, after: Taxonomy) -> Renames:
    """What the later taxonomy calls otherwise; a term that several were merged into is another one."""
    axes = {name: axis.id for axis in after.axes if (name := _former(axis, before, after))}
    was = {new: old for old, new in axes.items()}
    terms = {
        (old.id, former): now
        for axis in after.axes
        if (old := before.by_id.get(was.get(axis.id, axis.id)))
        for former, now in _renamed_terms(old, axis)
    }
    return Renames(axes, terms)


def newly_retired(before: Taxonomy, after: Taxonomy) -> dict[str, str]:
    """By term (`axis=term`), the sentence on each one that the later taxonomy retired and the earlier one did not."""
    names = renames(before, after)
    given = {
        names.query(on_axis(axis.id, term.id)) for axis in before.axes for term in axis.terms if not term.deprecated
    }
    terms = ((axis, term, on_axis(axis.id, term.id)) for axis in after.axes for term in axis.terms if term.deprecated)
    return {name: axis.retirement(term.id) or "" for axis, term, name in terms if name in given}


def _former(axis: Axis, before: Taxonomy, after: Taxonomy) -> str | None:
    if axis.id in before.by_id:
        return None
    return next((name for name in axis.former if name in before.by_id and name not in after.by_id), None)


def _renamed_terms(old: Axis, new: Axis) -> Iterator[tuple[str, str]]:
    for term in new.terms:
        former = [name for name in term.former if name in old.by_id and name not in new.by_id]
        if len(former) == 1 and term.id not in old.by_id:
            yield former[0], term.id


def renamed_records(
    old: Mapping[str, AnyRecord], new: Mapping[str, AnyRecord], unread: Collection[str]
) -> dict[str, str]:
    """The later keys of records by their former ones: their aliases say so, or the work and its kind are the same."""
    found = {alias: key for key, record in new.items() for alias in record.aliases if alias in old}
    came = {_work(new[key]): key for key in new if key not in old and key not in {*found.values(), *unread}}
    gone = (key for key in old if key not in new and key not in found)
    return found | {key: came.pop(_work(old[key])) for key in gone if _work(old[key]) in came}


def _work(record: AnyRecord) -> tuple[object, ...]:
    return record.KIND, record.title, record.authors, record.year, record.identifiers.pairs()
