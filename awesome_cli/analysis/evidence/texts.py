"""Where the text of a paper comes from: a folder of texts, else arXiv's page of the paper."""

import re
from io import BytesIO, TextIOWrapper
from pathlib import Path

from awesome_cli.errors import NotKnownError
from awesome_cli.files import paths
from awesome_cli.model.records import AnyWork
from awesome_cli.sources import arxiv
from awesome_cli.system.network import Net
from awesome_cli.text.html import sections
from awesome_cli.text.passages import Searchable

ENDINGS = (".txt", ".md", ".html")
LARGEST = 20_000_000
"""The size in bytes up to which a file is read."""
HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)


def text_of(work: AnyWork, folder: Path | None, net: Net) -> Searchable:
    """The text of a work, to look quotes up in.

    Raises `NotKnownError` if it has none that can be read, and another `NetError` if none could be fetched.
    """
    found = in_folder(work.key, folder)
    text = Searchable(sections(_fetch(work, folder, net)) if found is None else found)
    if not text.words:
        raise NotKnownError("the text is empty")
    return text


def in_folder(key: str, folder: Path | None) -> tuple[tuple[str, str], ...] | None:
    """The sections of the text of a work that a folder has; None for none.

    Raises `NotKnownError` if it cannot be read.
    """
    return next((t for e in ENDINGS if folder and (t := _read(folder, key, e)) is not None), None)


def _read(folder: Path, key: str, ending: str) -> tuple[tuple[str, str], ...] | None:
    """The sections of the text of a work in a folder; None where there is no such file."""
    try:
        data = paths.read(folder, f"{key}{ending}", LARGEST)
        if data is None:
            return None
        text = TextIOWrapper(BytesIO(data), encoding="utf-8-sig").read()
    except paths.UnusableError as error:
        raise NotKnownError(error.message) from error
    except UnicodeDecodeError as error:
        raise NotKnownError(f"{key}{ending} is not a text in UTF-8") from error
    if ending == ".html":
        return sections(text)
    if ending == ".txt":
        return (("", text),)
    before, *rest = HEADING.split(text)
    return (
        ("", before),
        *((title.strip(), f"{title}\n{body}") for title, body in zip(rest[::2], rest[1::2], strict=True)),
    )


def _fetch(work: AnyWork, folder: Path | None, net: Net) -> str:
    for ids in (work.identifiers, *(version.identifiers for version in work.versions)):
        if ids.arxiv:
            return arxiv.fetch_page(ids, net)
    raise NotKnownError("no arXiv id" + (", and no text in --texts DIR" if folder else ""))
