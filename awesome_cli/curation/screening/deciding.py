"""What a decision on a candidate changes in the records."""

from awesome_cli.curation.editing import admitting, linking, moving
from awesome_cli.curation.editing.tagging import read_requests
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.screenings import OPEN, Decision
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan, edit


def records(tree: FileTree, corpus: Corpus, candidate: Candidate, decision: Decision) -> Plan:
    """The change of the records; none for what leaves the candidate undecided.

    An included one that lacks nothing becomes a paper at once, else it is proposed for retention and waits to be coded.
    A duplicate with a reason is screened out, without one it is merged into the record that it is of. Raises
    `UsageError` for an exclusion without stage or reason.
    """
    if decision.verdict in OPEN:
        return Plan(())
    alone = Corpus(corpus.taxonomy, candidates=(candidate,))
    if decision.verdict == "include":
        return _included(tree, alone, candidate, decision)
    if decision.verdict == "duplicate" and decision.reason is None:
        return linking.merge(tree, corpus, candidate.key, decision.of or "")
    return _excluded(tree, alone, candidate, decision)


def retained(candidate: Candidate, stage: str | None) -> Candidate:
    """The candidate proposed for retention, with the stage that it passed."""
    passed = (*candidate.passed, stage) if stage and stage not in candidate.passed else candidate.passed
    return candidate.model_copy(update={"proposal": "retain", "passed": passed, "stage": None, "reason": None})


def _included(tree: FileTree, alone: Corpus, candidate: Candidate, decision: Decision) -> Plan:
    found = retained(candidate, decision.stage)
    if admitting.missing(admitting.admitted(found, on=decision.on), alone):
        return Plan(edit(tree, candidate, found, tuple(alone.taxonomy.by_id)))
    known = Corpus(alone.taxonomy, candidates=(found,))
    return admitting.admit(tree, known, candidate.key, on=decision.on)


def _excluded(tree: FileTree, alone: Corpus, candidate: AnyWork, decision: Decision) -> Plan:
    if not decision.stage or not decision.reason:
        raise UsageError("an exclusion needs a stage and a reason", hint="taxonomy.yaml lists them")
    note = decision.note
    if decision.of:
        note = "; ".join(filter(None, (f"a duplicate of {decision.of}", note)))
    near = moving.near_misses(read_requests(decision.near_miss, alone.taxonomy), decision.note)
    passed = tuple(stage for stage in candidate.passed if stage != decision.stage)
    why = moving.ScreeningDecision(decision.stage, decision.reason, decision.on, note, near, passed=passed)
    return moving.exclude(tree, alone, candidate.key, why)
