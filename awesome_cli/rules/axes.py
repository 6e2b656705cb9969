"""Rules on taxonomy.yaml itself: its ids are unique and everything it names exists."""

from collections.abc import Iterable, Iterator

from awesome_cli.errors import UsageError
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.taxonomy import Taxonomy, did_you_mean, nearest
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
from awesome_cli.survey.corpus import Corpus

PATH = "taxonomy.yaml"
Route = tuple[str | int, ...]


def _fault(code: str, route: Route, message: str, fix: str | None = None) -> Fault:
    return Fault(code, PATH, route, message, fix)


def id_twice(corpus: Corpus) -> Iterator[Fault]:
    """An id or a code stands twice in a list of the taxonomy."""
    t = corpus.taxonomy
    yield from _twice(("axes",), "id", [axis.id for axis in t.axes])
    for i, axis in enumerate(t.axes):
        yield from _twice(("axes", i, "terms"), "id", [term.id for term in axis.terms])
        yield from _twice(("axes", i, "terms"), "code", [term.code for term in axis.terms])
        yield from _twice(("axes", i, "strengths"), "id", [strength.id for strength in axis.strengths])
    for name in ("stages", "reasons", "confidences", "grades", "measures"):
        yield from _twice((name,), "id", [entry.id for entry in getattr(t, name)])


def _twice(route: Route, field: str, names: list[str | None]) -> Iterator[Fault]:
    for i, name in enumerate(names):
        if name is not None and name in names[:i]:
            fix = f"rename or remove one of the two: {field}: {name}"
            yield _fault("A001", (*route, i, field), f"{field} {name!r} stands twice in {route[-1]}", fix)


def unknown_name(corpus: Corpus) -> Iterator[Fault]:
    """The taxonomy names an axis, term, strength or confidence that it does not define.

    Parents, successors of retired terms, `gap_strength`, `maps`, `readme`, `measures`, the artifact's columns and
    the mapping of traces all refer to other entries.
    """
    t = corpus.taxonomy
    for i, axis in enumerate(t.axes):
        if axis.gap_strength is not None:
            yield from _known(("axes", i, "gap_strength"), "strength", axis.gap_strength, axis.rank)
        for j, term in enumerate(axis.terms):
            if term.parent is not None:
                yield from _known(("axes", i, "terms", j, "parent"), "term", term.parent, axis.by_id)
            if term.deprecated is not None:
                place = ("axes", i, "terms", j, "deprecated", "use")
                yield from _known(place, "term", term.deprecated.use, axis.by_id)
    for i, measure in enumerate(t.measures):
        if measure.confidence_at_least is not None:
            spot = ("measures", i, "confidence_at_least")
            yield from _known(spot, "confidence", measure.confidence_at_least, t.confidence_rank)
    for route, axis_id in _named_axes(t):
        yield from _known(route, "axis", axis_id, t.by_id)
    yield from _map_terms(t)


def _named_axes(t: Taxonomy) -> Iterator[tuple[Route, str]]:
    """Every place outside `axes` that names an axis."""
    for i, pair in enumerate(t.maps):
        yield ("maps", i, "rows"), pair.rows
        if pair.columns is not None:
            yield ("maps", i, "columns"), pair.columns
    if t.readme is not None:
        yield ("readme", "group_by"), t.readme.group_by
        for name in ("badges", "tables", "gaps"):
            for i, axis_id in enumerate(getattr(t.readme, name)):
                yield ("readme", name, i), axis_id
    if t.artifact is not None:
        for table in ("papers", "exclusions"):
            for i, column in enumerate(getattr(t.artifact, table)):
                if column.axis is not None:
                    yield ("artifact", table, i, "axis"), column.axis


def _map_terms(t: Taxonomy) -> Iterator[Fault]:
    for i, pair in enumerate(t.maps):
        for j, terms in enumerate(pair.impossible):
            for k, axis_id in enumerate((pair.rows, pair.columns)):
                if axis_id is not None and axis_id in t.by_id:
                    yield from _known(("maps", i, "impossible", j, k), "term", terms[k], t.by_id[axis_id].by_id)
    for kind, axes in t.traces.items():
        for axis_id, words in axes.items():
            yield from _known(("traces", kind, axis_id), "axis", axis_id, t.by_id)
            if axis_id in t.by_id:
                for word, term in words.items():
                    yield from _known(("traces", kind, axis_id, word), "term", term, t.by_id[axis_id].by_id)


def _known(route: Route, what: str, name: str, names: Iterable[str]) -> Iterator[Fault]:
    known = list(names)
    if name not in known:
        close = nearest(name, known)
        fix = f"write {close!r}" if close else f"one of: {', '.join(known)}"
        yield _fault("A002", route, f"there is no {what} {name!r}{did_you_mean(name, known)}", fix)


def parent_cycle(corpus: Corpus) -> Iterator[Fault]:
    """Terms are each other's parents: going up from a term must end."""
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, term in enumerate(axis.terms):
            seen: set[str] = set()
            parent = term.parent
            while parent is not None and parent in axis.by_id and parent not in seen:
                seen.add(parent)
                parent = axis.by_id[parent].parent
            if term.id in seen:
                message = f"term {term.id!r} is above itself"
                yield _fault("A003", ("axes", i, "terms", j, "parent"), message, "remove one of the parents")


def bad_query(corpus: Corpus) -> Iterator[Fault]:
    """A query in the taxonomy cannot be understood (`required_for`, `counted`, `where`)."""
    t = corpus.taxonomy
    queries: list[tuple[Route, str]] = []
    for i, axis in enumerate(t.axes):
        if axis.required_for is not None:
            queries.append((("axes", i, "required_for"), axis.required_for))
    for i, measure in enumerate(t.measures):
        queries.append((("measures", i, "counted"), measure.counted))
        queries += [(("measures", i, "groups", j, "where"), group.where) for j, group in enumerate(measure.groups)]
    for route, text in queries:
        try:
            parse(text, t)
        except UsageError as error:
            yield _fault("A004", route, error.message, error.hint)


def shadowed(corpus: Corpus) -> Iterator[Fault]:
    """An axis or a measure is called like a field of the query language, so that no query could ask for the field."""
    t = corpus.taxonomy
    axes = [(("axes", i, "id"), axis.id) for i, axis in enumerate(t.axes)]
    measures = [(("measures", i, "id"), measure.id) for i, measure in enumerate(t.measures)]
    for route, name in (*axes, *measures):
        if name in FIELDS or (route[0] == "measures" and name in t.by_id):
            yield _fault("A005", route, f"{name!r} is the name of a field or axis in queries", "choose another id")


def no_definition(corpus: Corpus) -> Iterator[Fault]:
    """A term has no definition: two people would code it differently."""
    for i, axis in enumerate(corpus.taxonomy.axes):
        for j, term in enumerate(axis.terms):
            if not term.definition.strip():
                message = f"term {axis.id}={term.id} has no definition"
                yield _fault("A006", ("axes", i, "terms", j, "id"), message, "add 'definition: …'")


RULES: tuple[Rule, ...] = (
    rule("A001", Level.ERROR, id_twice),
    rule("A002", Level.ERROR, unknown_name),
    rule("A003", Level.ERROR, parent_cycle),
    rule("A004", Level.ERROR, bad_query),
    rule("A005", Level.ERROR, shadowed),
    rule("A006", Level.NOTE, no_definition),
)
