"""What plots show, by their data: years, the timeline, claims under readings, and the table beside every picture."""

import csv
from collections.abc import Callable
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from running import Result

from awesome_cli.analysis.claims.results import check
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import Plot
from awesome_cli.model.taxonomy import NA
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.charts import as_year, first_public
from awesome_cli.publish.plots.figures import Bars, Curves, Grid, Points, rows
from awesome_cli.publish.plots.picture_files import figure, find
from awesome_cli.publish.plots.pictures import draw
from awesome_cli.publish.plots.themes import THEMES
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.readings import reading_of

Run = Callable[..., Result]


def corpus_of(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), evidence=True)


def bars_of(corpus: Corpus, axis: str) -> Bars:
    shown = figure(corpus, Plot(name="y", kind="years", rows=axis))
    assert isinstance(shown, Bars)
    return shown


def change(root: Path, key: str, old: str, new: str) -> None:
    path = root / "corpus" / f"{key}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_an_axis_with_several_terms_has_a_panel_for_each(root: Path):
    corpus = corpus_of(root)
    stacked, panels = bars_of(corpus, "device"), bars_of(corpus, "taste")
    assert (stacked.panels, panels.panels) == (False, True)
    assert sum(sum(counts) for _, counts in stacked.series) == len(corpus.papers)
    for name, counts in panels.series:
        term = next((term for term in corpus.taxonomy.by_id["taste"].terms if name.endswith(f" {term.label}")), None)
        have = [p for p in corpus.papers if term and any(tag.term == term.id for tag in p.tags_on("taste"))]
        assert name == NA or sum(counts) == len(have)
    assert "several panels" in panels.note
    # A term that nobody has keeps its panel, since that is what the picture is about.
    assert ("T5 Umami", (0, 0, 0, 0)) in panels.series


def test_a_parent_has_the_papers_below_it_in_panels_and_its_own_in_a_stack(root: Path):
    change(root, "aero2020", "device: press", "device: immersion")
    assert sum(dict(bars_of(corpus_of(root), "device").series)["D1 Immersion"]) == 1
    text = (root / "taxonomy.yaml").read_text().replace("kind: one", "kind: many", 1)
    (root / "taxonomy.yaml").write_text(text)
    assert sum(dict(bars_of(corpus_of(root), "device").series)["D1 Immersion"]) == 2


def test_empty_years_are_left_out_where_many_follow_each_other(root: Path):
    change(root, "siphon2019", "year: 2019", "year: 1990")
    bars = bars_of(corpus_of(root), "device")
    assert bars.categories == ("1990", "2020", "2021", "2022")
    assert bars.breaks == (1,)
    assert "years without a paper" in bars.note
    change(root, "siphon2019", "year: 1990", "year: 2017")
    bars = bars_of(corpus_of(root), "device")
    assert bars.categories == ("2017", "2018", "2019", "2020", "2021", "2022")
    assert bars.breaks == ()


def test_the_year_that_has_not_ended_is_marked(root: Path):
    change(root, "soup2022", "year: 2022", "year: 2026")
    corpus = corpus_of(root)
    last = max(paper.added for paper in corpus.papers)
    assert bars_of(corpus, "device").partial == str(last.year)
    assert f"* {last.year} until" in bars_of(corpus, "device").note
    then = corpus.as_of(date(2026, 12, 31))
    assert bars_of(then, "device").partial == ""
    assert bars_of(corpus_of(root).as_of(last), "device").note.endswith(f"until {last}.")


def test_papers_without_a_term_are_grey(root: Path):
    shown = bars_of(corpus_of(root), "taste")
    assert NA in dict(shown.series)
    for theme in ("light", "dark"):
        assert THEMES[theme].na.encode() in draw(shown, "svg", theme)


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
    assert len(taste.lines) == len(corpus.taxonomy.by_id["taste"].terms)


@pytest.mark.parametrize(
    ("identifiers", "day"),
    [({"arxiv": "2011.00001"}, date(2020, 11, 30)), ({"arxiv": "hep-th/9901001"}, date(1999, 1, 31)),
     ({"arxiv": "0703.0001"}, date(2007, 3, 31)), ({}, date(2021, 12, 31))],
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
    titles = {paper.key: paper.title for paper in corpus.papers}
    assert all(titles[key].startswith(name) for _, group in shown.groups for _, key, name in group)


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


def test_data_lie_beside_a_picture_unless_they_are_not_wanted(run: Run, root: Path, tmp_path: Path):
    run("plot", "gaps", "--out", tmp_path / "both", root=root)
    run("plot", "gaps", "--no-data", "--out", tmp_path / "picture", root=root)
    run("plot", "gaps", "--format", "csv", "--out", tmp_path / "data", root=root)
    written = {folder.name: sorted(path.name for path in folder.iterdir()) for folder in tmp_path.glob("[bpd]*")}
    assert written["both"] == ["gaps.csv", "gaps.svg"]
    assert (written["picture"], written["data"]) == (["gaps.svg"], ["gaps.csv"])
    text = (tmp_path / "both" / "gaps.csv").read_text(encoding="utf-8")
    assert text == (tmp_path / "data" / "gaps.csv").read_text(encoding="utf-8")
    corpus = corpus_of(root)
    assert len(list(csv.reader(StringIO(text)))) == len(rows(figure(corpus, find(corpus, "gaps"))))


def test_a_formula_in_a_title_is_text_in_the_data(run: Run, root: Path, tmp_path: Path):
    change(root, "drip2021", "title: Dripping slowly", "title: '=1+1'")
    for raw, cell in ((), "'=1+1"), (("--raw",), "=1+1"):
        run(*raw, "plot", "measure", "--format", "csv", "--out", tmp_path / "p", root=root)
        text = (tmp_path / "p" / "measure.csv").read_text(encoding="utf-8")
        assert cell in {line[3] for line in csv.reader(StringIO(text))}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("gaps --width 84", "--width '84' is no length"),
        ("gaps --width 0mm", "--width 0mm is not between 20 mm and 1000 mm"),
        ("gaps --height 9999999mm", "--height 9999999mm is not between"),
        ("gaps --dpi 0 --format png", "--dpi 0 is not between 30 and 1200"),
        ("gaps --dpi 300", "--dpi does not go with --format svg"),
        ("gaps --font Nonesuch", "no font 'Nonesuch'"),
        ("gaps --title A --no-title", "--title and --no-title contradict each other"),
        ("gaps years --title A", "--title is of one picture"),
        ("gaps --style paper --theme dark", "--style paper is black on white"),
        ("gaps --format csv --title A", "--format csv has no colours, title or size"),
        ("gaps --width 20mm --height 20mm", "the picture is too small for its labels"),
        ("--readme --width 84mm", "--width does not go with --readme"),
        ("--readme --no-title", "--title does not go with --readme"),
        ("--readme --style paper", "--theme does not go with --readme"),
        ("--readme --no-data", "--no-data does not go with --readme"),
    ],
)
def test_a_look_that_does_not_fit_is_named_with_what_helps(run: Run, root: Path, words: str, why: str):
    found = run("plot", *words.split(), "--dry-run", root=root, code=2).err
    assert why in found
    assert "hint: " in found


def test_the_library_is_imported_only_to_draw(root: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    run("plot", "gaps", "years", "timeline", "--format", "csv", "--out", tmp_path / "p", root=root)
    assert "plotting needs matplotlib" in run("plot", "gaps", "--out", tmp_path / "p", root=root, code=3).err
