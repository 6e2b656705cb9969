"""Load the survey of a session, its vocabulary and its prices; remark on its state."""

from typing import TYPE_CHECKING

from awesome_cli.cli._session import CommandSession
from awesome_cli.errors import SurveyError, UsageError

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.loading import RecordCache
    from awesome_cli.traces.prices import Prices


def readable_corpus(
    session: CommandSession,
    *,
    candidates: bool = False,
    evidence: bool = False,
    remark: bool = False,
    known: "RecordCache | None" = None,
) -> "Corpus":
    """Load all records that can be read; with `remark`, warn of each file that cannot.

    `evidence` are claims, protocol and audits; `known` are records that were read before, if they are still the same.
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import load_corpus

    remark_open(session)
    corpus = load_corpus(WorkingTree(session.root), candidates=candidates, evidence=evidence, known=known)
    if remark:
        remark_unreadable(session, corpus)
    return corpus


def usable_corpus(
    session: CommandSession,
    as_of: "date | None" = None,
    *,
    candidates: bool = False,
    reading: str | None = None,
    grade: str | None = None,
) -> "Corpus":
    """Load the corpus for an analysis: an unreadable record is an error, an unknown term a warning."""
    corpus = _sound(session, readable_corpus(session, candidates=candidates), as_of)
    if reading is None and grade is None:
        return corpus
    from awesome_cli.survey.readings import read_as, reading_of

    return read_as(corpus, reading_of(corpus.taxonomy, reading, grade))


def whole_corpus(
    session: CommandSession, as_of: "date | None" = None, *, known: "RecordCache | None" = None
) -> "Corpus":
    """Load the corpus with candidates, claims and audits, for an analysis of claims."""
    return _sound(session, readable_corpus(session, candidates=True, evidence=True, known=known), as_of)


def _sound(session: CommandSession, corpus: "Corpus", as_of: "date | None") -> "Corpus":
    from awesome_cli.rules.preconditions import require_usable

    corpus, warnings = require_usable(corpus).with_known_tags()
    for warning in warnings:
        session.say(f"warning: {warning}")
    return corpus if as_of is None else corpus.as_of(as_of)


def vocabulary(session: CommandSession) -> "Taxonomy | None":
    """Load the taxonomy; None outside a survey."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import read_taxonomy

    try:
        return read_taxonomy(WorkingTree(session.root))[0]
    except SurveyError:
        return None


def require_vocabulary(session: CommandSession) -> "Taxonomy":
    """Load the taxonomy; raise the `SurveyError` of `load_corpus` if that is not possible."""
    return vocabulary(session) or readable_corpus(session).taxonomy


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


def remark_templates(session: CommandSession, last: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Name the survey's own templates, unless they are the `last` ones that were named; return them."""
    from awesome_cli.publish.templates import own_templates

    own = own_templates(session.root)
    if own and own != last:
        session.say(f"this survey has templates of its own: {', '.join(own)}")
    return own


def read_prices(path: "Path") -> "Prices":
    """The prices in a file.

    Raises `UsageError` where there is none, `SurveyError` with the place where it is wrong.
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import locate, read_file
    from awesome_cli.traces.prices import Prices

    tree = WorkingTree(path.parent)
    prices, findings = read_file(tree, Prices, path.name)
    for finding in findings:
        line, column = locate(tree.read, finding)
        hint = f"{finding.fix}; the shape: 'awesome schema prices'"
        raise SurveyError(f"{path}:{line}:{column}: {finding.message}", hint=hint)
    if prices is None:
        raise UsageError(f"there is no file {str(path)!r}", hint="what it holds: awesome help metrics")
    return prices


def prices_beside(root: "Path | None") -> "Prices | None":
    """The prices beside a survey, if there are any."""
    path = root / "prices.yaml" if root else None
    return read_prices(path) if path and path.exists() else None
