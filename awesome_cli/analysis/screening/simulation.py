"""Replays of a finished screening: the papers are read in an order that learns, and the labels are those given.

Its measures say how early the relevant papers are found. All take the labels of the papers in the order in which they
were read, without the starting papers. The definitions are those of ASReview-insights, of which version 1.6.1 gives
the same numbers.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from random import Random
from statistics import fmean
from typing import Any

from awesome_cli.analysis.ranking import Features, Ranker, features, text
from awesome_cli.errors import UsageError
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.cells import line
from awesome_cli.formats.decisions import decided
from awesome_cli.formats.reading import InputFile, decided_words, read
from awesome_cli.formats.rows import LABEL, column_of
from awesome_cli.model.drafts import Draft
from awesome_cli.model.screenings import ScreeningOrder
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text
from awesome_cli.text.numbers import counted, first_few, precise

INSIGHTS = "ASReview-insights 1.6.1, https://github.com/asreview/asreview-insights"


@dataclass(frozen=True, slots=True)
class DiscoveryMeasures:
    """How early the relevant papers were found: shares from 0 to 1, and `time_to_discovery` in papers read."""

    work_saved: float
    recall_early: float
    time_to_discovery: float
    loss: float


@dataclass(frozen=True, slots=True)
class Definition:
    """A measure's name for people, its definition, and its source."""

    label: str
    text: str
    source: str


DEFINITIONS = {
    "work_saved": Definition(
        "work saved over sampling at 95 %",
        "the share of the papers that need not be read to find 95 % of the relevant ones, beyond what a random order"
        " would save: how many papers earlier than in a random order the last of them is found, over all papers;"
        " 95 % is rounded down to whole papers",
        f"Cohen and others 2006, doi:10.1197/jamia.M1929; as in {INSIGHTS}",
    ),
    "recall_early": Definition(
        "recall at 10 %",
        "the share of the relevant papers that is found when 10 % of the papers are read, rounded down to whole papers",
        f"as in {INSIGHTS}",
    ),
    "time_to_discovery": Definition(
        "average time to discovery",
        "the mean, over the relevant papers, of how many papers are read until it is found, itself included",
        f"Ferdinands and others 2023, doi:10.1186/s13643-023-02257-7; in papers, as in {INSIGHTS}",
    ),
    "loss": Definition(
        "loss",
        "the area between the best recall curve and this one, over the area between the best and the worst: 0 where all"
        " relevant papers come first, 1 where all come last, 0.5 on average in a random order",
        f"as in {INSIGHTS}",
    ),
}
"""The measures by the names of their fields."""


def curve(labels: Sequence[bool]) -> list[int]:
    """How many relevant papers were found after each paper."""
    return list(accumulate(map(int, labels)))


def measures(labels: Sequence[bool]) -> DiscoveryMeasures:
    """All measures; raises `UsageError` for labels that are all the same."""
    if len({*labels}) < 2:
        kind = "relevant" if True in labels else "irrelevant"
        message = f"all papers beside the starting ones are {kind}: there is nothing to find" if labels else "no papers"
        raise UsageError(message, hint="a labelled set has relevant and irrelevant papers")
    return DiscoveryMeasures(work_saved(labels), recall_at(labels, 0.10), time_to_discovery(labels), loss(labels))


def recall_at(labels: Sequence[bool], share: float) -> float:
    """Recall when a share of the papers is read, rounded down to whole papers."""
    read = _places(len(labels), share)
    return sum(labels[:read]) / sum(labels)


def work_saved(labels: Sequence[bool], recall: float = 0.95) -> float:
    """Work saved over sampling: how much earlier than in a random order that recall is reached, over all papers.

    The recall is rounded down to whole papers, and up to one. Relevant papers of a random order are evenly spaced.
    """
    n, relevant = len(labels), sum(labels)
    wanted = _places(relevant, recall) or 1
    step = relevant / (n - 1)
    at_random = next(place for place in range(n) if round(place * step) >= wanted or place == n - 1)
    return (at_random - curve(labels).index(wanted)) / n


def time_to_discovery(labels: Sequence[bool]) -> float:
    """The mean place of a relevant paper in the order, from 1."""
    places = [place for place, relevant in enumerate(labels, 1) if relevant]
    return sum(places) / len(places)


def loss(labels: Sequence[bool]) -> float:
    """The area between the best recall curve and this one, over that between the best and the worst."""
    n, relevant = len(labels), sum(labels)
    best = relevant * (n - (relevant - 1) / 2)
    return (best - sum(curve(labels))) / (relevant * (n - relevant))


