"""Turn filled-in forms into plans: proposed papers, contests and corrections."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from awesome_cli.curation.contributions.reading import ALONE, FilledForm, Sender
from awesome_cli.curation.contributions.spelling import assigned, codings, reference, requests
from awesome_cli.curation.editing import find, find_work
from awesome_cli.curation.editing.fields import assign
from awesome_cli.curation.editing.recoding import Twins, without_twins
from awesome_cli.curation.editing.tagging import TagRequest, read_requests
from awesome_cli.curation.intake import Intake, Settings, begin
from awesome_cli.curation.intake.recording import gather
from awesome_cli.errors import NetError, NoWorkError, RefusedError, TooLargeError, UsageError
from awesome_cli.files import canonical
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import NONE, Challenge, Contest, Tag, on_axis
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.model.forms import correctable, proposed_axes
from awesome_cli.model.identifiers import Reference
from awesome_cli.model.records import AnyWork, Exclusion, Paper, to_document
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.sources import stub
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.survey.readings import side_of
from awesome_cli.survey.saving import Plan, edit
from awesome_cli.system.network import Net
from awesome_cli.text.known import refuse_placeholder, require_known
from awesome_cli.text.numbers import counted


def disputed(tree: FileTree, corpus: Corpus, form: FilledForm, sender: Sender) -> tuple[Plan, str]:
    """Return the plan that records a contest, and a summary; raises `MalformedError`."""
    work = form.tried("form-key", lambda text: find_work(corpus, _key(corpus, text)), Paper.FOLDER)
    request = form.tried("form-coding", lambda text: _one(text, corpus.taxonomy), TAXONOMY)
    old = form.tried("form-coding", lambda _: _coded(work, request), work.path) if work and request else None
    form.tried("form-because", partial(refuse_placeholder, "it"))
    challenge = partial(challenges, axis=request.axis, old=old, taxonomy=corpus.taxonomy) if request else None
    reads_as = form.tried("form-as", challenge, TAXONOMY) if challenge else None
    form.require_right()
    if work is None or request is None or old is None:
        raise RefusedError("the form names no coding")
    contest = Contest(
        on=sender.day,
        grade=form.value("form-grade"),
        reads_as=reads_as,
        because=sender.signed(form.value("form-because")),
        source=form.value("form-source"),
    )
    axis, new = request.axis, old.model_copy(update={"contested": contest})
    tags = {**work.tags, axis.id: tuple(new if tag is old else tag for tag in work.tags[axis.id])}
    changes = edit(tree, work, work.model_copy(update={"tags": tags}), tuple(corpus.taxonomy.by_id))
    return Plan(changes), f"disputes {on_axis(axis.id, old)} of {work.key}: {contest}"


def _one(text: str, taxonomy: Taxonomy) -> TagRequest:
    requests = read_requests([assigned(text, taxonomy)], taxonomy)
    if len(requests) != 1 or requests[0].term is None:
        raise UsageError("a form disputes one coding", hint="write AXIS=TERM")
    return requests[0]


def _key(corpus: Corpus, text: str) -> str:
    """Return the key in a text, path or URL; raises `UsageError` for several."""
    keys = [re.sub(r"^.*[/#]|\.(yaml|html)$", "", word) for word in re.split(r"[\s,;]+", text)]
    if len(keys) > 1 and not corpus.by_key.keys().isdisjoint(keys):
        raise UsageError(f"names {len(keys)} papers; one paper a form", hint=ALONE)
    return keys[0] if len(keys) == 1 else text


def _coded(work: AnyWork, request: TagRequest) -> Tag:
    """Return the disputed coding; raises `UsageError` if it does not exist, `RefusedError` if already contested."""
    tags: tuple[Tag, ...] = work.tags.get(request.axis.id, ())
    tag = next((tag for tag in tags if tag.term == request.term), None)
    if tag is None:
        has = f"it has {', '.join(map(str, tags))}" if tags else "it has none"
        raise UsageError(f"{work.key} is not coded {on_axis(request.axis.id, request.term or '')}", hint=has)
    if tag.contested is not None:
        why = f"{on_axis(request.axis.id, tag)} of {work.key} is already disputed ({tag.contested})"
        raise RefusedError(why, hint="a coding has at most one contest, which a curator can extend")
    return tag


def challenges(text: str, axis: Axis, old: Tag | None, taxonomy: Taxonomy) -> tuple[Challenge, ...]:
    """Parse the coding that a challenger proposes, empty for `none`; raises `UsageError` if invalid or equal."""
    if text.strip().lower() == NONE:
        return ()
    result = list[Challenge]()
    for word in codings(axis, text):
        whole = f"{old.term if old else ''}{word}" if word.startswith(":") else word
        for request in requests(on_axis(axis.id, whole), axis, taxonomy):
            if request.part or request.term is None:
                raise UsageError(f"{word!r} is not a valid coding", hint="write TERM, TERM:STRENGTH, :STRENGTH or none")
            result.append(Challenge(term=None if word.startswith(":") else request.term, strength=request.strength))
    contest = Contest(grade="", because="", reads_as=tuple(result))
    if old and side_of(axis, old.model_copy(update={"contested": contest})) is None:
        raise UsageError(f"the paper is already coded {old}", hint="propose another coding, or leave the field empty")
    return tuple(result)


def corrected(tree: FileTree, corpus: Corpus, form: FilledForm, sender: Sender, twins: Twins) -> tuple[Plan, str]:
    """Return the plan that corrects a field, and a summary; raises `MalformedError`."""
    taxonomy = corpus.taxonomy
    work = form.tried("form-key", lambda text: _work(corpus, _key(corpus, text)), Paper.FOLDER)
    name = form.tried("form-field", lambda text: require_known(text.lower(), correctable(taxonomy), "field"))
    after = None
    if work and name:
        after = form.tried("form-value", lambda text: _assigned(work, name, text, taxonomy), work.path)
    form.require_right()
    if after is None or work is None or name is None:
        raise RefusedError("the form corrects nothing")
    new = _remembered(work, after, name, form, sender)

    def plan(_: str) -> Plan:
        return without_twins(corpus, Plan(edit(tree, work, new, tuple(taxonomy.by_id))), twins)

    done = form.tried("form-value", plan, work.path)
    form.require_right()
    return done or Plan(()), f"corrects {name} of {work.key}"


def _work(corpus: Corpus, key: str) -> AnyWork:
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        message = f"{record.key} is an exclusion, which cannot have corrections"
        raise UsageError(message, hint=f"awesome edit {record.key}")
    return record


def _assigned(work: AnyWork, name: str, value: str, taxonomy: Taxonomy) -> AnyWork:
    if value[:1] in {"[", "{"}:
        raise UsageError(f"must not begin with {value[0]!r}", hint=f"awesome edit {work.key}")
    after = assign(work, [f"{name}={value}"], taxonomy)
    if isinstance(after, Exclusion) or after == work:
        raise UsageError("the record already has this value")
    return after


def _remembered(before: AnyWork, after: AnyWork, name: str, form: FilledForm, sender: Sender) -> AnyWork:
    """Return the corrected work with source, former value and reason; for a candidate these go to its note."""
    document, source = to_document(after), form.value("form-source")
    because, was = sender.signed(form.value("form-because")), _at(to_document(before), name)
    if name.startswith("measures."):
        document["measures"][name.partition(".")[2]]["source"] = source
    else:
        document["provenance"] = {**document.get("provenance", {}), name: {"source": source, "on": sender.day}}
    if before.added is not None and before.added <= sender.day:
        entry = {"field": name, "published": was, "corrected_on": sender.day, "because": because}
        document["corrections"] = [*document.get("corrections", []), entry]
    else:
        remark = f"{name} was {_words(was)} until {sender.day}: {because}"
        document["note"] = " ".join(filter(None, (before.note, remark)))
    return type(after).model_validate({"key": after.key, **document})


def _words(value: Any) -> str:
    fact = value.get("value") if isinstance(value, dict) else value
    return "; ".join(map(str, fact)) if isinstance(fact, list) else str(fact or "empty")


def _at(document: Any, path: str) -> object:
    for name in path.split("."):
        document = document.get(name) if document else None
    return canonical.texts(document)


def described(tree: FileTree, corpus: Corpus, form: FilledForm, net: Net, sender: Sender) -> Draft:
    """Return the paper of a form, fetched even if other fields are wrong, unless the survey has its identifier.

    Raises `MalformedError`, `NetError`.
    """
    taxonomy = corpus.taxonomy
    tags = tuple(coding for axis in proposed_axes(taxonomy) for coding in _codings(form, axis, taxonomy))
    form.tried("form-summary", partial(refuse_placeholder, "it"))
    work = form.tried("form-reference", reference)
    if work and work.scheme != "url" and _begun(tree, corpus, form, stub(work), sender).known:
        form.require_right()
    try:
        draft = form.tried("form-reference", lambda _: _fetched(work, net)) if work else None
    except NetError:
        form.require_right()
        raise
    if draft is None:
        form.require_right()
        raise RefusedError("the form names no paper")
    discovery = filled({"on": sender.day, "by": sender.by, "source": sender.place or draft.place})
    fields = {**draft.fields, **filled({"summary": form.value("form-summary"), "found": discovery})}
    return replace(draft, kind="candidate", fields=fields, tags=tags)


def _codings(form: FilledForm, axis: Axis, taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the codings that a form gives on an axis as `axis=term`; each wrong one is recorded in the form."""
    texts, most = codings(axis, form.value(axis.id)), 1 if axis.kind == "one" else len(axis.terms)
    for text in (on_axis(axis.id, text) for text in texts[: len(axis.terms)]):
        if form.tried(axis.id, partial(requests, axis=axis, taxonomy=taxonomy), TAXONOMY, text):
            yield text
    if len(texts) > most:
        form.reject(axis.id, f"takes at most {counted(most, 'term')}, got {len(texts)}", "keep what the paper is about")


