"""XML of PubMed and EndNote, and EndNote's tagged text."""

import pytest
from builders import DATA
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.formats import enw, nbib, xml
from awesome_cli.model.drafts import Batch, Draft

FOLDER = DATA / "inputs" / "xml"


def load(name: str) -> Batch:
    return xml.read((FOLDER / name).read_text(encoding="utf-8"), name)


def test_pubmed():
    batch = load("pubmed.xml")
    article, translated, chapter = batch.drafts
    assert (article.title, article.key, article.place) == ("Brewing Camellia in H2O", "12345678", "pubmed.xml:4")
    assert article.fields["authors"] == ("Bean, Ada B", "Doe, John Jr", "Tea Study Group")
    assert article.fields["identifiers"] == {"doi": "10.1000/tea.1", "other": "PMID:12345678"}
    assert (article.fields["year"], article.fields["venue"]) == (2008, "Journal of tea")
    assert article.fields["citation"] == {
        "type": "article", "container": "Journal of tea", "volume": "4", "number": "2", "pages": "132-142", "month": "feb",
    }  # fmt: skip
    assert article.fields["extra"]["abstract"] == "AIM: To brew. RESULT: It brewed."
    assert (article.fields["affiliation"], article.fields["extra"]["issn"]) == ("Tea House", "1234-5679")
    assert article.keywords == ("water", "Tea/*methods")
    assert (translated.title, translated.fields["authors"]) == ("Vom Tee", ("Rye, B", "others"))
    assert (translated.fields["year"], translated.fields["citation"]["month"]) == (1998, "Nov-Dec")
    assert (chapter.title, chapter.fields["authors"], chapter.fields["venue"]) == (
        "Green tea",
        ("Leaf, Lu",),
        "All Teas",
    )
    assert chapter.fields["citation"] == {"type": "incollection", "container": "All Teas", "publisher": "Tea Press"}
    assert chapter.fields["extra"]["editor"] == "Pot, Ed"
    assert [str(failure) for failure in batch.failures] == ["pubmed.xml:64: the record has no title"]


NBIB = """PMID- 12345678
IS  - 1234-5679
VI  - 4
IP  - 2
DP  - 2008 Feb
TI  - Brewing Camellia in H2O.
PG  - 132-42
LID - 10.1000/tea.1 [doi]
AB  - AIM: To brew. RESULT: It brewed.
CI  - The brewers
FAU - Bean, Ada B
FAU - Doe, John Jr
CN  - Tea Study Group
AD  - Tea House
LA  - eng
GR  - G1
PT  - Journal Article
PL  - England
TA  - J Tea
JT  - Journal of tea
OT  - water
MH  - Tea/*methods
AID - 10.1000/tea.1 [doi]
AID - tea-1 [pii]
"""


def test_both_formats_of_pubmed_give_the_same_record():
    (one,), two = nbib.read(NBIB, "x").drafts, load("pubmed.xml").drafts[0]
    assert (one.fields, one.keywords, one.key) == (two.fields, two.keywords, two.key)


def by_parts(draft: Draft) -> tuple[object, ...]:
    return draft.title, draft.fields["authors"], draft.fields["year"], draft.fields["venue"], draft.fields["citation"]


def test_endnote():
    batch = load("endnote.xml")
    article, chapter = batch.drafts
    citation = {
        "type": "article",
        "container": "Journal of Tea",
        "volume": "4",
        "number": "2",
        "pages": "132-142",
        "month": "feb",
    }
    assert by_parts(article) == (
        "Brewing Camellia",
        ("Bean, Ada B.", "Tea Study Group"),
        2008,
        "Journal of Tea",
        citation,
    )
    assert article.fields["identifiers"] == {"doi": "10.1000/tea.1"}
    assert article.fields["links"] == [{"label": "Paper", "url": "https://example.org/tea"}]
    assert article.keywords == ("water", "leaves")
    assert (article.fields["extra"]["custom9"], article.fields["extra"]["accession_number"]) == ("green", "WOS:1")
    citation = {"type": "incollection", "container": "All Teas", "publisher": "Tea Press"}
    assert by_parts(chapter) == ("Green tea", ("Leaf, Lu",), 2001, "All Teas", citation)
    assert chapter.fields["extra"]["editor"] == "Pot, Ed"
    assert [failure.message for failure in batch.failures] == ["the reference has no title"]


BOMB = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n<xml><records><record>&b;</record></records></xml>'
OUTSIDE = '<!DOCTYPE a [\n<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<PubmedArticleSet>&x;</PubmedArticleSet>'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOMB, "line 2: entities such as &b; are not supported"),
        (OUTSIDE, "line 3: entities such as &x; are not supported"),
        ("<xml>\n<records></xml>", "line 2: Opening and ending tag mismatch"),
        ("<xml>\n" + "<a>" * 300, "line 2: Excessive depth"),
        ("", "line 1: Document is empty"),
    ],
)
def test_harmful_and_broken_xml_is_a_failure_with_its_line(text, why):
    (failure,) = xml.read(text, "x.xml").failures
    assert f"not valid XML: {why}" in failure.message


@given(st.recursive(st.text("ab&<%é \n", max_size=4), lambda inner: st.tuples(st.sampled_from(["title", "author", "style", "record"]), st.lists(inner, max_size=3))))  # fmt: skip
def test_any_record_is_read_or_refused(value):
    def written(part: object) -> str:
        if isinstance(part, str):
            return part.replace("&", "&amp;").replace("<", "&lt;")
        name, inner = part
        return f"<{name}>{''.join(map(written, inner))}</{name}>"

    batch = xml.read(f"<xml><records><record><titles>{written(value)}</titles></record></records></xml>", "x")
    assert all(draft.title for draft in batch.drafts)
    assert batch.drafts or batch.failures


ENW = """%0 Journal Article
%A Bean, Ada B.
%A Tea Study Group,
%T Brewing Camellia
%J Journal of Tea
%V 4
%N 2
%P 132-142
%D 2008
%8 Feb 3
%K water
leaves
%R doi:10.1000/tea.1
%U https://example.org/tea
%X To brew.

It brewed.
%= odd

%0 Book Section
%A Leaf, Lu
%E Pot, Ed
%T Green tea
%B All Teas
%I Tea Press
%D 2001

%0 Book
"""


def test_enw():
    batch = enw.read(ENW, "x.enw")
    article, chapter = batch.drafts
    assert [*map(by_parts, batch.drafts)] == [*map(by_parts, load("endnote.xml").drafts)]
    assert (article.fields["identifiers"], article.keywords) == ({"doi": "10.1000/tea.1"}, ("water", "leaves"))
    assert article.fields["extra"] == {"abstract": "To brew. It brewed.", "date": "Feb 3", "%=": "odd"}
    assert chapter.fields["extra"] == {"editor": "Pot, Ed"}
    assert [str(failure) for failure in batch.failures] == ["x.enw:28: the reference has no title"]


def test_refer_without_types():
    one, two = enw.read("\n%A Ada Bean\n%T On Tea\n%J Tea\n%D 1999\n\n%T On Salt\n%A World Bank,\n%D 868\n", "x").drafts
    assert (one.title, one.fields["authors"], one.fields["venue"], one.place) == (
        "On Tea",
        ("Bean, Ada",),
        "Tea",
        "x:2",
    )
    assert (two.title, two.fields["authors"], two.fields["year"]) == ("On Salt", ("World Bank",), 868)