def _places(n: int, share: float) -> int:
    """How many of `n` are at most a share of them."""
    return bisect_right(range(1, n + 1), share, key=lambda place: place / n)


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """A work, where it stands in its file, what an order reads of it, and its label."""

    title: str
    place: str
    text: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The works of a file that have a label, and the others: `(place, why it is left out)`. Duplicates are kept.

    `words` are the labels with what each was taken for, a kind of record, and of how many works; `column` is where they
    stand, if they have a column.
    """

    records: tuple[LabelledRecord, ...]
    left_out: tuple[tuple[str, str], ...]
    words: Mapping[str, Mapping[str, Any]]
    column: str | None = None

    @property
    def labels(self) -> tuple[bool, ...]:
        """For each work, True if it is relevant."""
        return tuple(record.relevant for record in self.records)


def labelled(file: InputFile, options: ReadingOptions) -> LabelledSet:
    """The labelled set in a file; raises `UsageError` for a file without labels."""
    batch = read([file], options)
    drafts = [_said(draft, options) for draft in batch.drafts]
    found = [(draft, _decided(draft)) for draft in drafts]
    records = tuple(_record(draft, kind) for draft, kind in found if kind in {"paper", "exclusion"})
    if not any(record.relevant for record in records):
        columns = f"; columns: {', '.join(batch.columns)}" if batch.columns else ""
        hint = f"name the column of the labels with --column NAME=decision{columns}"
        raise UsageError(f"{file.name}: no work has a label that says that it is relevant", hint=hint)
    failed = [(failure.place, failure.message) for failure in batch.failures]
    unlabelled = ((draft.place, _why(draft)) for draft, kind in found if kind not in {"paper", "exclusion"})
    column = column_of(batch.columns, options).get("decision")
    return LabelledSet(records, (*failed, *unlabelled), decided_words(drafts), column)


def _said(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with the label that a candidate of this program's own table keeps, and that makes no paper of it."""
    word = line(draft.fields.get("extra", {}).get(LABEL)) if draft.kind == "candidate" and not draft.decision else ""
    return decided(draft, word, "", "", options.decisions) if word else draft


def _decided(draft: Draft) -> str | None:
    """The kind that a decision made; None for a work of which the file says nothing."""
    return draft.kind if draft.decision or draft.kind == "exclusion" else None


def _record(draft: Draft, kind: str | None) -> LabelledRecord:
    abstract = line(draft.fields.get("extra", {}).get("abstract"))
    return LabelledRecord(draft.title, draft.place, text(draft.title, abstract), kind == "paper")


def _why(draft: Draft) -> str:
    return f"its label {draft.decision!r} does not say whether it is relevant" if draft.decision else "it has no label"


@dataclass(frozen=True, slots=True)
class ScreeningReplay:
    """One replay: its seed, the starting papers by their places, and the labels in the order read, without theirs.

    After the last relevant paper the order is not asked any more: the others are irrelevant in any order.
    """

    seed: int
    starting: tuple[int, ...]
    labels: tuple[bool, ...]

    @property
    def places(self) -> list[int]:
        """The recall curve: after how many papers each relevant one was found."""
        return [place for place, relevant in enumerate(self.labels, 1) if relevant]


def starting_papers(labels: Sequence[bool], start: tuple[int, int], seed: int) -> tuple[int, ...]:
    """The places of so many relevant and so many irrelevant papers, drawn by the seed.

    Raises `UsageError` if there are fewer, or no relevant paper would be left to find.
    """
    chance, found = Random(seed), list[int]()  # noqa: S311 - to be drawn again by its seed
    for wanted, kind in zip(start, (True, False), strict=True):
        places = [place for place, relevant in enumerate(labels) if relevant is kind]
        if wanted + kind > len(places):
            word = "relevant" if kind else "irrelevant"
            message = f"the set has {len(places):,} {word} papers, too few to start from {wanted:,} of them"
            raise UsageError(message, hint="--start RELEVANT,IRRELEVANT says from how many to start")
        found += chance.sample(places, wanted)
    return tuple(found)


def replay(
    texts: Sequence[str],
    labels: Sequence[bool],
    order: ScreeningOrder,
    start: tuple[int, int],
    made: Features | None = None,
) -> ScreeningReplay:
    """Read the papers in an order until all relevant ones are found; its seed draws the starting papers, too."""
    starting = starting_papers(labels, start, order.seed)
    ranker = Ranker(texts, order, made=made)
    for i in starting:
        ranker.label(i, labels[i])
    left, read = sum(labels) - start[0], list[bool]()
    while left:
        place = ranker.next()
        assert place is not None
        ranker.label(place, labels[place])
        read.append(labels[place])
        left -= labels[place]
    rest = len(labels) - len(starting) - len(read)
    return ScreeningReplay(order.seed, starting, (*read, *[False] * rest))


