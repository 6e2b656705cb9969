"""The shipped survey: sound, stable, and what it is known for."""

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from builders import DATA
from needs import missing

from awesome_cli.api import check, load_corpus
from awesome_cli.model.records import to_text
from awesome_cli.publish.schemas import SCHEMAS, schema_text
from awesome_cli.survey.loading import FOLDERS


def test_there_are_no_findings(repository: Path):
    assert check(repository) == ()


def test_loading_and_saving_every_record_changes_no_byte(repository: Path):
    corpus = load_corpus(repository)
    axes = list(corpus.taxonomy.by_id)
    assert len(corpus.papers) == 84
    assert len(corpus.exclusions) == 32
    for record in corpus.records:
        assert (repository / record.path).read_text(encoding="utf-8") == to_text(record, axes), record.path


def test_the_readme_is_fresh(run, repository: Path):
    run("render", "--check", root=repository)


@pytest.mark.parametrize("kind", sorted(SCHEMAS))
def test_the_schemas_for_editors_are_current(repository: Path, kind: str, request: pytest.FixtureRequest):
    path = repository / "schemas" / f"{kind}.json"
    text = schema_text(kind, load_corpus(repository).taxonomy)
    if request.config.getoption("--update-golden"):
        path.write_text(text)
    assert path.read_text() == text, "run: make golden"


def test_editors_are_told_which_schema_is_whose(repository: Path):
    settings = json.loads((repository / ".vscode" / "settings.json").read_text())
    expected = {"taxonomy.yaml", "claims.yaml", "audits/*.yaml", *(f"{folder}/*.yaml" for folder in FOLDERS)}
    assert set(settings["yaml.schemas"].values()) == expected


def facts(name: str) -> list[dict[str, str]]:
    with (DATA / "facts" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_facts_are_all_there(repository: Path):
    corpus = load_corpus(repository)
    for row in facts("sub_decisions.csv"):
        tags = {tag.term: tag for tag in corpus.get(row["key"]).tags_on("sub_decision")}  # type: ignore[union-attr]
        tag = tags[row["sub_decision"]]
        assert (tag.strength, tag.evidence, tag.confidence) == (row["strength"], row["evidence"], row["confidence"])
        assert (tag.contested.grade if tag.contested else "") == row["contested"]
    for row in facts("near_misses.csv"):
        misses = corpus.get(row["record_id"]).near_miss  # type: ignore[union-attr]
        assert (row["axis"], row["term"], row["strength_if_readmitted"]) in {
            (m.axis, m.term, m.strength or "") for m in misses
        }


@pytest.fixture(scope="session")
def awesome_lint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """awesome-lint from npm, installed where it is missing."""
    npm = shutil.which("npm")
    if npm is None:
        missing("npm is not installed, so awesome-lint cannot run")
    folder = tmp_path_factory.getbasetemp().parent / "awesome-lint"
    tool = folder / "node_modules" / ".bin" / "awesome-lint"
    if not tool.exists():
        command = [
            str(npm),
            "install",
            "--prefix",
            str(folder),
            "--no-audit",
            "--no-fund",
            "--silent",
            "awesome-lint@2.3.0",
        ]
        folder.mkdir(exist_ok=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            missing(f"npm could not install awesome-lint: {done.stderr[-200:]}")
    return tool


def test_the_readme_passes_awesome_lint(repository: Path, awesome_lint: Path, tmp_path: Path, git):
    # The linter asks git how old the list is, which a fresh clone answers in its own way: it gets its own repository.
    for name in ("README.md", "CONTRIBUTING.md", "LICENSE"):
        shutil.copy(repository / name, tmp_path / name)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "The list", "--date", "2020-01-01T00:00:00Z")
    done = subprocess.run(
        [str(awesome_lint), str(tmp_path / "README.md")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
