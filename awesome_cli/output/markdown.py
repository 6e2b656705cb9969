"""GitHub-flavoured Markdown, for job summaries and comments."""

import html
import re

from awesome_cli.reports.report import Block, Bullets, Code, Linked, Report, Table, Text, cell_text
from awesome_cli.text.markup import escape, link
from awesome_cli.text.markup import table as pipe_table


def write(report: Report) -> str:
    """Write a report as Markdown."""
    parts = [f"## {escape(report.title)}"] if report.title else []
    for section in report.sections:
        if section.title:
            folded = f"<details><summary>{html.escape(section.title)}</summary>"
            parts.append(folded if section.folded else f"### {escape(section.title)}")
        parts.extend(render(block) for block in section.blocks)
        parts += ["</details>"] if section.folded else []
    return "\n\n".join(parts) + "\n" if parts else ""


def render(block: Block) -> str:
    """Write a block as Markdown."""
    match block:
        case Table():
            return table(block)
        case Bullets(items):
            return "\n".join(
                f"- {link(item.text, item.url) if isinstance(item, Linked) and item.url else escape(str(item))}"
                for item in items
            )
        case Code(text, language):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
            return f"{fence}{language}\n{text.rstrip()}\n{fence}"
        case Text(text):
            return "  \n".join(escape(line) for line in text.split("\n"))


def table(block: Table) -> str:
    """Write a pipe table, with the title above in bold and the note below."""
    right = [block.is_numeric(i) for i in range(len(block.columns))]
    body = pipe_table(block.columns, [[cell_text(cell) for cell in row] for row in block.rows], right)
    head = f"**{escape(block.title)}**\n\n" if block.title else ""
    return head + body + (f"\n\n{escape(block.note)}" if block.note else "")
