"""The published artifact comes out of the shipped corpus, value by value."""

import csv
import io
from datetime import date

import bibtexparser
import pytest
from builders import DATA

from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.text.latex import to_unicode

FACTS = DATA / "facts"
PAPERS = (
    "key,title,first_author,affiliation,year,arxiv_id,venue,url,category,is_rl,reward_type,credit_granularity,"
    "orchestration_form,scenario,is_core,one_liner,verified,notes"
)
EXCLUDED = "record_id,source,query_family,screening_label,identifier,url,date_screened,stage,exclusion_reason"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def facts(name: str) -> list[dict[str, str]]:
    return rows((FACTS / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def published(published):
    return export("artifact", published)


def test_the_header_rows(published):
    assert published["papers.csv"].splitlines()[0] == PAPERS
    assert published["excluded.csv"].splitlines()[0] == EXCLUDED


def test_papers_as_published(published):
    expected = facts("papers.csv")
    for row in expected:
        row |= {"url": " ; ".join(row["urls"].split()), "one_liner": row["summary"], "notes": ""}
        row["affiliation"] = row["affiliation"] or "unknown"
    columns = PAPERS.split(",")
    assert rows(published["papers.csv"]) == [{name: row[name] for name in columns} for row in expected]


def test_exclusions_as_published(published):
    expected = [
        {**row, "screening_label": row["title"], "exclusion_reason": row["reason"]} for row in facts("exclusions.csv")
    ]
    columns = EXCLUDED.split(",")
    assert rows(published["excluded.csv"]) == [{name: row[name] for name in columns} for row in expected]


def test_bibliography_as_published(published):
    library = bibtexparser.parse_string(published["papers.bib"])
    assert not library.failed_blocks
    for entry, row in zip(library.entries, facts("papers.csv"), strict=True):
        value = {field.key: to_unicode(field.value) for field in entry.fields}
        assert (entry.key, entry.entry_type) == (row["bibtex_key"], row["bibtex_type"])
        assert value["title"] == row["title"]
        assert value["year"] == row["year"]
        assert value["author"] == to_unicode(" and ".join(row["authors"].split("; ")))
        assert value.get("eprint", "") == row["arxiv_id"]
        for name in ("volume", "number"):
            assert value.get(name, "") == to_unicode(row[name])
        assert row["doi"] in {"", value.get("doi")}
        assert value.get("pages", "") == to_unicode(row["pages"])


def test_after_the_corrections_the_right_values_come_out(shipped):
    corrected = shipped.as_of(date(2026, 11, 20))
    now = {row["key"]: row for row in rows(export("artifact", corrected)["papers.csv"])}
    wrong = [
        fact
        for fact in facts("corrections.csv")
        if fact["field"] in {"first_author", "affiliation", "arxiv_id"} and fact["key"] in now
        if now[fact["key"]][fact["field"]] != fact["corrected"]
    ]
    assert not wrong


def test_a_long_cell_is_read(taxonomy):
    row = dict.fromkeys(PAPERS.split(","), "") | {"key": "k", "title": "Bread", "year": "2020", "notes": "a" * 200_000}
    (draft,) = read(
        [InputFile("papers.csv", f"{PAPERS}\n{','.join(row.values())}\n".encode())], ReadingOptions(taxonomy)
    ).drafts
    assert draft.fields["extra"] == {"notes": "a" * 200_000}


@pytest.fixture(scope="module")
def taxonomy(shipped):
    return shipped.taxonomy
