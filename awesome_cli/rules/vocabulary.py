"""Rules on tags: every word that a record uses must be one that the taxonomy defines."""

from collections.abc import Iterable, Iterator

from awesome_cli.model.codings import Tag
from awesome_cli.model.records import AnyRecord, AnyWork, Candidate
from awesome_cli.model.taxonomy import Axis, Named, did_you_mean, nearest
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
from awesome_cli.survey.corpus import Corpus

Place = tuple[AnyWork, Axis, int, Tag]


def _tags(corpus: Corpus) -> Iterator[Place]:
    """Every tag on a known axis."""
    axes = corpus.taxonomy.by_id
    for work in corpus.works:
        for axis_id, tags in work.tags.items():
            axis = axes.get(axis_id)
            if axis is not None:
                for i, tag in enumerate(tags):
                    yield work, axis, i, tag


def _tag_fault(code: str, place: Place, message: str, fix: str | None, field: str = "term") -> Fault:
    work, axis, i, _ = place
    return Fault(code, work.path, ("tags", axis.id, i, field), message, fix, work.key)


def unknown_axis(corpus: Corpus) -> Iterator[Fault]:
    """An axis is unknown.

    A tag, a `not_coded` mark or a near-miss names an axis that taxonomy.yaml does not define.
    """
    axes = corpus.taxonomy.by_id
    for work in corpus.works:
        for axis in work.tags.keys() - axes.keys():
            yield Fault(
                "V001",
                work.path,
                ("tags", axis),
                f"unknown axis {axis!r}{did_you_mean(axis, axes)}",
                _renamed(axis, nearest(axis, axes)),
                work.key,
                at_key=True,
            )
        for i, axis in enumerate(work.not_coded):
            if axis not in axes:
                message = f"not_coded names the unknown axis {axis!r}{did_you_mean(axis, axes)}"
                yield Fault("V001", work.path, ("not_coded", i), message, _renamed(axis, nearest(axis, axes)), work.key)
    for exclusion in corpus.exclusions:
        for i, near in enumerate(exclusion.near_miss):
            if near.axis not in axes:
                message = f"unknown axis {near.axis!r}{did_you_mean(near.axis, axes)}"
                fix = _renamed(near.axis, nearest(near.axis, axes))
                yield Fault("V001", exclusion.path, ("near_miss", i, "axis"), message, fix, exclusion.key)


def _renamed(word: str, known: str | None) -> str:
    return f"write {known!r} instead of {word!r}" if known else "define it in taxonomy.yaml, or remove it"


def unknown_term(corpus: Corpus) -> Iterator[Fault]:
    """A term is unknown.

    A tag or a near-miss uses a term that its axis does not have. Analyses go on without the tag and say so.
    """
    for place in _tags(corpus):
        work, axis, _, tag = place
        if tag.term not in axis.by_id:
            close = nearest(tag.term, axis.by_id)
            old = "" if axis.kind == "one" else f" && awesome tag {work.key} --remove {axis.id}={tag.term}"
            fix = f"awesome tag {work.key} {axis.id}={close or 'TERM'}{old}"
            message = f"{axis.id} has no term {tag.term!r}{did_you_mean(tag.term, axis.by_id)}"
            if successor := axis.successor(tag.term):
                message, fix = f"{axis.id}={tag.term} is now called {successor!r}", "awesome taxonomy migrate"
            yield _tag_fault("V002", place, message, fix)
    axes = corpus.taxonomy.by_id
    for exclusion in corpus.exclusions:
        for i, near in enumerate(exclusion.near_miss):
            if near.axis in axes and near.term not in (terms := axes[near.axis].by_id):
                message = f"{near.axis} has no term {near.term!r}{did_you_mean(near.term, terms)}"
                fix = _renamed(near.term, nearest(near.term, terms))
                yield Fault("V002", exclusion.path, ("near_miss", i, "term"), message, fix, exclusion.key)


