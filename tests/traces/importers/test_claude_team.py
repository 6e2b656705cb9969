"""Folders of teams of Claude Code."""

from pathlib import Path

import foreign_files as files
import pytest
from builders import DATA
from event_lines import event_lines, events_of

from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_document
from tests.traces.importers.known_answers import answers

TEAMS = DATA / "runs" / "claude-code" / "teams"
KNOWN = {
    "humble-chasing-goose": (3, 6, ["idle_notification"] * 2 + ["shutdown_request"] * 2 + ["text"] * 2, 0, 15.144),
    "moonlit-chasing-meerkat": (4, 3, ["idle_notification"] + ["text"] * 2, 2, 8.911),
}
"""Agents with the lead, messages, their kinds, how many were not read, and seconds from the first to the last."""


@pytest.mark.parametrize("name", KNOWN)
def test_real_teams_have_the_known_answers(name, imported):
    trace = imported(TEAMS / name, "claude-team", with_content=True)
    letters = [event for event in trace["events"] if "/" in event.get("source", "")]
    kinds = sorted(e["content"]["type"] if isinstance(e["content"], dict) else "text" for e in letters)
    unread = sum(event.get("delivery") == "explicit" for event in letters)
    span = round(letters[-1]["t"] - letters[0]["t"], 3)
    assert (answers(trace)["agents"], len(letters), kinds, unread, span) == KNOWN[name]
    assert answers(trace)["spawns"] == KNOWN[name][0] - 1
    rules = {finding.code for finding in check_trace(read_document(trace).trace)}
    assert not rules & {"TW101", "TW102", "TW104", "TW105"}


@pytest.mark.parametrize("part", [".", "config.json", "inboxes/team-lead.json"])
def test_a_team_is_found_by_its_folder_or_by_one_of_its_files(part, imported):
    folder = TEAMS / "humble-chasing-goose"
    assert event_lines(imported(folder / part, "claude-team")) == event_lines(imported(folder, "claude-team"))


def test_a_notice_of_being_idle_ends_the_turn_of_a_member(imported):
    trace = imported(TEAMS / "humble-chasing-goose", "claude-team")
    assert [e["agent"] for e in events_of(trace, "return")] == ["docs-types", "docs-events"]
    assert all(e["inferred"] for e in events_of(trace, "return"))


def letter(seconds: float, sender: str, words: object) -> dict:
    text = words if isinstance(words, str) else files.json.dumps(words)
    return {"from": sender, "text": text, "timestamp": files.at(seconds), "read": True}


@pytest.fixture
def team(tmp_path) -> Path:
    """A team whose configuration has lost its members."""
    folder = tmp_path / "teams" / "bakers"
    (folder / "inboxes").mkdir(parents=True)
    files.document(folder / "config.json", {"name": "bakers", "leadAgentId": "team-lead@bakers", "members": []})
    claim = {"type": "task_assignment", "taskId": "3", "subject": "bread", "assignedBy": "ada"}
    files.document(folder / "inboxes" / "ada.json", [letter(2, "ada", claim), letter(4, "bob", "flour?")])
    files.document(
        folder / "inboxes" / "team-lead.json",
        [letter(1, "ada", "ready"), letter(6, "ada", {"type": "idle_notification"}),
         letter(9, "ada", {"type": "shutdown_approved"})],
    )  # fmt: skip
    return folder


def test_agents_are_members_senders_and_owners_of_inboxes(team, imported):
    assert event_lines(imported(team, "claude-team")) == [
        "spawn? team-lead to ada",
        "message ada to team-lead",
        "delegate ada to ada",
        "spawn? team-lead to bob",
        "message bob to ada",
        "return? ada to team-lead",
        "despawn team-lead to ada",
    ]


def test_the_list_of_tasks_belongs_to_the_team(team, tmp_path, imported):
    tasks = tmp_path / "tasks" / "bakers"
    tasks.mkdir(parents=True)
    files.document(tasks / "3.json", {"id": "3", "subject": "bread", "status": "completed", "owner": "ada"})
    lossy = imported(tmp_path, "claude-team")["provenance"]["lossy"]
    assert "lists of tasks, which have no times: files: 1" in lossy


@pytest.mark.parametrize(("read", "codes"), [(True, set()), (False, {"TW103"})])
def test_what_an_inbox_says_was_read_is_read_though_the_lead_did_nothing_after_it(read, codes, team, imported):
    answer = letter(6, "ada", {"type": "idle_notification"}) | {"read": read}
    files.document(team / "inboxes" / "team-lead.json", [letter(1, "ada", "ready"), answer])
    trace = imported(team, "claude-team")
    assert [event.get("read", False) for event in events_of(trace, "return")] == [read]
    assert max(event["t"] for event in trace["events"] if event["agent"] == "team-lead") < trace["events"][-1]["t"]
    assert {finding.code for finding in check_trace(read_document(trace).trace)} & {"TW103"} == codes
