"""The answer of a simulation: what was replayed, measures with definitions, where each rule stops, the recall curve."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from statistics import fmean

from awesome_cli.analysis.screening.labelled import LabelledSet, sentence
from awesome_cli.analysis.screening.measures import DEFINITIONS, measures
from awesome_cli.analysis.screening.simulation import ScreeningReplay
from awesome_cli.analysis.screening.stopping import Progress, StoppingRule, stopped_at
from awesome_cli.model.screenings import ScreeningOrder
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text
from awesome_cli.text.numbers import counted, precise

MEANING = {"paper": "relevant", "exclusion": "irrelevant", "candidate": "neither", "skip": "neither"}
SAYS_NOT = (
    "These numbers are of this set and its labels. They say how the order would have done in a finished screening, not"
    " how it will do in another one."
)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was replayed and how; `counted_start` says whether the starting papers count in the measures."""

    given: LabelledSet
    order: ScreeningOrder
    replays: tuple[ScreeningReplay, ...]
    rules: tuple[StoppingRule, ...]
    counted_start: bool = False

    def labels(self, replay: ScreeningReplay) -> tuple[bool, ...]:
        """The labels that the measures are of."""
        return (
            (*(self.given.labels[i] for i in replay.starting), *replay.labels) if self.counted_start else replay.labels
        )

    def places(self, replay: ScreeningReplay) -> list[int]:
        """The recall curve: after how many papers each relevant one was found."""
        return [place for place, relevant in enumerate(self.labels(replay), 1) if relevant]


def report(simulation: Simulation) -> Report:
    """The simulation for people and for machines."""
    measured = [asdict(measures(simulation.labels(one))) for one in simulation.replays]
    table = Table.of(
        ("measure", *(f"seed {one.seed}" for one in simulation.replays), "mean"),
        [
            (definition.label, *map(_shown, values), _shown(fmean(values)))
            for name, definition in DEFINITIONS.items()
            for values in [[row[name] for row in measured]]
        ],
        title="Measures",
    )
    stops = [(rule, one, stopped_at(rule, one.labels)) for rule in simulation.rules for one in simulation.replays]
    stopping, curve = _stopping(stops), _curve(simulation)
    definitions = Bullets(tuple(f"{one.label}: {one.text} ({one.source})" for one in DEFINITIONS.values()))
    sources = Bullets(tuple(f"{rule.name}: {rule.SOURCE}; {rule.LIMITS}" for rule in simulation.rules))
    sections = (
        Section(None, tuple(_head(simulation))),
        Section(None, (table, definitions)),
        Section("Where each rule would have stopped", (stopping, sources, Text(SAYS_NOT))),
    )
    return Report("awesome/simulation/1", _data(simulation, measured, stops), sections, rows=(table, stopping, curve))


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
        yield Bullets(tuple(sentence(simulation.given.left_out)))
    yield Text(f"Order: {settings(simulation.order)}.")
    count = "count in the measures" if simulation.counted_start else "do not count in the measures"
    yield Text(f"Starting papers, drawn by the seed, {count}, and never in the stopping rules:")
    yield Bullets(tuple(_starting(simulation, one) for one in simulation.replays))


def _words(given: LabelledSet) -> str:
    """Where the labels stand, and what each was taken for."""
    words = (f"{word} ({one['n']:,}) {MEANING[one['kind']]}" for word, one in given.words.items())
    return f"Labels{f' in {given.column}' if given.column else ''}: {', '.join(words)}."


def settings(order: ScreeningOrder) -> str:
    """How the order was made, in words; the seed stands with each replay."""
    given = order.model_dump(exclude_none=True, exclude={"by", "seed"})
    return "; ".join((f"by {order.by}" if order.by != "random" else "random", *(f"{k} {v}" for k, v in given.items())))


def _starting(simulation: Simulation, one: ScreeningReplay) -> str:
    records = [simulation.given.records[i] for i in one.starting]
    words = (f"{record.title} ({'relevant' if record.relevant else 'irrelevant'})" for record in records)
    return f"seed {one.seed}: {'; '.join(words) or 'none'}"


def _stopping(stops: Sequence[tuple[StoppingRule, ScreeningReplay, Progress]]) -> Table:
    rows = [(rule.label, one.seed, now.seen, *_reached(one, now).values()) for rule, one, now in stops]
    note = "saved: the share of the papers that were not read; recall and read are without the starting papers"
    return Table.of(("rule", "seed", "read", "recall", "missed", "saved"), rows, title="Stopping rules", note=note)


def _reached(one: ScreeningReplay, now: Progress) -> dict[str, float | int]:
    relevant = sum(one.labels)
    return {
        "recall": _shown(now.found / relevant),
        "missed": relevant - now.found,
        "saved": _shown(1 - now.seen / now.total),
    }


def _curve(simulation: Simulation) -> Table:
    """A row for each relevant paper found."""
    rows = [
        (one.seed, place, found, _shown(found / len(places)))
        for one in simulation.replays
        for places in [simulation.places(one)]
        for found, place in enumerate(places, 1)
    ]
    return Table.of(("seed", "read", "found", "recall"), rows, title="Recall curve")


def _data(
    simulation: Simulation,
    measured: Sequence[dict[str, float]],
    stops: Sequence[tuple[StoppingRule, ScreeningReplay, Progress]],
) -> dict[str, object]:
    labels, given = simulation.given.labels, simulation.given
    return {
        "records": len(labels),
        "relevant": sum(labels),
        "prevalence": precise(sum(labels) / len(labels)),
        "labels": {word: {"means": MEANING[one["kind"]], "n": one["n"]} for word, one in given.words.items()},
        "label_column": given.column,
        "left_out": [{"place": place, "why": why} for place, why in given.left_out],
        "order": simulation.order.model_dump(exclude_none=True, exclude={"seed"}),
        "start_counts": simulation.counted_start,
        "runs": [
            {
                "seed": one.seed,
                "start": [{"place": given.records[i].place, "relevant": given.labels[i]} for i in one.starting],
                "read": len(simulation.labels(one)),
                "measures": {name: precise(value) for name, value in values.items()},
                "found_at": simulation.places(one),
                "stops": [
                    {"rule": rule.label, "read": now.seen, **_reached(one, now)}
                    for rule, own, now in stops
                    if own is one
                ],
            }
            for one, values in zip(simulation.replays, measured, strict=True)
        ],
        "mean": {name: precise(fmean(values[name] for values in measured)) for name in DEFINITIONS},
        "definitions": {name: asdict(definition) for name, definition in DEFINITIONS.items()},
        "rules": [
            {"rule": rule.label, **asdict(rule), "source": rule.SOURCE, "limits": rule.LIMITS}
            for rule in simulation.rules
        ],
    }


def _shown(value: float) -> float | int:
    return precise(round(value, 3))


def recall_curves(simulation: Simulation) -> dict[str, list[tuple[float, float]]]:
    """The recall curve of each replay: shares of papers read and of relevant papers found, from none to all."""
    found = {}
    for one in simulation.replays:
        labels = simulation.labels(one)
        total = sum(labels)
        steps = zip(range(len(labels) + 1), accumulate(map(int, labels), initial=0), strict=True)
        found[f"seed {one.seed}"] = [(read / len(labels), n / total) for read, n in steps]
    return found
