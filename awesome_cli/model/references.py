"""What a person may type for a work: an identifier or an address."""

from collections.abc import Iterable, Mapping
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.model.identifiers import SCHEMES, Reference, behind_doi, is_url, on_page, read

__all__ = ["HELP", "OR_FILE", "Reference", "identifiers", "parse", "says"]
TYPED = {name: scheme for name, scheme in SCHEMES.items() if scheme.address}
"""The schemes of which a service can be asked."""
EXAMPLES = [f"{s.title} ({'' if s.bare else s.name + ':'}{s.example})" for s in TYPED.values()]
HELP = f"{', '.join(EXAMPLES)} or an address (https://…)"
OR_FILE = ", or a file with one entry (work.bib)"


def parse(text: str, *, files: bool = False) -> Reference:
    """The reference that a text is; raises `UsageError` when it is none: with `files` the text may name one, too."""
    text = text.strip()
    scheme = text.partition(":")[0].casefold() if ":" in text else ""
    if scheme in TYPED:
        return _named(scheme, text)
    if scheme in {"http", "https"}:
        return _address(text)
    for row in TYPED.values():
        if row.bare and read(row.name, text):
            return _named(row.name, text)
    what, also = (" nor a file that exists", OR_FILE) if files else ("", "")
    raise UsageError(f"{text!r} is neither an identifier nor an address{what}", hint=f"write {HELP}{also}")


def identifiers(urls: Iterable[str] = (), **known: Any) -> dict[str, Any]:
    """The identifiers of a record, as far as known values and addresses tell them; known values win."""
    found: dict[str, Any] = {}
    texts = [(scheme, str(value)) for scheme, value in known.items() if value and scheme in TYPED]
    for scheme, text in (*texts, *(("", url) for url in urls if url)):
        try:
            reference = _named(scheme, text) if scheme else parse(text)
        except UsageError:
            continue
        if reference.scheme in found or reference.scheme not in SCHEMES:
            continue
        found[reference.scheme] = reference.id
        if reference.version:
            found["arxiv_version"] = reference.version
    return found


def says(ids: Mapping[str, Any], urls: Iterable[str] = (), **known: Any) -> bool:
    """Whether values and addresses tell identifiers, and none but those of a record."""
    found = identifiers(urls, **known)
    return bool(found) and found.items() <= ids.items()


def _named(scheme: str, text: str) -> Reference:
    """The reference that a text is in a scheme. arXiv has a DOI for each id, which says no more than the id."""
    reference = read(scheme, text)
    if reference is None:
        row = SCHEMES[scheme]
        raise UsageError(f"{text!r} is not {row.title}", hint=f"{row.title} looks like {row.example}")
    made_of = behind_doi(reference)
    return made_of if made_of and SCHEMES[made_of.scheme].doi_always else reference


def _address(text: str) -> Reference:
    """An address; one at which a known service shows a work is that service's reference."""
    if page := on_page(text):
        return _named(*page)
    if not is_url(text):
        raise UsageError(f"{text!r} is not a web address", hint="an address looks like https://example.org/paper")
    return Reference("url", text)
