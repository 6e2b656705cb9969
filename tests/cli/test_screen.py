"""`awesome screen` at a real terminal: what is seen, what a key does, what is on the disk then; and `screen simulate`."""

import csv
import io
import shutil
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest
import yaml
from running import invoke, run_git
from screened import candidate, loaded, put, with_candidates
from terminals import sat

from awesome_cli.survey import saving

KEYS = "i include  e exclude  s skip"


@pytest.fixture
def waiting(root: Path) -> Path:
    """The coffee survey with five candidates, and a saved search."""
    (root / "search.yaml").write_text('searches:\n- {id: press, query: "press* OR taster*", sources: [arxiv]}\n')
    return with_candidates(root)


def log(root: Path, who: str = "ana") -> list[dict]:
    return yaml.safe_load((root / "screenings" / f"{who}.yaml").read_text())["decisions"]


def verdicts(root: Path, who: str = "ana") -> list[tuple[str, str]]:
    return [(one["key"], one["verdict"]) for one in log(root, who)]


def test_each_key_decides_at_once_and_undo_takes_it_back(waiting: Path):
    before = {path: path.read_bytes() for path in waiting.rglob("*.yaml")}
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        seen = at.press("", KEYS)
        assert "5 to screen | 0 decided by ana | order: date" in seen
        assert "On grinding, part 0" in seen
        assert "\x1b[1;4mpress\x1b[0m" in at.all, "the words of the search are marked"
        assert len(seen.splitlines()) <= 24
        at.press("i", "c0 included (abstract); not coded yet")
        assert verdicts(waiting) == [("c0", "include")]
        assert yaml.safe_load((waiting / "candidates/c0.yaml").read_text())["proposal"] == "retain"
        at.press("e", "At which stage is it screened out?")
        at.press("2", "Reason for exclusion?")
        at.press("1", "c1 excluded (full_text, tea)")
        assert yaml.safe_load((waiting / "exclusions/c1.yaml").read_text())["screening"]["reason"] == "tea"
        at.press("s", "c2 skipped")
        at.press("tLater, perhaps.\r", "c3 noted")
        assert "note: Later, perhaps." in at.screen
        assert [one["verdict"] for one in log(waiting)] == ["include", "exclude", "skip", "note"]
        for done in ("c3 noted", "c2 skipped", "c1 excluded", "c0 included"):
            at.press("u", f"undone: {done}")
        at.press("u", "nothing to undo")
        at.press("s", "c0 skipped")
        at.press("q", "Resume with:\n  awesome screen --who ana --order date")
        assert "0 decisions in this session, saved in screenings/ana.yaml; 5 to screen" in at.screen
        at.end()
        assert at.code == 0
    after = {path: path.read_bytes() for path in waiting.rglob("*.yaml") if path.parent.name != "screenings"}
    assert after == before
    assert verdicts(waiting) == [("c0", "skip")]


def test_keys_typed_before_the_first_paper_is_seen_decide_nothing(waiting: Path):
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        seen = at.press("iiie11", KEYS)
        assert "No decisions yet." in seen
        assert "loading and ordering" in at.all
        assert "Loading the first" in at.all
        assert not (waiting / "screenings").exists()
        at.press("i", "c0 included")


def test_the_last_decision_of_a_queue_is_shown_and_can_be_taken_back(waiting: Path):
    only = ("--where", "title~milling")
    with sat("screen", "--who", "ana", "--order", "date", *only, root=waiting) as at:
        at.press("", KEYS)
        at.press("s", "c2 skipped")
        seen = at.press("e11", "All candidates of this queue are screened.")
        assert "c2 excluded (abstract, tea); u undoes it" in seen
        assert "u undo  q quit" in seen
        at.press("i", "u undo  q quit")
        assert "On milling, part 2" in at.press("u", "undone: c2 excluded")
        at.press("e11", "u undoes it")
        at.press("q", "1 decision in this session, saved in screenings/ana.yaml; all candidates of this")
    assert verdicts(waiting) == [("c2", "skip"), ("c2", "exclude")]


def test_the_stage_is_asked_where_nothing_says_it_and_a_long_list_has_parts(waiting: Path):
    for path in (waiting / "exclusions").iterdir():
        path.unlink()
    reasons = "".join(f"- {{id: r{n}, label: Reason {n}}}\n" for n in range(38))
    taxonomy = waiting / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("reasons:\n", f"reasons:\n{reasons}"))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting, rows=60) as at:
        at.press("", KEYS)
        at.press("i", "Which stage of screening did it pass?")
        at.press("2", "c0 included (full_text)")
        at.press("i", "c1 included (full_text)")
        at.press("e1", "showing 1 to 35 of 40")
        assert "Reason 35" in at.press("0", "showing 36 to 40 of 40")
        at.press("0", "showing 1 to 35 of 40")
        at.press("03", "c2 excluded (abstract, r37)")


