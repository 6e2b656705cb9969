"""Plots: what they show, that the same records give the same bytes, and the README's pictures with their hashes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Result

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish import plots
from awesome_cli.publish.plots.drawing import THEMES, draw
from awesome_cli.publish.plots.figures import Bars, Grid, Points, Square
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

KINDS = ("years", "heatmap", "gaps", "bubbles", "measure", "flow")
Run = Callable[..., Result]


def corpus_of(root: Path):
    return load_corpus(WorkingTree(root), evidence=True)


def test_bars_count_every_year_of_the_span(root: Path):
    bars = plots.figure(corpus_of(root), plots.find(corpus_of(root), "years"))
    assert isinstance(bars, Bars)
    assert bars.categories == ("2019", "2020", "2021", "2022")
    assert sum(sum(values) for _, values in bars.series) == 4


def test_gaps_say_their_state_in_words(root: Path):
    grid = plots.figure(corpus_of(root), Plot(name="g", kind="gaps", rows="taste"))
    assert isinstance(grid, Grid)
    umami = grid.cells[grid.rows.index("T5 Umami")][0]
    assert (umami.value, umami.state) == (0, "gap")
    assert umami.text.endswith("gap")


def test_a_measure_is_compared_by_group(root: Path):
    points = plots.figure(corpus_of(root), plots.find(corpus_of(root), "measure"))
    assert isinstance(points, Points)
    assert [label for label, _ in points.groups] == ["shop", "home"]
    assert "left out" in points.note


@pytest.mark.parametrize("kind", [*KINDS, "claims"])
def test_the_same_bytes_and_text_that_stays_text(kind: str, shipped: Corpus):
    figure = plots.figure(shipped, plots.find(shipped, kind))
    light = draw(figure, "svg")
    assert light == draw(figure, "svg")
    assert light != draw(figure, "svg", "dark")
    assert figure.title.encode() in light
    assert b"<dc:date>" not in light


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_other_formats_are_deterministic(form: str, root: Path):
    figure = plots.figure(corpus_of(root), plots.find(corpus_of(root), "gaps"))
    assert draw(figure, form) == draw(figure, form)


def test_the_palette_tells_states_apart_without_colour():
    for theme in THEMES.values():
        hatches = [theme.states[state][2] for state in ("gap", "sparse", "covered")]
        assert len(set(hatches)) == 3


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
    cells = ((Square(0, "0\ngap", "gap"), Square(9, "9\ncovered", "covered")),)
    svg = draw(Grid("t", "r", "c", ("a",), ("x", "y"), cells, "states"), "svg").decode()
    gap, covered = (svg[: svg.index(f"{word}</text>")].rpartition('<g id="text_')[2] for word in ("gap", "covered"))
    assert "<path" in gap
    assert "<path" not in covered


def test_the_command_writes_files(run: Run, root: Path, tmp_path: Path):
    run("plot", "gaps", "years", "--out", tmp_path / "p", root=root)
    run(
        "plot", "heatmap", "--format", "vega", "--rows", "device", "--cols", "taste", "--out", tmp_path / "p", root=root
    )
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == ["gaps.svg", "heatmap.vl.json", "years.svg"]
    spec = json.loads((tmp_path / "p" / "heatmap.vl.json").read_text(encoding="utf-8"))
    assert {value["row"] for value in spec["data"]["values"]} >= {"Press", "D2 Drip"}


def test_a_wrong_name_is_answered_with_the_nearest(run: Run, root: Path, repository: Path):
    assert "did you mean 'gaps'" in run("plot", "gasp", root=root, code=2).err
    assert "the README's plots: papers-per-year" not in run("plot", "gasp", root=root, code=2).err
    assert "the README's plots: sub-decisions, papers-per-year" in run("plot", "gasp", root=repository, code=2).err
    assert "did you mean 'taste'" in run("plot", "gaps", "--rows", "tase", root=root, code=2).err
    run("plot", root=root, code=2)
    assert "no Vega form" in run("plot", "flow", "--format", "vega", root=root, code=2).err


def test_the_readme_pictures_go_stale_and_fresh(run: Run, root: Path):
    taxonomy = root / "taxonomy.yaml"
    text = taxonomy.read_text(encoding="utf-8")
    plots_line = "gaps: [taste, device], plots: [{name: tastes, kind: gaps, rows: taste}]}"
    taxonomy.write_text(text.replace("gaps: [taste, device]}", plots_line), encoding="utf-8")
    assert list(plots.stale(corpus_of(root), root)) == ["tastes"]
    run("plot", "--readme", root=root)
    corpus = corpus_of(root)
    assert list(plots.stale(corpus, root)) == []
    assert "nothing stale" in run("plot", "--readme", root=root).err
    record = root / "corpus" / "drip2021.yaml"
    record.write_text(
        record.read_text(encoding="utf-8").replace("term: sour, strength: mentioned", "term: sour, strength: tasted")
    )
    assert list(plots.stale(corpus_of(root), root)) == ["tastes"]


@pytest.mark.parametrize("theme", plots.THEMES)
def test_a_picture_that_somebody_changed_is_drawn_again(run: Run, root: Path, theme: str):
    taxonomy = root / "taxonomy.yaml"
    plots_line = "gaps: [taste, device], plots: [{name: tastes, kind: gaps, rows: taste}]}"
    text = taxonomy.read_text(encoding="utf-8").replace("gaps: [taste, device]}", plots_line)
    taxonomy.write_text(text, encoding="utf-8")
    run("plot", "--readme", root=root)
    picture = root / plots.picture_file("tastes", theme)
    drawn = picture.read_bytes()
    picture.write_bytes(b"<svg/>\n")
    assert list(plots.stale(corpus_of(root), root)) == ["tastes"]
    run("plot", "--readme", root=root)
    assert picture.read_bytes() == drawn
    picture.unlink()
    assert list(plots.stale(corpus_of(root), root)) == ["tastes"]


def test_the_shipped_pictures_are_there(repository: Path, shipped: Corpus):
    """Whether they are fresh is CI's question on main: a branch that adds a paper draws nothing."""
    names = [plot.name for plot in plots.readme_plots(shipped)]
    assert len(names) == 2
    for name in names:
        assert all((repository / plots.picture_file(name, theme)).is_file() for theme in plots.THEMES)
        lines = (repository / plots.hash_file(name)).read_text(encoding="utf-8").splitlines()
        assert [line.split("  ")[1] for line in lines] == ["data", f"{name}-light.svg", f"{name}-dark.svg"]


def test_hostile_labels_stay_text():
    figure = Grid("<script>$x$", "r", "c", ("<b>$\\frac$", "&"), ("a",), (), "heat")
    svg = draw(figure, "svg")
    assert b"<script>" not in svg
    assert b"&lt;b&gt;$\\frac$" in svg
