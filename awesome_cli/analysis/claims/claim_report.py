"""Reports on claims: all of them, or one in detail."""

from collections.abc import Iterator, Mapping, Sequence

from awesome_cli.analysis.claims.contests import Contested
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus, not_judged
from awesome_cli.analysis.claims.wording import all_observed, expected, observed
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.text.numbers import counted

TONES: Mapping[ClaimStatus, Tone] = {
    ClaimStatus.HOLDS: "good",
    ClaimStatus.CONTESTED: "warn",
    ClaimStatus.FAILS: "bad",
    ClaimStatus.REVISED: "muted",
    ClaimStatus.WITHDRAWN: "muted",
    ClaimStatus.NOT_YET: "muted",
}
WORDS: Mapping[ClaimStatus, str] = {
    ClaimStatus.HOLDS: "hold",
    ClaimStatus.CONTESTED: "hold as coded but contested",
    ClaimStatus.FAILS: "fail",
    ClaimStatus.REVISED: "revised",
    ClaimStatus.WITHDRAWN: "withdrawn",
    ClaimStatus.NOT_YET: "not made yet",
}
ONE: Mapping[ClaimStatus, str] = {
    **WORDS,
    ClaimStatus.HOLDS: "holds",
    ClaimStatus.CONTESTED: "holds as coded but contested",
    ClaimStatus.FAILS: "fails",
}
"""`WORDS` of one claim."""


def to_report(found: ClaimResults, forecasts: Mapping[str, str] | None = None) -> Report:
    """One row per claim, then what fails, what is contested, and (`forecasts`, by claim id) what would end one."""
    forecasts = forecasts or {}
    rows: list[tuple[Cell, ...]] = [
        (
            r.claim.id,
            Toned(r.status.value, TONES[r.status]),
            all_observed(r.verdict.outcomes) + ("" if r.stands else f" (as of {r.claim.as_of})"),
            r.claim.statement,
        )
        for r in found.results
    ]
    rows += [(claim.id, Toned(WORDS[ClaimStatus.NOT_YET], "muted"), "", claim.statement) for claim in found.waiting]
    blocks: list[Block] = [Table.of(("claim", "answer", "observed", "statement"), rows)]
    notes = [note for r in found.results for note in notes_on(r)]
    notes += [Toned(f"{name}: {text}", "muted") for name, text in forecasts.items()]
    notes += [Toned(f"{claim.id}: made as of {claim.as_of}, after {found.day}", "muted") for claim in found.waiting]
    if notes:
        blocks.append(Bullets(tuple(notes)))
    blocks.append(Text(tally(found), "good" if found.hold else "bad"))
    title = "Claims" + (f" as of {found.day}" if found.day else "")
    return _report(found, tuple(blocks), title, forecasts, (Section("notes", (Bullets(tuple(notes)),)),))


def _report(
    found: ClaimResults,
    blocks: tuple[Block, ...],
    title: str,
    forecasts: Mapping[str, str],
    beside: Sequence[Section],
) -> Report:
    """The report; `beside` is what CSV says beside a row for each expectation."""
    data = {
        "as_of": found.day.isoformat() if found.day else None,
        "reading": found.reading.to_json() if found.reading else None,
        "claims": [
            *({**r.to_json(), "outlook": forecasts.get(r.claim.id)} for r in found.results),
            *({**not_judged(claim), "outlook": None} for claim in found.waiting),
        ],
    }
    columns = ("claim", "status", "expected", "observed", "holds", "contested", "keys", "statement")
    rows: list[tuple[Cell, ...]] = [
        (
            r.claim.id,
            r.status.value,
            expected(o.expectation),
            observed(o, keys=False),
            o.holds,
            tuple(dict.fromkeys(c.key for c in r.contested)),
            () if o.expectation.dated else o.selection.keys,
            r.claim.statement,
        )
        for r in found.results
        for o in r.verdict.outcomes
    ]
    status = ClaimStatus.NOT_YET.value
    rows += [(c.id, status, expected(e), None, False, (), (), c.statement) for c in found.waiting for e in c.expect]
    tables = (Table.of(columns, rows, title="claims"), *as_tables(beside))
    return Report("awesome/claims/2", data, (Section(None, blocks),), title, tables)


