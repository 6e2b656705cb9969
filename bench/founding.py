"""From a list to a survey: one command against its parts, and against the minute that it may take."""

import csv
import random
import tempfile
from pathlib import Path

from bench.timing import AWESOME, Row, process

PAPERS, TERMS = 600, 40
MINUTE = 60.0
"""Seconds of the processor."""
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
PARTS = ("import {list} --column tags=keywords", "render", "site build")


def write_list(path: Path, papers: int = PAPERS) -> None:
    """A table of works with abstracts, links and a few of 40 tags each."""
    chance = random.Random(1)

    def words(n: int) -> str:
        return " ".join("".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(n))

    tags = [words(1) for _ in range(TERMS)]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("title", "authors", "year", "doi", "url", "abstract", "tags"))
        for number in range(papers):
            authors = "; ".join(f"{words(1).title()}, {words(1).title()}" for _ in range(chance.randint(1, 6)))
            place = f"10.5555/bench.{number}", f"https://example.org/{number}"
            subjects = "; ".join(chance.sample(tags, chance.randint(1, 4)))
            table.writerow((words(8).capitalize(), authors, 2000 + number % 26, *place, words(150), subjects))


def run() -> list[Row]:
    """Rows of measurements."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_list(home / "list.csv")
        process([*AWESOME, "init", "compiled", "--input", "list.csv"], home)  # the first run compiles
        whole = process([*AWESOME, "init", "survey", "--input", "list.csv", "--site"], home)
        process([*AWESOME, "init", "parts"], home)
        words = [part.format(list=home / "list.csv").split() for part in PARTS]
        parts = sum(process([*AWESOME, *part], home / "parts") for part in words)
    return [
        Row(f"a list of {PAPERS} to README and site, against its parts", whole, parts, 1.3),
        Row(f"a list of {PAPERS} to README and site, within a minute", whole, MINUTE, 1.0),
    ]
