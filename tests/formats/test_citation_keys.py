"""A work has one citation key: in BibTeX, RIS, CSL-JSON and CSV, on its page, and in `show`."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest
from builders import DATA, make_corpus, make_exclusion, make_paper

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.records import Candidate
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.survey.loading import load_corpus
from awesome_cli.text.names import OTHERS

SCHEMA = jsonschema_rs.validator_for(json.loads((DATA / "csl" / "csl-data.json").read_text(encoding="utf-8")))
"""The schema of CSL 1.0.2 for CSL-JSON."""
HARD = make_corpus(
    make_paper("alpha", citation={"key": "Beta"}),
    make_paper("beta"),
    make_paper("gamma", citation={"key": "x y,{z}"}, authors=["Bean, Ada", OTHERS]),
    make_paper("delta", citation={"key": "XYZ"}, authors=[OTHERS]),
    make_paper("xyz", citation={"key": "%"}, authors=["World Bank", "et al."]),
)
"""Works that share a citation key, or whose key LaTeX cannot read."""


def in_exports(corpus: Corpus) -> dict[str, list[str]]:
    """The citation keys of each export, in the order of the papers."""
    rows = read([InputFile("papers.csv", export("csv", corpus).encode())], ReadingOptions(corpus.taxonomy)).drafts
    items = json.loads(export("csljson", corpus))
    return {
        "bibtex": re.findall(r"^@\w+\{(.*),$", export("bibtex", corpus), re.MULTILINE),
        "ris": re.findall(r"^ID  - (.*)$", export("ris", corpus), re.MULTILINE),
        "csljson": [item["id"] for item in items],
        "csljson's citation-key": [item["citation-key"] for item in items],
        "csv": [draft.fields["citation"]["key"] for draft in rows],
    }


@pytest.mark.parametrize("name", ["shipped", "coffee", "bread", "hard"])
def test_every_export_has_the_same_unique_keys(name: str, shipped: Corpus):
    loaded = {"shipped": shipped, "hard": HARD}
    corpus = loaded.get(name) or load_corpus(WorkingTree(DATA / name))
    keys = [*citation_keys(corpus.papers).values()]
    assert len({key.casefold() for key in keys}) == len(corpus.papers)
    keys = [citation_keys(corpus.papers)[paper.key] for paper in corpus.papers]
    assert in_exports(corpus) == dict.fromkeys(in_exports(corpus), keys)


def test_citation_keys_do_not_depend_on_order_and_are_fit_for_latex():
    papers = [
        make_paper(key, citation={"key": cited})
        for key, cited in [("b", "x y,{z}"), ("a", "XYZ"), ("c", "%"), ("xyz", "b")]
    ]
    keys = citation_keys(papers)
    assert keys == citation_keys(papers[::-1]) == {"a": "XYZ", "b": "b", "c": "c", "xyz": "xyz-2"}


def test_a_paper_keeps_its_key_beside_candidates_and_exclusions():
    paper = make_paper("zeta", citation={"key": "tea"})
    found = {"on": "2026-01-01", "source": "a list"}
    candidate = Candidate(key="alpha", title="Tea", found=found, proposal="consider", citation={"key": "tea"})
    corpus = replace(make_corpus(paper, make_exclusion("tea")), candidates=(candidate,))
    keys = re.findall(r"^ID  - (.*)$", export("screening", corpus)["screening.ris"], re.MULTILINE)
    assert keys == ["tea", "alpha", "tea-2"]


@pytest.mark.parametrize("corpus", [HARD, "shipped"], ids=["hard", "shipped"])
def test_csl_json_is_valid_and_has_no_person_called_others(corpus: Corpus | str, shipped: Corpus):
    chosen = shipped if isinstance(corpus, str) else corpus
    items = json.loads(export("csljson", chosen))
    assert [error.message for error in SCHEMA.iter_errors(items)] == []
    people = [name for item in items for author in item.get("author", ()) for name in author.values()]
    assert {OTHERS, "et al."}.isdisjoint(people)
    cut = [item["id"] for item in items if item.get("custom", {}).get("awesome", {}).get("et_al")]
    assert len(cut) == sum(bool(paper.authors) and paper.authors[-1] in {OTHERS, "et al."} for paper in chosen.papers)


@pytest.mark.parametrize("corpus", [HARD, "shipped"], ids=["hard", "shipped"])
def test_csl_json_restores_the_keys_and_the_truncated_lists(corpus: Corpus | str, shipped: Corpus):
    chosen = shipped if isinstance(corpus, str) else corpus
    file = InputFile("papers.csl.json", export("csljson", chosen).encode())
    drafts = read([file], ReadingOptions(chosen.taxonomy)).drafts
    for draft, paper in zip(drafts, chosen.papers, strict=True):
        assert draft.key == paper.key
        assert [*draft.fields.get("authors", ())] == [OTHERS if name == "et al." else name for name in paper.authors]
        if paper.citation:
            assert draft.fields["citation"]["key"] == paper.citation.key


def test_show_and_the_page_of_a_paper_have_the_key(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}citation: {{key: Bean 2021}}\n", encoding="utf-8")
    told = run("show", "drip2021", root=root).out
    assert re.search(r"^ *key +drip2021\n *citation key +Bean2021$", told, re.MULTILINE)
    data = run("show", "drip2021", "--format", "json", root=root).json["data"]
    assert (data["paper"]["key"], data["citation_key"]) == ("drip2021", "Bean2021")
    assert run("show", "X1", "--format", "json", root=root).json["data"]["citation_key"] is None
    assert run("site", "build", "--out", str(root / "_site"), root=root).code == 0
    page = html.unescape((root / "_site" / "papers" / "drip2021.html").read_text(encoding="utf-8"))
    assert re.search(r"@\w+\{Bean2021,", page)
    assert '"id": "Bean2021"' in page
