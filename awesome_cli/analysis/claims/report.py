"""Reports on claims: claims in danger with the records that endanger them, all answers, and one claim in detail."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from awesome_cli.analysis.audit.report import agreement_on, agreement_sentences
from awesome_cli.analysis.claims.admission import Ending, Forecast, outlook_sentence
from awesome_cli.analysis.claims.evaluation import Contested
from awesome_cli.analysis.claims.finding import headline
from awesome_cli.analysis.claims.results import ENDED, ClaimResult, ClaimResults, ClaimStatus, not_judged
from awesome_cli.analysis.claims.sensitivity import endangered
from awesome_cli.analysis.claims.wording import all_observed, expected, observed, titled
from awesome_cli.reports.answer import report_of
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.text.numbers import counted, shortened

SHOWN = 8
"""Maximum number of claims in danger that are shown; the rest are counted."""
WIDTH = 120
"""Maximum length of a reason in characters."""
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
    danger = _danger(checked, forecasts)
    safe = [r.claim for r in checked.results if r.status is ClaimStatus.HOLDS and r.claim.id not in danger]
    rows = list(danger.values())
    more = f"and {len(rows) - SHOWN:,} more" if len(rows) > SHOWN and not full else None
    finding = titled(checked.pool.corpus, headline(checked))
    blocks: list[Block] = [Text(finding, "strong")] if finding else []
    blocks.append(Text(_tally_line(checked), "good" if checked.hold else "bad"))
    if rows:
        shown = rows if full else rows[:SHOWN]
        blocks.append(Table.of(("claim", "answer", "fails, or would fail, by"), shown, title="In danger", note=more))
    notes = _notes(checked, forecasts)
    if full:
        blocks += [Table.of(("claim", "answer", "observed", "statement"), _answers(checked)), *_bullets(notes)]
    elif checked.results or checked.waiting:
        for title, of_day in (("Hold, with no known danger", False), ("Records of a day that hold", True)):
            holding = [claim.id for claim in safe if claim.record_of_day is of_day]
            blocks += [Text(f"{title}: {shortened(holding, SHOWN)}", "muted")] if holding else []
        blocks.append(Text("Every answer with its reasons: awesome claims check --all", "muted"))
    title = "Claims" + (f" as of {checked.day}" if checked.day else "")
    return _report(checked, blocks, title, forecasts, (Section("notes", (Bullets(tuple(notes)),)),))


@report_of.register
def whole_report(checked: ClaimResults) -> Report:
    """Report every answer, its reasons, and the candidates that would end a claim."""
    return to_report(checked, endangered(checked), full=True)


def _answers(checked: ClaimResults) -> list[tuple[Cell, ...]]:
    """Return a table with one row per claim; claims made after the day of the pool come last."""
    rows: list[tuple[Cell, ...]] = [
        (
            r.claim.id,
            Toned(r.status.value, TONES[r.status]),
            all_observed(r.verdict.outcomes) + ("" if r.stands else f" (as of {r.claim.as_of})"),
            r.claim.statement,
        )
        for r in checked.results
    ]
    not_yet = Toned(ClaimStatus.NOT_YET.words, "muted")
    return rows + [(claim.id, not_yet, "", claim.statement) for claim in checked.waiting]


def _notes(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> list[Toned]:
    notes = [note for result in checked.results for note in notes_on(result)]
    notes += [Toned(f"{name}: {outlook_sentence(forecast)}", "muted") for name, forecast in forecasts.items()]
    return notes + [Toned(f"{c.id}: made as of {c.as_of}, after {checked.day}", "muted") for c in checked.waiting]


def _danger(checked: ClaimResults, forecasts: Mapping[str, Forecast]) -> dict[str, tuple[Cell, ...]]:
    """Return rows by id of the claims that fail or would fail: failing claims first, then by fewest candidates."""
    rows: list[tuple[tuple[bool, bool, int], ClaimResult, str]] = []
    for result in checked.results:
        forecast = forecasts.get(result.claim.id)
        reasons = "; ".join(_reasons(result, forecast)) if result.stands else ""
        if reasons:
            fewest = len(forecast.proposed.fewest or forecast.missed.fewest) if forecast is not None else 0
            rank = (result.verdict.holds, result.status is ClaimStatus.HOLDS, fewest)
            rows.append((rank, result, textwrap.shorten(reasons, WIDTH, placeholder=" …", break_on_hyphens=False)))
    rows.sort(key=lambda row: row[0])
    return {r.claim.id: (r.claim.id, Toned(r.status.value, TONES[r.status]), why) for _, r, why in rows}


def _reasons(result: ClaimResult, forecast: Forecast | None) -> Iterator[str]:
    if result.since is not None:
        yield str(result.since)
    if not result.fails_in:
        failed = [outcome for outcome in result.verdict.outcomes if outcome.fails]
        yield from (f"expected {expected(o.expectation)}; observed {observed(o)}" for o in failed)
    for reading in result.fails_in:
        keys = list(dict.fromkeys(c.key for c in result.contested if c.side is reading.side))
        yield f"objections to {shortened(keys, KEYS)} ({reading.side} reading)"
    yield from dict.fromkeys(map(str, result.doubts))
    if forecast is not None:
        today, then = forecast.proposed, forecast.missed
        yield from _by_candidates(today, "candidate") if today.fewest else _by_candidates(then, "missed candidate")


def _by_candidates(ending: Ending, noun: str) -> Iterator[str]:
    """Describe the candidates that would end a claim: each alone, or the fewest together."""
    if ending.alone:
        n = len(ending.alone)
        yield f"{'any of ' if n > 1 else ''}{counted(n, noun)}: {shortened(ending.alone, KEYS)}"
    elif ending.fewest:
        yield f"{counted(len(ending.fewest), noun)} together: {shortened(ending.fewest, KEYS)}"


def _report(
    checked: ClaimResults,
    blocks: Sequence[Block],
    title: str,
    forecasts: Mapping[str, Forecast],
    beside: Sequence[Section],
) -> Report:
    """Build the report; CSV has the rows by expectation and the sections `beside`."""
    corpus, axes = checked.pool.corpus, checked.pool.axes(result.claim for result in checked.results)
    data = {
        "as_of": checked.day.isoformat() if checked.day else None,
        "reading": checked.reading.to_json() if checked.reading else None,
        "claims": [
            *({**r.to_json(), **_outlook(forecasts.get(r.claim.id))} for r in checked.results),
            *({**not_judged(claim), **_outlook(None)} for claim in checked.waiting),
        ],
        "agreement": {axis: agreement_on(corpus, axis) for axis in axes},
    }
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
    tables = (Table.of(columns, rows, title="claims"), *as_tables(beside))
    return Report("awesome/claims/2", data, (Section(None, tuple(blocks)),), title, tables)


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
    name = result.claim.id
    if result.ended is not None:
        yield Toned(f"{name} was {result.life}: {result.ended.because}", "warn")
        return
    for outcome in result.verdict.outcomes:
        if outcome.fails:
            text = f"expected {expected(outcome.expectation)}; observed {observed(outcome)}"
            yield Toned(f"{name} fails: {text}", "bad")
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
    claim = result.claim
    rows = [
        (
            expected(o.expectation),
            observed(o, keys=False),
            Toned(result.answer(o), ANSWER_TONES[result.answer(o)]),
            f"read as of {claim.as_of}" if o.expectation.dated else o.selection.keys,
        )
        for o in result.verdict.outcomes
    ]
    blocks = [Text(claim.statement, "strong"), Text(_status(result), TONES[result.status])]
    then = () if result.stands else (f"observed as of {claim.as_of}", "held")
    blocks.append(Table.of(("expected", *(then or ("observed", "holds")), "papers"), rows))
    blocks += _bullets(list(notes_on(result)) if result.stands else [])
    blocks += _bullets([f"{c.key} {c.tag} ({_grade(c)}, {c.side}): {c.because}" for c in result.contested])
    blocks += _bullets([f"{s.claim.id} {s.status.words}: {s.claim.statement}" for s in result.successors])
    closing = [
        *agreement_sentences(checked.pool.corpus, *checked.pool.axes([claim])),
        outlook_sentence(forecast) if forecast else None,
        f"Replaces: {', '.join(claim.succeeds)}" if claim.succeeds else None,
        f"Boundary: {claim.boundary.strip()}" if claim.boundary else None,
        f"Stated in: {', '.join(claim.stated) or 'nowhere'}; as of {claim.as_of}",
    ]
    blocks += [Text(text) for text in closing if text]
    return _claim_report(checked, blocks, forecast)


def _claim_report(checked: ClaimResults, blocks: Sequence[Block], forecast: Forecast | None) -> Report:
    (claim,) = (*checked.waiting, *(result.claim for result in checked.results))
    section = Section(f"Claim {claim.id}", tuple(blocks))
    forecasts = {claim.id: forecast} if forecast else {}
    return _report(checked, section.blocks, f"Claim {claim.id}", forecasts, (section,))


def _status(result: ClaimResult) -> str:
    if result.ended is not None:
        return f"{result.life}: {result.ended.because}"
    remark = "; a record of its day, which later records cannot change" if result.claim.record_of_day else ""
    return result.status.words + remark


def _bullets(items: Sequence[Toned | str]) -> list[Block]:
    return [Bullets(tuple(items))] if items else []
