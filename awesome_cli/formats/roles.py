"""Editors, for which a record has no field: `extra.editor` names them, as BibTeX does, joined by `and`."""

from collections.abc import Sequence

from awesome_cli.model.records import Paper

AND = " and "


def authors_and_editors(paper: Paper) -> tuple[Sequence[str], Sequence[str]]:
    """The authors and the editors of a paper; the editors of a work without authors stand in its `authors`, too."""
    editors = paper.extra.get("editor")
    if not isinstance(editors, str):
        return paper.authors, ()
    return ((), paper.authors) if editors == AND.join(paper.authors) else (paper.authors, editors.split(AND))
