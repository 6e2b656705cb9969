"""Check that a corpus is usable for analyses: the small part of validation that every command needs."""

from collections.abc import Iterable

from awesome_cli.errors import SurveyError
from awesome_cli.model.records import KINDS
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.rules import reading, taxonomy  # noqa: F401 - importing them registers their rules
from awesome_cli.rules.registry import REGISTRY, run
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.text.numbers import shortened


def taxonomy_errors(corpus: Corpus) -> Iterable[RawFinding]:
    """Return the findings that make a taxonomy unusable."""
    return run(corpus, (r for r in REGISTRY.values() if r.topic == "taxonomy" and r.level is Level.ERROR))


def unreadable(corpus: Corpus) -> tuple[str, ...]:
    """The paths of the files that could not be read."""
    return tuple(sorted({finding.path for finding in corpus.findings if REGISTRY[finding.code].level is Level.ERROR}))


def partly_read(corpus: Corpus, kinds: Iterable[str] = GROUPS) -> tuple[str, ...]:
    """Return a message if some records of these kinds could not be read: how many were, and which were not."""
    groups = {KINDS[kind].FOLDER: len(getattr(corpus, GROUPS[kind])) for kind in kinds}
    if not (paths := [path for path in unreadable(corpus) if path.partition("/")[0] in groups]):
        return ()
    n = sum(groups.values())
    return (f"{n:,} of {n + len(paths):,} records read; cannot read {shortened(paths, 5)}; see 'awesome validate'",)


def require_taxonomy(corpus: Corpus) -> Corpus:
    """Return the corpus; raise `SurveyError` for errors in the taxonomy."""
    for broken in taxonomy_errors(corpus):
        raise SurveyError(f"taxonomy.yaml is not valid: {broken.message}", hint="see 'awesome validate'")
    return corpus


def require_usable(corpus: Corpus) -> Corpus:
    """Return the corpus; raise `SurveyError` for unreadable files, except paper.yaml, and errors in the taxonomy."""
    require_taxonomy(corpus)
    of_paper = {finding.path for finding in corpus.of_paper}
    if paths := [path for path in unreadable(corpus) if path not in of_paper]:
        message = f"some files cannot be read: {shortened(paths, 5)}"
        raise SurveyError(message, hint="see 'awesome validate'")
    return corpus
