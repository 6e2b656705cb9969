"""`awesome refresh`: what the registries know otherwise, and what is kept of what was."""

import json
from datetime import date

import pytest
from crema import FEED, RECORD, WORK
from serving import Reply

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus


@pytest.fixture
def registries(service, root, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    service.routes["/arxiv"] = Reply(FEED.format(more="").encode())
    service.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": WORK}).encode())
    (root / "corpus" / "crema.yaml").write_text(RECORD)
    return service


def crema(root):
    return load_corpus(WorkingTree(root)).get("crema")


def test_differences_are_shown_and_nothing_is_written(run, root, registries):
    done = run("refresh", "crema", root=root)
    assert "+venue: Journal of Foam" in done.out
    assert "retraction status: known for 1, unknown for 0" in done.out
    assert (root / "corpus" / "crema.yaml").read_text() == RECORD
    data = run("refresh", "crema", "--format", "json", root=root).json["data"]
    assert {change["field"]: change["after"] for change in data["changes"]} == {
        "authors": ["Bean, Ada", "Li, Bo"],
        "identifiers.arxiv_version": 4,
        "identifiers.doi": "10.1000/x",
        "venue": "Journal of Foam",
        "year": 2024,
    }


def test_characters_that_nobody_sees_are_not_taken_over(run, root, registries):
    message = {**WORK, "container-title": ["Journal\x1b of \u202eFoam"]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": message}).encode())
    assert "+venue: Journal of Foam" in run("refresh", "crema", root=root).out


@pytest.mark.parametrize("option", ["--dry-run", "--diff"])
def test_an_update_can_be_tried_on_the_papers_of_a_query(run, root, registries, option):
    done = run("refresh", "--where", "key=crema", "--apply", option, root=root)
    assert "+venue: Journal of Foam" in done.out
    assert (root / "corpus" / "crema.yaml").read_text() == RECORD


def test_applied_values_remember_their_source_and_what_they_replaced(run, root, registries):
    run("refresh", "crema", "--apply", root=root)
    paper = crema(root)
    assert (paper.venue, paper.year, paper.authors) == ("Journal of Foam", 2024, ("Bean, Ada", "Li, Bo"))
    assert (paper.provenance["venue"].source, paper.provenance["venue"].on) == ("doi:10.1000/x", date(2026, 9, 21))
    assert (paper.retraction.status, paper.retraction.source) == ("none", "doi:10.1000/x")
    assert (root / "corpus" / "crema.yaml").read_text().startswith("# seen at a fair\n")
    then = load_corpus(WorkingTree(root)).as_of(date(2026, 1, 1)).get("crema")
    assert (then.venue, then.year, then.authors, then.identifiers.doi) == ("arXiv", 2023, ("Bean, Ada", "others"), None)
    assert "0 of 1 records would be updated" in run("refresh", "crema", root=root).out


@pytest.mark.parametrize(
    ("notices", "status"),
    [
        ([{"type": "correction"}, {"type": "retraction"}], "retracted"),
        ([{"type": "expression_of_concern"}], "concern"),
        ([{"type": "addendum"}], "none"),
    ],
)
def test_retractions(run, root, registries, notices, status):
    message = {"message": {**WORK, "updated-by": notices}}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps(message).encode())
    run("refresh", "crema", "--apply", root=root)
    assert crema(root).retraction.status == status


def test_a_withdrawn_preprint_is_retracted(run, root, registries):
    more = "<arxiv:comment>This paper has been withdrawn by the authors</arxiv:comment>"
    registries.routes["/arxiv"] = Reply(FEED.format(more=more).encode())
    assert "crema: retracted according to arxiv:2301.00001" in run("refresh", "crema", root=root).out


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(b"{broken"), Reply(status=404)], ids=["5xx", "bad", "404"])
def test_unknown_is_not_no(run, root, registries, reply):
    registries.routes["/crossref/works/10.1000%2Fx"] = reply
    done = run("refresh", "crema", "--format", "json", root=root, code=0 if reply.status == 404 else 3)
    if done.out:
        assert done.json["data"]["retraction"] == {"crema": "unknown"}


def test_one_source_that_fails_leaves_the_others(run, root, registries):
    (root / "corpus" / "second.yaml").write_text(
        RECORD.replace('arxiv: "2301.00001", arxiv_version: 1', "doi: 10.1000/x")
    )
    registries.routes["/arxiv"] = Reply(status=500)
    done = run("refresh", "crema", "second", "--format", "json", root=root, code=4)
    assert [failure["key"] for failure in done.json["data"]["failed"]] == ["crema"]
    assert {change["key"] for change in done.json["data"]["changes"]} == {"second"}


def test_with_the_network_off(run, root, registries):
    assert "switched off" in run("--offline", "refresh", "crema", root=root, code=3).err


def test_a_stub_is_filled_in(run, root, registries):
    run("--offline", "add", "2301.00001", "--key", "stub", "--tag", "device=press", "--on-duplicate", "skip", root=root)
    (root / "corpus" / "crema.yaml").unlink()
    run("--offline", "add", "2301.00001", "--key", "stub", "--tag", "device=press", root=root)
    run("refresh", "stub", "--apply", root=root)
    paper = load_corpus(WorkingTree(root)).get("stub")
    assert (paper.title, paper.note, paper.venue) == ("Crema: On Foam", None, "Journal of Foam")
    assert (paper.authors, paper.year) == (("Bean, Ada", "Li, Bo"), 2024)


LIST = """# A list

## Foam
- [Crema: On Foam](https://arxiv.org/abs/2301.00001)
- [Steam](https://openreview.net/forum?id=AbCdEf12_3)
- [Froth and Bubbles](https://aclanthology.org/2023.acl-long.99/)
"""
ENTRY = """@inproceedings{doe-2023, title={Froth and Bubbles}, author={Doe, Jane}, year={2023},
booktitle={Proceedings of ACL}}"""


def test_what_a_list_in_markdown_does_not_say_is_completed(run, root, registries):
    notes = [{"id": "AbCdEf12_3", "pdate": 1_700_000_000_000, "content": {
        "title": {"value": "Steam: A Study"}, "authors": {"value": ["Bo Li"]}, "venue": {"value": "ICLR 2024"}}}]  # fmt: skip
    registries.routes["/openreview/notes?id=AbCdEf12_3"] = Reply(json.dumps({"notes": notes}).encode())
    registries.routes["/acl/2023.acl-long.99.bib"] = Reply(ENTRY.encode())
    (root / "corpus" / "crema.yaml").unlink()
    (root / "list.md").write_text(LIST)
    added = run("import", root / "list.md", "--format", "json", root=root).json["data"]["added"]
    keys = [entry["key"] for entry in added]
    run("refresh", *keys, "--apply", root=root)
    loaded = load_corpus(WorkingTree(root))
    facts = [(p.title, p.authors, p.year, p.venue) for p in map(loaded.get, keys)]
    assert facts == [
        ("Crema: On Foam", ("Bean, Ada", "Li, Bo"), 2024, "Journal of Foam"),
        ("Steam: A Study", ("Li, Bo",), 2023, "ICLR 2024"),
        ("Froth and Bubbles", ("Doe, Jane",), 2023, "Proceedings of ACL"),
    ]
    assert [tag.term for tag in loaded.get(keys[0]).tags_on("topic")] == ["foam"]
