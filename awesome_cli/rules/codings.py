"""Rules on codings (V): tags, parts, contests and former codings follow the codebook (taxonomy.yaml)."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain

from awesome_cli.model.codings import AGAINST, Contest, Frozen, Revision, Tag, Tags, on_axis
from awesome_cli.model.records import AnyRecord, AnyWork, Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import FIXABLE, Found, Route, at, choose, rule, spelt
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import validated
from awesome_cli.survey.readings import side_of
from awesome_cli.text.grouping import repeated
from awesome_cli.text.known import DOTS, URL, nearest, unknown

Place = tuple[AnyWork, Axis, int, Tag]


def _every_tag(corpus: Corpus) -> Iterator[Place]:
    axes = corpus.taxonomy.by_id
    for work in corpus.works:
        for axis_id, tags in work.tags.items():
            axis = axes.get(axis_id)
            if axis is not None:
                for i, tag in enumerate(tags):
                    yield work, axis, i, tag


def _at_tag(place: Place, message: str, fix: str | None, *field: str) -> Found:
    """Build a finding at a field of a coding, by default its term."""
    work, axis, i, _ = place
    return at(work, ("tags", axis.id, i, *(field or ("term",))), message, fix)


def _has_no(axis: Axis, what: str, word: str) -> str:
    return unknown(word, axis.strength_ids if what == "strength" else axis.by_id, what, owner=f"axis {axis.id!r}")


@rule("V001", Level.ERROR)
def unknown_axis(corpus: Corpus) -> Iterator[Found]:
    """An axis is unknown.

    A tag, a `not_coded` entry or a near-miss uses an axis that taxonomy.yaml does not define.
    """
    axes = corpus.taxonomy.by_id
    places: list[tuple[AnyRecord, Route, str]] = [
        (work, ("tags", axis), axis) for work in corpus.works for axis in work.tags.keys() - axes.keys()
    ]
    places += [(work, ("not_coded", i), axis) for work in corpus.works for i, axis in enumerate(work.not_coded)]
    for exclusion in corpus.exclusions:
        places += [(exclusion, ("near_miss", i, "axis"), near.axis) for i, near in enumerate(exclusion.near_miss)]
    for record, route, axis in places:
        if axis not in axes:
            yield at(record, route, unknown(axis, axes, "axis"), spelt(axis, axes), at_key=route[0] == "tags")


@rule("V002", Level.ERROR)
def unknown_term(corpus: Corpus) -> Iterator[Found]:
    """A term is unknown.

    A tag or a near-miss uses a term that its axis does not define. Analyses skip such a tag with a warning.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if tag.term not in axis.by_id:
            old = "" if axis.kind == "one" else f" && awesome tag {work.key} --remove {axis.id}={tag.term}"
            fix = f"awesome tag {work.key} {axis.id}={nearest(tag.term, axis.by_id) or 'TERM'}{old}"
            if tag != Tag(term=tag.term):  # a new tag would drop strength and evidence
                fix = f"awesome edit {work.key} # {spelt(tag.term, axis.by_id)}"
            message = _has_no(axis, "term", tag.term)
            if retired := axis.retirement(tag.term):
                write = f"awesome edit {work.key} # write {axis.successor(tag.term)}"
                message, fix = retired, f"awesome taxonomy migrate # if migrations.yaml has the change, else: {write}"
            yield _at_tag(place, message, fix)
    for exclusion in corpus.exclusions:
        for i, near in enumerate(exclusion.near_miss):
            known = corpus.taxonomy.by_id.get(near.axis)
            if known is not None and near.term not in known.by_id:
                fix = spelt(near.term, known.by_id)
                yield at(exclusion, ("near_miss", i, "term"), _has_no(known, "term", near.term), fix)


