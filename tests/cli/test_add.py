"""`awesome add` as it is typed, and on a terminal: the questions come from the taxonomy, the answers go into the record."""

import json

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from serving import Reply

from awesome_cli.cli._session import CommandSession
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.drafts import STUB_NOTE
from awesome_cli.model.records import Paper
from awesome_cli.survey.loading import load_corpus

WORK = {"DOI": "10.1000/x", "title": ["Crema: On Foam"], "author": [{"family": "Bean", "given": "Ada"}],
        "issued": {"date-parts": [[2024]]}, "type": "journal-article", "container-title": ["Journal of Foam"]}  # fmt: skip
ENTRY = '@article{foam, title={Foam on {COFFEE}}, author={M{\\"u}ller, Bo}, year={2023}}'


@pytest.fixture
def crossref(service):
    service.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": WORK}).encode())
    return service


def papers(root):
    return {paper.key: paper for paper in load_corpus(WorkingTree(root), candidates=True).records}


def test_a_doi_becomes_a_whole_record(run, root, crossref, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    done = run("add", "10.1000/x", "--tag", "device=press", "--tag", "taste=sour:tasted", "--evidence", "A panel sat.",
               "--set", "summary=Foam is measured.", root=root)  # fmt: skip
    assert done.out == "added corpus/crema.yaml: Crema: On Foam\n"
    paper = papers(root)["crema"]
    assert (paper.authors, paper.year, paper.venue) == (("Bean, Ada",), 2024, "Journal of Foam")
    assert paper.tags_on("taste")[0].evidence == "A panel sat."
    assert (paper.summary, paper.added.isoformat(), paper.citation.key) == ("Foam is measured.", "2026-09-21", "crema")
    run("validate", "corpus/crema.yaml", root=root)


def test_a_known_work_is_refused_with_its_key(run, root, crossref):
    run("add", "10.1000/x", "--tag", "device=press", root=root)
    before = (root / "corpus" / "crema.yaml").read_bytes()
    for reference in ("https://doi.org/10.1000/x", "doi:10.1000/x"):
        done = run("add", reference, root=root, code=1)
        assert "corpus/crema.yaml (both are doi 10.1000/x)" in done.err
    done = run("add", "10.1000/x", "--on-duplicate", "skip", "--format", "json", root=root)
    assert [known["key"] for known in done.json["data"]["known"]] == ["crema"]
    assert (root / "corpus" / "crema.yaml").read_bytes() == before


def test_one_of_several_that_fails_stops_nobody(run, root, crossref):
    done = run("add", "10.1000/x", "10.1000/none", "nonsense", root=root, code=4)
    assert "added corpus/crema.yaml" in done.out
    assert "no service has a record of doi:10.1000/none" in done.out
    assert "'nonsense' is not an identifier, a URL or an existing file" in done.out


def test_pasted_bibtex_and_files(run, root, tmp_path):
    run("add", "-", "--tag", "device=drip", root=root, stdin=ENTRY)
    assert papers(root)["foam"].title == "Foam on COFFEE"
    path = tmp_path / "two.bib"
    path.write_text(ENTRY + "\n@misc{other, title={Another Drink}}\n")
    assert "contains 2 entries, expected 1" in run("add", path, root=root, code=2).err
    path.write_text("@misc{broken, title={x\n")
    assert "two.bib:1" in run("add", path, root=root, code=2).err
    done = run("add", "nothing.bib", root=root, code=2)
    assert "'nothing.bib' is not an identifier, a URL or an existing file" in done.err


def test_by_hand(run, root):
    done = run("add", "--set", "title=Grounds for Concern", "--set", "authors=Bean, Ada; Doe, Jane", "--set", "year=2020",
               "--tag", "device=press", "--key", "grounds", root=root)  # fmt: skip
    assert done.out == "added corpus/grounds.yaml: Grounds for Concern\n"
    assert papers(root)["grounds"].authors == ("Bean, Ada", "Doe, Jane")
    assert "REFERENCE is missing" in run("add", root=root, code=2).err


def test_a_mistyped_tag_writes_nothing(run, root, crossref):
    done = run("add", "10.1000/x", "--tag", "device=pres", root=root, code=2)
    assert "did you mean 'press'" in done.err
    assert crossref.asked == []


def test_offline_adds_a_stub_that_says_so(run, root, service):
    done = run("--offline", "add", "arxiv:2508.04652v2", "--tag", "device=press", root=root)
    assert "the record is a stub" in done.out
    (paper,) = (paper for paper in papers(root).values() if paper.identifiers.arxiv == "2508.04652")
    assert (paper.note, paper.title) == (STUB_NOTE, "arxiv:2508.04652v2")
    assert paper.identifiers.arxiv_version == 2
    assert service.asked == []
    run("--offline", "add", "2508.04652", root=root, code=1)


def test_stubs_of_different_works_have_different_keys(run, root):
    keys = {"arxiv:2601.12345v2": "arxiv-2601-12345", "10.1000/y.z": "doi-10-1000-y-z",
            "https://example.org/a/paper": "https-example-org-a-paper"}  # fmt: skip
    for reference, key in keys.items():
        run("--offline", "add", reference, root=root)
        paper = papers(root)[key]
        assert paper.citation.key == key
    long = "https://example.org/" + "very-long/" * 20
    run("--offline", "add", long, root=root)
    run("--offline", "add", long + "2", root=root)
    assert sum(key.startswith("https-example-org-very") for key in papers(root)) == 2


def test_offline_uses_what_was_fetched_before(run, root, crossref):
    run("add", "10.1000/x", "--dry-run", root=root)
    assert run("--offline", "add", "10.1000/x", root=root).out == "added corpus/crema.yaml: Crema: On Foam\n"
    assert len(crossref.asked) == 1


def test_a_network_that_fails_is_exit_3_and_writes_nothing(run, root, crossref):
    crossref.routes["/crossref/works/10.1000%2Fx"] = Reply(status=500)
    files = sorted(root.rglob("*.yaml"))
    assert "status 500" in run("add", "10.1000/x", root=root, code=3).err
    assert sorted(root.rglob("*.yaml")) == files


def test_candidates(run, root, crossref):
    run("add", "10.1000/x", "--kind", "candidate", root=root)
    assert not isinstance(papers(root)["crema"], Paper)
    assert "corpus" not in run("add", "10.1000/x", root=root, code=1).err.partition("(")[0].replace("candidates", "")


def test_the_published_version_of_a_preprint_is_linked(run, root, crossref):
    run("add", "--set", "title=Crema: On Foam", "--set", "authors=Bean, Ada", "--set", "year=2023", "--set", "venue=arXiv",
        "--set", "identifiers.arxiv=2301.00001", "--tag", "device=press", "--key", "preprint", root=root)  # fmt: skip
    assert "corpus/preprint.yaml" in run("add", "10.1000/x", root=root, code=1).err
    run("add", "10.1000/x", "--on-duplicate", "link", root=root)
    (version,) = papers(root)["preprint"].versions
    assert (version.identifiers.doi, version.venue) == ("10.1000/x", "Journal of Foam")


DOWN, ENTER, SPACE = "\x1b[B", "\r", " "


@pytest.fixture
def terminal(monkeypatch):
    """A person at a terminal, who presses the keys that are sent."""
    monkeypatch.setattr(CommandSession, "interactive", property(lambda _session: True))
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        yield keyboard


def test_tags_are_asked_for(run, root, terminal):
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    device, taste, *others = taxonomy.axes
    assert device.required_for == "*"
    keys = ENTER  # the first device: there is no "none" where a term is required
    keys += SPACE + ENTER + DOWN + ENTER + "A panel sat." + ENTER  # the first taste, its second strength, the evidence
    terminal.send_text(keys + ENTER * len(others))
    run("add", "--set", "title=On Crumbs", "--key", "crumbs", root=root)
    paper = load_corpus(WorkingTree(root)).get("crumbs")
    assert [tag.term for tag in paper.tags_on(device.id)] == [device.leaves[0].id]
    (tag,) = paper.tags_on(taste.id)
    assert (tag.term, tag.strength, tag.evidence) == (taste.leaves[0].id, taste.strengths[1].id, "A panel sat.")
    assert set(paper.tags) == {device.id, taste.id}


def test_a_required_axis_is_not_left_empty(run, root, terminal):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("  kind: many\n", "  kind: many\n  required_for: device=immersion\n"))
    # Nothing chosen is not taken for an answer; then the first taste, at its first strength, without evidence.
    terminal.send_text(ENTER + ENTER + SPACE + ENTER * 3 + ENTER * 9)
    run("add", "--set", "title=On Crumbs", "--key", "crumbs", root=root)
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    (tag,) = load_corpus(WorkingTree(root)).get("crumbs").tags_on("taste")
    assert tag.term == taxonomy.by_id["taste"].leaves[0].id
    terminal.send_text(ENTER * 9)
    run("add", "--set", "title=On Crusts", "--key", "crusts", "--kind", "candidate", root=root)
    assert load_corpus(WorkingTree(root), candidates=True).get("crusts").tags == {}


def test_a_work_is_described_by_answers(run, root, terminal):
    answers = ["On Crumbs", "Ada Bean; Doe, Jane", "2020", "Bread Conf.", "https://arxiv.org/abs/2001.00001"]
    terminal.send_text("".join(answer + ENTER for answer in answers))
    run("add", "--tag", "device=press", root=root)
    (paper,) = (paper for paper in load_corpus(WorkingTree(root)).papers if paper.title == "On Crumbs")
    assert (paper.authors, paper.year, paper.venue) == (("Bean, Ada", "Doe, Jane"), 2020, "Bread Conf.")
    assert paper.identifiers.arxiv == "2001.00001"


@pytest.mark.parametrize(
    ("keys", "outcome"), [(ENTER, "known as"), (DOWN + ENTER, "linked to"), (DOWN * 2 + ENTER, "added")]
)
def test_a_known_work_is_asked_about(run, root, terminal, keys, outcome):
    given = ["--set", "title=On Crumbs and Their Fall", "--set", "authors=Bean, Ada", "--tag", "device=press"]
    run("add", *given, "--key", "crumbs", root=root)
    terminal.send_text(keys)
    assert run("add", *given, "--key", "again", root=root).out.startswith(outcome)
