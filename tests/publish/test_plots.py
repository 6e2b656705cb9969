"""Plots: what they show, that the same records give the same bytes, and when the README's pictures are stale."""

import csv
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from builders import COFFEE
from running import Result

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import Plot
from awesome_cli.publish import freshness
from awesome_cli.publish.plots import charts, kinds
from awesome_cli.publish.plots.figures import Bars, Figure, Grid, GridCell, Points
from awesome_cli.publish.plots.picture_files import figure, find, picture_file, readme_plots, stale_pictures
from awesome_cli.publish.plots.pictures import draw
from awesome_cli.publish.plots.themes import THEMES
from awesome_cli.publish.schemas import SCHEMAS
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

Run = Callable[..., Result]


PLOTS_LINE = "gaps: [taste, device], plots: [{name: tastes, kind: gaps, rows: taste}]}"
BOTH = ["docs/pictures/tastes-light.svg", "docs/pictures/tastes-dark.svg", "docs/pictures/tastes.csv"]


def corpus_of(root: Path):
    return load_corpus(WorkingTree(root), evidence=True)


def stale(root: Path) -> list[str]:
    return [path for path, is_stale in stale_pictures(corpus_of(root), root).items() if is_stale]


@pytest.fixture
def illustrated(root: Path) -> Path:
    """The coffee survey with a plot in its README."""
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("gaps: [taste, device]}", PLOTS_LINE), encoding="utf-8")
    return root


def test_every_reader_of_the_kinds_knows_all_of_them(run: Run):
    names = kinds.NAMES
    assert names == tuple(sorted(name for name, one in vars(charts).items() if isinstance(one, charts.PlotKind)))
    assert SCHEMAS["taxonomy"](None)["$defs"]["Plot"]["properties"]["kind"]["enum"] == list(names)
    assert ", ".join(names) in " ".join(run("plot", "--help").out.replace("│", " ").split())
    for name, text in kinds.completions():
        assert kinds.kind(name).name == name
        assert text.strip()


def test_an_unknown_kind_is_a_finding_and_stops_only_the_pictures(run: Run, illustrated: Path):
    path = illustrated / "taxonomy.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("kind: gaps", "kind: gasp"), encoding="utf-8")
    found = run("validate", root=illustrated, code=1).out
    assert "A002" in found
    assert "no plot kind 'gasp'; did you mean 'gaps'?" in found
    assert "did you mean 'gaps'" in run("plot", "--readme", root=illustrated, code=3).err
    run("gaps", root=illustrated)


def test_bars_count_every_year_of_the_span(root: Path):
    bars = figure(corpus_of(root), find(corpus_of(root), "years"))
    assert isinstance(bars, Bars)
    assert bars.categories == ("2019", "2020", "2021", "2022")
    assert sum(sum(values) for _, values in bars.series) == 4


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
    assert devices.note.startswith("In brackets: papers that have it as a part only.")
    plot = Plot(name="g", kind="gaps", rows="taste")
    now, then = figure(corpus, plot), figure(corpus.as_of(date(2026, 5, 4)), plot)
    assert isinstance(now, Grid)
    assert isinstance(then, Grid)
    assert now.columns == ("assayed", "measured", "tasted", "mentioned", "any strength")
    assert then.columns == ("measured", "tasted", "any strength")
    bitter = now.rows.index("T1 Bitter")
    assert [[cell.state for cell in grid.cells[bitter]][:2] for grid in (now, then)] == [
        ["gap", None],
        ["covered", None],
    ]
    assert draw(now, "svg") != draw(then, "svg")


def test_a_measure_is_compared_by_group(root: Path):
    points = figure(corpus_of(root), find(corpus_of(root), "measure"))
    assert isinstance(points, Points)
    assert [label for label, _ in points.groups] == ["shop", "home"]
    assert "left out" in points.note


@pytest.fixture(scope="module")
def coffee() -> Corpus:
    return corpus_of(COFFEE)