@rule("V003", Level.ERROR)
def strength(corpus: Corpus) -> Iterator[Found]:
    """A strength is missing, unknown or not allowed.

    On an axis with `strengths`, every tag of a paper needs one of them. On other axes, tags have no strength.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        command = f"awesome tag {work.key}"
        if tag.strength is None and axis.strengths and isinstance(work, Paper):
            needed = on_axis(axis.id, tag.model_copy(update={"strength": "STRENGTH"}))
            fix = choose(f"{command} {needed}", "STRENGTH", axis.strength_ids)
            yield _at_tag(place, f"{on_axis(axis.id, tag)} has no strength", fix)
        elif tag.strength is not None and tag.strength not in axis.rank:
            close = nearest(tag.strength, axis.strength_ids)
            right = on_axis(axis.id, tag.model_copy(update={"strength": close}))
            fix = f"{command} {right}" if close else "remove the strength"
            yield _at_tag(place, _has_no(axis, "strength", tag.strength), fix, "strength")
    for exclusion in corpus.exclusions:
        for i, near in enumerate(exclusion.near_miss):
            known = corpus.taxonomy.by_id.get(near.axis)
            if known is not None and near.strength not in (known.rank or {None}):
                fix = choose(f"awesome edit {exclusion.key}", "strength", known.strength_ids)
                yield at(exclusion, ("near_miss", i), _has_no(known, "strength", str(near.strength)), fix)


@rule("V004", Level.WARNING)
def retired_term(corpus: Corpus) -> Iterator[Found]:
    """A paper has a deprecated term or a retired strength.

    The taxonomy keeps deprecated words with their successors, so that old records stay readable. A retired strength
    counts as 'successor or stronger' until the paper is read again. Candidates may keep a retired strength.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        entry = next((entry for entry in axis.retired if entry.id == tag.strength), None)
        if entry is not None and isinstance(work, Paper):
            again = tag.model_copy(update={"strength": entry.use})
            message = f"the strength {tag.strength!r} was retired on {entry.on}; read the paper again and recode it"
            yield _at_tag(place, message, f"awesome tag {work.key} {on_axis(axis.id, again)} --revised", "strength")
        term = axis.by_id.get(tag.term)
        if term is not None and term.deprecated is not None:
            again = tag.model_copy(update={"term": term.deprecated.use, "strength": None if entry else tag.strength})
            fix = f"awesome tag {work.key} {on_axis(axis.id, again)}"
            yield _at_tag(place, axis.retirement(tag.term) or "", fix)


@rule("V005", Level.ERROR)
def required_axis(corpus: Corpus) -> Iterator[Found]:
    """A paper has no term on a required axis.

    `required_for` of an axis is a query. A matching paper needs a term on this axis, or the axis in its `not_coded`
    list.
    """
    for axis in corpus.taxonomy.axes:
        if axis.required_for is None:
            continue
        query = parse(axis.required_for, corpus.taxonomy)
        terms = [term.id for term in axis.leaves]
        for paper in corpus.papers:
            if not paper.tags_on(axis.id) and axis.id not in paper.not_coded and query.matches(paper):
                message = f"the paper has no term on the required axis {axis.id!r}"
                fix = choose(f"awesome tag {paper.key} {axis.id}=TERM", "TERM", terms)
                yield at(paper, ("tags",), message, fix)


@rule("V006", Level.ERROR)
def too_many(corpus: Corpus) -> Iterator[Found]:
    """A record has several main terms on an axis of kind `one`, or one term or near-miss twice.

    Mark terms beside the main one with `part: true`.
    """
    for work in corpus.works:
        for axis_id, tags in work.tags.items():
            axis = corpus.taxonomy.by_id.get(axis_id)
            terms = [tag.term for tag in tags]
            main = [tag.term for tag in work.tags_on(axis_id)]
            if axis is not None and axis.kind == "one" and len(main) > 1:
                message = f"expected one main term on {axis_id}, got {len(main)}: {', '.join(main)}"
                yield at(work, ("tags", axis_id), message, f"awesome tag {work.key} {axis_id}={main[0]}")
            elif len(set(terms)) < len(terms):
                i, _ = next(repeated(terms))
                yield at(work, ("tags", axis_id, i), f"{axis_id}={terms[i]} occurs twice", "remove one of the two")
    for exclusion in corpus.exclusions:
        same = {i for i, _ in repeated(exclusion.near_miss)}
        for i, (axis_id, term) in repeated((near.axis, near.term) for near in exclusion.near_miss):
            message = f"the near-miss {axis_id}={term} occurs twice"
            yield at(exclusion, ("near_miss", i), message, FIXABLE if i in same else "remove one of the two")


