"""The screening flow (audited records, those screened out by stage and reason, those retained), and the protocol.

It is a PRISMA 2020 flow, which also says how many records were screened at each stage, only where the protocol says
that the review follows PRISMA and the records carry the stages that they passed (Page, McKenzie, Bossuyt et al., The
PRISMA 2020 statement, BMJ 372:n71, 2021). A search result that nobody looked at has no record.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError
from awesome_cli.model.protocol import Protocol, QueryFamily, Source
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import by_source
from awesome_cli.text.numbers import first_few

TITLES = {"sources": "Source", "query_families": "Query family"}


def protocol_tables(corpus: Corpus) -> Iterator[Table]:
    """A table of sources, and one of query families with their terms: how many records of each were screened out.

    A last row counts the records whose label in the log belongs to none of them, and names these labels. A table of
    what saved searches read, by source, follows where some were run.
    """
    protocol = corpus.protocol or Protocol(kind="")
    for name, field in Protocol.LABELS.items():
        known = protocol.named(name)
        labels = [label for e in corpus.exclusions if (label := getattr(e.screening, field))]
        counts = Counter(known[label].id if label in known else None for label in labels)
        entries: tuple[Source, ...] = getattr(protocol, name)
        terms = {entry.id: ", ".join(entry.terms) for entry in entries if isinstance(entry, QueryFamily)}
        rows = [(entry.label, terms.get(entry.id, ""), counts[entry.id]) for entry in entries]
        if rows and counts[None]:
            others = dict.fromkeys(label for label in labels if label not in known)
            rows.append((f"other labels: {', '.join(others)}", "", counts[None]))
        columns = [0, 1, 2] if terms else [0, 2]
        head = (TITLES[name], "Terms", "Records screened out")
        if rows:
            yield Table.of([head[i] for i in columns], [[row[i] for i in columns] for row in rows])
    if (found := by_source(corpus.runs, corpus.day)) is not None:
        yield found


def protocol_lists(corpus: Corpus) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a heading and its criteria: for retention, for screening out, for each kind of evidence."""
    protocol = corpus.protocol or Protocol(kind="")
    yield "A record is retained if one of these holds", tuple(criterion.text for criterion in protocol.include)
    yield "A record is screened out if one of these holds", tuple(criterion.text for criterion in protocol.exclude)
    if protocol.evidence is not None:
        axis = corpus.taxonomy.by_id.get(protocol.evidence.axis)
        labels = {term.id: term.label for term in axis.terms} if axis is not None else {}
        kinds = ((", ".join(labels.get(t, t) for t in s.terms), s.text) for s in protocol.evidence.supports)
        yield "What a kind of publication may support", tuple(f"{kind}: {text}" for kind, text in kinds)


def protocol_headline(protocol: Protocol) -> str:
    """Kind of review, its days, and what it says of itself."""
    days = {"searched": protocol.searched_until, "audited": protocol.audited_until}
    parts = [protocol.kind[:1].upper() + protocol.kind[1:], f"after {protocol.follows}" if protocol.follows else ""]
    parts += [f"{what} until {day}" for what, day in days.items() if day]
    return f"{', '.join(filter(None, parts))}. {protocol.note}".strip()


def protocol_sections(corpus: Corpus) -> tuple[Section, ...]:
    """The protocol for people; nothing where the survey has none."""
    said = [Text(protocol_headline(corpus.protocol))] if corpus.protocol else []
    blocks: tuple[Block, ...] = (*said, *protocol_tables(corpus))
    if not blocks:
        return ()
    others = (Section(title, (Bullets(items),)) for title, items in protocol_lists(corpus) if items)
    return (Section("Protocol" if corpus.protocol else "Searches", blocks), *others)


IDENTIFIED = "Identified here means audited records, retained or excluded; hits that nobody recorded are not counted."
AUDITED = "Counts are of audited records, not of all hits. A stage counts what it screened out, not what passed it."
FlowLevel = Literal["total", "stage", "reason"]
"""How much of the flow is shown: the totals, each stage, or the reasons of each stage too."""


@dataclass(frozen=True, slots=True)
class FlowBox:
    """A box: what is in it and how many records; `reasons` counts those that leave by label, most first."""

    id: str
    label: str
    n: int
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def leaves(self) -> bool:
        """True if its records leave the flow here."""
        return self.id.startswith("excluded")


@dataclass(frozen=True)
class Flow:
    """Boxes in order: the audited records, what each stage screened out, and `retained` at the end.

    With a `standard` the first is called `identified`, and a box `screened` stands before each `excluded`.
    """

    boxes: tuple[FlowBox, ...]
    standard: str | None
    day: date | None
    protocol: Protocol | None = None
    about: tuple[Section, ...] = ()

    @property
    def title(self) -> str:
        """The kind of flow and its day."""
        return f"{self.standard or 'Screening'} flow" + (f" as of {self.day}" if self.day else "")

    @property
    def note(self) -> str:
        """The sentence on records that the counts leave out."""
        return IDENTIFIED if self.standard else AUDITED

    def to_report(self) -> Report:
        """The boxes as a table, and the protocol."""
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
    """The flow of a pool; without `empty`, stages at which nothing was excluded are left out.

    `identified` is how many records there should be. Raises `SurveyError` that says which numbers
    do not add up, `RefusedError` where only this one does not fit.
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
        found = _stages(corpus, reasons=level == "reason", empty=empty)
        boxes += [box for box in found if standard or box.leaves]
    boxes.append(FlowBox("retained", "Papers retained", len(corpus.papers)))
    return Flow(tuple(boxes), standard, corpus.day, protocol, protocol_sections(corpus))


def _stages_recorded(corpus: Corpus) -> bool:
    """True if every record says which stages it passed; one that the first stage screened out passed none."""
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
    problems = [f"{e.path} is at no stage of the taxonomy ({e.screening.stage})" for e in corpus.exclusions
              if e.screening.stage not in stages]  # fmt: skip
    problems += [f"{e.path} has no reason of the taxonomy ({e.screening.reason})" for e in corpus.exclusions
               if e.screening.reason not in reasons]  # fmt: skip
    retained = {paper.key for paper in corpus.papers}
    problems += [f"{e.path} is also retained, and counts twice" for e in corpus.exclusions if e.key in retained]
    error: type[AwesomeError] = SurveyError if problems else RefusedError
    total = len(corpus.papers) + len(corpus.exclusions)
    if identified is not None and identified != total:
        sums = f"{len(corpus.papers)} retained and {len(corpus.exclusions)} excluded are {total}"
        problems.append(f"{sums}, not the {identified} identified: {abs(identified - total)} "
                      f"{'are not accounted for' if identified > total else 'too many'}")  # fmt: skip
    if problems:
        shown = "; ".join(first_few(problems, 5))
        raise error(f"the flow does not add up: {shown}", hint="see 'awesome validate'")
