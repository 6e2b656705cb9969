"""Import and export of bibliographic file formats.

A format is a module of this package that defines `EXPORT`, `IMPORT` or both, and is registered in the tables here.
Modules are imported lazily by name, because a command needs only one of them, and help needs only the names.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from awesome_cli.model.drafts import Batch
    from awesome_cli.model.records import Paper
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.survey.corpus import Corpus

EXPORTED = ("bibtex", "csv", "json", "csljson", "ris", "artifact", "screening")
IMPORTED = ("ris", "nbib", "json", "markdown", "bibtex", "yaml", "csv")
"""Import formats, in the order in which detection tries them."""
ENTRIES = ("papers", "all")
"""Choices for the entries of a list: only papers, or also tools, data sets, courses and pages."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format: the usual name of its file (a folder ends in a slash), its purpose and its writer.

    `write` returns a text, or for a folder the texts by file name, empty if the taxonomy does not define the folder.
    `raw` does not escape cells that a spreadsheet would evaluate. `keeps` names the fields that survive a round trip
    (`authors`, `tags`, `extra.abstract`), none if the format cannot be imported; `keeps_too` yields further fields of a
    paper, and `changes` the exceptions to `keeps`.
    """

    file: str
    about: str
    write: Callable[["Corpus"], str | Mapping[str, str]]
    keeps: frozenset[str] = frozenset()
    keeps_too: Callable[["Paper"], Iterable[str]] = lambda _: ()
    changes: Callable[["Paper"], Iterable[str]] = lambda _: ()
    raw: Callable[["Corpus"], str | Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options of an import: `columns` maps columns of the file to fields or axes; `form` is the format, if named.

    `decisions` maps words of a decision column to a kind of record or `skip`; `tags_from` names the columns whose
    values become tags. With `raw`, leading apostrophes of CSV cells are not removed. `entries` is one of `ENTRIES`, the
    entries of a Markdown list to import.
    """

    taxonomy: "Taxonomy"
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    encoding: str | None = None
    decisions: Mapping[str, str] = field(default_factory=dict)
    tags_from: tuple[str, ...] = ()
    raw: bool = False
    entries: str = "papers"


@dataclass(frozen=True, slots=True)
class ImportFormat:
    """An import format: its file extensions, a test for the start of a text, and the reader.

    `read` takes the text, the name of its file for positions (`refs.bib:12`), and the options. It raises `ValueError`
    if the text is not in the format. If `by_name`, files of the format are imported only when named, not when found in
    a folder.
    """

    endings: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[str, str, ReadingOptions], "Batch"]
    by_name: bool = False


def export_format(name: str) -> ExportFormat:
    """Return a format of `EXPORTED` by name."""
    form: ExportFormat = importlib.import_module(f"{__name__}.{name}").EXPORT
    return form


def completions() -> list[tuple[str, str]]:
    """Return name and purpose of each export format."""
    return [(name, export_format(name).about) for name in EXPORTED]


def import_formats() -> Mapping[str, ImportFormat]:
    """Return all import formats by name."""
    return {name: importlib.import_module(f"{__name__}.{name}").IMPORT for name in IMPORTED}


def detect(name: str, text: str) -> str | None:
    """Return the format of the file extension, unless the text's start only matches another one; None if unknown."""
    ending, start = name.rpartition(".")[2].casefold(), text.lstrip("\ufeff \n\t")
    known = import_formats()
    expected = next((form for form, reader in known.items() if ending in reader.endings), None)
    if expected and known[expected].recognises(start):
        return expected
    return next((form for form, reader in known.items() if reader.recognises(start)), expected)
