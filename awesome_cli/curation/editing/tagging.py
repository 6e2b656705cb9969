"""`tag`: code a work with terms of the taxonomy, with strength and evidence.

`taste=sour:measured:part` becomes `TagRequest(taste, "sour", "measured", part=True)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from awesome_cli.errors import UsageError
from awesome_cli.files import canonical
from awesome_cli.model.codings import AGAINST, Contest, Direction, Revision, Tag, on_axis, split_axis, which_axis
from awesome_cli.model.identifiers import OTHER_URL
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.query.parser import without_strengths
from awesome_cli.text.known import refuse_placeholder, require_known


class NotTaggedError(UsageError):
    """A tag to remove does not exist."""


Removal = tuple[str, str | None]
"""An axis and a term on it; None means all of its terms."""


@dataclass(frozen=True, slots=True)
class TagRequest:
    """A parsed `axis=term:strength:part`; without a term, the whole axis."""

    axis: Axis
    term: str | None
    strength: str | None
    part: bool = False


@dataclass(frozen=True, slots=True)
class Grounds:
    """The evidence of a tag, its source, the confidence, a contest, a quote, and the direction of the evidence.

    `anew` means that new evidence or a new quote also replaces the source and the confidence.
    """

    evidence: str | None = None
    source: str | None = None
    confidence: str | None = None
    contested: Contest | None = None
    quote: str | None = None
    direction: Direction | None = None
    anew: bool = False

    def fields(self) -> dict[str, object]:
        """Return the fields that are set."""
        names = ("evidence", "direction", "quote", "source", "confidence", "contested")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def read_requests(texts: Sequence[str], taxonomy: Taxonomy) -> tuple[TagRequest, ...]:
    """Parse `AXIS=TERM[:STRENGTH][:part][,…]`, or `TERM` if it is on one axis only; codes of terms work, too.

    Raises `UsageError` for an axis without a term, and for an unknown or retired axis, term or strength, with the
    closest match or the successor.
    """
    return tuple(request for text in texts for request in _requests(text, taxonomy))


def _requests(text: str, taxonomy: Taxonomy) -> list[TagRequest]:
    name, values = split_axis(text)
    if values is None:
        if name in taxonomy.by_id:
            raise UsageError(
                f"{name!r} needs a term: {name}=TERM", hint=f"to empty the axis: awesome tag KEY {name} --remove"
            )
        word = Tag.parse(name).term
        axes = taxonomy.axes_with(word)
        if not axes:
            raise taxonomy.unknown_term(word)
        if len(axes) != 1:
            raise UsageError(f"{text!r} is not a valid AXIS=TERM", hint=which_axis(axes, name))
        name, values = axes[0], text
    axis = taxonomy.axis(name)
    return [_request(axis, value.strip()) for value in values.split(",")]


def _request(axis: Axis, value: str) -> TagRequest:
    if value == NA:
        return TagRequest(axis, None, None)
    parsed = Tag.parse(value)
    term = axis.term(parsed.term, to_give=True).id
    if parsed.strength:
        require_strength(axis, parsed.strength)
    return TagRequest(axis, term, parsed.strength, parsed.part)


def require_strength(axis: Axis, word: str) -> None:
    """Raise `UsageError` for a strength that is unknown or retired on an axis."""
    retired = next((entry for entry in axis.retired if entry.id == word), None)
    if retired is not None:
        stronger = [strength for strength in axis.strength_ids if axis.rank[strength] >= axis.rank[word]]
        message = f"the strength {word!r} of axis {axis.id!r} was retired on {retired.on}"
        raise UsageError(message, hint=f"write {' or '.join(stronger)}; 'awesome explain {axis.id}' defines them")
    require_known(word, axis.strength_ids, "strength", owner=f"axis {axis.id!r}", hint=without_strengths(axis))


def read_terms(text: str, taxonomy: Taxonomy) -> tuple[Axis, tuple[str, ...]]:
    """Parse `AXIS=TERM[,…]` into axis and terms (none for `AXIS`); raises `UsageError` for unknown ones."""
    name, terms = split_axis(text)
    axis = taxonomy.axis(name)
    words = terms.split(",") if terms is not None else ()
    return axis, tuple(dict.fromkeys(axis.term(word.strip(), to_give=True).id for word in words))


def tag(work: AnyWork, requests: Sequence[TagRequest], grounds: Grounds, taxonomy: Taxonomy) -> AnyWork:
    """Return the work with tags added; on an axis of kind `one` a main coding replaces the main one.

    An existing tag keeps the values that are not given; its contest stays only with the same term, strength and role.
    If the axis was in `not_coded`, the tag inherits the evidence of the split term. Raises `UsageError` for an unknown
    confidence, for two terms on an axis of kind `one`, and if parts would remain without a main coding.
    """
    return tag_each(work, [(request, grounds) for request in requests], taxonomy)


def tag_each(work: AnyWork, codings: Sequence[tuple[TagRequest, Grounds]], taxonomy: Taxonomy) -> AnyWork:
    """Return the work with tags added at once as by `tag`, each on its own grounds."""
    main: dict[str, TagRequest] = {}
    before = work
    # Parts first: a term that becomes a part keeps its evidence when another one takes its place.
    for request, grounds in sorted(codings, key=lambda coding: not coding[0].part and coding[0].term is not None):
        check_grounds(grounds, taxonomy)
        axis = request.axis.id
        first = request if request.part else main.setdefault(axis, request)
        if request.axis.kind == "one" and first.term != request.term:
            message = f"axis {axis!r} takes one term, got {first.term or NA!r} and {request.term or NA!r}"
            raise UsageError(message, hint=f"choose one: {axis}=TERM")
        work = _tagged(work, request, grounds)
    for request, _ in codings:
        axis = request.axis.id
        if request.part and before.tags_on(axis) and work.parts_on(axis) and not work.tags_on(axis):
            raise UsageError(
                f"{axis}={request.term} is the only main coding of {work.key} on this axis and cannot become a part",
                hint=f"give another main coding in the same command: {axis}={request.term}:part {axis}=TERM",
            )
    return work


def check_grounds(grounds: Grounds, taxonomy: Taxonomy) -> None:
    """Raise `UsageError` for a placeholder and for an unknown confidence."""
    for name, value in grounds.fields().items():
        refuse_placeholder(name, str(value))
    if OTHER_URL.match(grounds.source or ""):
        raise UsageError(f"{grounds.source!r} is not a valid URL", hint="write https://… or an identifier")
    if grounds.confidence and taxonomy.confidences:
        require_known(grounds.confidence, taxonomy.confidence_rank, "confidence")


def _tagged(work: AnyWork, request: TagRequest, grounds: Grounds) -> AnyWork:
    axis = request.axis
    if request.term is None:
        return untag(work, [(axis.id, None)])
    have: tuple[Tag, ...] = work.tags.get(axis.id, ())
    old: Tag | None = next((t for t in have if t.term == request.term), None) or _inherited(work, axis, request.term)
    given = grounds.fields() | ({"strength": request.strength} if request.strength else {}) | {"part": request.part}
    if grounds.anew and (grounds.evidence or grounds.quote):
        given = {"source": None, "confidence": None} | given
    new = old.model_copy(update=given) if old else Tag.model_validate({"term": request.term, **given})
    if old and str(old) != str(new) and grounds.contested is None:
        new = new.model_copy(update={"contested": None, "as_published": False})
    if (grounds.evidence or grounds.source) and grounds.quote is None:
        # A passage belongs to the evidence for which it was quoted.
        new = new.model_copy(update={"quote": None})
    if (grounds.evidence or grounds.quote) and grounds.direction is None:
        new = new.model_copy(update={"direction": "for", "as_published": False})
    if grounds.direction == AGAINST and not (new.evidence or new.quote):
        raise UsageError(f"{on_axis(axis.id, new)} of {work.key} has no evidence", hint="add --evidence TEXT")
    kept = [t for t in have if t.term == new.term or t.part or new.part or axis.kind != "one"]
    tags = [new if t.term == new.term else t for t in kept]
    if old not in have or old.part != new.part:
        place = {term.id: i for i, term in enumerate(axis.terms)}
        tags = sorted(tags if old in have else [*tags, new], key=lambda t: (t.part, place.get(t.term, len(place))))
    waiting = tuple(name for name in work.not_coded if name != axis.id)
    return work.model_copy(update={"tags": {**work.tags, axis.id: tuple(tags)}, "not_coded": waiting})


def _inherited(work: AnyWork, axis: Axis, term: str) -> Tag | None:
    """Return the tag that a split removed, with the new term, if the work waits to be coded again."""
    parent = axis.by_id[term].parent
    if axis.id not in work.not_coded or parent is None:
        return None
    field = f"tags.{axis.id}"
    was = next((r.was for r in reversed(work.history) if r.field == field), None)
    entries = was if isinstance(was, list | tuple) else [was]
    former = next((e for e in entries if isinstance(e, dict) and e.get("term") == parent), None)
    # A contest of the old term does not apply to the new one.
    return Tag.model_validate({**former, "term": term, "contested": None}) if former else None


def read_removals(texts: Sequence[str], work: AnyWork, taxonomy: Taxonomy) -> tuple[Removal, ...]:
    """Parse tags to remove, `AXIS=TERM[,…]` or `AXIS`; they may be unknown to the taxonomy if the work has them."""
    removals: list[Removal] = []
    for text in texts:
        axis, rest = split_axis(text)
        terms = rest.split(",") if rest is not None else (None,)
        if terms == (None,) and axis in taxonomy.by_id:
            removals.append((axis, None))
        elif axis in work.tags and {*terms} <= {None, *(tag.term for tag in work.tags[axis])}:
            removals += [(axis, term) for term in terms]
        else:
            removals += [(request.axis.id, request.term) for request in read_requests([text], taxonomy)]
    return tuple(removals)


def untag(work: AnyWork, removals: Sequence[Removal]) -> AnyWork:
    """Return the work without tags; a term None empties its axis. Raises `NotTaggedError` for a tag it lacks."""
    tags = dict(work.tags)
    for axis, term in removals:
        remaining = tuple(t for t in tags.get(axis, ()) if term is not None and t.term != term)
        if len(remaining) == len(tags.get(axis, ())):
            what = on_axis(axis, term) if term else axis
            have = ", ".join(str(t) for t in tags.get(axis, ())) or "nothing"
            raise NotTaggedError(f"{work.key} is not tagged {what}", hint=f"the record's coding on {axis} is {have}")
        tags[axis] = remaining
    return work.model_copy(update={"tags": {axis: remaining for axis, remaining in tags.items() if remaining}})


def coding(work: AnyWork) -> dict[str, object]:
    """Return the codings of a record by field path, as in its file."""
    document = work.model_dump(exclude_defaults=True)
    fields = {f"{name}.{key}": value for name in ("tags", "measures") for key, value in document.get(name, {}).items()}
    return fields | ({"not_coded": work.not_coded} if work.not_coded else {})


def with_history(before: AnyWork, after: AnyWork, revision: Revision) -> AnyWork:
    """Return `after` with each differing coding of `before` in its history, for the pool of earlier days.

    `revision` has the day, author and reason; field and value are filled in for each change.
    """
    old: dict[str, object] = coding(before)
    new: dict[str, object] = coding(after)
    changed = [field for field in (*old, *(f for f in new if f not in old)) if old.get(field) != new.get(field)]
    entries = [
        revision.model_copy(update={"field": field, "was": canonical.texts(old.get(field))})  # as it is read back
        for field in changed
    ]
    return after.model_copy(update={"history": (*after.history, *entries)})
