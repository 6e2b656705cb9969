"""Screening flow: records audited, screened out by stage and reason, and retained; and the search protocol.

It is a PRISMA 2020 flow, with the records screened at each stage, only if the protocol follows PRISMA and all records
list the stages they passed (Page, McKenzie, Bossuyt et al., The PRISMA 2020 statement, BMJ 372:n71, 2021). Search
results that nobody looked at have no record.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError
from awesome_cli.model.protocol import Protocol, QueryFamily, Source
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import by_source
from awesome_cli.text.numbers import first_few

TITLES = {"sources": "Source", "query_families": "Query family"}


def protocol_tables(corpus: Corpus) -> Iterator[Table]:
    """Yield tables of screened-out records by source, by query family, and of saved searches that were run.

    The last row of the first two counts records with other labels, and lists these labels.
    """
    protocol = corpus.protocol or Protocol(kind="")
    for name, field in Protocol.LABELS.items():
        known = protocol.by_label(name)
        labels = [label for e in corpus.exclusions if (label := getattr(e.screening, field))]
        counts = Counter(known[label].id if label in known else None for label in labels)
        entries: tuple[Source, ...] = getattr(protocol, name)
        terms = {entry.id: ", ".join(entry.terms) for entry in entries if isinstance(entry, QueryFamily)}
        rows = [(entry.label, terms.get(entry.id, ""), counts[entry.id]) for entry in entries]
        if rows and counts[None]:
            other = dict.fromkeys(label for label in labels if label not in known)
            rows.append((f"other labels: {', '.join(other)}", "", counts[None]))
        columns = [0, 1, 2] if terms else [0, 2]
        head = (TITLES[name], "Terms", "Records screened out")
        if rows:
            yield Table.of([head[i] for i in columns], [[row[i] for i in columns] for row in rows])
    if (searches := by_source(corpus.runs, corpus.day)) is not None:
        yield searches


def protocol_lists(corpus: Corpus) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield headings with their criteria: inclusion, exclusion, and permitted use of each kind of evidence."""
    protocol = corpus.protocol or Protocol(kind="")
    yield "Inclusion criteria (one is enough)", tuple(criterion.text for criterion in protocol.include)
    yield "Exclusion criteria (one is enough)", tuple(criterion.text for criterion in protocol.exclude)
    if protocol.evidence is not None:
        axis = corpus.taxonomy.by_id.get(protocol.evidence.axis)
        labels = {term.id: term.label for term in axis.terms} if axis is not None else {}
        kinds = ((", ".join(labels.get(t, t) for t in s.terms), s.text) for s in protocol.evidence.supports)
        yield "Permitted use of each kind of publication", tuple(f"{kind}: {text}" for kind, text in kinds)


def protocol_headline(protocol: Protocol) -> str:
    """One line with the kind of review, its dates and its note."""
    days = {"searched": protocol.searched_until, "audited": protocol.audited_until}
    parts = [protocol.kind[:1].upper() + protocol.kind[1:], f"after {protocol.follows}" if protocol.follows else ""]
    parts += [f"{label} until {day}" for label, day in days.items() if day]
    return f"{', '.join(filter(None, parts))}. {protocol.note}".strip()


def protocol_sections(corpus: Corpus) -> tuple[Section, ...]:
    """Sections on the protocol and the searches; empty if there are none."""
    headline = [Text(protocol_headline(corpus.protocol))] if corpus.protocol else []
    blocks: tuple[Block, ...] = (*headline, *protocol_tables(corpus))
    if not blocks:
        return ()
    criteria = (Section(title, (Bullets(items),)) for title, items in protocol_lists(corpus) if items)
    return (Section("Protocol" if corpus.protocol else "Searches", blocks), *criteria)


IDENTIFIED = "Identified records are those audited: retained or excluded. Search hits without a record are not counted."
AUDITED = "Counts are of audited records, not of all search hits. A stage counts the records it screened out."
FlowLevel = Literal["total", "stage", "reason"]
"""Level of detail: totals, stages, or stages with reasons."""


@dataclass(frozen=True, slots=True)
class FlowBox:
    """A box of the flow with `n` records; `reasons` has `(label, n)` of records that leave here, highest first."""

    id: str
    label: str
    n: int
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def leaves(self) -> bool:
        """True if its records leave the flow here."""
        return self.id.startswith("excluded")


