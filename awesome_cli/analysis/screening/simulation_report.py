"""The answer of a simulation: what was replayed, measures with definitions, the recall curve."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from awesome_cli.analysis.screening.labelled import LabelledSet, sentence
from awesome_cli.analysis.screening.measures import DEFINITIONS, measures
from awesome_cli.analysis.screening.simulation import ScreeningReplay
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
    """What was replayed and how; the starting papers do not count."""

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
        yield Bullets(tuple(sentence(simulation.given.left_out)))
    yield Text(f"Order: {settings(simulation.order)}.")
    yield Text("Starting papers, drawn by the seed, do not count in the measures:")
    yield Bullets(tuple(_starting(simulation, one) for one in simulation.replays))


def _words(given: LabelledSet) -> str:
    """Where the labels stand, and what each was taken for."""
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
    """A row for each relevant paper found."""
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
