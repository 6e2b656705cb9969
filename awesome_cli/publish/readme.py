"""The README: a page written by hand that contains islands. A template fills an island between two comments.

<!-- awesome:begin papers -->
… filled by templates/readme/papers.md.j2 …
<!-- awesome:end papers -->
"""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import SurveyError
from awesome_cli.files import paths
from awesome_cli.files.paths import is_file
from awesome_cli.publish.freshness import README, TABLES
from awesome_cli.publish.hosts import WORKFLOW
from awesome_cli.publish.islands import ISLANDS
from awesome_cli.publish.templates import fill, markdown_environment
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown
from awesome_cli.text.markup import link, unescape

CONTENTS = "contents"
MAX_BYTES = 16_000_000
"""Maximum size of a README."""
HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
MARK = re.compile(r"^<!-- awesome:(begin|end) ([a-z-]+) -->$", re.MULTILINE)
FILLED = re.compile(r"<!-- awesome:begin ([a-z-]+) -->.*?<!-- awesome:end \1 -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page; `anchor` is the fragment that GitHub gives it."""

    text: str
    level: int
    anchor: str


def render(text: str, corpus: Corpus, root: Path, page: str = README) -> str:
    """Return the page with all islands filled; text outside islands is unchanged.

    Raises `SurveyError` with the file (`page`) and the line of an island that is unknown or lacks a mark.
    """
    environment = markdown_environment(root)
    around = {"checked": is_file(root, WORKFLOW), "claims_page": _claims_page({**pages(root), page: text}, page)}
    bodies = {
        name: fill(
            environment, f"readme/{name}.md.j2", {**around, "headed": _headed(text[:start]), **ISLANDS[name](corpus)}
        )
        for name, start, _ in watched(islands(text, page), "filling the README")
        if name != CONTENTS
    }
    if "papers" in bodies:  # lists may link to a paper once, so other islands link to the evidence in its record
        records = {str(link("", paper.address)): f"[]({paper.path})" for paper in corpus.papers if paper.address}
        bodies |= {name: _relinked(body, records) for name, body in bodies.items() if name != "papers"}
    # The table of contents is filled last, since other islands contain headings.
    text = _replace(text, bodies)
    headings = {"headings": _headings(text)}
    if any(name == CONTENTS for name, _, _ in islands(text)):
        text = _replace(text, {CONTENTS: fill(environment, f"readme/{CONTENTS}.md.j2", headings)})
    return text


def _claims_page(texts: Mapping[str, str], page: str) -> str | None:
    """Return the path, relative to `page`, of the page with the island of claims; empty for the same page, or None."""
    holder = next((name for name, text in texts.items() if "<!-- awesome:begin claims -->" in text), None)
    return holder and ("" if holder == page else posixpath.relpath(holder, posixpath.dirname(page)))


def _relinked(body: str, targets: Mapping[str, str]) -> str:
    """Replace the targets of links; `targets` maps links without a text, such as `[](https://…)`."""
    return re.sub(r"\]\([^)\s]+\)", lambda match: targets.get(f"[{match[0]}", match[0]).removeprefix("["), body)


def _headed(before: str) -> bool:
    """True if the text contains a hand-written `## ` heading after the island of papers, outside other islands."""
    since = before.rpartition("<!-- awesome:end papers -->")[2]
    return bool(re.search(r"^## ", FILLED.sub("", since), re.MULTILINE))


def _headings(page: str) -> tuple[Heading, ...]:
    headings, seen = list[Heading](), Counter[str]()
    for mark, line in HEADING.findall(page):
        text = unescape(line.rstrip())
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        headings.append(Heading(text, len(mark), f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor))
        seen[anchor] += 1
    return tuple(h for h in headings if h.level in {2, 3} and h.text and h.text.casefold() != CONTENTS)


def _replace(text: str, bodies: Mapping[str, str]) -> str:
    parts: list[str] = []
    position = 0
    for name, start, end in islands(text):
        if name in bodies:
            parts += [text[position:start], "\n", bodies[name].strip("\n"), "\n"]
            position = end
    return "".join([*parts, text[position:]])


def islands(text: str, page: str = README) -> tuple[tuple[str, int, int], ...]:
    """Return `(name, start, end)` of the text between each pair of marks."""
    spans: list[tuple[str, int, int]] = []
    opened: re.Match[str] | None = None
    for mark in MARK.finditer(text):
        kind, name = mark[1], mark[2]
        if (kind == "begin") is (opened is not None) or (opened is not None and opened[2] != name):
            last = opened or mark
            raise _error(page, text, last, f"island {last[2]!r} lacks its begin or end mark")
        if name not in (*ISLANDS, CONTENTS):
            raise _error(page, text, mark, unknown(name, (*ISLANDS, CONTENTS), "island"))
        if opened is not None:
            spans.append((name, opened.end(), mark.start()))
        opened = mark if kind == "begin" else None
    if opened is not None:
        raise _error(page, text, opened, f"island {opened[2]!r} lacks its end mark")
    return tuple(spans)


def _error(page: str, text: str, mark: re.Match[str], message: str) -> SurveyError:
    line = text.count("\n", 0, mark.start()) + 1
    return SurveyError(f"{page}:{line}: {message}", hint=f"islands: {', '.join((*ISLANDS, CONTENTS))}")


def pages(root: Path) -> dict[str, str]:
    """Return the README and the optional second page with islands, by path.

    Raises `SurveyError` if the README is missing, or a page is too large or not UTF-8.
    """
    data = {name: paths.read(root, name, MAX_BYTES) for name in (README, TABLES)}
    if data[README] is None:
        hint = "create one with marks such as '<!-- awesome:begin papers -->'; 'awesome init' writes an example"
        raise SurveyError(f"{README} not found", hint=hint)
    return {
        name: paths.decoded(content, name).replace("\r\n", "\n").replace("\r", "\n")
        for name, content in data.items()
        if content is not None
    }