def strength(corpus: Corpus) -> Iterator[Fault]:
    """A strength is missing, unknown, or stands where the axis has none.

    An axis with a strength scale wants one on each of its tags; other axes have nothing to say about strength.
    """
    for place in _tags(corpus):
        work, axis, _, tag = place
        if tag.strength is None and axis.strengths:
            known = "|".join(axis.rank)
            fix = f"awesome tag {work.key} {axis.id}={tag.term}:{known}"
            yield _tag_fault("V003", place, f"{axis.id}={tag.term} lacks its strength", fix)
        elif tag.strength is not None and tag.strength not in axis.rank:
            close = nearest(tag.strength, axis.rank)
            fix = f"awesome tag {work.key} {axis.id}={tag.term}:{close}" if close else "remove the strength"
            message = f"{axis.id} has no strength {tag.strength!r}{did_you_mean(tag.strength, axis.rank)}"
            yield _tag_fault("V003", place, message, fix, "strength")


def retired_term(corpus: Corpus) -> Iterator[Fault]:
    """A term is retired.

    The taxonomy keeps the term so that old records stay readable, and names its successor.
    """
    for place in _tags(corpus):
        work, axis, _, tag = place
        term = axis.by_id.get(tag.term)
        if term is not None and term.deprecated is not None:
            use, on = term.deprecated.use, term.deprecated.on
            message = f"{axis.id}={tag.term} was retired on {on}; use {use!r}"
            yield _tag_fault("V004", place, message, f"awesome tag {work.key} {axis.id}={use}")


def required_axis(corpus: Corpus) -> Iterator[Fault]:
    """A required axis has no term.

    `required_for` of the axis is a query; papers that match it must be coded, or say `not_coded`.
    """
    for axis in corpus.taxonomy.axes:
        if axis.required_for is None:
            continue
        query = parse(axis.required_for, corpus.taxonomy)
        for paper in corpus.papers:
            if not paper.tags.get(axis.id) and axis.id not in paper.not_coded and query.matches(paper):
                some = "|".join(term.id for term in axis.leaves[:6])
                message = f"axis {axis.id!r} is required and has no term"
                yield Fault(
                    "V005", paper.path, ("tags",), message, f"awesome tag {paper.key} {axis.id}={some}", paper.key
                )


def too_many(corpus: Corpus) -> Iterator[Fault]:
    """Several terms stand on an axis that takes one, or one term stands twice."""
    for work in corpus.works:
        for axis_id, tags in work.tags.items():
            axis = corpus.taxonomy.by_id.get(axis_id)
            terms = [tag.term for tag in tags]
            if axis is not None and axis.kind == "one" and len(tags) > 1:
                message = f"{axis_id} takes one term, not {len(tags)}: {', '.join(terms)}"
                fix = f"awesome tag {work.key} {axis_id}={terms[0]}"
                yield Fault("V006", work.path, ("tags", axis_id), message, fix, work.key)
            elif len(set(terms)) < len(terms):
                i = next(i for i, term in enumerate(terms) if term in terms[:i])
                message = f"{axis_id}={terms[i]} stands twice"
                yield Fault("V006", work.path, ("tags", axis_id, i), message, "remove one of the two", work.key)


def unknown_measure(corpus: Corpus) -> Iterator[Fault]:
    """A measure is unknown: taxonomy.yaml does not declare it."""
    known = {measure.id for measure in corpus.taxonomy.measures}
    for work in corpus.works:
        for name in work.measures.keys() - known:
            message = f"unknown measure {name!r}{did_you_mean(name, known)}"
            fix = _renamed(name, nearest(name, known))
            yield Fault("V007", work.path, ("measures", name), message, fix, work.key, at_key=True)


