"""Decisions become changes of the records and entries of a file, and are taken back with the same bytes."""

import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import invoke
from screened import candidate, loaded, put, with_candidates

from awesome_cli.curation.screening import ChangedError, ScreeningLog, ScreeningSession, reopened
from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Candidate, Exclusion, to_document, to_text
from awesome_cli.model.screenings import Decision, ScreeningOrder, Screenings
from awesome_cli.survey.loading import load_record

DAY = date(2026, 5, 2)
DECISIONS = st.builds(
    Decision,
    key=st.sampled_from(["a", "b", "c"]),
    verdict=st.sampled_from(["include", "exclude", "skip", "note"]),
    on=st.just(DAY),
    reason=st.none() | st.sampled_from(["tea", "no: yes", "#"]),
    note=st.none() | st.text(max_size=150),
)


def sitting(root: Path, **held: object) -> ScreeningSession:
    person = Screenings.model_validate({"key": "ana", "who": "Ana", **held})
    return ScreeningSession.begun(root, loaded(root), person, ScreeningOrder(by="date"))


def decision(key: str, verdict: str, **more: object) -> Decision:
    return Decision.model_validate({"key": key, "verdict": verdict, "on": DAY, **more})


def decide(root: Path, key: str, verdict: str, **more: object) -> None:
    """Decide on a work in a session of its own, whatever it is now."""
    session = sitting(root)
    session.decide(reopened(session.corpus, key), decision(key, verdict, **more))


def load_before(data: bytes) -> Candidate:
    return load_record(Candidate, "c0", "candidates/c0.yaml", data)[0]


@given(st.lists(DECISIONS, max_size=5))
def test_a_file_grows_by_each_decision_as_if_it_were_written_whole(found: list[Decision]):
    log = ScreeningLog(Screenings(key="ana", who="Ana"))
    states = [log]
    for one in found:
        log = log.with_decision(one)
        states.append(log)
        assert log.data == to_text(log.held).encode()
    for state in states[-2:0:-1]:
        log = log.without_last()
        assert log.data == state.data


def test_a_file_that_a_person_wrote_keeps_their_comments(root: Path):
    with_candidates(root, 2)
    path = root / "screenings" / "ana.yaml"
    path.parent.mkdir()
    text = '# mine\nwho:   Ana\ndecisions:\n- {key: c0, verdict: skip, "on": 2026-05-01} # hm\n'
    path.write_text(text)
    session = sitting(root)
    session.order = None
    session.decide(session.corpus.by_key["c1"], decision("c1", "skip"))
    assert path.read_text().startswith(text)
    session.undo()
    assert path.read_text() == text


def test_a_later_stage_follows_an_earlier_one(root: Path):
    with_candidates(root, 1)
    session = sitting(root)
    session.decide(session.corpus.by_key["c0"], decision("c0", "include", stage="abstract"))
    now = loaded(root).by_key["c0"]
    assert (now.proposal, now.passed) == ("retain", ("abstract",))
    session.decide(now, decision("c0", "exclude", stage="full_text", reason="opinion", note="No data."))
    screening = loaded(root).by_key["c0"].screening
    assert (screening.passed, screening.stage) == (("abstract",), "full_text")
    assert [one.after for one in session.log.held.orders] == [0]


def test_blind_decisions_change_no_record(root: Path):
    with_candidates(root, 1)
    session = sitting(root, blind=True)
    plan = session.decide(session.corpus.by_key["c0"], decision("c0", "exclude", stage="abstract", reason="tea"))
    assert plan.changes == ()
    assert loaded(root).screenings[0].blind


def test_what_cannot_be_done_changes_nothing(root: Path):
    with_candidates(root, 1)
    session = sitting(root)
    shown = session.corpus.by_key["c0"]
    with pytest.raises(UsageError, match="a stage and a reason"):
        session.decide(shown, decision("c0", "exclude"))
    with pytest.raises(RefusedError, match="nothing to undo"):
        session.undo()
    put(root, candidate("c0", title="Another"))
    with pytest.raises(ChangedError) as caught:
        session.decide(shown, decision("c0", "include"))
    assert caught.value.now.title == "Another"
    assert not (root / "screenings").exists()
    session.decide(caught.value.now, decision("c0", "skip"))
    (root / "screenings" / "ana.yaml").write_text("who: Ana\n")
    with pytest.raises(RefusedError, match="changed by another program"):
        session.undo()


