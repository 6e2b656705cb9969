"""Tables as other programs write them: separators, quotes, headers, authors, identifiers."""

import json

import pytest
from builders import COFFEE, DATA

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions, csv
from awesome_cli.formats.people import PLAIN, Style, authors_of, of_mapping, style_of
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.formats.rows import FIELDS
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
    assert "is read as Smith, John; Doe, Jane, in the style of the other rows" in drafts[-1].warnings[0]
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
    assert failure.message == "not csv: line 3: unclosed quote"


def test_a_wrong_quote_invents_no_work():
    batch = load(
        'title,authors,year\n"On Salt,"Doe, J.",2001\nOn Bread,Roe A,2002\n"On "Jam"\nand more",Roe A,2003\n'
        '"On ""Butter""","Doe, J.",2003\n'
    )
    assert [draft.title for draft in batch.drafts] == ["On Bread", 'On "Butter"']
    assert [failure.place for failure in batch.failures] == ["t.csv:2", "t.csv:4", "t.csv:5"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "Paper,Who,When\nOn Bread,Doe J,2001\nOn Salt,Roe A,2002\n",
            "(Paper, Who, When); specify it: --column 'Paper=title'",
        ),
        ("On Bread,Doe J,2001\nOn Salt,Roe A,2002\n", "the first line is a work"),
        ("On Bread\nOn Salt\n", "if the first line is a work"),
    ],
)
def test_a_table_without_titles_is_one_failure(text, why):
    batch = load(text)
    [failure] = batch.failures
    assert (batch.drafts, failure.place) == ((), "t.csv")
    assert why in failure.message
    if "--column" in why:
        assert [draft.title for draft in load(text, columns={"Paper": "title"}).drafts] == ["On Bread", "On Salt"]


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


@pytest.mark.parametrize(
    "column", [*sorted(set(FIELDS["decision"]) - {"status", "label"}), "Include?", "include (Y/N)", "Final decision"]
)
def test_every_name_of_the_decision_acts_alike(column):
    """An export of an unfinished screening leaves cells empty, or the row short."""
    text = f"title,{column}\nOn Bread,Y\nOn Salt,\nOn Butter\nOn Jam,n\n"
    drafts = load(text).drafts
    assert [draft.kind for draft in drafts] == ["paper", "candidate", "candidate", "exclusion"]
    assert [len(draft.warnings) for draft in drafts] == [0, 1, 1, 0]


def test_a_number_beside_the_labels_i_and_e_is_the_code_of_a_reason():
    text = "title,label1,label2\nOn Bread,I,I\nOn Salt,I,3\nOn Tea,1,E\nOn Jam,E,1\nOn Rye,I,\n"
    drafts = load(text).drafts
    assert [draft.kind for draft in drafts] == ["paper", "exclusion", "exclusion", "exclusion", "candidate"]
    assert [draft.fields.get("screening") for draft in drafts[1:4]] == [{"reason": "3"}, None, {"reason": "1"}]
    assert [len(draft.warnings) for draft in drafts] == [0, 0, 0, 0, 1]
    [_, salt, *_] = load(text, decisions={"3": "candidate"}).drafts
    assert salt.kind == "candidate"


@pytest.mark.parametrize("column", ["label", "label1", "label2"])
def test_a_label_decides_only_with_a_known_word(column):
    drafts = load(f"title,{column}\nOn Bread,crumbs\nOn Jam,0\n").drafts
    assert [draft.kind for draft in drafts] == ["paper", "exclusion"]
    assert drafts[0].fields["extra"] == {column: "crumbs"}


def test_a_status_decides_only_with_a_known_word():
    batch = load("title,status\nOn Bread,Published\nOn Jam,Accepted\nOn Butter,\nOn Salt,excluded\n")
    assert [draft.kind for draft in batch.drafts] == ["paper", "paper", "paper", "exclusion"]
    assert [draft.fields.get("extra") for draft in batch.drafts[:2]] == [
        {"status": "Published"},
        {"status": "Accepted"},
    ]
    assert set(batch.decisions) == {"excluded"}


def test_extra_columns_of_our_own_export_stay_what_they_are():
    names = ("doi", "arxiv", "year", "added", "update-policy")
    header = ",".join(f"extra.{name}" for name in names)
    [draft] = load(f"title,doi,year,{header}\nOn Bread,,,none,n.a.,in press,soon,https://example.org/p\n").drafts
    assert draft.fields["extra"] == dict(
        zip(names, ("none", "n.a.", "in press", "soon", "https://example.org/p"), strict=True)
    )
    assert "links" not in draft.fields


