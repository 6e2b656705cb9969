"""The data of the site's scripts: the survey's vocabulary and records as classic script files.

A page that is opened from disk may neither fetch nor load modules, so the data are assignments.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.analysis.audit.report import agreement_sentences
from awesome_cli.analysis.gaps.interest import REASONS
from awesome_cli.analysis.gaps.matrix import ANY
from awesome_cli.analysis.gaps.states import NOT_APPLICABLE, STATES, UNKNOWN, GapState
from awesome_cli.model.codings import NONE, Tag
from awesome_cli.model.fields import FIELDS, RECORD_FIELDS
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers, Paper
from awesome_cli.model.taxonomy import LISTED, Axis, Named, Taxonomy
from awesome_cli.publish.site.index import SHARD, index, names, vocabulary
from awesome_cli.publish.site.page import SitePage
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json

SURVEY, INDEX, NEAR, WAITING = "data/survey.js", "data/index.js", "data/near.js", "data/waiting.js"
STATE = ("value", "word", "sentence", "pattern", "lacks", "steps")
"""The fields of a gap state that the scripts use."""


def data_pages(corpus: Corpus, *, base: str | None) -> Iterator[SitePage]:
    """Yield the data files of the site's scripts; `base` is the URL of the site, for citing a view.

    Pages load the first files at once; assets/data.js loads the others on demand.
    """
    papers = corpus.papers
    yield SitePage(SURVEY, script("survey", survey(corpus) | {"base": base}))
    yield SitePage(INDEX, script("index", index(papers, corpus.taxonomy)))
    misses = [(e, near.model_dump(exclude_none=True)) for e in corpus.exclusions for near in e.near_miss]
    yield SitePage(NEAR, script("survey.near", [{"key": e.key, "title": e.title, **near} for e, near in misses]))
    yield SitePage(WAITING, script("survey.waiting", _waiting(corpus)))
    yield SitePage("data/names.js", script("names", names(papers)))
    yield SitePage("data/words.js", script("vocabulary", vocabulary(papers)))
    yield SitePage("data/exclusions.js", script("exclusions", [_exclusion(e) for e in corpus.exclusions]))
    for i, start in enumerate(range(0, len(papers), SHARD)):
        shard = [_paper(paper) for paper in papers[start : start + SHARD]]
        yield SitePage(f"data/papers-{i}.js", script(f"shards[{i}]", shard))


def script(name: str, value: object) -> str:
    """Return a classic script that sets `awesome.NAME`; `JSON.parse` is faster than a literal for megabytes."""
    text = to_json(value, separators=(",", ":"), sort_keys=True, default=str)
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"window.awesome = window.awesome || {{}};\nawesome.{name} = JSON.parse('{quoted}');\n"


def survey(corpus: Corpus) -> dict[str, Any]:
    """Return the vocabulary, gap states, fields of the query language and default maps."""
    taxonomy = corpus.taxonomy
    return {
        "title": taxonomy.survey.title,
        "authors": taxonomy.survey.authors,
        "url": taxonomy.survey.url,
        "day": corpus.last_day,
        "few": taxonomy.sparse.model_dump(exclude_none=True),
        "axes": [_axis(axis) for axis in taxonomy.axes],
        **{name: _named(getattr(taxonomy, name)) for name in ("stages", "reasons", "confidences", "grades")},
        "contested_from": taxonomy.contested_from or next(iter(taxonomy.grade_rank), ""),
        "measures": [{"id": m.id, "label": m.label, "unit": m.unit} for m in taxonomy.measures],
        "maps": [pair.model_dump(exclude_none=True) for pair in taxonomy.maps],
        "facets": facets(taxonomy),
        "beside": {"exclusions": len(corpus.exclusions), "candidates": len(corpus.candidates)},
        "badges": badges(taxonomy),
        "any": ANY,
        "states": [_state(state) for state in STATES],
        "interest": REASONS,
        "impossible": NOT_APPLICABLE.value,
        "undetermined": UNKNOWN.value,
        "fields": [{"name": name, "of": f.name, "kind": f.kind, "vocabulary": f.words} for name, f in FIELDS.items()],
        "prose": [f.name for f in RECORD_FIELDS if f.prose],
    }


def _waiting(corpus: Corpus) -> dict[str, Any]:
    """Return candidates not proposed for exclusion: key, title, and indexes of their main codings in `codings`.

    `uncoded` has the keys of papers that are not coded yet, and `agreement` the sentences on second codings, by axis.
    """
    places: dict[tuple[str, str, str | None], int] = {}
    works: list[tuple[str, str, list[int]]] = []
    for work in corpus.candidates:
        tags = [(axis, tag.term, tag.strength) for axis, coded in work.tags.items() for tag in coded if not tag.part]
        if work.proposal != "exclude" and tags:
            works.append((work.key, work.title, [places.setdefault(tag, len(places)) for tag in tags]))
    uncoded = {axis: sorted(keys) for axis, keys in corpus.uncoded.items()}
    agreement = {axis: list(agreement_sentences(corpus, axis)) for axis in corpus.taxonomy.by_id}
    return {"codings": list(places), "works": works, "uncoded": uncoded, "agreement": agreement}


def facets(taxonomy: Taxonomy) -> list[str]:
    """Return the axes to filter by: the README's grouping axis, then axes with one term for every paper."""
    first = [taxonomy.readme.group_by] if taxonomy.readme else []
    plain = [a.id for a in taxonomy.axes if a.kind == "one" and a.required_for is not None]
    return list(dict.fromkeys([*first, *(plain or taxonomy.by_id)]))