@dataclass(frozen=True)
class Flow(SurveyAnswer):
    """Boxes in order: audited records, records screened out by stage, retained papers.

    With a `standard`, the first box is `identified`, and each `excluded` follows a box `screened`.
    """

    boxes: tuple[FlowBox, ...]
    standard: str | None
    day: date | None
    protocol: Protocol | None = None
    about: tuple[Section, ...] = ()

    def __repr__(self) -> str:
        return f"Flow({self.boxes[0].id}={self.boxes[0].n}, {self.boxes[-1].id}={self.boxes[-1].n})"

    @property
    def title(self) -> str:
        """The kind of flow and its day."""
        return f"{self.standard or 'Screening'} flow" + (f" as of {self.day}" if self.day else "")

    @property
    def note(self) -> str:
        """The sentence that defines the counts."""
        return IDENTIFIED if self.standard else AUDITED

    def to_report(self) -> Report:
        """Report the boxes as a table, and the protocol; the frame has a row per box, and per reason in a box."""
        rows: list[tuple[Cell, ...]] = []
        for box in self.boxes:
            reasons = ", ".join(f"{reason} {n}" for reason, n in box.reasons)
            rows.append((f"- {box.label}", -box.n, reasons) if box.leaves else (box.label, box.n, reasons))
        table = Table.of(("records", "n", "reasons"), rows)
        data = {
            "as_of": self.day.isoformat() if self.day else None,
            "standard": self.standard,
            "note": self.note,
            "protocol": self.protocol and self.protocol.model_dump(mode="json", exclude_defaults=True),
            "searched": [t.records() for section in self.about for t in section.blocks if isinstance(t, Table)],
            "boxes": [{"id": b.id, "label": b.label, "n": b.n, "reasons": dict(b.reasons)} for b in self.boxes],
        }
        csv: list[tuple[Cell, ...]] = [(box.id, box.label, None, box.n) for box in self.boxes]
        csv += [(box.id, box.label, reason, n) for box in self.boxes for reason, n in box.reasons]
        csv_table = Table.of(("box", "label", "reason", "n"), csv, title="boxes")
        sections = (Section(None, (table, Text(self.note))), *self.about)
        return Report("awesome/flow/2", data, sections, self.title, (csv_table, *as_tables(self.about)))


def flow(corpus: Corpus, *, level: FlowLevel = "reason", identified: int | None = None, empty: bool = True) -> Flow:
    """Return the flow of a pool; unless `empty`, without stages that excluded nothing.

    `identified` is the expected number of records. Raises `RefusedError` if only that number differs, `SurveyError` if
    records have unknown stages or reasons, or count twice.
    """
    _check(corpus, identified)
    total = len(corpus.papers) + len(corpus.exclusions)
    protocol = corpus.protocol
    standard = protocol.follows if protocol and _stages_recorded(corpus) else None
    first = ("identified", "Records identified (audited)") if standard else ("audited", "Records audited")
    boxes = [FlowBox(*first, total)]
    if level == "total":
        boxes.append(FlowBox("excluded", "Screened out", len(corpus.exclusions)))
    else:
        stages = _stages(corpus, reasons=level == "reason", empty=empty)
        boxes += [box for box in stages if standard or box.leaves]
    boxes.append(FlowBox("retained", "Papers retained", len(corpus.papers)))
    return Flow(tuple(boxes), standard, corpus.day, protocol, protocol_sections(corpus))


def _stages_recorded(corpus: Corpus) -> bool:
    """True if every record lists the stages it passed; those screened out by the first stage passed none."""
    first = {stage.id for stage in corpus.taxonomy.stages[:1]}
    later = (e.screening for e in corpus.exclusions if e.screening.stage not in first)
    return all(paper.passed for paper in corpus.papers) and all(screening.passed for screening in later)


def _stages(corpus: Corpus, *, reasons: bool, empty: bool) -> Iterator[FlowBox]:
    labels = {reason.id: reason.label for reason in corpus.taxonomy.reasons}
    passed = Counter(stage for paper in corpus.papers for stage in paper.passed)
    passed.update(stage for e in corpus.exclusions for stage in e.screening.passed)
    for stage in corpus.taxonomy.stages:
        out = [e.screening.reason for e in corpus.exclusions if e.screening.stage == stage.id]
        if not out and not empty:
            continue
        yield FlowBox(f"screened:{stage.id}", f"Records screened: {stage.label}", passed[stage.id] + len(out))
        counts = Counter(labels[reason] for reason in out if reasons)
        ranked = tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
        yield FlowBox(f"excluded:{stage.id}", f"Screened out: {stage.label}", len(out), ranked)


def _check(corpus: Corpus, identified: int | None) -> None:
    """Raise unless every record is counted exactly once."""
    stages = {stage.id for stage in corpus.taxonomy.stages}
    reasons = {reason.id for reason in corpus.taxonomy.reasons}
    problems = [f"{e.path} has an unknown stage ({e.screening.stage})" for e in corpus.exclusions
              if e.screening.stage not in stages]  # fmt: skip
    problems += [f"{e.path} has an unknown reason ({e.screening.reason})" for e in corpus.exclusions
               if e.screening.reason not in reasons]  # fmt: skip
    retained = {paper.key for paper in corpus.papers}
    problems += [f"{e.path} counts twice: it is also retained" for e in corpus.exclusions if e.key in retained]
    error: type[AwesomeError] = SurveyError if problems else RefusedError
    total = len(corpus.papers) + len(corpus.exclusions)
    if identified is not None and identified != total:
        sums = f"{len(corpus.papers)} retained and {len(corpus.exclusions)} excluded are {total}"
        problems.append(f"{sums}, not the {identified} identified: {abs(identified - total)} "
                      f"{'are not accounted for' if identified > total else 'too many'}")  # fmt: skip
    if problems:
        shown = "; ".join(first_few(problems, 5))
        raise error(f"the flow does not add up: {shown}", hint="see 'awesome validate'")
