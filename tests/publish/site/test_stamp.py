"""A site that is built again: nothing is written while nothing changed, all is built after any change."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from awesome_cli.publish.site.downloads import OWN
from awesome_cli.publish.site.stamp import INPUTS, STAMP, inputs

RECORD = "corpus/aero2020.yaml"


def written(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def append(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(path.read_text(encoding="utf-8") + text if path.is_file() else text, encoding="utf-8")


@pytest.mark.slow
def test_a_site_is_built_again_after_any_change_only(run: Callable[..., Any], root: Path):
    site, kept = root / "_site", root / "kept"

    def build(*options: str) -> bool:
        return "are up to date" not in run("site", "build", *options, root=root).err

    assert build()
    first = written(site)
    assert STAMP in first["pages.txt"].decode().split()
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    assert not build()
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == times

    changes: tuple[Callable[[], object], ...] = (
        lambda: append(root / RECORD, "note: Words\n"),
        lambda: append(root / "traces" / "notes.txt", "text"),
        lambda: append(root / "templates" / "site" / "assets" / "site.css", "p { margin: 0 }"),
        lambda: append(root / "taxonomy.yaml", "\n"),
        lambda: (root / RECORD).rename(root / "corpus" / "other2020.yaml"),
        lambda: append(site / "index.html", "text"),
        (site / "map.html").unlink,
        lambda: (site / STAMP).write_bytes(b""),
    )
    for change in changes:
        change()
        assert build()
        assert not build()
    assert build("--base-url", "https://example.org")
    assert build()
    again = written(site)
    site.rename(kept)
    assert build()
    assert written(site) == again


def test_a_link_leaves_a_doubt(run: Callable[..., Any], root: Path):
    assert inputs(root) == inputs(root) != inputs(root, "https://example.org")
    run("site", "build", root=root)
    (root / "corpus").rename(root / "papers")
    (root / "corpus").symlink_to("papers")
    assert inputs(root) is None
    for _ in range(2):
        assert "wrote" in run("site", "build", root=root).err
    assert not (root / "_site" / STAMP).exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_no_file_leaves_a_doubt(root: Path):
    os.mkfifo(root / "corpus" / "pipe.yaml")
    assert inputs(root) is None


def test_what_the_archive_holds_is_part_of_the_stamp():
    assert set(OWN) <= set(INPUTS)
