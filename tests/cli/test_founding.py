"""`awesome init --input`: somebody's list becomes a survey that passes its own checks."""

import json
import re
from pathlib import Path

import pytest
from builders import DATA
from test_add import ENTER, terminal  # noqa: F401 - a fixture

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

INPUTS = DATA / "inputs"
SPLATS = INPUTS / "corpora" / "awesome_3dgs_papers.yaml"
TABLE = """\
title,authors,year,doi,method,goals,score,remark
Pressing,"Bean, Ada",2020,10.5555/a,C++,speed; taste,1,first
Dripping,"Pour, Olga",2021,10.5555/b,C#,taste,2,second
Steeping,"Vapour, Vic",2022,10.5555/c,c++,"speed; price",3,third
Cooling,"Ice, Ida",2023,10.5555/d,C,taste,4,fourth
Salting,"Salz, Sam",2024,10.5555/e,C#,NA,5,fifth
Boiling,"Heat, Hal",2024,10.5555/f,,price,6,sixth
Resting,"Rest, Rae",2024,10.5555/g,C++,taste,7,seventh
"""
PAGE = """\
# Brews

A list of works on coffee.

## Hot

### Press

- [Pressing](https://doi.org/10.5555/a), Bean, 2020

## Cold

- [Cooling](https://doi.org/10.5555/d), Ice, 2023
- [Pressing](https://doi.org/10.5555/a), Bean, 2020
"""


def founded(run, folder: Path, *words: str | Path, code: int = 0) -> tuple[Corpus, str]:
    """The survey that a list makes, once it has passed its own checks, and what was printed."""
    done = run("init", folder, *words, code=code)
    found = run("validate", "--format", "json", root=folder).json["findings"]
    assert not [finding for finding in found if finding["level"] == "error"]
    run("render", "--check", root=folder)
    run("claims", "check", root=folder)
    return load_corpus(WorkingTree(folder), candidates=True), done.out


@pytest.fixture
def table(tmp_path) -> Path:
    """A table of seven works."""
    path = tmp_path / "list.csv"
    path.write_text(TABLE)
    return path


def labels(corpus: Corpus, axis: str) -> list[str]:
    return [term.label for term in corpus.taxonomy.by_id[axis].terms]


def test_columns_of_few_words_become_axes(run, tmp_path, table):
    corpus, said = founded(run, tmp_path / "new", "--input", table)
    assert {axis.id: axis.kind for axis in corpus.taxonomy.axes} == {"method": "one", "goals": "many"}
    assert corpus.taxonomy.readme is not None
    assert corpus.taxonomy.readme.group_by == "method"
    assert (corpus.taxonomy.maps, corpus.taxonomy.readme.gaps) == ((), ())  # no word of a list need be wanting
    assert "remark: 7 different values at 7 works" in said
    assert "score: numbers, dates or addresses" in said
    paper = next(paper for paper in corpus.papers if paper.title == "Pressing")
    assert paper.extra == {"score": "1", "remark": "first"}


def test_a_term_keeps_its_spelling_and_no_two_words_are_mixed_up(run, tmp_path, table):
    corpus, _ = founded(run, tmp_path / "new", "--input", table)
    assert sorted(labels(corpus, "method")) == ["C", "C#", "C++"]
    axis = corpus.taxonomy.by_id["method"]
    given = {paper.title: axis.by_id[tag.term].label for paper in corpus.papers for tag in paper.tags_on("method")}
    assert given == {
        "Pressing": "C++",
        "Dripping": "C#",
        "Steeping": "C++",
        "Cooling": "C",
        "Salting": "C#",
        "Resting": "C++",
    }


def test_what_a_list_does_not_say_is_not_coded_and_what_it_denies_is(run, tmp_path, table):
    corpus, said = founded(run, tmp_path / "new", "--input", table)
    waiting = {paper.title: paper.not_coded for paper in corpus.papers if paper.not_coded}
    assert waiting == {"Boiling": ("method",)}
    assert not next(paper for paper in corpus.papers if paper.title == "Salting").tags_on("goals")
    assert "without a definition" in said


def test_axes_can_be_named(run, tmp_path, table):
    corpus, _ = founded(run, tmp_path / "one", "--input", table, "--axis", "remark")
    assert list(corpus.taxonomy.by_id) == ["remark"]
    corpus, _ = founded(run, tmp_path / "field", "--input", table, "--axis", "title", "--axis", "goals")
    assert set(corpus.taxonomy.by_id) == {"paper_title", "goals"}
    corpus, said = founded(run, tmp_path / "none", "--input", table, "--axis", "none")
    assert "No part of the list became an axis" in said
    assert {paper.not_coded for paper in corpus.papers} == {tuple(corpus.taxonomy.by_id)}
    assert "did you mean 'goals'" in run("init", tmp_path / "x", "--input", table, "--axis", "gaols", code=2).err
    assert not (tmp_path / "x").exists()