def replays(
    given: LabelledSet, orders: Sequence[ScreeningOrder], start: tuple[int, int]
) -> tuple[ScreeningReplay, ...]:
    """One replay of a labelled set for each order."""
    texts, labels = [record.text for record in given.records], given.labels
    made = features(texts) if any(order.by == "relevance" for order in orders) else None
    return tuple(replay(texts, labels, order, start, made) for order in watched(orders, "replaying the screening"))


MEANING = {"paper": "relevant", "exclusion": "irrelevant", "candidate": "neither", "skip": "neither"}
SAYS_NOT = (
    "These numbers are of this set and its labels. They say how the order would have done in a finished screening, not"
    " how it will do in another one."
)


SHOWN = 5
"""So many of the works that are left out are named."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A labelled set with the order and the replays of it."""

    given: LabelledSet
    order: ScreeningOrder
    replays: tuple[ScreeningReplay, ...]


def report(simulation: Simulation) -> Report:
    """The simulation for people and for machines."""
    measured = [asdict(measures(one.labels)) for one in simulation.replays]
    table = Table.of(
        ("measure", *(f"seed {one.seed}" for one in simulation.replays), "mean"),
        [
            (definition.label, *map(_shown, values), _shown(fmean(values)))
            for name, definition in DEFINITIONS.items()
            for values in [[row[name] for row in measured]]
        ],
        title="Measures",
    )
    definitions = Bullets(tuple(f"{one.label}: {one.text} ({one.source})" for one in DEFINITIONS.values()))
    sections = (Section(None, tuple(_head(simulation))), Section(None, (table, definitions, Text(SAYS_NOT))))
    return Report("awesome/simulation/1", _data(simulation, measured), sections, rows=(table, _curve(simulation)))


def _head(simulation: Simulation) -> Iterator[Block]:
    labels = simulation.given.labels
    yield Text(
        f"{counted(len(labels), 'record')}, {sum(labels):,} of them relevant:"
        f" a prevalence of {sum(labels) / len(labels):.1%}.",
        "strong",
    )
    yield Text(_words(simulation.given))
    if simulation.given.left_out:
        yield Text(f"Left out: {counted(len(simulation.given.left_out), 'record')}.", "warn")
        yield Bullets(tuple(first_few([f"{place}: {why}" for place, why in simulation.given.left_out], SHOWN)))
    yield Text(f"Order: {settings(simulation.order)}.")
    yield Text("Starting papers, drawn by the seed, do not count in the measures:")
    yield Bullets(tuple(_starting(simulation, one) for one in simulation.replays))


def _words(given: LabelledSet) -> str:
    words = (f"{word} ({one['n']:,}) {MEANING[one['kind']]}" for word, one in given.words.items())
    return f"Labels{f' in {given.column}' if given.column else ''}: {', '.join(words)}."


def settings(order: ScreeningOrder) -> str:
    """How the order was made, in words; the seed stands with each replay."""
    given = order.model_dump(exclude_none=True, exclude={"by", "seed", "after"})
    return "; ".join((f"by {order.by}" if order.by != "random" else "random", *(f"{k} {v}" for k, v in given.items())))


def _starting(simulation: Simulation, one: ScreeningReplay) -> str:
    records = [simulation.given.records[i] for i in one.starting]
    words = (f"{record.title} ({'relevant' if record.relevant else 'irrelevant'})" for record in records)
    return f"seed {one.seed}: {'; '.join(words) or 'none'}"


def _curve(simulation: Simulation) -> Table:
    rows = [
        (one.seed, place, found, _shown(found / len(places)))
        for one in simulation.replays
        for places in [one.places]
        for found, place in enumerate(places, 1)
    ]
    return Table.of(("seed", "read", "found", "recall"), rows, title="Recall curve")


def _data(simulation: Simulation, measured: Sequence[dict[str, float]]) -> dict[str, object]:
    labels, given = simulation.given.labels, simulation.given
    return {
        "records": len(labels),
        "relevant": sum(labels),
        "prevalence": precise(sum(labels) / len(labels)),
        "labels": {word: {"means": MEANING[one["kind"]], "n": one["n"]} for word, one in given.words.items()},
        "label_column": given.column,
        "left_out": [{"place": place, "why": why} for place, why in given.left_out],
        "order": simulation.order.model_dump(exclude_none=True, exclude={"seed", "after"}),
        "start_counts": False,
        "runs": [
            {
                "seed": one.seed,
                "start": [{"place": given.records[i].place, "relevant": given.labels[i]} for i in one.starting],
                "read": len(one.labels),
                "measures": {name: precise(value) for name, value in values.items()},
                "found_at": one.places,
            }
            for one, values in zip(simulation.replays, measured, strict=True)
        ],
        "mean": {name: precise(fmean(values[name] for values in measured)) for name in DEFINITIONS},
        "definitions": {name: asdict(definition) for name, definition in DEFINITIONS.items()},
    }


def _shown(value: float) -> float | int:
    return precise(round(value, 3))
