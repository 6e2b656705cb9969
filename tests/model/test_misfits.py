"""What a model refuses and what a library cannot read is said in plain words."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError

from awesome_cli.curation.vocabulary.migration import VocabularyStep
from awesome_cli.model.audits import Audit
from awesome_cli.model.claims import Claims
from awesome_cli.model.codings import ID
from awesome_cli.model.misfits import PATTERNS, WANTED, misfit, unread
from awesome_cli.model.protocol import Protocol
from awesome_cli.model.records import Candidate, Exclusion, Paper
from awesome_cli.model.taxonomy import Taxonomy

FILES = (Paper, Candidate, Exclusion, Taxonomy, Claims, Protocol, Audit, VocabularyStep)
WRONG: tuple[Any, ...] = (
    None, "", "x y", "3.5", "9" * 5000, "-1", "7000", "2026-13-01", "2026-05-04T10:00:00", [], ["x"], [[]], [None],
    [{}], {}, {"x y": {}}, {"x": None}, {"x": []}, {"x": [[]]},
)  # fmt: skip
LIBRARY = re.compile(
    r"\b(?:input|valid|tuple|dict|dictionary|instance|should|pattern|value error)\b|\[|\{", re.IGNORECASE
)


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that an annotation holds, at any depth."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from models(field.annotation)
    for part in get_args(annotation):
        yield from models(part)


ALL = sorted({model for file in FILES for model in models(file)}, key=lambda model: model.__name__)


def errors(model: type[BaseModel]) -> Iterator[Any]:
    """What the model says to each wrong value in each field, alone."""
    for name, field in model.model_fields.items():
        for value in WRONG:
            try:
                model.model_validate({field.alias or name: value, "unknown": "x"})
            except ValidationError as error:
                yield from error.errors()


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.__name__)
def test_every_constraint_has_plain_words(model: type[BaseModel]):
    for error in errors(model):
        assert error["type"] in WANTED, error
        assert error["type"] != "string_pattern_mismatch" or error["ctx"]["pattern"] in PATTERNS, error
        shown = error["input"] if isinstance(error["input"], str) else ""
        assert not LIBRARY.search(misfit(error).replace(repr(shown), "")), misfit(error)


@pytest.mark.parametrize(
    ("model", "fields", "sentence"),
    [
        (Paper, {"year": "20"}, "year: must be 100 or more, not '20'"),
        (Paper, {"title": ""}, "title: must not be empty"),
        (Claims, {"claims": [{"expect": []}]}, "claims.0.expect: must hold 1 or more entries"),
        (Candidate, {"proposal": "x"}, "proposal: must be 'retain', 'consider' or 'exclude', not 'x'"),
        (Taxonomy, {"axes": [{"id": "A b"}]}, f"axes.0.id: must be {PATTERNS[ID]}, not 'A b'"),
        (Taxonomy, {"survey": {"title": "x"}, "axes": []}, "a taxonomy needs at least one axis"),
        (Candidate, {"first_public": "May"}, "first_public: must be a day, a month or a year such as"),
    ],
)
def test_a_misfit_says_what_is_wanted(model: type[BaseModel], fields: dict[str, Any], sentence: str):
    with pytest.raises(ValidationError) as raised:
        model.model_validate(fields)
    said = [misfit(error) for error in raised.value.errors()]
    assert any(one.startswith(sentence) for one in said), said


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a" 1}', "[1 2]", "{} {}", '"a', '"a\nb"', r'"\x"', "nope", "{,"])
def test_json_is_refused_with_its_place(text: str):
    with pytest.raises(json.JSONDecodeError) as raised:
        json.loads(text)
    said = unread(raised.value)
    assert re.match(r"line \d+, column \d+: ", said)
    assert "it is not JSON" not in said
    assert raised.value.msg not in said


def test_a_cell_that_is_never_closed():
    with pytest.raises(csv.Error) as raised:
        list(csv.reader(io.StringIO('a,"' + "x" * (csv.field_size_limit() + 1))))
    assert unread(raised.value) == "a cell is too long: a quote is not closed"
