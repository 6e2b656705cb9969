"""The README's list of papers: groups in the order of the taxonomy, the newest paper first."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, outline
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import Markdown, code, escape, link
from awesome_cli.text.names import family


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """Papers under a heading; `below` is how many headings stand above it."""

    label: str
    definition: str
    papers: tuple[dict[str, object], ...]
    below: int = 0

    @property
    def marks(self) -> Markdown:
        """What makes the label a heading of its level."""
        return Markdown("#" * min(2 + self.below, 6))


def paper_groups(corpus: Corpus) -> tuple[PaperGroup, ...]:
    """The papers by the README's grouping axis, narrower terms below their parent; those without a term come last."""
    readme = corpus.taxonomy.readme
    if readme is None:
        return (_group(corpus, "Papers", "", corpus.papers),)
    axis = corpus.taxonomy.by_id[readme.group_by]
    groups = []
    coded = {tag.term for paper in corpus.papers for tag in paper.tags_on(axis.id)}
    for term, depth in outline(axis):
        own = [paper for paper in corpus.papers if any(tag.term == term.id for tag in paper.tags_on(axis.id))]
        if coded & axis.family[term.id]:
            groups.append(_group(corpus, term.label, term.definition, own, depth))
    rest = _group(corpus, "Other papers", "", [paper for paper in corpus.papers if not paper.tags_on(axis.id)])
    return (*groups, rest) if rest.papers else tuple(groups)


def _group(corpus: Corpus, label: str, definition: str, papers: Iterable[Paper], below: int = 0) -> PaperGroup:
    """The papers, newest first, then by title."""
    ordered = sorted(papers, key=lambda paper: (-(paper.year or 0), paper.title.casefold()))
    return PaperGroup(label, definition, tuple(_entry(corpus, paper) for paper in ordered), below)


def _entry(corpus: Corpus, paper: Paper) -> dict[str, object]:
    address = paper.address
    names = [name for author in paper.authors if (name := family(author))]
    who = names[0] if names else ""
    if len(paper.authors) > 1:
        who = f"{who} and {names[1]}" if len(names) == 2 == len(paper.authors) else f"{who} et al."
    return {
        "title": link(paper.title, address) if address else Markdown(escape(paper.title)),
        "summary": _sentence(paper.summary or ""),
        "facts": tuple(fact for fact in (who, paper.year, paper.venue) if fact),
        "badges": _badges(corpus, paper),
    }


def _badges(corpus: Corpus, paper: Paper) -> tuple[Markdown, ...]:
    """The paper's terms on the axes that the README shows, in short: one badge an axis, without strengths."""
    shown = (corpus.taxonomy.by_id[name] for name in (corpus.taxonomy.readme.badges if corpus.taxonomy.readme else ()))
    tagged = ((axis, [tag.term for tag in paper.tags_on(axis.id)]) for axis in shown)
    labels = Counter(term.label for axis in corpus.taxonomy.axes for term in axis.terms)
    return tuple(
        code(", ".join(dict.fromkeys(_short(axis, term, labels) for term in terms))) for axis, terms in tagged if terms
    )


def _short(axis: Axis, term_id: str, labels: Mapping[str, int]) -> str:
    """The term's own badge, else its label, behind that of its axis where other axes have a term of that label."""
    term = axis.by_id.get(term_id)
    if term is None:
        return term_id
    return term.badge or (term.label if labels[term.label] == 1 else f"{axis.label}: {term.label}").lower()


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?" else text + "."
