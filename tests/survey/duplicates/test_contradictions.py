"""What tells works apart that look alike: each case was seen in a real file."""

import pytest

from awesome_cli.survey.duplicates import Index, compare, sketched
from awesome_cli.survey.duplicates.contradictions import notice

ARTICLE = {"title": "On Bread and Crumbs", "authors": ["Bean, Ada"], "year": 2001}


def match(one, other, common=ARTICLE):
    return compare(sketched("a", {**common, **one}), sketched("b", {**common, **other}))


@pytest.mark.parametrize(
    ("one", "other", "because"),
    [
        ({"identifiers": {"doi": "10.1000/a"}}, {"identifiers": {"doi": "10.1000/b"}}, "doi 10.1000/a and doi 10.1000/b"),
        ({"identifiers": {"arxiv": "2001.00001"}}, {"identifiers": {"arxiv": "2001.00002"}}, "arxiv 2001.00001"),
        ({"title": "On Bread (I)"}, {"title": "On Bread (II)"}, "numbers in the titles differ: i, ii"),
        ({"title": "On Bread, Part A"}, {"title": "On Bread, Part B"}, "numbers in the titles differ: a, b"),
        ({"title": "On Bread. Volume 1, part 2"}, {"title": "On Bread. Volume 3"}, "numbers in the titles differ: 1 2, 3"),
        ({"title": "Annual Report 2001"}, {"title": "Annual Report 2002"}, "numbers in the titles differ: 2001, 2002"),
        ({"title": "Annual Report 2001", "year": None}, {"title": "Annual Report 2002", "year": None},
         "numbers in the titles differ: 2001, 2002"),
        ({}, {"title": "Erratum: On Bread and Crumbs"}, "one is about the other: erratum"),
        ({}, {"title": "On Bread and Crumbs (Corrigendum)"}, "one is about the other: corrigendum"),
        ({}, {"title": "Comment on “On Bread and Crumbs”", "authors": ["Roe, Ed"]}, "one is about the other: comment"),
        ({}, {"title": "Reply to: On Bread and Crumbs"}, "one is about the other: reply"),
        ({"title": "Worksheet of sounds for Agutaynon"}, {"title": "Worksheet of sounds for Aklanon"}, "same pattern, for"),
        ({"citation": {"type": "book"}, "title": "Irish English"},
         {"citation": {"type": "incollection"}, "title": "Irish English: phonology"}, "one is a book"),
        ({"extra": {"edition": "2nd"}}, {"extra": {"edition": "3"}}, "editions differ: 2, 3"),
        ({"citation": {"pages": "1--9"}}, {"citation": {"pages": "10--19"}}, "pages differ"),
        ({"citation": {"volume": "1"}}, {"citation": {"volume": "2"}}, "volumes differ: 1, 2"),
        ({"citation": {"type": "book"}}, {"citation": {"type": "book"}, "year": 2003}, "books of 2001 and 2003"),
        ({"title": "Editorial"}, {"title": "Editorial", "year": 2002}, "a recurring title"),
    ],
)  # fmt: skip
def test_a_contradiction_makes_two_works(one, other, because):
    found = match(one, other)
    assert (found.kind, found.certain) == ("near", False)
    assert any(because in reason for reason in found.because)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ({"identifiers": {"arxiv": "2001.00001"}}, {"identifiers": {"doi": "10.48550/arXiv.2001.00001"}}, "same"),
        ({"identifiers": {"arxiv": "2001.00001"}}, {"identifiers": {"doi": "10.1000/a"}}, "same"),
        ({"identifiers": {"doi": "10.5281/zenodo.1"}}, {"identifiers": {"doi": "10.5281/zenodo.2"}}, "same"),
        ({"identifiers": {"doi": "10.1101/2020.01"}}, {"identifiers": {"doi": "10.1000/a"}}, "same"),
        ({}, {"title": "RETRACTED: On Bread and Crumbs"}, "same"),
        ({"citation": {"pages": "1539"}}, {"citation": {"pages": "1539--1540"}}, "same"),
        ({"citation": {"pages": "123-8"}}, {"citation": {"pages": "123--128"}}, "same"),
        ({"citation": {"pages": "10-19"}}, {"citation": {"pages": "1-10"}}, "same"),
        ({"citation": {"pages": "1-10"}}, {"citation": {"pages": "10-19"}}, "same"),
        ({"venue": "arXiv"}, {"venue": "ICLR"}, "version"),
        ({}, {"year": 2002}, "version"),
    ],
)
def test_what_is_no_contradiction(one, other, kind):
    assert match(one, other).kind == kind