def tally(found: ClaimResults) -> str:
    """One line: how many claims hold, are contested, fail, or were not made yet."""
    if not found.results and not found.waiting:
        return "The survey states no claims; 'awesome schema claims' is the shape of claims.yaml."
    counts = {status: sum(r.status is status for r in found.results) for status in ClaimStatus}
    counts[ClaimStatus.NOT_YET] = len(found.waiting)
    told = ", ".join(f"{n} {(ONE if n == 1 else WORDS)[status]}" for status, n in counts.items() if n)
    return f"{counted(sum(counts.values()), 'claim')}: {told}"


def notes_on(one: ClaimResult) -> Iterator[Toned]:
    """What a reader must know beside the answer: how it ended, failed expectations, since when, contested codings."""
    name = one.claim.id
    if one.ended is not None:
        yield Toned(f"{name} was {one.life}: {one.ended.because}", "warn")
        return
    for outcome in one.verdict.outcomes:
        if not outcome.holds:
            text = f"expected {expected(outcome.expectation)}; observed {observed(outcome)}"
            yield Toned(f"{name} fails: {text}", "bad")
    if one.since is not None:
        yield Toned(f"{name}: {one.since}", "bad")
    for reading in one.fails_in:
        by = ", ".join(f"{c.key} {c.tag} ({_grade(c)})" for c in one.contested if c.side is reading.side)
        told = "fails in the" if one.reading else "holds as coded, but is contested and fails in the"
        yield Toned(f"{name} {told} {reading}" + (f": {by}" if by else ""), "bad" if one.reading else "warn")


def _grade(contested: Contested) -> str:
    return contested.grade.replace("_", " ")


def show(found: ClaimResults, forecast: str | None = None) -> Report:
    """The details of the only claim in `found`."""
    for claim in found.waiting:
        made = f"This claim was made as of {claim.as_of}; of {found.day} it says nothing."
        blocks: list[Block] = [Text(claim.statement, "strong"), Text(made, "muted")]
        return _shown(found, blocks, None)
    (one,) = found.results
    claim = one.claim
    rows = [
        (
            expected(o.expectation),
            observed(o, keys=False),
            Toned("yes", "good") if o.holds else Toned("no", "bad"),
            f"read as of {claim.as_of}" if o.expectation.dated else o.selection.keys,
        )
        for o in one.verdict.outcomes
    ]
    blocks = [Text(claim.statement, "strong"), Text(_status(one), TONES[one.status])]
    then = () if one.stands else (f"observed as of {claim.as_of}", "held")
    blocks.append(Table.of(("expected", *(then or ("observed", "holds")), "papers"), rows))
    blocks += _bullets(list(notes_on(one)) if one.stands else [])
    blocks += _bullets([f"{c.key} {c.tag} ({_grade(c)}, {c.side}): {c.because}" for c in one.contested])
    blocks += _bullets([f"{s.claim.id} {s.status.words}: {s.claim.statement}" for s in one.successors])
    closing = [forecast, f"In place of: {', '.join(claim.succeeds)}" if claim.succeeds else None]
    closing += [f"Boundary: {claim.boundary.strip()}" if claim.boundary else None]
    closing.append(f"Stated in: {', '.join(claim.stated) or 'nowhere'}; as of {claim.as_of}")
    blocks += [Text(text) for text in closing if text]
    return _shown(found, blocks, forecast)


def _shown(found: ClaimResults, blocks: Sequence[Block], forecast: str | None) -> Report:
    (claim,) = (*found.waiting, *(one.claim for one in found.results))
    section = Section(f"Claim {claim.id}", tuple(blocks))
    forecasts = {claim.id: forecast} if forecast else {}
    return _report(found, section.blocks, f"Claim {claim.id}", forecasts, (section,))


def _status(one: ClaimResult) -> str:
    if one.ended is not None:
        return f"{one.life}: {one.ended.because}"
    return one.status.words + ("; definitional: it counts the pool of its day" if one.claim.definitional else "")


def _bullets(items: Sequence[Toned | str]) -> list[Block]:
    return [Bullets(tuple(items))] if items else []
