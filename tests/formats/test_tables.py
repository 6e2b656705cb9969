"""Tables as other programs write them: separators, quotes, headers, authors, identifiers."""

import json

import pytest
from builders import COFFEE, DATA

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.people import PLAIN, Style, authors_of, of_mapping, style_of
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Batch
from awesome_cli.survey.loading import read_taxonomy

CASES = DATA / "inputs" / "cases"
TAXONOMY = read_taxonomy(WorkingTree(COFFEE))[0]


def load(text: str | bytes, name: str = "t.csv", **options: object) -> Batch:
    data = text if isinstance(text, bytes) else text.encode()
    return read([InputFile(name, data)], ReadingOptions(TAXONOMY, **options))


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Smith A, Walter B", ["Smith, A", "Walter, B"]),
        ("Smith J., Doe A.B., Roe C.", ["Smith, J.", "Doe, A.B.", "Roe, C."]),
        ("Wiklund I, Smith AB, Jones C", ["Wiklund, I", "Smith, AB", "Jones, C"]),
        ("Adeli K.; Lewis G. F.", ["Adeli, K.", "Lewis, G. F."]),
        ("van Gennep, Arnold", ["van Gennep, Arnold"]),
        ("García Márquez, Gabriel", ["García Márquez, Gabriel"]),
        ("Ada Lovelace, Alan Turing", ["Lovelace, Ada", "Turing, Alan"]),
        ("Bean, Ada, Doe, Jane", ["Bean, Ada", "Doe, Jane"]),
        ("Bean, Ada, Jr.", ["Bean, Ada Jr."]),
        ("Smith AB Jr, Doe C", ["Smith, AB Jr", "Doe, C"]),
        ("Monroe Kennedy III", ["Kennedy, Monroe III"]),
        ("J. Smith, A. B. Doe", ["Smith, J.", "Doe, A. B."]),
        ("Bean, Ada & Doe, Jane", ["Bean, Ada", "Doe, Jane"]),
        ("Smith J, et al.", ["Smith, J", "others"]),
        ("Food and Agriculture Organization", ["Food and Agriculture Organization"]),
        ("World Health Organization; Doe, Jane", ["World Health Organization", "Doe, Jane"]),
        ("李明, 王伟", ["李明", "王伟"]),
        ("Ada Bean\nJane Doe", ["Bean, Ada", "Doe, Jane"]),
        ("Ada Bean,\nJane Doe", ["Bean, Ada", "Doe, Jane"]),
        ("Ada Bean | Jane Doe", ["Bean, Ada", "Doe, Jane"]),
        ([{"family": "Bean", "given": "Ada"}, {"name": "World Bank"}], ["Bean, Ada", "World Bank"]),
    ],
)
def test_authors_by_their_shape(text, authors):
    assert list(authors_of(text)) == authors


def test_the_column_decides_where_a_cell_may_be_read_in_two_ways():
    cell = "García Márquez, Gabriel José"
    assert len(list(authors_of(cell))) == 2
    assert list(authors_of(cell, style_of([cell, "Bean, Ada; Doe, Jane"]))) == [cell]
    lists = style_of(["Ada Bean, Jane Doe, Bo Li"])
    assert list(authors_of("Ada Lovelace, Plato", lists)) == ["Lovelace, Ada", "Plato"]
    names = style_of(["Adeli K.; Lewis G. F.", "Smith J., Doe A.B.", "Smith John and Doe Jane"])
    assert list(authors_of("Smith John and Doe Jane", names)) == ["Smith, John", "Doe, Jane"]
    assert style_of([]) == style_of(["Bean, Ada"]) == PLAIN == Style()


def test_names_of_registries():
    assert of_mapping({"familyName": "Bean", "givenName": "Ada"}) == "Bean, Ada"
    assert of_mapping({"name": "Ada Bean", "authorId": "1"}) == "Bean, Ada"
    assert of_mapping({"family": "Berg", "given": "Jan", "non-dropping-particle": "van den"}) == "van den Berg, Jan"
    assert of_mapping({"literal": "World Bank"}) == "World Bank"


def test_a_file_of_authors_as_programs_write_them():
    drafts = load((CASES / "au.csv").read_bytes()).drafts
    assert [len(draft.warnings) for draft in drafts] == [0, 0, 0, 0, 1]
    assert "is read as Smith, John; Doe, Jane, as the other rows suggest" in drafts[-1].warnings[0]
    assert [draft.fields["authors"] for draft in drafts] == [
        ("Adeli, K.", "Lewis, G. F."),
        ("Smith, J.", "Doe, A.B.", "Roe, C."),
        ("van Gennep, Arnold",),
        ("Wiklund, I", "Smith, AB", "Jones, C"),
        ("Smith, John", "Doe, Jane"),
    ]


@pytest.mark.parametrize("word", ["NA", "N/A", "n/a", "-", "null", "none"])
def test_a_word_for_no_identifier_is_none(word):
    [draft] = load(f"title,doi,arxiv,isbn,key\nOn Bread,{word},{word},{word},{word}\n").drafts
    assert (dict(draft.fields), draft.key) == ({"title": "On Bread"}, None)
    for draft in load((CASES / "na.bib").read_bytes(), "na.bib").drafts:
        assert draft.fields.get("identifiers", {}).get("isbn") != "NA"