def test_a_near_miss_and_duplicates(waiting: Path):
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        at.press("", KEYS)
        at.press("n\r2", "Which tags does it nearly have?")
        at.press("taste=soor\r", "did you mean 'sour'?")
        at.press("\x15taste=sour:tasted\r", "c0 excluded as a near-miss (abstract, opinion)")
        at.press("d", "Which record does c1 duplicate?")
        at.press("3siphon2019\r", "merge: keep one record")
        at.press("1", "c1 marked as a duplicate (siphon2019)")
        at.press("d3X1\r", "At which stage")
        at.press("\x1b", "On milling")
        at.press("d3X1\r21", "c2 marked as a duplicate (X1, full_text, tea)")
        at.press("dq", "'q' is not a key of this menu")
        at.press("3nowhere\r", "not done: unknown record 'nowhere'")
        at.press("i", "c3 included (abstract)")
        at.press("q", "awesome screen")
    survey = loaded(waiting)
    assert survey.by_key["c0"].near_miss[0].term == "sour"
    assert survey.by_key["c1"].key == "siphon2019"
    assert survey.by_key["c2"].note == "a duplicate of X1"
    assert not survey.findings
    assert invoke("validate", root=waiting, code=None).out.count("R00") == 0


def test_what_was_decided_in_a_sitting_is_what_a_later_one_is_like(waiting: Path):
    put(waiting, candidate("z7", title="Ceramic kettle handles"))
    put(waiting, candidate("z8", title="Handles of a ceramic kettle", year=2025, first_public="2025-01-01"))
    put(waiting, candidate("z9", title="The ceramic kettle and its handles", year=2026, first_public="2026-01-01"))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting, rows=60) as at:
        assert "• z" not in at.press("", KEYS)
        at.press("e11", "• z9 (excluded, tea)")
        at.press("i", "• z8 (retained)")
        assert "• z8 (retained)" not in at.press("u", "undone: z8")
        assert "• z9" not in at.press("u", "undone: z9")
        at.press("i", "• z9 (retained): The ceramic kettle")
        at.press("u", "undone: z9")
    with sat("screen", "--blind", "--who", "bo", "--order", "date", root=waiting, rows=60) as at:
        at.press("", KEYS)
        assert "• z9" not in at.press("e11", "z9 excluded")
        assert "The ceramic kettle" not in at.press("d", "Key of the record that z8 duplicates"), "similar records"
        at.press("X1\r", "merge: keep one record")
        at.press("1", "z8 marked as a duplicate (X1)")


def test_what_lacks_nothing_is_admitted_and_the_claims_that_it_ends_are_named(waiting: Path):
    (waiting / "claims.yaml").write_text(
        "claims:\n- {id: no-cold, statement: Nobody brews cold., as_of: 2026-03-01,\n"
        "   expect: [{count: device=cold, equals: 0}]}\n"
    )
    put(waiting, candidate("z9", title="Cold brew", tags={"device": "cold"}, first_public="2025-01-01"))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        seen = at.press("", KEYS)
        assert "ends the claim no-cold: Nobody brews cold." in seen
        at.press("i", "z9 included (abstract) and admitted; it ends the claim no-cold")
        assert (waiting / "corpus/z9.yaml").is_file()
        at.press("u", "undone: z9 included")
        assert not (waiting / "corpus/z9.yaml").exists()
    assert invoke("claims", "check", root=waiting).code == 0


