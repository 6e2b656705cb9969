"""RIS: the ways in which programs write it, and that nothing of it is lost."""

import json
import re
from pathlib import Path

import pytest
from builders import DATA

from awesome_cli.formats import ris
from awesome_cli.model.drafts import Draft

INPUTS = DATA / "inputs"


def drafts(text: str) -> list[Draft]:
    batch = ris.read(text, "x.ris")
    assert batch.failures == ()
    return list(batch.drafts)


def one(*lines: str, kind: str = "JOUR") -> Draft:
    (draft,) = drafts("\n".join([f"TY  - {kind}", "TI  - On Bread", *lines, "ER  - "]))
    return draft


@pytest.mark.parametrize("path", sorted(INPUTS.glob("*/*.ris")), ids=lambda path: path.name)
def test_every_word_of_every_value_is_found_again(path: Path):
    text = path.read_text(encoding="utf-8")
    batch = ris.read(text, "x.ris")
    told = json.dumps([[dict(draft.fields), draft.keywords] for draft in batch.drafts], ensure_ascii=False, default=str)
    lost = set(re.findall(r"\w+", re.sub(r"(?m)^.. {1,2}-", "", text))) - set(re.findall(r"\w+", told))
    types = {"CHAP", "JOUR"}
    assert batch.failures or lost <= types | {"09"}  # the month has a name in a record


def test_first_authors_and_authors_are_in_the_order_of_the_file():
    draft = one("A1  - Georgiev, Danko", "AU  - Bello, Leon", "A1  - Carmi, Avishy", "AU  - Bello, Leon")
    assert draft.fields["authors"] == ("Georgiev, Danko", "Bello, Leon", "Carmi, Avishy", "Bello, Leon")


@pytest.mark.parametrize(
    "text",
    [
        "TY - JOUR\nTI - On Bread\nAU - Doe, Jane\nPY - 2009\nER - \n",
        "\ufeff\r\nProvider: a database\r\n\r\nTY  - JOUR\r\nTI  - On Bread\r\nAU  - Doe, Jane\r\nPY  - 2009\r\nER  -\r\n",
        "ty  - jour\nti  - On Bread\nau  - Doe, Jane\npy  - 2009\ner  - \n",
        "1.\nTY  - JOUR\nT1  - On\nBread\nA1  - Doe,\n    Jane\nY1  - 2009///\n",
        "TY  - JOUR\nCT  - On Bread\nED  - Doe, Jane\nDA  - 2009\n\nER  - ",
    ],
    ids=["one blank", "header and carriage returns", "lower case", "several lines and no end", "older tags"],
)
def test_ways_of_writing(text):
    (draft,) = drafts(text.replace("\r\n", "\n"))
    fields = draft.fields
    assert (draft.title, fields["authors"], fields["year"]) == ("On Bread", ("Doe, Jane",), 2009)
    assert fields["citation"]["type"] == "article"


def test_a_reference_without_an_end_does_not_take_in_the_next():
    assert [draft.title for draft in drafts("TY  - JOUR\nTI  - A\nTY  - BOOK\nTI  - B\nER  - \n")] == ["A", "B"]


def test_a_line_of_text_is_not_taken_for_a_tag():
    draft = one("AB  - We use", "AI - based tools", "and an - so to say - oven.")
    assert draft.fields["extra"]["abstract"] == "We use AI - based tools and an - so to say - oven."


@pytest.mark.parametrize(
    ("line", "year", "month", "left"),
    [
        ("PY  - 2009", 2009, None, {}),
        ("PY  - 2009/05/12/", 2009, "may", {"year": "2009/05/12/"}),
        ("Y1  - 2009///", 2009, None, {}),
        ("Y1  - 2009/5//", 2009, "may", {"publication_year": "2009/5//"}),
        ("DA  - 2009/05//", 2009, "may", {}),
        ("DA  - 2009-05-12", 2009, "may", {"date": "2009-05-12"}),
        ("DA  - 2009///Spring", 2009, "Spring", {}),
        ("PY  - in press", None, None, {"year": "in press"}),
        ("PY  - 99\nPY  - 2009", 2009, None, {"year": "99"}),
    ],
)
def test_dates(line, year, month, left):
    draft = one(line)
    assert (draft.fields.get("year"), draft.fields["citation"].get("month")) == (year, month)
    assert draft.fields.get("extra", {}) == left
    assert bool(draft.warnings) == (year is None)


@pytest.mark.parametrize(
    ("lines", "pages"),
    [
        (["SP  - 12", "EP  - 15"], "12--15"),
        (["SP  - 12-15"], "12-15"),
        (["SP  - 12\N{EN DASH}15"], "12--15"),
        (["SP  - e123"], "e123"),
        (["SP  - S1-S5"], "S1-S5"),
        (["EP  - 15"], "15"),
    ],
)
def test_pages(lines, pages):
    assert one(*lines).fields["citation"]["pages"] == pages


