"""What a program is asked of a paper: what anybody can find of it, and the taxonomy's definitions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from awesome_cli.analysis.evidence.texts import in_folder
from awesome_cli.errors import NotKnownError
from awesome_cli.model.records import Paper
from awesome_cli.model.second_coder import AskedAxis, AskedPaper, AskedWord, CoderRequest
from awesome_cli.model.taxonomy import Axis, Named, Taxonomy
from awesome_cli.text.passages import Searchable

EVERY = "*"
"""What `required_for` says where every paper needs a term. Another query may rest on codings of the first coder."""
Sent = Literal["text", "abstract", "title"]


@dataclass(frozen=True, slots=True)
class PaperToCode:
    """A paper with its request, or the reason why there is none; `sent` is the most of it that the request has."""

    paper: Paper
    request: CoderRequest | None
    searchable: Searchable = field(default_factory=lambda: Searchable(()))
    remark: str = ""

    @property
    def sent(self) -> Sent:
        """The text, else the abstract, else the title alone."""
        paper = self.request.paper if self.request else None
        return "text" if paper and paper.text else "abstract" if paper and paper.abstract else "title"


def asked(paper: Paper, taxonomy: Taxonomy, axes: Sequence[str], folder: Path | None) -> PaperToCode:
    """The request for a paper, with its text if the folder has it."""
    try:
        sections = in_folder(paper.key, folder) or ()
    except NotKnownError as error:
        return PaperToCode(paper, None, remark=error.message)
    abstract = paper.extra.get("abstract")
    shown = AskedPaper(
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        venue=paper.venue,
        identifiers=paper.identifiers,
        address=paper.address,
        abstract=abstract if isinstance(abstract, str) and abstract else None,
        text="\n\n".join(text for _, text in sections).strip() or None,
    )
    request = CoderRequest(
        survey=taxonomy.survey.title,
        paper=shown,
        axes=tuple(_axis(taxonomy.axis(name)) for name in axes or taxonomy.by_id),
        confidences=_words(taxonomy.confidences),
    )
    return PaperToCode(paper, request, Searchable((("", paper.title), ("", shown.abstract or ""), *sections)))


def _axis(axis: Axis) -> AskedAxis:
    """An axis without what its terms say of single papers."""
    return AskedAxis(
        id=axis.id,
        label=axis.label,
        question=axis.question,
        kind=axis.kind,
        na=axis.required_for != EVERY,
        terms=_words(tuple(term for term in axis.leaves if not term.deprecated)),
        strengths=_words(axis.strengths),
    )


def _words(entries: Sequence[Named]) -> tuple[AskedWord, ...]:
    return tuple(AskedWord(id=e.id, label=e.label, definition=" ".join(e.definition.split())) for e in entries)