def test_a_long_abstract_scrolls_and_the_terminal_may_change_its_size(waiting: Path):
    words = " ".join(f"word{n}" for n in range(600))
    put(waiting, candidate("z9", title="A long one", extra={"abstract": words}, first_public="2025-01-01"))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        seen = at.press("", "page 1 of")
        assert "word599" not in seen
        while "page 2 of 2" not in seen and "word599" not in seen:
            seen = at.press(" ", "page")
        at.press("b", "page")
        at.resize(60, 200)
        seen = at.press("", "word599")
        assert "A long one" in seen
        assert 90 < max(map(len, seen.splitlines())) <= 100
        at.resize(10, 40)
        at.press("?", "Keys")
        assert len(at.press("x", "to screen").splitlines()) <= 10


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_says_how_to_go_on_and_a_kill_loses_nothing(waiting: Path):
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        at.press("", KEYS)
        at.press("i", "c0 included")
        at.press("e11", "c1 excluded")
        at.end(SIGKILL)
    assert verdicts(waiting) == [("c0", "include"), ("c1", "exclude")]
    with sat("screen", "--who", "ana", root=waiting) as at:
        seen = at.press("", KEYS)
        assert "3 to screen | 2 decided by ana | order: date" in seen
        assert "On milling, part 2" in seen
        assert "c1 excluded (abstract, tea)" in seen
        assert "On roasting" in at.press("u", "reopened: c1 excluded (abstract, tea); this stands until")
        at.press("\x03", "interrupted")
        assert "saved in screenings/ana.yaml" in at.end().replace("\n", " ")
        assert at.code == 130
    with sat("screen", "--who", "ana", root=waiting) as at:
        at.press("", KEYS)
        assert "interrupted: 0 decisions" in at.end(SIGTERM)
        assert at.code == 130


def test_another_program_changes_the_survey_meanwhile(waiting: Path):
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        at.press("", "On grinding")
        (waiting / "candidates/c0.yaml").unlink()
        at.press("i", "c0 is not a candidate any more: it was skipped")
        assert "On roasting" in at.screen
        put(waiting, candidate("c1", title="On roasting, again", first_public="2019-01-01"))
        seen = at.press("e11", "c1 was changed by another program: no decision was saved")
        assert "On roasting, again" in seen
        with saving.locked(waiting):
            at.press("i", "not done: another process is writing")
        at.press("i", "c1 included")
    assert verdicts(waiting) == [("c1", "include")]


@pytest.mark.parametrize(("term", "more"), [("dumb", ()), ("xterm", ("--color", "never"))])
def test_a_terminal_without_colours_has_marks_of_its_own(waiting: Path, term: str, more: tuple[str, ...]):
    with sat("screen", "--who", "ana", "--order", "date", *more, root=waiting, term=term) as at:
        assert "The *press* makes it bitter. A panel of *tasters*" in at.press("", KEYS)
        at.press("i", "c0 included")
    assert "\x1b[" not in at.all if term == "dumb" else "\x1b[1" not in at.all


def test_what_a_candidate_says_is_shown_and_not_obeyed(waiting: Path):
    evil = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\n::error::no " + "x" * 50_000
    put(waiting, candidate("z9", title=evil[:200], extra={"abstract": evil}, first_public="2025-01-01", note=evil[:99]))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        seen = at.press("", KEYS)
        at.press("e11", "z9 excluded")
    assert "\\x1b]0;owned" in seen
    assert "more characters" in at.all or "page 1 of" in seen
    assert "\x1b]" not in at.all
    assert "\x1b[2J" not in at.all
    assert "\u202e" not in at.all


def test_without_a_terminal_it_says_what_to_do_instead(waiting: Path):
    told = invoke("screen", "--who", "ana", root=waiting, code=2).err
    assert "needs a terminal" in told
    assert "awesome screen --format json" in told
    assert not (waiting / "screenings").exists()


def queue(root: Path, *words: str) -> list[str]:
    found = invoke("screen", "--who", "ana", "--format", "json", *words, root=root).json["data"]
    return [one["key"] for one in found["queue"]]