@rule("V007", Level.ERROR)
def unknown_measure(corpus: Corpus) -> Iterator[Found]:
    """A measure is unknown: taxonomy.yaml does not define it."""
    known = [measure.id for measure in corpus.taxonomy.measures]
    for work in corpus.works:
        for name in work.measures.keys() - set(known):
            yield at(work, ("measures", name), unknown(name, known, "measure"), spelt(name, known), at_key=True)


@rule("V008", Level.ERROR)
def unknown_word(corpus: Corpus) -> Iterator[Found]:
    """A stage, reason, grade or confidence is unknown: taxonomy.yaml does not list it."""
    names = ("stage", "reason", "grade", "confidence")
    lists = {name: [entry.id for entry in getattr(corpus.taxonomy, f"{name}s")] for name in names}
    for record, route, word in chain(_words_of_screening(corpus), _words_of_coding(corpus)):
        kind = "stage" if "passed" in route else str(route[-1])
        known = lists[kind]
        if word is not None and word not in known:
            path, close = ".".join(str(step) for step in route), nearest(word, known)
            fix = f"awesome set {record.key} {path}={close or 'WORD'}"
            if route[0] == "tags":
                fix = f"awesome edit {record.key} # {spelt(word, known)}"
            elif close is None:
                fix = choose(fix, "WORD", known)
            yield at(record, route, unknown(word, known, kind), fix)


Word = tuple[AnyRecord, Route, str | None]
"""A record, the route of a field, and its value."""


def _words_of_screening(corpus: Corpus) -> Iterator[Word]:
    for work in corpus.works:
        yield from ((work, ("passed", i), stage) for i, stage in enumerate(work.passed))
    for exclusion in corpus.exclusions:
        yield exclusion, ("screening", "stage"), exclusion.screening.stage
        yield exclusion, ("screening", "reason"), exclusion.screening.reason
        yield from ((exclusion, ("screening", "passed", i), s) for i, s in enumerate(exclusion.screening.passed))
    for candidate in corpus.candidates:
        for name in ("stage", "reason", "confidence"):
            yield candidate, (name,), getattr(candidate, name)


def _words_of_coding(corpus: Corpus) -> Iterator[Word]:
    for work, axis, i, tag in _every_tag(corpus):
        yield work, ("tags", axis.id, i, "confidence"), tag.confidence
        if tag.contested is not None:
            yield work, ("tags", axis.id, i, "contested", "grade"), tag.contested.grade
    for work in corpus.works:
        for name, fact in work.measures.items():
            yield work, ("measures", name, "confidence"), fact.confidence


