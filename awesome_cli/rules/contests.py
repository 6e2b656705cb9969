"""Rules on contests: what a challenger would code is something that the axis defines, and something else."""

from collections.abc import Iterator

from awesome_cli.model.codings import Contest, on_axis
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, rule, spelt
from awesome_cli.rules.tags import Place, at_tag, every_tag, has_no
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import side_of


@rule("V012", Level.ERROR)
def unknown_challenge(corpus: Corpus) -> Iterator[Found]:
    """A contest would code a term or a strength that the axis does not define.

    `as` of a contest is a term of the axis, several terms, `term:strength`, `{strength: …}`, or `none`.
    """
    for place, contest in _contests(corpus):
        axis = place[1]
        for challenge in contest.reads_as or ():
            term, strength = challenge.term, challenge.strength
            if term is not None and term not in axis.by_id:
                yield at_tag(place, has_no(axis, "term", term), spelt(term, axis.by_id), "contested", "as")
            if strength is not None and strength not in axis.rank:
                fix = spelt(strength, axis.strength_ids)
                yield at_tag(place, has_no(axis, "strength", strength), fix, "contested", "as")


def _contests(corpus: Corpus) -> Iterator[tuple[Place, Contest]]:
    return ((place, place[3].contested) for place in every_tag(corpus) if place[3].contested is not None)


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
    for place, contest in _contests(corpus):
        work, axis, _, tag = place
        if contest.on is None:
            message = f"the contest of {on_axis(axis.id, tag)} has no day, so the pool of every day has it"
            yield at_tag(place, message, f"awesome edit {work.key}: add 'on' to the contest", "contested")


@rule("V018", Level.WARNING)
def retired_challenge(corpus: Corpus) -> Iterator[Found]:
    """A contest would code a strength that was retired when the contest was raised.

    A contest of an earlier day keeps the strength of its day, which counts as its successor or stronger.
    """
    for place, contest in _contests(corpus):
        work, axis = place[:2]
        retired = {entry.id: entry for entry in axis.retired if contest.on is None or contest.on >= entry.on}
        for entry in filter(None, (retired.get(challenge.strength or "") for challenge in contest.reads_as or ())):
            fix = f"awesome edit {work.key}: write {entry.use!r} or a stronger one in 'as'"
            yield at_tag(place, f"the strength {entry.id!r} was retired on {entry.on}", fix, "contested", "as")