@pytest.mark.parametrize("kind", [name for name in kinds.NAMES if name != "claims"])
def test_the_same_bytes_and_text_that_stays_text(kind: str, coffee: Corpus):
    same_bytes_and_plain_text(figure(coffee, find(coffee, kind)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds.NAMES)
def test_the_same_bytes_of_the_shipped_survey(kind: str, shipped: Corpus):
    same_bytes_and_plain_text(figure(shipped, find(shipped, kind)))


def same_bytes_and_plain_text(shown: Figure) -> None:
    light = draw(shown, "svg")
    assert light == draw(shown, "svg")
    assert light != draw(shown, "svg", "dark")
    assert shown.title.encode() in light
    assert b"<dc:date>" not in light


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_other_formats_are_deterministic(form: str, root: Path):
    shown = figure(corpus_of(root), find(corpus_of(root), "gaps"))
    assert draw(shown, form) == draw(shown, form)


def test_the_palette_tells_states_apart_without_colour():
    numbered = [state.value for state in STATES if state.times is not None]
    for theme in THEMES.values():
        assert len({theme.state(state)[2] for state in numbered}) == len(numbered)


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb`, from 0 to 1, after WCAG 2.2."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_dark_series_stand_out_from_a_dark_page():
    theme = THEMES["dark"]
    for color in theme.series:
        assert (luminance(color) + 0.05) / (luminance(theme.paper) + 0.05) > 4.5, color


def test_hatching_stops_at_the_words():
    cells = ((GridCell(0, "0\ngap", "gap"), GridCell(9, "9\ncovered", "covered")),)
    svg = draw(Grid("t", "r", "c", ("a",), ("x", "y"), cells, "states"), "svg").decode()
    gap, covered = (svg[: svg.index(f"{word}</text>")].rpartition('<g id="text_')[2] for word in ("gap", "covered"))
    assert "<path" in gap
    assert "<path" not in covered


def test_the_command_writes_files(run: Run, root: Path, tmp_path: Path):
    run("plot", "gaps", "years", "--out", tmp_path / "p", root=root)
    run("plot", "heatmap", "--format", "csv", "--by", "device,taste", "--out", tmp_path / "p", root=root)
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == [
        *("gaps.csv", "gaps.svg", "heatmap.csv", "years.csv", "years.svg")
    ]
    with (tmp_path / "p" / "heatmap.csv").open(encoding="utf-8") as file:
        assert {line["row"] for line in csv.DictReader(file)} >= {"Press", "D2 Drip"}


def test_a_wrong_name_is_answered_with_the_nearest(run: Run, root: Path, repository: Path):
    assert "did you mean 'gaps'" in run("plot", "gasp", root=root, code=2).err
    assert "the README's plots: papers-per-year" not in run("plot", "gasp", root=root, code=2).err
    assert "the README's plots: sub-decisions, papers-per-year" in run("plot", "gasp", root=repository, code=2).err
    assert "did you mean 'taste'" in run("plot", "gaps", "--by", "tase", root=root, code=2).err
    run("plot", root=root, code=2)


def test_the_readme_pictures_go_stale_and_fresh(run: Run, illustrated: Path):
    assert stale(illustrated) == BOTH
    run("plot", "--readme", root=illustrated)
    assert stale(illustrated) == []
    assert "no picture is stale" in run("plot", "--readme", root=illustrated).err
    record = illustrated / "corpus" / "drip2021.yaml"
    record.write_text(
        record.read_text(encoding="utf-8").replace("term: sour, strength: mentioned", "term: sour, strength: tasted")
    )
    assert stale(illustrated) == BOTH


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_that_somebody_changed_is_drawn_again(run: Run, illustrated: Path, theme: str):
    run("plot", "--readme", root=illustrated)
    picture = illustrated / picture_file("tastes", theme)
    drawn = picture.read_bytes()
    picture.write_bytes(b"<svg/>\n")
    assert stale(illustrated) == [picture_file("tastes", theme)]
    run("plot", "--readme", root=illustrated)
    assert picture.read_bytes() == drawn
    picture.write_bytes(drawn.replace(b"fill", b"kill", 1))
    assert stale(illustrated) == [picture_file("tastes", theme)]
    picture.unlink()
    assert stale(illustrated) == [picture_file("tastes", theme)]


def test_a_stale_picture_is_seen_by_every_check(run: Run, illustrated: Path):
    run("plot", "--readme", root=illustrated)
    run("render", root=illustrated)
    assert "tastes-dark.svg is up to date" in run("render", "--check", root=illustrated).out
    (illustrated / BOTH[1]).unlink()
    run("render", root=illustrated)
    for _ in range(2):
        done = run("render", "--check", root=illustrated, code=1)
        assert "tastes-dark.svg is stale; run 'awesome plot --readme'" in done.out


def test_pictures_are_checked_without_the_library_that_draws_them(illustrated: Path):
    program = "import sys; sys.modules['matplotlib'] = None; from awesome_cli.cli.main import main; main()"
    command = [sys.executable, "-c", program, "-C", str(illustrated), "render", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "tastes-dark.svg is stale" in done.stdout


def test_the_shipped_pictures_are_there(repository: Path):
    """Whether they are fresh is CI's question on main: a branch that adds a paper draws nothing."""
    names = [plot.name for plot in readme_plots(corpus_of(repository))]
    assert len(names) == 2
    for name in names:
        assert all(
            freshness.STAMP.search((repository / picture_file(name, theme)).read_bytes()) for theme in ("light", "dark")
        )


def test_hostile_labels_stay_text():
    shown = Grid("<script>$x$", "r", "c", ("<b>$\\frac$", "&"), ("a",), (), "heat")
    svg = draw(shown, "svg")
    assert b"<script>" not in svg
    assert b"&lt;b&gt;$\\frac$" in svg
