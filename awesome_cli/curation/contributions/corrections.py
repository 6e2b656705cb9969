"""A fact that was corrected: the record says its source, and keeps what was published."""

from typing import Any

from awesome_cli.curation.contributions.reading import FilledForm, Sender
from awesome_cli.curation.editing import find
from awesome_cli.curation.editing.fields import assign
from awesome_cli.curation.editing.recoding import Twins, without_twins
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files import canonical
from awesome_cli.files.tree import FileTree
from awesome_cli.model.forms import correctable
from awesome_cli.model.records import AnyWork, Exclusion, to_document
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan, edit
from awesome_cli.text.known import require_known


def corrected(tree: FileTree, corpus: Corpus, form: FilledForm, sender: Sender, twins: Twins) -> tuple[Plan, str]:
    """The plan that corrects the field, and what it says; raises `MalformedError`."""
    taxonomy = corpus.taxonomy
    work = form.tried("form-key", lambda key: _work(corpus, key))
    name = form.tried("form-field", lambda text: require_known(text, correctable(taxonomy), "field"))
    given = (work, name) if work and name else None
    after = form.tried("form-value", lambda text: _assigned(*given, text, taxonomy)) if given else None
    form.require_right()
    if after is None or work is None or name is None:
        raise RefusedError("the form corrects nothing")
    new = _remembered(work, after, name, form, sender)

    def plan(_: str) -> Plan:
        return without_twins(corpus, Plan(edit(tree, work, new, tuple(taxonomy.by_id))), twins)

    done = form.tried("form-value", plan)
    form.require_right()
    return done or Plan(()), f"corrects {name} of {work.key}"


def _work(corpus: Corpus, key: str) -> AnyWork:
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        raise UsageError(f"{record.key} is an exclusion, which keeps no corrections", hint=f"awesome edit {record.key}")
    return record


def _assigned(work: AnyWork, name: str, value: str, taxonomy: Taxonomy) -> AnyWork:
    if value[:1] in {"[", "{"}:
        raise UsageError(f"begins with {value[0]!r}, which is read in another way", hint=f"awesome edit {work.key}")
    after = assign(work, [f"{name}={value}"], taxonomy)
    if isinstance(after, Exclusion) or after == work:
        raise UsageError("the record says so already")
    return after


def _remembered(before: AnyWork, after: AnyWork, name: str, form: FilledForm, sender: Sender) -> AnyWork:
    """The corrected work with the source of the value, and what it was and why: of a candidate in its note."""
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
        said = f"{name} was {_words(was)} until {sender.day}: {because}"
        document["note"] = " ".join(filter(None, (before.note, said)))
    return type(after).model_validate({"key": after.key, **document})


def _words(value: Any) -> str:
    fact = value.get("value") if isinstance(value, dict) else value
    return "; ".join(map(str, fact)) if isinstance(fact, list) else str(fact or "empty")


def _at(document: Any, path: str) -> object:
    for name in path.split("."):
        document = document.get(name) if document else None
    return canonical.texts(document)