@rule("V009", Level.WARNING)
def parent_tagged(corpus: Corpus) -> Iterator[Found]:
    """A tag uses a parent term instead of one of its children.

    The tag counts for the parent only, and for none of its children.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if tag.term in axis.parents:
            children = [term.id for term in axis.terms if term.parent == tag.term]
            message = f"{axis.id}={tag.term} has more specific terms: {', '.join(children)}"
            finer = on_axis(axis.id, tag.model_copy(update={"term": "TERM"}))
            yield _at_tag(place, message, choose(f"awesome tag {work.key} {finer}", "TERM", children))


@rule("V010", Level.ERROR)
def coded_and_not(corpus: Corpus) -> Iterator[Found]:
    """An axis has tags and is listed in `not_coded`.

    Both are allowed after `awesome taxonomy split`, which logs in the history that a term must be coded again.
    """
    for work in corpus.works:
        if any(entry.field == "not_coded" for entry in work.history):
            continue
        for i, axis in enumerate(work.not_coded):
            if work.tags.get(axis):
                message = f"{axis} has tags and is listed in not_coded"
                yield at(work, ("not_coded", i), message, f"remove {axis!r} from not_coded")


@rule("V011", Level.WARNING)
def no_evidence(corpus: Corpus) -> Iterator[Found]:
    """A tag that closes a gap has no evidence.

    On an axis with `gap_strength`, a single tag of that strength or above closes a gap. Give readers the reason in
    `evidence`.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if axis.gap_strength is not None and axis.counts_at(tag.strength) and not tag.evidence:
            text = on_axis(axis.id, tag)
            fix = f"awesome tag {work.key} {text} --evidence '{DOTS}' --source {URL}"
            yield _at_tag(place, f"{text} has no evidence", fix)


@rule("V016", Level.WARNING)
def part_of_earlier_days(corpus: Corpus) -> Iterator[Found]:
    """A part is undated, so the pool of the cutoff date contains it.

    `awesome tag … --revised` saves the former coding in the history, and pools of earlier dates use it. If a record
    of the cutoff pool was revised later, its parts need a history entry for their axis.
    """
    cutoff = corpus.taxonomy.survey.cutoff
    axes = corpus.taxonomy.as_of(cutoff).by_id if cutoff is not None else {}
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if tag.part and axis.id in axes and isinstance(work, Paper) and cutoff is not None and work.added <= cutoff:
            field = f"tags.{axis.id}"
            revised = {entry.field for entry in work.history if entry.on > cutoff}
            corrected = {entry.field for entry in work.corrections if entry.corrected_on > cutoff}
            if revised and field not in revised | corrected:
                message = f"the part {on_axis(axis.id, tag)} is undated, so the pool of {cutoff} contains it"
                fix = f"awesome edit {work.key} # add 'on', 'field: {field}' and 'was' to history"
                yield _at_tag(place, message, fix)


@rule("V017", Level.NOTE)
def only_parts(corpus: Corpus) -> Iterator[Found]:
    """A record has parts on an axis, but no main coding.

    A part is a coding beside the main one. Counts of main codings skip this paper on the axis.
    """
    for work in corpus.works:
        for axis in work.tags.keys() & corpus.taxonomy.by_id.keys():
            if work.parts_on(axis) and not work.tags_on(axis):
                message = f"{axis} has parts but no main coding"
                yield at(work, ("tags", axis), message, f"awesome tag {work.key} {axis}=TERM", at_key=True)


@rule("V012", Level.ERROR)
def unknown_challenge(corpus: Corpus) -> Iterator[Found]:
    """A contest proposes an unknown term or strength.

    `as` of a contest is a term of the axis, several terms, `term:strength`, `{strength: …}`, or `none`.
    """
    for place, contest in _contests(corpus):
        axis = place[1]
        for challenge in contest.reads_as or ():
            term, strength = challenge.term, challenge.strength
            if term is not None and term not in axis.by_id:
                yield _at_tag(place, _has_no(axis, "term", term), spelt(term, axis.by_id), "contested", "as")
            if strength is not None and strength not in axis.rank:
                fix = spelt(strength, axis.strength_ids)
                yield _at_tag(place, _has_no(axis, "strength", strength), fix, "contested", "as")


def _contests(corpus: Corpus) -> Iterator[tuple[Place, Contest]]:
    return ((place, place[3].contested) for place in _every_tag(corpus) if place[3].contested is not None)


