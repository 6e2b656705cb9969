"""`awesome import` as it is typed, and the identities that it promises; works that are known or look so, also with `add`."""

import json
import re
import shlex
import shutil
from dataclasses import replace
from datetime import date

import pytest
from builders import DATA

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import export_format
from awesome_cli.formats.exporting import export
from awesome_cli.model.records import Paper
from awesome_cli.survey.loading import load_corpus

BIB = """@article{bean2020, title={On Bitter Bread}, author={Bean, Ada}, year={2020}, keywords={sour, crumbs}}
@article{aero, title={Another Way of Toasting}, author={Doe, Jane}, doi={10.1000/new}, abstract={Long.}}
@article{bean2020, title={A Third Work Altogether}, author={Li, Bo}, year={2019}}
@article{broken, title={never closed
@article{, title={The Keyless Entry of this Library}, author={Zed, Zoe}, year={2022}}
"""


@pytest.fixture
def fresh(tmp_path, repository):
    """A survey with the shipped taxonomy and no records."""
    folder = tmp_path / "fresh"
    folder.mkdir()
    shutil.copy(repository / "taxonomy.yaml", folder)
    return folder


def corpus(root):
    loaded = load_corpus(WorkingTree(root))
    assert not loaded.findings
    return loaded


def write(folder, files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_nine_are_written_and_the_bad_one_is_named(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(BIB)
    before = len(corpus(root).papers)
    done = run("import", tmp_path / "refs.bib", "--tags-from", "keywords", "--format", "json", root=root, code=4)
    data = done.json["data"]
    assert done.json["schema"] == "awesome/import/1"
    assert [entry["place"] for entry in data["added"]] == [f"refs.bib:{line}" for line in (1, 2, 3, 5)]
    assert len({entry["key"] for entry in data["added"]}) == 4
    message = "a closing brace or quote is missing"
    assert data["failed"] == [{"place": "refs.bib:4", "key": "broken", "message": message}]
    assert "1 entry could not be imported" in done.err
    loaded = corpus(root)
    assert len(loaded.papers) == before + 4
    first = loaded.get("bean2020")
    assert [tag.term for tag in first.tags_on("taste")] == ["sour"]
    assert first.extra == {"keywords": ["crumbs"]}
    assert loaded.get("aero").extra == {"abstract": "Long."}
    assert (data["unplaced"], data["mapped"]) == ({"crumbs": 1}, {"taste=sour": 1})
    assert data["kept"] == {"abstract": 1, "keywords": 1}


def test_a_second_import_adds_nothing(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(BIB.replace("@article{broken, title={never closed\n", ""))
    run("import", tmp_path / "refs.bib", root=root)
    files = {path.name: path.read_bytes() for path in (root / "corpus").iterdir()}
    done = run("import", tmp_path / "refs.bib", "--format", "json", root=root)
    assert (done.json["data"]["added"], len(done.json["data"]["known"])) == ([], 4)
    assert {path.name: path.read_bytes() for path in (root / "corpus").iterdir()} == files


def test_known_works(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(
        "@misc{xx, title={On Bread and Crumbs}, author={Bean, Ada}, year=2020, eprint={2001.00099}}"
    )
    run("import", tmp_path / "refs.bib", root=root)
    (tmp_path / "again.bib").write_text(
        "@misc{yy, title={On Bread and Crumbs}, author={Bean, Ada}, year=2021, doi={10.1000/b}}"
    )
    done = run("import", tmp_path / "again.bib", "--on-duplicate", "error", root=root, code=4)
    assert "in the survey" in done.out
    run("import", tmp_path / "again.bib", "--on-duplicate", "link", root=root)
    (version,) = corpus(root).get("xx").versions
    assert (version.year, version.identifiers.doi) == (2021, "10.1000/b")
    run("import", tmp_path / "again.bib", "--on-duplicate", "ask", root=root, code=2)


def test_a_wrong_link_is_no_duplicate(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(
        "@misc{xx, title={On Bread and Crumbs}, author={Bean, Ada}, doi={10.1000/a}}\n"
        "@misc{yy, title={Steam Engines of the North}, author={Stoker, Bo}, doi={10.1000/a}}\n"
    )
    done = run("import", tmp_path / "refs.bib", "--format", "json", root=root)
    assert [entry["key"] for entry in done.json["data"]["added"]] == ["xx", "yy"]
    (warning,) = done.json["data"]["added"][1]["warnings"]
    assert "'Steam Engines of the North' has the same identifier as xx, 'On Bread and Crumbs' (both are doi" in warning
    assert "yy xx" in run("validate", root=root, code=1).out
    run("dedupe", "--distinct", "yy", "xx", root=root)
    assert "D001" not in run("validate", root=root, code=None).out


def test_abstracts_of_a_supplement_share_its_doi(run, root, tmp_path):
    """Titles of one field are alike; nobody wrote two of these."""
    abstracts = [
        ("Risk of falls in patients with severe asthma treated at home", "Bean, Ada and Rye, Bo"),
        ("Risk of falls in patients with severe asthma treated in wards", "Pour, Olga and Cup, Tim"),
        ("Costs of the care of patients with severe asthma treated at home", "Roast, Rob"),
    ]
    entries = [
        f"@article{{s{i}, title={{{title}}}, author={{{who}}}, year=2015, journal={{Blood}}, doi={{10.1000/s1}}}}"
        for i, (title, who) in enumerate(abstracts)
    ]
    (tmp_path / "supplement.bib").write_text("\n".join(entries))
    done = run("import", tmp_path / "supplement.bib", "--format", "json", root=root).json["data"]
    assert [entry["key"] for entry in done["added"]] == ["s0", "s1", "s2"]
    assert done["known"] == []


def test_decisions_become_exclusions(run, root, tmp_path):
    (tmp_path / "screened.csv").write_text(
        "title,authors,year,decision,stage,reason\n"
        'Tea and Its Leaves,"Leaf, Tia",2020,exclude,Full text,tea\n'
        'Some Opinions on Water,"Doe, Jane",2021,exclude,,nobody measured anything\n'
        'Kettles of Tomorrow,"Li, Bo",2022,maybe,,\n'
    )
    done = run("import", tmp_path / "screened.csv", "--on", "2026-01-02", "--format", "json", root=root)
    data = done.json["data"]
    assert (len(data["excluded"]), [entry["path"].partition("/")[0] for entry in data["added"]]) == (2, ["candidates"])
    loaded = load_corpus(WorkingTree(root), candidates=True)
    tea, opinion = (loaded.get(entry["key"]) for entry in data["excluded"])
    assert (tea.screening.stage, tea.screening.reason, tea.screening.on) == ("full_text", "tea", date(2026, 1, 2))
    assert (opinion.screening.reason, opinion.note) == ("unspecified", "nobody measured anything")
    done = run("import", tmp_path / "screened.csv", "--reason", "te", root=root, code=2)
    assert "did you mean 'tea'" in done.err


@pytest.mark.parametrize(("option", "shown"), [("--dry-run", "nothing was written"), ("--diff", "+++ b/corpus/")])
def test_trying_writes_nothing_but_the_report(run, root, tmp_path, option, shown):
    (tmp_path / "refs.bib").write_text(BIB)
    files = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    done = run("import", tmp_path / "refs.bib", option, "--report", tmp_path / "out.json", root=root, code=4)
    assert shown in done.out
    assert json.loads((tmp_path / "out.json").read_text())["data"]["written"] is False
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == files


def test_terms_are_made_on_request(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(BIB)
    before = (root / "taxonomy.yaml").read_text()
    run("import", tmp_path / "refs.bib", "--tags-from", "keywords", "--create-terms", "taste", root=root, code=4)
    after = (root / "taxonomy.yaml").read_text()
    assert "id: crumbs" in after
    assert set(before.splitlines()) <= set(after.splitlines())
    assert [tag.term for tag in corpus(root).get("bean2020").tags_on("taste")] == ["sour", "crumbs"]
    assert (
        "did you mean 'taste'" in run("import", tmp_path / "refs.bib", "--create-terms", "tast", root=root, code=2).err
    )


@pytest.mark.parametrize("text", ["", "[]", "words"])
def test_a_file_of_no_entries_is_never_a_success(run, root, tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    run("import", tmp_path / "x.json", root=root, code=4)
    run("import", tmp_path / "absent.json", root=root, code=2)


def test_standard_input_and_candidates(run, root):
    run("import", "-", "--kind", "candidate", root=root, stdin=BIB.splitlines()[0])
    assert load_corpus(WorkingTree(root), candidates=True).get("bean2020").proposal == "consider"


def test_json_export_import_export_is_the_identity(run, fresh, tmp_path, shipped):
    first = export("json", shipped)
    (tmp_path / "dump.json").write_text(first, encoding="utf-8")
    done = run("import", tmp_path / "dump.json", "--on-duplicate", "error", "--format", "json", root=fresh)
    data = done.json["data"]
    assert (len(data["added"]), len(data["excluded"])) == (len(shipped.papers), len(shipped.exclusions))
    assert export("json", corpus(fresh)) == first
    assert corpus(fresh).papers == shipped.papers


@pytest.mark.parametrize("pool", ["shipped", "published"])
def test_artifact_export_import_export_is_the_identity(run, fresh, tmp_path, shipped, published, pool):
    first = export("artifact", shipped if pool == "shipped" else published)
    folder = write(tmp_path / "artifact", first)
    run("import", folder, root=fresh)
    second = export("artifact", corpus(fresh))
    # A DOI that the pool of an earlier day lacked is read from the address beside it.
    gained = r"  doi = \{(.+)\},\n(?=  url = \{https://[^}]+/\1\})"
    assert {name: re.sub(gained, "", text) for name, text in second.items()} == {
        name: re.sub(gained, "", text) for name, text in first.items()
    }


def test_another_survey_moves_in(run, tmp_path):
    root = tmp_path / "splats"
    run("init", root, "--title", "Splats")
    source = DATA / "inputs" / "corpora" / "awesome_3dgs_papers.yaml"
    done = run("import", source, "--create-terms", "contribution", "--format", "json", root=root, code=4)
    data = done.json["data"]
    assert [failure["key"] for failure in data["failed"]] == ["guo2024motionaware"]
    assert data["failed"][0]["place"] == "awesome_3dgs_papers.yaml:602"
    assert len(data["added"]) + len(data["known"]) == 44
    assert len(list((root / "corpus").glob("*.yaml"))) == len(data["added"])
    run("list", root=root)


def test_what_failed_is_counted_beside_what_was_added(run, root, tmp_path):
    path = tmp_path / "two.bib"
    path.write_text("@misc{good, title={Quite Another Drink}}\n@misc{bad, year={2020}}\n")
    shown = run("import", path, "--dry-run", root=root, code=4).err
    assert "1 entry could not be imported" in shown
    assert "1 would be added; the report above names the failed ones" in shown
    assert "1 added; the report above names the failed ones" in run("import", path, root=root, code=4).err


def test_keywords_are_no_tags(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(BIB.splitlines()[0])
    data = run("import", tmp_path / "refs.bib", "--format", "json", root=root).json["data"]
    made = corpus(root).get("bean2020")
    assert (made.tags, made.extra, data["mapped"]) == ({}, {"keywords": ["sour", "crumbs"]}, {})


def test_a_decision_says_what_it_means(run, root, tmp_path):
    (tmp_path / "screened.csv").write_text(
        "title,label\nTea and Its Leaves,I\nSome Opinions on Water,E\nKettles of Tomorrow,?\nA Pot,\nA Cup,gone\n"
    )
    (tmp_path / "mapping.yaml").write_text("label: decision\ndecision:\n  I: paper\n  gone: skip\n")
    given = ("--mapping", tmp_path / "mapping.yaml", "--decision", "E=exclusion", "--format", "json")
    data = run("import", tmp_path / "screened.csv", *given, root=root).json["data"]
    assert [entry["path"].partition("/")[0] for entry in data["added"]] == ["corpus", "candidates", "candidates"]
    assert [entry["title"] for entry in data["excluded"]] == ["Some Opinions on Water"]
    assert "--decision '?=KIND'" in data["added"][1]["warnings"][0]
    assert data["added"][2]["warnings"] == ["no decision, so the work is a candidate"]
    assert data["decisions"] == {
        "?": {"kind": "candidate", "n": 1},
        "E": {"kind": "exclusion", "n": 1},
        "I": {"kind": "paper", "n": 1},
        "gone": {"kind": "skip", "n": 1},
    }


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        (["--column", "title=titel"], "did you mean 'title'", "one of: "),
        (["--column", "Titel=title"], "unknown column 'Titel'; did you mean 'Title'?", "one of: Title, Year"),
        (["--decision", "I=papr"], "did you mean 'paper'", "one of: paper"),
        (["--decision", "I"], "expected WORD=KIND, got 'I'", "--decision"),
        (["--tags-from", "Yeer"], "did you mean 'Year'", "one of: keywords, Title, Year"),
        (["--mapping", "absent.yaml"], "absent.yaml cannot be read", ""),
    ],
)
def test_what_no_file_and_no_record_has_is_refused(run, root, tmp_path, given, message, hint):
    (tmp_path / "t.csv").write_text("Title,Year\nOn Bread,2020\n")
    done = run("import", tmp_path / "t.csv", *given, root=root, code=2)
    assert message in done.err
    assert hint in done.err


def test_a_bibliography_has_no_columns(run, root, tmp_path):
    (tmp_path / "refs.bib").write_text(BIB.splitlines()[0])
    assert (
        "only tables and lists have"
        in run("import", tmp_path / "refs.bib", "--column", "a=title", root=root, code=2).err
    )


def test_an_export_says_what_it_leaves_out(run, root):
    done = run("export", "bibtex", root=root)
    assert "not supported by bibtex and left out: " in done.err
    assert "tags (" in done.err
    assert run("export", "json", root=root).err == ""
    assert run("export", "bibtex", "--quiet", root=root).err == ""


@pytest.mark.parametrize("form", ["csv", "csljson"])
def test_an_export_and_its_import_give_the_same_export(run, fresh, tmp_path, shipped, form):
    first = export(form, shipped)
    path = tmp_path / export_format(form).file
    path.write_text(first, encoding="utf-8")
    data = run("import", path, "--format", "json", root=fresh).json["data"]
    assert (len(data["added"]), data["known"], data["failed"]) == (len(shipped.papers), [], [])
    assert export(form, corpus(fresh)) == export(form, replace(shipped, papers=tuple(map(undirected, shipped.papers))))


def undirected(paper: Paper) -> Paper:
    """A paper whose evidence has no direction: exports have no evidence, so an import has no direction either."""
    tags = {
        axis: tuple(tag.model_copy(update={"direction": "for"}) for tag in tags) for axis, tags in paper.tags.items()
    }
    return paper.model_copy(update={"tags": tags})


INPUTS = DATA / "inputs"
KNOWN_BIB = """@article{bread, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/a}}
@article{same, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/a}}
@article{near, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/b}}
@article{version, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2021}, journal={Crumb Letters}}
@article{alike, title={On Bitter Bread and Old Crumbs}}
@article{none, year={2020}}
"""


@pytest.fixture
def bakery(run, tmp_path):
    """A survey as `awesome init` starts it."""
    run("init", tmp_path / "bakery", "--title", "Bread")
    return tmp_path / "bakery"


@pytest.fixture
def refs(tmp_path):
    """A bibliography with one work in five entries, and an entry without a title."""
    path = tmp_path / "refs.bib"
    path.write_text(KNOWN_BIB)
    return path


def papers(root):
    return {paper.key: paper for paper in load_corpus(WorkingTree(root)).papers}


def test_the_report_names_every_entry_that_was_skipped_failed_or_changed(run, bakery, refs, tmp_path, golden):
    done = run("import", refs, "--report", tmp_path / "out.json", root=bakery, code=4)
    golden("cli/import-known.txt", done.out)
    lines = done.out.splitlines()
    assert lines[0] == "added 4 papers; known already: 1; failed: 1"
    for line in (
        "- refs.bib:6: none: the entry has no title",
        "- refs.bib:2: On Bitter Bread and Old Crumbs is bread of refs.bib:1 (both are doi 10.1000/a)",
        "'--on-duplicate add' adds the skipped entries as separate works.",
    ):
        assert line in lines
    for key in ("alike", "version", "near"):
        assert any(f": {key}: looks like " in line for line in lines)
    data = json.loads((tmp_path / "out.json").read_text())["data"]
    assert data["counts"] == {"papers": 4, "candidates": 0, "exclusions": 0, "known": 1, "failed": 1}
    assert {entry["key"]: entry["near"] for entry in data["added"]}["near"][0] == "bread"
    assert [(entry["place"], entry["earlier"]) for entry in data["known"]] == [("refs.bib:2", "refs.bib:1")]
    assert (data["mapped"], data["decisions"], data["written"]) == ({}, {}, True)


def test_the_hints_work_as_typed(run, bakery, refs):
    done = run("import", refs, "--format", "json", root=bakery, code=4)
    commands = [
        command.partition(": ")[2]
        for entry in done.json["data"]["added"]
        for warning in entry["warnings"]
        for command in warning.split("; ")
        if ": awesome " in command
    ]
    assert {command.split()[1] for command in commands} == {"link", "dedupe"}
    for command in commands:
        run(*shlex.split(command)[1:], "--dry-run", root=bakery)


def test_what_was_skipped_can_be_taken_in_with_one_flag(run, bakery, refs):
    run("import", refs, "--on-duplicate", "add", root=bakery, code=4)
    assert len(papers(bakery)) == 5
    assert papers(bakery)["same"].distinct_from == ("bread",)
    run("validate", root=bakery)


def test_known_works_are_linked_on_request(run, bakery, refs):
    done = run("import", refs, "--on-duplicate", "link", "--format", "json", root=bakery, code=4)
    assert {entry["place"]: entry["linked"] for entry in done.json["data"]["known"]} == {
        "refs.bib:2": True,
        "refs.bib:4": True,
        "refs.bib:5": True,
    }
    assert set(papers(bakery)) == {"bread", "near"}


@pytest.mark.parametrize("place", ["folder", "file/out.json"])
def test_a_report_that_cannot_be_written_is_an_error_before_the_import(run, bakery, refs, tmp_path, place):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    done = run("import", refs, "--report", tmp_path / place, root=bakery, code=2)
    assert f"--report {tmp_path / place}" in done.err
    assert papers(bakery) == {}


@pytest.mark.parametrize("name", ["bibtex/zorcpapers.bib", "cases/parts.bib", "cases/err.bib", "cases/isbn.bib"])
def test_what_an_import_added_as_another_work_is_no_duplicate(run, bakery, name):
    run("import", INPUTS / name, root=bakery)
    found = {finding["code"] for finding in run("validate", "--format", "json", root=bakery).json["findings"]}
    assert not found & {"D001", "D003", "D004"}
    assert "D002" not in found or "zorc" in name


def test_one_work_that_looks_known_is_added_as_another_or_linked(run, bakery, refs):
    refs.write_text(KNOWN_BIB.splitlines()[0])
    run("add", refs, root=bakery)
    alike = ("add", "--set", "title=On Bitter Bread and Old Crumbs", "--set", "year=2020")
    done = run(*alike, root=bakery, code=1)
    assert "the work seems to be already in the survey: corpus/bread.yaml" in done.err
    assert "--on-duplicate add adds it as a different work" in done.err
    done = run(*alike, "--on-duplicate", "add", root=bakery)
    assert "looks like bread (" in done.out
    assert [paper.distinct_from for paper in papers(bakery).values()] == [("bread",), ()]


def test_one_work_with_a_contradiction_is_added(run, bakery, refs):
    refs.write_text(KNOWN_BIB.splitlines()[0])
    run("add", refs, root=bakery)
    refs.write_text(KNOWN_BIB.splitlines()[2])
    assert "looks like bread, but is a different work" in run("add", refs, root=bakery).out
    assert set(papers(bakery)) == {"bread", "near"}


@pytest.mark.parametrize(
    ("key", "code", "message"),
    [
        ("bread", 1, "'bread' is taken by corpus/bread.yaml"),
        ("bad", 1, "'bad' is already used by a record that cannot be read"),
        ("con", 2, "'con' is a reserved file name"),
    ],
)
def test_a_key_that_was_asked_for_is_never_another_one(run, bakery, refs, key, code, message):
    refs.write_text(KNOWN_BIB.splitlines()[0])
    run("add", refs, root=bakery)
    (bakery / "corpus" / "bad.yaml").write_text("titel: [\n")
    assert message in run("add", "--set", "title=Steam Engines of the North", "--key", key, root=bakery, code=code).err
