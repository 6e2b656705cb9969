"""Rules on taxonomy.yaml (A): ids are unique, names are defined, and former versions of axes are valid."""

from collections.abc import Collection, Iterator
from datetime import timedelta

from awesome_cli.model.fields import FIELDS
from awesome_cli.model.taxonomy import Axis, AxisChange, Taxonomy
from awesome_cli.query.parser import JUDGED
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, rule, unknown_in, unparsed
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY, validated
from awesome_cli.text.grouping import repeated

Reference = tuple[Route, str, str | None, Collection[str]]
"""A reference to an entry: its route, the kind of entry, the name, and the valid names."""


@rule("A001", Level.ERROR)
def id_twice(corpus: Corpus) -> Iterator[Found]:
    """Two entries in one list of the taxonomy have the same id or code.

    Tags name a term by its id or its code. Rename or remove one of the two entries.
    """
    t = corpus.taxonomy
    yield from _twice(("axes",), "id", [axis.id for axis in t.axes])
    for i, axis in enumerate(t.axes):
        yield from _twice(("axes", i, "terms"), "id", [term.id for term in axis.terms])
        yield from _twice(("axes", i, "terms"), "code", [term.code for term in axis.terms])
        yield from _twice(("axes", i, "strengths"), "id", [strength.id for strength in axis.strengths])
    for name in ("stages", "reasons", "confidences", "grades", "measures"):
        yield from _twice((name,), "id", [entry.id for entry in getattr(t, name)])


def _twice(route: Route, field: str, names: list[str | None]) -> Iterator[Found]:
    for i, name in repeated(names):
        if name is not None:
            fix = f"rename or remove one of the two: {field}: {name}"
            yield Found(TAXONOMY, (*route, i, field), f"{field} {name!r} is used twice in {route[-1]}", fix)


@rule("A002", Level.ERROR)
def unknown_name(corpus: Corpus) -> Iterator[Found]:
    """The taxonomy refers to an unknown axis, term, strength, confidence or plot.

    References are `parent`, `deprecated` and `typical` of a term, `gap_strength` and `retired` of an axis, `measures`,
    `maps`, `crosstabs`, `readme`, the columns of `artifact`, `traces`, and `contested_from`.
    """
    t = corpus.taxonomy
    for references in (_in_axes(t), _in_terms(t), _in_measures(t), _in_maps(t), _in_readme(t), _in_traces(t)):
        for route, kind, name, known in references:
            if name is not None:
                yield from unknown_in(TAXONOMY, route, name, known, kind)


def _in_axes(t: Taxonomy) -> Iterator[Reference]:
    for i, axis in enumerate(t.axes):
        yield ("axes", i, "gap_strength"), "strength", axis.gap_strength, axis.strength_ids
        for j, entry in enumerate(axis.retired):
            yield ("axes", i, "retired", j, "use"), "strength", entry.use, axis.strength_ids
        for j, term in enumerate(axis.terms):
            successor = term.deprecated.use if term.deprecated else None
            yield ("axes", i, "terms", j, "parent"), "term", term.parent, axis.by_id
            yield ("axes", i, "terms", j, "deprecated", "use"), "term", successor, axis.by_id


def _in_terms(t: Taxonomy) -> Iterator[Reference]:
    for i, axis in enumerate(t.axes):
        for j, term in enumerate(axis.terms):
            for name, words in term.typical.items():
                route = ("axes", i, "terms", j, "typical", name)
                yield route, "axis", name, t.by_id
                for k, word in enumerate(words) if name in t.by_id else ():
                    yield (*route, k), "term", word, t.by_id[name].by_id


def _in_measures(t: Taxonomy) -> Iterator[Reference]:
    yield ("contested_from",), "grade", t.contested_from, t.grade_rank
    for i, measure in enumerate(t.measures):
        yield ("measures", i, "confidence_at_least"), "confidence", measure.confidence_at_least, t.confidence_rank


def _in_maps(t: Taxonomy) -> Iterator[Reference]:
    for i, names in enumerate(t.crosstabs):
        yield from ((("crosstabs", i, j), "axis", name, t.by_id) for j, name in enumerate(names))
    for i, pair in enumerate(t.maps):
        yield ("maps", i, "rows"), "axis", pair.rows, t.by_id
        yield ("maps", i, "columns"), "axis", pair.columns, t.by_id
        axes = [t.by_id.get(name or "") for name in (pair.rows, pair.columns)]
        for j, terms in enumerate(pair.impossible):
            for k, axis in enumerate(axes):
                if axis is not None:
                    yield ("maps", i, "impossible", j, k), "term", terms[k], axis.by_id


def _in_readme(t: Taxonomy) -> Iterator[Reference]:
    if t.readme is not None:
        yield ("readme", "group_by"), "axis", t.readme.group_by, t.by_id
        for name in ("badges", "tables", "gaps"):
            for i, axis in enumerate(getattr(t.readme, name)):
                yield ("readme", name, i), "axis", axis, t.by_id
    for table in ("papers", "exclusions") if t.artifact is not None else ():
        for i, column in enumerate(getattr(t.artifact, table)):
            yield ("artifact", table, i, "axis"), "axis", column.axis, t.by_id


