"""Papers in the formats of other programs."""

from collections.abc import Mapping
from dataclasses import replace

from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, export_format
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


def select(corpus: Corpus, query: str | None) -> Corpus:
    """The corpus with only the papers and exclusions that match a query, or all without a query."""
    if query is None:
        return corpus
    wanted = corpus.query(query)
    return replace(corpus, papers=wanted.select(corpus.papers), exclusions=wanted.select(corpus.exclusions))


def export(form: str, corpus: Corpus) -> str | Mapping[str, str]:
    """The corpus in a format: a text, or several by file name.

    Raises `UsageError` for an unknown format, and for one that the taxonomy would have to describe.
    """
    answer = export_format(require_known(form, EXPORTED, "export format")).write(corpus)
    if isinstance(answer, Mapping) and not answer:
        raise UsageError(f"the taxonomy declares no {form}", hint=f"describe it under '{form}:' in taxonomy.yaml")
    return answer
