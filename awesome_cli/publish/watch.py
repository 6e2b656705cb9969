"""The report of 'awesome watch': what a maintainer must decide on first, then all other changes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from awesome_cli.analysis.claims.admission import Ending, effect
from awesome_cli.analysis.claims.danger import WEAKENS, Danger, dangers, judged, reliances, together
from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.analysis.guessing import Guessed, guessed
from awesome_cli.analysis.watching import by_relevance, found_since, unanswered
from awesome_cli.curation import links
from awesome_cli.curation.refresh import SEVERITY, LookUp, Refresh, shown
from awesome_cli.model.claims import Claim
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Candidate, Retraction
from awesome_cli.model.searches import Asked
from awesome_cli.reports.report import Bullets, Cell, Linked, Report, Section, Table, Text, Toned
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import counted, precise, shortened


@dataclass(frozen=True, slots=True)
class RetractionNotice:
    """A retraction status, in the record if `stored`; the claims that `fail` without the work, or only `count` it."""

    work: AnyWork
    retraction: Retraction
    stored: bool
    fail: tuple[str, ...]
    count: tuple[str, ...]


@dataclass(frozen=True)
class SurveyWatch:
    """The results of a watch on a `day`; `new` are the candidates found on the date `since` or later.

    `holding`: ids of claims that hold today, except claims true by definition. `guesses`: one for each candidate
    without codings; the others are tested alone. `together`: claims that only several candidates end. `looks`,
    `checks`: look-ups at registries and results of links, with their `reports`; empty if offline.
    """

    corpus: Corpus
    day: date
    since: date
    new: tuple[Candidate, ...]
    holding: tuple[str, ...]
    dangers: tuple[Danger, ...]
    guesses: tuple[Guessed, ...]
    together: tuple[tuple[Claim, Ending], ...]
    notices: tuple[RetractionNotice, ...]
    unanswered: tuple[Asked, ...]
    looks: tuple[LookUp, ...]
    checks: tuple[links.Check, ...]
    reports: Mapping[str, Report]

    def by(self, effect: str) -> tuple[Danger, ...]:
        """Return the dangers with this effect, which is `ends` or `weakens`."""
        return tuple(danger for danger in self.dangers if danger.effect == effect)

    @property
    def population(self) -> dict[str, int]:
        """The counts of records and claims that the watch covers."""
        ends, weakens = self.by("ends"), self.by("weakens")
        return {
            "papers": len(self.corpus.papers),
            "candidates": len(self.corpus.candidates),
            "coded": len(self.corpus.candidates) - len(self.guesses),
            "not_coded": len(self.guesses),
            "new": len(self.new),
            "undated": sum(not (c.found and c.found.on) for c in self.corpus.candidates),
            "claims": sum(claim.stands(None) for claim in self.corpus.claims.claims),
            "claims_that_hold": len(self.holding),
            "candidates_that_end": len({danger.candidate.key for danger in ends}),
            "claims_that_one_ends": len({danger.claim.id for danger in ends}),
            "candidates_that_weaken": len({danger.candidate.key for danger in weakens}),
            "claims_that_one_weakens": len({danger.claim.id for danger in weakens}),
            "claims_that_several_end": len(self.together),
        }


def watch(
    corpus: Corpus, day: date, since: date, refresh: Refresh | None = None, checks: tuple[links.Check, ...] = ()
) -> SurveyWatch:
    """Return the results of a watch. The corpus must include candidates, claims and the log of searches."""
    reports = {"refresh": refresh.to_report((), written=False), "links": links.to_report(checks)} if refresh else {}
    looks = tuple(refresh.looks) if refresh else ()
    pool = Pool(corpus)
    verdicts = judged(pool)
    coded = [c for c in corpus.candidates if c.tags or c.measures]
    uncoded = [c for c in corpus.candidates if not (c.tags or c.measures)]
    return SurveyWatch(
        corpus,
        day,
        since,
        new=found_since(corpus, since),
        holding=tuple(verdict.claim.id for verdict in verdicts),
        dangers=dangers(pool, verdicts, coded),
        guesses=guessed(pool, verdicts, uncoded),
        together=together(pool, verdicts),
        notices=tuple(_notices(pool, verdicts, looks)),
        unanswered=unanswered(corpus, day),
        looks=looks,
        checks=checks,
        reports=reports,
    )


def _notices(pool: Pool, verdicts: Sequence[Verdict], looks: Sequence[LookUp]) -> Iterator[RetractionNotice]:
    """Yield the retraction statuses, just looked up or else stored, the most severe first."""
    new = {look.record.key: look.new_status for look in looks}
    works = [(work, status) for work in pool.corpus.works if (status := new.get(work.key) or work.retraction)]
    for work, status in sorted(works, key=lambda pair: -SEVERITY.index(pair[1].status)):
        if status.status != "none":
            yield RetractionNotice(work, status, status is work.retraction, *reliances(pool, verdicts, work.key))


def _rows(result: SurveyWatch) -> dict[str, list[dict[str, Cell]]]:
    return {
        "retracted": [_notice_row(entry) for entry in result.notices],
        "dangers": [_danger_row(entry) for entry in result.dangers],
        "together": [{"claim": c.id, "fewest": e.fewest, "candidates": len(e.admitted)} for c, e in result.together],
        "new": [_candidate_row(entry) for entry in result.new],
    }


def data(result: SurveyWatch) -> dict[str, object]:
    """Return the data of the JSON schema `awesome/watch/1`."""
    return {
        **dict.fromkeys(("refresh", "links")),
        "day": result.day.isoformat(),
        "since": result.since.isoformat(),
        "population": result.population,
        **_rows(result),
        "dangers": [_danger_data(entry) for entry in result.dangers],
        "unanswered": [entry.model_dump(mode="json") for entry in result.unanswered],
        **{name: report.data for name, report in result.reports.items()},
        "guesses": [_guess_data(entry, result.corpus) for entry in result.guesses],
    }


def _danger_row(danger: Danger) -> dict[str, Cell]:
    return {
        "candidate": danger.candidate.key,
        "claim": danger.claim.id,
        "effect": danger.effect,
        "expected": expected(danger.before.expectation),
        "today": observed(danger.before, keys=False),
        "with_it": observed(danger.after, keys=False),
        "margin_lost": precise(danger.loss),
        "codings": tuple(map(str, danger.codings)),
    }


def _danger_data(danger: Danger) -> dict[str, object]:
    return {
        **_danger_row(danger),
        "value_today": to_json(danger.before.value),
        "value_with_it": to_json(danger.after.value),
        "margin_today": danger.margins[0],
        "margin_with_it": danger.margins[1],
        "codings": [{"coding": c.coding, "confidence": c.confidence, "contested": c.contested} for c in danger.codings],
    }


def _notice_row(notice: RetractionNotice) -> dict[str, Cell]:
    rest = {"stored": notice.stored, "fail_without_it": notice.fail, "counted_by": notice.count}
    return {"key": notice.work.key, **notice.retraction.model_dump(mode="json"), **rest}


def _candidate_row(candidate: Candidate) -> dict[str, Cell]:
    return {
        "key": candidate.key,
        "title": candidate.title,
        "first_public": candidate.first_public,
        "found_on": candidate.found.on.isoformat() if candidate.found and candidate.found.on else None,
        "source": candidate.found.source if candidate.found else None,
        "proposal": candidate.proposal,
        "coded": bool(candidate.tags or candidate.measures),
        "address": candidate.address,
    }


def _guess_line(entry: Guessed, corpus: Corpus) -> str:
    """State the guess, its claims, and the most similar coded papers, as `key: axis=term (shared words)`."""
    cells = [f"{on_axis(guess.axis, guess.term)} ({', '.join(guess.words)})" for guess in entry.cells]
    axes = [guess.axis for guess in entry.cells]
    labels = ((n, " ".join(_terms(n.key, corpus, axes))) for n in entry.nearest)
    nearest = [f"{n.key}{f': {terms}' if terms else ''} ({', '.join(n.words)})" for n, terms in labels]
    return (
        f"{entry.candidate.key}: guess: {', '.join(cells) or 'no cell'}; "
        f"claims: {', '.join(entry.claims) or 'none'}; nearest: {', '.join(nearest) or 'none'}"
    )


def _terms(key: str, corpus: Corpus, axes: list[str]) -> list[str]:
    paper = corpus.by_key[key]
    tags = getattr(paper, "tags", {})
    return [on_axis(axis, tag) for axis in axes for tag in tags.get(axis, ()) if not tag.part]


def _guess_data(entry: Guessed, corpus: Corpus) -> dict[str, object]:
    axes = list(corpus.taxonomy.by_id)
    return {
        "candidate": entry.candidate.key,
        "guess": [
            {"axis": g.axis, "term": g.term, "words": list(g.words), "quote": g.quote, "score": precise(g.score)}
            for g in entry.cells
        ],
        "claims": list(entry.claims),
        "nearest": [
            {"key": n.key, "likeness": n.score, "words": list(n.words), "terms": _terms(n.key, corpus, axes)}
            for n in entry.nearest
        ],
    }


GUESS = (
    "Guessed from words that title, abstract, summary or note share with the name or definition of a term. "
    "Nobody read the papers for these guesses, and no record contains them. Claims: claims that query a guessed cell."
)
DIFFERING = "'awesome refresh KEY --apply' takes them over; with '--reject FIELD' instead, a value is not shown again."
NO_ZERO = "An incomplete answer does not mean zero results: the source may hold papers that are missing here."
RETRACTED = "Screen the work out, or state in retraction.handled why it stays: 'awesome explain P004'."
ALL = "awesome watch --all"
SHOWN, RELEVANT = 5, 10
"""Maximum numbers of items of a topic and of new candidates, so that the report has at most 150 lines."""


class Topic(NamedTuple):
    """A part of the report. An item is a text such as `name: details`; `total` is by default the number of items."""

    title: str
    items: Sequence[Toned | str]
    note: str = ""
    most: int = SHOWN
    total: int = 0

    def section(self, *, whole: bool, folded: bool = False) -> Section:
        """Return the section: all items if `whole`, else the first ones, perhaps folded."""
        n = len(self.items)
        most = n if whole else self.most
        items = (*self.items[:most], *([f"{n - most} more: {ALL}"] if n > most else ()))
        note = (Text(self.note),) if self.note else ()
        return Section(f"{self.title} ({self.total or n})", (*note, Bullets(items)), ALL * (folded and not whole))


def to_report(result: SurveyWatch, *, whole: bool = False) -> Report:
    """Return the report: what needs a decision, then the rest, folded; complete if `whole`."""
    title = f"{result.corpus.taxonomy.survey.title}: watch of {result.day}"
    urgent, rest = ([topic for topic in topics if topic.items] for topics in (_urgent(result), _rest(result)))
    sections = [Section(None, tuple(_summary(result, urgent))), *(topic.section(whole=whole) for topic in urgent)]
    # The most relevant new candidates are few, and what the next sitting screens.
    sections += [topic.section(whole=whole, folded=topic.most < RELEVANT) for topic in rest]
    rows = {name: rows for name, rows in _rows(result).items() if rows}
    tables = [Table.of([*each[0]], [[*row.values()] for row in each], title=name) for name, each in rows.items()]
    tables += [replace(report.table(), title=name) for name, report in result.reports.items()]
    return Report("awesome/watch/1", data(result), tuple(sections), title, rows=tuple(tables))


def _summary(result: SurveyWatch, urgent: Sequence[Topic]) -> Iterator[Bullets | Text]:
    n = result.population
    names = [dict.fromkeys(str(item).partition(": ")[0] for item in topic.items) for topic in urgent]
    heads = (f"{topic.title}: {shortened(each, SHOWN)}" for topic, each in zip(urgent, names, strict=True))
    yield Bullets(tuple(Toned(head, "bad") for head in heads)) if urgent else Text("Nothing needs a decision.", "good")
    undated = f"; {n['undated']} without a date" if n["undated"] else ""
    yield Text(
        f"Candidates: {n['candidates']} ({n['coded']} with provisional codings, {n['not_coded']} without); "
        f"{n['new']} found on {result.since} or later{undated}. "
        f"{n['claims_that_hold']} of {counted(n['claims'], 'claim')} hold today, decided and not by definition; "
        f"of the coded candidates, each admitted alone to the {counted(n['papers'], 'paper')}, "
        f"{n['candidates_that_end']} would overturn a claim, and {n['candidates_that_weaken']} would weaken one."
    )
    known = sum(look.status is not None for look in result.looks)
    states = ", ".join(f"{count} {state}" for state, count in Counter(c.state for c in result.checks).most_common())
    checked = f"Retraction status: known for {known} of {n['papers']} papers. Links: {states or 'none'}."
    offline = Text("Not checked offline: changed metadata, new retractions, dead links.", "warn")
    yield Text(checked) if result.reports else offline


def _urgent(result: SurveyWatch) -> Iterator[Topic]:
    """Yield what needs a decision, in order of urgency."""
    notices = [_notice_line(n, result.corpus) for n in result.notices if n.retraction.is_open]
    yield Topic("Retracted, withdrawn or in doubt", notices, RETRACTED)
    dead = [c for c in result.checks if c.state == "dead" and c.link.title is not None]
    yield Topic("Dead links to papers", [*map(_link_line, dead)])
    n, ends = result.population, [*map(_danger_line, result.by("ends"))]
    yield Topic("Claims that a single candidate would overturn", ends, total=n["claims_that_one_ends"])
    several = [f"{c.id} ({len(e.fewest)} of {len(e.admitted)}): {effect(e)}" for c, e in result.together]
    yield Topic("Claims that several candidates would overturn together", several)
    looks = [(look.record.key, look.published) for look in result.looks]
    news = [f"{key}: {v.before} → {v.after} ({v.source}); awesome refresh {key} --apply" for key, v in looks if v]
    yield Topic("Preprints that were published", news)
    yield Topic("Services and searches without a complete answer", [*_unanswered(result)], NO_ZERO)


def _notice_line(notice: RetractionNotice, corpus: Corpus) -> str:
    """State the retraction, the claims that rest on the work, and the command that stores a new status."""
    fails = f"; without it fails {shortened(notice.fail, SHOWN)}" if notice.fail else ""
    stated = [f"{id_} says “{excerpt(corpus.claims.by_id[id_].statement)}”" for id_ in notice.fail]
    stated += [f"counted by claims that hold without it: {shortened(notice.count, SHOWN)}"] if notice.count else []
    stated += [] if notice.stored else [f"store it with: awesome refresh {notice.work.key} --apply"]
    return f"{notice.work.key} ({notice.retraction}{fails}): {'; '.join(stated) or 'no claim counts it'}"


def _link_line(check: links.Check) -> Linked:
    reason = f"page title: {excerpt(check.found)}" if check.found else check.remark or f"status {check.status}"
    return Linked(f"{check.link.key}: {check.link.label} ({reason})", url=check.link.url)


def _danger_line(danger: Danger) -> str:
    text = "{claim}: {candidate} ({expected}; today {today}, with it {with_it}; {words})"
    return text.format(words=", ".join(map(str, danger.codings)) or "no coding", **_danger_row(danger))


def _unanswered(result: SurveyWatch) -> Iterator[str]:
    yield from (f"{host}: {reason}" for host, reason in links.silent_hosts(result.checks).items())
    failures = group_pairs((look.failure, look.record.key) for look in result.looks if look.failure)
    yield from (f"{reason}: {shortened(keys, SHOWN)} could not be looked up" for reason, keys in failures.items())
    for query in result.unanswered:
        yield f"search {query.search} at {query.source}: {query.state} on {query.at.date()}, {query.error}"


def _rest(result: SurveyWatch) -> Iterator[Topic]:
    """Yield the topics that need no decision soon."""
    corrected = [_notice_line(n, result.corpus) for n in result.notices if n.retraction.status == "corrected"]
    yield Topic("Corrected works", corrected)
    wrong = [c for c in result.checks if c.identity == "no" or (c.state == "dead" and c.link.title is None)]
    yield Topic("Other dead links, and links to a page with another title", [*map(_link_line, wrong)])
    pairs = ((look.record.key, s) for look in result.looks for s in look.suggestions if s != look.published)
    values = [f"{key}: {s.field}: {shown(s.before) or 'nothing'} → {shown(s.after)} ({s.source})" for key, s in pairs]
    yield Topic("Values that differ in registries", values, DIFFERING)
    n, note = result.population["claims_that_one_weakens"], f"Weakened: {WEAKENS}."
    yield Topic("Claims that a single candidate would weaken", [*_weakened(result)], note, total=n)
    searches = Counter((c.found and (c.found.search or c.found.source)) or "by hand" for c in result.new)
    counts = ", ".join(f"{name} {n}" for name, n in searches.most_common(RELEVANT))
    new = [Linked(f"{c.key}: {', '.join(_told(c))}", url=c.address) for c in by_relevance(result.corpus, result.new)]
    yield Topic(
        f"Candidates found on {result.since} or later", new, f"Most relevant first. By search: {counts}.", RELEVANT
    )
    guesses = [_guess_line(guess, result.corpus) for guess in result.guesses]
    yield Topic("Guessed codings of candidates without codings", guesses, GUESS)


def _weakened(result: SurveyWatch) -> Iterator[str]:
    """Yield the weakened claims; candidates with the same effect on a claim share a line."""
    rows = [(d, _danger_row(d)) for d in sorted(result.by("weakens"), key=lambda d: -d.loss)]
    effects = (f"{r['claim']}: {100 * d.loss:.0f} % of the margin ({r['today']} → {r['with_it']})" for d, r in rows)
    groups = group_pairs(zip(effects, (d.candidate.key for d, _ in rows), strict=True))
    return (f"{effect} by each of {shortened(keys, SHOWN)}" for effect, keys in groups.items())


def _told(candidate: Candidate) -> Iterator[str]:
    row = _candidate_row(candidate)
    coded = "coded" if row["coded"] else "not coded"
    parts = (excerpt(candidate.title), row["first_public"], row["source"], f"proposal: {candidate.proposal}", coded)
    return (str(part) for part in parts if part)
