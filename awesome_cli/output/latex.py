r"""Write reports as LaTeX: tables with the rules of booktabs, keys of papers as `\cite{key}`.

The document needs the packages booktabs, longtable, array and graphicx, which `awesome-survey.sty` loads.
"""

import re
from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from awesome_cli.output.layout import GAP, longest, widths
from awesome_cli.reports.report import Bullets, Cell, Code, Report, Table, Text, cell_text
from awesome_cli.text.inert import visible
from awesome_cli.text.latex import to_latex

HEAD = r"% needs \usepackage{booktabs,longtable,array,graphicx}, for math amsmath and amssymb, for pdfTeX [T1]{fontenc}"
PAGE = 40
"""Maximum number of lines of a table that must fit on one page; a longer one becomes a longtable."""
LINE = 66
"""Number of characters on a line of text."""
MARGIN = 2.5
"""Space around a column in characters."""
KEYS = frozenset({"key", "keys", "paper", "papers", "record", "records"})
"""Columns that may contain keys of records."""
CITED = "[123]"
"""A citation as printed, for the width of a column."""
MARK = re.compile(r"\W?\d*(?: \(\d+\))?|n/a")
"""A number, or the mark of a cell in the evidence gap map."""


def escape(text: str) -> str:
    """Convert a text to LaTeX, with invisible characters made visible."""
    return to_latex(visible(text), document=True)


def write(report: Report, cites: Mapping[str, str]) -> str:
    """Write every block of a report; `cites` are citation keys by key of the paper."""
    label = f"tab:{report.schema.split('/')[1]}"
    parts, numbers = [HEAD], count(1)
    for section in report.sections:
        if section.title and not isinstance(next(iter(section.blocks), None), Table):
            parts.append(rf"\paragraph{{{escape(section.title)}}}")
        for block in section.blocks:
            if isinstance(block, Table):
                parts.append(table(block, cites, _caption(report, section.title, block), f"{label}-{next(numbers)}"))
            else:
                parts.append(_text(block))
    if any(r"\surveyother" in part for part in parts):
        parts.insert(1, r"\providecommand\surveyother[1]{#1}")
    # Two colons at the start of a line would be a command in the log of a workflow.
    return re.sub(r"(?m)^(?=\s*::)", "{}", "\n\n".join(parts) + "\n")


def tables(report: Report, cites: Mapping[str, str], caption: str | None, label: str) -> str:
    """Write only the tables of a report; the first has the caption and the label, the others a number after it.

    A report without a table, such as an empty list, is written as its text.
    """
    blocks = [(section.title, b) for section in report.sections for b in section.blocks if isinstance(b, Table)]
    if not blocks:
        return write(report, cites)
    captions = [_caption(report, title, block) for title, block in blocks]
    captions[:1] = [caption or name for name in captions[:1]]
    return "\n".join(
        table(block, cites, captions[n], label + (f"-{n + 1}" if n else "")) for n, (_, block) in enumerate(blocks)
    )


def _caption(report: Report, title: str | None, block: Table) -> str:
    name = report.title or report.schema.split("/")[1].capitalize()
    return ": ".join(dict.fromkeys(filter(None, [title or name, block.title])))


def _text(block: Bullets | Text | Code) -> str:
    if isinstance(block, Bullets):
        items = (rf"\item {_start(escape(str(item)))}" for item in block.items)
        return "\n".join([r"\begin{itemize}", *items, r"\end{itemize}"])
    if isinstance(block, Text):
        return escape(block.text)
    return "\n\n".join([r"{\raggedright\ttfamily\small", *map(_indented, block.text.split("\n")), r"\par}"])


