"""The survey as a static site, which works without server and network."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from awesome_cli.analysis.audit.report import agreement_sentences
from awesome_cli.analysis.claims.succession import of_results
from awesome_cli.analysis.gaps.cells import states_for
from awesome_cli.analysis.gaps.interest import interesting
from awesome_cli.analysis.gaps.matrix import matrix
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.files import paths
from awesome_cli.model.taxonomy import Map, Taxonomy
from awesome_cli.publish import shipped
from awesome_cli.publish.flow import COLOURS
from awesome_cli.publish.plots import card as drawing
from awesome_cli.publish.plots.themes import can_draw
from awesome_cli.publish.site import data, downloads, evidence, groups, runs
from awesome_cli.publish.site.candidates import candidate_pages, found_by_others, taking_part_page
from awesome_cli.publish.site.claims_pages import claims_pages
from awesome_cli.publish.site.evidence import published, succession_pages
from awesome_cli.publish.site.find import find_page
from awesome_cli.publish.site.front import card, front_page
from awesome_cli.publish.site.page import Frame, Nav, SitePage
from awesome_cli.publish.site.papers import paper_pages
from awesome_cli.publish.site.programs import claim_files
from awesome_cli.publish.site.terms import term_pages
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

FIRST_ROWS = 100
"""Rows of a table in its HTML page; assets/table.js shows the rest, a page at a time."""


def pages(corpus: Corpus, root: Path, *, base: str | None = None) -> Iterator[SitePage]:
    """Yield every page of the survey in `root`; `base` is the URL of the site, if known."""
    frame = Frame.of(corpus, root, _nav(corpus, root), base, drawing.PATH if can_draw() else None)
    paths = []
    for page in _pages(frame, root):
        paths.append(page.path)
        yield page
    yield from found_by_others(frame, paths)


def _pages(frame: Frame, root: Path) -> Iterator[SitePage]:
    corpus = frame.corpus
    revised = of_results(frame.checked)
    yield from _assets(root)
    yield from data.data_pages(corpus, base=frame.base)
    changes = evidence.change_logs(frame.checked.pool)
    yield front_page(frame, changes)
    if frame.card:
        yield SitePage(frame.card, drawing.draw(card(frame)))
    yield _map_page(frame)
    yield _papers_page(frame)
    authors, venues = groups.authors(corpus), groups.venues(corpus)
    yield find_page(frame, (authors, venues))
    yield from paper_pages(frame, authors, venues)
    yield from groups.group_pages(frame, authors)
    yield from groups.group_pages(frame, venues)
    yield from term_pages(frame, revised)
    if corpus.exclusions:
        yield _exclusions_page(frame)
    yield from candidate_pages(frame)
    if corpus.claims.claims:
        yield from claims_pages(frame)
        yield from claim_files(frame, revised)
        yield from succession_pages(frame, revised)
    if _has_flow(corpus):
        yield from evidence.flow_pages(frame)
    yield from evidence.change_pages(frame, changes, published(frame))
    if runs.trace_files(root):
        yield from runs.trace_pages(frame, root)
    yield from downloads.download_pages(frame, root)
    yield taking_part_page(frame)
    yield SitePage(".nojekyll", "")


def _has_flow(corpus: Corpus) -> bool:
    return bool(corpus.exclusions or corpus.protocol or corpus.runs)


def _nav(corpus: Corpus, root: Path) -> Nav:
    screening = (
        ("flow.html", "Flow and protocol" if corpus.protocol else "Flow", _has_flow(corpus)),
        ("exclusions.html", "Exclusions", corpus.exclusions),
        ("candidates.html", "Candidates", corpus.candidates),
    )
    papers = (
        ("papers.html", "Papers", True),
        ("authors.html", "Authors", groups.authors(corpus).by_name),
        ("venues.html", "Venues", groups.venues(corpus).by_name),
    )
    sections: tuple[tuple[str, tuple[tuple[str, str, object], ...]], ...] = (
        ("Map", (("map.html", "Map", True),)),
        ("Papers", papers),
        ("Claims", (("claims.html", "Claims", corpus.claims.claims),)),
        ("Terms", (("terms.html", "Terms", True),)),
        ("Screening", screening),
        ("Changes", (("changes.html", "Changes", True),)),
        ("Traces", (("traces.html", "Traces", runs.trace_files(root)),)),
        ("Data", (("data.html", "Data", True),)),
    )
    there = ((label, tuple((path, name) for path, name, has in pages if has)) for label, pages in sections)
    return tuple((label, pages) for label, pages in there if pages)


def _assets(root: Path) -> Iterator[SitePage]:
    """Yield scripts and styles; files of the survey override shipped files of the same name."""
    for file in sorted((shipped() / "site" / "assets").iterdir()):
        override = paths.read(root, f"templates/site/assets/{file.name}")
        yield SitePage(f"assets/{file.name}", file.read_bytes() if override is None else override)
    yield SitePage("assets/colours.css", _colours())


def _colours() -> str:
    """Return a style sheet with properties for each gap state and shade, and dark colours for the flow's boxes."""
    boxes = (f".drawing .{name} {{ fill: {colour['dark']}; }}" for name, colour in COLOURS.items())
    dark = ["@media screen and (prefers-color-scheme: dark) {", *_state_rules("dark"), "}"]
    screen = ["@media screen and (prefers-color-scheme: dark) {", *boxes, "}"]
    return "\n".join([*_state_rules("light"), *dark, *screen]) + "\n"


