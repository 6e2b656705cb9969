"""The report of `awesome trace check`."""

from collections.abc import Sequence

from awesome_cli.reports.findings import TONE, is_bad, summary
from awesome_cli.reports.report import Block, Report, Section, Table, Text
from awesome_cli.text.numbers import counted
from awesome_cli.traces.checking import Checked
from awesome_cli.traces.reading import sentence
from awesome_cli.traces.rules import collapse

FINDING_COLUMNS = ("code", "level", "path", "line", "column", "key", "message", "fix", "pointer")


def check_report(checked: Sequence[Checked], *, every: bool = False) -> Report:
    """The findings of every trace; people see each kind of a trace's findings once, unless `every` one is asked for.

    A JSON row says how many there are, and whether the trace could be read.
    """
    found = [finding for each in checked for finding in each.findings]
    lines = [(f, 1) for f in found] if every else [line for each in checked for line in collapse(each.findings)]
    blocks: list[Block] = [
        Text(sentence(f, n) + (f"\n    fix: {f.fix}" if f.fix else ""), TONE[f.level], f.code) for f, n in lines
    ]
    blocks.append(Text(f"{counted(len(checked), 'trace')}: {summary(found)}", "bad" if is_bad(found) else "good"))
    table = [(f.code, f.level.value, f.path, f.line, f.column, f.key, f.message, f.fix, f.pointer) for f in found]
    return Report(
        schema="awesome/trace-check/1",
        data={"rows": [{**each.row, "findings": [f.to_json() for f in each.findings]} for each in checked]},
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(FINDING_COLUMNS, table),
        findings=tuple(f.to_json() for f in found),
    )
