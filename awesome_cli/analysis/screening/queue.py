"""The candidates that wait for a person's decision, and the order in which they are shown."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from itertools import chain

from awesome_cli.analysis.audit.screening import blind_ones
from awesome_cli.analysis.ranking import LabelledText, Ranker, text
from awesome_cli.analysis.screening import stopping
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion
from awesome_cli.model.screenings import OPEN, Decision, ScreeningOrder, Screenings
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


def abstract_of(record: AnyRecord) -> str | None:
    """The abstract that was kept with a record; an exclusion may have it in the record that it was."""
    inner = record.paper.get("extra") if isinstance(record, Exclusion) else None
    for extra in (record.extra, inner):
        if isinstance(extra, dict) and isinstance(found := extra.get("abstract"), str):
            return found
    return None


def appeared(candidate: Candidate) -> date | None:
    """The first day on which a candidate can have appeared, as far as that is recorded."""
    said = candidate.first_public or (str(candidate.year) if candidate.year else "")
    try:
        return date.fromisoformat((said + "-01-01")[:10] if len(said) == 4 else (said + "-01")[:10])
    except ValueError:
        return None


def stage_before(corpus: Corpus, stage: str | None) -> str | None:
    """The last of the stages before one that a record of the survey passed; None if no record passed any.

    What passed no stage at all waits at the first stage that is used, which need not be the first of the taxonomy.
    """
    passed = {one for candidate in corpus.candidates for one in candidate.passed}
    passed.update(one for exclusion in corpus.exclusions for one in exclusion.screening.passed)
    passed.update(d.stage for held in corpus.screenings for d in held.decisions if d.verdict == "include" and d.stage)
    stages = [one.id for one in corpus.taxonomy.stages]
    earlier = stages[: stages.index(stage)] if stage in stages else []
    return next((one for one in reversed(earlier) if one in passed), None)


@dataclass(frozen=True)
class Screened:
    """The survey, the person and the order for which a queue is made.

    A `stage` that is named asks for the candidates that passed those before it and not this one, `where` for those that
    match a query, `only` for those with some keys, whatever is proposed for them.
    """

    corpus: Corpus
    held: Screenings
    order: ScreeningOrder
    stage: str | None = None
    where: str | None = None
    only: frozenset[str] | None = None

    @property
    def waiting(self) -> tuple[Candidate, ...]:
        """The candidates that wait for this person, by key."""
        decided = self.decided
        found = (c for c in self.corpus.candidates if c.key not in decided and self._waits(c))
        chosen = self.corpus.query(self.where).select(tuple(found)) if self.where else found
        return tuple(sorted(chosen, key=lambda candidate: candidate.key))

    def _waits(self, candidate: Candidate) -> bool:
        if self.only is not None:
            return candidate.key in self.only
        if self.stage is None:
            return not candidate.is_included
        return self.stage not in candidate.passed and (self._before is None or self._before in candidate.passed)

    @cached_property
    def _before(self) -> str | None:
        return stage_before(self.corpus, self.stage)

    @property
    def decided(self) -> dict[str, Decision]:
        """The person's decisions that count here; one of an earlier stage does not, where a stage is named."""
        return {k: d for k, d in self.held.final.items() if self.stage is None or d.stage in {None, self.stage}}


