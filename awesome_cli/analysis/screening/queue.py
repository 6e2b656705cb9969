"""The queue of candidates that await a person's decision, and the order of the queue."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from itertools import chain

from awesome_cli.analysis.audit.screening import blind_ones
from awesome_cli.analysis.ranking import LabelledText, Ranker, text
from awesome_cli.analysis.screening import stopping
from awesome_cli.errors import UsageError
from awesome_cli.model.identifiers import arxiv_month
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion
from awesome_cli.model.screenings import OPEN, Decision, ScreeningOrder, Screenings
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


def bare(candidate: Candidate) -> Candidate:
    """Return a candidate without the survey's opinion, for blind screening: title, venue, year and links."""
    kept = {name: getattr(candidate, name) for name in ("key", "title", "venue", "year", "identifiers", "links")}
    return Candidate(**kept, proposal="consider")


def appeared(candidate: Candidate) -> date | None:
    """Return the earliest possible publication date: as recorded, else of the arXiv id, else of the year, else None."""
    year, month = arxiv_month(candidate.identifiers.arxiv or "") or (candidate.year, 1)
    recorded = candidate.first_public or (f"{year:04}-{month:02}" if year else "")
    try:
        return date.fromisoformat((recorded + "-01-01")[:10])
    except ValueError:
        return None


@dataclass(frozen=True)
class Screened:
    """Settings of a queue: the survey, a person's decisions (`held`), and the order.

    `stage` selects candidates that passed the previous stage but not this stage, `where` candidates that match a query,
    and `only` candidates with these keys, whatever their proposal. `reopened` replaces the queue by these candidates,
    even if the person has decided on them. `rule` is the statistical stopping rule, None for conflicts.
    """

    corpus: Corpus
    held: Screenings
    order: ScreeningOrder
    stage: str | None = None
    where: str | None = None
    only: frozenset[str] | None = None
    reopened: tuple[Candidate, ...] = ()
    rule: stopping.HypergeometricRule | None = stopping.USUAL

    @property
    def waiting(self) -> tuple[Candidate, ...]:
        """Candidates to decide on, sorted by key."""
        return tuple(sorted(self.reopened or self.undecided, key=lambda candidate: candidate.key))

    @property
    def undecided(self) -> tuple[Candidate, ...]:
        """Candidates of the queue on which this person has not decided."""
        decided = self.decided
        undecided = tuple(c for c in self.corpus.candidates if c.key not in decided and self._waits(c))
        return self._matching(undecided, self.where) if self.where else undecided

    def _matching(self, candidates: tuple[Candidate, ...], where: str) -> tuple[Candidate, ...]:
        """Select candidates by a query; raise `UsageError` if it would show a blind screener the survey's opinion."""
        query = self.corpus.query(where)
        chosen = query.select(candidates)
        hidden = tuple(bare(candidate) for candidate in candidates) if self.held.blind else ()
        if hidden and {c.key for c in chosen} != {c.key for c in query.select(hidden)}:
            message = f"--where {where!r} selects by values that blind screening hides, such as authors or codings"
            raise UsageError(message, hint="select by title, venue, year or identifiers")
        return chosen

    def _waits(self, candidate: Candidate) -> bool:
        if self.only is not None:
            return candidate.key in self.only
        if self.stage is None:
            return not candidate.is_included
        return self.stage not in candidate.passed and (self._before is None or self._before in candidate.passed)

    @cached_property
    def _before(self) -> str | None:
        """The last stage before `stage` that a record passed, None for none: a survey need not use every stage."""
        corpus = self.corpus
        passed = {name for candidate in corpus.candidates for name in candidate.passed}
        passed.update(name for exclusion in corpus.exclusions for name in exclusion.screening.passed)
        decisions = (d for held in corpus.screenings for d in held.decisions if d.verdict == "include")
        passed.update(d.stage for d in decisions if d.stage)
        stages = [entry.id for entry in corpus.taxonomy.stages]
        earlier = stages[: stages.index(self.stage)] if self.stage in stages else []
        return next((name for name in reversed(earlier) if name in passed), None)

    @property
    def decided(self) -> dict[str, Decision]:
        """The person's decisions by key; if `stage` is set, without decisions at other stages."""
        return {k: d for k, d in self.held.final.items() if self.stage is None or d.stage in {None, self.stage}}


