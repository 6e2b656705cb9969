"""The findings of a survey: those of the last run if no file has changed since, else those of a new run."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.reports.findings import Finding, Level, RawFinding
from awesome_cli.survey import kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.loading import RecordCache

ANSWER = "validate"


def latest(
    root: Path, also: "Callable[[Corpus], Iterator[RawFinding]]", known: "RecordCache | None" = None
) -> tuple[tuple[Finding, ...], int]:
    """Return the findings of a survey and the number of its records; for `also` and `known` see `checking.check`."""
    made_of = kept.survey_inputs(root)
    if (answer := kept.read(root, ANSWER, made_of)) is not None:
        found = (Finding(**{**entry, "level": Level(entry["level"])}) for entry in answer["findings"])
        return tuple(found), answer["records"]
    # Imported here, since rules and models take longer to import than an unchanged survey takes to read.
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.rules.checking import check, files

    tree = WorkingTree(root)
    findings, records = check(tree, also=also, known=known), files(tree)
    if made_of == kept.survey_inputs(root):
        kept.keep(root, ANSWER, made_of, {"findings": [asdict(entry) for entry in findings], "records": records})
    return findings, records
