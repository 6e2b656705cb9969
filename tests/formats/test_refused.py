"""What is not read is refused by its name, with the way round."""

import gzip
import io
import zipfile

import pytest
from builders import COFFEE

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.survey.loading import read_taxonomy

TAXONOMY = read_taxonomy(WorkingTree(COFFEE))[0]
BLOCK = "# Papers\n\nCite us:\n\n```bibtex\n@misc{a, title={On Bread}, year={2020}}\n```\n"


def zipped(name: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, "x")
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.xml", b"<?xml version='1.0'?><xml><records><record/></records></xml>", "EndNote XML is not read; export"),
        ("x.xml", b"<xml>\n<records>", "EndNote XML"),
        ("x.rdf", b"<rdf:RDF xmlns='a'>", "RDF is not read"),
        ("x.xml", b"<?xml version='1.0'?>\n<PubmedArticleSet>", "PubMed XML is not read; save it in the format"),
        ("x.xml", b"<other/>", "XML is not read"),
        ("x.html", b"<!doctype html><html>", "HTML is not read"),
        ("x.txt", b"%0 Journal Article\n%T On Bread\n", "EndNote's tagged text (.enw) is not read; export"),
        ("x.enw", b"%T On Bread\n", "EndNote's tagged text (.enw)"),
        ("x.txt", b"FN Clarivate Analytics\nVR 1.0\nPT J\nAU Bean", "Web of Science's tagged text"),
        ("x.xlsx", zipped("xl/workbook.xml"), "an Excel sheet is not read; save the sheet as CSV"),
        ("x.csv", zipped("xl/workbook.xml"), "an Excel sheet is not read"),
        ("x.ods", zipped("content.xml"), "a zip archive is not read; unpack"),
        ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel or Word file"),
        ("x.bib", gzip.compress(b"@misc{a}", mtime=0), "a gzip archive"),
        ("x.pdf", b"%PDF-1.7\n", "a PDF is not read; add the work by its DOI"),
        ("README.md", BLOCK.encode(), "Markdown is not read; import the data behind it"),
        ("<stdin>", BLOCK.encode(), "Markdown is not read"),
        ("x.bib", BLOCK.encode(), "Markdown is not read"),
        ("x.txt", b"Bean, A. (2020). On Bread. Journal of Bread, 3(1), 1-9.\n", "not recognised"),
        ("x.txt", b"References:\n- Bean, A. On Bread.\n", "A list of references in plain text is not read"),
    ],
)
def test_what_is_not_read_is_named(name, data, message):
    batch = read([InputFile(name, data)], ReadingOptions(TAXONOMY))
    assert batch.drafts == ()
    assert message in batch.failures[0].message


@pytest.mark.parametrize("name", ["README.md", "<stdin>"])
def test_a_block_in_markdown_is_not_read_by_a_named_format_either(name):
    batch = read([InputFile(name, BLOCK.encode())], ReadingOptions(TAXONOMY, form="bibtex"))
    assert batch.drafts == ()
    assert "Markdown is not read" in batch.failures[0].message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.txt", "@misc{a, title={On Bread}}"),
        ("x.csv", "@misc{a, title={On Bread}}"),
        ("x.bib", "TY  - JOUR\nTI  - On Bread\nER  - \n"),
        ("x.yaml", '[{"title": "On Bread"}]'),
        ("x.json", "- title: On Bread\n"),
        ("<stdin>", "# Papers\n- title: On Bread\n"),
        ("<stdin>", "title\tyear\nOn Bread\t2020\n"),
        ("x.bib", "@misc{a, title={On Bread}, abstract={See\n- [this](https://example.org)}}"),
        ("x.bib", "% mine\n@misc{a, title={On Bread}, abstract={See\n```\n}}"),
        ("x.yaml", "- title: On Bread\n  note: |\n    - [this](https://example.org)\n"),
        ("x.csv", 'title,note\nOn Bread,"one\n```\ntwo"\n'),
    ],
)
def test_a_text_that_is_plainly_of_another_format_is_read_as_that(name, text):
    assert [draft.title for draft in read([InputFile(name, text.encode())], ReadingOptions(TAXONOMY)).drafts] == [
        "On Bread"
    ]
