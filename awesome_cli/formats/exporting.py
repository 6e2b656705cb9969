"""Papers in the formats of other programs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, export_format
from awesome_cli.model.records import Exclusion, Link, Paper
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.text.known import require_known

WITH_EXCLUSIONS = frozenset({"json", "artifact"})
"""The formats that have a place for exclusions of their own."""


def select(corpus: Corpus, query: str | None, kind: str = "paper") -> Corpus:
    """The corpus with only the records of a kind that match a query; of papers, with the exclusions that match.

    Candidates stand where papers do, so that each format can write them.
    """
    corpus = corpus.where(query, *GROUPS.values())
    if kind == "paper":
        return replace(corpus, candidates=())
    if kind == "exclusion":
        return replace(corpus, papers=(), candidates=())
    return replace(corpus, papers=cast("tuple[Paper, ...]", corpus.candidates), exclusions=(), candidates=())


def export(form: str, corpus: Corpus, kind: str = "paper") -> str | Mapping[str, str]:
    """The corpus in a format: a text, or several by file name.

    Raises `UsageError` for an unknown format, and for one that the taxonomy would have to describe.
    """
    written = export_format(require_known(form, EXPORTED, "export format"))
    if kind == "exclusion" and form not in WITH_EXCLUSIONS:
        corpus = replace(corpus, papers=tuple(map(_as_paper, corpus.exclusions)))
    answer = written.write(corpus)
    if isinstance(answer, Mapping) and not answer:
        raise UsageError(f"the taxonomy declares no {form}", hint=f"describe it under '{form}:' in taxonomy.yaml")
    return answer


def _as_paper(record: Exclusion) -> Paper:
    """What an exclusion has of a paper."""
    links = (Link(label="Paper", url=record.url),) if record.url else ()
    shared = ("key", "title", "authors", "year", "identifiers", "note", "extra")
    # Not validated: the ids of exclusions may have capital letters.
    fields = {name: getattr(record, name) for name in shared}
    return Paper.model_construct(**fields, links=links, added=record.screening.on)
