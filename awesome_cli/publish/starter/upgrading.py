"""The files that stand around a survey, brought up to date with the tool: never its records, words or licence."""

from awesome_cli.files.plain import decoded
from awesome_cli.files.tree import FileTree
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.starter.answers import LICENCES, NONE, Answers
from awesome_cli.publish.starter.files import ONCE, filled
from awesome_cli.publish.starter.marks import is_newer, is_own, same
from awesome_cli.survey.changes import Change, Plan

WAY = "to take what this version writes: move the file away, and type the command again"


def upgrade(tree: FileTree, taxonomy: Taxonomy) -> Plan:
    """The change of every such file that is missing or says something else than this version of the tool would write.

    A file that a person changed, or that a newer version wrote, is left, and a warning names it.
    """
    survey = taxonomy.survey
    licence = survey.licence if survey.licence in LICENCES else NONE
    answers = Answers(
        survey.title, survey.description, licence=licence, repository=survey.repository, authors=survey.authors
    )
    changes, left = [], []
    for path, data in filled(answers, taxonomy).items():
        before = None if path in ONCE else tree.read(path)
        text = decoded(before or b"", path).replace("\r\n", "\n")
        if path in ONCE or same(text, data.decode()):
            continue
        if before is not None and (why := _reason_to_leave(text)):
            left.append(f"left {path}: {why}")
        else:
            changes.append(Change(path, before, data))
    return Plan(tuple(changes), (*left, WAY) if left else ())


def _reason_to_leave(text: str) -> str | None:
    if is_newer(text):
        return "it is of a newer version of awesome; upgrade this one first"
    return None if is_own(text) else "it was changed by hand, or not written by awesome"
