"""The table of fields names every attribute of records, and what a row promises holds wherever records are used."""

import csv
import io
import json
from datetime import date

import pytest
from builders import coffee, make_corpus, make_paper

from awesome_cli.analysis.listing import page
from awesome_cli.curation.editing.fields import assign
from awesome_cli.formats.exporting import export
from awesome_cli.model.fields import EVERYWHERE, RECORD_FIELDS
from awesome_cli.model.records import KINDS, Identifiers, Paper
from awesome_cli.output import Format, to_text
from awesome_cli.publish.site.data import data_pages

ATTRIBUTES = {name: info.annotation for model in KINDS.values() for name, info in model.model_fields.items()}
TYPES = {"number": {int, int | None}, "date": {date, date | None}}
SAMPLES = {"text": "Ristretto", "number": "1987", "date": "2025-03-04"}
COMMON = [f for f in RECORD_FIELDS if f.uses == EVERYWHERE and f.name != "key" and f.name in Paper.model_fields]


def name(field):
    return field.name


def test_every_attribute_has_a_row():
    assert {field.attribute for field in RECORD_FIELDS} | set(map(name, RECORD_FIELDS)) >= set(ATTRIBUTES)
    assert {field.path for field in RECORD_FIELDS} >= {f"identifiers.{scheme}" for scheme in Identifiers.model_fields}


@pytest.mark.parametrize("field", [f for f in RECORD_FIELDS if f.name in ATTRIBUTES and not f.path], ids=name)
def test_a_row_says_what_its_attribute_holds(field):
    held = ATTRIBUTES[field.name]
    assert field.many is (held == tuple[str, ...])
    assert {kind for kind, types in TYPES.items() if held in types} <= {field.kind}


@pytest.mark.parametrize("field", COMMON, ids=name)
def test_a_field_is_used_wherever_its_row_says(field):
    text = SAMPLES[field.kind]
    paper = assign(make_paper("one"), [f"{field.name}={text}"], coffee().taxonomy)
    corpus = make_corpus(paper, make_paper("other"))
    row = next(csv.DictReader(io.StringIO(str(export("csv", corpus)))))
    site = next(found.content for found in data_pages(corpus, base=None) if found.path == "data/words-papers.js")

    assert [found.key for found in corpus.select(f"{field.query_name}={text}")] == ["one"]
    assert [found.key for found in corpus.select("text~ristretto")] == (["one"] if field.prose else [])
    assert row[field.name] == text
    assert (text.casefold() in str(site)) is (field.prose or field.kind == "number")
    assert text in to_text(page(corpus, paper), Format.TEXT)
    assert str(json.loads(str(export("json", corpus)))["data"]["papers"][0][field.name]) in {text, f"['{text}']"}
