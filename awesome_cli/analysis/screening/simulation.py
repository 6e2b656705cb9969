"""Simulate a screening order on a finished screening: read the papers in that order and reveal their labels.

The measures state how early relevant papers are found, from the labels in the order read, without the starting papers.
The definitions are those of ASReview-insights 1.6.1, which gives the same numbers.
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
    """Measures of early discovery: shares from 0 to 1, except `time_to_discovery`, which is in papers."""

    work_saved: float
    recall_early: float
    time_to_discovery: float
    loss: float


@dataclass(frozen=True, slots=True)
class Definition:
    """Label, definition and source of a measure."""

    label: str
    text: str
    source: str


DEFINITIONS = {
    "work_saved": Definition(
        "work saved over sampling at 95 %",
        "the share of papers that need not be read to find 95 % of the relevant papers, compared with a random order:"
        " the number of papers by which this recall is reached earlier, divided by the number of all papers; 95 % is"
        " rounded down to whole papers",
        f"Cohen and others 2006, doi:10.1197/jamia.M1929; as in {INSIGHTS}",
    ),
    "recall_early": Definition(
        "recall at 10 %",
        "the share of relevant papers found after reading 10 % of the papers, rounded down to whole papers",
        f"as in {INSIGHTS}",
    ),
    "time_to_discovery": Definition(
        "average time to discovery",
        "the mean number of papers read until a relevant paper is found, including that paper",
        f"Ferdinands and others 2023, doi:10.1186/s13643-023-02257-7; in papers, as in {INSIGHTS}",
    ),
    "loss": Definition(
        "loss",
        "the area between the best recall curve and this curve, divided by the area between the best and the worst"
        " curve: 0 if all relevant papers come first, 1 if all come last, 0.5 on average for a random order",
        f"as in {INSIGHTS}",
    ),
}
"""Definitions of the measures by field name."""


def curve(labels: Sequence[bool]) -> list[int]:
    """Return the number of relevant papers found after each paper."""
    return list(accumulate(map(int, labels)))


def measures(labels: Sequence[bool]) -> DiscoveryMeasures:
    """Compute all measures; raises `UsageError` if all labels are equal."""
    if len({*labels}) < 2:
        kind = "relevant" if True in labels else "irrelevant"
        message = f"all papers except the starting papers are {kind}" if labels else "no papers"
        raise UsageError(message, hint="a labelled set needs relevant and irrelevant papers")
    return DiscoveryMeasures(work_saved(labels), recall_at(labels, 0.10), time_to_discovery(labels), loss(labels))


def recall_at(labels: Sequence[bool], share: float) -> float:
    """Return the recall after reading a share of the papers, rounded down to whole papers."""
    read = _places(len(labels), share)
    return sum(labels[:read]) / sum(labels)


def work_saved(labels: Sequence[bool], recall: float = 0.95) -> float:
    """Return the work saved over sampling: papers by which a recall is reached earlier than at random, as a share.

    The recall is rounded down to whole papers, at least one. A random order has evenly spaced relevant papers.
    """
    n, relevant = len(labels), sum(labels)
    wanted = _places(relevant, recall) or 1
    step = relevant / (n - 1)
    at_random = next(place for place in range(n) if round(place * step) >= wanted or place == n - 1)
    return (at_random - curve(labels).index(wanted)) / n


def time_to_discovery(labels: Sequence[bool]) -> float:
    """Return the mean position of the relevant papers, from 1."""
    places = [place for place, relevant in enumerate(labels, 1) if relevant]
    return sum(places) / len(places)


def loss(labels: Sequence[bool]) -> float:
    """Return the area between the best recall curve and this curve, divided by that between the best and the worst."""
    n, relevant = len(labels), sum(labels)
    best = relevant * (n - (relevant - 1) / 2)
    return (best - sum(curve(labels))) / (relevant * (n - relevant))


def _places(n: int, share: float) -> int:
    """Return the largest number that is at most a share of `n`."""
    return bisect_right(range(1, n + 1), share, key=lambda place: place / n)


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """A labelled work: its position in the file (`place`), its text for ranking, and its label."""

    title: str
    place: str
    text: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The labelled works of a file, including duplicates; `left_out` has `(place, reason)` of the other works.

    `words` maps each label to its meaning (`kind`) and its number of works (`n`). `column` is the column with the
    labels, if the file has columns.
    """

    records: tuple[LabelledRecord, ...]
    left_out: tuple[tuple[str, str], ...]
    words: Mapping[str, Mapping[str, Any]]
    column: str | None = None

    @property
    def labels(self) -> tuple[bool, ...]:
        """Labels of the works; True if relevant."""
        return tuple(record.relevant for record in self.records)