def _fetched(reference: Reference, net: Net) -> Draft:
    """Fetch the work of a reference; raises `UsageError` for an unusable reference, `NetError` without a response."""
    try:
        return gather(reference, net)
    except (NoWorkError, TooLargeError) as error:
        if reference.scheme != "url" and not isinstance(error, NoWorkError):
            raise  # the address is that of a service
        hint = "give an identifier of the work, or the URL of a page about it"
        raise UsageError(error.message, hint=hint) from None


def taken(tree: FileTree, corpus: Corpus, form: FilledForm, draft: Draft, sender: Sender) -> tuple[Plan, str]:
    """Return the plan that adds a paper, and a summary; raises `MalformedError` if the survey has it."""
    intake = _begun(tree, corpus, form, draft, sender)
    form.require_right()
    plan = Plan(intake.changes(), tuple(warning for new in intake.taken for warning in (*new.warnings, *new.alike)))
    return plan, f"{draft.kind} {draft.title} ({draft.place}), codings: {', '.join(draft.tags) or 'none'}"


def _begun(tree: FileTree, corpus: Corpus, form: FilledForm, draft: Draft, sender: Sender) -> Intake:
    """Return the intake of a draft; errors, and a work that the survey has, are recorded in the form."""
    intake = begin(corpus, tree, Settings(sender.day))
    form.tried("form-reference", lambda _: intake.add(draft))
    for known in intake.known:
        path, because = corpus.by_key[known.match.b].path, "; ".join(known.match.because)
        form.reject("form-reference", f"the survey has this work: {path} ({because})", path=path)
    return intake


def contributed(
    tree: FileTree, corpus: Corpus, form: FilledForm, paper: Draft | None, sender: Sender, twins: Twins
) -> tuple[Plan, str]:
    """Return the plan of a form for a corpus with candidates, and a summary.

    `paper` is the paper of a form for papers. Raises `MalformedError` with all errors.
    """
    if paper is not None:
        return taken(tree, corpus, form, paper, sender)
    if form.form.kind == "coding":
        return disputed(tree, corpus, form, sender)
    return corrected(tree, corpus, form, sender, twins)