def test_a_preset_whose_axes_are_not_taken_is_told(run, tmp_path, table):
    words = ("--input", table, "--preset", "gap-map")
    done = run("init", tmp_path / "new", *words)
    assert "preset 'gap-map' only provides stages, reasons, confidences and grades" in done.err
    done = run("init", tmp_path / "other", *words, "--axis", "none")
    assert "preset '" not in done.err
    axes = load_corpus(WorkingTree(tmp_path / "other")).taxonomy.by_id
    assert {"intervention", "outcome"} <= set(axes)


def test_a_vocabulary_that_the_list_brings_is_not_asked_for(run, tmp_path, table, terminal):  # noqa: F811
    # Title, question, licence, authors, repository and tool are.
    terminal.send_text("Tea and coffee" + ENTER * 6)
    run("init", tmp_path / "new", "--input", table)
    assert load_corpus(WorkingTree(tmp_path / "new")).taxonomy.survey.title == "Tea and coffee"


def test_what_is_no_paper_is_counted_by_reason_and_named_in_a_file(run, tmp_path):
    links = [f"- [Grinder {n}](https://github.com/example/grinder{n})" for n in range(20)]
    (tmp_path / "list.md").write_text("\n".join([PAGE, *links, "- [A film](https://www.youtube.com/watch?v=x)"]))
    report = tmp_path / "outcome.json"
    _, said = founded(run, tmp_path / "new", "--input", tmp_path / "list.md", "--report", report)
    assert (
        "Left out (21); --entries all adds 21 of them: links to code or a model, not to a paper (20); links to a video, not to a paper (1)"
        in said
    )
    assert said.count("Grinder") == 3
    assert "and 18 more: '--report FILE' writes all of them" in said
    assert len(json.loads(report.read_text())["data"]["left_out"]) == 21


def test_terms_are_counted_in_one_way(run, tmp_path):
    (tmp_path / "list.md").write_text(PAGE)
    _, said = founded(run, tmp_path / "new", "--input", tmp_path / "list.md")
    assert "headings      3" in said
    assert "3 terms without a definition" in said


def test_words_for_a_list_need_one(run, tmp_path):
    for words in (("--axis", "method"), ("--column", "Work=title"), ("--from", "list.md")):
        assert "name the list: --input FILE" in run("init", tmp_path / "new", *words, code=2).err
    assert not (tmp_path / "new").exists()


def test_a_list_gives_its_title_without_badges(run, tmp_path):
    page = PAGE.replace("# Brews", "# Awesome Brews [![Awesome](https://awesome.re/badge.svg)](https://awesome.re)")
    (tmp_path / "list.md").write_text(page)
    corpus, _ = founded(run, tmp_path / "new", "--input", tmp_path / "list.md")
    assert corpus.taxonomy.survey.title == "Awesome Brews"
    assert "\n# Awesome Brews [" in (tmp_path / "new" / "README.md").read_text()
    corpus, _ = founded(run, tmp_path / "other", "--input", tmp_path / "list.md", "--title", "Brews")
    assert corpus.taxonomy.survey.title == "Brews"


def test_a_list_of_tools_names_the_option_that_makes_a_survey_of_it(run, tmp_path):
    page = DATA / "markdown" / "gaussian-splatting.md"
    done = run("init", tmp_path / "new", "--input", page, code=4)
    assert done.err == (
        "error: found no work; no survey was created: gaussian-splatting.md: contains no papers; 102 entries link to"
        " other resources: add --entries all\n"
    )
    corpus, out = founded(run, tmp_path / "new", "--input", page, "--entries", "all")
    assert (len(corpus.papers), corpus.taxonomy.survey.title) == (102, "Awesome 3D Gaussian Splatting")
    assert "Left out (5):" in out
    assert (
        "--entries has no choice 'tools'"
        in run("import", page, "--entries", "tools", root=tmp_path / "new", code=2).err
    )


def test_headings_become_terms_and_the_page_names_the_survey(run, tmp_path):
    (tmp_path / "list.md").write_text(PAGE)
    corpus, _ = founded(run, tmp_path / "new", "--input", tmp_path / "list.md")
    assert corpus.taxonomy.survey.title == "Brews"
    page = (tmp_path / "new" / "README.md").read_text()
    assert re.findall("^#+ (?:Hot|Press|Cold|Papers)$", page, re.MULTILINE) == ["## Hot", "### Press", "## Cold"]
    assert "- [Hot](#hot)\n  - [Press](#press)\n- [Cold](#cold)\n" in page
    assert re.search(r"^\| Hot +\| +1 \|\n\| \N{EN DASH} Press +\| +1 \|$", page, re.MULTILINE)
    assert [(term.label, term.parent) for term in corpus.taxonomy.by_id["topic"].terms] == [
        ("Hot", None), ("Press", "hot"), ("Cold", None),
    ]  # fmt: skip
    assert {paper.title: [tag.term for tag in paper.tags_on("topic")] for paper in corpus.papers} == {
        "Pressing": ["press", "cold"], "Cooling": ["cold"],
    }  # fmt: skip