def test_the_queue_is_listed_in_its_order_and_a_seed_gives_it_again(waiting: Path):
    assert queue(waiting, "--order", "date") == ["c0", "c1", "c2", "c3", "c4"]
    drawn = [queue(waiting, "--order", "random", "--seed", str(seed)) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len({tuple(one) for one in drawn}) > 1
    assert queue(waiting, "--order", "date", "--where", "title~milling") == ["c2"]


def test_the_queue_of_a_stage_holds_what_passed_the_one_before(waiting: Path):
    later = ("--order", "date", "--stage", "full_text")
    assert queue(waiting, *later) == ["salt2026"], "what nobody screened at the abstract is not shown"
    put(waiting, candidate("c0", proposal="retain", passed=["abstract", "full_text"]))
    assert queue(waiting, *later) == ["salt2026"]
    assert queue(waiting, "--order", "date", "--stage", "abstract") == ["c1", "c2", "c3", "c4"]
    put(waiting, candidate("c0"), candidate("salt2026"))
    assert len(queue(waiting, "--order", "date", "--stage", "full_text")) == 6, "no record passed an earlier stage"


def test_a_stored_order_goes_on_where_it_was(waiting: Path):
    whole = queue(waiting, "--order", "random", "--seed", "7")
    with sat("screen", "--who", "ana", "--order", "random", "--seed", "7", root=waiting) as at:
        at.press("", KEYS)
        at.press("s", f"{whole[0]} skipped")
        at.press("i", f"{whole[1]} included")
        at.press("e11", f"{whole[2]} excluded")
    stored = yaml.safe_load((waiting / "screenings/ana.yaml").read_text())["orders"]
    assert [(one["by"], one["seed"]) for one in stored] == [("random", 7)]
    assert queue(waiting) == [*whole[3:], whole[0]]


def test_order_by_relevance_follows_decisions_and_can_be_made_again(waiting: Path):
    pytest.importorskip("sklearn")
    first = queue(waiting, "--order", "relevance", "--seed", "3")
    with sat("screen", "--who", "ana", "--order", "relevance", "--seed", "3", root=waiting) as at:
        at.press("", KEYS)
        at.press("i", f"{first[0]} included")
        seen = at.press("e11", f"{(then := queue(waiting))[0]} excluded")
    stored = yaml.safe_load((waiting / "screenings/ana.yaml").read_text())["orders"][0]
    assert {"features", "classifier", "balance", "version"} <= stored.keys()
    assert sorted(then) == sorted(first[1:])
    assert loaded(waiting).by_key[queue(waiting)[0]].title in seen.replace("\n", " ")
    again = shutil.copytree(waiting, waiting.parent / "again")
    assert queue(again) == queue(waiting)


def blind(root: Path, who: str, keys: str) -> None:
    """Screen blind: `i` includes, a digit excludes for that reason."""
    with sat("screen", "--blind", "--who", who, "--order", "date", root=root) as at:
        at.press("", KEYS)
        for key in keys:
            at.press(key if key == "i" else f"e1{key}", "u undoes it")


def test_two_people_screen_blind_on_two_branches_agree_and_settle(waiting: Path):
    run_git(waiting, "init", "-qb", "main")
    run_git(waiting, "add", "-A")
    run_git(waiting, "commit", "-qm", "Candidates")
    for who, keys in (("ana", "i11i"), ("bo", "i12")):
        run_git(waiting, "checkout", "-qb", who, "main")
        blind(waiting, who, keys)
        run_git(waiting, "add", "-A")
        assert run_git(waiting, "status", "--porcelain").split() == ["A", f"screenings/{who}.yaml"]
        run_git(waiting, "commit", "-qm", f"{who} screened")
    run_git(waiting, "merge", "-q", "--no-edit", "ana")
    found = invoke("audit", "screening", "--format", "json", root=waiting).json["data"]
    assert (found["both"], found["alone"], found["agreed"]) == (3, {"ana": 1, "bo": 0}, ["c0", "c1"])
    assert (found["axes"]["decision"]["agree"], found["axes"]["reason"]["agree"]) == (3, 1)
    assert found["axes"]["decision"]["kappa"] == 1
    assert [one["key"] for one in found["conflicts"]] == ["c2"]
    tried = invoke("screen", "--apply", "--dry-run", root=waiting).out
    assert "would create exclusions/c1.yaml" in tried
    invoke("screen", "--apply", root=waiting)
    assert verdicts(waiting, "settled") == [("c0", "include"), ("c1", "exclude")]
    assert invoke("screen", "--apply", root=waiting).out == "nothing to change\n"
    with sat("screen", "--conflicts", "--order", "date", root=waiting) as at:
        seen = at.press("", KEYS)
        assert "ana: exclude (abstract, tea)" in seen
        assert "bo: exclude (abstract, opinion)" in seen
        at.press("e11", "All candidates of this queue are screened")
    told = invoke("audit", "screening", "bo", "ana", root=waiting).out
    assert "Conflicts (1, 1 settled)" in told
    assert "awesome screen --conflicts" not in told
    assert "screenings/ana.yaml is blind" in invoke("screen", "--apply", "--who", "ana", root=waiting, code=1).err


def test_three_people_who_screened_blind_settle_without_being_named(waiting: Path):
    for who, keys in (("ana", "ii"), ("bo", "i1"), ("cy", "ii")):
        blind(waiting, who, keys)
    assert "awesome audit screening ana bo" in invoke("audit", "screening", root=waiting, code=2).err
    invoke("screen", "--apply", root=waiting)
    assert verdicts(waiting, "settled") == [("c0", "include")]
    assert "awesome screen --conflicts" in invoke("status", root=waiting).out
    listed = invoke("screen", "--conflicts", "--order", "date", "--format", "json", root=waiting).json["data"]
    assert [one["key"] for one in listed["queue"]] == ["c1"]
    with sat("screen", "--conflicts", "--order", "date", root=waiting) as at:
        seen = at.press("iii", KEYS)
        assert "bo: exclude" in seen
        assert "cy: include" in seen
        at.press("i", "All candidates of this queue are screened")
    assert "awesome screen --conflicts" not in invoke("status", root=waiting).out


OPINION = {
    "proposal": "exclude", "stage": "full_text", "reason": "tea", "confidence": "doubtful", "note": "Surely no.",
    "summary": "Weak.", "tags": {"device": [{"term": "cold", "evidence": "A fridge."}]}, "first_public": "2025-01-01",
    "found": {"how": "missed", "by": "first reader", "source": "a newsletter"},
}  # fmt: skip
"""The first reader's opinion on a candidate."""


def test_a_blind_screen_tells_nothing_of_the_survey_s_opinion(waiting: Path):
    (waiting / "claims.yaml").write_text(
        "claims:\n- {id: no-cold, statement: Nobody brews cold., as_of: 2026-03-01,\n"
        "   expect: [{count: device=cold, equals: 0}]}\n"
    )
    screens = []
    for fields in (OPINION, {}):
        put(waiting, candidate("z9", title="Cold brew", **{**fields, "year": 2025}))
        with sat("screen", "--blind", "--who", "ana", "--order", "date", root=waiting, rows=60) as at:
            pages = [
                at.press("", KEYS),
                at.press("d", "Key of the record"),
                at.press("\x1be1", "Reason for exclusion?"),
            ]
            assert "2025 · z9" in pages[0]
            assert "p proposal" not in pages[0]
            at.press("\x1b", KEYS)
            pages.append(at.press("p", "proposals are hidden"))
            screens.append(pages)
    assert screens[0] == screens[1]
    told = invoke("screen", "--blind", "--who", "ana", "--order", "date", "--format", "json", root=waiting).json["data"]
    assert told["queue"][0] == {"place": 1, "key": "z9", "title": "Cold brew"}
    put(waiting, candidate("z9", title="Cold brew", year=2025, **OPINION))
    words = ("screen", "--blind", "--who", "ana", "--order", "date", "--format", "json", "--where")
    for hidden in ("device=cold", "author~doe"):
        told = invoke(*words, hidden, root=waiting, code=2).err
        assert "values that blind screening hides, such as authors or codings" in told
    assert [one["key"] for one in invoke(*words, "title~cold", root=waiting).json["data"]["queue"]] == ["z9"]


def test_a_blind_order_by_date_does_not_tell_which_dates_are_recorded(waiting: Path):
    """Without a recorded date, a candidate is of the month of its arXiv id."""
    for n, (month, day) in enumerate((("2404", None), ("2403", "2024-03-05"), ("2403", None), ("2405", "2024-05"))):
        fields = {"first_public": day} if day else {}
        put(waiting, candidate(f"d{n}", identifiers={"arxiv": f"{month}.0000{n + 1}"}, **fields))
    rows = {}
    for who, more in (("ana", ["--blind"]), ("bo", [])):
        words = ("screen", "--who", who, "--order", "date", "--where", "key~^d", "--format", "csv", *more)
        rows[who] = [tuple(row.values())[1:3] for row in csv.DictReader(io.StringIO(invoke(*words, root=waiting).out))]
    assert rows["ana"] == [("d3", "2024"), ("d0", "2024"), ("d1", "2024"), ("d2", "2024")]
    assert rows["bo"] == [("d3", "2024-05"), ("d0", "2024"), ("d1", "2024-03-05"), ("d2", "2024")]


def test_an_order_for_blind_screening_learns_from_the_person_s_decisions_alone(waiting: Path):
    pytest.importorskip("sklearn")
    words = ("screen", "--blind", "--who", "ana", "--order", "relevance", "--format", "json")
    first = [one["key"] for one in invoke(*words, root=waiting).json["data"]["queue"]]
    shutil.rmtree(waiting / "exclusions")
    shutil.rmtree(waiting / "corpus")
    assert [one["key"] for one in invoke(*words, root=waiting).json["data"]["queue"]] == first


def test_a_proposal_is_taken_with_a_key_and_its_reason_is_the_default(waiting: Path):
    put(waiting, candidate("z8", **{**OPINION, "first_public": "2025-02-01"}), candidate("z9", **OPINION))
    put(waiting, candidate("z7", proposal="retain", first_public="2024-12-01"))
    with sat("screen", "--who", "ana", "--order", "date", root=waiting, rows=60) as at:
        seen = at.press("", KEYS)
        assert "proposed: exclude (p takes it) · for tea" in seen
        assert "p proposal  a advice on stopping  q quit" in seen
        at.press("p", "z8 excluded (full_text, tea)")
        assert "(Enter) full text" in at.press("e", "At which stage")
        assert "(Enter) tea" in at.press("\r", "Reason for exclusion?")
        at.press("\r", "z9 excluded (full_text, tea)")
        at.press("p", "z7 included (full_text)")
        at.press("p", "the record proposes no decision")
    assert [one["blind"] for one in log(waiting)] == [False] * 3


@pytest.mark.parametrize("more", [(), ("--blind",)])
def test_decisions_of_earlier_sittings_are_reopened_and_the_log_keeps_both(waiting: Path, more: tuple[str, ...]):
    words = ("--who", "ana", "--order", "date", *more)
    with sat("screen", *words, root=waiting) as at:
        at.press("", KEYS)
        at.press("i", "c0 included")
        at.press("e11", "c1 excluded")
        at.press("s", "c2 skipped")
    with sat("screen", *words, root=waiting) as at:
        at.press("", KEYS)
        seen = at.press("u", "reopened: c1 excluded (abstract, tea)")
        assert "On roasting" in seen
        assert "decided on" in seen
        at.press("u", "reopened: c0 included (abstract)")
        at.press("e12", "c0 excluded (abstract, opinion)")
        at.press("u", "undone: c0 excluded")
        at.press("a", "Two stopping rules, after 2 of 5 works")
        at.press("x", KEYS)
        at.press("e12", "c0 excluded (abstract, opinion)")
        at.press("uu", "there is nothing to undo or reopen")
        at.press("e12", "c0 excluded (abstract, opinion)")
    with sat("screen", "c1", *words, root=waiting) as at:
        assert "1 to screen" in at.press("", KEYS)
        assert "3 papers left to read" in at.press("a", "Two stopping rules, after 2 of 5 works"), "c1 was read"
        at.press("x", KEYS)
        at.press("i", "All candidates of this queue are screened")
        at.press("u", "undone: c1 included")
        at.press("i", "All candidates of this queue are screened")
        at.press("q", "all candidates")
    decided = [("c0", "include"), ("c1", "exclude"), ("c2", "skip"), ("c0", "exclude"), ("c1", "include")]
    assert verdicts(waiting) == decided
    assert [one.get("at") for one in log(waiting)] == [1, 2, 3, 1, 2]
    assert invoke("validate", root=waiting, code=None).out.count("R00") == 0
    records = loaded(waiting).by_key
    assert [records[key].KIND for key in ("c0", "c1")] == ["candidate" if more else "exclusion", "candidate"]
    assert bool(records["c1"].passed) == (not more)


def test_a_settled_work_is_not_reopened_blind(waiting: Path):
    for who in ("ana", "bo"):
        blind(waiting, who, "ii")
    invoke("screen", "--apply", root=waiting)
    why = invoke("screen", "c0", "--who", "ana", "--format", "json", root=waiting, code=None).err
    assert "c0 is settled in screenings/settled.yaml and cannot be decided on blind again" in why
    assert "awesome screen c0 --conflicts" in why
    with sat("screen", "--who", "ana", root=waiting) as at:
        at.press("", KEYS)
        at.press("u", "c1 is settled in screenings/settled.yaml")
        at.press("i", "c2 included")
    assert verdicts(waiting) == [("c0", "include"), ("c1", "include"), ("c2", "include")]
    with sat("screen", "c0", "--conflicts", "--order", "date", root=waiting) as at:
        at.press("", KEYS)
        at.press("e11", "All candidates of this queue are screened")
    assert verdicts(waiting, "settled")[-1] == ("c0", "exclude")
    assert loaded(waiting).by_key["c0"].KIND == "exclusion"


def test_conflicts_have_no_advice_on_stopping(waiting: Path):
    for who, keys in (("ana", "ii"), ("bo", "11")):
        blind(waiting, who, keys)
    words = ("screen", "--conflicts", "--order", "date")
    assert invoke(*words, "--format", "json", root=waiting).json["data"]["advice"] == []
    with sat(*words, root=waiting) as at:
        at.press("", KEYS)
        at.press("a", "stopping rules do not apply to conflicts")
        at.press("i", "c0 included")
        assert ": stop" not in at.press("e11", "All candidates of this queue are screened")


def test_the_command_that_resumes_has_the_keys_that_are_open(waiting: Path):
    blind(waiting, "ana", "iiii")
    with sat("screen", "c0", "c1", "c3", "--who", "ana", root=waiting) as at:
        at.press("", KEYS)
        at.press("uu", "reopened: c2 included")
        at.press("s", "c2 skipped")
        at.press("i", "c0 included")
        at.press("i", "c1 included")
        at.press("q", "1 to screen.\nResume with:\n  awesome screen --who ana c3")
        at.end()


def test_a_menu_is_wrapped_if_it_fits(waiting: Path):
    path = waiting / "taxonomy.yaml"
    words = "word " * 60 + "end"
    path.write_text(path.read_text().replace("{id: tea, label: tea", f"{{id: tea, label: {words}"))
    for rows, wrapped in ((30, True), (8, False)):
        with sat("screen", "--who", "ana", "--order", "date", root=waiting, rows=rows) as at:
            at.press("", "screen")
            at.press("e1", "Reason for exclusion?")
            assert ("word end: It is about tea." in " ".join(at.screen.split())) == wrapped
            assert ("…" in at.screen) != wrapped


def test_keys_that_cannot_be_reopened(waiting: Path):
    words = ("screen", "--who", "ana", "--order", "date", "--format", "json")
    for more, message in (
        (("nowhere",), "unknown record 'nowhere'"),
        (("X1",), "exclusions/X1.yaml was never a candidate"),
        (("c0", "--where", "title~a"), "'c0' cannot be combined with --where, --apply"),
        (("c0", "--apply"), "'c0' cannot be combined with --where, --apply"),
    ):
        assert message in invoke(*words, *more, root=waiting, code=None).err
    assert [one["key"] for one in invoke(*words, "c3", "c1", root=waiting).json["data"]["queue"]] == ["c1", "c3"]


def test_target_and_confidence_of_the_stopping_rule_are_options(waiting: Path):
    words = ("screen", "--who", "ana", "--order", "date", "--format", "json")
    loose = invoke(*words, "--recall", "0.8", "--confidence", "0.7", root=waiting).json["data"]["advice"][0]
    assert loose["because"].startswith("recall of at least 80% at 70% confidence")
    assert "0.95" not in invoke(*words, "--recall", "1.1", root=waiting, code=2).err
    with sat("screen", *words[1:5], "--recall", "0.8", root=waiting, rows=40) as at:
        at.press("", KEYS)
        at.press("i", "c0 included")
        seen = at.press("a", "Two stopping rules, after 1 of 5 works")
        assert "4 papers left to read; at the rate of the latest ones, about 3 of them relevant." in seen
        assert "recall of at least 80% at 95%" in seen


def test_what_is_not_known_to_be_blind_is_told_apart_in_the_agreement(waiting: Path):
    for who, keys in (("ana", "ii"), ("bo", "i1")):
        blind(waiting, who, keys)
    assert {one["blind"] for one in log(waiting)} == {True}
    told = invoke("audit", "screening", "--format", "json", root=waiting).json["data"]
    assert (told["blind"], told["not_blind"]) == (True, [])
    path = waiting / "screenings/bo.yaml"
    path.write_text(path.read_text().replace(", blind: true", "", 1))
    found = invoke("audit", "screening", "--format", "json", root=waiting).json["data"]
    assert (found["blind"], found["not_blind"], found["of_blind"]["papers"]) == (False, ["c0"], 1)
    assert found["of_blind"]["axes"]["decision"]["agree"] == 0
    told = invoke("audit", "screening", root=waiting).out
    assert "Not known to be blind on both sides: 1 of 2" in told
    assert "Blind on both sides: 1 of 2" in told
    why = invoke("screen", "--conflicts", "--who", "ana", "--format", "json", root=waiting, code=2).err
    assert "--conflicts shows decisions of others, and those in screenings/ana.yaml are blind" in why
    assert "without --who: awesome screen --conflicts" in why


def test_a_coded_reason_of_a_person_who_screens_needs_no_note(waiting: Path):
    with sat("screen", "--who", "ana", "--order", "date", root=waiting) as at:
        at.press("", KEYS)
        at.press("e11", "c0 excluded")
    assert loaded(waiting).by_key["c0"].note is None
    assert "no note" not in invoke("validate", root=waiting, code=None).out
    shutil.rmtree(waiting / "screenings")
    assert "exclusions/c0.yaml" in invoke("validate", root=waiting, code=None).out


def test_a_file_is_of_one_person(waiting: Path):
    (waiting / "screenings").mkdir()
    (waiting / "screenings/muller.yaml").write_text("who: Müller\nblind: true\n")
    words = ("screen", "--blind", "--order", "date", "--format", "json", "--who")
    told = invoke(*words, "Muller", root=waiting, code=2).err
    assert "screenings/muller.yaml already holds the decisions of 'Müller'" in told
    for name in ("Müller", "muller"):
        assert invoke(*words, name, root=waiting).json["data"]["who"] == "Müller"


def test_who_is_not_clear(waiting: Path):
    assert "--blind --who NAME" in invoke("audit", "screening", root=waiting, code=2).err
    blind(waiting, "ana", "i")
    for words in (["audit", "screening"], ["screen", "--apply"]):
        told = invoke(*words, root=waiting, code=2).err
        assert "so far only ana did" in told
        assert "awesome screen --blind --who NAME" in told
    assert "unknown person who screened 'bo'" in invoke("audit", "screening", "ana", "bo", root=waiting, code=2).err
    assert (
        "unknown stage 'abstrct'"
        in invoke("screen", "--stage", "abstrct", "--format", "csv", "--who", "b", root=waiting, code=2).err
    )
    (waiting / "screenings/ana.yaml").write_text("who: [\n")
    assert "cannot be read" in invoke("screen", "--who", "ana", "--format", "json", root=waiting, code=3).err


TOPIC = {1: "sour dough of rye and wheat", 0: "green tea in cups of porcelain"}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.csv"
    rows = [f"Paper {n},{TOPIC[int(n % 5 == 0)]} {n},{int(n % 5 == 0)}\n" for n in range(40)]
    path.write_text("title,abstract,included\n" + "".join(rows) + "Paper 40,tea,\n")
    return path


def test_it_says_what_was_replayed_and_how(run, labelled):
    said = run("screen", "simulate", labelled, "--order", "random", "--seed", "3").out
    for text in ("40 records, 8 of them relevant: a prevalence of 20.0%", "labelled.csv:42: no label",
                 "excluded from the measures", "seed 5", "mean", "doi:10.1197/jamia.M1929",
                 "doi:10.1186/s13643-023-02257-7"):  # fmt: skip
        assert text in said


def test_json_and_csv_hold_the_recall_curve(run, labelled):
    words = ("screen", "simulate", labelled, "--seeds", "2")
    data = run(*words, "--format", "json").json["data"]
    rows = [
        row for row in csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)) if row["table"] == "Recall curve"
    ]
    for one in data["runs"]:
        assert [int(row["read"]) for row in rows if row["seed"] == str(one["seed"])] == one["found_at"]
    assert data["order"]["by"] == "relevance"
    assert {"features", "classifier", "balance"} <= data["order"].keys()
    assert data["mean"]["loss"] == pytest.approx(sum(one["measures"]["loss"] for one in data["runs"]) / 2, abs=1e-6)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_curves_are_drawn_the_same_each_time(run, labelled, tmp_path, ending):
    path = tmp_path / f"recall.{ending}"
    words = ("screen", "simulate", labelled, "--order", "random", "--plot", path)
    assert run(*words).err == f"wrote {path}\n"
    first = path.read_bytes()
    run(*words)
    assert path.read_bytes() == first
    assert ending == "png" or all(
        text in first.decode() for text in ("each seed", "best order", "38 records, 7 relevant")
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--start", "1"], "--start needs two numbers"),
        (["--start", "8,1"], "cannot start from 8 relevant papers: the set has 8"),
        (["--plot", "x.gif"], "--plot x.gif has an unsupported ending"),
        (["--column", "titel=decision"], "unknown column 'titel'; did you mean 'title'?"),
    ],
)
def test_what_cannot_be_asked_for_is_said(run, labelled, words, message):
    assert message in run("screen", "simulate", labelled, "--order", "random", *words, code=2).err


def test_a_file_that_is_not_there_is_named(run, tmp_path):
    assert "no such file" in run("screen", "simulate", tmp_path / "none.csv", code=2).err
