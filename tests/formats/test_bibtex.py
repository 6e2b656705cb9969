"""BibTeX: what the language allows, what people write, and that nothing of it is lost."""

import json
import re
from pathlib import Path

import bibtexparser
import pytest
from bibtexparser.model import Entry
from builders import DATA
from work import calls

from awesome_cli.formats import bibtex
from awesome_cli.formats.bibtex.reading import MOST_TAKEN
from awesome_cli.model.drafts import Draft
from awesome_cli.text.latex import to_unicode

INPUTS = DATA / "inputs"


def drafts(text: str) -> list[Draft]:
    batch = bibtex.read(text, "x.bib")
    assert batch.failures == ()
    return list(batch.drafts)


def values(path: Path) -> list[tuple[str, str, str]]:
    """`(place, field, value)` of each field of a file, as the library alone reads them."""
    blocks = bibtexparser.parse_string(path.read_text(encoding="utf-8")).blocks
    entries = [getattr(block, "ignore_error_block", None) or block for block in blocks]
    return [
        (f"x.bib:{entry.start_line + 1}", field.key, str(field.value))
        for entry in entries
        if isinstance(entry, Entry)
        for field in entry.fields
    ]


@pytest.mark.parametrize("path", sorted(INPUTS.glob("*/*.bib")), ids=lambda path: path.name)
def test_every_word_of_every_field_is_found_again(path):
    read = {draft.place: draft for draft in drafts(path.read_text(encoding="utf-8"))}
    joints = {"and", "mcd", "stoc"}  # between names; names of strings
    for place, field, value in values(path):
        draft = read[place]
        told = json.dumps([dict(draft.fields), draft.keywords], ensure_ascii=False, default=str).casefold()
        lost = set(re.findall(r"\w+", to_unicode(value).casefold())) - set(re.findall(r"\w+", told)) - joints
        assert not lost, f"{place}: {field}"


@pytest.mark.parametrize(
    ("text", "authors", "is_told"),
    [
        ("Doe, Jane and et al.", ("Doe, Jane", "others"), False),
        ("Jane Doe et al.", ("Doe, Jane", "others"), False),
        ("Doe, Jane, et al.", ("Doe, Jane", "others"), False),
        ("Doe, Jane; Roe, Rick", ("Doe, Jane", "Roe, Rick"), True),
        ("Jane Doe, Rick Roe, and Ed Poe", ("Doe, Jane", "Roe, Rick", "Poe, Ed"), True),
        ("Doe, Jane, Roe, Rick", ("Doe, Jane", "Roe, Rick"), True),
        ("Smith, Jr., John and {Acme, Inc.; Bo, Ltd.}", ("Smith, John Jr.", "Acme, Inc.; Bo, Ltd."), False),
    ],
)
def test_no_author_is_made_of_a_list_that_has_other_marks_than_bibtex(text, authors, is_told):
    (draft,) = drafts(f"@misc{{a, title = {{T}}, author = {{{text}}}}}")
    assert draft.fields["authors"] == authors
    assert any("'and' is missing" in warning for warning in draft.warnings) == is_told


def test_a_brace_that_hides_other_fields_is_not_mended():
    batch = bibtex.read("@misc{a, title={Unbalanced { brace}, author={Y, Z}, year=1992}\n@misc{b, title={T}}", "x.bib")
    assert [draft.key for draft in batch.drafts] == ["b"]
    assert [(f.key, f.message) for f in batch.failures] == [("a", "a closing brace or quote is missing")]


def test_an_address_is_no_venue():
    (draft,) = drafts(r"@misc{a, title={T}, howpublished={\url{https://example.org/a\_b}}, url={https://example.org}}")
    assert [entry["url"] for entry in draft.fields["links"]] == ["https://example.org", "https://example.org/a_b"]
    assert {"venue", "extra"}.isdisjoint(draft.fields)


def test_no_entry_is_in_itself():
    a, b, c = drafts("@inbook{a, title=A, crossref=b} @inbook{b, title=B, crossref=a} @inbook{c, title=C, crossref=c}")
    assert [x.fields["citation"].get("container") for x in (a, b, c)] == ["B", None, None]
    assert [x.warnings[-1] for x in (b, c)] == [f"crossref: '{key}' inherits from this entry" for key in "ac"]


