"""Rules on screenings/: a decision names a record, and words of the taxonomy."""

from collections.abc import Iterator

from awesome_cli.errors import UsageError
from awesome_cli.model.screenings import OUT, Decision, Screenings
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, rule, unknown_in
from awesome_cli.survey.corpus import Corpus


def _decisions(corpus: Corpus) -> Iterator[tuple[Screenings, Route, Decision]]:
    for held in corpus.screenings:
        yield from ((held, ("decisions", i), decision) for i, decision in enumerate(held.decisions))


@rule("R001", Level.ERROR)
def unknown_screened(corpus: Corpus) -> Iterator[Found]:
    """A screening decision names a record that does not exist.

    `key` and `of` are keys of records, or former keys. A record that was removed leaves its decisions behind: remove
    them, too.
    """
    known = {*corpus.by_key, *corpus.unread}
    for held, route, decision in _decisions(corpus):
        for name in ("key", "of"):
            yield from unknown_in(held.path, (*route, name), getattr(decision, name), known, "record", held.key)


@rule("R002", Level.ERROR)
def unknown_screening_word(corpus: Corpus) -> Iterator[Found]:
    """A screening decision has a stage, a reason or a near-miss that taxonomy.yaml does not list."""
    lists = {name: [entry.id for entry in getattr(corpus.taxonomy, f"{name}s")] for name in ("stage", "reason")}
    for held, route, decision in _decisions(corpus):
        for name, known in lists.items():
            yield from unknown_in(held.path, (*route, name), getattr(decision, name), known, name, held.key)
        for i, tag in enumerate(decision.near_miss):
            try:
                parse(tag, corpus.taxonomy)
            except UsageError as error:
                yield Found(held.path, (*route, "near_miss", i), error.message, error.hint, held.key)


@rule("R003", Level.ERROR)
def incomplete_decision(corpus: Corpus) -> Iterator[Found]:
    """A screening decision lacks what its verdict needs.

    An exclusion and a near-miss have a stage and a reason, a near-miss a tag, a duplicate the record that it is `of`,
    which is another one.
    """
    for held, route, decision in _decisions(corpus):
        if decision.verdict == "duplicate" and decision.of == decision.key:
            yield Found(
                held.path, (*route, "of"), f"{decision.key} is no duplicate of itself", "name the other", held.key
            )
        needed = ["stage", "reason"] * (decision.verdict in OUT)
        needed += ["near_miss"] * (decision.verdict == "near_miss") + ["of"] * (decision.verdict == "duplicate")
        for name in (name for name in needed if not getattr(decision, name)):
            message = f"the decision {decision.verdict!r} on {decision.key} has no {name!r}"
            yield Found(held.path, route, message, f"add '{name}: …'", held.key)
