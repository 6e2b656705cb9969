"""The report of an audit: agreement by column, disagreements by paper, and the commands that settle them."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from awesome_cli.analysis.audit.agreement import STATISTICS, CodedColumn, columns, intervals
from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.errors import UsageError
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Tag, on_axis, parse_cell, split_axis
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.reports.report import Bullets, Cell, Code, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown

Interval = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The statistics of a column by name, each with its interval; None if all values are equal."""

    column: CodedColumn
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]


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


def find(corpus: Corpus, name: str | None) -> Audit:
    """The audit of that name; without a name, the latest. Raises `UsageError` if there is none."""
    audits = {audit.key: audit for audit in corpus.audits}
    if name is None and audits:
        return max(audits.values(), key=lambda audit: (audit.on, audit.key))
    if name not in audits:
        message = unknown(name, audits, "audit") if name else "the survey has no audit"
        raise UsageError(
            message, hint="draw a sheet with 'awesome audit sample', bring it back with 'awesome audit import'"
        )
    return audits[name]


def report(corpus: Corpus, audit: Audit, *, seed: int = 0) -> Report:
    """Agreement by column with 95 % intervals, missing values, disagreements and the commands that settle them."""
    found = [_agreement(column, seed) for column in columns(audit, corpus.taxonomy).values()]
    differ = tuple(_disagreements(corpus, audit, found))
    texts = [Text(f"{audit.key}, {audit.on}: {audit.first} and {audit.second}, {len(audit.codings)} papers")]
    if audit.note:
        texts.append(Text(audit.note))
    sections = [Section(None, (*texts, _table(found), *_notes(found)))]
    if differ:
        lines = [f"{d.key}: {d.axis}, {audit.first} {d.first}, {audit.second} {d.second}" for d in differ]
        sections.append(Section(f"Disagreements ({len(differ)})", (Bullets(tuple(lines)),)))
    commands = [d.command for d in differ if d.command]
    if commands:
        how = Text("To adjudicate, keep what the record says, or take the second coder's value:")
        sections.append(Section("Adjudication", (how, Code("\n".join(commands), "sh"))))
    elif differ:
        sections.append(Section("Adjudication", (Text("Every disagreement was settled.", "good"),)))
    data = {
        "audit": audit.key,
        "on": audit.on.isoformat(),
        "papers": len(audit.codings),
        "seed": seed,
        "axes": {a.column.name: _to_json(a) for a in found},
        "disagreements": [asdict(d) for d in differ],
    }
    return Report("awesome/audit/1", data, tuple(sections), "Agreement of two coders", _rows(found))


def _agreement(column: CodedColumn, seed: int) -> Agreement:
    values = {name: statistic(column.values) for name, statistic in STATISTICS.items()}
    return Agreement(column, values, intervals(column.values, seed))


def _to_json(found: Agreement) -> dict[str, object]:
    column = found.column
    return {
        "n": column.n,
        "agree": column.agree,
        **found.values,
        "intervals": {name: list(value) if value else None for name, value in found.intervals.items()},
        "missing": list(column.missing),
        "varies": column.varies,
    }


def _table(found: list[Agreement]) -> Table:
    rows = [(a.column.name, a.column.n, a.column.agree, *(_shown(a, name) for name in STATISTICS)) for a in found]
    heads = ("column", "papers", "agree", "percent", "Cohen's kappa", "Krippendorff's alpha", "Gwet's AC1")
    return Table.of(heads, rows, note="in brackets: 95 % bootstrap intervals")


def _shown(found: Agreement, name: str) -> Cell:
    value, interval = found.values[name], found.intervals[name]
    if value is None:
        return "all values equal" if found.column.n else "nothing coded"
    scale, digits = (100, 1) if name == "percent" else (1, 2)
    between = f" [{scale * interval[0]:.{digits}f}, {scale * interval[1]:.{digits}f}]" if interval else ""
    return f"{scale * value:.{digits}f}{between}"


def _notes(found: list[Agreement]) -> Iterator[Text]:
    for a in found:
        column = a.column
        if not column.varies and column.n:
            value = column.values[0][0]
            yield Text(f"{column.name}: every value is {value!r}; agreement beyond chance is not defined.", "warn")
        if column.missing:
            yield Text(f"{column.name}: {len(column.missing)} papers lack a value and are left out.", "warn")
        if column.covered:
            yield Text(
                f"{column.name}: in {column.covered} papers one coder's weakest strength covers the other's {NA}."
            )


def _disagreements(corpus: Corpus, audit: Audit, found: list[Agreement]) -> Iterator[Disagreement]:
    seconds = {coding.key: coding.second for coding in audit.codings}
    for a in found:
        for key, first, second in a.column.disagreements:
            command = _command(corpus, key, a.column.name, seconds[key], audit.second)
            yield Disagreement(key, a.column.name, first, second, command)


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
    return f"awesome tag {paper.key} {words} --revised --by {quoted}"


def _wanted(axis: Axis, own: Mapping[str, str], second: Mapping[str, str], term: str, column: str) -> str | None:
    """The arguments of `awesome tag KEY`; None if the record has the value already."""
    if axis.kind == "many":
        mine, theirs = (_split(values.get(axis.id, NA)) for values in (own, second))
        if mine.get(term) == theirs.get(term):
            return None
        strength = theirs.get(term) or (axis.strengths[0].id if axis.strengths else "")
        tag = Tag(term=term, strength=strength)
        return on_axis(axis.id, tag) if term in theirs else f"{on_axis(axis.id, term)} --remove"
    value = second.get(axis.id, own.get(axis.id, NA))
    strength = second.get(f"{axis.id}.strength", "")
    strength = strength if strength in axis.rank else own.get(f"{axis.id}.strength", "")
    if value == NA:
        return f"{axis.id} --remove" if own.get(axis.id, NA) != NA else None
    same = own.get(axis.id) == value
    if same and (not column.endswith(".strength") or own.get(f"{axis.id}.strength") == strength):
        return None
    return on_axis(axis.id, Tag(term=value, strength=strength if strength in axis.rank else None))


def _split(cell: str) -> dict[str, str]:
    return {tag.term: tag.strength or "" for tag in parse_cell(cell) if tag.term != NA}


def _rows(found: list[Agreement]) -> Table:
    heads = ("column", "n", "agree", *(f"{name}{part}" for name in STATISTICS for part in ("", "_low", "_high")))
    rows: list[list[Cell]] = []
    for a in found:
        values = (cell for name in STATISTICS for cell in (a.values[name], *(a.intervals[name] or (None, None))))
        rows.append([a.column.name, a.column.n, a.column.agree, *values])
    return Table.of(heads, rows)