def labelled(file: InputFile, options: ReadingOptions) -> LabelledSet:
    """Read a labelled set from a file; raises `UsageError` if no work is labelled as relevant."""
    batch = read([file], options)
    drafts = [_with_label(draft, options) for draft in batch.drafts]
    kinds = [(draft, draft.kind if draft.decision or draft.kind == "exclusion" else None) for draft in drafts]
    records = tuple(_record(draft, kind) for draft, kind in kinds if kind in {"paper", "exclusion"})
    if not any(record.relevant for record in records):
        columns = f"; columns: {', '.join(batch.columns)}" if batch.columns else ""
        hint = f"name the column of the labels with --column NAME=decision{columns}"
        raise UsageError(f"{file.name}: no work is labelled as relevant", hint=hint)
    failed = [(failure.place, failure.message) for failure in batch.failures]
    unlabelled = ((draft.place, _why(draft)) for draft, kind in kinds if kind not in {"paper", "exclusion"})
    column = column_of(batch.columns, options).get("decision")
    return LabelledSet(records, (*failed, *unlabelled), decided_words(drafts), column)


def _with_label(draft: Draft, options: ReadingOptions) -> Draft:
    """Apply the label that an exported candidate has in its `extra` field."""
    word = line(draft.fields.get("extra", {}).get(LABEL)) if draft.kind == "candidate" and not draft.decision else ""
    return decided(draft, word, "", "", options.decisions) if word else draft


def _record(draft: Draft, kind: str | None) -> LabelledRecord:
    abstract = line(draft.fields.get("extra", {}).get("abstract"))
    return LabelledRecord(draft.title, draft.place, text(draft.title, abstract), kind == "paper")


def _why(draft: Draft) -> str:
    return f"label {draft.decision!r} is neither relevant nor irrelevant" if draft.decision else "no label"


@dataclass(frozen=True, slots=True)
class ScreeningReplay:
    """A simulated screening: the seed, the indices of the starting papers, and the other labels in the order read.

    Reading ends at the last relevant paper; all labels after that paper are False.
    """

    seed: int
    starting: tuple[int, ...]
    labels: tuple[bool, ...]

    @property
    def places(self) -> list[int]:
        """The positions of the relevant papers in the order read, from 1: the recall curve."""
        return [place for place, relevant in enumerate(self.labels, 1) if relevant]


def starting_papers(labels: Sequence[bool], start: tuple[int, int], seed: int) -> tuple[int, ...]:
    """Draw starting papers and return their indices, reproducible by seed; `start` is `(relevant, irrelevant)`.

    Raises `UsageError` if the set has too few papers, or if no relevant paper would remain to be found.
    """
    chance, drawn = Random(seed), list[int]()  # noqa: S311 - reproducible by its seed
    for wanted, kind in zip(start, (True, False), strict=True):
        places = [place for place, relevant in enumerate(labels) if relevant is kind]
        if wanted + kind > len(places):
            label = "relevant" if kind else "irrelevant"
            size = f"{len(places):,}, and one must remain to be found" if kind else f"{len(places):,}"
            message = f"cannot start from {wanted:,} {label} papers: the set has {size}"
            raise UsageError(message, hint="choose fewer with --start RELEVANT,IRRELEVANT")
        drawn += chance.sample(places, wanted)
    return tuple(drawn)


def replay(
    texts: Sequence[str],
    labels: Sequence[bool],
    order: ScreeningOrder,
    start: tuple[int, int],
    made: Features | None = None,
) -> ScreeningReplay:
    """Read the papers in an order until all relevant papers are found; the seed of `order` also draws the start."""
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
    labelled_set: LabelledSet, orders: Sequence[ScreeningOrder], start: tuple[int, int]
) -> tuple[ScreeningReplay, ...]:
    """Replay a labelled set once for each order."""
    texts, labels = [record.text for record in labelled_set.records], labelled_set.labels
    made = features(texts) if any(order.by == "relevance" for order in orders) else None
    return tuple(replay(texts, labels, order, start, made) for order in watched(orders, "replaying the screening"))


MEANING = {"paper": "relevant", "exclusion": "irrelevant", "candidate": "neither", "skip": "neither"}
SAYS_NOT = (
    "These numbers apply to this set and its labels. They describe the order in a finished screening and do not predict"
    " another one."
)


