"""Rules on parts: what a record has on an axis beside its main coding."""

from collections.abc import Iterator

from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import Paper
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, at, rule
from awesome_cli.rules.tags import at_tag, every_tag
from awesome_cli.survey.corpus import Corpus


@rule("V016", Level.WARNING)
def part_of_earlier_days(corpus: Corpus) -> Iterator[Found]:
    """A part has no day, so the pool of the survey's cutoff has it too.

    Parts are codings like others: `awesome tag … --revised` writes the former coding into the history of the record,
    and the pool of an earlier day has that one. Of a record that is in the pool of the cutoff day and was revised after
    it, a part needs such an entry for its axis.
    """
    cutoff = corpus.taxonomy.survey.cutoff
    axes = corpus.taxonomy.as_of(cutoff).by_id if cutoff is not None else {}
    for place in every_tag(corpus):
        work, axis, _, tag = place
        if tag.part and axis.id in axes and isinstance(work, Paper) and cutoff is not None and work.added <= cutoff:
            field = f"tags.{axis.id}"
            revised = {entry.field for entry in work.history if entry.on > cutoff}
            corrected = {entry.field for entry in work.corrections if entry.corrected_on > cutoff}
            if revised and field not in revised | corrected:
                message = f"the part {on_axis(axis.id, tag)} has no day, so the pool of {cutoff} has it too"
                fix = f"awesome edit {work.key}: add 'on', 'field: {field}' and 'was' to history, as --revised does"
                yield at_tag(place, message, fix)


@rule("V017", Level.NOTE)
def only_parts(corpus: Corpus) -> Iterator[Found]:
    """A record has parts on an axis, and no main coding.

    A part is what a paper has beside its main coding. What counts main codings leaves this paper out on
    the axis.
    """
    for work in corpus.works:
        for axis in work.tags.keys() & corpus.taxonomy.by_id.keys():
            if work.parts_on(axis) and not work.tags_on(axis):
                message = f"{axis} has parts and no main coding"
                yield at(work, ("tags", axis), message, f"awesome tag {work.key} {axis}=TERM", at_key=True)
