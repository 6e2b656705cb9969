"""What the README's templates are given: plain values, in the order in which a page shows them."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.analysis.gaps import gap_report
from awesome_cli.analysis.gaps.cells import Cell, State, gap_map
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import Markdown, code, escape, link, table
from awesome_cli.text.names import family


def _gap_name(axis: Axis, term_id: str, cell: Cell) -> str:
    weaker = f", {cell.n} with weaker evidence" if cell.n else ""
    return f"{axis.by_id[term_id].label.lower()} ({axis.label.lower()}{weaker})"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page; `anchor` is the fragment that GitHub gives it."""

    text: str

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w\- ]", "", self.text.lower()).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Group:
    """Papers under a heading."""

    label: str
    definition: str
    papers: tuple[dict[str, object], ...]


def headings(page: str, *, besides: str) -> tuple[Heading, ...]:
    """The second-level headings of a page, but for the one that is called like its table of contents."""
    texts = re.findall(r"^## (.+?)\s*$", page, re.MULTILINE)
    return tuple(Heading(text) for text in texts if text.casefold() != besides)


def headline(corpus: Corpus) -> dict[str, object]:
    """Counts of papers and exclusions, and the gaps of the axes that the README shows."""
    chosen = corpus.taxonomy.readme.gaps if corpus.taxonomy.readme else ()
    cells = gap_map(corpus, axes=chosen, pairs=()).axes
    missing = [
        _gap_name(corpus.taxonomy.by_id[axis], term, cell)
        for axis, terms in cells.items()
        for term, cell in terms.items()
        if cell.state is State.GAP
    ]
    return {
        "retained": len(corpus.papers),
        "excluded": len(corpus.exclusions),
        "audited": len(corpus.papers) + len(corpus.exclusions),
        "cutoff": corpus.taxonomy.survey.cutoff,
        "last_added": max((paper.added for paper in corpus.papers), default=None),
        "gaps": missing,
    }


def groups(corpus: Corpus) -> tuple[Group, ...]:
    """The papers by the README's grouping axis; those without a term on it come last."""
    readme = corpus.taxonomy.readme
    if readme is None:
        return (Group("Papers", "", tuple(_entry(corpus, paper) for paper in _sorted(corpus.papers))),)
    axis = corpus.taxonomy.by_id[readme.group_by]
    found = []
    for term in axis.leaves:
        own = _sorted(tuple(p for p in corpus.papers if any(tag.term == term.id for tag in p.tags_on(axis.id))))
        if own:
            found.append(Group(term.label, term.definition, tuple(_entry(corpus, paper) for paper in own)))
    rest = _sorted(tuple(paper for paper in corpus.papers if not paper.tags_on(axis.id)))
    if rest:
        found.append(Group("Other papers", "", tuple(_entry(corpus, paper) for paper in rest)))
    return tuple(found)


def papers(corpus: Corpus) -> dict[str, object]:
    """The paper list in its groups."""
    return {"groups": groups(corpus)}


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
        "badges": badges(corpus, paper),
    }


def badges(corpus: Corpus, paper: Paper) -> tuple[Markdown, ...]:
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


def taxonomy_tables(corpus: Corpus) -> dict[str, object]:
    """A table an axis: code, term, meaning and number of papers."""
    readme = corpus.taxonomy.readme
    axes = [corpus.taxonomy.by_id[name] for name in readme.tables] if readme else list(corpus.taxonomy.axes)
    cells = gap_map(corpus, axes=[axis.id for axis in axes], pairs=()).axes
    return {"axes": [{"axis": axis, "table": _term_table(axis, cells[axis.id])} for axis in axes]}


def _term_table(axis: Axis, cells: Mapping[str, Cell]) -> Markdown:
    rows = [[_code_of(axis, term), term.label, term.definition, str(cells[term.id].n)] for term in axis.terms]
    columns = ["", axis.label, "Meaning", "Papers"]
    if not any(row[0] for row in rows):
        return table(columns[1:], [row[1:] for row in rows], (False, False, True))
    return table(columns, rows, (False, False, False, True))


def _code_of(axis: Axis, term: Term) -> str:
    parent = axis.by_id.get(term.parent or "")
    return term.code or (f"({parent.code})" if parent and parent.code else "")


def gaps(corpus: Corpus) -> dict[str, object]:
    """The gap table of the axes that the README shows."""
    readme = corpus.taxonomy.readme
    axes = readme.gaps if readme else tuple(axis.id for axis in corpus.taxonomy.axes)
    found = gap_map(corpus, axes=axes, pairs=())
    rows: list[list[str]] = []
    for axis_id, cells in found.axes.items():
        axis = corpus.taxonomy.by_id[axis_id]
        rows += [
            _gap_row(axis, axis.by_id[term], cell) for term, cell in cells.items() if cell.state is not State.COVERED
        ]
    columns = ("Axis", "Term", "State", "Papers", "Evidence")
    return {"table": table(columns, rows, (False, False, False, True, False)), "cells": len(rows)}


def _gap_row(axis: Axis, term: Term, cell: Cell) -> list[str]:
    strengths = [f"{n} {strength}" for strength, n in cell.by_strength.items() if n]
    evidence = ", ".join(strengths) or (gap_report.WORDS[cell.reason] if cell.reason else "")
    if cell.contested:
        evidence += f"; {len(cell.contested)} contested"
    label = f"{term.code} {term.label}" if term.code else term.label
    return [axis.label, label, cell.state.value, str(cell.n), evidence]


def exclusions(corpus: Corpus) -> dict[str, object]:
    """Exclusions by reason and stage."""
    taxonomy = corpus.taxonomy
    pairs = Counter((e.screening.reason, e.screening.stage) for e in corpus.exclusions)
    stages = [stage for stage in taxonomy.stages if any(pairs[r.id, stage.id] for r in taxonomy.reasons)]
    rows = [
        [reason.label, reason.definition, *(str(pairs[reason.id, stage.id]) for stage in stages)]
        for reason in taxonomy.reasons
    ]
    columns = ["Reason", "Meaning", *(stage.label.capitalize() for stage in stages)]
    right = (False, False, *(True for _ in stages))
    near = sum(bool(exclusion.near_miss) for exclusion in corpus.exclusions)
    return {"table": table(columns, rows, right), "excluded": len(corpus.exclusions), "near_misses": near}


def citation(corpus: Corpus) -> dict[str, object]:
    """The survey's BibTeX entry, from the taxonomy."""
    fields = dict(corpus.taxonomy.survey.citation)
    kind, key = fields.pop("type", "misc"), fields.pop("key", "survey")
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return {"bibtex": Markdown("\n".join([f"@{kind}{{{key},", *lines, "}"])), "survey": corpus.taxonomy.survey}
