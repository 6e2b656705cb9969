"""Formats of bibliographic files: what other programs write is read, what they read is written.

A format is a module of this package that ends with an `EXPORT`, an `IMPORT` or both, and its name in the tables here.
Modules are imported by name, because a command needs only one of them, and help needs only the names.
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
"""The formats that are read, in the order in which a text is tried."""
ENTRIES = ("papers", "all")
"""The entries of a list that are taken in: those that lead to papers, or also tools, data sets, courses, pages."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """How a format is written: the usual name of its file (or its folder, with a slash at the end), what it is for.

    `write` gives a text, or for a folder the texts by file name; none if the taxonomy does not describe the folder.
    `raw` does not escape cells that a spreadsheet would run. `keeps` names the fields that an import brings back
    unchanged (`authors`, `tags`, `extra.abstract`), none for a format that nothing reads; `keeps_too` names further
    ones of a paper, and `changes` those of `keeps` whose value does not fit.
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
    """How to read: `columns` maps names in the file to fields or axes; `form` is the format, if named.

    `decisions` says what words in a decision column mean (a kind of record, or `skip`), `tags_from` names the fields
    of the file whose words are to become tags. With `raw`, no apostrophe of a CSV cell is taken off. `entries` is one
    of `ENTRIES`: which entries of a list in Markdown are works.
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
    """How a format is read: the endings of its files, a test for the beginning of a text, and the reader.

    `read` takes the text, the name of its file, which places begin with (`refs.bib:12`), and the options. It may raise
    `ValueError` if the text as a whole is not in the format. Files of a format that is read `by_name` are left alone in
    a folder, since they may be anything.
    """

    endings: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[str, str, ReadingOptions], "Batch"]
    by_name: bool = False


def export_format(name: str) -> ExportFormat:
    """How a format of `EXPORTED` is written."""
    found: ExportFormat = importlib.import_module(f"{__name__}.{name}").EXPORT
    return found


def completions() -> list[tuple[str, str]]:
    """The names of `EXPORTED` with what each is for."""
    return [(name, export_format(name).about) for name in EXPORTED]


def import_formats() -> Mapping[str, ImportFormat]:
    """How each format of `IMPORTED` is read, by name."""
    return {name: importlib.import_module(f"{__name__}.{name}").IMPORT for name in IMPORTED}


def detect(name: str, text: str) -> str | None:
    """The format of a text: by the ending of its file's name, otherwise by how the text begins; None for no format.

    A text that does not begin as its ending says, and plainly as another format, is in that.
    """
    ending, start = name.rpartition(".")[2].casefold(), text.lstrip("\ufeff \n\t")
    known = import_formats()
    named = next((form for form, reader in known.items() if ending in reader.endings), None)
    if named and known[named].recognises(start):
        return named
    return next((form for form, reader in known.items() if reader.recognises(start)), named)