def test_strings_are_joined_and_may_stand_behind_their_use():
    text = """@string{proc = "Proceedings of "}
    @inproceedings{a, author = dm # " and " # {Doe, Jane}, title = "Fifteenth " # STOC, booktitle = proc # stoc,
      year = 1983, month = 10 # "~" # jan}
    @string(stoc = "Symposium" # {})
    @string{dm = {McDermott, Drew}}"""
    (draft,) = drafts(text)
    assert draft.fields["title"] == "Fifteenth Symposium"
    assert draft.fields["authors"] == ("McDermott, Drew", "Doe, Jane")
    assert draft.fields["venue"] == "Proceedings of Symposium"
    assert (draft.fields["citation"]["month"], draft.warnings) == ("10 jan", ())


def test_of_a_string_that_is_defined_again_the_value_before_its_use_counts():
    first, second = drafts('@string{j="A"} @misc{a,title=j} @string{J="B"} @misc{b,title=j}')
    assert (first.title, second.title) == ("A", "B")


@pytest.mark.parametrize(
    ("entry", "field", "text", "warning"),
    [
        ("@misc{a, title = {A} year = {2020}, note={n}}", "title", "A", "the field 'year' lacks a comma before it"),
        (
            "@misc{a, title = nothing}",
            "title",
            "nothing",
            "the field 'title' uses 'nothing', which @string does not define",
        ),
        ('@misc{a, title = "A "quoted" word"}', "title", 'A "quoted" word', "text outside its braces or quotes"),
        ("@misc{a, title = {A}, Title = {B}}", "title", "A", "the field 'title' is repeated with different values"),
        ("@misc{a, title = {A},\n % year = {2020}\n}", "title", "A", "the field 'year' is commented out by %"),
        ("@misc{, title = {A}}", "title", "A", "the entry has no key"),
        ("@misc{title = {A}, year=2020}", "title", "A", "the entry was repaired: its key is missing"),
        ("@misc{a, title = {A},, year=2020,, note={n}}", "year", 2020, "the entry was repaired: it has an extra comma"),
        ("@misc{a, title = {A}, year = {2020}\n@", "year", 2020, "the entry was repaired: its last brace is missing"),
        ("@misc{a, title = {A}, crossref={gone}}", "title", "A", "crossref: the file has no entry 'gone'"),
        ("@misc{a, title = {A}, year={n.d.}}", "title", "A", "year 'n.d.' is not valid and is kept under extra.year"),
        ("@misc{a, title = {A}, doi={NA}}", "title", "A", "doi 'NA' is not valid and is kept under extra.doi"),
    ],
)
def test_each_oddity_is_a_warning(entry, field, text, warning):
    draft = bibtex.read(entry, "x.bib").drafts[0]
    assert draft.fields[field] == text
    assert [told for told in draft.warnings if warning in told]


def test_what_belongs_to_no_entry_is_named():
    batch = bibtex.read("@misc{a, title={A}}\n}, year={2020}\n}\n@misc b, title={B}\n% note = {x}\nWords.", "x.bib")
    assert [draft.title for draft in batch.drafts] == ["A"]
    assert [(f.place, f.key) for f in batch.failures] == [("x.bib:4", "a")]
    batch = bibtex.read("@misc{a, title={A}}, year={2020}\n}\n\n@misc{b, title={never closed}", "x.bib")
    assert [f.message for f in batch.failures] == ["outside of any entry: ', year={2020} }'"]
    assert batch.drafts[1].title == "never closed"


def test_an_entry_inside_of_another_is_read_and_so_is_the_outer_one():
    batch = bibtex.read("@misc{a, title={A},\n@misc{b, title={B}}\nyear={2020}\n}", "x.bib")
    assert [draft.title for draft in batch.drafts] == ["A", "B"]
    assert [f.key for f in batch.failures] == ["b"]


def test_comments_preambles_and_round_brackets():
    text = '@comment{jabref-meta: x;} @preamble{"\\newcommand{x}"} @article(a, title="A (B)", year=2020)\n@misc{b,title={C}}'
    first, second = drafts(text)
    assert (first.title, first.fields["year"], second.title) == ("A (B)", 2020, "C")


