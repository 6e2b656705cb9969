"""What a record has no field of its own for, and how it is kept: editors, and the identifiers of PubMed."""

from collections.abc import Mapping, Sequence

from awesome_cli.model.records import Paper

AND = " and "
"""Joins names in `extra.editor`, as in BibTeX."""
PMID = "PMID:"
"""How an identifier of PubMed begins in `identifiers.other`."""


def authors_and_editors(paper: Paper) -> tuple[Sequence[str], Sequence[str]]:
    """The authors and the editors of a paper; the editors of a work without authors stand in its `authors`, too."""
    editors = paper.extra.get("editor")
    if not isinstance(editors, str):
        return paper.authors, ()
    return ((), paper.authors) if editors == AND.join(paper.authors) else (paper.authors, editors.split(AND))


def doubts(extra: Mapping[str, object], held: Mapping[str, object]) -> tuple[str, ...]:
    """A warning for each text that is kept since it is not the year or identifier that its name says."""
    names = (name for name in ("year", "doi", "isbn") if name in extra and not held.get(name))
    return tuple(f"{name} {extra[name]!r} is kept under extra.{name}, since it is not one" for name in names)
