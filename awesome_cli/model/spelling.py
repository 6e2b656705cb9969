"""Identifiers and addresses of a record that are not valid: what `validate` finds, and `set` refuses to write."""

from collections.abc import Iterator
from dataclasses import dataclass

from awesome_cli.model.identifiers import SCHEMES, is_url, read
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers

Route = tuple[str | int, ...]
KINDS = (*SCHEMES, "url", "arxiv_version")
"""What may be misspelt: an id of a scheme, an address, a version without its id."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A value that is not valid, at its route, and the assignment (`FIELD=VALUE …`) that corrects it."""

    route: Route
    message: str
    assignment: str


def misspellings(record: AnyRecord, kind: str) -> Iterator[Misspelling]:
    """The values of one of the KINDS that are not valid."""
    if kind == "url":
        for route, address in _addresses(record):
            if not is_url(address):
                yield Misspelling(route, f"{address!r} is not a web address", f"{_path(route)}=…")
        return
    for route, identifiers in _identifiers(record):
        if kind != "arxiv_version":
            yield from _malformed(kind, getattr(identifiers, kind), route)
        elif identifiers.arxiv_version is not None and identifiers.arxiv is None:
            place = (*route, kind)
            yield Misspelling(place, "there is an arXiv version but no arXiv id", f"{_path(place)}=")


def _malformed(scheme: str, text: str | None, route: Route) -> Iterator[Misspelling]:
    row = SCHEMES[scheme]
    if text is None or row.is_id(text):
        return
    message, found, place = f"{text!r} is not {row.title}", read(scheme, text), (*route, scheme)
    right = f"{_path(place)}={found.id if found else '…'}"
    if found and found.version:
        message += f"; write the version v{found.version} in arxiv_version"
        right += f" {_path((*route, 'arxiv_version'))}={found.version}"
    yield Misspelling(place, message, right)


def _identifiers(record: AnyRecord) -> Iterator[tuple[Route, Identifiers]]:
    yield ("identifiers",), record.identifiers
    if not isinstance(record, Exclusion):
        for i, version in enumerate(record.versions):
            yield ("versions", i, "identifiers"), version.identifiers


def _addresses(record: AnyRecord) -> Iterator[tuple[Route, str]]:
    if isinstance(record, Exclusion):
        named: list[tuple[Route, str | None]] = [(("url",), record.url)]
    else:
        named = [(("links", i, "url"), link.url) for i, link in enumerate(record.links)]
        named += [(("versions", i, "url"), version.url) for i, version in enumerate(record.versions)]
    yield from ((route, address) for route, address in named if address is not None)


def _path(route: Route) -> str:
    return ".".join(map(str, route))
