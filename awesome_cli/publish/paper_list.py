"""The README's list of papers: groups in the order of the taxonomy, the newest paper first."""

from dataclasses import dataclass

from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import Markdown, code, escape, link
from awesome_cli.text.names import family


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """Papers under a heading."""

    label: str
    definition: str
    papers: tuple[dict[str, object], ...]


def paper_groups(corpus: Corpus) -> tuple[PaperGroup, ...]:
    """The papers by the README's grouping axis; those without a term on it come last."""
    readme = corpus.taxonomy.readme
    if readme is None:
        return (PaperGroup("Papers", "", tuple(_entry(corpus, paper) for paper in _sorted(corpus.papers))),)
    axis = corpus.taxonomy.by_id[readme.group_by]
    found = []
    for term in axis.leaves:
        own = _sorted(tuple(p for p in corpus.papers if any(tag.term == term.id for tag in p.tags_on(axis.id))))
        if own:
            found.append(PaperGroup(term.label, term.definition, tuple(_entry(corpus, paper) for paper in own)))
    rest = _sorted(tuple(paper for paper in corpus.papers if not paper.tags_on(axis.id)))
    if rest:
        found.append(PaperGroup("Other papers", "", tuple(_entry(corpus, paper) for paper in rest)))
    return tuple(found)


def _sorted(found: tuple[Paper, ...]) -> list[Paper]:
    """Newest first, then by title."""
    return sorted(found, key=lambda paper: (-(paper.year or 0), paper.title.casefold()))


def _entry(corpus: Corpus, paper: Paper) -> dict[str, object]:
    address = paper.address
    names = [name for author in paper.authors if (name := family(author))]
    who = names[0] if names else ""
    if len(paper.authors) > 1:
        who = f"{who} and {names[1]}" if len(names) == 2 == len(paper.authors) else f"{who} et al."
    return {
        "title": link(paper.title, address) if address else Markdown(escape(paper.title)),
        "summary": _sentence(paper.summary or ""),
        "who": who,
        "year": paper.year or "",
        "venue": paper.venue or "",
        "badges": _badges(corpus, paper),
    }


def _badges(corpus: Corpus, paper: Paper) -> tuple[Markdown, ...]:
    """The paper's tags on the axes that the README shows, in short."""
    shown = corpus.taxonomy.readme.badges if corpus.taxonomy.readme else ()
    return tuple(
        code(f"{_short(axis, tag.term)}{' ' + tag.strength if tag.strength else ''}")
        for axis in (corpus.taxonomy.by_id[name] for name in shown)
        for tag in paper.tags_on(axis.id)
    )


def _short(axis: Axis, term_id: str) -> str:
    term = axis.by_id.get(term_id)
    if term is None:
        return term_id
    return term.badge or (f"{term.code} {term.id}" if term.code else f"{axis.id}: {term.id}").replace("_", " ")


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?" else text + "."
