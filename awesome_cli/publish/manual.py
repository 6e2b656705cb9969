"""The manual: its pages by topic, and its texts on rules and trace checks by code."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from awesome_cli.publish import shipped

LINK = re.compile(r"\[([^\]\n]+)\]\((?:[\w-]+/|\.\./)?([\w-]+)\.md(?:#[\w-]*)?\)")
FOLDERS = ("", "how-to")
UNLISTED = ("decisions",)
HIDDEN = "index"
"""The index page, which contains only links to the other pages."""


def manual() -> Mapping[str, str]:
    """Return the manual text of each rule and trace check by code; the first line is the title."""
    from awesome_cli import traces
    from awesome_cli.rules.checking import RULES

    return {code: rule.manual for code, rule in RULES.items()} | dict(traces.manual())


def metrics() -> Mapping[str, tuple[Sequence[str], Mapping[str, str]]]:
    """Return `(paragraphs, facts)` of each trace metric by name."""
    from awesome_cli.traces.metrics import METRICS

    return {name: (metric.paragraphs, metric.facts) for name, metric in METRICS.items()}


def levels() -> Mapping[str, str]:
    """Return the level of each rule by code. Trace checks are missing: their levels depend on the format's version."""
    from awesome_cli.rules.checking import RULES

    return {code: rule.level.value for code, rule in RULES.items()}


def pages(*, every: bool = False) -> Mapping[str, Path]:
    """Return the file of each topic of `awesome help TOPIC`.

    With `every`, include pages that only links lead to.
    """
    folders = (*FOLDERS, *(UNLISTED if every else ()))
    files = (path for folder in folders for path in sorted((shipped("docs") / folder).glob("*.md")))
    return {path.stem: path for path in files if every or path.stem != HIDDEN}


def title(path: Path) -> str:
    """Return the title of a page, which is its first line."""
    with path.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()


def page(topic: str) -> str:
    """Return the text of a page, with links replaced: `[Rules](rules.md)` becomes ``Rules (`awesome help rules`)``."""
    known = pages(every=True)

    def opened(link: re.Match[str]) -> str:
        label, name = link.groups()
        command = f"`awesome help {name}`"
        if name not in known:
            return f"{label} ({name}.md in the sources of the tool)"
        return command if label.endswith(".md") else f"{label} ({command})"

    return LINK.sub(opened, known[topic].read_text(encoding="utf-8"))
