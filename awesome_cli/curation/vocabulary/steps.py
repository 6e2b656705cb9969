"""The change log of a vocabulary, `migrations.yaml`: what was renamed, merged, split or retired, and when."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import ValidationError

from awesome_cli.errors import SurveyError
from awesome_cli.files import canonical, yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Frozen, Many
from awesome_cli.model.misfits import misfit
from awesome_cli.survey.saving import Change

LOG = "migrations.yaml"
HEAD = b"""# What changed in the vocabulary, oldest first.
# Written by 'awesome taxonomy'; 'awesome taxonomy migrate' replays it on records of an old branch.
"""


class VocabularyStep(Frozen):
    """One change of the vocabulary.

    `rename` and `deprecate` concern one term, `merge` several; after `split` the term is the parent of `into`.
    Without terms the axis is renamed. `assign` has queries: their papers get a part at once.
    """

    on: date
    do: Literal["rename", "merge", "split", "deprecate"]
    axis: str
    terms: Many[str] = ()
    to: str | None = None
    into: Many[str] = ()
    assign: Mapping[str, str] = {}

    @property
    def moves(self) -> dict[str, str]:
        """From each removed term to its successor; empty for a split and for an axis."""
        return {term: self.to for term in self.terms if self.to is not None and term != self.to}

    def __str__(self) -> str:
        named = ", ".join(f"{self.axis}={term}" for term in self.terms) or self.axis
        return f"{self.do} {named} -> {', '.join(self.into) or self.to}"


def read_log(tree: FileTree) -> tuple[VocabularyStep, ...]:
    """The steps of a survey, oldest first; raises `SurveyError` if the log cannot be read."""
    data = tree.read(LOG)
    if data is None:
        return ()
    value, findings = yaml_reading.read(data)
    if findings:
        raise SurveyError(f"{LOG}:{findings[0].line}: {findings[0].message}", hint=f"correct {LOG}")
    try:
        return tuple(VocabularyStep.model_validate(entry) for entry in (value or {}).get("migrations") or ())
    except (ValidationError, AttributeError, TypeError) as error:
        what = misfit(error.errors()[0]) if isinstance(error, ValidationError) else "it is not a list of migrations"
        raise SurveyError(f"{LOG} cannot be used: {what}", hint=f"correct {LOG}") from None


def logged(tree: FileTree, steps: tuple[VocabularyStep, ...]) -> Change:
    """The change that adds steps to the log."""
    before = tree.read(LOG)
    entries = [step.model_dump(exclude_defaults=True) for step in steps]
    if before is None:
        return Change(LOG, None, HEAD + canonical.dump({"migrations": entries}).encode())
    old = [step.model_dump(exclude_defaults=True) for step in read_log(tree)]
    value, _ = yaml_reading.read(before)
    raw = (value or {}).get("migrations") or []
    return Change(
        LOG, before, yaml_editing.rewrite(before, {**(value or {}), "migrations": [*raw[: len(old)], *entries]})
    )
