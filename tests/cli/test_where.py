"""A query chooses records in every command in the same place; several records change together or not at all."""

import json
from pathlib import Path

import pytest
from claiming import state_claims


def keys(answer: dict, group: str = "papers") -> set[str]:
    return {record["key"] for record in answer["data"][group]}


def test_the_same_papers_everywhere(run, root: Path):
    query = ("--where", "taste=sour")
    found = keys(run("list", *query, "-f", "json", root=root).json)
    assert found
    assert len(found) < len(keys(run("list", "-f", "json", root=root).json))
    assert run("stats", *query, "-f", "json", root=root).json["data"]["totals"]["retained"] == len(found)
    assert keys(json.loads(run("export", "json", *query, root=root).out)) == found
    usage = run("taxonomy", "usage", "taste=sour", *query, "-f", "json", root=root).json["data"]["axes"]["taste"][
        "sour"
    ]
    assert set(usage["papers"]) == found
    assert run("evidence", *query, "-f", "json", root=root).json["data"]["population"].split(" of ")[1] == str(
        len(found)
    )


def test_a_whole_text_that_nothing_has_is_compared_by_words(run, root: Path):
    out = run("list", "--where", "author=Bean year>=2020", root=root).out
    n = run("list", "--where", "author~Bean year>=2020", "-f", "json", root=root).json["data"]["total"]
    assert n > 0
    assert f"no papers match; = compares whole texts, and author~Bean year>=2020 matches {n}\n" in out
    assert run("list", "--where", "author=Nobody", root=root).out == "no papers match\n"


def test_kinds_are_chosen_the_same_way(run, root: Path):
    for kind, group in (("candidate", "candidates"), ("exclusion", "exclusions"), ("paper", "papers")):
        listed = keys(run("list", "--kind", kind, "-f", "json", root=root).json, group)
        exported = json.loads(run("export", "json", "--kind", kind, root=root).out)
        assert listed
        assert keys(exported, group) == listed
        bibtex = run("export", "bibtex", "--kind", kind, root=root).out
        assert bibtex.count("@") == len(listed)


def test_a_difference_is_that_of_matching_records(run, root: Path, git):
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "before")
    run("tag", "aero2020", "device=drip", "--revised", root=root)
    run("set", "drip2021", "year=2022", root=root)
    whole = run("diff", "-f", "json", root=root).json["data"]
    left = run("diff", "--where", "device=press", "-f", "json", root=root).json["data"]
    assert {e["key"] for e in (*whole["retagged"], *whole["edited"])} == {"aero2020", "drip2021"}
    assert {e["key"] for e in (*left["retagged"], *left["edited"])} == {"aero2020"}
    assert left["where"] == "device=press"
    # It matches before only.
    counts = left["counts"]["papers"]
    assert counts["before"] == counts["after"] + 1
    assert "where device=press" in run("diff", "--where", "device=press", root=root).out
    git(root, "commit", "-qam", "after")
    notes = run("changelog", "HEAD~1..", "--where", "year=2022", root=root).out
    assert "drip2021" in notes
    assert "aero2020" not in notes
    assert "did you mean 'device'" in run("diff", "--where", "devise=x", root=root, code=2).err


def test_sensitivity_is_that_of_the_matching_pool(run, root: Path):
    state_claims(root)
    data = run("sensitivity", "-f", "json", root=root).json["data"]
    left = run("sensitivity", "--where", "year=2020", "-f", "json", root=root).json["data"]
    assert (data["where"], left["where"]) == (None, "year=2020")
    assert left["perturbations"] < data["perturbations"]


def test_many_papers_change_in_one_call(run, root: Path):
    papers = sorted(keys(run("list", "-f", "json", root=root).json))
    shown = run("set", "--where", "*", "venue=A journal", "--diff", root=root).out
    assert shown.count("+venue: A journal") == len(papers)
    done = run("set", "--where", "*", "venue=A journal", root=root)
    assert done.out.splitlines() == [f"changed corpus/{key}.yaml" for key in papers]
    again = run("set", "--where", "*", "venue=A journal", "-f", "json", root=root).json["data"]
    assert again["changes"] == []
    assert again["unchanged"] == [f"corpus/{key}.yaml" for key in papers]
    assert keys(run("list", "--where", 'venue="A journal"', "-f", "json", root=root).json) == set(papers)


