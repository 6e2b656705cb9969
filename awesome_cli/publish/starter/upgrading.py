"""The files that stand around a survey, brought up to date with the tool: never its records, words or licence."""

from awesome_cli.files.paths import decoded
from awesome_cli.files.tree import FileTree
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.marks import is_newer, is_own, same
from awesome_cli.publish.starter.answers import LICENCES, NONE, Answers
from awesome_cli.publish.starter.files import ONCE, filled
from awesome_cli.survey.changes import Change, Plan

WAY = (
    "'awesome init --upgrade --diff' shows what this version would write; to take it: move the file away, and type"
    " the command again"
)


def upgrade(tree: FileTree, taxonomy: Taxonomy) -> Plan:
    """The change of every such file that is missing or says something else than this version of the tool would write.

    A file that a person changed, or that a newer version wrote, is left, and a warning names it; `left` is what this
    version would make of the first.
    """
    survey = taxonomy.survey
    licence = survey.licence if survey.licence in LICENCES else NONE
    answers = Answers(
        survey.title, survey.description, licence=licence, repository=survey.repository, authors=survey.authors
    )
    changes, left, warnings = list[Change](), list[Change](), list[str]()
    for path, data in filled(answers, taxonomy).items():
        before = None if path in ONCE else tree.read(path)
        text = decoded(before or b"", path).replace("\r\n", "\n")
        if path in ONCE or same(text, data.decode()):
            continue
        if before is not None and is_newer(text):
            warnings.append(f"left {path}: it is of a newer version of awesome; install that one first")
        elif before is not None and not is_own(text):
            warnings.append(f"left {path}: it was changed by hand, or not written by awesome")
            left.append(Change(path, before, data))
        else:
            changes.append(Change(path, before, data))
    return Plan(tuple(changes), (*warnings, WAY) if left else tuple(warnings), left=tuple(left))
