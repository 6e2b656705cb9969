"""Template data of the README islands: one function per island, of the same name."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from awesome_cli.analysis import publication
from awesome_cli.analysis.claims.admission import outlook_sentence
from awesome_cli.analysis.claims.finding import lead_agreement, leading
from awesome_cli.analysis.claims.report import tally_sentence
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check
from awesome_cli.analysis.claims.sensitivity import endangered
from awesome_cli.analysis.claims.wording import all_observed
from awesome_cli.analysis.flow import protocol_headline, protocol_lists, protocol_tables
from awesome_cli.analysis.gaps.cells import GapCell, GapMap, GapReason, gap_map, silence_notes
from awesome_cli.analysis.gaps.interest import Interest, interesting
from awesome_cli.model.appearance import Plot
from awesome_cli.model.claims import Revised
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Term, outline
from awesome_cli.publish.forms import form_address
from awesome_cli.publish.freshness import PICTURES
from awesome_cli.publish.hosts import contact_address, in_repository
from awesome_cli.publish.plots.charts import chosen_pair
from awesome_cli.publish.plots.picture_files import THEMES
from awesome_cli.reports.report import Table
from awesome_cli.survey.corpus import Corpus, Side
from awesome_cli.survey.readings import read_as, reading_of
from awesome_cli.text.markup import Markdown, code, escape_part, link, split, table
from awesome_cli.text.names import byline


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """Papers under a heading with a definition; `below` is the depth of the heading, 0 at the top level."""

    label: str
    definition: str
    papers: tuple[dict[str, object], ...]
    below: int = 0

    @property
    def marks(self) -> Markdown:
        """The `#` marks of the heading."""
        return Markdown("#" * min(2 + self.below, 6))


def papers(corpus: Corpus) -> dict[str, object]:
    """Papers grouped by the terms of the README's axis; papers without a term are in the last group."""
    readme = corpus.taxonomy.readme
    if readme is None:
        return {"groups": (_group(corpus, "Papers", "", corpus.papers),)}
    axis = corpus.taxonomy.by_id[readme.group_by]
    groups = []
    coded = {tag.term for paper in corpus.papers for tag in paper.tags_on(axis.id)}
    for term, depth in outline(axis):
        matching = [paper for paper in corpus.papers if any(tag.term == term.id for tag in paper.tags_on(axis.id))]
        if coded & axis.family[term.id]:
            groups.append(_group(corpus, term.label, term.definition, matching, depth))
    rest = _group(corpus, "Other papers", "", [paper for paper in corpus.papers if not paper.tags_on(axis.id)])
    return {"groups": [*groups, rest] if rest.papers else groups}


def _group(corpus: Corpus, label: str, definition: str, papers: Iterable[Paper], below: int = 0) -> PaperGroup:
    ordered = sorted(papers, key=lambda paper: (-(paper.year or 0), paper.title.casefold()))
    return PaperGroup(label, definition, tuple(_entry(corpus, paper) for paper in ordered), below)


def _entry(corpus: Corpus, paper: Paper) -> dict[str, object]:
    return {
        "title": link(paper.title, paper.address or ""),
        "summary": _sentence(paper.summary or ""),
        "facts": tuple(fact for fact in (byline(paper.authors), paper.year, paper.venue) if fact),
        "badges": _badges(corpus, paper),
    }


def _linked(corpus: Corpus, text: str) -> Markdown:
    """Return a text in Markdown with titles and links in place of keys of records."""

    def link_of(match: re.Match[str]) -> Markdown | None:
        record = corpus.by_key.get(match[0])
        return link(corpus.short_titles[record.key], getattr(record, "address", None) or "") if record else None

    parts = split(" ".join(text.split()), link_of)
    return Markdown("".join(part if isinstance(part, Markdown) else escape_part(part) for part in parts))


def _badges(corpus: Corpus, paper: Paper) -> tuple[Markdown, ...]:
    """Return one badge per badge axis of the README, with the paper's terms on that axis. Opposed terms are marked."""
    readme, labels = corpus.taxonomy.readme, Counter(term.label for a in corpus.taxonomy.axes for term in a.terms)
    axes = (corpus.taxonomy.by_id[name] for name in (readme.badges if readme else ()))
    shown = (
        [_short(axis, tag.term, labels) + (f" ({tag.mark})" if tag.mark else "") for tag in paper.tags_on(axis.id)]
        for axis in axes
    )
    return tuple(code(", ".join(dict.fromkeys(badges))) for badges in shown if badges)


