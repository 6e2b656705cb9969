"""Exit codes, streams and the global options: the contract of every command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from awesome_cli.model.taxonomy import CURRENT_FORMAT


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["validate"], 0),
        (["stats"], 0),
        (["gaps"], 0),
        (["gaps", "--fail-on", "gap"], 1),
        (["gaps", "bitter", "--fail-on", "gap"], 0),
        (["list", "--where", "device=drip"], 0),
        (["list", "--where", "devise=drip"], 2),
        (["list", "--where", "cold"], 2),
        (["show", "nothing"], 2),
        (["explain", "nonsense"], 2),
        (["gaps", "nothing"], 2),
        (["gaps", "--measure", "nothing"], 2),
        (["stats", "--by", "nothing"], 2),
        (["stats", "--as-of", "yesterday"], 2),
        (["--color", "blue", "stats"], 2),
        (["nothing"], 2),
        (["export", "nothing"], 2),
        (["validate", "corpus/nothing.yaml"], 2),
        (["render", "--check"], 1),
    ],
)
def test_exit_codes(run, root: Path, arguments: list[str], code: int):
    done = run(*arguments, root=root, code=code)
    if code == 2:
        assert done.out == ""
        assert done.err


def test_no_survey_is_an_answer_that_cannot_be_given(run, tmp_path: Path):
    done = run("stats", root=tmp_path, code=3)
    assert "no taxonomy.yaml" in done.err
    assert "awesome init" in done.err
    run("stats", root=tmp_path / "gone", code=2)


def test_one_bad_record_stops_analyses_and_nothing_else(run, root: Path):
    (root / "corpus" / "bad2020.yaml").write_text("title: [\n")
    done = run("stats", root=root, code=3)
    assert "corpus/bad2020.yaml" in done.err
    run("gaps", root=root, code=3)
    run("validate", root=root, code=1)
    assert "Dripping" in run("show", "drip2021", root=root, code=4).out
    assert run("status", "--format", "json", root=root).json["data"]["tasks"][0]["command"] == "awesome validate"


def test_an_unknown_term_is_a_remark_and_the_analysis_goes_on(run, root: Path):
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("beans: arabica", "beans: arabicca"))
    done = run("stats", "--format", "json", root=root)
    assert "the unknown tag beans=arabicca is ignored" in done.err
    assert done.json["data"]["counts"]["beans"]["NA"] == 3
    assert run("--quiet", "stats", root=root).err == ""


def test_a_full_disk_is_named_with_what_was_written(run, root: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        record = root.resolve() / "corpus" / "drip2021.yaml"
        written = f"error: No space left on device: {record}; nothing was written\n"
        assert run("set", "drip2021", "venue=Cups", root=root, code=3).err.startswith(written)
        one = run("export", "bibtex", "--out", root / "x.bib", root=root, code=3).err
        assert one.startswith(f"error: No space left on device: {root.resolve() / 'x.bib'}\n")
        assert "incomplete" not in one
        several = run("export", "artifact", "--out", root / "x", root=root, code=3).err
        assert f"{root / 'x'} may be incomplete" in several
    assert not (root / "x.bib").exists()


@pytest.mark.parametrize(("place", "make"), [(".awesome", Path.touch), (".awesome/lock", Path.mkdir)])
def test_what_stands_in_the_place_of_the_hidden_folder_or_the_lock_is_named(run, root: Path, place: str, make):
    (root / place).parent.mkdir(exist_ok=True)
    make(root / place)
    done = run("set", "drip2021", "venue=Cups", root=root, code=3)
    assert done.err.startswith(f"error: {place} is ")
    assert "hint: remove" in done.err


def test_a_broken_taxonomy_is_findings_in_validate_and_exit_3_elsewhere(run, root: Path):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("rows: beans, columns: taste", "rows: beans, columns: tast"))
    assert "A002" in run("validate", root=root, code=1).out
    assert "tast" in run("gaps", root=root, code=3).err


def test_global_options_also_stand_after_the_verb(run, root: Path):
    assert run("list", "-C", root, "--quiet", "--color=never").out


def test_a_deep_folder_finds_its_survey(root: Path):
    done = subprocess.run(
        [sys.executable, "-m", "awesome_cli", "list", "--format", "csv"],
        cwd=root / "corpus",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("key,")


def awesome(*args: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "awesome_cli", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_colour_is_asked_for_or_forbidden_by_the_environment(root: Path):
    assert "\x1b[" not in awesome("gaps", cwd=root).stdout
    assert "\x1b[" in awesome("gaps", cwd=root, FORCE_COLOR="1").stdout
    assert "\x1b[" not in awesome("gaps", cwd=root, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" in awesome("--color", "always", "gaps", cwd=root, NO_COLOR="1").stdout


def test_a_reader_that_leaves_is_no_error(root: Path):
    command = f"{sys.executable} -m awesome_cli stats | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0


def test_no_traceback_for_a_folder_that_cannot_be_read(root: Path):
    (root / "taxonomy.yaml").unlink()
    (root / "taxonomy.yaml").mkdir()
    done = awesome("stats", cwd=root)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_debug_shows_the_traceback(root: Path):
    (root / "corpus" / "bad2020.yaml").write_text("title: [\n")
    assert "Traceback" in awesome("--debug", "stats", cwd=root).stderr


def test_findings_in_the_formats_of_editors_and_hosts(run, root: Path):
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("device: press", "device: pres"))
    assert run("validate", "--format", "errorformat", root=root, code=1).out.startswith(
        "corpus/aero2020.yaml:13:11: V002 "
    )
    assert run("validate", "--format", "github", root=root, code=1).out.startswith(
        "::error file=corpus/aero2020.yaml,line=13"
    )
    rules = json.loads(run("validate", "--format", "sarif", root=root, code=1).out)["runs"][0]["tool"]["driver"][
        "rules"
    ]
    assert rules == [{"id": "V002", "shortDescription": {"text": "A term is unknown."}}]


def test_a_path_narrows_what_is_shown(run, root: Path):
    for name in ("aero2020", "drip2021"):
        path = root / "corpus" / f"{name}.yaml"
        path.write_text(path.read_text().replace("device:", "devise:"))
    assert "drip2021" not in run("validate", "corpus/aero2020.yaml", root=root, code=1).out
    assert "drip2021" in run("validate", "corpus", root=root, code=1).out
    run("validate", "exclusions", root=root)


def test_warnings_count_with_strict(run, root: Path):
    path = root / "exclusions" / "X1.yaml"
    path.write_text(path.read_text() + "\n")
    run("validate", root=root)
    run("validate", "--strict", root=root, code=1)


@pytest.mark.parametrize("verb", ["validate", "status", "render", "show aero2020"])
def test_a_survey_of_a_later_form_is_not_read(run, root: Path, verb: str):
    path = root / "taxonomy.yaml"
    path.write_text(f"format: {CURRENT_FORMAT + 1}\n" + path.read_text())
    said = run(*verb.split(), root=root, code=3).err
    assert f"taxonomy.yaml has format {CURRENT_FORMAT + 1}" in said
    assert "install a newer awesome" in said


def test_a_format_that_is_no_number(run, root: Path):
    path = root / "taxonomy.yaml"
    path.write_text("format: new\n" + path.read_text())
    assert "taxonomy.yaml:1:9: S003 format" in run("validate", root=root, code=1).out
