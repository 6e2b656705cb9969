"""PubMed's format."""

import json
import re

from builders import DATA

from awesome_cli.formats import detect, nbib

PATH = DATA / "inputs" / "nbib" / "two.nbib"
TEXT = PATH.read_text(encoding="utf-8")


def test_records():
    batch = nbib.read(TEXT, "two.nbib")
    index, helix = batch.drafts
    assert (index.key, index.place) == ("15451956", "two.nbib:2")
    assert index.title == "An index to quantify an individual's scientific research output"
    assert (index.fields["authors"], index.fields["year"]) == (("Hirsch, J E",), 2005)
    assert index.fields["identifiers"] == {"doi": "10.1073/pnas.0507655102", "other": "PMID:15451956"}
    assert index.fields["citation"] == {
        "type": "article",
        "container": "Proceedings of the National Academy of Sciences of the United States of America",
        "volume": "102",
        "number": "46",
        "pages": "16569-16572",
        "month": "nov",
    }
    assert index.keywords == ("*Bibliometrics", "Research/*statistics & numerical data")
    assert index.fields["affiliation"].endswith("La Jolla, CA 92093-0319, USA.")
    assert index.fields["extra"]["abstract"].endswith(
        "cited h times or more often, and is proposed as a measure of what a researcher has done."
    )
    assert index.fields["extra"]["AID"] == "0507655102 [pii]"
    assert index.fields["extra"]["DP"] == "2005 Nov 15"
    assert helix.fields["authors"] == ("WATSON, JD", "CRICK, FH")
    assert (helix.fields["citation"]["pages"], helix.fields["citation"]["month"]) == ("737-738", "apr")
    assert (helix.fields["identifiers"]["doi"], helix.keywords) == ("10.1038/171737a0", ("DNA", "structure"))
    assert "DP" not in helix.fields["extra"]
    assert [(f.place, f.message) for f in batch.failures] == [("two.nbib:45", "the record has no title")]


def test_every_word_is_found_again():
    batch = nbib.read(TEXT.rpartition("PMID")[0], "x")
    told = json.dumps([[dict(draft.fields), draft.keywords] for draft in batch.drafts], ensure_ascii=False)
    lost = set(re.findall(r"\w+", re.sub(r"(?m)^[A-Z]+ *-", "", TEXT).casefold()))
    lost -= set(re.findall(r"\w+", told.casefold())) | {
        "1",
        "72",
        "8",
        "je",
    }  # ends of pages are written in full, initials stand in the full name
    assert lost == set()


def test_it_is_told_by_its_ending_and_by_its_content():
    assert detect("x.nbib", TEXT) == detect("<stdin>", TEXT) == "nbib"


def test_groups_stand_among_the_authors_and_editors_stand_in_for_them():
    batch = nbib.read("PMID- 2\nTI  - A.\nFAU - Doe, Jane\nAU  - Doe J\nCN  - A Group\nFAU - Roe, R\n\nPMID- 3\n"
                      "BTI - A Book...\nFED - Poe, Ed\nED  - Poe E\nPB  - Mill\nISBN- 978-3-16-148410-0\nDP  - 2009 May-Jun", "x")  # fmt: skip
    paper, book = batch.drafts
    assert (paper.title, paper.fields["authors"]) == ("A", ("Doe, Jane", "A Group", "Roe, R"))
    assert (book.title, book.fields["authors"], book.fields["extra"]["editor"]) == (
        "A Book...",
        ("Poe, Ed",),
        "Poe, Ed",
    )
    assert book.fields["identifiers"]["isbn"] == "978-3-16-148410-0"
    assert book.fields["citation"] == {"type": "book", "publisher": "Mill", "month": "May-Jun"}


def test_a_type_is_only_what_the_record_says():
    def type_of(lines: str) -> str | None:
        (draft,) = nbib.read(f"PMID- 1\n{lines}\n", "x.nbib").drafts
        return draft.fields.get("citation", {}).get("type")

    assert type_of("TI  - [Bread].\nPT  - Published Erratum") is None
    assert type_of("BTI - Bread") == "book"
    assert type_of("TI  - Crust\nBTI - Bread") == "incollection"
