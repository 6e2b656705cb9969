"""Rules on the pool of earlier days: what a record's history says, and what it should say."""

from collections.abc import Iterator
from datetime import timedelta

from awesome_cli.model.codings import Frozen, Revision, Tags, on_axis
from awesome_cli.model.records import AnyWork, Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule, spelt
from awesome_cli.rules.tags import at_tag, every_tag, has_no
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import validated
from awesome_cli.text.known import unknown

TAGS = "tags."


class _Former(Frozen):
    tags: dict[str, Tags]


@rule("V014", Level.ERROR)
def former_coding(corpus: Corpus) -> Iterator[Found]:
    """A former coding in the history of a record does not fit the vocabulary of its time.

    `was` of a revision has the shape of tags. Its axis, terms and strengths are those that the taxonomy had on the day
    before `on`.
    """
    for work in corpus.works:
        for i, revision in enumerate(work.history):
            if revision.field.startswith(TAGS) and revision.was is not None:
                yield from _misfits(work, ("history", i), revision, corpus.taxonomy)


def _misfits(work: AnyWork, route: Route, revision: Revision, taxonomy: Taxonomy) -> Iterator[Found]:
    then = taxonomy.as_of(revision.on - timedelta(days=1))
    name, when, edit = revision.field.removeprefix(TAGS), f"before {revision.on}", f"awesome edit {work.key}: "
    if name not in then.by_id:
        message = f"{when} the taxonomy has {unknown(name, then.by_id, 'axis')}"
        yield at(work, (*route, "field"), message, edit + spelt(name, then.by_id))
        return
    axis = then.by_id[name]
    former, findings = validated(_Former, {"tags": {name: revision.was}}, work.path, None)
    for finding in findings:
        yield at(work, (*route, "was"), finding.message, f"{edit}write 'was' as tags are written")
    for tag in former.tags[name] if former is not None else ():
        for what, word, known in (("term", tag.term, axis.by_id), ("strength", tag.strength, axis.rank)):
            if word is not None and word not in known:
                yield at(work, (*route, "was"), f"{when} {has_no(axis, what, word)}", edit + spelt(word, known))


@rule("V016", Level.WARNING)
def part_of_earlier_days(corpus: Corpus) -> Iterator[Found]:
    """A part has no day, so the pool of the survey's cutoff has it too.

    Parts are codings like others: `awesome tag … --revised` writes the former coding into the history of the record,
    and the pool of an earlier day has that one. Of a part on a record that is in the pool of the cutoff day, the
    history needs an entry for its axis after that day.
    """
    cutoff = corpus.taxonomy.survey.cutoff
    axes = corpus.taxonomy.as_of(cutoff).by_id if cutoff is not None else {}
    for place in every_tag(corpus):
        work, axis, _, tag = place
        if tag.part and axis.id in axes and isinstance(work, Paper) and cutoff is not None and work.added <= cutoff:
            field = f"{TAGS}{axis.id}"
            days = [entry.on for entry in work.history if entry.field == field]
            days += [entry.corrected_on for entry in work.corrections if entry.field == field]
            if all(day <= cutoff for day in days):
                message = f"the part {on_axis(axis.id, tag)} has no day, so the pool of {cutoff} has it too"
                fix = f"awesome edit {work.key}: add 'on', 'field: {field}' and 'was' to history, as --revised does"
                yield at_tag(place, message, fix)
