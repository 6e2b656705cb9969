"""Loading never stops at a bad record, and says what is wrong where."""

from pathlib import Path

import pytest

from awesome_cli.errors import SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Paper
from awesome_cli.survey.loading import load_corpus, load_folder, locate


def findings(root: Path, text: str, name: str = "corpus/bad2020.yaml") -> list[tuple[str, str, tuple[int, int]]]:
    (root / name).write_text(text)
    tree = WorkingTree(root)
    corpus = load_corpus(tree)
    assert len(corpus.papers) == 4
    return [(finding.code, finding.message, locate(tree.read, finding)) for finding in corpus.findings]


@pytest.mark.parametrize(
    ("text", "code", "message", "place"),
    [
        ("tilte: x\ntitle: y\nadded: 2026-01-01\n", "S001", "did you mean 'title'?", (1, 1)),
        ("title: y\n", "S002", "'added' is missing", (1, 1)),
        ("title: y\nadded: soon\n", "S003", "added: must be a date such as 2025-01-31, not 'soon'", (2, 8)),
        ("title: [y]\nadded: 2026-01-01\n", "S003", "title: must be a string", (1, 8)),
        ("title: y\nadded: 2026-01-01\nidentifiers: x\n", "S003", "must be a mapping of fields", (3, 14)),
        ("title: y\nadded: 2026-01-01\nyear: x\n", "S003", "year: must be a whole number, not 'x'", (3, 7)),
        ("title: y\nadded: 2026-01-01\nlinks:\n- {lable: a, url: b}\n", "S001", "did you mean 'label'?", (4, 4)),
        ("title: y\nadded: 2026-01-01\ntags:\n  device:\n  - {trem: drip}\n", "S001", "did you mean 'term'?", (5, 6)),
        ("- a\n", "S003", "has no fields", (1, 1)),
        ("", "S003", "is empty", (1, 1)),
        ("key: bad2020\ntitle: y\nadded: 2026-01-01\n", "S001", "the key is the file name", (1, 1)),
    ],
)
def test_shape_findings(root: Path, text: str, code: str, message: str, place: tuple[int, int]):
    found = [finding for finding in findings(root, text) if finding[0] == code and message in finding[1]]
    assert [finding[2] for finding in found] == [place], findings(root, text)


def test_a_file_name_must_be_a_key(root: Path):
    found = findings(root, "title: y\nadded: 2026-01-01\n", "corpus/Bad Name.yaml")
    assert [finding[0] for finding in found] == ["S004"]


def test_leftovers_are_named(root: Path):
    assert [f[0] for f in findings(root, "x", "corpus/a.yml")] == ["S006"]


def test_what_is_named_like_a_record_and_is_none_is_named(root: Path, tmp_path: Path):
    corpus = root / "corpus"
    text = (corpus / "drip2021.yaml").read_text()
    (corpus / "sub").mkdir()
    (corpus / "sub" / "x.yaml").write_text(text)
    (corpus / "folder.yaml").mkdir()
    (corpus / "nowhere.yaml").symlink_to("gone.yaml")
    outside = tmp_path / "outside.yaml"
    outside.write_text(text)
    (corpus / "outside.yaml").symlink_to(outside)
    papers, found = load_folder(WorkingTree(root), Paper)
    assert len(papers) == 4
    assert [(finding.code, finding.path) for finding in found] == [
        ("S006", f"corpus/{name}.yaml") for name in ("folder", "nowhere", "outside", "sub/x")
    ]
    assert found[-1].fix == "move the record to corpus/x.yaml as a file, or remove corpus/sub/x.yaml"


def test_without_a_taxonomy_nothing_has_a_meaning(root: Path):
    (root / "taxonomy.yaml").write_text("axes: []\nsurvey: {title: x}\n")
    with pytest.raises(SurveyError, match="at least one axis"):
        load_corpus(WorkingTree(root))


def test_another_form_is_a_finding_and_a_comment_is_none(root: Path):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(path.read_text().replace("summary: Drips.", "summary: 'Drips.'"))
    other = root / "corpus" / "aero2020.yaml"
    other.write_text("# a warning\n" + other.read_text())
    papers, found = load_folder(WorkingTree(root), Paper, axes=["device", "taste", "beans"])
    assert len(papers) == 4
    assert [(finding.code, finding.fix) for finding in found] == [("C001", "awesome fmt drip2021")]