def _short(axis: Axis, term_id: str, labels: Mapping[str, int]) -> str:
    """Return the term's badge or label. If the label is ambiguous, prefix it with the axis: `scope: other`."""
    term = axis.by_id.get(term_id)
    if term is None:
        return term_id
    return term.badge or (term.label if labels[term.label] == 1 else f"{axis.label}: {term.label}").lower()


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?" else text + "."


NUMBERS = ("Papers", "As a part")
"""Right-aligned columns of tables of terms: number of papers with the term as main coding, or only as a part."""
FEW = 4
"""The number of gaps shown before the list of papers."""
NARROWER = "\N{EN DASH} "
"""Indent of a term's label, repeated for each ancestor of the term."""


def headline(corpus: Corpus) -> dict[str, object]:
    """Counts of papers and exclusions, the leading claims, and the agreement of second codings."""
    checked = check(corpus)
    leads = leading(checked)
    return {
        "retained": len(corpus.papers),
        "excluded": len(corpus.exclusions),
        "audited": len(corpus.papers) + len(corpus.exclusions),
        "cutoff": corpus.taxonomy.survey.cutoff,
        "last_added": max((paper.added for paper in corpus.papers), default=None),
        "leading": leads,
        "agreement": lead_agreement(checked.pool, leads),
        **finding(corpus),
    }


def _verdict(result: ClaimResult) -> str:
    """Return the status of a claim, such as `undecided: 1 of 4 papers not coded yet would overturn it`."""
    return f"undecided: {result.doubts[0]}" if result.doubts else result.status.words


def finding(corpus: Corpus) -> dict[str, object]:
    """The finding as the survey states it."""
    return {"finding": corpus.taxonomy.survey.finding, "linked": partial(_linked, corpus)}


def picture(corpus: Corpus) -> dict[str, object]:
    """The first gap matrix among the README's plots: files, alternative text, and the URL of the linked site."""
    readme, site = corpus.taxonomy.readme, corpus.taxonomy.survey.site
    plot = next((plot for plot in readme.plots if plot.kind == "gaps"), None) if readme else None
    files = {theme: Markdown(f"{PICTURES}/{plot.name}-{theme}.svg") for theme in THEMES} if plot else {}
    return {
        **dict.fromkeys(THEMES),
        **files,
        "alt": Markdown(html.escape(_alt(corpus, plot)) if plot else ""),
        "site": Markdown(site or ""),
    }


def _alt(corpus: Corpus, plot: Plot) -> str:
    """Return the picture's alternative text: its title and, for a single axis, the state and papers of each term."""
    pair = chosen_pair(corpus, plot, strength=True)
    axis, other = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id.get(pair.columns or "")
    cells = gap_map(corpus, axes=(axis.id,), pairs=()).axes[axis.id] if other is None else {}
    states = (f"{axis.by_id[term].label} {cell.word}, {len(cell.covering)}" for term, cell in cells.items())
    title = plot.label or pair.label or f"{axis.label} by {other.label.lower() if other else 'strength'}"
    return f"{title}: {'; '.join(states)}." if cells else title


def summary(corpus: Corpus) -> dict[str, object]:
    """A table of the most interesting gaps, and a sentence on how many claims hold."""
    rows = [(_cell_name(i), f"{len(i.cell.covering)} ({i.cell.word})", i.reason) for i in interesting(corpus)[:FEW]]
    columns = ("Where evidence is missing", "Papers", "Records that could change it")
    claims = tally_sentence(check(corpus), ended=True) if corpus.claims.claims else ""
    return {
        "gaps": table(columns, rows, (False,) * 3) if rows else None,
        "notes": silence_notes(corpus),
        "claims": claims[:1].upper() + claims[1:],
    }


def _cell_name(gap: Interest) -> str:
    pairs = ((gap.rows, gap.row), (gap.columns, gap.column))
    return " with ".join(f"{term.label} ({axis.label.lower()})" for axis, term in pairs if axis and term)


