"""JSON Schemas of a survey's files, generated from the models and the survey's own vocabulary."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from awesome_cli import traces
from awesome_cli.files import yaml_reading
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.claims import Claims
from awesome_cli.model.codings import Direction
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.manuscript import Manuscript
from awesome_cli.model.protocol import Protocol
from awesome_cli.model.records import KINDS, Candidate, Exclusion, Paper
from awesome_cli.model.screenings import Screenings
from awesome_cli.model.searches import Searches, SearchRun
from awesome_cli.model.second_coder import CoderAnswer, CoderRequest
from awesome_cli.model.taxonomy import Axis, Named, Taxonomy
from awesome_cli.publish.plots import kinds
from awesome_cli.text.inert import to_json
from awesome_cli.traces.usage import Prices

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MEANINGS = Path(__file__).with_name("meanings.yaml")
Schema = dict[str, Any]


def schema_text(kind: str, taxonomy: Taxonomy | None) -> str:
    """Return a schema as JSON text; without a taxonomy, any axis and term is allowed."""
    return to_json(schema_of(kind, taxonomy), indent=2) + "\n"


def schema_of(kind: str, taxonomy: Taxonomy | None) -> Schema:
    """Return a schema with a description for every field."""
    schema = SCHEMAS[kind](taxonomy)
    if kind != "trace":  # its fields have descriptions
        _describe(schema, "Record" if kind in KINDS else kind.capitalize())
        for name, shape in schema["$defs"].items():
            _describe(shape, name)
    return schema


def _describe(shape: Schema, name: str) -> None:
    """Add a description to each field of a model's schema, from `meanings.yaml` or the fields of records."""
    rows = {row.name: row.help for row in RECORD_FIELDS if name == "Record"}
    known = {**rows, **meanings()["*"], **meanings().get(name, {})}
    for field, described in shape.get("properties", {}).items():
        if known.get(field):
            described.setdefault("description", known[field])


@cache
def meanings() -> Mapping[str, Mapping[str, str]]:
    """Return descriptions by model and field; the key `*` stands for any model."""
    texts: Mapping[str, Mapping[str, str]] = yaml_reading.read(MEANINGS.read_bytes())[0]
    return texts


def _model(model: type[BaseModel], title: str) -> Schema:
    schema = model.model_json_schema()
    schema.get("properties", {}).pop("key", None)
    schema["required"] = [name for name in schema.get("required", []) if name != "key"]
    return {"$schema": DRAFT, **schema, "title": title}


def _work(model: type[BaseModel], title: str, taxonomy: Taxonomy | None) -> Schema:
    schema = _model(model, title)
    properties = schema["properties"]
    for name in ("not_coded", "passed", "aliases", "distinct_from"):
        properties[name] = _one_or_many({"type": "string"})
    if taxonomy is None:
        return schema
    properties["tags"] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {axis.id: _axis(axis, taxonomy, model) for axis in taxonomy.axes},
    }
    properties["not_coded"] = _one_or_many({"enum": list(taxonomy.by_id)})
    measured = {"$ref": "#/$defs/Measured"}
    names = {m.id: {**measured, "description": f"{m.label}, in {m.unit}"} for m in taxonomy.measures}
    properties["measures"] = {"type": "object", "additionalProperties": False, "properties": names}
    return schema


def _one_or_many(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item}]}


def _axis(axis: Axis, taxonomy: Taxonomy, model: type[BaseModel]) -> Schema:
    """Return the schema of the codings on an axis: a term, a tag, or a list; candidates may use retired strengths."""
    retired = axis.retired if model is Candidate else ()
    strengths = (*axis.strengths, *(Named(id=entry.id, label=entry.id) for entry in retired))
    term = _words(axis.terms)
    tag: Schema = {
        "type": "object",
        "additionalProperties": False,
        "required": ["term"],
        "properties": {
            "term": term,
            "strength": _words(strengths) if strengths else False,
            "part": {"type": "boolean", "description": "True for a further coding besides the main coding."},
            "evidence": {"type": "string"},
            "direction": {"enum": list(get_args(Direction)), "description": meanings()["Tag"]["direction"]},
            "as_published": {"type": "boolean", "description": meanings()["Tag"]["as_published"]},
            "quote": {"type": "string", "description": "A passage of the paper, word for word."},
            "source": {"type": "string"},
            "confidence": _words(taxonomy.confidences),
            "contested": {
                "type": "object",
                "additionalProperties": False,
                "required": ["grade", "because"],
                "properties": {
                    "on": {"type": "string", "format": "date"},
                    "grade": _words(taxonomy.grades),
                    "as": {"description": "What the challenger would code: terms, {strength: …}, or none."},
                    "because": {"type": "string"},
                    "source": {"type": "string"},
                },
            },
        },
    }
    if axis.strengths:
        tag["required"] = ["term", "strength"]
        return {"description": axis.question, "anyOf": [tag, _listed(axis, tag)]}
    return {"description": axis.question, "anyOf": [term, tag, _listed(axis, {"anyOf": [term, tag]})]}


