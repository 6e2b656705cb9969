r"""Write reports as LaTeX: tables with the rules of booktabs, keys of papers as `\cite{key}`.

The document needs the packages booktabs, longtable, array and graphicx, which `awesome-survey.sty` loads.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from awesome_cli.output.layout import GAP, longest, widths
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Table, Text, cell_text
from awesome_cli.text.inert import visible
from awesome_cli.text.latex import to_latex

PAGE = 40
"""Maximum number of lines of a table that must fit on one page; a longer one becomes a longtable."""
LINE = 66
"""Number of characters on a line of text."""
KEYS = frozenset({"key", "keys", "paper", "papers", "record", "records"})
"""Columns that contain keys of records."""
CITED = "[123]"
"""A citation as printed, for the width of a column."""
MARK = re.compile(r"\W?\d*(?: \(\d+\))?")
"""A number, or the mark of a cell in the evidence gap map."""


def escape(text: str) -> str:
    """Convert a text to LaTeX, with invisible characters made visible."""
    return to_latex(visible(text))


def write(report: Report, cites: Mapping[str, str]) -> str:
    """Write every block of a report; `cites` are citation keys by key of the paper."""
    label = f"tab:{report.schema.split('/')[1]}"
    parts, numbers = [r"% needs \usepackage{booktabs,longtable,array,graphicx}"], count(1)
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Table):
                parts.append(table(block, cites, _caption(report, section.title, block), f"{label}-{next(numbers)}"))
            else:
                parts.append(_text(block))
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


def _text(block: Block) -> str:
    match block:
        case Bullets(items):
            return "\n".join([r"\begin{itemize}", *(rf"\item {escape(str(item))}" for item in items), r"\end{itemize}"])
        case Text(text) | Code(text):
            return escape(text)
    raise TypeError(block)


def table(block: Table, cites: Mapping[str, str], caption: str, label: str) -> str:
    """Write a table with caption, label and note; long texts wrap, and wide headings of numbers are rotated."""
    block = block.without_empty()
    keyed = [bool(cites) and name.lower() in KEYS for name in block.columns]
    texts = [[CITED if keyed[i] else cell_text(row[i]) for row in block.rows] for i in range(len(keyed))]
    right = [i > 0 and any(cells) and all(map(MARK.fullmatch, cells)) for i, cells in enumerate(texts)]
    wide = sum(len(name) + GAP for name in block.columns) > LINE
    columns = [
        ("" if wide and is_number else name, *cells)
        for name, is_number, cells in zip(block.columns, right, texts, strict=True)
    ]
    names = ["paper" if cited and name == "key" else name for name, cited in zip(block.columns, keyed, strict=True)]
    heads = [
        escape(name) if column[0] else rf"\rotatebox{{90}}{{{escape(name)}}}"
        for name, column in zip(names, columns, strict=True)
    ]
    sizes = _sizes(columns)
    lines = sum(
        max(-(-len(text) // size) for text, size in zip(row, sizes, strict=True)) for row in zip(*texts, strict=True)
    )
    rows = [[_cell(cell, cites if keyed[i] else {}) for i, cell in enumerate(row)] for row in block.rows]
    head, *body = (" & ".join(row) + r" \\" for row in (heads, *rows))
    form, ruled = "".join(_formats(columns, sizes, right)), [r"\toprule", head, r"\midrule"]
    titled = [rf"\caption{{{escape(caption)}}}", rf"\label{{{label}}}"]
    note = [rf"\par\smallskip{{\footnotesize {escape(block.note)}\par}}"] if block.note else []
    if lines > PAGE:
        ends = [r"\endfirsthead", *ruled, r"\endhead", r"\bottomrule", r"\endfoot"]
        parts = [rf"\begin{{longtable}}{{{form}}}", *titled, r"\\", *ruled, *ends, *body, r"\end{longtable}", *note]
    else:
        inner = [rf"\begin{{tabular}}{{{form}}}", *ruled, *body, r"\bottomrule", r"\end{tabular}"]
        parts = [r"\begin{table}[htbp]", r"\centering", *titled, *inner, *note, r"\end{table}"]
    return "\n".join(parts) + "\n"


def _cell(cell: Cell, cites: Mapping[str, str]) -> str:
    keys = cell if isinstance(cell, tuple) else (str(cell),)
    cited = [cites[key] for key in keys if key in cites]
    rest = cell_text(tuple(key for key in keys if key not in cites) if cited else cell)
    return ", ".join([*([rf"\cite{{{','.join(cited)}}}"] if cited else []), *([escape(rest)] if rest else [])])


def _sizes(columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column in characters, so that all fit on a line if their longest words do."""
    whole = [max(1, *map(len, cells)) for cells in columns]
    return widths(range(len(whole)), whole, [max(1, *map(longest, cells)) for cells in columns], LINE)


def _formats(columns: Sequence[Sequence[str]], sizes: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """Yield the format of each column: `r`, `l`, or a paragraph for texts that wrap."""
    line = max(LINE, sum(sizes) + GAP * (len(sizes) - 1))
    for cells, size, is_number in zip(columns, sizes, right, strict=True):
        wraps = size < max(map(len, cells)) and not is_number
        width = rf">{{\raggedright\arraybackslash}}p{{{0.97 * size / line:.2f}\linewidth}}"
        yield "r" if is_number else width if wraps else "l"