CROSSREF = """
@inproceedings{Child, title={A child}, author={Doe, Jane}, crossref={PROC}, pages={1--2}}
@inbook{chapter, title={A chapter}, crossref={book}, year={2012}}
@article{paper, title={A paper}, crossref={issue}}
@book{volume, title={A volume}, crossref={mv}}
@inproceedings{own, title={Own}, booktitle={Own book}, xdata={acm, where}, crossref={proc}}
@proceedings{proc, title={The Proceedings}, editor={Roe, R.}, year={2011}, doi={10.1000/p}, url={http://a.org},
  pages={300}, publisher={ACM}, crossref={series}}
@proceedings{series, series={LNCS}, title={Series}}
@book{book, title={The Book}, booktitle={The Book, 2nd ed.}, author={Poe, Ed}, date={2010-05}}
@periodical{issue, title={The Journal}, subtitle={S}, volume={3}}
@mvbook{mv, title={All}, ids={whole}}
@xdata{acm, publisher={ACM Press}, address={Rome}}
@xdata{where, location={Rome}}
"""


def test_fields_of_parents_are_inherited():
    by_key = {draft.key: draft for draft in drafts(CROSSREF)}
    assert not {"acm", "where"} & by_key.keys()
    child = by_key["Child"].fields
    assert (child["venue"], child["year"], child["citation"]["publisher"]) == ("The Proceedings", 2011, "ACM")
    assert child["citation"]["pages"] == "1--2"
    assert child["extra"] == {"crossref": "PROC", "editor": "Roe, R.", "series": "LNCS"}
    assert not {"identifiers", "links"} & child.keys()
    chapter = by_key["chapter"].fields
    assert (chapter["authors"], chapter["venue"], chapter["year"]) == (("Poe, Ed",), "The Book, 2nd ed.", 2012)
    assert (by_key["paper"].fields["venue"], by_key["paper"].fields["citation"]["volume"]) == ("The Journal", "3")
    assert by_key["volume"].fields["extra"] == {"crossref": "mv", "maintitle": "All"}
    own = by_key["own"].fields
    assert (own["venue"], own["citation"]["publisher"]) == ("Own book", "ACM Press")
    assert own["extra"]["location"] == "Rome"
    assert not any(draft.warnings for draft in by_key.values())


def test_a_circle_of_parents_is_named():
    warnings = [draft.warnings for draft in drafts("@book{a,crossref={b}}@book{b,crossref={c}}@book{c,crossref={a}}")]
    assert [told for told in warnings if told] == [("crossref: 'a' inherits from this entry",)]


def test_strings_that_grow_without_end_cost_only_the_entry_that_uses_them():
    text = '@string{s0="x"}\n' + "".join(f"@string{{s{n + 1}=s{n} # s{n}}}\n" for n in range(60))
    batch = bibtex.read(text + "@misc{a,title=s60}\n@misc{b,title=s4,month=jan}", "x.bib")
    assert [(draft.title, draft.fields["citation"]["month"]) for draft in batch.drafts] == [("x" * 16, "jan")]
    (failure,) = batch.failures
    assert (failure.place, failure.key) == ("x.bib:62", "a")
    assert "the string 's60'" in failure.message
    assert "more than 10,000,000 characters; AWESOME_LIMITS=2 allows 20,000,000" in failure.message


@pytest.mark.parametrize("field", ["crossref", "xdata"])
def test_what_entries_take_over_from_others_grows_no_faster_than_the_file(field):
    parent = "@proceedings{p,publisher={" + "word " * 20_000 + "}}"
    read = drafts(parent + "".join(f"@inproceedings{{k{n},title={{A}},{field}={{p}}}}\n" for n in range(300)))
    taken = sum("publisher" in draft.fields["citation"] for draft in read[1:])
    assert 80 < taken <= MOST_TAKEN / 100_000
    assert f"{field}: nothing is inherited from 'p'" in read[-1].warnings[0]


