"""Freshness: an untouched survey is fresh without being read, and any byte that matters is noticed."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from awesome_cli.files.tree import BESIDE
from awesome_cli.model.appearance import Readme
from awesome_cli.publish import freshness
from awesome_cli.survey import loading


@pytest.fixture
def rendered(run, root: Path) -> Path:
    run("render", root=root)
    return root


def test_what_was_just_rendered_is_untouched(rendered: Path):
    assert freshness.untouched(rendered) == ("README.md", "statistics.json")


@pytest.mark.parametrize(
    "path",
    [
        "corpus/aero2020.yaml",
        "exclusions/X1.yaml",
        "candidates/salt2026.yaml",
        "taxonomy.yaml",
        "README.md",
        "statistics.json",
    ],
)
def test_a_changed_byte_is_noticed(rendered: Path, path: str):
    data = (rendered / path).read_bytes()
    (rendered / path).write_bytes(data.replace(b"a", b"b", 1))
    assert not freshness.untouched(rendered)


@pytest.mark.parametrize("path", ["corpus/new2020.yaml", "claims.yaml", "protocol.yaml", "templates/readme/gaps.md.j2"])
def test_a_new_file_is_noticed(rendered: Path, path: str):
    (rendered / path).parent.mkdir(parents=True, exist_ok=True)
    (rendered / path).write_text("x: y\n")
    assert not freshness.untouched(rendered)


def test_a_lost_file_is_noticed(rendered: Path):
    (rendered / "corpus" / "aero2020.yaml").unlink()
    assert not freshness.untouched(rendered)


def test_a_touched_survey_may_still_be_fresh(run, rendered: Path):
    path = rendered / "corpus" / "aero2020.yaml"
    path.write_text("# a warning\n" + path.read_text())
    assert not freshness.untouched(rendered)
    run("render", "--check", root=rendered)


def test_another_version_of_the_tool_looks_again(rendered: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(freshness, "__version__", "99")
    assert not freshness.untouched(rendered)


@pytest.mark.parametrize("content", [b"", b"{}", b"<svg/>\n", b'{\n "freshness": ""\n}\n', b"<!-- freshness: 0 -->"])
def test_content_without_a_true_stamp_is_not_fresh(content: bytes):
    assert not freshness.is_fresh(content, {})


def test_a_stamp_is_that_of_the_content_and_its_sources():
    stamped = freshness.stamped(b"<svg/>\n" + freshness.COMMENT, {"figure": b"1"})
    assert freshness.is_fresh(stamped, {"figure": b"1"})
    assert not freshness.is_fresh(stamped, {"figure": b"2"})
    assert not freshness.is_fresh(stamped.replace(b"svg", b"xml"), {"figure": b"1"})
    assert freshness.stamped(stamped, {"figure": b"1"}) == stamped


def test_every_kind_of_record_is_stamped():
    assert set(loading.FOLDERS) < set(freshness.FOLDERS)


EXPORTS = ["references.bib", "papers.csv"]


@pytest.fixture
def exported(run, root: Path) -> Path:
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("readme: {", "readme: {exports: [bibtex, csv], "))
    run("render", root=root)
    return root


def test_exports_that_the_taxonomy_lists_are_those_of_awesome_export(run, exported: Path):
    for form, name in zip(["bibtex", "csv"], EXPORTS, strict=True):
        assert (exported / name).read_text() == run("export", form, root=exported).out
    assert freshness.untouched(exported) == ("README.md", "statistics.json", *EXPORTS)
    assert freshness.rendered(exported)
    run("set", "drip2021", "title==1+1", root=exported)
    run("render", root=exported)
    assert "drip2021,'=1+1," in (exported / "papers.csv").read_text()


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: path.write_text("key\n")])
def test_a_lost_or_edited_export_is_stale(run, exported: Path, name: str, harm: Callable[[Path], object]):
    before = (exported / name).read_bytes()
    harm(exported / name)
    assert not freshness.untouched(exported)
    assert not freshness.rendered(exported)
    assert f"{name} is stale; run 'awesome render'" in run("render", "--check", root=exported, code=1).out
    tasks = run("status", "--format", "json", root=exported).json["data"]["tasks"]
    assert "awesome render" in {task["command"] for task in tasks}
    run("render", root=exported)
    assert (exported / name).read_bytes() == before


def test_a_file_of_such_a_name_that_the_taxonomy_does_not_list_is_left_alone(run, root: Path):
    (root / "papers.csv").write_text("mine\n")
    run("render", root=root)
    assert (root / "papers.csv").read_text() == "mine\n"
    assert freshness.untouched(root) == ("README.md", "statistics.json")


def test_every_export_that_a_taxonomy_may_list_has_a_file():
    (formats,) = get_args(Readme.model_fields["exports"].annotation)[:1]
    assert set(get_args(formats)) == set(freshness.EXPORTS)
    assert set(freshness.EXPORTS.values()) < set(BESIDE)
