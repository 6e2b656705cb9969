"""The report of a program's codings: what was asked and answered, quotes, and the agreement with the first coder."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from awesome_cli.analysis.second_coder.asking import PaperToCode
from awesome_cli.analysis.second_coder.coding import Coded
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text
from awesome_cli.text.numbers import counted


def to_report(coded: Coded, agreement: Report) -> Report:
    """The agreement, below the papers that were left out and the quotes that were not found."""
    data = {
        "asked": len(coded.answered),
        "left_out": [{"key": one.key, "reason": one.remark} for one in coded.left_out],
        "quotes": {
            "given": len(coded.quotes),
            "found": len(coded.quotes) - len(coded.not_found),
            "share": coded.share,
            "not_found": [{**one.to_json(), "quote": one.coding.tag.quote} for one in coded.not_found],
        },
    }
    mine = Report("awesome/coded/1", {**data, "audit": agreement.data}, tuple(_sections(coded)), "A program's codings")
    return replace(mine, sections=(*mine.sections, *agreement.sections), rows=(*mine.tables(), *agreement.tables()))


def _sections(coded: Coded) -> Iterator[Section]:
    if coded.left_out:
        rows = [(one.key, one.remark) for one in coded.left_out]
        yield Section(f"Left out ({len(rows)})", (Table.of(("key", "reason"), rows),))
    if coded.not_found:
        items = tuple(f"{q.coding.place} ({q.state}): {q.coding.tag.quote}" for q in coded.not_found)
        yield Section(f"Quotes that do not stand in what was sent ({len(items)})", (Bullets(items),))


def plan(papers: Sequence[PaperToCode], program: str) -> Report:
    """What would be asked, with the requests."""
    rows = [(one.paper.key, one.sent if one.request else one.remark) for one in papers]
    line = Text(f"would ask {program} about {counted(len(rows), 'paper')}; it was not started")
    requests = [one.request.model_dump(exclude_none=True, by_alias=True) for one in papers if one.request]
    data = {
        "program": program,
        "papers": [
            {"key": one.paper.key, "sent": one.sent if one.request else None, "reason": one.remark or None}
            for one in papers
        ],
        "requests": requests,
    }
    return Report("awesome/coder-requests/1", data, (Section(None, (line, Table.of(("key", "sent"), rows))),))
