"""Import and export of bibliographic file formats.

A format is a module of this package that defines `EXPORT`, `IMPORT` or both, and is registered in the tables here.
Modules are imported lazily by name, because a command needs only one module, and help needs only the names.
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

CODINGS = "codings"
"""The format that `awesome tag --table FILE` reads back; sites do not offer it."""
EXPORTED = ("bibtex", "csv", "json", "csljson", "ris", "artifact", "screening", CODINGS)
IMPORTED = ("ris", "nbib", "json", "markdown", "bibtex", "yaml", "enw", "csv", "xml")
"""Import formats, in the order in which detection tries them."""
ENTRIES = ("papers", "unlinked", "all")
"""Entries of a Markdown list to import: only papers, also works without a link, or also tools, data sets and pages."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format. `file` is the usual file name (a folder's name ends in a slash), `about` the purpose.

    `write` returns a text or, for a folder, texts by file name; no texts if the taxonomy does not define the folder.
    `raw` is a writer that does not escape cells that a spreadsheet would evaluate. `keeps` has the fields that survive
    a round trip (`authors`, `extra.abstract`); it is empty if the format cannot be imported. For a given paper,
    `keeps_too` yields further such fields, and `changes` yields fields of `keeps` that are changed.
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
    """Options of an import. `form` is the name of the format; None to detect the format.

    `columns` maps columns of the file to fields or axes. `decisions` maps words of a decision column to a kind of
    record or `skip`. `tags_from` has the names of columns whose values become tags. `raw` keeps leading apostrophes of
    CSV cells. `entries` is a value of `ENTRIES`.
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
    """An import format. `endings` are its file extensions; `recognises` tests the start of a text.

    `read` takes the text, the file name (for positions such as `refs.bib:12`) and the options. It raises `ValueError`
    if the text is not in the format. If `by_name`, its endings decide, and an import of a folder skips the files.
    """

    endings: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[str, str, ReadingOptions], "Batch"]
    by_name: bool = False


def export_format(name: str) -> ExportFormat:
    """Load the export format with a name of `EXPORTED`."""
    form: ExportFormat = importlib.import_module(f"{__name__}.{name}").EXPORT
    return form


def completions() -> list[tuple[str, str]]:
    """Return `(name, purpose)` of each export format."""
    return [(name, export_format(name).about) for name in EXPORTED]


def import_formats() -> Mapping[str, ImportFormat]:
    """Return all import formats by name."""
    return {name: importlib.import_module(f"{__name__}.{name}").IMPORT for name in IMPORTED}


def detect(name: str, text: str) -> str | None:
    """Return the name of a file's format, None if unknown; the start of the text overrides a wrong extension."""
    ending, start = name.rpartition(".")[2].casefold(), text.lstrip("\ufeff \n\t")
    known = import_formats()
    expected = next((form for form, reader in known.items() if ending in reader.endings), None)
    if expected and (known[expected].by_name or known[expected].recognises(start)):
        return expected
    return next((form for form, reader in known.items() if reader.recognises(start)), expected)
