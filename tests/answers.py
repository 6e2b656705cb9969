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

from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.gaps import states

STATES = {state.word for state in states.STATES} | {status.value for status in ClaimStatus}
ANSWERS = ("text", "md", "json", "csv")
FOLDERS = ("corpus", "exclusions", "candidates", "audits")
NUMBER = re.compile(r"[-!~]?(\d[\d,]*(?:\.\d+)?)(?: \(.*\))?")
ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")
# How Python writes a truth, nothing, a whole float and the noise of a float; and thousands with a comma.
BADLY_WRITTEN = re.compile(r"True|False|None|nan|-?\d+\.(0|\d{16,})|\d{1,3}(,\d{3})+")


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
        case _:
            yield "" if value is None else value


def spaced(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True)
class Words:
    """What can be told of a survey: the `keys` of its records and claims, and the `sentences` of its files."""

    keys: frozenset[str]
    sentences: frozenset[str]

    @classmethod
    def of(cls, root: Path) -> "Words":
        """Every key and title, and every text of four words or more that ends like a sentence."""
        paths = [path for folder in FOLDERS for path in (root / folder).glob("*.yaml")]
        claims = yaml.safe_load((root / "claims.yaml").read_text())["claims"]
        top = [path for name in ("taxonomy", "claims") if (path := root / f"{name}.yaml").is_file()]
        documents = [yaml.safe_load(path.read_text()) for path in (*paths, *top)]
        titles = {document["title"] for document in documents if "title" in document}
        texts = {leaf for leaf in leaves(documents) if isinstance(leaf, str) and leaf.endswith((".", "?"))} | titles
        sentences = {spaced(text) for text in texts if len(text.split()) > 3}
        # A claim may be called by a word of everyday language: one with a hyphen is none.
        names = {path.stem for path in paths} | {claim["id"] for claim in claims if "-" in claim["id"]}
        return cls(frozenset(names), frozenset(sentences))

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
    def document(self) -> Any:
        """The JSON; NaN and infinities are no numbers in it."""
        return json.loads(self.json, parse_constant=float.fromhex)

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

    def told(self, words: Words) -> dict[str, set[str]]:
        """What each format says of the survey, by its name."""
        texts = {
            "text": self.text,
            "md": plain(self.md),
            "json": "\n".join(str(leaf) for leaf in leaves(self.document)),
            "csv": "\n".join(cell for row in self.rows for cell in row),
        }
        return {name: words.told(text) for name, text in texts.items()}


def plain(text: str) -> str:
    """Markdown without its escapes."""
    return unescape(ESCAPED.sub(r"\1", text)).strip()


def shown(tables: Iterable[list[list[str]]]) -> set[str]:
    """The numbers in the cells of tables, without a sign, a mark or a share behind them."""
    cells = (cell for table in tables for row in table[1:] for cell in row)
    return {match[1].replace(",", "") for cell in cells if (match := NUMBER.fullmatch(cell))}


def numbers(value: object) -> Iterator[float]:
    """The numbers in a document or in cells, and how many entries its lists have."""
    match value:
        case int() | float():
            yield abs(value)
        case str():
            yield len(value.split("; "))
            yield from map(float, re.findall(r"(?:^|; )-?(\d+(?:\.\d+)?)(?= |;|$)", value))
        case Mapping():
            yield from (n for inner in (*value, *value.values()) for n in numbers(inner))
        case list():
            yield len(value)
            yield from (n for inner in value for n in numbers(inner))


def is_among(written: str, exact: Iterable[float]) -> bool:
    """Whether a number that people see, of four digits at most behind a point, is one of some exact ones."""
    _, point, decimals = written.partition(".")
    value = float(written)
    tolerance = max(0.51 * 10 ** -len(decimals), 0.00051 * value) if point else 0
    return any(abs(value - n) <= tolerance for n in exact)


def faults(answer: Answer, words: Words, *, more: bool) -> Iterator[str]:
    """What the formats of an answer do not have in common; with `more`, JSON and CSV may say more than the text."""
    told = answer.told(words)
    for name in ("md", "json", "csv"):
        if missing := told["text"] - told[name]:
            yield f"{name} lacks {sorted(missing)}"
        extra = told[name] - told["text"]
        if extra and (name == "md" or not more):
            yield f"{name} alone has {sorted(extra)}"
    yield from lacking(answer)


def lacking(answer: Answer) -> Iterator[str]:
    """The states and the numbers in the tables of the text that JSON or CSV does not have."""
    cells = {cell for table in answer.tables for row in table[1:] for cell in row}
    for name, found in (
        ("json", {*map(str, leaves(answer.document))}),
        ("csv", {c for row in answer.rows for c in row}),
    ):
        if missing := {cell for cell in cells & STATES if cell.replace(" ", "_") not in found}:
            yield f"{name} lacks the states {sorted(missing)}"
    for name, found in (("json", answer.document["data"]), ("csv", answer.rows)):
        exact = set(numbers(found))
        if missing := {written for written in shown(answer.tables) if not is_among(written, exact)}:
            yield f"{name} lacks the numbers {sorted(missing)}"


def broken(answer: Answer) -> Iterator[str]:
    """What is not well formed."""
    yield from (f"{name} is empty" for name in ANSWERS if not getattr(answer, name).strip())
    document = answer.document
    if not re.fullmatch(r"awesome/[a-z-]+/\d+", document["schema"]) or not document["data"]:
        yield "json is no answer"
    head, *rows = answer.rows
    if len({*head}) < len(head) or any(len(row) != len(head) for row in rows):
        yield f"csv is no table: {head}"
    if any(len(row) != len(table[0]) for table in answer.tables for row in table):
        yield "md has a broken table"
    yield from (f"csv has {cell!r}" for row in rows for cell in row if BADLY_WRITTEN.fullmatch(cell))
