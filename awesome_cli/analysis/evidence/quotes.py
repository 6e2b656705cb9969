"""Whether the quotes beside codings stand in the texts of their papers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from awesome_cli.analysis.evidence.coverage import PlacedTag
from awesome_cli.analysis.evidence.texts import text_of
from awesome_cli.errors import NetError, NotKnownError, UsageError
from awesome_cli.model.records import AnyWork, Exclusion
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.network import Net
from awesome_cli.text.passages import Passage

QuoteState = Literal["found", "near", "missing", "no_text", "not_fetched"]
TONES: Mapping[QuoteState, Tone] = {
    "found": "good",
    "near": "warn",
    "missing": "bad",
    "no_text": "muted",
    "not_fetched": "warn",
}


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """A coding with a quote, and what its paper's text says; `remark` says why there is no text."""

    coding: PlacedTag
    state: QuoteState
    passage: Passage
    remark: str | None = None

    @property
    def words(self) -> str:
        """The state for people."""
        return self.state.replace("_", " ")

    @property
    def place(self) -> str | None:
        """The heading before the passage and the percent of the text before it."""
        if self.passage.share is None:
            return None
        percent = f"{100 * self.passage.share:.0f} %"
        return f"{self.passage.heading[:60]}, {percent}" if self.passage.heading else percent

    def to_json(self) -> dict[str, object]:
        """The published form."""
        key, axis, coding = self.coding.row
        share = self.passage.share
        found = {"heading": self.passage.heading or None, "share": share and round(share, 3)}
        told = {"difference": self.passage.difference, "remark": self.remark}
        return {"key": key, "axis": axis, "tag": coding, "state": self.state, **found, **told}


def chosen(corpus: Corpus, keys: Sequence[str]) -> tuple[AnyWork, ...]:
    """The works of some keys; raises `UsageError` for an exclusion."""
    works = [corpus.get(key) for key in keys]
    if wrong := next((work for work in works if isinstance(work, Exclusion)), None):
        raise UsageError(f"{wrong.key} is an exclusion and has no codings", hint=f"awesome show {wrong.key}")
    return tuple(work for work in works if not isinstance(work, Exclusion))


def check(found: Iterable[PlacedTag], folder: Path | None, net: Net) -> tuple[CheckedQuote, ...]:
    """Look up the quote of each coding that has one, paper by paper."""
    quoted = sorted((coding for coding in found if coding.tag.quote), key=lambda coding: coding.work.key)
    papers = [list(same) for _, same in groupby(quoted, key=lambda coding: coding.work.key)]
    return tuple(one for same in watched(papers, "checking quotes of papers") for one in _of_paper(same, folder, net))


def _of_paper(quoted: list[PlacedTag], folder: Path | None, net: Net) -> list[CheckedQuote]:
    try:
        text = text_of(quoted[0].work, folder, net)
    except NetError as error:
        state: QuoteState = "no_text" if isinstance(error, NotKnownError) else "not_fetched"
        return [CheckedQuote(coding, state, Passage("missing"), error.message) for coding in quoted]
    passages = [(coding, text.find(coding.tag.quote or "")) for coding in quoted]
    return [CheckedQuote(coding, passage.state, passage) for coding, passage in passages]


def to_report(checked: Sequence[CheckedQuote], among: str) -> Report:
    """A row per quote, the differences of near ones, and how many quotes stand in their texts."""
    counts = Counter(one.state for one in checked)
    columns = ("key", "axis", "tag", "quote", "place", "remark")
    rows: list[tuple[Cell, ...]] = [
        (*one.coding.row, Toned(one.words, TONES[one.state]), one.place, one.remark) for one in checked
    ]
    told = ", ".join(f"{n} {state.replace('_', ' ')}" for state in TONES if (n := counts[state]))
    line = f"Of {among}, {len(checked)} have a quote" + (f": {told}." if checked else ".")
    sections = [Section(None, (Table.of(columns, rows), Text(line)) if rows else (Text(line),))]
    near = [one for one in checked if one.passage.difference]
    if near:
        items = tuple(f"{one.coding.work.key} {one.coding.axis}: {one.passage.difference}" for one in near)
        how = Text("[-words of the quote alone-], {+words of the text alone+}")
        sections.append(Section("Near", (Bullets(items), how)))
    data = {"population": among, "counts": dict(counts), "quotes": [one.to_json() for one in checked]}
    flat = [(*row[:3], str(row[3]), *row[4:], one.passage.difference) for row, one in zip(rows, checked, strict=True)]
    table = Table.of((*columns, "difference"), flat)
    return Report("awesome/evidence-check/1", data, tuple(sections), rows=table)
