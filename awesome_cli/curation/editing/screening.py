"""`exclude` and `admit` as commands ask for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.curation.editing import admitting, moving
from awesome_cli.curation.editing.fields import assign
from awesome_cli.curation.editing.tagging import Grounds, read_requests, tag
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.records import AnyRecord, Candidate
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan
from awesome_cli.system.clock import today
from awesome_cli.text.known import unknown


@dataclass(frozen=True, slots=True)
class ScreeningRequest:
    """A screening decision as it was asked for, unchecked.

    `work` is a key or a reference, `near_miss` holds texts such as `axis=term:strength`.
    """

    work: str
    stage: str
    reason: str
    note: str | None = None
    near_miss: tuple[str, ...] = ()
    because: str | None = None
    source: str | None = None
    query_family: str | None = None


def exclude(
    tree: FileTree, corpus: Corpus, request: ScreeningRequest, fetch: Callable[[str], Mapping[str, Any]]
) -> Plan:
    """Move the work to the exclusions if it has a record, else screen it out as `fetch` describes it.

    Raises `UsageError` for words that the taxonomy does not know and for what is neither a key nor a reference.
    """
    near = moving.near_misses(read_requests(request.near_miss, corpus.taxonomy), request.because)
    decision = moving.ScreeningDecision(
        request.stage,
        request.reason,
        today(),
        request.note,
        near,
        source=request.source,
        query_family=request.query_family,
    )
    known = request.work in corpus.by_key or any(finding.key == request.work for finding in corpus.findings)
    if known:
        return moving.exclude(tree, corpus, request.work, decision)
    try:
        fields = fetch(request.work)
    except UsageError as error:
        raise UsageError(unknown(request.work, corpus.by_key, "record or reference"), hint=error.hint) from None
    return moving.exclude_new(tree, corpus, fields, decision)


def completed(taxonomy: Taxonomy, ask: Callable[[str], str]) -> admitting.Complete:
    """A function that asks for a candidate's missing values, again after a wrong answer; an empty answer skips one."""

    def complete(candidate: Candidate, lacking: Sequence[str]) -> Candidate:
        for name in (word.removeprefix("no ") for word in lacking):
            candidate = _answered(candidate, name, taxonomy, ask)
        return candidate

    return complete


def _answered(candidate: Candidate, name: str, taxonomy: Taxonomy, ask: Callable[[str], str]) -> Candidate:
    axis = taxonomy.by_id.get(name)
    choices = f" ({', '.join(term.id for term in axis.leaves)})" if axis is not None else ""
    question = (axis.question if axis is not None else name) + choices
    while answer := ask(question).strip():
        try:
            if axis is not None:
                filled: AnyRecord = tag(candidate, read_requests([f"{name}={answer}"], taxonomy), Grounds(), taxonomy)
            else:
                filled = assign(candidate, [f"{name}={answer}"], taxonomy)
            return filled if isinstance(filled, Candidate) else candidate
        except UsageError as error:
            question = f"{error.message}\n{name}{choices}"
    return candidate
