"""Papers in the formats of other programs. A format is a function from a corpus to text and one line here."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from awesome_cli.formats import artifact_writing, bibtex_writing, csl_writing, csv_writing, json_writing, ris_writing
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known

Exporter = Callable[[Corpus], str]
FolderExporter = Callable[[Corpus], Mapping[str, str]]

EXPORTERS: Mapping[str, Exporter] = {
    "bibtex": bibtex_writing.export,
    "csv": csv_writing.export,
    "json": json_writing.export,
    "csljson": csl_writing.export,
    "ris": ris_writing.export,
}
FOLDERS: Mapping[str, FolderExporter] = {"artifact": artifact_writing.export}
"""Formats of several files: each gives the texts by file name."""


def select(corpus: Corpus, query: str | None) -> Corpus:
    """The corpus with only the papers and exclusions that match a query, all without one."""
    if query is None:
        return corpus
    wanted = corpus.query(query)
    return replace(corpus, papers=wanted.select(corpus.papers), exclusions=wanted.select(corpus.exclusions))


def export(form: str, corpus: Corpus) -> str | Mapping[str, str]:
    """The corpus in a format: a text, or several by file name; raises `UsageError` for an unknown format."""
    exporters: Mapping[str, Exporter | FolderExporter] = {**EXPORTERS, **FOLDERS}
    return exporters[require_known(form, exporters, "export format")](corpus)
