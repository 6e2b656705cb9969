"""A rule on the changes of axes in taxonomy.yaml: each axis can be read as it was."""

from collections.abc import Iterator
from datetime import timedelta

from awesome_cli.model.taxonomy import Axis, AxisChange
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY, validated

LASTING = ("id", "retired", "history")
"""Fields of an axis that hold for all days."""


@rule("A008", Level.ERROR)
def bad_change(corpus: Corpus) -> Iterator[Found]:
    """The former fields of an axis do not fit.

    `was` of a change holds fields of the axis with their values before that day, in the shape that they have today. It
    cannot hold `id`, `retired` and `history`, which hold for all days. A change without `was` says that the axis did
    not exist.
    """
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, change in enumerate(axis.history):
            yield from _misfits(axis, change, ("axes", i, "history", j, "was"))


def _misfits(axis: Axis, change: AxisChange, route: Route) -> Iterator[Found]:
    if change.was == {}:
        fix = "write the fields with their former values; remove 'was' if the axis did not exist before"
        yield Found(TAXONOMY, route, "was names no field", fix)
    for name in [name for name in LASTING if name in (change.was or {})]:
        fix = "remove it; former ids stand in 'former' of the axis" if name == "id" else "remove it"
        yield Found(TAXONOMY, (*route, name), f"was cannot change {name!r}: it holds for all days", fix, at_key=True)
    document = axis.fields_on(change.on - timedelta(days=1))
    for finding in validated(Axis, document, TAXONOMY, None)[1] if document is not None else ():
        # A field with another value on that day comes from another change, which has a finding of its own.
        if finding.route[0] in (change.was or {}) and finding.route[0] not in LASTING:
            message = f"axis {axis.id!r} as it was before {change.on}: {finding.message}"
            yield Found(TAXONOMY, (*route, *finding.route), message, finding.fix, at_key=finding.at_key)
