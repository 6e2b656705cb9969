"""GitHub-flavoured Markdown, for job summaries and comments."""

import re

from awesome_cli.output import plain
from awesome_cli.report import Block, Bullets, Code, Report, Table, Text

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$])")
# At the start of a line these would open a heading, a list or a quotation.
LEADING = re.compile(r"^(\d*)([#+.)-])")


def escape(text: str) -> str:
    """`text` so that Markdown shows it letter by letter, on one line, and links nobody by accident."""
    line = SPECIAL.sub(r"\\\1", " ".join(plain.visible(text).split()))
    line = LEADING.sub(r"\1\\\2", line)
    # Entities, so that neither a mention nor a bare link comes to life and the copied text is the same.
    return line.replace("@", "&#64;").replace("://", ":&#47;&#47;")


def write(report: Report) -> str:
    """The whole report as Markdown."""
    parts = [f"## {escape(report.title)}"] if report.title else []
    for section in report.sections:
        if section.title:
            parts.append(f"### {escape(section.title)}")
        parts.extend(render(block) for block in section.blocks)
    return "\n\n".join(parts) + "\n" if parts else ""


def render(block: Block) -> str:
    """One block as Markdown."""
    match block:
        case Table():
            return table(block)
        case Bullets(items):
            return "\n".join(f"- {escape(str(item))}" for item in items)
        case Code(text, language):
            fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=2) + 1)
            fence = fence if len(fence) > 3 else "```"
            return f"{fence}{language}\n{text.rstrip()}\n{fence}"
        case Text(text):
            return "  \n".join(escape(line) for line in text.split("\n"))


def table(block: Table) -> str:
    """A pipe table; the title stands above it in bold."""
    marks = ["---:" if plain.is_numeric(block, i) else "---" for i in range(len(block.columns))]
    rows = [
        " | ".join(escape(c) for c in block.columns),
        " | ".join(marks),
        *(" | ".join(escape(plain.show(cell)) for cell in row) for row in block.rows),
    ]
    lines = "\n".join(f"| {row} |" for row in rows)
    head = f"**{escape(block.title)}**\n\n" if block.title else ""
    return head + lines + (f"\n\n{escape(block.note)}" if block.note else "")
