"""Where pages are played: the folder that a page asks for by `<!-- run in: … -->`, and the program that it calls."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from blocks import READ, play, steps, told
from copying import copied
from running import run_git
from wheel import installed

TUTORIAL = next(page for page in READ if page.name == "tutorial.md")
ATOM = b"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom"><id>x</id><title>q</title>
<updated>2026-01-01T00:00:00Z</updated><opensearch:totalResults>1</opensearch:totalResults>
<opensearch:startIndex>0</opensearch:startIndex><opensearch:itemsPerPage>50</opensearch:itemsPerPage>
<entry><id>http://arxiv.org/abs/2402.01680v2</id><title>Large Language Model based Multi-Agents</title>
<updated>2024-04-19T00:00:00Z</updated><published>2024-01-21T00:00:00Z</published><summary>A survey.</summary>
<author><name>Taicheng Guo</name></author></entry></feed>"""
"""What arXiv answers about the work that the pages add."""


def place(page: Path, folder: Path) -> Path:
    """The folder in which a page begins, made below a folder."""
    made = PLACES[told(page, "run in") or "a new folder"](folder / "here")
    (folder / "here").mkdir(exist_ok=True)
    return made


def program(page: Path, folder: Path) -> Path:
    """The folder of `awesome`: for the tutorial a fresh environment with the wheel, for other pages the checkout."""
    if page == TUTORIAL:
        return installed().parent
    (folder / "bin").mkdir()
    for name, words in (("awesome", "-m awesome_cli "), ("python", "")):
        (folder / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        (folder / "bin" / name).chmod(0o755)
    return folder / "bin"


def _repository(folder: Path) -> Path:
    copied(folder)
    for command in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "The survey")):
        run_git(folder, *command)
    return folder


@cache
def _tutorial() -> Path:
    """The survey that a reader of the tutorial has in the end, made once."""
    folder = Path(tempfile.mkdtemp(prefix="tutorial-"))
    (folder / "here").mkdir()
    play(steps(TUTORIAL), folder / "here", installed().parent)
    return next((folder / "here").glob("*/taxonomy.yaml")).parent


def _of_tutorial(folder: Path) -> Path:
    return shutil.copytree(_tutorial(), folder)


PLACES: Mapping[str, Callable[[Path], Path]] = {
    "a new folder": lambda folder: folder,
    "the repository": _repository,
    "the survey of the tutorial": _of_tutorial,
}
"""What a page may ask for, and what makes it."""
