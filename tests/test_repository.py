"""The shipped survey: sound in any state, and what it is known for."""

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from builders import DATA
from packages import installed

from awesome_cli.api import Survey
from awesome_cli.publish import readme
from awesome_cli.publish.schemas import SCHEMAS, schema_text
from awesome_cli.publish.starter.files import presets
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import FOLDERS


def test_there_is_no_error(repository: Path):
    """A note or a warning about a contribution is for those who review it."""
    assert [finding for finding in Survey.open(repository).check() if finding.level == "error"] == []


def test_the_readme_can_be_rendered(repository: Path, shipped: Corpus):
    page = readme.render(readme.pages(repository)["README.md"], shipped, repository)
    assert readme.render(page, shipped, repository) == page
    assert [paper.key for paper in shipped.papers if paper.address and paper.address not in page] == []


@pytest.mark.parametrize("kind", sorted(SCHEMAS))
def test_the_schemas_for_editors_are_current(repository: Path, shipped: Corpus, kind: str, updating: bool):
    path = repository / "schemas" / f"{kind}.json"
    text = schema_text(kind, shipped.taxonomy)
    if updating:
        path.write_text(text)
    assert path.read_text() == text, "run: make golden"


def test_editors_are_told_which_schema_is_whose(repository: Path):
    settings = json.loads((repository / ".vscode" / "settings.json").read_text())
    expected = {
        "taxonomy.yaml",
        "claims.yaml",
        "protocol.yaml",
        "paper.yaml",
        "search.yaml",
        *(f"{folder}/*.yaml" for folder in ("audits", "searches", "screenings")),
        *(f"{folder}/*.yaml" for folder in FOLDERS),
    }
    assert set(settings["yaml.schemas"].values()) == expected


def facts(name: str) -> list[dict[str, str]]:
    with (DATA / "facts" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_facts_are_all_there(published: Corpus, contested: Corpus):
    for row in facts("sub_decisions.csv"):
        tag, later = (
            next(tag for tag in corpus.get(row["key"]).tags_on("sub_decision") if tag.term == row["sub_decision"])  # type: ignore[union-attr]
            for corpus in (published, contested)
        )
        assert (tag.strength, tag.evidence, tag.confidence) == (row["strength"], row["evidence"], row["confidence"])
        assert row["contested"] in {"", later.contested.grade if later.contested else ""}  # others may contest more
    for row in facts("near_misses.csv"):
        misses = published.get(row["record_id"]).near_miss  # type: ignore[union-attr]
        assert (row["axis"], row["term"], row["strength_if_readmitted"]) in {
            (m.axis, m.term, m.strength or "") for m in misses
        }


def test_the_published_pool_has_no_later_coding(published: Corpus):
    axes = published.taxonomy.by_id
    later = [
        (paper.key, axis, str(tag))
        for paper in published.papers
        for axis, tags in paper.tags.items()
        for tag in tags
        if tag.part or axis not in axes or tag.strength not in (*axes[axis].strength_ids, None)
    ]
    assert later == []
    assert [paper.key for paper in published.papers if paper.not_coded] == []


@pytest.fixture(scope="session")
def awesome_lint() -> Path:
    """The command of awesome-lint."""
    return installed("awesome-lint").parent / ".bin" / "awesome-lint"


def lint(awesome_lint: Path, folder: Path, git) -> None:
    """Let the linter read a folder's README; it asks git how old the list is, so the folder gets its own repository."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "The list", "--date", "2020-01-01T00:00:00Z")
    done = subprocess.run(
        [str(awesome_lint), str(folder / "README.md")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_passes_awesome_lint(repository: Path, awesome_lint: Path, tmp_path: Path, git):
    for name in ("README.md", "CONTRIBUTING.md", "LICENSE"):
        shutil.copy(repository / name, tmp_path / name)
    lint(awesome_lint, tmp_path, git)


def test_the_readme_of_a_list_with_nested_headings_passes_awesome_lint(awesome_lint: Path, tmp_path: Path, run, git):
    entries = [f"- [Work {n}](https://doi.org/10.5555/{n}), Bean, 2020\n" for n in range(3)]
    (tmp_path / "list.md").write_text(
        f"# Brews\n\n## Hot\n\n### Others\n\n{entries[0]}\n## Cold\n\n{entries[1]}\n### Others\n\n{entries[2]}"
    )
    run("init", tmp_path / "new", "--input", tmp_path / "list.md")
    lint(awesome_lint, tmp_path / "new", git)


@pytest.mark.parametrize("preset", presets())
def test_the_readme_of_a_new_survey_passes_awesome_lint(preset: str, awesome_lint: Path, tmp_path: Path, run, git):
    new = tmp_path / "new"
    run("init", new, "--preset", preset, "--title", "Bread & Butter", "--question", "What makes bread rise?")
    shutil.copytree(new, tmp_path / "filled")
    run(
        "add",
        "--set",
        "title=A First Work",
        "--set",
        "year=2020",
        "--set",
        "links=https://example.org/x",
        root=tmp_path / "filled",
    )
    run("render", root=tmp_path / "filled")
    for folder in (new, tmp_path / "filled"):
        lint(awesome_lint, folder, git)
