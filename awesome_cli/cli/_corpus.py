"""Load the survey of a session, its codebook and its price list, and warn about its state."""

from typing import TYPE_CHECKING

from awesome_cli.cli._session import CommandSession
from awesome_cli.errors import PartialError, SurveyError, UsageError

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.loading import RecordCache
    from awesome_cli.traces.usage import Prices


def readable_corpus(
    session: CommandSession,
    *,
    candidates: bool = False,
    evidence: bool = False,
    remark: bool = False,
    known: "RecordCache | None" = None,
) -> "Corpus":
    """Load all readable records; with `remark`, warn about each unreadable file.

    `evidence` also loads claims, protocol, audits and fetched abstracts. `known` is a cache of an earlier load.
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.kept import with_abstracts
    from awesome_cli.survey.loading import load_corpus

    remark_open(session)
    corpus = load_corpus(WorkingTree(session.root), candidates=candidates, evidence=evidence, known=known)
    if candidates and evidence:
        corpus = with_abstracts(corpus, session.root)
    if remark:
        from awesome_cli.rules.preconditions import unreadable

        for path in unreadable(corpus):
            session.say(f"warning: skipped {path}, which cannot be read")
    return corpus


def usable_corpus(
    session: CommandSession,
    as_of: "date | None" = None,
    *,
    candidates: bool = False,
    evidence: bool = False,
    reading: str | None = None,
    grade: str | None = None,
    known: "RecordCache | None" = None,
    partly: bool = False,
) -> "Corpus":
    """Load the corpus for an analysis. Unknown terms print a warning; unreadable records raise `SurveyError`.

    With `partly`, unreadable records are left out.
    """
    from awesome_cli.rules.preconditions import require_taxonomy, require_usable

    everything = candidates or as_of is not None  # a candidate may have been an exclusion then
    corpus = readable_corpus(session, candidates=everything, evidence=evidence, known=known)
    corpus = require_taxonomy(corpus) if partly else require_usable(corpus)
    corpus, warnings = corpus.with_known_tags()
    for warning in warnings:
        session.say(f"warning: {warning}")
    corpus = corpus if as_of is None else corpus.as_of(as_of)
    if reading is None and grade is None:
        return corpus
    from awesome_cli.survey.readings import read_as, reading_of

    return read_as(corpus, reading_of(corpus.taxonomy, reading, grade))


def whole_corpus(
    session: CommandSession, as_of: "date | None" = None, *, known: "RecordCache | None" = None
) -> "Corpus":
    """Load the corpus with candidates, claims and audits. Unreadable records raise `SurveyError`."""
    return usable_corpus(session, as_of, candidates=True, evidence=True, known=known)


def remark_unread(session: CommandSession, corpus: "Corpus", *kinds: str) -> int:
    """Say how many records of these kinds (default: all) were read if some were not; return the exit code."""
    from awesome_cli.rules.preconditions import partly_read
    from awesome_cli.survey.corpus import GROUPS

    messages = partly_read(corpus, kinds or GROUPS)
    for message in messages:
        session.say(f"warning: {message}")
    return PartialError.exit_code if messages else 0


def vocabulary(session: CommandSession) -> "Taxonomy | None":
    """Return the taxonomy, or None outside a survey."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import read_taxonomy

    try:
        return read_taxonomy(WorkingTree(session.root))[0]
    except SurveyError:
        return None


def require_vocabulary(session: CommandSession) -> "Taxonomy":
    """Load the taxonomy; raise `SurveyError` if the survey is missing or its taxonomy cannot be read."""
    return vocabulary(session) or readable_corpus(session).taxonomy


def remark_open(session: CommandSession) -> None:
    """Warn if an interrupted change left some files unwritten."""
    from awesome_cli.survey.journal import is_open

    if is_open(session.root):
        session.say("warning: a change of several files was interrupted; see 'awesome recover --dry-run'")


def remark_templates(session: CommandSession, last: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of the survey's own templates, and print them unless they equal `last`."""
    from awesome_cli.publish.templates import own_templates

    templates = own_templates(session.root)
    if templates and templates != last:
        session.say(f"this survey overrides templates: {', '.join(templates)}")
    return templates


def read_prices(path: "Path") -> "Prices":
    """Read a price list. Raises `UsageError` for a missing file, `SurveyError` with a place for an invalid one."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import locate, read_file
    from awesome_cli.traces.usage import Prices

    tree = WorkingTree(path.parent)
    prices, findings = read_file(tree, Prices, path.name)
    for finding in findings:
        line, column = locate(tree.read, finding)
        hint = f"{finding.fix}; print the schema with 'awesome schema prices'"
        raise SurveyError(f"{path}:{line}:{column}: {finding.message}", hint=hint)
    if prices is None:
        raise UsageError(f"no such file: {path}", hint="'awesome help metrics' describes price lists")
    return prices


def prices_beside(root: "Path | None") -> "Prices | None":
    """Return the prices in the `prices.yaml` of a survey; None without a survey or that file."""
    path = root / "prices.yaml" if root else None
    return read_prices(path) if path and path.exists() else None
