"""Write reports as plain text for pipes and files: aligned columns, unlimited width, no escapes."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from awesome_cli.reports.report import Block, Bullets, Code, Report, Table, Text, cell_text


def write(report: Report) -> str:
    """Write a report as text that ends with a newline."""
    parts = [report.title] if report.title else []
    for section in report.sections:
        if section.folded:
            parts.append(f"{section.title}: {section.folded}")
            continue
        if section.title:
            parts.append(f"{section.title}\n{'-' * width(section.title)}")
        parts.extend(paragraphs(section.blocks))
    return "\n\n".join(parts) + "\n" if parts else ""


def paragraphs(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield each block as text; adjacent texts are joined without blank lines."""
    for together, neighbours in groupby(blocks, lambda block: isinstance(block, Text)):
        texts = map(render, neighbours)
        yield from ("\n".join(texts),) if together else texts


def render(block: Block) -> str:
    """Write a block as text."""
    match block:
        case Table():
            return table(block)
        case Bullets(items):
            return "\n".join(f"- {item}" for item in items)
        case Code(text):
            return text.rstrip("\n")
        case Text(text):
            return text


def table(block: Table) -> str:
    """Write a table with aligned columns, two blanks apart; numbers are aligned right."""
    cells = [[cell_text(cell) for cell in row] for row in block.rows]
    heads = list(block.columns)
    widths = [max([width(head), *(width(row[i]) for row in cells)]) for i, head in enumerate(heads)]
    right = [block.is_numeric(i) for i in range(len(heads))]
    lines = [block.title] if block.title else []
    for row in [heads, *cells]:
        padded = [pad(text, widths[i], right=right[i]) for i, text in enumerate(row)]
        lines.append("  ".join(padded).rstrip())
    if block.note:
        lines.append(block.note)
    return "\n".join(lines)


def width(text: str) -> int:
    """Return the width of a text; wide East Asian characters count as two. Faster than rich, and less exact."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def pad(text: str, size: int, *, right: bool) -> str:
    fill = " " * (size - width(text))
    return fill + text if right else text + fill
