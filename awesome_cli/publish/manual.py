"""The manual: its pages by topic, its texts on rules and trace checks by code, and a full-text search."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nlargest
from math import log, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.publish import shipped
from awesome_cli.text.folding import forms, spaced
from awesome_cli.text.known import nearest

if TYPE_CHECKING:
    from awesome_cli.analysis.explanation import Manual

LINK = re.compile(r"\[([^\]\n]+)\]\((?:[\w-]+/|\.\./)?([\w-]+)\.md(?:#[\w-]*)?\)")
FOLDERS = ("", "how-to")
HIDDEN = "index"
"""The index page, which contains only links to the other pages."""
TITLE, HEADING = 8, 4
"""Weights of a word in a title and in a heading."""
FEW = 5
PIECES = re.compile(r"<!--.*?-->|```\w*|\n\n|\n(?=#|\||- |\d+\. )|(?<=[^\d][.:!?])\s+(?=[A-Z`*])", re.DOTALL)
"""The limits of headings, rows, items, paragraphs and sentences."""


def manual() -> "Manual":
    """Return the manual of rules, trace checks (their levels depend on the version of the format) and trace metrics."""
    from awesome_cli import traces
    from awesome_cli.analysis.explanation import Manual
    from awesome_cli.rules.checking import RULES
    from awesome_cli.traces.metrics import METRICS

    texts = {code: rule.manual for code, rule in RULES.items()} | dict(traces.manual())
    levels = {code: rule.level.value for code, rule in RULES.items()}
    return Manual(texts, levels, {name: (metric.paragraphs, metric.facts) for name, metric in METRICS.items()})


def pages(*, every: bool = False) -> Mapping[str, Path]:
    """Return the file of each topic of `awesome help TOPIC`, with `every` also of pages that only links lead to."""
    folders = (*FOLDERS, *(("decisions",) if every else ()))
    files = (path for folder in folders for path in sorted((shipped("docs") / folder).glob("*.md")))
    return {path.stem: path for path in files if every or path.stem != HIDDEN}


def title(path: Path) -> str:
    """Return the title of a page, which is its first line."""
    return path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").strip()


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


def topics() -> dict[str, list[str]]:
    """Return titles, each followed by the sentences, rows and headings of its text, by the command that opens it."""
    from awesome_cli.analysis import glossary

    texts = {f"awesome help {name}": page(name) for name in pages()}
    for section in texts.pop("awesome help cli").split("\n## ")[1:]:
        command, _, text = section.replace(" ", " help ", 1).partition("\n")
        texts[command] = f"# {text.strip()}\n\n{texts.get(command, '')}"
    for word, entry in glossary.words().items():
        texts[f"awesome explain {word}"] = f"# {', '.join(glossary.synonyms(word))}\n\n{entry.get('text', '')}"
    return {c: [" ".join(p.split()) for p in PIECES.split(text) if spaced(p)] for c, text in texts.items()}


def best(query: str) -> list[tuple[str, str, str]]:
    """Return `(command, title, piece)` of the best topics; the nearest known word replaces an unknown one."""
    among = topics()
    counts = {command: _words(f"{command} {title}", pieces) for command, (title, *pieces) in among.items()}
    known = {word for words in counts.values() for word in words}
    scores, weights = dict.fromkeys(among, 0.0), dict[str, float]()
    for word in spaced(query).split():
        alike = _alike(word, known) or _alike(nearest(word, known) or word, known)
        hits = {command: n for command, words in counts.items() if (n := sum(words[w] for w in alike))}
        weights |= dict.fromkeys(alike, log(1 + len(counts) / (len(hits) or 1)))
        for command, n in hits.items():
            scores[command] += weights[min(alike)] ** 2 * n / (n + sqrt(counts[command].total()) / 10)

    def value(piece: str) -> float:
        return sum(weights.get(word, 0) for word in {*spaced(piece).split()})

    matching = ((command, *among[command]) for command in nlargest(FEW, scores, scores.__getitem__) if scores[command])
    return [(command, title, max(pieces, key=value, default="")) for command, title, *pieces in matching]


def _words(title: str, pieces: Sequence[str]) -> Counter[str]:
    counts = Counter(dict.fromkeys(spaced(title).split(), TITLE))
    for piece in pieces:
        counts.update(dict.fromkeys(spaced(piece).split(), HEADING if piece.startswith("##") else 1))
    return counts


def _alike(word: str, known: set[str]) -> set[str]:
    """Return the known words that are forms of a word, or begin with it."""
    return {k for k in known if forms(k) & forms(word) or (len(word) > 3 and k.startswith(word))}