def test_two_programs_of_one_person_both_write(root: Path):
    with_candidates(root, 2)
    first, second = sitting(root), sitting(root)
    first.decide(first.corpus.by_key["c0"], decision("c0", "skip"))
    second.decide(second.corpus.by_key["c1"], decision("c1", "skip"))
    assert [one.key for one in loaded(root).screenings[0].decisions] == ["c0", "c1"]


def test_a_merge_reads_again_only_what_changed_since_the_sitting_began(root: Path, monkeypatch: pytest.MonkeyPatch):
    with_candidates(root)
    time.sleep(0.05)  # the clock of a file system may be coarse
    put(root, candidate("c5"))
    session = sitting(root)
    held = session.corpus.by_key
    session.decide(held["c1"], decision("c1", "include", stage="abstract"))
    put(root, candidate("c2", version_of="c0"))
    (root / held["c5"].path).unlink()
    read: list[str] = []
    real = WorkingTree.read
    with monkeypatch.context() as patch:
        patch.setattr(WorkingTree, "read", lambda tree, path: read.append(path) or real(tree, path))
        session.decide(held["c0"], decision("c0", "duplicate", of="c1"))
    assert {"candidates/c1.yaml", "candidates/c2.yaml"} <= set(read)
    assert "candidates/c3.yaml" not in read
    now = loaded(root).by_key
    assert (now["c0"].key, now["c1"].proposal, now["c2"].version_of) == ("c1", "retain", "c1")
    session.undo()
    assert loaded(root).by_key["c2"].version_of == "c0"


def test_decisions_follow_keys_and_words(root: Path):
    with_candidates(root, 2)
    session = sitting(root)
    tags = {"stage": "abstract", "reason": "tea", "near_miss": ["taste=sour:tasted"]}
    session.decide(session.corpus.by_key["c0"], decision("c0", "near_miss", **tags))
    session.decide(session.corpus.by_key["c1"], decision("c1", "skip"))
    invoke("rename", "c1", "foam2024", root=root)
    invoke("taxonomy", "rename", "taste=sour", "acid", root=root)
    invoke("taxonomy", "rename", "taste", "flavour", root=root)
    held = loaded(root).screenings[0]
    assert [one.key for one in held.decisions] == ["c0", "foam2024"]
    assert held.decisions[0].near_miss == ("flavour=acid:tasted",)
    assert "screenings/ana.yaml" in invoke("remove", "foam2024", root=root, code=1).err
    assert not WorkingTree(root).read("candidates/c1.yaml")


def test_every_kind_of_decided_work_can_be_decided_on_again(root: Path):
    whole = {"tags": {"device": "drip"}, "proposal": "retain", "note": "Look.", "confidence": "sure"}
    put(root, candidate("c0", **whole), candidate("c1", **whole), candidate("c2"))
    before = (root / "candidates/c0.yaml").read_bytes()
    exclusion = {"stage": "full_text", "reason": "tea"}
    decide(root, "c0", "exclude", **exclusion)
    assert reopened(loaded(root), "c0") == load_before(before)
    decide(root, "c0", "exclude", stage="abstract", reason="opinion", note="No data.")
    again = loaded(root).by_key["c0"]
    assert (again.screening.stage, again.screening.reason, again.note) == ("abstract", "opinion", "No data.")
    decide(root, "c0", "include", stage="abstract")
    paper = loaded(root).by_key["c0"]
    assert (paper.KIND, paper.note, str(paper.tags["device"][0])) == ("paper", "Look.", "drip")
    decide(root, "c0", "include", stage="abstract")
    assert loaded(root).by_key["c0"] == paper
    decide(root, "c0", "exclude", **exclusion)
    assert loaded(root).by_key["c0"].screening.reason == "tea"
    decide(root, "c0", "include")
    assert loaded(root).by_key["c0"].added == paper.added
    decide(root, "c2", "exclude", **exclusion)
    decide(root, "c2", "include", stage="abstract")
    assert (loaded(root).by_key["c2"].KIND, loaded(root).by_key["c2"].passed) == ("candidate", ("abstract",))
    decide(root, "c2", "duplicate", of="c1")
    with pytest.raises(RefusedError, match="c2 is now c1"):
        reopened(loaded(root), "c2")
    assert [one.verdict for one in loaded(root).screenings[0].decisions][:3] == ["exclude", "exclude", "include"]
    assert not loaded(root).findings