def test_a_real_list_with_a_broken_entry_and_its_site(run, tmp_path):
    corpus, said = founded(run, tmp_path / "new", "--input", SPLATS, "--site", code=4)
    assert len(corpus.papers) == 44
    assert list(corpus.taxonomy.by_id) == ["tags"]
    assert "guo2024motionaware: the entry has no title" in said
    assert (tmp_path / "new" / "_site" / "index.html").is_file()


def test_an_identifier_of_two_works_is_left_to_one_and_named(run, tmp_path):
    table = tmp_path / "list.csv"
    table.write_text("title,authors,year,arxiv\nPressing coffee,Bean,2020,2001.00001\nA walk,Hill,2020,2001.00001\n")
    corpus, said = founded(run, tmp_path / "new", "--input", table)
    found = [(paper.identifiers.arxiv, paper.extra.get("arxiv")) for paper in corpus.papers]
    assert sorted(found, key=str) == [("2001.00001", None), (None, "2001.00001")]
    assert "both have arxiv 2001.00001; one of the two is wrong" in said


def test_a_folder_and_a_work_that_it_has_twice(run, tmp_path):
    corpus, said = founded(run, tmp_path / "new", "--input", INPUTS / "cases")
    assert "Known already" in said
    twice, _ = founded(run, tmp_path / "twice", "--input", INPUTS / "cases", "--on-duplicate", "add")
    assert len(twice.papers) > len(corpus.papers)


def test_several_files(run, tmp_path, table):
    other = tmp_path / "other.bib"
    other.write_text("@article{x, title={Grinding}, author={Mill, Mo}, year={2020}, doi={10.5555/x}}")
    corpus, _ = founded(run, tmp_path / "new", "--input", table, "--input", other)
    assert len(corpus.papers) == 8
    assert next(paper for paper in corpus.papers if paper.title == "Grinding").not_coded == ("method", "goals")


def test_trying_writes_nothing(run, tmp_path, table):
    said = run("init", tmp_path / "new", "--input", table, "--dry-run").out
    assert "would add 7 papers" in said
    assert "+++ b/corpus/" in run("init", tmp_path / "new", "--input", table, "--diff").out
    assert not (tmp_path / "new").exists()


def test_no_survey_is_made_of_nothing(run, tmp_path):
    (tmp_path / "empty.csv").write_text("title,year\n")
    (tmp_path / "words.txt").write_text("Some words.\n")
    for name in ("empty.csv", "words.txt"):
        said = run("init", tmp_path / "new", "--input", tmp_path / name, code=4).err
        assert "found no work; no survey was created" in said
        assert name in said
    assert "with --from (" in said
    assert not (tmp_path / "new").exists()


def test_records_of_a_survey_keep_their_taxonomy(run, tmp_path, root):
    said = run("init", tmp_path / "new", "--input", root / "corpus", code=1).err
    assert "copy the survey's taxonomy.yaml" in said
    assert (
        "--input cannot be combined with --example"
        in run("init", tmp_path / "new", "--example", "--input", root / "corpus", code=2).err
    )


def test_what_a_list_has_screened_out_without_a_code(run, tmp_path):
    table = tmp_path / "list.csv"
    table.write_text("title,authors,year,decision,reason\nOne,Bean,2020,include,\nTwo,Li,2020,exclude,not coffee\n")
    for name, words in (("new", ()), ("named", ("--axis", "title"))):
        corpus, _ = founded(run, tmp_path / name, "--input", table, "--site", *words)
        assert [(one.screening.reason, one.note) for one in corpus.exclusions] == [("unspecified", "not coffee")]
        run("flow", root=tmp_path / name)


def test_names_in_any_script_give_axes_and_terms_with_ids(run, tmp_path):
    table = tmp_path / "list.csv"
    rows = "".join(f"Work {n},Bean,2020,{'方法' if n % 2 else '评测'},{'一' if n % 3 else '二'}\n" for n in range(9))
    table.write_text(f"title,authors,year,类别,语言\n{rows}", encoding="utf-8")
    corpus, _ = founded(run, tmp_path / "new", "--input", table)
    assert [axis.label for axis in corpus.taxonomy.axes] == ["类别", "语言"]
    assert sorted(labels(corpus, corpus.taxonomy.axes[0].id)) == ["方法", "评测"]


def test_words_that_are_markup_stay_words(run, tmp_path):
    table = tmp_path / "list.csv"
    words = ("a_b <c>", "x\u202ey")
    rows = "".join(f"Work {n},Bean,2020,{words[n % 2]}\n" for n in range(6))
    table.write_text(f"title,authors,year,kind of\n{rows}", encoding="utf-8")
    corpus, _ = founded(run, tmp_path / "new", "--input", table)
    assert sorted(labels(corpus, "kind_of")) == ["a_b <c>", "xy"]
    assert "- [a\\_b \\<c\\>](#a\\_b-c)\n" in (tmp_path / "new" / "README.md").read_text()


def test_what_a_list_lacks_leads_to_the_services(run, tmp_path, table):
    assert "refresh" not in run("init", tmp_path / "whole", "--input", table).err
    table.write_text(TABLE.replace('"Bean, Ada"', ""))
    assert "\n  awesome refresh --apply" in run("init", tmp_path / "new", "--input", table).err
