"""What `status` proposes can be typed."""

import importlib.util
import os
import shlex
import shutil
from pathlib import Path

import pytest
from claiming import state_claims
from running import APP
from typer.testing import CliRunner

from awesome_cli.system.extras import install
from awesome_cli.text.numbers import counted


def tasks(run, root: Path) -> dict[str, str]:
    found = run("status", "--format", "json", root=root).json["data"]["tasks"]
    return {task["command"]: task["what"] for task in found}


@pytest.fixture
def busy(root: Path) -> Path:
    """A survey with something to do of every sort."""
    state_claims(root)
    paper = root / "corpus" / "drip2021.yaml"
    paper.write_text(paper.read_text().replace("device: drip", "device: drpi"))
    (root / "corpus" / "bare2020.yaml").write_text("title: Bare\nadded: 2026-01-01\nnot_coded: device\n")
    taxonomy = root / "taxonomy.yaml"
    text = taxonomy.read_text()
    assert "gaps: [taste, device]}" in text
    plots = "gaps: [taste, device], plots: [{name: gaps, kind: gaps}]}"
    taxonomy.write_text(text.replace("gaps: [taste, device]}", plots))
    return root


@pytest.mark.slow
def test_every_proposed_command_runs_on_a_copy(run, busy: Path, tmp_path: Path):
    found = tasks(run, busy)
    assert len(found) >= 5, found
    for n, command in enumerate(found):
        program, *words = shlex.split(command)
        assert program == "awesome", command
        copy = shutil.copytree(busy, tmp_path / f"copy{n}")
        words += ["--format", "json"] if words[0] in {"screen", "code"} else []  # which decide at a terminal alone
        done = CliRunner().invoke(APP, ["-C", str(copy), *words])
        assert done.exit_code in {0, 1}, (command, done.stderr)
        assert "remark" not in done.stderr


def test_pictures_need_a_library_that_may_be_missing(run, busy: Path, monkeypatch: pytest.MonkeyPatch):
    assert "awesome plot --readme" in tasks(run, busy)
    shutil.rmtree(busy / ".awesome" / "cache")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "awesome_cli.publish.plots.themes.find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    found = tasks(run, busy)
    assert "awesome plot --readme" not in found
    assert "matplotlib" in found[install("plot")]


def test_what_the_text_says_has_fields(run, busy: Path):
    shown, data = run("status", root=busy).out, run("status", "--format", "json", root=busy).json["data"]
    assert shown.endswith(f"Next: {data['next']}\n")
    assert f"Problems ('awesome validate'): {counted(data['findings']['errors'], 'error')}, " in shown
    assert data["findings"]["errors"]
    assert f"next,,,{data['next']}" in run("status", "--format", "csv", root=busy).out


@pytest.mark.parametrize("path", ["README.md", "corpus/drip2021.yaml", "statistics.json"])
def test_a_change_since_rendering_is_told_by_stamp(run, root: Path, path: str):
    run("render", root=root)
    assert "awesome render" not in tasks(run, root)
    (root / path).write_text((root / path).read_text().replace("o", "0", 1))
    assert "'awesome render --check'" in tasks(run, root)["awesome render"]


def test_evidence_against_a_coding_is_a_task(run, root: Path):
    words = ["taste=bitter", "--evidence", "Nothing was measured.", "--direction", "against"]
    run("tag", "drip2021", *words, root=root)
    assert "speaks against it" in tasks(run, root)["awesome evidence --direction against"]


def test_a_retracted_work_is_the_first_task_until_it_is_handled(run, root: Path):
    paper = root / "corpus" / "drip2021.yaml"
    notice = "retraction: {status: withdrawn, source: doi:10.1000/coffee.2, 'on': 2026-03-01}\n"
    paper.write_text(paper.read_text().replace("summary: Drips.", f"{notice}summary: Drips."))
    first = run("status", "--format", "json", root=root).json["data"]["tasks"][0]
    assert first == {
        "what": "exclude or keep a retracted, withdrawn or doubtful work: drip2021 (withdrawn)",
        "n": 1,
        "command": "awesome watch --offline",
    }
    run("set", "drip2021", "retraction.handled=Cited as history.", root=root)
    assert "retracted" not in run("status", root=root).out


