"""Carries out what people who screened blind decided alike."""

from collections.abc import Iterable
from pathlib import Path

from awesome_cli.curation.screening.deciding import records
from awesome_cli.curation.screening.session import ScreeningSession
from awesome_cli.errors import AwesomeError, RefusedError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Candidate
from awesome_cli.model.screenings import Decision, Screenings
from awesome_cli.survey.changes import Change, Plan
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today


def carried_out(root: Path, corpus: Corpus, held: Screenings, agreed: Iterable[Decision], *, written: bool) -> Plan:
    """The changes of decisions, made one after the other and stored in the file of `held`; none if not `written`.

    A decision that cannot be carried out is left out and named. Raises `RefusedError` for a file of somebody who
    screens blind.
    """
    if held.blind:
        raise RefusedError(f"{held.path} is blind: what it holds changes no record", hint="--who NAME of another file")
    tree = WorkingTree(root)
    session = ScreeningSession.begun(root, corpus, held, None)
    changes: list[Change] = []
    failed: list[str] = []
    for decision in agreed:
        candidate = corpus.by_key.get(decision.key)
        try:
            if not isinstance(candidate, Candidate):
                raise RefusedError(f"{decision.key} is no candidate")
            now = decision.model_copy(update={"on": today(), "at": None})
            done = session.decide(candidate, now) if written else records(tree, corpus, candidate, now)
            changes += done.changes
        except AwesomeError as error:
            failed.append(f"left out: {error.message}")
    return Plan(tuple(changes), (), tuple(failed))