def _indented(text: str) -> str:
    """Convert a line to LaTeX, with a space for each two blanks at its start."""
    line = text.lstrip(" ")
    return r"\quad " * ((len(text) - len(line)) // 2) + escape(line)


def _start(text: str) -> str:
    r"""Return a text that `\\`, `\item` or a rule before it does not take as its star or argument."""
    return "{}" + text if text.startswith(("[", "*")) else text


class _Column(NamedTuple):
    """The cells of a column below its heading, as text for the width and as LaTeX."""

    texts: list[str]
    cells: list[str]
    is_number: bool

    @property
    def width(self) -> int:
        return max(1, *map(len, self.texts))

    @property
    def least(self) -> int:
        return self.width if self.is_number else max(1, *map(longest, self.texts))

    def form(self, share: float, size: int) -> str:
        """Return `r`, `l`, or a paragraph of a share of the line for texts that wrap."""
        wraps = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
        return "r" if self.is_number else wraps if size < self.width else "l"


def table(block: Table, cites: Mapping[str, str], caption: str, label: str) -> str:
    """Write a table with caption, label and note; long texts wrap, and wide headings of numbers are rotated."""
    block = block.without_empty()
    wide = sum(len(name) + GAP for name in block.columns) > LINE
    columns = [_column(block, i, cites, wide=wide) for i in range(len(block.columns))]
    sizes = widths(range(len(columns)), [c.width for c in columns], [c.least for c in columns], LINE)
    line = max(LINE, sum(sizes) + MARGIN * len(sizes))
    form = "".join(column.form(size / line, size) for column, size in zip(columns, sizes, strict=True))
    texts, cells = (zip(*part, strict=True) for part in ((c.texts for c in columns), (c.cells for c in columns)))
    lines = sum(max(-(-len(text) // size) for text, size in zip(row, sizes, strict=True)) for row in texts)
    head, *body = (_start(" & ".join(row)) + r" \\" for row in cells)
    ruled, titled = [r"\toprule", head, r"\midrule"], [rf"\caption{{{escape(caption)}}}", rf"\label{{{label}}}"]
    note = [rf"\par\smallskip{{\footnotesize {escape(block.note)}\par}}"] if block.note else []
    if lines > PAGE:
        ends = [r"\endfirsthead", *ruled, r"\endhead", r"\bottomrule", r"\endfoot"]
        parts = [rf"\begin{{longtable}}{{{form}}}", *titled, r"\\", *ruled, *ends, *body, r"\end{longtable}", *note]
    else:
        inner = [rf"\begin{{tabular}}{{{form}}}", *ruled, *body, r"\bottomrule", r"\end{tabular}"]
        small = [r"\footnotesize"] * (sum(sizes) + GAP * (len(sizes) - 1) > LINE)
        parts = [r"\begin{table}[htbp]", r"\centering", *titled, *small, *inner, *note, r"\end{table}"]
    return "\n".join(parts) + "\n"


def _column(block: Table, place: int, cites: Mapping[str, str], *, wide: bool) -> _Column:
    name, column = block.columns[place], [row[place] for row in block.rows]
    is_keyed = name.lower() in KEYS and any(key in cites for cell in column for key in _keys(cell))
    texts = [CITED if is_keyed else cell_text(cell) for cell in column]
    is_number = place > 0 and any(texts) and all(map(MARK.fullmatch, texts))
    name = "paper" if is_keyed and name == "key" else name
    head = rf"\rotatebox{{90}}{{{escape(name)}}}" if wide and is_number else escape(name)
    cells = [_cell(cell, cites if is_keyed else {}) for cell in column]
    return _Column(["" if wide and is_number else name, *texts], [head, *cells], is_number)


def _keys(cell: Cell) -> tuple[str, ...]:
    return cell if isinstance(cell, tuple) else (str(cell),)


def _cell(cell: Cell, cites: Mapping[str, str]) -> str:
    cited = [cites[key] for key in _keys(cell) if key in cites]
    rest = cell_text(tuple(key for key in _keys(cell) if key not in cites) if cited else cell)
    return ", ".join(filter(None, [rf"\cite{{{','.join(cited)}}}" if cited else "", _indented(rest)]))
