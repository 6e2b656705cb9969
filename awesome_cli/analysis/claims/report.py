"""Reports on claims: claims in danger with the records that endanger them, all answers, and one claim in detail."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from awesome_cli.analysis.audit.report import agreement_on, agreement_sentences
from awesome_cli.analysis.claims.admission import Ending, Forecast, outlook_sentence
from awesome_cli.analysis.claims.evaluation import Contested, Outcome
from awesome_cli.analysis.claims.finding import headline, leading
from awesome_cli.analysis.claims.results import ENDED, ClaimResult, ClaimResults, ClaimStatus, not_judged
from awesome_cli.analysis.claims.sensitivity import endangered
from awesome_cli.analysis.claims.wording import answer_text, expected, observed, titled
from awesome_cli.reports.answer import report_of
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import NAME
from awesome_cli.text.numbers import counted, first_few, shortened

SHOWN = 8
"""Maximum number of claims in danger, and of others, that a summary shows; the rest are counted."""
KEYS = 3
"""Maximum number of records named in a reason; the rest are counted."""

TONES: Mapping[ClaimStatus, Tone] = {
    ClaimStatus.HOLDS: "good",
    ClaimStatus.CONTESTED: "warn",
    ClaimStatus.UNDECIDED: "warn",
    ClaimStatus.FAILS: "bad",
    **dict.fromkeys(ENDED, "muted"),
}
ANSWER_TONES: Mapping[str, Tone] = {"yes": "good", "no": "bad", "undecided": "warn"}


def to_report(checked: ClaimResults, forecasts: Mapping[str, Forecast] | None = None, *, full: bool = False) -> Report:
    """Report the claims in danger (at most `SHOWN`) and the claims that hold; with `full`, every answer and reason.

    `forecasts` has, by claim id, the forecasts of claims that candidates would end.
    """
    forecasts = forecasts or {}
    whole = len(checked.results) + len(checked.waiting) == len(checked.pool.corpus.claims.claims)
    finding = headline(leading(checked)) if whole else ""
    blocks: list[Block] = [Text(finding, "strong")] if finding else []
    blocks.append(Text(_tally_line(checked), "good" if checked.hold else "bad"))
    sections = [Section(None, tuple(blocks)), *(_every if full else _summary)(checked, forecasts)]
    title = "Claims" + (f" as of {checked.day}" if checked.day else "")
    notes = Section("notes", (Bullets(tuple(_notes(checked, forecasts))),))
    return _report(checked, sections, title, forecasts, (notes,))


def _every(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> Iterator[Section]:
    """Yield every claim with its statement, figures and notes; claims made after the day of the pool come last."""
    corpus = checked.pool.corpus
    for r in checked.results:
        forecast = forecasts.get(r.claim.id)
        notes = [str(note).removeprefix(r.claim.id).lstrip(": ") for note in _remarks_on(r)]
        lines = [r.claim.statement, *_figures(r, checked, full=True), *notes]
        lines += [outlook_sentence(forecast)] if forecast else []
        yield Section(None, (_entry(r, (titled(corpus, line) for line in lines)),))
    not_yet = ClaimStatus.NOT_YET.words
    waiting = (f"{not_yet}  {c.id}\n  {c.statement}\n  made as of {c.as_of}" for c in checked.waiting)
    yield from (Section(None, (Text(text, "muted", not_yet),)) for text in waiting)


def _summary(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> Iterator[Section]:
    """Yield the claims in danger with their figures and reasons, and the claims that hold without known danger."""
    danger = _danger(checked, forecasts)
    yield from _first("In danger", [_entry(r, (*_figures(r, checked), *reasons)) for r, reasons in danger])
    ids = {result.claim.id for result, _ in danger}
    safe = [r for r in checked.results if r.status is ClaimStatus.HOLDS and r.claim.id not in ids]
    holding = [_entry(r, _figures(r, checked)) for r in safe if not r.claim.record_of_day]
    yield from _first("Hold, with no known danger", holding)
    days = [r.claim.id for r in safe if r.claim.record_of_day]
    closing = [f"Records of a day that hold: {shortened(days, SHOWN)}"] if days else []
    if checked.results or checked.waiting:
        closing.append("Every answer with its reasons: awesome claims check --all")
    yield Section(None, tuple(Text(line, "muted") for line in closing))


def _first(title: str, entries: Sequence[Text]) -> Iterator[Section]:
    """Yield a section with the first entries and the number of the rest; nothing without entries."""
    more = (Text(f"and {len(entries) - SHOWN:,} more", "muted"),) if len(entries) > SHOWN else ()
    if entries:
        yield Section(f"{title} ({len(entries):,})", (*entries[:SHOWN], *more))


def _entry(result: ClaimResult, lines: Iterable[str]) -> Text:
    head = f"{result.status.value}  {result.claim.id}"
    return Text("\n  ".join([head, *lines]), TONES[result.status], head)


def _figures(result: ClaimResult, checked: ClaimResults, *, full: bool = False) -> Iterator[str]:
    """Yield the decisive figure and those that fail, with the papers behind these; with `full`, every figure."""
    corpus, verdict = checked.pool.corpus, result.verdict
    for outcome in verdict.outcomes:
        if full or outcome.fails or outcome is verdict.decisive:
            figure = titled(corpus, str(answer_text(outcome, result.claim, checked.pool)))
            papers = _titles(corpus, outcome.selection.keys if outcome.fails else ())
            yield "fails: " * (full and outcome.fails) + figure + (f": {papers}" if papers else "")


def _titles(corpus: Corpus, keys: Iterable[str]) -> str:
    return "; ".join(first_few([corpus.short_titles.get(key, key) for key in keys], KEYS))


@report_of.register
def whole_report(checked: ClaimResults) -> Report:
    """Report every answer, its reasons, and the candidates that would end a claim."""
    return to_report(checked, endangered(checked), full=True)


def _notes(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> list[Toned]:
    notes = [note for result in checked.results for note in notes_on(result)]
    notes += [Toned(f"{name}: {outlook_sentence(forecast)}", "muted") for name, forecast in forecasts.items()]
    return notes + [Toned(f"{c.id}: made as of {c.as_of}, after {checked.day}", "muted") for c in checked.waiting]


def _danger(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> list[tuple[ClaimResult, tuple[str, ...]]]:
    """Return the claims that fail or would fail, with reasons: failing claims first, then by fewest candidates."""
    rows: list[tuple[tuple[bool, bool, int], ClaimResult, tuple[str, ...]]] = []
    for result in checked.results:
        forecast = forecasts.get(result.claim.id)
        reasons = tuple(_reasons(result, forecast, checked.pool.corpus)) if result.stands else ()
        if reasons or result.status is ClaimStatus.FAILS:
            fewest = len(forecast.proposed.fewest or forecast.missed.fewest) if forecast is not None else 0
            rank = (result.verdict.holds, result.status is ClaimStatus.HOLDS, fewest)
            rows.append((rank, result, reasons))
    return [(result, reasons) for _, result, reasons in sorted(rows, key=lambda row: row[0])]


def _reasons(result: ClaimResult, forecast: Forecast | None, corpus: Corpus) -> Iterator[str]:
    if result.since is not None:
        yield titled(corpus, str(result.since))
    for reading in result.fails_in:
        keys = dict.fromkeys(c.key for c in result.contested if c.side is reading.side)
        yield f"fails in the {reading.side} reading, by objections to {_titles(corpus, keys)}"
    yield from dict.fromkeys(map(str, result.doubts))
    if forecast is not None:
        today, then = forecast.proposed, forecast.missed
        ends = _by_candidates(today, "candidate", corpus) or _by_candidates(then, "missed candidate", corpus)
        yield from (f"would fail with {records}" for records in ends)


def _by_candidates(ending: Ending, noun: str, corpus: Corpus) -> list[str]:
    """Describe the candidates that would end a claim: each alone, or the fewest together."""
    if n := len(ending.alone):
        return [f"{'any of ' if n > 1 else ''}{counted(n, noun)}: {_titles(corpus, ending.alone)}"]
    names = _titles(corpus, ending.fewest)
    return [f"{counted(len(ending.fewest), noun)} together: {names}"] if names else []


def _report(
    checked: ClaimResults,
    sections: Sequence[Section],
    title: str,
    forecasts: Mapping[str, Forecast],
    beside: Sequence[Section],
) -> Report:
    """Build the report; CSV has the rows by expectation and the sections `beside`."""
    corpus, axes = checked.pool.corpus, checked.pool.axes(result.claim for result in checked.results)
    data: dict[str, object] = {
        "as_of": checked.day.isoformat() if checked.day else None,
        "reading": checked.reading.to_json() if checked.reading else None,
        "claims": [
            *({**r.to_json(), **_outlook(forecasts.get(r.claim.id))} for r in checked.results),
            *({**not_judged(claim), **_outlook(None)} for claim in checked.waiting),
        ],
        "agreement": {axis: agreement_on(corpus, axis) for axis in axes},
    }
    mentioned = set(NAME.findall(str(data)))
    titles = {key: title for key, title in corpus.short_titles.items() if key in mentioned}
    columns = ("claim", "status", "expected", "observed", "holds", "contested", "ended_by", "keys", "statement")
    rows: list[tuple[Cell, ...]] = [
        (
            r.claim.id,
            r.status.value,
            expected(o.expectation),
            observed(o, keys=False),
            r.answer(o) == "yes",
            tuple(dict.fromkeys(c.key for c in r.contested)),
            _ended_by(forecasts.get(r.claim.id)),
            () if o.expectation.dated else o.selection.keys,
            r.claim.statement,
        )
        for r in checked.results
        for o in r.verdict.outcomes
    ]
    status = ClaimStatus.NOT_YET.value
    rows += [
        (c.id, status, expected(e), None, False, (), (), (), c.statement) for c in checked.waiting for e in c.expect
    ]
    named = Table.of(("key", "title"), list(titles.items()), title="titles")
    tables = (Table.of(columns, rows, title="claims"), *as_tables(beside), named)
    return Report("awesome/claims/2", {**data, "titles": titles}, tuple(sections), title, tables)


def _outlook(forecast: Forecast | None) -> dict[str, object]:
    return {"outlook": outlook_sentence(forecast) if forecast else None, "ended_by": list(_ended_by(forecast))}


def _ended_by(forecast: Forecast | None) -> tuple[str, ...]:
    if forecast is None:
        return ()
    ending = forecast.proposed if forecast.proposed.fewest else forecast.missed
    return ending.alone or ending.fewest


def _tally_line(checked: ClaimResults) -> str:
    if not checked.results and not checked.waiting:
        return "The survey has no claims. For the format of claims.yaml, run: awesome schema claims"
    return tally_sentence(checked, ended=True)


def tally_sentence(checked: ClaimResults, *, ended: bool = False) -> str:
    """Count the claims that hold: `13 of 14 claims hold as coded, 1 fails; 6 are contested; 6 records of a day hold`.

    With `ended`, also count the claims that were revised, withdrawn or not made yet.
    """
    claims, days = (list(_tallied(checked, of_day=of_day)) for of_day in (False, True))
    parts = [*claims, *([", ".join(days)] if days else [])] or ["no claim stands"]
    counts = {**checked.answers, ClaimStatus.NOT_YET: len(checked.waiting)}
    over = [f"{n:,} {status.words}" for status in ENDED if (n := counts.get(status, 0))]
    return "; ".join([*parts, *([", ".join(over)] if ended and over else [])])


def _tallied(checked: ClaimResults, *, of_day: bool) -> Iterator[str]:
    """Count the claims that stand, or only the records of a day."""
    answers = Counter(r.status for r in checked.results if r.stands and r.claim.record_of_day is of_day)
    holding, fails = answers[ClaimStatus.HOLDS] + answers[ClaimStatus.CONTESTED], answers[ClaimStatus.FAILS]
    if n := answers.total():
        noun = f"{counted(n, 'record')} of a day" if of_day else counted(n, "claim")
        where = "" if of_day else f" in the {checked.reading}" if checked.reading else " as coded"
        first = "" if of_day and holding == n else f"{holding:,} of "
        failing = f", {fails:,} {_verb(fails, 'fail')}" if fails else ""
        yield f"{first}{noun} {_verb(holding, 'hold')}{where}{failing}"
    for status in (ClaimStatus.UNDECIDED, ClaimStatus.CONTESTED):
        if m := answers[status]:
            yield f"{m:,} {status.value}" if of_day else f"{m:,} {'is' if m == 1 else 'are'} {status.value}"


def _verb(n: int, verb: str) -> str:
    return f"{verb}s" if n == 1 else verb


def notes_on(result: ClaimResult) -> Iterator[Toned]:
    """Yield notes on a claim: revision or withdrawal, failed expectations, first failing day, contested codings."""
    for outcome in result.verdict.outcomes:
        if outcome.fails and result.ended is None:
            text = f"expected {expected(outcome.expectation)}; observed {observed(outcome)}"
            yield Toned(f"{result.claim.id} fails: {text}", "bad")
    yield from _remarks_on(result)


def _remarks_on(result: ClaimResult) -> Iterator[Toned]:
    name = result.claim.id
    if result.ended is not None:
        yield Toned(f"{name} was {result.life}: {result.ended.because}", "warn")
        return
    if result.since is not None:
        yield Toned(f"{name}: {result.since}", "bad")
    for doubt in result.doubts:
        yield Toned(f"{name} is undecided: {expected(doubt.expectation)}: {doubt}; {doubt.fix}", "warn")
    for reading in result.fails_in:
        by = ", ".join(f"{c.key} {c.tag} ({_grade(c)})" for c in result.contested if c.side is reading.side)
        text = "fails in the" if result.reading else "holds as coded, but is contested and fails in the"
        yield Toned(f"{name} {text} {reading}" + (f": {by}" if by else ""), "bad" if result.reading else "warn")


def _grade(contested: Contested) -> str:
    return contested.grade.replace("_", " ")


def show_report(checked: ClaimResults, forecast: Forecast | None = None) -> Report:
    """Report the only claim in `checked` in detail."""
    for claim in checked.waiting:
        made = f"This claim was made as of {claim.as_of}, so it is not evaluated as of {checked.day}."
        blocks: list[Block] = [Text(claim.statement, "strong"), Text(made, "muted")]
        return _claim_report(checked, blocks, None)
    (result,) = checked.results
    claim, corpus = result.claim, checked.pool.corpus
    status = titled(corpus, _status(result))
    blocks = [Text(titled(corpus, claim.statement), "strong"), Text(status, TONES[result.status])]
    blocks += [] if result.stands else [Text(f"Observed as of {claim.as_of}:")]
    blocks += [_figure_text(result, outcome, checked) for outcome in result.verdict.outcomes]
    notes = [str(note) for note in notes_on(result)] if result.stands else []
    notes += [f"{c.key} {c.tag} ({_grade(c)}, {c.side}): {c.because}" for c in result.contested]
    blocks += _bullets([titled(corpus, note) for note in notes])
    blocks += _bullets([f"{s.claim.id} {s.status.words}: {s.claim.statement}" for s in result.successors])
    closing = [
        *agreement_sentences(checked.pool.corpus, *checked.pool.axes([claim])),
        outlook_sentence(forecast) if forecast else None,
        f"Replaces: {', '.join(claim.succeeds)}" if claim.succeeds else None,
        f"Boundary: {claim.boundary.strip()}" if claim.boundary else None,
        f"Stated in: {', '.join(claim.stated)}; as of {claim.as_of}" if claim.stated else f"As of {claim.as_of}",
    ]
    blocks += [Text(titled(corpus, text)) for text in closing if text]
    return _claim_report(checked, blocks, forecast)


def _figure_text(result: ClaimResult, outcome: Outcome, checked: ClaimResults) -> Text:
    """Return whether a figure holds, the figure in words and as a query, and the titles of its papers."""
    corpus, answer, expectation = checked.pool.corpus, result.answer(outcome), outcome.expectation
    titles = sorted((corpus.short_titles.get(key, key) for key in outcome.selection.keys), key=str.casefold)
    papers = f"read as of {result.claim.as_of}" if expectation.dated else "; ".join(titles)
    figure = titled(corpus, str(answer_text(outcome, result.claim, checked.pool)))
    lines = filter(None, (f"{answer}  {figure}", expected(expectation), papers))
    return Text("\n  ".join(lines), ANSWER_TONES[answer], answer)


def _claim_report(checked: ClaimResults, blocks: Sequence[Block], forecast: Forecast | None) -> Report:
    (claim,) = (*checked.waiting, *(result.claim for result in checked.results))
    section = Section(f"Claim {claim.id}", tuple(blocks))
    forecasts = {claim.id: forecast} if forecast else {}
    return _report(checked, (Section(None, section.blocks),), f"Claim {claim.id}", forecasts, (section,))


def _status(result: ClaimResult) -> str:
    if result.ended is not None:
        return f"{result.life}: {result.ended.because}"
    remark = "; a record of its day, which later records cannot change" if result.claim.record_of_day else ""
    return result.status.words + remark


def _bullets(items: Sequence[Toned | str]) -> list[Block]:
    return [Bullets(tuple(items))] if items else []