@rule("V013", Level.NOTE)
def idle_contest(corpus: Corpus) -> Iterator[Found]:
    """A contest proposes the present coding, so it changes no reading.

    Recoding a paper may settle a contest. Remove the contest, or write the challenger's coding in `as`.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if tag.contested is not None and tag.contested.reads_as is not None and side_of(axis, tag) is None:
            message = f"the contest of {on_axis(axis.id, tag)} proposes the same coding"
            yield _at_tag(place, message, f"awesome edit {work.key} # remove the contest", "contested")


@rule("V015", Level.WARNING)
def contest_without_day(corpus: Corpus) -> Iterator[Found]:
    """A contest is undated, so the pool of every date contains it.

    `on` is the date when the contest was raised. Pools of earlier dates do not contain it.
    """
    for place, contest in _contests(corpus):
        work, axis, _, tag = place
        if contest.on is None:
            message = f"the contest of {on_axis(axis.id, tag)} is undated, so the pool of every date contains it"
            yield _at_tag(place, message, f"awesome edit {work.key} # add 'on' to the contest", "contested")


@rule("V018", Level.WARNING)
def retired_challenge(corpus: Corpus) -> Iterator[Found]:
    """A contest proposes a strength that was already retired.

    A contest raised before that day may keep the strength; it then means the successor or a stronger one.
    """
    for place, contest in _contests(corpus):
        work, axis = place[:2]
        retired = {entry.id: entry for entry in axis.retired if contest.on is None or contest.on >= entry.on}
        for entry in filter(None, (retired.get(challenge.strength or "") for challenge in contest.reads_as or ())):
            fix = f"awesome edit {work.key} # write {entry.use!r} or a stronger one in 'as'"
            yield _at_tag(place, f"the strength {entry.id!r} was retired on {entry.on}", fix, "contested", "as")


@rule("V019", Level.WARNING)
def evidence_against(corpus: Corpus) -> Iterator[Found]:
    """The evidence of a coding speaks against the coding, and the coding is not contested.

    Revise the coding with `awesome tag … --revised`. To keep the published coding, record the evidence as a contest, or
    write `as_published: true` beside the evidence; outputs mark the coding in each case.
    """
    for place in _every_tag(corpus):
        work, axis, _, tag = place
        if tag.direction == AGAINST and tag.contested is None and not tag.as_published:
            message = f"the evidence of {on_axis(axis.id, tag)} speaks against it"
            fix = f"awesome edit {work.key} # revise the coding, or add 'contested' or 'as_published: true'"
            yield _at_tag(place, message, fix, "direction")


TAGS = "tags."


class _Former(Frozen):
    tags: dict[str, Tags]


@rule("V014", Level.ERROR)
def former_coding(corpus: Corpus) -> Iterator[Found]:
    """A former coding in the history of a record does not match the taxonomy of its time.

    `was` of a revision is written like tags. Its axis, terms and strengths must exist in the taxonomy on the day before
    `on`.
    """
    for work in corpus.works:
        for i, revision in enumerate(work.history):
            if revision.field.startswith(TAGS) and revision.was is not None:
                yield from _former_misfits(work, ("history", i), revision, corpus.taxonomy)


def _former_misfits(work: AnyWork, route: Route, revision: Revision, taxonomy: Taxonomy) -> Iterator[Found]:
    then = taxonomy.as_of(revision.on - timedelta(days=1))
    name, when, edit = revision.field.removeprefix(TAGS), f"before {revision.on}", f"awesome edit {work.key} # "
    if name not in then.by_id:
        message = f"{when} {unknown(name, then.by_id, 'axis', owner='the taxonomy')}"
        yield at(work, (*route, "field"), message, edit + spelt(name, then.by_id))
        return
    axis = then.by_id[name]
    former, findings = validated(_Former, {"tags": {name: revision.was}}, work.path, None)
    for finding in findings:
        yield at(work, (*route, "was"), finding.message, f"{edit}write 'was' like tags")
    for tag in former.tags[name] if former is not None else ():
        for kind, word, known in (("term", tag.term, axis.by_id), ("strength", tag.strength, axis.rank)):
            if word is not None and word not in known:
                yield at(work, (*route, "was"), f"{when} {_has_no(axis, kind, word)}", edit + spelt(word, known))