def test_identifiers_and_addresses():
    draft = one(
        "DO  - https://doi.org/10.1000/x", "N1  - doi:10.1000/x", "SN  - 978-3-16-148410-0", "SN  - 1234-5679",
        "AN  - PMID:123", "AN  - WOS:1", "UR  - http://a.org;http://b.org/x;y", "L1  - http://a.org/x.pdf",
        "L2  - internal-pdf://x.pdf", "LK  - http://a.org",
    )  # fmt: skip
    assert draft.fields["identifiers"] == {"doi": "10.1000/x", "isbn": "978-3-16-148410-0", "other": "PMID:123"}
    links = [("Paper", "http://a.org"), ("Paper", "http://b.org/x;y"), ("PDF", "http://a.org/x.pdf")]
    assert [(link["label"], link["url"]) for link in draft.fields["links"]] == links
    left = {"issn": "1234-5679", "accession_number": "WOS:1", "file_attachments2": "internal-pdf://x.pdf"}
    assert draft.fields["extra"] == left


def test_a_doi_may_stand_in_the_type_of_work_and_none_is_a_warning():
    assert one("M3  - doi: 10.1000/x").fields["identifiers"] == {"doi": "10.1000/x"}
    draft = one("DO  - NA")
    assert (draft.fields["extra"], draft.warnings) == (
        {"doi": "NA"},
        ("doi 'NA' is not valid and is kept under extra.doi",),
    )


def test_where_it_appeared():
    draft = one("T2  - Bread Conf", "BT  - Proc. of Bread", "JA  - PB", "CY  - Rome", "PB  - Mill", kind="CONF")
    citation = {"container": "Proc. of Bread", "publisher": "Mill", "type": "inproceedings"}
    assert (draft.fields["venue"], draft.fields["citation"]) == ("Bread Conf", citation)
    assert draft.fields["extra"] == {"type_of_reference": "CONF", "alternate_title2": "PB", "address": "Rome"}
    (book,) = drafts("TY  - BOOK\nBT  - A Book\nT3  - A Series\nA3  - Doe, J.\nER  - ")
    assert (book.title, book.fields["venue"]) == ("A Book", "A Series")
    assert book.fields["extra"] == {"tertiary_authors": "Doe, J."}


def test_keywords_in_lines_and_in_one_line():
    assert one("KW  - a, b", "c", "KW  - d").keywords == ("a, b", "c", "d")
    assert one("KW  - a; b;c").keywords == ("a", "b", "c")


def test_editors_stand_in_for_authors_and_stay_editors():
    draft = one("A2  - Roe, R.", "ED  - Doe, J.", "A4  - Poe, E.", kind="BOOK")
    assert draft.fields["authors"] == ("Roe, R.", "Doe, J.")
    assert draft.fields["extra"] == {"editor": "Roe, R. and Doe, J.", "subsidiary_authors": "Poe, E."}


def test_unknown_types_and_tags_are_kept():
    draft = one("XX  - odd", "XX  - odder", "U1  - mine", "C1  - custom", kind="HEAR")
    assert draft.fields["citation"] == {"type": "misc"}
    extra = {"type_of_reference": "HEAR", "XX": ["odd", "odder"], "user1": "mine", "custom1": "custom"}
    assert draft.fields["extra"] == extra


def test_a_long_repetitive_file_is_read():
    text = "TY  - JOUR\n" * 20_000 + "TI  - x\nAB  - a\n" + "b\n" * 50_000 + "\n" * 100_000
    text += "".join(f"AU  - Last{n}, First\nKW  - k{n}\n" for n in range(20_000))
    (draft,) = drafts(text)
    assert len(draft.fields["authors"]) == 20_000


def test_a_name_without_a_comma_is_an_organisation_unless_no_name_of_the_file_has_one():
    works = "TY  - RPRT\nTI  - A\nAU  - World Bank Group\nER  - \nTY  - JOUR\nTI  - B\nAU  - {}\nER  - \n"
    assert [draft.fields["authors"] for draft in drafts(works.format("Doe, Jane"))] == [
        ("World Bank Group",),
        ("Doe, Jane",),
    ]
    assert drafts(works.format("Jane Doe"))[1].fields["authors"] == ("Doe, Jane",)


def test_lines_after_a_reference_are_left_out():
    text = (
        "Header\nTY  - JOUR\nTI  - A\nER  - \nUR  - https://example.org/a\n2. \n\nTY  - JOUR\nTI  - B\nER  -\nthe end\n"
    )
    batch = ris.read(text, "x.ris")
    assert ([draft.title for draft in batch.drafts], batch.failures) == (["A", "B"], ())
    assert [str(entry) for entry in batch.left_out] == [
        "x.ris:5: 'UR  - https://example.org/a': outside of any reference",
        "x.ris:11: 'the end': outside of any reference",
    ]
    (failure,) = ris.read(text.replace("TY  - JOUR\nTI  - B", "TI  - B"), "x.ris").failures
    assert "to start with 'TY" in failure.message
