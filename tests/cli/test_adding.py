"""`add` on a terminal: the questions come from the taxonomy, the answers go into the record."""

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from awesome_cli.cli._session import CommandSession
from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

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