CURATED = {"note": "See page 3.", "near_miss": [{"axis": "taste", "term": "sour", "because": "A table."}]}


def exclude_and_curate(root: Path) -> None:
    """Exclude `c0` in January; then a curator writes a note, a near-miss and another name into the exclusion."""
    put(root, candidate("c0"))
    january = {"on": date(2026, 1, 10), "stage": "abstract", "reason": "tea"}
    decide(root, "c0", "exclude", **january)
    record = loaded(root).by_key["c0"]
    curated = {**to_document(record), **CURATED, "aliases": ["old2020"], "distinct_from": ["siphon2019"]}
    (root / record.path).write_text(to_text(Exclusion.model_validate({"key": "c0", **curated})))


def test_an_exclusion_that_is_decided_again_keeps_what_a_curator_wrote(root: Path):
    exclude_and_curate(root)
    before = loaded(root).by_key["c0"]
    again = {"stage": "full_text", "reason": "opinion"}
    decide(root, "c0", "exclude", **again)
    now = loaded(root).by_key["c0"]
    assert (now.screening.reason, now.note, now.near_miss) == ("opinion", before.note, before.near_miss)
    for _ in range(2):
        decide(root, "c0", "duplicate", of="X1", **again)
        assert loaded(root).by_key["c0"].note == "a duplicate of X1; See page 3."
    decide(root, "c0", "near_miss", near_miss=["device=drip"], **again)
    now = loaded(root).by_key["c0"]
    assert (now.note, [near.term for near in now.near_miss]) == ("See page 3.", ["drip"])
    decide(root, "c0", "exclude", note="No data.", **again)
    assert loaded(root).by_key["c0"].note == "No data."


def test_an_included_exclusion_still_counts_on_the_days_before(root: Path):
    def excluded_then() -> int:
        return invoke("stats", "--as-of", "2026-01-20", "--format", "json", root=root).json["data"]["totals"][
            "excluded"
        ]

    exclude_and_curate(root)
    before = excluded_then()
    exclusion = loaded(root).by_key["c0"]
    decide(root, "c0", "include", stage="abstract")
    now = loaded(root).by_key["c0"]
    assert (now.KIND, now.aliases, now.distinct_from) == ("candidate", ("old2020",), ("siphon2019",))
    assert Exclusion.model_validate({"key": "c0", **now.readmitted.exclusion}) == exclusion
    assert (now.readmitted.on, excluded_then()) == (DAY, before)
    decide(root, "c0", "exclude", stage="full_text", reason="opinion")
    assert (loaded(root).by_key["c0"].KIND, excluded_then()) == ("exclusion", before)
    decide(root, "c0", "include", stage="full_text")
    invoke("tag", "c0", "device=drip", root=root)
    invoke("admit", "c0", root=root)
    assert (loaded(root).by_key["c0"].KIND, excluded_then()) == ("paper", before)
    assert not loaded(root).findings


def test_a_reopened_work_that_another_program_changed_is_left_alone(root: Path):
    put(root, candidate("c0"))
    decide(root, "c0", "exclude", stage="abstract", reason="tea")
    session = sitting(root)
    shown = reopened(session.corpus, "c0")
    path = root / "exclusions/c0.yaml"
    path.write_text(path.read_text().replace("reason: tea", "reason: opinion"))
    with pytest.raises(ChangedError):
        session.decide(shown, decision("c0", "include"))
    path.write_text(path.read_text().replace("year: '2024'", "year: soon").replace('year: "2024"', "year: soon"))
    with pytest.raises(SurveyError, match=r"not a valid candidate: .*year"):
        reopened(loaded(root), "c0")