def test_one_isbn_names_the_book_and_not_its_chapters():
    book = {"identifiers": {"isbn": "978-3-16-148410-0"}}
    wine = {**book, "title": "A chapter on wine", "citation": {"type": "inbook"}}
    assert match(wine, {**book, "title": "Cheese, a second chapter", "citation": {"type": "inbook"}}).because[-1] == (
        "other titles: two works in one book"
    )
    assert match({**wine, "citation": {"pages": "1-9"}}, {**wine, "citation": {"pages": "12-20"}}).kind == "near"
    assert match(book, {**book, "title": "On Bread & Crumbs"}).kind == "same"
    other = {**book, "title": "Steam Engines", "authors": ["Roe, Rick"]}
    assert match({**book, "citation": {"type": "book"}}, {**other, "citation": {"type": "book"}}).kind == "wrong_link"


def test_one_identifier_for_two_parts_is_wrong():
    doi = {"identifiers": {"doi": "10.1000/a"}}
    assert match({**doi, "title": "On Bread (I)"}, {**doi, "title": "On Bread (II)"}).kind == "wrong_link"
    assert match(doi, {**doi, "title": "Erratum: On Bread and Crumbs"}).kind == "wrong_link"


def test_what_is_certain():
    doi = {"identifiers": {"doi": "10.1000/a"}}
    same = match(doi, {**doi, "title": "Bread and Crumbs", "year": None})
    assert (same.score, same.certain) == (1, True)
    assert match({}, {"title": "on bread and crumbs.", "authors": ["Bean, A."]}).certain
    for doubt in ({"year": None}, {"year": 2002}, {"authors": []}, {"authors": ["Been, Ada"]}, {"title": "On Bread"}):
        found = match({}, doubt)
        assert found is None or not found.certain
    both = {**doi, "identifiers": {"doi": "10.1000/a", "acl": "P01-1001"}}
    other = match(both, {"identifiers": {"doi": "10.1000/a", "acl": "P01-1002"}})
    assert (other.kind, other.certain) == ("version", False)


@pytest.mark.parametrize(
    ("one", "other", "because"),
    [
        ({"extra": {"file": "a.pdf"}}, {"extra": {"file": "b.pdf"}}, "file differs: a pdf, b pdf"),
        ({"extra": {"subtitle": "Rye"}}, {"extra": {"subtitle": "Wheat"}}, "subtitle differs"),
        ({"citation": {"type": "techreport", "number": "TR-1"}}, {"citation": {"number": "TR-2"}}, "number differs"),
        ({"citation": {"month": "jan"}}, {"citation": {"month": "jul"}}, "month differs"),
        ({"citation": {"volume": "1"}}, {"extra": {"part": "2"}}, "volume differs: 1, 2"),
        ({"identifiers": {"other": "pmid 111"}}, {"identifiers": {"other": "pmid 222"}}, "other differs"),
        ({"venue": "Proc. VLDB Endow."}, {"venue": "Proceedings of the VLDB Endowment"}, "venue differs"),
        ({"authors": ["Bean, John"]}, {"authors": ["Bean, Jane"]}, "given names differ: john, jane"),
    ],
)  # fmt: skip
def test_a_value_that_differs_makes_a_doubt(one, other, because):
    found = match(one, other)
    assert (found.kind, found.certain) == ("same", False)
    assert because in found.because[-1]


@pytest.mark.parametrize(
    ("venue", "is_certain"),
    [
        ("Blood. Conference: 57th Annual Meeting", True),
        ("Blood (Supplement)", True),
        ("Blood Cells", False),
        ("Cancer. Conference: 57th Annual Meeting", False),
    ],
)
def test_a_venue_may_be_extended_after_a_sign(venue, is_certain):
    assert match({"venue": "Blood"}, {"venue": venue}).certain == is_certain
    assert match({"venue": venue}, {"venue": "Blood"}).certain == is_certain


def test_remarks_and_initials_make_no_doubt():
    for other in (
        {"authors": ["Bean, A. B."]},
        {"authors": ["Bean, AB"]},
        {"extra": {"abstract": "Wheat", "note": "x"}},
    ):
        assert match({"authors": ["Bean, Ada B."], "extra": {"abstract": "Rye"}}, other).certain


def test_a_year_at_the_end_of_one_title_is_its_year():
    found = match({"title": "Annual Report 2001", "year": None}, {"title": "Annual Report", "year": 2002})
    assert (found.kind, found.because[-1]) == ("version", "published in 2001 and 2002")


def test_near_ones_come_last():
    index = Index()
    index.file(sketched("a", {**ARTICLE, "title": "On Bread and Crumbs 2"}))
    index.file(sketched("b", {**ARTICLE, "title": "On Bread and Crumbz"}))
    found = index.look_up(sketched("c", ARTICLE))
    assert [(match.b, match.kind) for match in found] == [("b", "same"), ("a", "near")]


@pytest.mark.parametrize(
    "title", ["Comments Sought", "Correction of Bias", "A Reply-Based Protocol", "Retracted: Bread"]
)
def test_a_title_with_such_a_word_is_no_notice(title):
    assert notice(sketched("a", {"title": title})) == ""