@pytest.mark.parametrize(
    ("people", "authors"),
    [
        ("Wang, Wei and Li, Bo and Wang, Wei", ("Wang, Wei", "Li, Bo", "Wang, Wei")),
        ('{World Bank} and {{\\"O}sterreich AG}', ("World Bank", "Österreich AG")),
        ("{Bakers and Sons} AND Ada Bean", ("Bakers and Sons", "Bean, Ada")),
        ("Ludwig van Beethoven and de la Cruz, Juan", ("van Beethoven, Ludwig", "de la Cruz, Juan")),
        ("King, Jr., Martin Luther", ("King, Martin Luther Jr.",)),
        ("G{\\\"o}del, Kurt and Jos\\'{e} Garc{\\'\\i}a and others", ("Gödel, Kurt", "García, José", "others")),
        ("Donald~E. Knuth", ("Knuth, Donald E.",)),
        ("{Barnes, Noble} Inc, X", ("Barnes, Noble Inc, X",)),
        ("Plato", ("Plato",)),
        ("", ()),
    ],
)
def test_people(people, authors):
    (draft,) = drafts(f"@misc{{a, title={{A}}, author={{{people}}}}}")
    assert draft.fields.get("authors", ()) == authors


def test_biblatex_and_other_dialects():
    (draft,) = drafts(
        "@online{a, title={A}, author={B, C}, author+an={1=student}, journaltitle={J}, date={2009-05-12}, "
        "eprint={2101.01230v2}, eprinttype={arxiv}, doi={10.1000/a\\_b}, url={http://x.org/a\\%20b{\\_}c}, pmid={123},"
        "isbn={978-3-16-148410-0}, abstract={One\n  two.\n\n  Three.}, keywords={a, b; c}, annotation={Short.}}"
    )
    assert draft.fields["identifiers"] == {
        "arxiv": "2101.01230",
        "arxiv_version": 2,
        "doi": "10.1000/a_b",
        "isbn": "978-3-16-148410-0",
        "other": "PMID:123",
    }
    assert (draft.fields["year"], draft.fields["citation"]["month"]) == (2009, "may")
    assert draft.fields["links"] == [{"label": "Paper", "url": "http://x.org/a%20b_c"}]
    assert (draft.fields["summary"], draft.keywords) == ("Short.", ("a, b", "c"))
    extra = {"author+an": "1=student", "date": "2009-05-12", "abstract": "One two.\n\nThree."}
    assert (draft.fields["venue"], draft.fields["extra"], draft.warnings) == ("J", extra, ())


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "@misc{a,title={A},author={" + " and ".join(f"Last{i}, First" for i in range(2 * n)) + "}}",
        lambda n: "@misc{a,title={A}," + ",".join(f"f{i}={{v}}" for i in range(n)) + "}",
        lambda n: "@misc{a,title={A}," + " ".join(f"f{i}={{v}}" for i in range(n)) + "}",
        lambda n: "a(" * 20 * n + "@misc{a,title={A}}",
        lambda n: "@misc{a,title={" + "a(" * 10 * n + "}}",
        lambda n: "@misc{a,title={A}}" + "\n" * 20 * n + "@a(" * n,
        lambda n: "@misc{a,title={A}}" + "@a{" * n,
        lambda n: "@misc{a,title={A}}" + "".join(f"@book{{k{i},crossref=k{i + 1}}}\n" for i in range(n)),
    ],
    ids=["authors", "fields", "commas", "a(", "title", "@a(", "@a{", "chain"],
)
def test_reading_is_linear(text):
    def work(n: int) -> int:
        whole = text(n)

        def act() -> None:
            bibtex.IMPORT.recognises(whole)
            assert bibtex.read(whole, "x.bib").drafts[0].key == "a"

        return calls(act)

    work(10)  # what is loaded and compiled once
    assert work(1_000) <= 12 * work(100)


def test_a_comment_without_a_brace_is_left_out():
    text = "@Comment my notes\n@misc{a, title={A}, pages={40-50}, year={1455}}\n@comment{x, y}\n@COMMENT\n\n@misc{b, title={B}, year={868}}\n"
    batch = bibtex.read(text, "x.bib")
    assert [(draft.title, draft.fields["year"]) for draft in batch.drafts] == [("A", 1455), ("B", 868)]
    assert batch.drafts[0].fields["citation"]["pages"] == "40-50"
    assert [str(entry) for entry in batch.left_out] == [
        "x.bib:1: '@Comment my notes': a comment",
        "x.bib:4: '@COMMENT': a comment",
    ]
    assert batch.failures == ()
    (failure,) = bibtex.read("@Comment x\nyear = {2020},\n@misc{a, title={A}}\n", "x.bib").failures
    assert str(failure) == "x.bib:2: outside of any entry: 'year = {2020},'"
