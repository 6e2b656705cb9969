"""The manual: its pages by topic, and those of every rule, of records and of traces by their codes."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from awesome_cli.publish import shipped

LINK = re.compile(r"\[([^\]\n]+)\]\((?:[\w-]+/|\.\./)?([\w-]+)\.md(?:#[\w-]*)?\)")
FOLDERS = ("", "how-to")
UNLISTED = ("decisions",)
HIDDEN = "index"
"""The page that only leads to the others."""


def manual() -> Mapping[str, str]:
    """Code to manual text; the first line is the title."""
    from awesome_cli import traces
    from awesome_cli.rules.checking import RULES

    return {code: rule.manual for code, rule in RULES.items()} | dict(traces.manual())


def metrics() -> Mapping[str, tuple[Sequence[str], Mapping[str, str]]]:
    """The metrics of traces: name to the paragraphs and the facts of its page."""
    from awesome_cli.traces.metrics import METRICS

    return {name: (metric.paragraphs, metric.facts) for name, metric in METRICS.items()}


def levels() -> Mapping[str, str]:
    """Code to level; a code of traces has one for each version of the format, and its page says so."""
    from awesome_cli.rules.checking import RULES

    return {code: rule.level.value for code, rule in RULES.items()}


def pages(*, every: bool = False) -> Mapping[str, Path]:
    """Topic to file of the pages that come with the tool, as `awesome help TOPIC` opens them.

    With `every`, also those that are not listed, since other pages lead to them.
    """
    folders = (*FOLDERS, *(UNLISTED if every else ()))
    files = (path for folder in folders for path in sorted((shipped("docs") / folder).glob("*.md")))
    return {path.stem: path for path in files if every or path.stem != HIDDEN}


def title(path: Path) -> str:
    """The first line of a page, which is its title."""
    with path.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()


def page(topic: str) -> str:
    """The text of a page; what leads to another page says the command that opens it, or that it does not come along."""
    known = pages(every=True)

    def opened(link: re.Match[str]) -> str:
        label, name = link.groups()
        command = f"`awesome help {name}`"
        if name not in known:
            return f"{label} ({name}.md in the sources of the tool)"
        return command if label.endswith(".md") else f"{label} ({command})"

    return LINK.sub(opened, known[topic].read_text(encoding="utf-8"))
