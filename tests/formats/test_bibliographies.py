"""BibTeX and biber read the bibliography of a survey without warnings."""

import re
import subprocess
from pathlib import Path

import bibtexparser
import pytest
from builders import DATA, make_corpus, make_paper
from needs import program

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import bibtex
from awesome_cli.formats.exporting import export
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

JOURNAL = {"type": "article", "container": "J. of Tea"}
ODD = make_corpus(
    make_paper("online", year=2020, affiliation="Tea & Co", citation={"type": "online", "container": "A 100% blog"}),
    make_paper("bare", year=2020, citation={"type": "article"}, venue=None, extra={"pages": "1--2", "series": "S"}),
    make_paper("nobody", year=2020, authors=[], citation={**JOURNAL, "volume": "3"}, extra={"howpublished": "Printed"}),
    make_paper("editor", year=2020, authors=["Roe, R."], citation=JOURNAL, extra={"editor": "Roe, R."}),
    make_paper("named", year=2020, authors=["World Bank"], citation={"type": "Working paper", "publisher": "Bank"}),
    make_paper("draft", year=2020, citation={"type": "unpublished", "container": "arXiv"}, extra={"booktitle": "B"}),
    make_paper("thesis", year=2020, citation={"type": "thesis", "container": "U of Tea"}, extra={"verba": "x = {y}"}),
    make_paper("span", year=1998, citation=JOURNAL, extra={"year": "1998-2001", "myfield": "x", "key": "K"}),
    make_paper("book", year=2020, citation={"type": "book", "container": "Teas", "month": "mar"}),
    make_paper("undated", authors=[], extra={"year": "n.d."}),
)
"""Records that lack what their type requires, or have what programs do not accept."""
SURVEYS = ["shipped", "coffee", "bread", "odd"]
IN_ALL = "title year month note doi eprint archiveprefix url keywords annotation abstract key verba author"
ACCEPTED = {
    "article": f"{IN_ALL} journal editor number pages series volume",
    "inproceedings": f"{IN_ALL} booktitle eventtitle editor isbn number pages publisher series volume",
    "misc": f"{IN_ALL} howpublished editor",
}
"""The types and fields of these surveys that the biblatex manual (2.1, 2.2) has for them; BibTeX has the types, too."""
REQUIRED = {
    "article": {"author", "title", "journal"},
    "inproceedings": {"author", "title", "booktitle"},
    "misc": {"title"},
}


@pytest.fixture
def survey(request: pytest.FixtureRequest, shipped: Corpus) -> Corpus:
    loaded = {"shipped": shipped, "odd": ODD}
    return loaded.get(request.param) or load_corpus(WorkingTree(DATA / request.param))


@pytest.mark.parametrize("survey", SURVEYS, indirect=True)
def test_an_entry_has_only_accepted_and_all_required_fields(survey: Corpus):
    for entry, paper in zip(bibtexparser.parse_string(export("bibtex", survey)).entries, survey.papers, strict=True):
        fields = entry.fields_dict
        assert not fields.keys() - {*ACCEPTED[entry.entry_type].split()}, entry.key
        assert fields.keys() >= REQUIRED[entry.entry_type] | ({"year"} if paper.year else set()), entry.key
        assert fields.keys() & {"author", "key"}, entry.key
        assert "year" not in fields or str(fields["year"].value).isdecimal(), entry.key


def test_what_programs_do_not_accept_comes_back():
    for draft, paper in zip(bibtex.read(export("bibtex", ODD), "x.bib").drafts, ODD.papers, strict=True):
        assert draft.warnings == (("year 'n.d.' is not valid and is kept under extra.year",) if not paper.year else ())
        kept = {name.removeprefix("extra.") for name in bibtex.EXPORT.keeps_too(paper)}
        assert draft.fields.get("extra", {}) == {name: paper.extra[name] for name in kept}
        assert draft.fields.get("affiliation") == paper.affiliation
        assert draft.fields.get("authors", ()) == paper.authors
        assert draft.fields.get("year") == paper.year
        for name, value in (paper.citation.model_dump(exclude_none=True) if paper.citation else {}).items():
            assert draft.fields["citation"][name] == value, paper.key


def warnings(bibliography: Path) -> set[str]:
    """What both programs say of a bibliography, with several styles."""
    biber, processor = program("biber", "biber"), program("texlive-latex-base", "bibtex")
    folder = bibliography.parent
    tool = [biber, "--tool", "--validate-datamodel", "--output-file=out.bib", bibliography.name]
    said = [subprocess.run(tool, cwd=folder, capture_output=True, text=True, check=True, timeout=300).stdout]
    for style in ("plain", "alpha", "unsrt", "abbrv", "plainnat"):
        (folder / "x.aux").write_text(f"\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{{bibliography.stem}}}\n")
        run = [processor, "x"]
        said.append(subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True, timeout=300).stdout)
    return {line for text in said for line in text.splitlines() if re.match("warn|error", line, re.IGNORECASE)}


@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS, indirect=True)
def test_biber_and_bibtex_do_not_warn(survey: Corpus, tmp_path: Path):
    """A work without a year is the exception: another date would be false, and without one both print "n.d."."""
    path = tmp_path / "papers.bib"
    path.write_text(export("bibtex", survey), encoding="utf-8")
    undated = [paper.key for paper in survey.papers if not paper.year]
    missing = "WARN - Datamodel: Entry '{}' (papers.bib): Missing mandatory field - one of 'date, year' must be defined"
    assert warnings(path) == {
        text for key in undated for text in (missing.format(key), f"Warning--empty year in {key}")
    }
