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
from awesome_cli.model.codings import Tag
from awesome_cli.model.fields import FIELDS, RECORD_FIELDS
from awesome_cli.model.records import AnyRecord, Exclusion, Paper
from awesome_cli.model.taxonomy import LISTED, Axis, Named, Taxonomy
from awesome_cli.publish.site.index import SHARD, index, names, packed, steps, vocabulary
from awesome_cli.publish.site.page import SitePage
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.readings import read_as
from awesome_cli.text.inert import to_json

SURVEY, INDEX, NEAR, WAITING = "data/survey.js", "data/index.js", "data/near.js", "data/waiting.js"
SCRIPTS = (SURVEY, INDEX, *(f"assets/{name}.js" for name in ("data", "view", "gaps", "fold", "words")))
"""The scripts of pages with records to search."""
STATE = ("value", "word", "sentence", "pattern", "lacks", "steps")
"""The fields of a gap state that the scripts use."""
SHOWN = ("key", "title", "authors", "year", "venue", "note", "stage", "reason", "source", "query_family", "screened")
"""The fields of papers and exclusions that the scripts show."""


def data_pages(corpus: Corpus, *, base: str | None) -> Iterator[SitePage]:
    """Yield the data files of the site's scripts; `base` is the URL of the site, for citing a view.

    Pages load the first files at once; assets/data.js loads the others on demand.
    """
    papers = corpus.papers
    yield SitePage(SURVEY, script("survey", survey(corpus) | {"base": base}))
    yield SitePage(INDEX, script("index", index(papers, corpus.taxonomy)))
    misses = [(e, near.model_dump(exclude_none=True)) for e in corpus.exclusions for near in e.near_miss]
    yield SitePage(NEAR, script("survey.near", [{"key": e.key, "title": e.title, **near} for e, near in misses]))
    pools = _readings(corpus)
    yield SitePage(WAITING, script("survey.waiting", _waiting(corpus) | {"sets": _sets(corpus, pools)}))
    yield SitePage("data/names.js", script("names", names(papers)))
    read = {name: pool.papers for name, pool in pools.items()}
    yield SitePage("data/words-papers.js", script("vocabulary.papers", vocabulary(papers, read)))
    yield SitePage("data/words-exclusions.js", script("vocabulary.exclusions", vocabulary(corpus.exclusions)))
    yield SitePage("data/exclusions.js", script("exclusions", [_exclusion(e) for e in corpus.exclusions]))
    for i, start in enumerate(range(0, len(papers), SHARD)):
        shard = [_paper(paper) for paper in papers[start : start + SHARD]]
        yield SitePage(f"data/papers-{i}.js", script(f"shards[{i}]", shard))


def _readings(corpus: Corpus) -> dict[str, Corpus]:
    """Return the corpus in each reading, by side and grade."""
    readings = (ContestReading(side, grade) for side in Side for grade in corpus.taxonomy.grade_rank)
    return {f"{reading.side} {reading.grade}": read_as(corpus, reading) for reading in readings}


def _sets(corpus: Corpus, pools: Mapping[str, Corpus]) -> dict[str, dict[str, str]]:
    """Return the sets of papers that queries of the taxonomy select, as packed steps of their indexes.

    `coded AXIS` and `uncoded AXIS` are the papers (not) coded on an axis, `few` those of which a sparse cell has a
    share. Sets of all papers are omitted, and readings with the sets of the corpus as coded (the reading `""`).
    """
    coded = dict(_selected(corpus))
    read = {name: dict(_selected(pool)) for name, pool in pools.items()}
    return {"": coded} | {name: sets for name, sets in read.items() if sets != coded}


def _selected(corpus: Corpus) -> Iterator[tuple[str, str]]:
    axes = corpus.taxonomy.axes
    sets = {f"coded {axis.id}": corpus.coded_on(axis) for axis in axes}
    sets |= {f"uncoded {axis.id}": corpus.uncoded.get(axis.id, frozenset()) for axis in axes}
    sets["few"] = frozenset(paper.key for paper in corpus.select(corpus.taxonomy.sparse.among))
    for name, keys in sets.items():
        if len(keys) < len(corpus.papers):
            yield name, packed(steps(i for i, paper in enumerate(corpus.papers) if paper.key in keys))


def script(name: str, value: object) -> str:
    """Return a classic script that sets `awesome.NAME`; `JSON.parse` is faster than a literal for megabytes."""
    text = to_json(value, separators=(",", ":"), sort_keys=True, default=str)
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"window.awesome = window.awesome || {{}};\nawesome.{name} = JSON.parse('{quoted}');\n"


def survey(corpus: Corpus) -> dict[str, Any]:
    """Return the vocabulary, gap states and default maps."""
    taxonomy = corpus.taxonomy
    return {
        "title": taxonomy.survey.title,
        "authors": taxonomy.survey.authors,
        "url": taxonomy.survey.url,
        "day": corpus.last_day,
        "recoded": corpus.recoded,
        "texts": [name for name, field in FIELDS.items() if field.kind == "text"],
        "few": taxonomy.sparse.model_dump(exclude_none=True),
        "axes": [_axis(axis) for axis in taxonomy.axes],
        **{name: _named(getattr(taxonomy, name)) for name in ("stages", "reasons", "confidences", "grades")},
        "contested_from": taxonomy.contested_from or next(iter(taxonomy.grade_rank), ""),
        "maps": [pair.model_dump(exclude_none=True) for pair in taxonomy.maps],
        "facets": facets(taxonomy),
        "beside": {"exclusions": len(corpus.exclusions), "candidates": len(corpus.candidates)},
        "badges": badges(taxonomy),
        "any": ANY,
        "states": [_state(state) for state in STATES],
        "interest": REASONS,
        "impossible": NOT_APPLICABLE.value,
        "undetermined": UNKNOWN.value,
    }


def _waiting(corpus: Corpus) -> dict[str, Any]:
    """Return candidates not proposed for exclusion: key, title, and indexes of their main codings in `codings`.

    `agreement` has the sentences on second codings, by axis.
    """
    places: dict[tuple[str, str, str | None], int] = {}
    works: list[tuple[str, str, list[int]]] = []
    for work in corpus.candidates:
        tags = [(axis, tag.term, tag.strength) for axis, coded in work.tags.items() for tag in coded if not tag.part]
        if work.proposal != "exclude" and tags:
            works.append((work.key, work.title, [places.setdefault(tag, len(places)) for tag in tags]))
    agreement = {axis: list(agreement_sentences(corpus, axis)) for axis in corpus.taxonomy.by_id}
    return {"codings": list(places), "works": works, "agreement": agreement}


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


def _plain(record: AnyRecord) -> dict[str, object]:
    fields = ((field, field.values(record)) for field in RECORD_FIELDS if field.name in SHOWN)
    return {f.name: values if f.many else values[0] for f, values in fields if values}


def _paper(paper: Paper) -> dict[str, object]:
    return _present(
        {
            **_plain(paper),
            "tags": {axis: [_tag(tag) for tag in tags] for axis, tags in paper.tags.items() if tags},
        }
    )


def _exclusion(exclusion: Exclusion) -> dict[str, object]:
    return _present(
        {
            **_plain(exclusion),
            "urls": [exclusion.url] if exclusion.url else None,
            "near": [near.model_dump(exclude_none=True) for near in exclusion.near_miss],
        }
    )