def _state_rules(theme: str) -> Iterator[str]:
    for state in STATES:
        for i, colours in enumerate(getattr(state, theme), 1):
            properties = " ".join(f"--{name}: {colour};" for name, colour in asdict(colours).items() if colour)
            yield f".{state.value}{f'.shade{i}' if i > 1 else ''} {{ {properties} }}"


def _scripts(*names: str, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*data.SCRIPTS[:2], *also, *data.SCRIPTS[2:], *(f"assets/{name}.js" for name in names))


def _map_page(frame: Frame) -> SitePage:
    taxonomy = frame.corpus.taxonomy
    maps = taxonomy.maps or (Map(rows=taxonomy.axes[0].id),)
    facets = [taxonomy.by_id[axis] for axis in data.facets(taxonomy)]
    return frame.page(
        "map.html",
        "map",
        title="Evidence-gap map",
        description=f"Evidence-gap map of {counted(len(frame.corpus.papers), 'paper')}: "
        f"{'; '.join(_pair(taxonomy, pair) for pair in maps)}.",
        styles=("map",),
        matrices=[matrix(frame.corpus, pair) for pair in maps],
        maps=maps,
        agreement=list(agreement_sentences(frame.corpus, maps[0].rows, maps[0].columns)),
        states=states_for(frame.corpus),
        facets=facets,
        interest=interesting(frame.corpus, maps[:1]),
        scripts=_scripts("filters", "readings", "cells", "panel", "map", also=(data.NEAR, data.WAITING)),
    )


def _pair(taxonomy: Taxonomy, pair: Map) -> str:
    columns = taxonomy.by_id[pair.columns].label.lower() if pair.columns else "strength"
    return f"{taxonomy.by_id[pair.rows].label.lower()} by {columns}"


def _papers_page(frame: Frame) -> SitePage:
    taxonomy = frame.corpus.taxonomy
    # The order in which the script sorts at first: newest first, then as in the records.
    ordered = sorted(frame.corpus.papers, key=lambda paper: (paper.year is None, -(paper.year or 0)))
    return frame.page(
        "papers.html",
        "papers",
        title="Papers",
        description=f"{counted(len(ordered), 'paper')} with year, venue and codings on "
        f"{', '.join(axis.label.lower() for axis in taxonomy.axes)}, to search, filter, sort and cite.",
        styles=("papers",),
        axes=[taxonomy.by_id[axis] for axis in data.badges(taxonomy)],
        papers=ordered[:FIRST_ROWS],
        total=len(frame.corpus.papers),
        scripts=_scripts("filters", "readings", "cite", "facets", "table", "papers"),
    )


def _exclusions_page(frame: Frame) -> SitePage:
    taxonomy = frame.corpus.taxonomy
    ordered = sorted(frame.corpus.exclusions, key=lambda exclusion: exclusion.key)
    return frame.page(
        "exclusions.html",
        "exclusions",
        title="Exclusions",
        description=f"{counted(len(ordered), 'work')} screened out of {taxonomy.survey.title}, "
        "each with the stage, the reason and the day.",
        styles=("papers",),
        exclusions=ordered[:FIRST_ROWS],
        total=len(ordered),
        labels={entry.id: entry.label for entry in (*taxonomy.stages, *taxonomy.reasons)},
        tally=[(r, sum(e.screening.reason == r.id for e in ordered)) for r in taxonomy.reasons],
        scripts=_scripts("table", "exclusions"),
    )
