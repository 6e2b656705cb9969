"""A clone needs nothing beside it: no path leads out of it, and other people's files say where they come from."""

import csv
import re
import subprocess

import pytest
from builders import DATA, REPOSITORY

OUTSIDE = re.compile(
    r"(?<![\w./:-])/(?:work|home|root|Users|mnt|opt|tmp)/\w"  # an absolute path of somebody's machine
    r"|[A-Za-z]:\\+Users\b"
    r"|\.\./shared|/ \"shared\""
    r"|\b(?:REPOSITORY|ROOT)\.parent\b"
)
MADE = {"build", "dist", "node_modules", "__pycache__"}
SURVEYS = {"coffee", "bread"}  # written for the tests
S, B = "/", "\\"  # so that no example below leads out itself


def ours() -> list[str]:
    """The files of this project: those that git knows, or all but what tools made where there is no git."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.stdout:
        return [name for name in done.stdout.split("\0") if name and (REPOSITORY / name).is_file()]
    found = [path.relative_to(REPOSITORY) for path in REPOSITORY.rglob("*") if path.is_file()]
    made = [any(part.startswith(".") or part in MADE for part in path.parts) for path in found]
    return [path.as_posix() for path, by_tool in zip(found, made, strict=True) if not by_tool]


def sources() -> dict[str, dict[str, str]]:
    """The rows of `SOURCES.csv` by path."""
    with (DATA / "SOURCES.csv").open(encoding="utf-8", newline="") as file:
        return {row["path"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize(
    ("line", "leads_out"),
    [
        (f"open('{S}work/facts.csv')", True),
        (f"cd {S}home/ada/survey", True),
        (f"C:{B}Users{B}ada", True),
        (f"see ..{S}shared", True),
        (f'PARENT {S} "shared"', True),
        (f"https://example.org{S}work/x", False),
        (f"tests{S}home/page.html", False),
    ],
)
def test_what_leads_out_of_a_clone(line: str, leads_out: bool):
    assert bool(OUTSIDE.search(line)) is leads_out


def test_nothing_outside_is_named():
    foreign = {f"tests/data/{path}" for path, row in sources().items() if row["licence"] != "own"}
    found = []
    for name in ours():
        if name in foreign:
            continue
        text = (REPOSITORY / name).read_bytes().decode(errors="replace")
        found += [
            f"{name}:{n}: {line.strip()[:100]}" for n, line in enumerate(text.split("\n"), 1) if OUTSIDE.search(line)
        ]
    assert found == []


def test_every_file_from_elsewhere_has_a_source_and_a_licence():
    rows = sources()
    there = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file()}
    stated = {path for path in there if path.partition("/")[0] not in SURVEYS | {"licences", "SOURCES.csv"}}
    assert stated == set(rows), "one row in tests/data/SOURCES.csv for each file"
    licences = {row["licence"] for row in rows.values()} - {"own"}
    assert {f"licences/{licence}.txt" for licence in licences} == {
        path for path in there if path.startswith("licences/")
    }
    for path, row in rows.items():
        needed = ("origin",) if row["licence"] == "own" else ("origin", "commit", "licence", "holder")
        assert [name for name in needed if not row[name]] == [], path