def taxonomy(corpus: Corpus) -> dict[str, object]:
    """One table per axis: code, term, meaning and number of papers."""
    readme = corpus.taxonomy.readme
    axes = [corpus.taxonomy.by_id[name] for name in readme.tables] if readme else list(corpus.taxonomy.axes)
    cells = gap_map(corpus, axes=[axis.id for axis in axes], pairs=()).axes
    return {"axes": [_term_table(corpus, axis, cells[axis.id]) for axis in axes]}


def _term_table(corpus: Corpus, axis: Axis, cells: Mapping[str, GapCell]) -> dict[str, object]:
    depths = outline(axis)
    terms = [term for term, _ in depths]
    otherwise = {term.id: publication.otherwise(corpus, axis, term) for term in terms}
    typical = {
        term.id: {a.label: ", ".join(t.label.lower() for t in terms) for a, terms in publication.typical(corpus, term)}
        for term in terms
    }
    has_parts = any(cell.parts for cell in cells.values())
    has_codes = any(term.code for term in terms)  # a child has the code of its parent, else a dash
    examples = [[key + "*" * (key in otherwise[term.id]) for key in term.representatives] for term in terms]
    typical_of = {name: None for values in typical.values() for name in values}
    columns: list[tuple[str, Sequence[str]]] = [
        ("", [_code_of(axis, term) for term in terms]),
        (axis.label, [term.label if has_codes else NARROWER * depth + term.label for term, depth in depths]),
        ("Meaning", [term.definition for term in terms]),
        *((f"Typical {name.lower()}", [typical[term.id].get(name, "") for term in terms]) for name in typical_of),
        ("Representatives", [_linked(corpus, ", ".join(keys)) for keys in examples]),
        ("Papers", [str(cells[term.id].n) for term in terms]),
        ("As a part", [str(len(cells[term.id].parts)) if has_parts else "" for term in terms]),
    ]
    shown = [(name, cells) for name, cells in columns if any(cells)]
    rows = list(zip(*(cells for _, cells in shown), strict=True))
    return {
        "axis": axis,
        "table": table([name for name, _ in shown], rows, [name in NUMBERS for name, _ in shown]),
        "notes": silence_notes(corpus, axis),
        "otherwise": code(f"awesome explain {axis.id}") if any(otherwise.values()) else None,
    }


def _code_of(axis: Axis, term: Term) -> str:
    parent = axis.by_id.get(term.parent or "")
    return term.code or (f"({parent.code})" if parent and parent.code else "")


def gaps(corpus: Corpus) -> dict[str, object]:
    """The gap table of the axes that the README shows."""
    readme = corpus.taxonomy.readme
    axes = readme.gaps if readme else tuple(axis.id for axis in corpus.taxonomy.axes if not axis.bookkeeping)
    cover = gap_map(corpus, axes=axes, pairs=())
    # Both readings apply contests from the grade `contested_from`.
    pools = (read_as(corpus, reading_of(corpus.taxonomy, side)) for side in Side if corpus.taxonomy.grades)
    read = [gap_map(pool, axes=axes, pairs=()) for pool in pools]
    rows: list[list[str]] = []
    for axis_id, cells in cover.axes.items():
        axis = corpus.taxonomy.by_id[axis_id]
        for term, cell in cells.items():
            if cell.state.lacks:
                rows.append(_gap_row(axis, axis.by_id[term], cell))
                rows[-1][-1] += _in_words(cell, [(other, other.axes[axis_id][term]) for other in read])
    columns = ("Axis", "Term", "State in this pool", "Papers", "Evidence")
    sparse = str(corpus.taxonomy.sparse)
    return {"table": table(columns, rows, (False, False, False, True, False)), "cells": len(rows), "sparse": sparse}


def _in_words(cell: GapCell, read: Sequence[tuple[GapMap, GapCell]]) -> str:
    """Return a cell's counts in readings that differ from the count as coded: `; strict reading 0`."""
    parts = [
        f"{pool.corpus.reading.side} reading {len(other.covering)}"
        for pool, other in read
        if pool.corpus.reading and len(other.covering) != len(cell.covering)
    ]
    return "".join(f"; {part}" for part in parts)


def _gap_row(axis: Axis, term: Term, cell: GapCell) -> list[str]:
    strengths = [f"{n} {strength}" for strength, n in cell.by_strength.items() if n]
    evidence = ", ".join(strengths) or cell.why or ""
    if cell.parts and cell.reason is not GapReason.PARTS_ONLY:
        evidence += f"{'; ' if evidence else ''}part of {len(cell.parts)} more"
    if cell.contested:
        evidence += f"; {len(cell.contested)} contested"
    if cell.base and cell.base != cell.why and cell.state.lacks:
        evidence += f"{'; ' if evidence else ''}{cell.base}"
    return [axis.label, term.full_label, cell.word, str(cell.n), evidence]


