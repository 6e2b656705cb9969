"""What changed between revisions, told to reviewers and to readers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from claiming import claiming, make_claim, state_claims

from awesome_cli.analysis.diff.comparison import compare

Run = Callable[..., object]
Git = Callable[..., str]
Cause = Callable[[], tuple[dict[str, list[str]], str]]
NEW = "title: Iced\nauthors:\n- Bean, Ada\nyear: 2026\nidentifiers: {doi: 10.1000/iced}\nadded: 2026-06-01\ntags:\n  device: cold\n"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def survey(git_root: Path, git: Git) -> Path:
    state_claims(git_root)
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "Claims")
    return git_root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_nothing_changed(survey: Path, run: Run):
    assert "Nothing changed." in run("diff", root=survey).out
    assert run("diff", "HEAD~1", "HEAD~1", "--format", "json", root=survey).json["data"]["claims"] == []


def test_everything_that_changed(survey: Path, run: Run):
    corpus = survey / "corpus"
    (corpus / "iced2026.yaml").write_text(NEW)
    (corpus / "soup2022.yaml").unlink()
    edit(corpus / "aero2020.yaml", "term: sour\n    strength: tasted", "term: sour\n    strength: measured")
    edit(corpus / "drip2021.yaml", "year: 2021", "year: 2020")
    data = run("diff", "--format", "json", root=survey).json["data"]
    assert [entry["key"] for entry in data["added"]] == ["iced2026"]
    assert [entry["key"] for entry in data["removed"]] == ["soup2022"]
    assert [(e["key"], e["axis"]) for e in data["retagged"]] == [("aero2020", "taste")]
    assert [(entry["key"], entry["fields"], entry["edited"]) for entry in data["edited"]] == [
        ("drip2021", ["year"], ["year"])
    ]
    assert data["counts"]["papers"] == {"before": 4, "after": 4}
    assert data["terms"]["device=cold"] == {"before": 0, "after": 1}
    cells = {cell["cell"]: cell["move"] for cell in data["cells"]}
    assert cells["device=cold"] == "closed"
    assert cells["taste=sour"] == "closed"
    assert {c["id"]: (c["before"], c["after"], c["flips"], c["keys"]) for c in data["claims"]} == {
        "no-cold": ("holds", "fails", True, ["iced2026"]),
        "sour-unmeasured": ("contested", "fails", True, ["aero2020"]),
    }
    shown = run("diff", "--format", "md", root=survey).out
    assert "Claims that flip: no-cold, sour-unmeasured" in shown
    assert "aero2020: taste sour:tasted (contested, strong) becomes sour:measured (contested, strong)" in shown
    run("diff", "--fail-on", "claims", root=survey, code=1)
    run("diff", "--fail-on", "cells", root=survey, code=1)
    assert "claim,no-cold,flips,holds,fails" in run("diff", "--format", "csv", root=survey).out


def test_the_codings_of_what_is_added_or_moved_are_shown_with_their_evidence(survey: Path, run: Run):
    (survey / "corpus" / "iced2026.yaml").write_text(NEW.replace("cold", "{term: cold, evidence: Ice., source: p. 2}"))
    done = run("diff", "--format", "json", root=survey).json["data"]["added"]
    assert done[0]["codings"] == [{"coding": "device=cold", "evidence": "Ice.", "source": "p. 2"}]
    assert "| iced2026 | device=cold | Ice. | p. 2 |" in " ".join(run("diff", "-f", "md", root=survey).out.split())
    (survey / "candidates" / "salt2026.yaml").unlink()
    (survey / "corpus" / "salt2026.yaml").write_text(NEW.replace("iced", "salt"))
    assert "salt2026 | device=cold" in run("diff", "-f", "md", root=survey).out


def test_counts_are_of_main_codings_and_parts_have_rows(survey: Path, run: Run):
    edit(survey / "corpus" / "aero2020.yaml", "term: sour\n    strength: tasted", "term: sour\n    strength: measured")
    edit(survey / "corpus" / "soup2022.yaml", "device: drip", "device: [drip, {term: press, part: true}]")
    done = run("diff", "--format", "json", root=survey).json["data"]
    assert done["terms"] == {
        "device=press:part": {"before": 0, "after": 1},
        "taste=sour:=measured": {"before": 0, "after": 1},
        "taste=sour:=tasted": {"before": 1, "after": 0},
    }
    assert {
        "key": "soup2022",
        "kind": "paper",
        "axis": "device",
        "before": ["drip"],
        "after": ["drip", "press:part"],
    } in done["retagged"]
    shown = run("diff", root=survey).out
    assert "soup2022: device added press:part" in shown
    assert [line.split() for line in shown.splitlines() if ":=measured" in line] == [
        ["taste=sour:=measured", "0", "1", "1"]
    ]
    for query, count in done["terms"].items():
        found = run("list", "--where", query, "--format", "json", root=survey).json["data"]["papers"]
        assert len(found) == count["after"], query


@pytest.fixture
def cause(survey: Path, run: Run) -> Cause:
    """Compare the working tree: the causes by changed cell, and the report."""

    def compared() -> tuple[dict[str, list[str]], str]:
        cells = run("diff", "--format", "json", root=survey).json["data"]["cells"]
        return {cell["cell"]: cell["causes"] for cell in cells}, run("diff", "-f", "md", root=survey).out

    return compared


def test_a_change_of_a_cell_names_the_rule_or_the_records(survey: Path, cause: Cause):
    taxonomy, aero = survey / "taxonomy.yaml", survey / "corpus" / "aero2020.yaml"
    edit(taxonomy, "gap_strength: measured", "gap_strength: tasted")
    causes, shown = cause()
    assert causes["taste=sour"] == ["rule"]
    assert "taste=sour closed: gap becomes sparse, by the rule" in shown
    edit(taxonomy, "gap_strength: tasted", "gap_strength: measured")
    edit(aero, "term: sour\n    strength: tasted", "term: sour\n    strength: measured")
    causes, shown = cause()
    assert causes["taste=sour"] == ["records"]
    assert "taste=sour closed: gap becomes sparse, by the records" in shown


def test_a_changed_rule_under_a_renamed_axis_is_the_cause(survey: Path, run: Run, cause: Cause):
    run("taxonomy", "rename", "taste", "flavour", root=survey)
    assert cause()[0] == {}
    edit(survey / "taxonomy.yaml", "gap_strength: measured", "gap_strength: tasted")
    causes, _ = cause()
    assert causes["flavour=sour"] == ["rule"]
    assert {tuple(names) for names in causes.values()} == {("rule",)}


def test_a_gap_that_uncoded_papers_may_fill_did_not_close(survey: Path, run: Run):
    edit(
        survey / "taxonomy.yaml",
        "  question: Which taste is studied, and how?\n  kind: many\n  silence: none\n",
        "  question: Which?\n  kind: many\n",
    )
    moves = {cell["cell"]: cell for cell in run("diff", "--format", "json", root=survey).json["data"]["cells"]}
    assert [moves["taste=umami"][name] for name in ("before", "after", "move", "causes")] == [
        "gap",
        "unknown",
        "changed",
        ["rule"],
    ]


def test_rule_and_records_can_both_change_a_cell(survey: Path, cause: Cause):
    edit(survey / "taxonomy.yaml", "gap_strength: measured", "gap_strength: tasted")
    edit(survey / "taxonomy.yaml", "\naxes:\n", "\nsparse: {at_most: 1}\naxes:\n")
    edit(survey / "corpus" / "drip2021.yaml", "sour, strength: mentioned", "sour, strength: tasted")
    causes, shown = cause()
    assert causes["taste=sour"] == ["rule", "records"]
    assert "taste=sour closed: gap becomes covered, by the rule and the records" in shown


CORRECTIONS = """\
corrections:
- {field: venue, published: Foam, corrected_on: 2026-04-01}
- {field: identifiers.arxiv, corrected_on: 2026-04-01}
"""


def test_corrected_completed_edited_and_recoded_are_counted_apart(survey: Path, run: Run, git: Git):
    corpus = survey / "corpus"
    aero = corpus / "aero2020.yaml"
    aero.write_text(aero.read_text().replace("venue: Journal of Coffee", "venue: Coffee") + CORRECTIONS)
    edit(corpus / "drip2021.yaml", "year: 2021", "year: 2020")
    run("tag", "soup2022", "taste=sweet:tasted", "--revised", root=survey)
    git(survey, "commit", "-qam", "Four kinds of change")
    notes = run("changelog", "HEAD~1..", "--format", "md", root=survey).out
    for heading, line in (
        ("Corrected", "aero2020: venue"),
        ("Completed", "aero2020: identifiers.arxiv"),
        ("Edited", "drip2021: year"),
        ("Recoded", "soup2022: taste"),
    ):
        assert f"### {heading}\n\n- {line}\n" in f"{notes}\n", heading
    assert "1 paper recoded, 1 paper corrected, 1 paper completed, 1 paper edited" in notes


def test_a_paper_that_waits_for_coding_is_recoded(survey: Path, run: Run):
    edit(survey / "corpus" / "soup2022.yaml", "not_coded:\n- beans\n", "")
    assert "soup2022: beans not coded yet becomes NA" in run("diff", root=survey).out


def test_revisions_are_compared_without_a_checkout(survey: Path, run: Run, git: Git):
    (survey / "corpus" / "iced2026.yaml").write_text(NEW)
    git(survey, "add", "-A")
    git(survey, "commit", "-qm", "Ice")
    (survey / "corpus" / "iced2026.yaml").write_text("broken: [")
    data = run("diff", "HEAD~1", "HEAD", "--format", "json", root=survey).json["data"]
    assert [entry["key"] for entry in data["added"]] == ["iced2026"]
    assert data["remarks"] == []


def test_an_unreadable_record_is_not_taken_for_a_removed_one(survey: Path, run: Run, git: Git):
    soup = survey / "corpus" / "soup2022.yaml"
    sound = soup.read_text()
    edit(soup, "year: ", "year: twenty")
    refused = run("diff", root=survey, code=3)
    assert (refused.out, "corpus/soup2022.yaml" in refused.err) == ("", True)
    git(survey, "commit", "-qam", "Break it")
    assert "corpus/soup2022.yaml" in run("changelog", "HEAD~1..", root=survey, code=3).err
    soup.write_text(sound)
    data = run("diff", "--format", "json", root=survey).json["data"]
    assert (data["added"], data["unreadable"]) == ([], ["corpus/soup2022.yaml"])
    assert "HEAD: corpus/soup2022.yaml cannot be read and is left out" in run("diff", root=survey).out


def test_tags_that_nobody_knows_are_left_out_and_named(survey: Path, run: Run):
    edit(survey / "corpus" / "aero2020.yaml", "device: press", "device: pres")
    warning = "the working tree: corpus/aero2020.yaml: the unknown tag device=pres is ignored"
    assert run("diff", "--format", "json", root=survey).json["data"]["remarks"] == [warning]


def test_a_record_that_moves_or_is_renamed_is_one_record(survey: Path, run: Run, git: Git):
    corpus = survey / "corpus"
    git(survey, "mv", "corpus/soup2022.yaml", "corpus/broth2022.yaml")
    with (corpus / "broth2022.yaml").open("a") as file:
        file.write("aliases: [soup2022]\n")
    (survey / "exclusions" / "drip2021.yaml").write_text(
        'title: Dripping slowly\nscreening:\n  stage: abstract\n  reason: tea\n  "on": 2026-06-01\n'
    )
    (corpus / "drip2021.yaml").unlink()
    data = run("diff", "--format", "json", root=survey).json["data"]
    assert (data["added"], data["removed"]) == ([], [])
    assert {(e["key"], e["kind"], e["was"]) for e in data["moved"]} == {
        ("drip2021", "exclusion", "paper"),
        ("broth2022", "paper", "soup2022"),
    }


def test_a_claim_that_cannot_be_asked_is_no_crash(survey: Path, run: Run):
    edit(survey / "claims.yaml", "device=cold", "device=colder")
    data = run("diff", "--format", "json", root=survey).json["data"]
    assert [(c["id"], c["after"]) for c in data["claims"]] == [("no-cold", "unanswerable")]


def test_what_is_not_there_is_said(survey: Path, run: Run, git: Git):
    assert "no such revision: v9" in run("diff", "v9", root=survey, code=3).err
    kept = (survey / "taxonomy.yaml").read_text()
    git(survey, "rm", "-q", "taxonomy.yaml")
    git(survey, "commit", "-qm", "Oops")
    (survey / "taxonomy.yaml").write_text(kept)
    assert "taxonomy.yaml is missing" in run("diff", "HEAD", root=survey, code=3).err


def test_release_notes_and_their_feed(survey: Path, run: Run, git: Git, tmp_path: Path):
    (survey / "corpus" / "iced2026.yaml").write_text(NEW)
    git(survey, "add", "-A")
    git(survey, "commit", "-qm", "Ice")
    feed = tmp_path / "feed.xml"
    notes = run("changelog", "HEAD~1..", "--format", "md", "--atom", feed, root=survey).out
    assert "### New papers\n\n- Iced (iced2026)" in notes
    assert "- no-cold: holds becomes fails" in notes
    assert "5 papers (+1), 2 exclusions" in notes
    tree = ET.fromstring(feed.read_text())
    assert tree.tag == f"{ATOM}feed"
    assert tree.findtext(f"{ATOM}author/{ATOM}name") == "Bean, Ada"
    entries = tree.findall(f"{ATOM}entry")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries) == len(notes.split("### "))
    assert {entry.findtext(f"{ATOM}updated") for entry in entries} == {"2026-05-01T00:00:00Z"}
    assert [*tree.iter(f"{ATOM}link")] == []
    before = feed.read_bytes()
    run("changelog", "HEAD~1..HEAD", "--atom", feed, root=survey)
    run("changelog", "HEAD~1..", "--atom", feed, root=survey)
    assert feed.read_bytes() == before


@pytest.mark.parametrize("span", ["v1", "..v1", "v1...v2", ""])
def test_what_is_no_range_is_refused(survey: Path, run: Run, span: str):
    assert "not a range of revisions" in run("changelog", span, root=survey, code=2).err


@pytest.mark.parametrize("order", [("tea", "iced"), ("iced", "tea")])
def test_two_branches_that_each_add_a_paper_merge_in_either_order(survey: Path, run: Run, git: Git, order: list[str]):
    for name in ("iced", "tea"):
        git(survey, "switch", "-qc", name, "main")
        text = NEW.replace("Iced", f"All about {name}").replace("cold", "drip").replace("/iced", f"/{name}")
        (survey / "corpus" / f"{name}2026.yaml").write_text(text)
        git(survey, "add", "-A")
        git(survey, "commit", "-qm", name)
    git(survey, "switch", "-q", "main")
    for name in order:
        git(survey, "merge", "-q", "--no-edit", "--no-ff", name)
    assert run("validate", "--strict", root=survey).code == 0
    data = run("diff", "HEAD~2", "--format", "json", root=survey).json["data"]
    assert [entry["key"] for entry in data["added"]] == ["iced2026", "tea2026"]
    assert git(survey, "status", "--porcelain") == ""


def test_a_claim_names_the_records_of_all_its_expectations():
    expected = [{"count": f"device={term}", "at_least": 1} for term in ("press", "drip")]
    before = claiming(make_claim(*expected))
    gone = {key for key in before.by_key if key in {"aero2020", "drip2021"}}
    after = replace(before, papers=tuple(paper for paper in before.papers if paper.key not in gone))
    (move,) = compare(before, after, ("before", "after")).claims
    assert {*move.keys} == gone != set()


def test_what_was_renamed_is_neither_removed_nor_added(survey: Path, run: Run, git: Git):
    run("rename", "drip2021", "pour2021", root=survey)
    git(survey, "mv", "corpus/soup2022.yaml", "corpus/broth2022.yaml")
    run("taxonomy", "rename", "device=drip", "filter", root=survey)
    data = run("diff", "--format", "json", root=survey).json["data"]
    for nothing in ("added", "removed", "retagged", "terms", "cells"):
        assert not data[nothing], data[nothing]
    assert {(entry["was"], entry["key"]) for entry in data["moved"]} == {
        ("drip2021", "pour2021"),
        ("soup2022", "broth2022"),
    }
    assert data["renamed"] == [{"was": "device=drip", "now": "device=filter"}]
    shown = run("diff", root=survey).out
    assert "Renamed (3)" in shown
    assert "device=filter, was device=drip" in shown
    run("taxonomy", "rename", "device", "brewer", root=survey)
    data = run("diff", "--format", "json", root=survey).json["data"]
    assert {"was": "device", "now": "brewer"} in data["renamed"]
    assert not data["retagged"]
    assert not data["cells"]
    run("taxonomy", "deprecate", "brewer=press", "--use", "filter", root=survey)
    rows = run("diff", "--format", "csv", root=survey).out.splitlines()
    assert "renamed,pour2021,paper,drip2021,pour2021,,,Dripping slowly" in rows
    assert "renamed,brewer=filter,vocabulary,device=drip,brewer=filter,,,," not in rows
    assert "renamed,brewer=filter,vocabulary,device=drip,brewer=filter,,," in rows
    retired = [row for row in rows if row.startswith("retired,brewer=press,vocabulary")]
    assert "use filter" in retired[0]


def test_a_tag_beside_one_that_stays_is_added(survey: Path, run: Run, git: Git):
    run("tag", "drip2021", "taste=sweet:tasted", root=survey)
    assert "drip2021: taste added sweet:tasted" in run("diff", root=survey).out
    git(survey, "commit", "-qam", "Sweet")
    assert (
        run("changelog", "HEAD~1..", "-f", "csv", root=survey).out
        == run("diff", "HEAD~1", "-f", "csv", root=survey).out
    )
