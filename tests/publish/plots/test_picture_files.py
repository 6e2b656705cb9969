"""Pictures as files: what `plot` writes, the tables beside them, and when the README's pictures are stale."""

import csv
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from running import Result

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import freshness
from awesome_cli.publish.plots.figures import rows
from awesome_cli.publish.plots.picture_files import figure, find, picture_file, readme_plots, stale_pictures
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

Run = Callable[..., Result]
PLOTS_LINE = "gaps: [taste, device], plots: [{name: tastes, kind: gaps, rows: taste}]}"
BOTH = ["docs/pictures/tastes-light.svg", "docs/pictures/tastes-dark.svg", "docs/pictures/tastes.csv"]


def corpus_of(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), evidence=True)


def stale(root: Path) -> list[str]:
    return [path for path, is_stale in stale_pictures(corpus_of(root), root).items() if is_stale]


@pytest.fixture
def illustrated(root: Path) -> Path:
    """The coffee survey with a plot in its README."""
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("gaps: [taste, device]}", PLOTS_LINE), encoding="utf-8")
    return root


def test_an_unknown_kind_is_a_finding_and_stops_only_the_pictures(run: Run, illustrated: Path):
    path = illustrated / "taxonomy.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("kind: gaps", "kind: gasp"), encoding="utf-8")
    found = run("validate", root=illustrated, code=1).out
    assert "A002" in found
    assert "unknown plot kind 'gasp'; did you mean 'gaps'?" in found
    assert "did you mean 'gaps'" in run("plot", "--readme", root=illustrated, code=3).err
    run("gaps", root=illustrated)


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
    assert "all pictures are up to date" in run("plot", "--readme", root=illustrated).err
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
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("README.md does not show docs/pictures/tastes-light.svg")
    assert "tastes-dark.svg is stale" in done.stdout


def test_the_shipped_pictures_are_there(repository: Path):
    """Whether they are fresh is CI's question on main: a branch that adds a paper draws nothing."""
    names = [plot.name for plot in readme_plots(corpus_of(repository))]
    assert len(names) == 2
    for name in names:
        assert all(
            freshness.STAMP.search((repository / picture_file(name, theme)).read_bytes()) for theme in ("light", "dark")
        )


def change(root: Path, key: str, old: str, new: str) -> None:
    path = root / "corpus" / f"{key}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


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
        ("gaps --width 84", "--width '84' is not a valid length"),
        ("gaps --width 0mm", "--width 0mm is not between 20 mm and 1000 mm"),
        ("gaps --height 9999999mm", "--height 9999999mm is not between"),
        ("gaps --dpi 0 --format png", "--dpi 0 is not between 30 and 1200"),
        ("gaps --dpi 300", "--dpi cannot be combined with --format svg"),
        ("gaps --font Nonesuch", "unknown font 'Nonesuch'"),
        ("gaps --title A --no-title", "--title cannot be combined with --no-title"),
        ("gaps years --title A", "--title needs a single NAME"),
        ("gaps --style paper --theme dark", "--style paper cannot be combined with --theme dark"),
        ("gaps --format csv --title A", "--format csv cannot be combined with options for colours, title or size"),
        ("gaps --width 20mm --height 20mm", "the picture is too small for its labels"),
        ("--readme --width 84mm", "--width cannot be combined with --readme"),
        ("--readme --no-title", "--title cannot be combined with --readme"),
        ("--readme --style paper", "--theme cannot be combined with --readme"),
        ("--readme --no-data", "--no-data cannot be combined with --readme"),
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
