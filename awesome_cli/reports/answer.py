"""The base of the answers of a survey: their report, also as a DataFrame and as HTML for notebooks."""

from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape
from typing import TYPE_CHECKING

from awesome_cli.reports.report import Block, Bullets, Code, Report, Table, Text, Toned, cell_text
from awesome_cli.text.inert import visible

if TYPE_CHECKING:
    import pandas as pd


@singledispatch
def report_of(answer: object) -> Report:
    """Report an answer; the module with the report of a class registers its function here."""
    raise NotImplementedError(type(answer))


class SurveyAnswer:
    """An answer of an analysis, which a notebook shows as its report."""

    def to_report(self) -> Report:
        """Return the report that the command line prints."""
        return report_of(self)

    def to_frame(self) -> "pd.DataFrame":
        """Return the first table of the report's CSV; lists are tuples, whole numbers `Int64`, texts `str`."""
        import pandas as pd
        from pandas.api.types import infer_dtype

        table = self.to_report().tables()[0]
        rows = [[str(cell) if isinstance(cell, Toned) else cell for cell in row] for row in table.rows]
        frame = pd.DataFrame(rows, columns=list(table.columns), dtype=object)
        whole = [name for name in frame if infer_dtype(frame[name], skipna=True) == "integer"]
        return frame.astype(dict.fromkeys(whole, "Int64")).infer_objects()

    def _repr_html_(self) -> str:
        # The classes keep MathJax from typesetting texts that contain $.
        return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(_html(self.to_report()))}</div>'


def _html(report: Report) -> Iterator[str]:
    yield _each("h3", [report.title])
    for section in report.sections:
        yield _each("h4", [section.title])
        yield from map(_block, section.blocks)


def _block(block: Block) -> str:
    match block:
        case Table(columns, rows, title, note):
            head = f"<thead><tr>{_each('th', columns)}</tr></thead>"
            body = "".join(f"<tr>{_each('td', map(cell_text, row))}</tr>" for row in rows)
            return f"<table>{_each('caption', [title])}{head}<tbody>{body}</tbody></table>{_each('p', [note])}"
        case Bullets(items):
            return f"<ul>{_each('li', map(cell_text, items))}</ul>"
        case Code(text):
            return _each("pre", [text])
        case Text(text):
            return _each("p", text.splitlines())


def _each(tag: str, texts: Iterable[str | None]) -> str:
    """Write an element for each text that is not None."""
    return "".join(f"<{tag}>{escape(visible(text))}</{tag}>" for text in texts if text is not None)