def unknown_word(corpus: Corpus) -> Iterator[Fault]:
    """A stage, reason, grade or confidence is unknown: taxonomy.yaml does not list it."""
    taxonomy = corpus.taxonomy
    confidences, grades = _ids(taxonomy.confidences), _ids(taxonomy.grades)
    for exclusion in corpus.exclusions:
        screening = exclusion.screening
        yield from _word(exclusion, ("screening", "stage"), screening.stage, taxonomy.stages)
        yield from _word(exclusion, ("screening", "reason"), screening.reason, taxonomy.reasons)
    for place in _tags(corpus):
        work, axis, i, tag = place
        route = ("tags", axis.id, i)
        if tag.confidence is not None and tag.confidence not in confidences:
            yield from _word(work, (*route, "confidence"), tag.confidence, taxonomy.confidences)
        if tag.contested is not None and tag.contested.grade not in grades:
            yield from _word(work, (*route, "contested", "grade"), tag.contested.grade, taxonomy.grades)
    for work in corpus.works:
        for name, fact in work.measures.items():
            if fact.confidence is not None:
                yield from _word(work, ("measures", name, "confidence"), fact.confidence, taxonomy.confidences)
    for candidate in corpus.candidates:
        yield from _proposal(candidate, corpus)


def _proposal(candidate: Candidate, corpus: Corpus) -> Iterator[Fault]:
    for name, entries in (
        ("stage", corpus.taxonomy.stages),
        ("reason", corpus.taxonomy.reasons),
        ("confidence", corpus.taxonomy.confidences),
    ):
        word = getattr(candidate, name)
        if word is not None:
            yield from _word(candidate, (name,), word, entries)


def _ids(entries: Iterable[Named]) -> set[str]:
    return {entry.id for entry in entries}


def _word(record: AnyRecord, route: tuple[str | int, ...], word: str, entries: tuple[Named, ...]) -> Iterator[Fault]:
    known = [entry.id for entry in entries]
    if word not in known:
        close = nearest(word, known)
        path = ".".join(str(step) for step in route)
        fix = f"awesome set {record.key} {path}={close or '|'.join(known)}"
        message = f"unknown {route[-1]} {word!r}{did_you_mean(word, known)}"
        yield Fault("V008", record.path, route, message, fix, record.key)


def parent_tagged(corpus: Corpus) -> Iterator[Fault]:
    """A parent term is given where one of its children would say more.

    Counts at leaf level do not see the tag; only the parent's own total does.
    """
    for place in _tags(corpus):
        work, axis, _, tag = place
        if tag.term in axis.parents:
            children = "|".join(term.id for term in axis.terms if term.parent == tag.term)
            message = f"{axis.id}={tag.term} has finer terms: {children}"
            yield _tag_fault("V009", place, message, f"awesome tag {work.key} {axis.id}={children}")


def coded_and_not(corpus: Corpus) -> Iterator[Fault]:
    """An axis is both coded and marked `not_coded`."""
    for work in corpus.works:
        for i, axis in enumerate(work.not_coded):
            if work.tags.get(axis):
                message = f"{axis} has tags and stands under not_coded"
                yield Fault("V010", work.path, ("not_coded", i), message, f"remove {axis!r} from not_coded", work.key)


def no_evidence(corpus: Corpus) -> Iterator[Fault]:
    """A tag that closes a gap has no evidence.

    On an axis with `gap_strength`, a tag at that strength or above is what the survey's claims rest on; a reader
    must be able to see why it was given.
    """
    for place in _tags(corpus):
        work, axis, _, tag = place
        if axis.gap_strength is not None and axis.counts_at(tag.strength) and not tag.evidence:
            message = f"{axis.id}={tag.term}:{tag.strength} has no evidence"
            fix = f"awesome tag {work.key} {axis.id}={tag.term}:{tag.strength} --evidence '…' --source URL"
            yield _tag_fault("V011", place, message, fix)


RULES: tuple[Rule, ...] = (
    rule("V001", Level.ERROR, unknown_axis),
    rule("V002", Level.ERROR, unknown_term),
    rule("V003", Level.ERROR, strength),
    rule("V004", Level.WARNING, retired_term),
    rule("V005", Level.ERROR, required_axis),
    rule("V006", Level.ERROR, too_many),
    rule("V007", Level.ERROR, unknown_measure),
    rule("V008", Level.ERROR, unknown_word),
    rule("V009", Level.WARNING, parent_tagged),
    rule("V010", Level.ERROR, coded_and_not),
    rule("V011", Level.WARNING, no_evidence),
)
