"""The kinds of plot, by the data of their figures: bars, panels, gaps, the timeline, claims under readings."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from running import Result

from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.gaps.cells import sparse_limit
from awesome_cli.analysis.statistics.measures import compare
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots import charts, kinds
from awesome_cli.publish.plots.charts import as_year, first_public
from awesome_cli.publish.plots.figures import Bars, Curves, Grid, Points, rows
from awesome_cli.publish.plots.picture_files import figure, find
from awesome_cli.publish.plots.pictures import draw
from awesome_cli.publish.schemas import SCHEMAS
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.readings import reading_of

Run = Callable[..., Result]


def corpus_of(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), evidence=True)


def test_every_reader_of_the_kinds_knows_all_of_them(run: Run):
    names = kinds.NAMES
    assert names == tuple(sorted(name for name, one in vars(charts).items() if isinstance(one, charts.PlotKind)))
    assert SCHEMAS["taxonomy"](None)["$defs"]["Plot"]["properties"]["kind"]["enum"] == list(names)
    assert ", ".join(names) in " ".join(run("plot", "--help").out.replace("│", " ").split())
    for name, text in kinds.completions():
        assert kinds.kind(name).name == name
        assert text.strip()


def test_bars_count_every_year_of_the_span(root: Path):
    bars = figure(corpus_of(root), find(corpus_of(root), "years"))
    assert isinstance(bars, Bars)
    assert bars.categories == ("2019", "2020", "2021", "2022")
    assert sum(dict(bars.series)["All papers"]) == 4


def test_gaps_say_their_state_in_words(root: Path):
    grid = figure(corpus_of(root), Plot(name="g", kind="gaps", rows="taste"))
    assert isinstance(grid, Grid)
    umami = grid.cells[grid.rows.index("T5 Umami")][0]
    assert (umami.value, umami.state) == (0, "gap")
    assert umami.text.endswith("gap")


def test_gaps_show_parts_and_every_strength_of_the_day(root: Path):
    soup, taxonomy = root / "corpus" / "soup2022.yaml", root / "taxonomy.yaml"
    soup.write_text(soup.read_text().replace("device: drip", "device: [drip, {term: cold, part: true}]"))
    new = "  - {id: assayed, label: assayed, definition: Twice.}\n  gap_strength: assayed\n"
    was = "{gap_strength: measured, strengths: [{id: tasted, label: tasted}, {id: measured, label: measured}]}"
    history = f"  history:\n  - {{on: 2026-06-01, was: {was}}}\n  terms:\n  - {{id: bitter"
    text = taxonomy.read_text().replace("  gap_strength: measured\n", new)
    taxonomy.write_text(text.replace("  terms:\n  - {id: bitter", history))
    corpus = corpus_of(root)
    devices = figure(corpus, Plot(name="g", kind="gaps", rows="device"))
    assert isinstance(devices, Grid)
    assert devices.cells[devices.rows.index("D3 Cold brew")][0].text == "0 [1]\ngap"
    assert "In brackets: papers with the term only as a part." in devices.note
    plot = Plot(name="g", kind="gaps", rows="taste")
    now, then = figure(corpus, plot), figure(corpus.as_of(date(2026, 5, 4)), plot)
    assert isinstance(now, Grid)
    assert isinstance(then, Grid)
    assert now.columns == ("assayed", "measured", "tasted", "mentioned", "any strength")
    assert then.columns == ("measured", "tasted", "any strength")
    bitter = now.rows.index("T1 Bitter")
    assert [[cell.state for cell in grid.cells[bitter]][:2] for grid in (now, then)] == [
        ["gap", None],
        ["sparse", None],
    ]
    assert draw(now, "svg") != draw(then, "svg")


def test_a_measure_is_compared_by_group(root: Path):
    points = figure(corpus_of(root), find(corpus_of(root), "measure"))
    assert isinstance(points, Points)
    assert [label for label, _ in points.groups] == ["shop", "home"]
    assert "omitted" in points.note


def bars_of(corpus: Corpus, axis: str) -> Bars:
    shown = figure(corpus, Plot(name="y", kind="years", rows=axis))
    assert isinstance(shown, Bars)
    return shown


def change(root: Path, key: str, old: str, new: str) -> None:
    path = root / "corpus" / f"{key}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_an_axis_has_a_panel_for_all_papers_and_for_each_term(root: Path):
    corpus = corpus_of(root)
    panels = bars_of(corpus, "taste")
    for name, counts in panels.series[1:]:
        term = next((term for term in corpus.taxonomy.by_id["taste"].terms if name.endswith(f" {term.label}")), None)
        have = [p for p in corpus.papers if term and any(tag.term == term.id for tag in p.tags_on("taste"))]
        assert sum(counts) == len(have)
    assert "several panels" in panels.note
    assert "several panels" not in bars_of(corpus, "device").note
    # A term that nobody has keeps its panel, since that is what the picture is about.
    assert ("T5 Umami", (0, 0, 0, 0)) in panels.series


def test_terms_that_all_papers_would_dwarf_have_their_scale(root: Path):
    assert 0 in bars_of(corpus_of(root), "device").within
    for i in range(9):
        text = f"title: Tea {i}\nauthors:\n- Somebody\nyear: {2001 if i < 2 else 2021}\nadded: 2026-02-01\n"
        (root / "corpus" / f"tea{i}.yaml").write_text(text, encoding="utf-8")
    corpus = corpus_of(root)
    panels = bars_of(corpus, "device")
    assert 0 not in panels.within
    assert "another scale" in panels.note
    assert "9 papers: none of these terms." in panels.note
    # The years begin with the terms.
    assert panels.categories[0] == "2019"
    assert "2 papers appeared before 2018." in panels.note
    timeline = figure(corpus, Plot(name="t", kind="timeline", rows="device"))
    assert isinstance(timeline, Curves)
    assert 0 not in timeline.within


def test_notes_say_the_number_behind_a_word(root: Path):
    corpus = corpus_of(root)
    gaps = figure(corpus, Plot(name="g", kind="gaps", rows="taste"))
    assert isinstance(gaps, Grid)
    assert f"Sparse: at most {sparse_limit(corpus)} paper" in gaps.note
    measure = figure(corpus, find(corpus, "measure"))
    assert isinstance(measure, Points)
    left_out = compare(corpus, corpus.taxonomy.measures[0]).left_out
    assert left_out
    assert all(f": {omitted.why}" in measure.note for omitted in left_out)


def test_the_papers_of_a_narrower_term_are_drawn_within_those_of_the_broader_term(root: Path):
    change(root, "aero2020", "device: press", "device: immersion")
    shown = bars_of(corpus_of(root), "device")
    parent = next(i for i, (name, _) in enumerate(shown.series) if name == "D1 Immersion")
    narrower = [i for i, around in enumerate(shown.within) if around == parent]
    assert sum(shown.series[parent][1]) == 2
    assert narrower
    for i in narrower:
        assert shown.series[i][0].endswith(" (in D1 Immersion)")
        assert all(n <= of for n, of in zip(shown.series[i][1], shown.series[parent][1], strict=True))
    assert shown.within[0] is None
    assert "the papers of the broader term" in shown.note


def test_empty_years_are_left_out_where_many_follow_each_other(root: Path):
    change(root, "siphon2019", "year: 2019", "year: 1990")
    bars = bars_of(corpus_of(root), "device")
    assert bars.categories == ("1990", "2020", "2021", "2022")
    assert bars.breaks == (1,)
    assert "years without papers" in bars.note
    change(root, "siphon2019", "year: 1990", "year: 2017")
    bars = bars_of(corpus_of(root), "device")
    assert bars.categories == ("2017", "2018", "2019", "2020", "2021", "2022")
    assert bars.breaks == ()


def test_the_year_that_has_not_ended_is_marked(root: Path):
    change(root, "soup2022", "year: 2022", "year: 2026")
    corpus = corpus_of(root)
    last = max(paper.added for paper in corpus.papers)
    assert bars_of(corpus, "device").partial == str(last.year)
    assert f"{last.year} is incomplete" in bars_of(corpus, "device").note
    then = corpus.as_of(date(2026, 12, 31))
    assert bars_of(then, "device").partial == ""
    assert f"until {last}." in bars_of(corpus_of(root).as_of(last), "device").note


def test_the_timeline_ends_with_every_dated_paper_and_marks_the_cutoff(root: Path):
    corpus = corpus_of(root)
    shown = figure(corpus, find(corpus, "timeline"))
    assert isinstance(shown, Curves)
    ((_, points),) = shown.lines
    assert points[-1][1] == len(corpus.papers)
    assert [n for _, n in points] == sorted(n for _, n in points)
    ((label, ((at, _), _)),) = shown.references
    assert label == f"cutoff {corpus.taxonomy.survey.cutoff}"
    assert at == as_year(corpus.taxonomy.survey.cutoff) == pytest.approx(2026 + 60 / 365, abs=0.001)
    taste = figure(corpus, Plot(name="t", kind="timeline", rows="taste"))
    assert isinstance(taste, Curves)
    names = [term.full_label for term in corpus.taxonomy.by_id["taste"].terms]
    assert [name for name, _ in taste.lines] == ["All papers", *names]


@pytest.mark.parametrize(
    ("identifiers", "day"),
    [({"arxiv": "2011.00001"}, date(2020, 11, 30)), ({"arxiv": "hep-th/9901001"}, date(1999, 1, 31)),
     ({"arxiv": "0704.0001"}, date(2007, 4, 30)), ({}, date(2021, 12, 31))],
)  # fmt: skip
def test_a_paper_appears_when_its_record_says(root: Path, identifiers: dict[str, str], day: date):
    paper = corpus_of(root).papers[0]
    ids = type(paper.identifiers)(**identifiers)
    known = paper.model_copy(update={"year": 2021, "identifiers": ids, "added": date(2026, 1, 1)})
    assert first_public(known) == day
    assert first_public(known.model_copy(update={"added": date(1990, 5, 5)})) == date(1990, 5, 5)
    assert first_public(known.model_copy(update={"year": None, "identifiers": type(paper.identifiers)()})) is None


def test_claims_have_the_verdict_that_each_reading_gives(shipped: Corpus):
    shown = figure(shipped, find(shipped, "claims"))
    assert isinstance(shown, Grid)
    grades = {grade.label: grade.id for grade in shipped.taxonomy.grades}
    asked = [None, *(reading_of(shipped.taxonomy, name.split()[0], grades[name.partition(" from ")[2]])
                     for name in shown.columns[1:-1])]  # fmt: skip
    for i, reading in enumerate(asked):
        found = {result.claim.id: result.verdict.holds for result in check(shipped, reading=reading).results}
        cells = {row: line[i] for row, line in zip(shown.rows, shown.cells, strict=True)}
        assert {row: bool(cell.value) for row, cell in cells.items()} == {row: found[row] for row in cells}
    assert {state for state, _ in shown.legend} == {cell.state for line in shown.cells for cell in line if cell.state}


def test_names_stand_where_keys_would(root: Path):
    corpus = corpus_of(root)
    shown = figure(corpus, find(corpus, "measure"))
    assert isinstance(shown, Points)
    assert all(corpus.short_titles[key] == name for _, group in shown.groups for _, key, name in group)


@pytest.mark.parametrize("kind", kinds.NAMES)
def test_the_data_of_a_picture_are_what_it_shows(kind: str, shipped: Corpus):
    shown = figure(shipped, find(shipped, kind))
    names, *table = rows(shown)
    assert table
    assert {len(line) for line in table} == {len(names)}
    match shown:
        case Grid():
            assert len(table) == len(shown.rows) * len(shown.columns)
        case Bars():
            assert sum(line[2] for line in table) == sum(sum(counts) for _, counts in shown.series)
        case Points():
            assert len(table) == sum(len(group) for _, group in shown.groups)
        case Curves():
            assert table[-1][0] == shown.references[-1][0]
        case _:
            assert table[-1][2] == len(shipped.papers)