@pytest.mark.parametrize(
    "text",
    [
        "title\tyear\ttaste\nOn Bread, Butter; Jam\t2020\tsour\n",
        "title;year;taste\nOn Bread, Butter; Jam;2020;sour\n".replace("; Jam", " Jam"),
        'title,year,taste\n"On Bread, Butter; Jam",2020,sour\n',
        'sep=;\ntitle;year;taste\n"On Bread, Butter; Jam";2020;sour\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.tab", "<stdin>"])
def test_separators_and_encodings(text, encoding, name):
    [draft] = load(text.encode(encoding), name).drafts
    assert (draft.title.replace(";", ""), draft.fields["year"], draft.tags) == (
        "On Bread, Butter Jam",
        2020,
        ("taste=sour",),
    )


def test_a_quote_within_a_cell_of_a_tab_separated_text_is_a_quote():
    batch = load(
        'title\tyear\n"Bread" and salt\t2020\nA 5" oven\t2021\n"Quoted ""twice"""\t2022\n"open\t2023\n', "t.tsv"
    )
    assert [draft.title for draft in batch.drafts] == ['"Bread" and salt', 'A 5" oven', 'Quoted "twice"', '"open']


def test_a_row_is_named_by_the_line_at_which_it_begins():
    batch = load('title,note\n"On\nBread","one\ntwo"\n\nOn Salt,\n,nothing\n')
    assert [(draft.place, draft.title) for draft in batch.drafts] == [("t.csv:2", "On Bread"), ("t.csv:6", "On Salt")]
    assert batch.drafts[0].fields["note"] == "one\ntwo"
    assert [failure.place for failure in batch.failures] == ["t.csv:7"]


def test_cells_beyond_the_header_are_kept_with_a_warning():
    [draft] = load("title,year\nOn Bread,2020,more,,still more\n").drafts
    assert draft.fields["extra"] == {"beyond_header": ["more", "still more"]}
    assert "2 more cells than the header" in draft.warnings[0]


def test_a_repeated_or_empty_header_loses_no_cell():
    [draft] = load("title,title,,\nOn Bread,Bread,x,y\n").drafts
    assert (draft.title, draft.fields["extra"]) == (
        "On Bread",
        {"title (2)": "Bread", "column 3": "x", "column 4": "y"},
    )


def test_a_quote_left_open_is_named():
    [failure] = load('title,year\nOn Salt,2019\n"On Bread,2020\nOn Butter,2021\n').failures
    assert failure.message == "not csv: line 3: a quote is opened and not closed"


def test_fields_of_a_citation_have_their_places():
    [draft] = load(
        "Title,Volume,Issue,Page Range,Month,Abstract,Author Keywords\nOn Bread,3,1,1-9,May,Long.,a; b\n"
    ).drafts
    assert draft.fields["citation"] == {"volume": "3", "number": "1", "pages": "1-9", "month": "May"}
    assert (draft.fields["extra"], draft.keywords) == ({"abstract": "Long."}, ("a", "b"))


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("include", "paper"),
        ("Excluded", "exclusion"),
        ("maybe", "candidate"),
        ("1", "paper"),
        ("rev_included", "paper"),
        ("rev_synthesized", "paper"),
        ("rev_excluded", "exclusion"),
        ("rev_prescreen_excluded", "exclusion"),
        ("md_processed", "candidate"),
        ("pdf_prepared", "candidate"),
        ("what", "candidate"),
    ],
)
def test_words_of_decisions(word, kind):
    [draft] = load(f"title,decision\nOn Bread,{word}\n").drafts
    assert (draft.kind, bool(draft.warnings)) == (kind, word == "what")
    if "_" in word:
        [entry] = load(f"@misc{{a, title={{On Bread}}, colrev_status={{{word}}}}}", "a.bib").drafts
        assert (entry.kind, entry.decision) == (kind, word)


def test_a_status_decides_only_with_a_known_word():
    published, excluded = load("title,status\nOn Bread,Published\nOn Salt,excluded\n").drafts
    assert (published.kind, published.fields["extra"]) == ("paper", {"status": "Published"})
    assert excluded.kind == "exclusion"


def test_tags_are_made_of_the_fields_that_are_named():
    text = "title,keywords,topics,taste\nOn Bread,sour; crumbs,bitter:tasted; taste=umami:tasted,sour:tasted\n"
    [plain] = load(text).drafts
    assert (plain.tags, plain.keywords) == (("taste=sour:tasted",), ("sour", "crumbs"))
    [asked] = load(text, tags_from=("keywords", "topics")).drafts
    assert asked.tags == ("taste=sour:tasted", "sour", "crumbs", "bitter:tasted", "taste=umami")
    assert (asked.keywords, asked.fields.get("extra", {})) == ((), {})


@pytest.mark.parametrize(
    ("issued", "month", "is_kept"),
    [
        ({"date-parts": [[2001, 5]]}, "may", False),
        ({"date-parts": [["2001", "05"]]}, "may", False),
        ({"raw": "2001"}, None, False),
        ({"date-parts": [[2001, 5, 17]]}, "may", True),
        ({"date-parts": [[2001], [2003]]}, None, True),
        ({"date-parts": [[2001, 13]]}, None, True),
        ({"date-parts": [[2001]], "season": "2"}, None, True),
        ({"raw": "circa 2001"}, None, True),
    ],
)
def test_what_a_csl_date_says_beyond_year_and_month_is_kept(issued, month, is_kept):
    beauvoir = {"family": "Beauvoir", "dropping-particle": "de", "given": "Simone"}
    item = {"id": "a", "type": "book", "title": "T", "author": [beauvoir], "issued": issued}
    (draft,) = load(json.dumps([item]), "t.json").drafts
    assert draft.fields["authors"] == ("Beauvoir, Simone de",)
    assert (draft.fields["year"], draft.fields["citation"].get("month")) == (2001, month)
    assert draft.fields.get("extra") == ({"issued": issued} if is_kept else None)
