"""The links of pages, and the headings that they lead to."""

import re
from pathlib import Path

from blocks import text_of

ADDRESS = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,}(?:/[^\s<>\"]*)?")
"""The form of an address outside; whether it answers, `make links` asks."""
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)|<([a-z]+:[^>\s]+)>", re.MULTILINE)


def links(page: Path) -> list[str]:
    """What the links of a page lead to."""
    return [next(filter(None, found)) for found in LINK.findall(CODE.sub("", text_of(page)))]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them; a heading that comes again has a number."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.append(re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-"))
    return {f"{name}-{found[:at].count(name)}" if name in found[:at] else name for at, name in enumerate(found)}
