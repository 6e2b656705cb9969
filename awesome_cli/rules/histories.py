"""A rule on the history of codings: former codings speak the words of their day."""

from collections.abc import Iterator
from datetime import timedelta

from awesome_cli.model.codings import Frozen, Revision, Tags
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule, spelt
from awesome_cli.rules.tags import has_no
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
