"""What an answer says, whatever its format: the words of the survey's files in it, and the numbers of its tables."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any

import yaml

NUMBER = re.compile(r"[-!~]?(\d[\d,]*(?:\.\d+)?)(?: \(.*\))?")
ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")
FOLDERS = ("corpus", "exclusions", "candidates", "audits")


def leaves(value: object) -> Iterator[object]:
    """The texts, numbers and truths of a document, names of fields included."""
    match value:
        case Mapping():
            for name, inner in value.items():
                yield name
                yield from leaves(inner)
        case list() | tuple():
            for inner in value:
                yield from leaves(inner)
        case None:
            return
        case _:
            yield value


def spaced(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True)
class Words:
    """What can be told of a survey: the `keys` of records, and the `sentences` of its files."""

    keys: frozenset[str]
    sentences: frozenset[str]

    @classmethod
    def of(cls, root: Path) -> "Words":
        """Every key, and every text of four words or more that ends like a sentence or is a title."""
        paths = [path for folder in FOLDERS for path in (root / folder).glob("*.yaml")]
        paths += [path for name in ("taxonomy", "claims") if (path := root / f"{name}.yaml").is_file()]
        documents = [yaml.safe_load(path.read_text()) for path in paths]
        titles = {document["title"] for document in documents if "title" in document}
        texts = {leaf for leaf in leaves(documents) if isinstance(leaf, str) and leaf.endswith((".", "?"))} | titles
        sentences = {spaced(text) for text in texts if len(text.split()) > 3}
        return cls(frozenset(path.stem for path in paths if path.parent != root), frozenset(sentences))

    def told(self, text: str) -> set[str]:
        """The keys and the sentences in a text."""
        text = spaced(text)
        keys = self.keys & set(re.findall(r"[\w.-]*\w", text))
        return keys | {sentence for sentence in self.sentences if sentence in text}


@dataclass(frozen=True)
class Answer:
    """The answer to a question in four formats."""

    text: str
    md: str
    json: str
    csv: str

    @cached_property
    def document(self) -> dict[str, Any]:
        """The JSON."""
        return json.loads(self.json, parse_constant=lambda name: 1 / 0)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The CSV with its header."""
        return list(csv.reader(io.StringIO(self.csv), strict=True))

    @cached_property
    def tables(self) -> list[list[list[str]]]:
        """The cells of the Markdown tables, their headers without the rule below them."""
        tables: list[list[list[str]]] = [[]]
        for line in self.md.splitlines():
            if line.startswith("|"):
                tables[-1].append([plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            elif tables[-1]:
                tables.append([])
        return [[table[0], *table[2:]] for table in tables if table]

    @property
    def texts(self) -> dict[str, str]:
        """What each format says, without its syntax."""
        return {
            "text": self.text,
            "md": plain(self.md),
            "json": "\n".join(str(leaf) for leaf in leaves(self.document)),
            "csv": "\n".join(cell for row in self.rows for cell in row),
        }


def plain(text: str) -> str:
    """Markdown without its escapes."""
    return unescape(ESCAPED.sub(r"\1", text)).strip()


def shown(tables: Iterable[list[list[str]]]) -> Iterator[str]:
    """The numbers in the cells of tables, without a sign, a mark or a share behind them."""
    cells = (cell for table in tables for row in table[1:] for cell in row)
    yield from (match[1].replace(",", "") for cell in cells if (match := NUMBER.fullmatch(cell)))


def numbers(document: object) -> Iterator[float]:
    """The numbers in a document or among cells, and how many entries its lists have."""
    match document:
        case bool() | None:
            return
        case int() | float():
            yield abs(document)
        case str():
            yield from map(float, re.findall(r"(?:^|; )-?(\d+(?:\.\d+)?(?:e-\d+)?)(?= |;|$)", document))
        case Mapping():
            yield from (n for inner in (*document, *document.values()) for n in numbers(inner))
        case list():
            yield len(document)
            yield from (n for inner in document for n in numbers(inner))


def without(written: Iterable[str], found: Iterable[float]) -> list[str]:
    """Those of some written numbers of which none of the found ones is the exact value."""
    exact = set(found)
    return [text for text in set(written) if not any(abs(float(text) - n) <= tolerance(text) for n in exact)]


def tolerance(text: str) -> float:
    """Half of the last digit that a person sees, of four."""
    decimals = len(text.partition(".")[2])
    return 0.5001 * max(10**-decimals if decimals else 0, float(text) / 1000 if decimals else 0) or 0.5 * (
        float(text) >= 1000
    )


def faults(answer: Answer, words: Words, *, more: bool) -> Iterator[str]:
    """What the formats of an answer do not have in common; `more` allows JSON and CSV to name further things."""
    yield from (f"{name} is empty" for name in ("text", "md", "json", "csv") if not getattr(answer, name).strip())
    document = answer.document
    if not re.fullmatch(r"awesome/[a-z-]+/\d+", str(document["schema"])) or not document["data"]:
        yield "JSON is no answer"
    head, *rows = answer.rows
    if len(set(head)) < len(head) or any(len(row) != len(head) for row in rows):
        yield f"CSV is no table: {head}"
    if any(len(row) != len(table[0]) for table in answer.tables for row in table):
        yield "Markdown has a broken table"
    told = {name: words.told(text) for name, text in answer.texts.items()}
    for name in ("md", "json", "csv"):
        if missing := told["text"] - told[name]:
            yield f"{name} lacks {sorted(missing)}"
        if not (more and name != "md") and (extra := told[name] - told["text"]):
            yield f"{name} alone has {sorted(extra)}"
    for name, found in (("JSON", document["data"]), ("CSV", rows)):
        if missing := without(shown(answer.tables), numbers(found)):
            yield f"{name} lacks the numbers {sorted(missing)}"
    yield from badly_written(rows)


def badly_written(rows: list[list[str]]) -> Iterator[str]:
    """Cells that a program reads otherwise than a person."""
    for cell in {cell for row in rows for cell in row}:
        if (
            cell in ("True", "False", "None", "nan")
            or re.fullmatch(r"-?\d+\.(0|\d{16,})", cell)
            or re.fullmatch(r"\d{1,3}(,\d{3})+", cell)
        ):
            yield f"CSV has the cell {cell!r}"