def test_tags_of_many_are_revised_and_removed_together(run, root: Path):
    before = keys(run("list", "--where", "device=press", "-f", "json", root=root).json)
    assert before
    run("tag", "--where", "device=press", "device=drip", "--revised", "--who", "Ada", root=root)
    assert not keys(run("list", "--where", "device=press", "-f", "json", root=root).json)
    for key in before:
        assert "by: Ada" in (root / "corpus" / f"{key}.yaml").read_text()
    left = run("tag", "--where", "*", "--remove", "taste=sour", "--not-revised", root=root).out
    assert "changed" in left
    assert "unchanged" in left
    assert not keys(run("list", "--where", "taste=sour", "-f", "json", root=root).json)


def test_all_change_or_none(run, root: Path):
    before = {path: path.read_bytes() for path in (root / "corpus").iterdir()}
    done = run("set", "--where", "*", "key=one", root=root, code=2)
    assert "nothing was written" in done.err
    assert {path: path.read_bytes() for path in (root / "corpus").iterdir()} == before


def test_what_a_query_cannot_mean(run, root: Path):
    assert "not both" in run("tag", "aero2020", "--where", "year=2020", "device=drip", root=root, code=2).err
    assert "no paper matches" in run("tag", "--where", "year=1900", "device=drip", root=root, code=1).err
    assert "cannot have tags" in run("tag", "--where", "*", "--kind", "exclusion", "device=drip", root=root, code=2).err


def test_exclusions_and_candidates_can_be_set_together(run, root: Path):
    run("set", "--where", "*", "--kind", "candidate", "note=Seen.", root=root)
    assert all("note: Seen." in path.read_text() for path in (root / "candidates").glob("*.yaml"))


@pytest.mark.parametrize("verb", ["tag", "set"])
def test_the_history_is_asked_for_once(run, root: Path, verb: str):
    change = "device=drip" if verb == "tag" else "measures.grams=12"
    err = run(verb, "--where", "year>=2000", change, root=root).err
    assert err.count("was dropped") <= 1


def test_an_axis_alone_takes_nothing_away(run, root: Path):
    before = {path: path.read_bytes() for path in (root / "corpus").iterdir()}
    for words in (["aero2020", "device"], ["--where", "*", "device"]):
        assert "--remove" in run("tag", *words, root=root, code=2).err
    assert {path: path.read_bytes() for path in (root / "corpus").iterdir()} == before
    assert "device is required for aero2020" in run("tag", "aero2020", "device", "--remove", root=root).err


def test_an_incomplete_survey_is_named(run, root: Path):
    (root / "corpus" / "torn.yaml").write_text("title: [\n")
    for verb, change in (("tag", "device=drip"), ("set", "venue=A journal")):
        assert "corpus/torn.yaml" in run(verb, "--where", "*", change, root=root, code=3).err
    for words in (["taxonomy", "usage"], ["status"], ["dedupe"], ["refresh", "--where", "year=1900"]):
        assert "warning: skipped corpus/torn.yaml, which cannot be read" in run(*words, root=root).err


def test_one_identifier_names_one_record(run, root: Path):
    before = {path: path.read_bytes() for path in (root / "corpus").iterdir()}
    assert "has the same doi" in run("set", "--where", "*", "identifiers.doi=10.1234/x", root=root, code=1).err
    assert {path: path.read_bytes() for path in (root / "corpus").iterdir()} == before
    run("set", "aero2020", "identifiers.doi=10.1234/x", root=root)
    assert "corpus/aero2020.yaml" in run("set", "soup2022", "identifiers.doi=10.1234/X", root=root, code=1).err


@pytest.mark.parametrize("words", [["list"], ["tag", "device=drip"], ["set", "year=2020"], ["stats"]])
def test_an_empty_query_is_refused(run, root: Path, words: list[str]):
    assert "query: must not be empty; '*' matches every record" in run(*words, "--where", "", root=root, code=2).err


def test_a_preview_speaks_of_what_would_be(run, root: Path):
    err = run("tag", "aero2020", "device=drip", "--diff", root=root).err
    assert "would be dropped" in err
    assert "git" not in err


def test_a_term_is_found_by_its_label_in_any_case(run, root: Path):
    wanted = run("gaps", "sour", root=root).out
    assert run("gaps", "SOUR", root=root).out == run("gaps", "taste=Sour", root=root).out == wanted


def test_only_a_coding_that_is_replaced_or_removed_counts_as_old(run, root: Path):
    for key, change in (("aero2020", "taste=sweet:tasted"), ("soup2022", "taste=sweet:tasted")):
        assert "was dropped" not in run("tag", key, change, "--evidence", "A panel.", root=root).err
    for words in (("device=drip",), ("taste=sweet:mentioned",), ("taste=sour", "--remove")):
        name = words[0].partition("=")[0]
        assert f"the old coding of tags.{name} was dropped" in run("tag", "aero2020", *words, root=root).err