def _listed(axis: Axis, tag: Schema) -> Schema:
    """Return the schema of a list of tags. An axis of kind 'one' allows one main coding and any number of parts."""
    several: Schema = {"type": "array", "items": tag}
    if axis.kind == "one":
        part: Schema = {"type": "object", "required": ["part"], "properties": {"part": {"const": True}}}
        several |= {"contains": {"not": part}, "minContains": 0, "maxContains": 1}
    return several


def _words(entries: tuple[Named, ...]) -> Schema:
    """Return the schema of an id: an enum with the definitions, or any text without entries."""
    if not entries:
        return {"type": "string"}
    meanings = [f"{entry.id}: {' '.join(entry.definition.split())}" for entry in entries if entry.definition]
    return {"enum": [entry.id for entry in entries], **({"description": "\n".join(meanings)} if meanings else {})}


def _exclusion(taxonomy: Taxonomy | None) -> Schema:
    schema = _model(Exclusion, "A screened-out record: exclusions/<id>.yaml")
    for name in ("aliases", "distinct_from"):
        schema["properties"][name] = _one_or_many({"type": "string"})
    if taxonomy is not None:
        screening = schema["$defs"]["Screening"]["properties"]
        screening["stage"], screening["reason"] = _words(taxonomy.stages), _words(taxonomy.reasons)
        schema["$defs"]["NearMiss"]["properties"]["axis"] = {"enum": list(taxonomy.by_id)}
    return schema


def _taxonomy(_: Taxonomy | None) -> Schema:
    schema = _model(Taxonomy, "The survey's vocabulary: taxonomy.yaml")
    meanings = "\n".join(f"{name}: {text}" for name, text in kinds.completions())
    schema["$defs"]["Plot"]["properties"]["kind"] = {"enum": list(kinds.NAMES), "description": meanings}
    return schema


def _answer(taxonomy: Taxonomy | None) -> Schema:
    """Return the schema of a coding program's answer; a taxonomy limits it to its axes, terms and strengths."""
    schema = _model(CoderAnswer, "The answer of a coding program, on its standard output")
    codings = schema["properties"]["codings"]
    codes = codings["additionalProperties"]
    codings["additionalProperties"] = _or_na(codes) if taxonomy is None else False
    for axis in taxonomy.axes if taxonomy else ():
        terms = _words(tuple(term for term in axis.leaves if not term.deprecated))
        strength = {"strength": _words(axis.strengths)} if axis.strengths else {}
        coding = {**codes["items"], "properties": {"term": terms, **strength}, "required": ["term", *strength]}
        codings.setdefault("properties", {})[axis.id] = _or_na({**codes, "items": coding}, axis.question)
    return schema


def _or_na(schema: Schema, description: str = "") -> Schema:
    return {**({"description": description} if description else {}), "anyOf": [{"const": NA}, schema]}


SCHEMAS: Mapping[str, Callable[[Taxonomy | None], Schema]] = {
    "paper": lambda words: _work(Paper, "A retained paper: corpus/<key>.yaml", words),
    "exclusion": _exclusion,
    "candidate": lambda words: _work(Candidate, "A paper that waits for screening: candidates/<key>.yaml", words),
    "taxonomy": _taxonomy,
    "claims": lambda _: _model(Claims, "Claims of the survey: claims.yaml"),
    "protocol": lambda _: _model(Protocol, "The protocol of search and screening: protocol.yaml"),
    "manuscript": lambda _: _model(Manuscript, "What a text on the survey uses: paper.yaml"),
    "audit": lambda _: _model(Audit, "A second coding: audits/<name>.yaml"),
    "search": lambda _: _model(Searches, "The saved searches: search.yaml"),
    "run": lambda _: _model(SearchRun, "A run of saved searches: searches/<run>.yaml"),
    "screenings": lambda _: _model(Screenings, "One person's decisions: screenings/<who>.yaml"),
    "coder-request": lambda _: _model(CoderRequest, "A request to a coding program, on its standard input"),
    "coder-answer": _answer,
    "prices": lambda _: _model(Prices, "Prices of language models: prices.yaml"),
    "trace": lambda _: traces.json_schema(),
}
