"""Rules on contests: what a challenger would code is something that the axis defines, and something else."""

from collections.abc import Iterator

from awesome_cli.model.codings import on_axis
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, rule, spelt
from awesome_cli.rules.tags import at_tag, every_tag, has_no
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import side_of


@rule("V012", Level.ERROR)
def unknown_challenge(corpus: Corpus) -> Iterator[Found]:
    """A contest would code a term or a strength that the axis does not define.

    `as` of a contest is a term of the axis, several terms, `term:strength`, `{strength: …}`, or `none`.
    """
    for place in every_tag(corpus):
        _, axis, _, tag = place
        for challenge in (tag.contested.reads_as or ()) if tag.contested else ():
            for what, word, known in (
                ("term", challenge.term, axis.by_id),
                ("strength", challenge.strength, axis.rank),
            ):
                if word is not None and word not in known:
                    yield at_tag(place, has_no(axis, what, word), spelt(word, known), "contested", "as")


@rule("V013", Level.NOTE)
def idle_contest(corpus: Corpus) -> Iterator[Found]:
    """A contest would code what is coded already, so it changes no reading.

    After a paper is coded anew an old contest may be settled. Remove it, or say in `as` what the challenger would code.
    """
    for place in every_tag(corpus):
        work, axis, _, tag = place
        if tag.contested is not None and tag.contested.reads_as is not None and side_of(axis, tag) is None:
            message = f"the contest of {on_axis(axis.id, tag)} would code the same"
            yield at_tag(place, message, f"awesome edit {work.key}: remove the contest", "contested")


@rule("V015", Level.WARNING)
def contest_without_day(corpus: Corpus) -> Iterator[Found]:
    """A contest has no day, so the pool of every day has it.

    `on` is the day when the contest was raised. The pool of an earlier day does not have it.
    """
    for place in every_tag(corpus):
        work, axis, _, tag = place
        if tag.contested is not None and tag.contested.on is None:
            message = f"the contest of {on_axis(axis.id, tag)} has no day, so the pool of every day has it"
            yield at_tag(place, message, f"awesome edit {work.key}: add 'on' to the contest", "contested")
