"""A path that is typed is relative to where the person stands; where none is typed, files go into the survey."""

from collections.abc import Callable
from pathlib import Path

import pytest

TYPED = {
    "site build --out new": "new/index.html",
    "plot years --out new": "new/years.svg",
    "export csv --out new.csv": "new.csv",
}
DEFAULT = {"site build": "_site/index.html", "plot years": "years.svg"}


@pytest.mark.parametrize("command", TYPED)
@pytest.mark.parametrize("options", [True, False])
def test_a_typed_path_is_relative_to_where_one_stands(
    run: Callable[..., object], root: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: bool
):
    here = root.parent if options else root / "notes"
    here.mkdir(exist_ok=True)
    monkeypatch.chdir(here)
    run(*command.split(), root=Path(root.name) if options else None)
    assert (here / TYPED[command]).is_file()


@pytest.mark.parametrize("command", DEFAULT)
@pytest.mark.parametrize("options", [True, False])
def test_a_default_is_in_the_survey(
    run: Callable[..., object], root: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: bool
):
    monkeypatch.chdir(root.parent if options else root / "corpus")
    before = set(Path.cwd().iterdir())
    run(*command.split(), root=Path(root.name) if options else None)
    assert (root / DEFAULT[command]).is_file()
    assert set(Path.cwd().iterdir()) == before


def test_a_file_that_is_read_is_relative_to_where_one_stands(
    run: Callable[..., object], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "one.bib").write_text("@article{x, title={A new kind of cup}, year={2020}}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run("import", "one.bib", "--report", "report.json", root=Path("coffee"))
    assert (tmp_path / "report.json").is_file()
    assert len(list((root / "corpus").iterdir())) == 5


def test_the_message_names_what_can_be_opened_from_here(
    run: Callable[..., "object"], root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(root)
    assert "open _site/index.html" in run("site", "build").err  # type: ignore[attr-defined]
