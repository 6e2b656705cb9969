"""Remarks on the state of a survey, printed to standard error beside the answer of a command."""

from contextlib import suppress
from typing import TYPE_CHECKING

from awesome_cli.cli._session import CommandSession
from awesome_cli.errors import UsageError

if TYPE_CHECKING:
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.survey.corpus import Corpus


def remark_open(session: CommandSession) -> None:
    """Warn if an interrupted change left some files old and some new."""
    from awesome_cli.survey.journal import is_open

    if is_open(session.root):
        session.say("warning: a change of several files is not finished; see 'awesome recover --dry-run'")


def remark_unreadable(session: CommandSession, corpus: "Corpus") -> None:
    """Warn of each file that cannot be read."""
    from awesome_cli.rules.preconditions import unreadable

    for path in unreadable(corpus):
        session.say(f"warning: {path} cannot be read and is left out")


def remark_retired(session: CommandSession, taxonomy: "Taxonomy", query: str) -> None:
    """Name the retired terms of a query, and what succeeds them."""
    from awesome_cli.query.parser import parse

    with suppress(UsageError):  # The command itself refuses a query that cannot be read.
        for axis, term in sorted(parse(query, taxonomy).terms):
            if retired := taxonomy.by_id[axis].retirement(term):
                session.say(f"remark: {retired}")


def remark_templates(session: CommandSession, last: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Name the survey's own templates, unless they are the `last` ones that were named; return them."""
    from awesome_cli.publish.templates import own_templates

    own = own_templates(session.root)
    if own and own != last:
        session.say(f"this survey has templates of its own: {', '.join(own)}")
    return own
