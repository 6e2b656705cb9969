"""A coding that was disputed: a contest beside the coding, never another coding."""

from awesome_cli.curation.contributions.reading import FilledForm, Sender
from awesome_cli.curation.editing import find_work
from awesome_cli.curation.editing.tagging import TagRequest, read_requests
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import NONE, Challenge, Contest, Tag, on_axis
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import side_of
from awesome_cli.survey.saving import Plan, edit
from awesome_cli.text.known import refuse_placeholder


def disputed(tree: FileTree, corpus: Corpus, form: FilledForm, sender: Sender) -> tuple[Plan, str]:
    """The plan that writes the contest, and what it says; raises `MalformedError`."""
    work = form.tried("form-key", lambda key: find_work(corpus, key))
    asked = form.tried("form-coding", lambda text: _one(text, corpus.taxonomy))
    old = form.tried("form-coding", lambda _: _coded(work, asked)) if work and asked else None
    form.tried("form-because", lambda text: refuse_placeholder("it", text))
    reads_as = form.tried("form-as", lambda text: challenges(text, asked.axis, old, corpus.taxonomy)) if asked else None
    form.require_right()
    if work is None or asked is None or old is None:
        raise RefusedError("the form names no coding")
    contest = Contest(
        on=sender.day,
        grade=form.value("form-grade"),
        reads_as=reads_as,
        because=sender.signed(form.value("form-because")),
        source=form.value("form-source"),
    )
    axis, new = asked.axis, old.model_copy(update={"contested": contest})
    if reads_as is not None:
        form.tried("form-as", lambda _: _require_other(axis, new))
        form.require_right()
    tags = {**work.tags, axis.id: tuple(new if tag is old else tag for tag in work.tags[axis.id])}
    changes = edit(tree, work, work.model_copy(update={"tags": tags}), tuple(corpus.taxonomy.by_id))
    return Plan(changes), f"disputes {on_axis(axis.id, old)} of {work.key}: {contest}"


def _one(text: str, taxonomy: Taxonomy) -> TagRequest:
    requests = read_requests([text], taxonomy)
    if len(requests) != 1 or requests[0].term is None:
        raise UsageError("a form disputes one coding", hint="write AXIS=TERM")
    return requests[0]


def _coded(work: AnyWork, asked: TagRequest) -> Tag:
    """The coding of a work; raises `UsageError` where it has none such, `RefusedError` where it is disputed already."""
    tags: tuple[Tag, ...] = work.tags.get(asked.axis.id, ())
    tag = next((tag for tag in tags if tag.term == asked.term), None)
    if tag is None:
        has = f"it has {', '.join(map(str, tags))}" if tags else "it has none"
        raise UsageError(f"{work.key} is not coded {on_axis(asked.axis.id, asked.term or '')}", hint=has)
    if tag.contested is not None:
        why = f"{on_axis(asked.axis.id, tag)} of {work.key} is disputed already ({tag.contested})"
        raise RefusedError(
            why, hint=f"a coding has one contest: a curator weighs the two with 'awesome edit {work.key}'"
        )
    return tag


def challenges(text: str, axis: Axis, old: Tag | None, taxonomy: Taxonomy) -> tuple[Challenge, ...]:
    """What a challenger would code, none for `none`; raises `UsageError` for what is no coding of the axis."""
    words = [word.strip().removeprefix(f"{axis.id}=") for word in text.split(",")]
    if [word.lower() for word in words] == [NONE]:
        return ()
    found = list[Challenge]()
    for word in words:
        whole = f"{old.term if old else ''}{word}" if word.startswith(":") else word
        for asked in read_requests([on_axis(axis.id, whole)], taxonomy):
            if asked.part or asked.term is None:
                raise UsageError(f"{word!r} is no other coding", hint="write TERM, TERM:STRENGTH, :STRENGTH or none")
            found.append(Challenge(term=None if word.startswith(":") else asked.term, strength=asked.strength))
    return tuple(found)


def _require_other(axis: Axis, tag: Tag) -> None:
    if side_of(axis, tag) is None:
        raise UsageError(f"{tag} is how it is coded", hint="say what else it should be, or leave it empty")