def test_a_stale_picture_does_not_ask_for_rendering(run, busy: Path):
    (busy / "corpus/drip2021.yaml").unlink()
    run("render", root=busy, code=None)
    found = tasks(run, busy)
    assert "awesome plot --readme" in found
    assert "awesome render" not in found
    run("render", "--check", root=busy, code=1)


def test_missing_authors_lead_to_the_services(run, root: Path):
    paper = root / "corpus" / "drip2021.yaml"
    paper.write_text(paper.read_text().replace("authors:\n- Pour, Olga\n", ""))
    assert "complete" in tasks(run, root)["awesome refresh --apply"]
    assert "awesome refresh drip2021 --apply" in run("validate", "corpus/drip2021.yaml", root=root).out
    paper.write_text(paper.read_text().replace("identifiers: {doi: 10.1000/coffee.2}\n", ""))
    assert "awesome refresh --apply" not in tasks(run, root)


SEARCHES = "searches:\n- {id: foam, query: foam}\n- {id: milk, query: milk}\n"
ASKED = "asked:\n- {search: foam, source: arxiv, query: foam, sent: x, at: 2026-03-09T10:00:00Z, state: failed}\n"
DECIDED = "who: %s\nblind: true\ndecisions:\n- {key: split2026, verdict: %s, on: 2026-03-01}\n"


def test_the_weeks_work_has_a_command_each(run, root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1773100800")  # 2026-03-10
    state_claims(root)
    cold = "title: Cold\nproposal: retain\ntags: {device: cold}\n"
    for name, text in {"cold2026": cold, "split2026": "title: Split\nproposal: consider\n"}.items():
        (root / "candidates" / f"{name}.yaml").write_text(text)
    (root / "candidates" / "yes2026.yaml").write_text("title: Yes\nproposal: retain\npassed: [abstract]\n")
    (root / "search.yaml").write_text(SEARCHES)
    for folder, files in {
        "searches": {"2026-03-09-100000": ASKED},
        "screenings": {n: DECIDED % (n, v) for n, v in WHO},
    }.items():
        (root / folder).mkdir()
        for name, text in files.items():
            (root / folder / f"{name}.yaml").write_text(text)
    found = {task["command"]: task for task in run("status", "--format", "json", root=root).json["data"]["tasks"]}
    week = {command: task["n"] for command, task in found.items() if command in WEEK}
    assert week == WEEK


WHO = (("ada", "include"), ("bo", "exclude"))
WEEK = {
    "awesome search foam": 1,  # a source did not answer
    "awesome search": 1,  # milk was never asked
    "awesome screen --conflicts": 1,
    "awesome screen": 2,  # salt2026 and cold2026: the others are decided
    "awesome code": 1,
    "awesome watch --offline": 1,  # no-cold
}


def test_a_status_is_kept_until_a_file_changes(run, root: Path, monkeypatch: pytest.MonkeyPatch):
    first = run("status", "--format", "json", root=root).json["data"]
    monkeypatch.setattr("awesome_cli.publish.tasks.survey_status", None)
    assert run("status", "--format", "json", root=root).json["data"] == first
    monkeypatch.undo()
    (root / "corpus" / "soup2022.yaml").unlink()
    assert run("status", "--format", "json", root=root).json["data"]["counts"] == {**first["counts"], "papers": 3}


def test_a_status_is_made_again_for_a_file_of_the_same_size_and_time(run, root: Path):
    run("render", root=root)
    first = run("status", "--format", "json", root=root).json["data"]
    page, times = root / "README.md", (root / "README.md").stat()
    page.write_text(page.read_text().replace("e", "a", 1))
    os.utime(page, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run("status", "--format", "json", root=root).json["data"] != first


def test_a_search_that_misses_a_retained_work_is_named(run, root: Path):
    (root / "search.yaml").write_text("searches:\n- {id: tea, query: tea}\n- {id: milk, query: milk AND foam}\n")
    assert "awesome search --check" not in tasks(run, root)
    record = root / "corpus" / "drip2021.yaml"
    record.write_text(record.read_text() + "extra: {abstract: Water runs through it.}\n")
    assert tasks(run, root)["awesome search --check"].endswith("misses a retained work: tea")
    (root / "search.yaml").write_text("searches:\n- {id: tea, query: tea}\n- {id: water, query: water AND runs}\n")
    assert "awesome search --check" not in tasks(run, root)
