"""A paper that was sent: a candidate, or with a stage and a reason an exclusion; codings stay proposals in both."""

from dataclasses import dataclass, replace
from functools import partial

from awesome_cli.curation.contributions.reading import FilledForm, Sender
from awesome_cli.curation.editing.moving import near_misses
from awesome_cli.curation.editing.tagging import Grounds, TagRequest, read_requests, tag
from awesome_cli.curation.intake import Settings, begin
from awesome_cli.curation.intake.gathering import gather
from awesome_cli.errors import NoWorkError, RefusedError, TooLargeError, UnresolvedError, UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.model.identifiers import Reference, parse_reference
from awesome_cli.model.records import AnyRecord, Exclusion
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan
from awesome_cli.system.network import Net


@dataclass(frozen=True, slots=True)
class SentPaper:
    """A paper as a service and its sender describe it, and the codings that are proposed."""

    draft: Draft
    codings: tuple[TagRequest, ...]
    grounds: Grounds


def described(form: FilledForm, taxonomy: Taxonomy, net: Net, sender: Sender) -> SentPaper:
    """The paper that a form names; a service is asked once the form is right. Raises `MalformedError`, `NetError`."""
    texts = {axis.id: form.tried(axis.id, partial(_codings, taxonomy, axis.id)) or () for axis in taxonomy.axes}
    codings = tuple(request for requests in texts.values() for request in requests)
    reference = form.tried("form-reference", parse_reference)
    if form.value("form-proposal") == "exclude":
        form.require_given("form-stage", "form-reason")
    form.require_right()
    draft = form.tried("form-reference", lambda _: _fetched(reference, net)) if reference else None
    form.require_right()
    if draft is None:
        raise RefusedError("the form names no paper")
    evidence, source = form.value("form-evidence") or None, form.value("form-source") or None
    words = {name: form.value(f"form-{name}") for name in ("proposal", "stage", "reason")}
    place = sender.place or draft.place
    fields = {**draft.fields, **filled({"summary": form.value("form-summary")})}
    if words["proposal"] != "exclude" or not words["stage"]:
        found = filled({"on": sender.day, "by": sender.by, "source": place})
        draft = replace(draft, kind="candidate", fields={**fields, **filled(words), "found": found})
    else:
        screening = {"source": str(sender) or place, "stage": words["stage"], "reason": words["reason"]}
        near = [one.model_dump(exclude_none=True) for one in near_misses(codings, evidence)]
        draft = replace(draft, kind="exclusion", fields={**fields, "screening": screening, "near_miss": near})
    return SentPaper(draft, codings, Grounds(evidence, source))


def _fetched(reference: Reference, net: Net) -> Draft:
    """The work behind a reference; raises `UsageError` where another reference is needed, `NetError` for no answer."""
    try:
        return gather(reference, net)
    except (NoWorkError, TooLargeError, UnresolvedError) as error:
        if reference.scheme != "url" and not isinstance(error, NoWorkError):
            raise  # the address is that of a service
        hint = "give an identifier of the work, or an address of a page about it"
        raise UsageError(error.message, hint=hint) from None


def _codings(taxonomy: Taxonomy, axis: str, text: str) -> tuple[TagRequest, ...]:
    return read_requests([f"{axis}={text}"], taxonomy)


def taken(tree: FileTree, corpus: Corpus, form: FilledForm, sent: SentPaper, sender: Sender) -> tuple[Plan, str]:
    """The plan that takes the paper in, and what it says; raises `MalformedError` for one that the survey has."""

    def finish(record: AnyRecord) -> AnyRecord:
        if isinstance(record, Exclusion):
            return record
        return tag(record, sent.codings, sent.grounds, corpus.taxonomy)

    intake = begin(corpus, tree, Settings(sender.day, finish=finish))

    def take(_: str) -> Plan:
        intake.add(sent.draft)
        for known in intake.known:
            path = corpus.by_key[known.match.b].path
            raise RefusedError(f"the survey has this work: {path} ({'; '.join(known.match.because)})")
        return Plan(intake.changes(), tuple(warning for one in intake.taken for warning in (*one.warnings, *one.alike)))

    plan = form.tried("form-reference", take)
    form.require_right()
    return plan or Plan(()), f"{sent.draft.kind} {sent.draft.title} ({sent.draft.place})"