def test_tags_are_made_of_the_fields_that_are_named():
    text = "title,keywords,topics,taste\nOn Bread,sour; crumbs,bitter:tasted; taste=umami:tasted,sour:tasted\n"
    [plain] = load(text).drafts
    assert (plain.tags, plain.keywords) == (("taste=sour:tasted",), ("sour", "crumbs"))
    [asked] = load(text, tags_from=("keywords", "topics")).drafts
    assert asked.tags == ("taste=sour:tasted", "sour", "crumbs", "bitter:tasted", "taste=umami")
    assert (asked.keywords, asked.fields.get("extra", {})) == ((), {})


WORK = {
    "title": "On Bread",
    "authors": ("Doe, Jane", "Roe, Ann"),
    "year": 2020,
    "identifiers": {"doi": "10.1234/abc"},
}


@pytest.mark.parametrize(
    ("text", "citation", "extra"),
    [
        (
            (
                "Authors,Author full names,Title,Year,DOI,Issue,Art. No.,Page start,Page end,Document Type\n"
                'Doe J.; Roe A.,"Doe, Jane (57); Roe, Ann (58)",On Bread,2020,10.1234/abc,2,e12,100,110,Conference paper\n'
            ),
            {"type": "inproceedings", "number": "2", "pages": "100--110"},
            {"Authors": "Doe J.; Roe A.", "Art. No.": "e12"},
        ),
        (
            (
                "PT\tAU\tAF\tTI\tDT\tID\tPY\tVL\tIS\tBP\tEP\tAR\tDI\nJ\tDoe, J; Roe, A\tDoe, Jane; Roe, Ann\tOn Bread\t"
                "Article\tcrumbs\t2020\t4\t2\t\t\te12\t10.1234/abc\n"
            ),
            {"type": "article", "volume": "4", "number": "2", "pages": "e12"},
            {"PT": "J", "AU": "Doe, J; Roe, A", "ID": "crumbs"},
        ),
        (
            (
                "Key\tItem Type\tAuthor\tTitle\tPublication Year\tDOI\tPages\tPage end\n"
                "A1\tartwork\tDoe, Jane; Roe, Ann\tOn Bread\t2020\t10.1234/abc\t1-9\t9\n"
            ),
            {"pages": "1-9"},
            {"Item Type": "artwork", "Page end": "9"},
        ),
    ],
)
@pytest.mark.parametrize("name", ["t.csv", "savedrecs.txt"])
def test_tables_of_databases(text, citation, extra, name):
    [draft] = load(text, name).drafts
    assert draft.fields == {**WORK, "citation": citation, "extra": extra}


def test_the_number_of_pubmed_is_an_identifier():
    one, other = load("title,PMID\nOn Bread,15451956\nOn Salt,unknown\n").drafts
    assert one.fields["identifiers"] == {"other": "PMID:15451956"}
    assert other.fields["extra"] == {"PMID": "unknown"}


@pytest.mark.parametrize(
    ("inclusion", "kind", "warnings"),
    [
        ('{"Ann"=>"Excluded"}', "exclusion", 0),
        ('{"Ann"=>"Included", "Bob Roe"=>"Included"}', "paper", 0),
        ('{"Ann"=>"Maybe"}', "candidate", 0),
        ('{"Ann"=>"Included", "Bob"=>"Excluded"}', "candidate", 1),
        ("{}", "candidate", 1),
    ],
)
def test_what_rayyan_says_decides(inclusion, kind, warnings):
    notes = f"RAYYAN-INCLUSION: {inclusion} | RAYYAN-EXCLUSION-REASONS: wrong population"
    cell = notes.replace('"', '""')
    [row] = load(f'title,notes\nOn Bread,"{cell}"\n').drafts
    [reference] = load(f"TY  - JOUR\nTI  - On Bread\nN1  - {notes}\nER  - \n", "t.ris").drafts
    for draft in (row, reference):
        assert (draft.kind, len(draft.warnings)) == (kind, warnings)
        assert kind != "exclusion" or draft.fields["screening"] == {"reason": "wrong population"}
    assert row.fields["note"] == notes


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


def test_apostrophes_are_taken_off_in_our_own_tables_only():
    titles = ["'-' considered harmful", "'@home' computing", "'=quoted title", "=1+1"]
    lines = "".join(f"{title},k{n}\n" for n, title in enumerate(titles))
    assert [draft.title for draft in load(f"title,id\n{lines}").drafts] == titles
    rows = [{"key": f"k{n}", "title": title} for n, title in enumerate(titles)]
    for raw in (False, True):
        text = csv.table(("key", "title"), rows, raw=raw)
        assert [draft.title for draft in load(text, raw=raw).drafts] == titles