SHOWN = 5
"""Maximum number of works listed as left out."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A labelled set, a screening order, and the replays of that order."""

    labelled_set: LabelledSet
    order: ScreeningOrder
    replays: tuple[ScreeningReplay, ...]


def report(simulation: Simulation) -> Report:
    """Report the measures and recall curve of a simulation."""
    measured = [asdict(measures(each.labels)) for each in simulation.replays]
    table = Table.of(
        ("measure", *(f"seed {each.seed}" for each in simulation.replays), "mean"),
        [
            (definition.label, *map(_shown, values), _shown(fmean(values)))
            for name, definition in DEFINITIONS.items()
            for values in [[row[name] for row in measured]]
        ],
        title="Measures",
    )
    definitions = Bullets(tuple(f"{each.label}: {each.text} ({each.source})" for each in DEFINITIONS.values()))
    sections = (Section(None, tuple(_head(simulation))), Section(None, (table, definitions, Text(SAYS_NOT))))
    return Report("awesome/simulation/1", _data(simulation, measured), sections, rows=(table, _curve(simulation)))


def _head(simulation: Simulation) -> Iterator[Block]:
    labelled_set, labels = simulation.labelled_set, simulation.labelled_set.labels
    yield Text(
        f"{counted(len(labels), 'record')}, {sum(labels):,} of them relevant:"
        f" a prevalence of {sum(labels) / len(labels):.1%}.",
        "strong",
    )
    words = (f"{word} ({use['n']:,}) {MEANING[use['kind']]}" for word, use in labelled_set.words.items())
    yield Text(f"Labels{f' in {labelled_set.column}' if labelled_set.column else ''}: {', '.join(words)}.")
    if labelled_set.left_out:
        yield Text(f"Left out: {counted(len(labelled_set.left_out), 'record')}.", "warn")
        yield Bullets(tuple(first_few([f"{place}: {why}" for place, why in labelled_set.left_out], SHOWN)))
    yield Text(f"Order: {settings(simulation.order)}.")
    yield Text("Starting papers, drawn by the seed and excluded from the measures:")
    yield Bullets(tuple(_starting(simulation, each) for each in simulation.replays))


def settings(order: ScreeningOrder) -> str:
    """Describe the settings of an order, without its seed."""
    fields = order.model_dump(exclude_none=True, exclude={"by", "seed", "after"})
    return "; ".join((f"by {order.by}" if order.by != "random" else "random", *(f"{k} {v}" for k, v in fields.items())))


def _starting(simulation: Simulation, each: ScreeningReplay) -> str:
    records = [simulation.labelled_set.records[i] for i in each.starting]
    words = (f"{record.title} ({'relevant' if record.relevant else 'irrelevant'})" for record in records)
    return f"seed {each.seed}: {'; '.join(words) or 'none'}"


def _curve(simulation: Simulation) -> Table:
    rows = [
        (each.seed, place, n, _shown(n / len(places)))
        for each in simulation.replays
        for places in [each.places]
        for n, place in enumerate(places, 1)
    ]
    return Table.of(("seed", "read", "found", "recall"), rows, title="Recall curve")


def _data(simulation: Simulation, measured: Sequence[dict[str, float]]) -> dict[str, object]:
    labels, labelled_set = simulation.labelled_set.labels, simulation.labelled_set
    return {
        "records": len(labels),
        "relevant": sum(labels),
        "prevalence": precise(sum(labels) / len(labels)),
        "labels": {word: {"means": MEANING[use["kind"]], "n": use["n"]} for word, use in labelled_set.words.items()},
        "label_column": labelled_set.column,
        "left_out": [{"place": place, "why": why} for place, why in labelled_set.left_out],
        "order": simulation.order.model_dump(exclude_none=True, exclude={"seed", "after"}),
        "start_counts": False,
        "runs": [
            {
                "seed": each.seed,
                "start": [
                    {"place": labelled_set.records[i].place, "relevant": labelled_set.labels[i]} for i in each.starting
                ],
                "read": len(each.labels),
                "measures": {name: precise(value) for name, value in values.items()},
                "found_at": each.places,
            }
            for each, values in zip(simulation.replays, measured, strict=True)
        ],
        "mean": {name: precise(fmean(values[name] for values in measured)) for name in DEFINITIONS},
        "definitions": {name: asdict(definition) for name, definition in DEFINITIONS.items()},
    }


def _shown(value: float) -> float | int:
    return precise(round(value, 3))