def exclusions(corpus: Corpus) -> dict[str, object]:
    """Exclusions by reason and stage."""
    words = corpus.taxonomy
    pairs = Counter((e.screening.reason, e.screening.stage) for e in corpus.exclusions)
    stages = [stage for stage in words.stages if any(pairs[r.id, stage.id] for r in words.reasons)]
    rows = [
        [reason.label, reason.definition, *(str(pairs[reason.id, stage.id]) for stage in stages)]
        for reason in words.reasons
    ]
    columns = ["Reason", "Meaning", *(stage.label.capitalize() for stage in stages)]
    right = (False, False, *(True for _ in stages))
    near = sum(bool(exclusion.near_miss) for exclusion in corpus.exclusions)
    return {"table": table(columns, rows, right), "excluded": len(corpus.exclusions), "near_misses": near}


def protocol(corpus: Corpus) -> dict[str, object]:
    """Kind of review, sources, query families, criteria, and the permitted use of each kind of publication."""
    return {
        "headline": protocol_headline(corpus.protocol) if corpus.protocol else "This survey states no protocol.",
        "tables": [_counted(lines) for lines in protocol_tables(corpus)],
        "lists": [(title, items) for title, items in protocol_lists(corpus) if items],
    }


def _counted(lines: Table) -> Markdown:
    """Return a Markdown table with right-aligned columns of numbers."""
    right = tuple(isinstance(cell, int) for cell in lines.rows[0])
    return table(lines.columns, [[str(cell) for cell in row] for row in lines.rows], right)


def citation(corpus: Corpus) -> dict[str, object]:
    """The survey's BibTeX entry, from the taxonomy."""
    fields = dict(corpus.taxonomy.survey.citation)
    kind, key = fields.pop("type", "misc"), fields.pop("key", "survey")
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return {"bibtex": Markdown("\n".join([f"@{kind}{{{key},", *lines, "}"])), "survey": corpus.taxonomy.survey}


def contribute(corpus: Corpus) -> dict[str, object]:
    """Links to contribute, and the badge of the survey's checks."""
    survey = corpus.taxonomy.survey
    links = in_repository(survey)
    checks = links["checks"]
    forms = {kind: form_address(survey, kind) for kind in ("paper", "coding")}
    forms["coding"] = forms["coding"] if corpus.taxonomy.grades else None
    forms["contact"] = Markdown(f"<{survey.contact}>") if contact_address(survey) else None
    return {**links, **forms, "badge": Markdown(f"[![Checks]({checks}/badge.svg)]({checks})") if checks else None}


def claims(corpus: Corpus) -> dict[str, object]:
    """A table of claims, and a sentence on each claim that candidates could overturn."""
    results = check(corpus)
    texts = [(r.claim.statement, all_observed(r.verdict.outcomes), r.life or _verdict(r)) for r in results.results]
    ids = [code(result.claim.id) for result in results.results]
    rows = [(name, *(_linked(corpus, text) for text in cells)) for name, cells in zip(ids, texts, strict=True)]
    return {
        "n": len(rows),
        "table": table(("Claim", "Statement", "Observed", "Status"), rows, (False,) * 4),
        "contested": any(result.status is ClaimStatus.CONTESTED for result in results.results),
        "ended": any(not result.stands for result in results.results),
        "revised": [
            (result.claim, [_linked(corpus, text) for text in (result.ended.because, *result.claim.paragraphs)])
            for result in results.results
            if isinstance(result.ended, Revised)
        ],
        "forecasts": [
            Markdown(f"{code(name)}: {_linked(corpus, outlook_sentence(each))}.")
            for name, each in endangered(results).items()
        ],
    }


_SHORT = (headline, picture, summary, contribute, papers, citation)
_FULL = (finding, protocol, taxonomy, gaps, claims, exclusions)
ISLANDS: Mapping[str, Callable[[Corpus], dict[str, object]]] = {f.__name__: f for f in (*_SHORT, *_FULL)}
"""Island to the function that returns its template data; the template is templates/readme/ISLAND.md.j2."""