def _in_traces(t: Taxonomy) -> Iterator[Reference]:
    for kind, axes in t.traces.items():
        for name, words in axes.items():
            yield ("traces", kind, name), "axis", name, t.by_id
            for word, term in words.items() if name in t.by_id else ():
                yield ("traces", kind, name, word), "term", term, t.by_id[name].by_id


@rule("A003", Level.ERROR)
def parent_cycle(corpus: Corpus) -> Iterator[Found]:
    """A term is its own ancestor.

    The chain of parents of a term must end at a term without `parent`.
    """
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, term in enumerate(axis.terms):
            seen: set[str] = set()
            parent = term.parent
            while parent is not None and parent in axis.by_id and parent not in seen:
                seen.add(parent)
                parent = axis.by_id[parent].parent
            if term.id in seen:
                message = f"term {term.id!r} is its own ancestor"
                yield Found(TAXONOMY, ("axes", i, "terms", j, "parent"), message, "remove one of the parents")


@rule("A004", Level.ERROR)
def bad_query(corpus: Corpus) -> Iterator[Found]:
    """A query in the taxonomy is not valid.

    `sparse.among`, `required_for` of an axis, and `counted` and `where` of a measure are queries. Try a query with
    `awesome list`; `awesome explain query` describes the language.
    """
    t = corpus.taxonomy
    queries: list[tuple[Route, str | None]] = [
        (("axes", i, "required_for"), a.required_for) for i, a in enumerate(t.axes)
    ]
    queries += [(("sparse", "among"), t.sparse.among)] if t.sparse.share is not None else []
    for i, measure in enumerate(t.measures):
        queries.append((("measures", i, "counted"), measure.counted))
        queries += [(("measures", i, "groups", j, "where"), group.where) for j, group in enumerate(measure.groups)]
    for route, text in queries:
        if text is not None:
            yield from unparsed(TAXONOMY, route, text, t)


@rule("A005", Level.ERROR)
def name_of_field(corpus: Corpus) -> Iterator[Found]:
    """The id of an axis or measure is already a name in the query language.

    A query could not tell the two apart. Choose another id; `awesome explain query` lists the fields.
    """
    t = corpus.taxonomy
    axes = [(("axes", i, "id"), axis.id) for i, axis in enumerate(t.axes)]
    measures = [(("measures", i, "id"), measure.id) for i, measure in enumerate(t.measures)]
    for route, name in (*axes, *measures):
        if name in (*FIELDS, JUDGED) or (route[0] == "measures" and name in t.by_id):
            yield Found(
                TAXONOMY, route, f"{name!r} is already the name of a field or an axis in queries", "choose another id"
            )


@rule("A006", Level.NOTE)
def no_definition(corpus: Corpus) -> Iterator[Found]:
    """A term has no definition.

    Without a definition, two coders would use the term differently. One sentence in `definition` is enough.
    """
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, term in enumerate(axis.terms):
            if not term.definition.strip():
                message = f"term {axis.id}={term.id} has no definition"
                yield Found(TAXONOMY, ("axes", i, "terms", j, "id"), message, "add 'definition: …'")


@rule("A007", Level.WARNING)
def unknown_record(corpus: Corpus) -> Iterator[Found]:
    """A term refers to an unknown record.

    `representatives` and `judged` of a term contain keys of papers; `awesome list` shows the keys.
    """
    known = {*corpus.by_key, *corpus.unread}
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, term in enumerate(axis.terms):
            for k, key in enumerate(term.representatives):
                yield from unknown_in(TAXONOMY, ("axes", i, "terms", j, "representatives", k), key, known, "record")
            for k, entry in enumerate(term.judged):
                yield from unknown_in(TAXONOMY, ("axes", i, "terms", j, "judged", k, "key"), entry.key, known, "record")


LASTING = ("id", "retired", "history")
"""Fields of an axis without former values."""


@rule("A008", Level.ERROR)
def bad_change(corpus: Corpus) -> Iterator[Found]:
    """The former fields of an axis are not valid.

    `was` of a change contains fields of the axis with their values before that date, in the present schema. It cannot
    contain `id`, `retired` or `history`. A change without `was` means that the axis did not exist before.
    """
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, change in enumerate(axis.history):
            yield from _misfits(axis, change, ("axes", i, "history", j, "was"))


def _misfits(axis: Axis, change: AxisChange, route: Route) -> Iterator[Found]:
    if change.was == {}:
        fix = "write the former values of fields; remove 'was' if the axis did not exist before"
        yield Found(TAXONOMY, route, "'was' is empty", fix)
    for name in [name for name in LASTING if name in (change.was or {})]:
        fix = "remove it; write former ids to 'former' of the axis" if name == "id" else "remove it"
        yield Found(
            TAXONOMY, (*route, name), f"'was' cannot contain {name!r}, which has no former values", fix, at_key=True
        )
    document = axis.fields_on(change.on - timedelta(days=1))
    for finding in validated(Axis, document, TAXONOMY, None)[1] if document is not None else ():
        # Other fields of that date come from other changes, which have their own findings.
        if finding.route[0] in (change.was or {}) and finding.route[0] not in LASTING:
            message = f"axis {axis.id!r} as it was before {change.on}: {finding.message}"
            yield Found(TAXONOMY, (*route, *finding.route), message, finding.fix, at_key=finding.at_key)