def badges(taxonomy: Taxonomy) -> list[str]:
    """Return the axes shown beside papers in lists: the badges of the README, else the first three."""
    return list((taxonomy.readme and taxonomy.readme.badges) or [axis.id for axis in taxonomy.axes[:3]])


def _named(entries: tuple[Named, ...]) -> list[dict[str, str]]:
    return [{"id": entry.id, "label": entry.label} for entry in entries]


def _axis(axis: Axis) -> dict[str, Any]:
    terms = [term.model_dump(include={"id", "label", "code", "parent"}, exclude_none=True) for term in axis.terms]
    return {
        "id": axis.id,
        "label": axis.label,
        "terms": terms,
        "strengths": _named(axis.strengths),
        "retired": {entry.id: entry.use for entry in axis.retired},
        "gap_strength": axis.gap_strength,
        "listed": axis.silence == LISTED,
        "silent": (axis.required_for or "*") if axis.silence == NONE else None,
    } | ({"bookkeeping": True} if axis.bookkeeping else {})


def _state(state: GapState) -> dict[str, object]:
    """Return the fields of a gap state; `times` is null if unbounded (JSON has no infinity), absent if unused."""
    data: dict[str, object] = {name: getattr(state, name) for name in STATE}
    return data if state.times is None else data | {"times": state.times if math.isfinite(state.times) else None}


def _present(values: Mapping[str, object]) -> dict[str, object]:
    """Drop empty values; keep 0 and False."""
    return {name: value for name, value in values.items() if value not in (None, "", (), [], {})}


def _tag(tag: Tag) -> dict[str, object]:
    """Return the fields of a coding that are not in the index, and those that identify it there."""
    return _present(
        {
            "term": tag.term,
            "strength": tag.strength,
            "part": tag.part or None,
            "evidence": tag.evidence,
            "confidence": tag.confidence,
            "grade": tag.contested.grade if tag.contested else None,
            "because": tag.contested.because if tag.contested else None,
            "would_be": tag.contested.would_be if tag.contested else None,
        }
    )


def _ids(record: AnyRecord) -> dict[str, object]:
    """Return all identifiers that queries can match, including those of other versions."""
    schemes = [scheme for scheme in Identifiers.SCHEMES if scheme in FIELDS]
    return _present({scheme: FIELDS[scheme].get(record) for scheme in schemes})


def _plain(record: AnyRecord) -> dict[str, object]:
    fields = ((field, field.values(record)) for field in RECORD_FIELDS if "site" in field.uses)
    return {f.name: values if f.many else values[0] for f, values in fields if values}


def _paper(paper: Paper) -> dict[str, object]:
    return _present(
        {
            **_plain(paper),
            "ids": _ids(paper),
            "urls": [link.url for link in paper.links],
            "tags": {axis: [_tag(tag) for tag in tags] for axis, tags in paper.tags.items() if tags},
            "measures": {name: fact.value for name, fact in paper.measures.items() if fact.value is not None},
        }
    )


def _exclusion(exclusion: Exclusion) -> dict[str, object]:
    return _present(
        {
            **_plain(exclusion),
            "ids": _ids(exclusion),
            "urls": [exclusion.url] if exclusion.url else None,
            "near": [near.model_dump(exclude_none=True) for near in exclusion.near_miss],
        }
    )
