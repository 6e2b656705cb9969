"""What a record has no field of its own for, and how it is kept: editors, and the identifiers of PubMed."""

from collections.abc import Sequence

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
