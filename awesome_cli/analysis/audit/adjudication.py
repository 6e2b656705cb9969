"""Where two coders differ, and the commands that take the second coder's value into the records."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from awesome_cli.analysis.audit.agreement import CodedColumn, main_of, tags_of
from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two values for one paper in one column, which may be an axis, its strength or one of its terms.

    `command` writes the second coder's value into the record; None if the record has it already.
    """

    key: str
    axis: str
    first: str
    second: str
    command: str | None


def disagreements(corpus: Corpus, audit: Audit, columns: Iterable[CodedColumn]) -> Iterator[Disagreement]:
    """Each disagreement once: not in the columns that hold cells of others again."""
    seconds = {coding.key: coding.second for coding in audit.codings}
    for column in columns:
        for key, first, second in () if column.pooled else column.disagreements:
            command = _command(corpus, key, column.name, seconds[key], audit.second)
            yield Disagreement(key, column.name, first, second, command)


def _command(corpus: Corpus, key: str, column: str, second: Mapping[str, str], by: str) -> str | None:
    """The command that writes the second coder's value; None if the record is gone or has the value already."""
    paper = corpus.by_key.get(key)
    name, term = split_axis(column)
    axis = corpus.taxonomy.by_id.get(name.partition(".")[0])
    if not isinstance(paper, Paper) or axis is None:
        return None
    own = coding_of(paper, (axis.id, f"{axis.id}.strength"), corpus.taxonomy)
    words = _wanted(axis, own, second, term or "", column)
    if words is None:
        return None
    quoted = '"' + by.replace('"', "'") + '"'
    return f"awesome tag {paper.key} {words} --revised --who {quoted}"


def _wanted(axis: Axis, own: Mapping[str, str], second: Mapping[str, str], term: str, column: str) -> str | None:
    """The arguments of `awesome tag KEY`; None if the record has the value already."""
    if axis.kind == "many":
        mine, theirs = (_split(values.get(axis.id, NA)) for values in (own, second))
        if mine.get(term) == theirs.get(term):
            return None
        strength = theirs.get(term) or (axis.strengths[0].id if axis.strengths else "")
        tag = Tag(term=term, strength=strength)
        return on_axis(axis.id, tag) if term in theirs else f"{on_axis(axis.id, term)} --remove"
    now = main_of(own.get(axis.id)) or NA
    value = main_of(second.get(axis.id)) or now
    inline = next((tag.strength for tag in tags_of(second.get(axis.id, "")) if not tag.part), None)
    strength = inline or second.get(f"{axis.id}.strength", "")
    strength = strength if strength in axis.rank else own.get(f"{axis.id}.strength", "")
    if value == NA:
        return f"{axis.id} --remove" if now != NA else None
    same = now == value
    if same and (not column.endswith(".strength") or own.get(f"{axis.id}.strength") == strength):
        return None
    return on_axis(axis.id, Tag(term=value, strength=strength if strength in axis.rank else None))


def _split(cell: str) -> dict[str, str]:
    return {tag.term: tag.strength or "" for tag in tags_of(cell)}