class ScreeningQueue:
    """The candidates in order, updated after each decision.

    The person's earlier decisions are labels; other retained and excluded records are training texts, but not for blind
    screening. Therefore, the same files give the same order, in one session or in several.
    """

    def __init__(self, made_for: Screened) -> None:
        waiting, decided, corpus = made_for.waiting, made_for.decided, made_for.corpus
        self._decided = decided
        self.waiting = {candidate.key: candidate for candidate in waiting}
        self._reopened = self.waiting.keys() & decided
        earlier = ((key, corpus.by_key.get(key)) for key in decided if key not in self.waiting)
        before = [record for key, record in earlier if record is not None and record.key == key]
        records = {r.key: r for r in sorted([*waiting, *before], key=lambda r: r.key)}
        self.keys = tuple(records)
        self.hidden: set[str] = set()
        self._others = sum(c.key not in self.waiting for c in made_for.undecided) if made_for.reopened else 0
        self.skipped = [d.key for d in made_for.held.decisions if d.verdict == "skip" and d.key in self.waiting]
        self.place = {key: i for i, key in enumerate(self.keys)}
        texts = (text(record.title, corpus.abstract(record)) for record in watched(records.values(), "reading texts"))
        blind = made_for.held.blind
        dates = [appeared(bare(r) if blind else r) if isinstance(r, Candidate) else None for r in records.values()]
        learns = made_for.order.by == "relevance" and not blind
        known = list(_known(corpus, records)) if learns else []
        self.order = made_for.order
        self.ranker = Ranker(texts, made_for.order, dates=dates, known=known)
        self._labels: dict[str, bool] = {}
        for key in (key for key in decided if key in records):
            self._label(key, decided[key])

    def _label(self, key: str, decision: Decision | None) -> None:
        """Label a work by the decision that stands; a changed label keeps its place, because the work was read then."""
        self.hidden.discard(key)
        if decision is None or decision.verdict == "duplicate":  # not evidence of relevance
            self._labels.pop(key, None)
            self.hidden |= {key} - self.waiting.keys()
        else:
            self._labels[key] = decision.verdict == "include"
        if key in self.waiting or key not in self._labels:
            self.ranker.unlabel(self.place[key])
        else:
            self.ranker.label(self.place[key], self._labels[key])

    def __iter__(self) -> Iterator[Candidate]:
        """Yield the waiting candidates: the next to read first, skipped candidates last."""
        yield from self._ranked(None)
        yield from self._last()

    def next(self) -> Candidate | None:
        """Return the candidate to read next, None if none is waiting."""
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
        """Update the queue after a decision."""
        if decision.verdict == "skip":
            self.skipped.append(candidate.key)
        elif decision.verdict not in OPEN:
            self.waiting.pop(candidate.key, None)
            self._label(candidate.key, decision)

    def undo(self, candidate: Candidate, decision: Decision) -> None:
        """Update the queue after a decision was undone."""
        if decision.verdict == "skip" and candidate.key in self.skipped:
            at = len(self.skipped) - 1 - self.skipped[::-1].index(candidate.key)
            del self.skipped[at]
        elif decision.verdict not in OPEN:
            former = self._decided.get(candidate.key)
            if former is None or candidate.key in self._reopened:
                self.waiting[candidate.key] = candidate
            self._label(candidate.key, former)

    @property
    def progress(self) -> stopping.Progress:
        """The progress of the screening, also of candidates that are not shown when works are reopened."""
        total = len(self.waiting) + sum(key not in self.waiting for key in self._labels) + self._others
        return stopping.Progress.of(self._labels.values(), total)

    def follow(self, key: str, now: Candidate | None) -> None:
        """Update a candidate that another program changed; `now` is None if it was screened."""
        if now is not None:
            self.waiting[key] = now
        else:
            self.waiting.pop(key, None)
            self.hidden.add(key)


def _known(corpus: Corpus, shown: Mapping[str, AnyRecord]) -> Iterator[LabelledText]:
    """Yield retained and excluded records that are not in the queue, as training texts."""
    for record in corpus.records:
        if record.key not in shown and not (isinstance(record, Candidate) and record.proposal != "retain"):
            yield LabelledText(text(record.title, corpus.abstract(record)), not isinstance(record, Exclusion))


def conflicting(made_for: Screened) -> Mapping[str, Sequence[str]]:
    """Return the conflicting decisions as text, by candidate; empty unless the queue is for settling conflicts."""
    conflicts = blind_ones(made_for.corpus).conflicts if made_for.only is not None else ()
    return {conflict.key: conflict.lines for conflict in conflicts}


def usual_stage(made_for: Screened) -> str | None:
    """Return the stage of the person's last decision (not a duplicate), else the stage of most exclusions, else None.

    The first stage of the taxonomy is not the default, because the survey may not use that stage.
    """
    decisions = (decision for decision in reversed(made_for.held.decisions) if decision.verdict != "duplicate")
    used = (decision.stage for decision in decisions if decision.stage)
    counts = Counter(exclusion.screening.stage for exclusion in made_for.corpus.exclusions)
    stages = [stage.id for stage in made_for.corpus.taxonomy.stages if counts[stage.id]]
    return next(used, max(stages, key=lambda stage: counts[stage], default=None))


def listing(queue: ScreeningQueue, made_for: Screened) -> Report:
    """Report the waiting candidates in the order of the queue."""
    waiting = list(queue)
    names = ("place", "key", "year", "title")
    held, order = made_for.held, made_for.order
    rows = [(n, c.key, (not held.blind and c.first_public) or c.year, c.title) for n, c in enumerate(waiting, 1)]
    decided = Text(f"{held.who} has decided on {counted(len(held.final), 'candidate')}; the order is by {order.by}.")
    data = {
        "who": held.who,
        "file": held.path,
        "blind": held.blind,
        "order": order.model_dump(mode="json", exclude_none=True, exclude={"after"}),
        "decided": len(held.final),
        "advice": [asdict(advice) for advice in stopping.advise(queue.progress, made_for.rule)],
        "expected": round(queue.progress.expected, 1),
        "queue": [
            {"place": n, "key": c.key, "title": c.title} | ({} if held.blind else {"proposal": c.proposal})
            for n, c in enumerate(waiting, 1)
        ],
    }
    table = Table.of(names, rows)
    shown = (table, decided) if rows else (Text("No candidates to screen in this queue.", "good"), decided)
    title = f"{counted(len(rows), 'candidate')} to screen"
    return Report("awesome/screen/1", data, (Section(None, shown),), title, table)