class ScreeningQueue:
    """The order of the candidates, made anew after each decision.

    What the person decided before stands in it with a label, and every other retained or excluded record is known: the
    same files give the same order, whether the sitting goes on or begins again.
    """

    def __init__(self, made_for: Screened) -> None:
        waiting, decided, corpus = made_for.waiting, made_for.decided, made_for.corpus
        before = [record for key in decided if (record := corpus.by_key.get(key)) is not None and record.key == key]
        records = {r.key: r for r in sorted([*waiting, *before], key=lambda r: r.key)}
        self.keys = tuple(records)
        self.hidden: set[str] = set()
        self.waiting = {candidate.key: candidate for candidate in waiting}
        self.skipped = [d.key for d in made_for.held.decisions if d.verdict == "skip" and d.key in self.waiting]
        self.place = {key: i for i, key in enumerate(self.keys)}
        texts = (text(record.title, abstract_of(record)) for record in watched(records.values(), "reading texts"))
        dates = [appeared(record) if isinstance(record, Candidate) else None for record in records.values()]
        known = list(_known(corpus, records)) if made_for.order.by == "relevance" else []
        self.order = made_for.order
        self.ranker = Ranker(texts, made_for.order, dates=dates, known=known)
        self._labels: dict[str, bool] = {}
        for key in (record.key for record in before):
            self._label(key, decided[key])

    def _label(self, key: str, decision: Decision) -> None:
        if decision.verdict == "duplicate":  # it says nothing about what is relevant
            self.hidden.add(key)
            return
        self._labels[key] = decision.verdict == "include"
        self.ranker.label(self.place[key], self._labels[key])

    def __iter__(self) -> Iterator[Candidate]:
        """The candidates that wait, the one to read next first; those that were skipped come last."""
        yield from self._ranked(None)
        yield from self._last()

    def next(self) -> Candidate | None:
        """The candidate to read next; None when none waits."""
        few = 1 + len(set(self.skipped)) + len(self.hidden)
        return next(chain(self._ranked(few), self._last()), None)

    def _ranked(self, n: int | None) -> Iterator[Candidate]:
        last = set(self.skipped)
        for i in self.ranker.ranked(n):
            if (key := self.keys[i]) in self.waiting and key not in last:
                yield self.waiting[key]

    def _last(self) -> Iterator[Candidate]:
        latest = dict.fromkeys(reversed(self.skipped))
        return (self.waiting[key] for key in reversed(latest) if key in self.waiting)

    def decide(self, candidate: Candidate, decision: Decision) -> None:
        """Follow a decision."""
        if decision.verdict == "skip":
            self.skipped.append(candidate.key)
        elif decision.verdict not in OPEN:
            self.waiting.pop(candidate.key, None)
            self._label(candidate.key, decision)

    def undo(self, candidate: Candidate, decision: Decision) -> None:
        """Follow a decision that was taken back."""
        if decision.verdict == "skip" and candidate.key in self.skipped:
            at = len(self.skipped) - 1 - self.skipped[::-1].index(candidate.key)
            del self.skipped[at]
        elif decision.verdict not in OPEN:
            self.waiting[candidate.key] = candidate
            self.hidden.discard(candidate.key)
            if self._labels.pop(candidate.key, None) is not None:
                self.ranker.unlabel(self.place[candidate.key])

    @property
    def labels(self) -> list[bool]:
        """For each work that was decided on, True if it is relevant; in the order of the decisions."""
        return list(self._labels.values())

    def follow(self, key: str, now: Candidate | None) -> None:
        """Follow another program: what the candidate is now, None if it is one no longer."""
        if now is not None:
            self.waiting[key] = now
        else:
            self.waiting.pop(key, None)
            self.hidden.add(key)


def _known(corpus: Corpus, shown: Mapping[str, AnyRecord]) -> Iterator[LabelledText]:
    """The records that were retained or excluded and are not shown."""
    for record in corpus.records:
        if record.key not in shown and not (isinstance(record, Candidate) and record.proposal != "retain"):
            yield LabelledText(text(record.title, abstract_of(record)), not isinstance(record, Exclusion))


def others(made_for: Screened) -> Mapping[str, Sequence[str]]:
    """Return each person's decisions by candidate, where conflicts are to be settled."""
    conflicts = blind_ones(made_for.corpus).conflicts if made_for.only is not None else ()
    return {conflict.key: conflict.lines for conflict in conflicts}


def usual_stage(made_for: Screened) -> str | None:
    """The stage of the person's last decision, not on a duplicate, else the one of most of the survey's exclusions.

    None where nothing says it: the first stages of a survey need not be those at which people read.
    """
    decisions = (decision for decision in reversed(made_for.held.decisions) if decision.verdict != "duplicate")
    used = (decision.stage for decision in decisions if decision.stage)
    counts = Counter(exclusion.screening.stage for exclusion in made_for.corpus.exclusions)
    stages = [stage.id for stage in made_for.corpus.taxonomy.stages if counts[stage.id]]
    return next(used, max(stages, key=lambda stage: counts[stage], default=None))


def listing(queue: ScreeningQueue, made_for: Screened) -> Report:
    """The queue in its order, as a table."""
    found = list(queue)
    names = ("place", "key", "year", "title")
    rows = [(n, c.key, c.first_public or c.year, c.title) for n, c in enumerate(found, 1)]
    held, order = made_for.held, made_for.order
    decided = Text(f"{held.who} has decided on {counted(len(held.final), 'candidate')}; the order is by {order.by}.")
    data = {
        "who": held.who,
        "file": held.path,
        "blind": held.blind,
        "order": order.model_dump(mode="json", exclude_none=True, exclude={"after"}),
        "decided": len(held.final),
        "advice": [asdict(one) for one in stopping.advise(queue.labels, len(found) + len(queue.labels))],
        "queue": [{"place": n, "key": c.key, "title": c.title, "proposal": c.proposal} for n, c in enumerate(found, 1)],
    }
    table = Table.of(names, rows)
    shown = (table, decided) if rows else (Text("No candidate of this queue waits for screening.", "good"), decided)
    title = f"{counted(len(rows), 'candidate')} to screen"
    return Report("awesome/screen/1", data, (Section(None, shown),), title, table)
