"""The report of an audit: agreement by column, what the figures cannot say, disagreements and what settles them."""

from collections.abc import Iterator
from dataclasses import asdict

from awesome_cli.analysis.audit import summary, terms
from awesome_cli.analysis.audit.adjudication import Disagreement, disagreements
from awesome_cli.analysis.audit.agreement import CodedColumn
from awesome_cli.analysis.audit.coefficients import COEFFICIENTS
from awesome_cli.analysis.audit.subsets import Agreement, Subset
from awesome_cli.model.audits import Audit
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

HEADS = {"kappa": "Cohen's kappa", "alpha": "Krippendorff's alpha", "ac1": "Gwet's AC1"}
LEFT_OUT = "no kappa, alpha or AC1 is given (--coefficients shows them)"
SHOWN = "kappa, alpha and AC1 do not measure independent agreement"
UNRECORDED = "Nobody recorded whether the second coder had seen earlier codings."
CHOSEN = "Papers were chosen, not all drawn at random: figures and intervals are of these papers, not of the pool."
POOLED = (
    "A row with * holds the cells of other rows; cells of one paper are not independent: its intervals are too narrow."
)


def report(corpus: Corpus, audit: Audit, *, seed: int = 0, coefficients: bool = False) -> Report:
    """Agreement by column with 95 % intervals, of all cells and of each group; terms found; disagreements.

    Kappa, alpha and AC1 of papers that were not coded blind are left out unless `coefficients` asks for them.
    """
    whole, *groups = (Subset.of(corpus, audit, name, seed, asked=coefficients) for name in (None, *audit.subsets))
    differ = tuple(disagreements(corpus, audit, [one.column for one in whole.found]))
    found, sidings = terms.found(audit, corpus), tuple(terms.sidings(audit, corpus))
    head, notes = tuple(_head(audit)), tuple(_notes(audit, whole))
    others = (*_terms(found), *_sidings(sidings), *_differences(audit, differ))
    sections = [
        Section(None, (*head, table(whole), *notes)),
        *(
            Section(f"Of these: {group.label} ({counted(group.papers, 'paper')})", tuple(_group(group)))
            for group in groups
        ),
        *others,
    ]
    data = {
        "audit": audit.key,
        "on": audit.on.isoformat(),
        "first": audit.first,
        "second": audit.second,
        "program": audit.program,
        "first_of": dict(audit.first_of),
        "blind": summary.blindness(audit),
        "choice": summary.choice(audit),
        "chosen": audit.chosen,
        "note": audit.note,
        "seed": seed,
        **whole.to_json(),
        "groups": {name: group.to_json() for name, group in zip(audit.subsets, groups, strict=True)},
        "terms": [asdict(one) | {"jaccard": one.jaccard} for one in found],
        "together": _together(found),
        "challengers": [asdict(one) for one in sidings],
        "disagreements": [asdict(one) for one in differ],
    }
    rows = (_rows(whole, groups), *as_tables((Section("audit", (*head, *notes)), *others)))
    return Report("awesome/audit/2", data, tuple(sections), "Agreement of two coders", rows)


def _head(audit: Audit) -> Iterator[Text]:
    coders = f"{audit.first} and {audit.coder}, {counted(len(audit.codings), 'paper')}"
    yield Text(f"{audit.key}, {audit.on}: {coders}")
    yield Text(f"Second coding: {summary.blindness(audit)}; papers: {summary.choice(audit)}.", "strong")
    if audit.chosen:
        yield Text(f"Chosen: {audit.chosen}")
    if audit.note:
        yield Text(audit.note)


def _notes(audit: Audit, whole: Subset) -> Iterator[Text]:
    if whole.seen:
        yield _seen(whole)
    elif audit.blind is None and any(coding.blind is None for coding in audit.codings):
        yield Text(UNRECORDED, "warn")
    if audit.chosen:
        yield Text(CHOSEN, "warn")
    for column, coder in audit.first_of.items():
        yield Text(f"{column}: the first coding is by {coder}.", "warn")
    if any(one.column.pooled for one in whole.found):
        yield Text(POOLED)
    for one in whole.found:
        yield from _column_notes(one.column)


def _column_notes(column: CodedColumn) -> Iterator[Text]:
    if not column.varies and column.n:
        value = column.values[0][0]
        yield Text(f"{column.name}: every value is {value!r}; agreement beyond chance is not defined.", "warn")
    if column.missing:
        yield Text(f"{column.name}: {len(column.missing)} papers lack a value and are left out.", "warn")
    first, second = column.one_sided
    if column.name.endswith("=*") and (first or second):
        alone = f"{first} terms stand with the first coder alone, {second} with the second alone"
        yield Text(f"{column.name}: of {column.n - column.agree} disagreements, {alone}.")


def _group(group: Subset) -> Iterator[Block]:
    yield table(group)
    if group.seen:
        yield _seen(group)


def _seen(subset: Subset) -> Text:
    known = f"The second coder had seen earlier codings of {len(subset.seen)} of these {subset.papers} papers"
    return Text(f"{known}: {SHOWN if subset.coefficients else LEFT_OUT}.", "warn")


def table(subset: Subset) -> Table:
    """The agreement on each column, with intervals."""
    rows = [(a.column.name, a.column.n, a.column.agree, *(_shown(a, name) for name in a.values)) for a in subset.found]
    heads = ("column", "cells", "agree", "percent", *(HEADS.values() if subset.coefficients else ()))
    bootstrap = "; of kappa, alpha and AC1 by bootstrap" if subset.coefficients else ""
    return Table.of(heads, rows, note=f"in brackets: 95 % intervals, of percent exact (Clopper-Pearson){bootstrap}")


def _shown(found: Agreement, name: str) -> Cell:
    value, interval = found.values[name], found.intervals[name]
    if value is None:
        return "all values equal" if found.column.n else "nothing coded"
    scale, digits = (100, 1) if name == "percent" else (1, 2)
    # Halves are rounded up, as readers do: 0.625 is shown as 0.63.
    shown, *ends = (f"{scale * number + 1e-9:.{digits}f}" for number in (value, *(interval or ())))
    return f"{shown} [{', '.join(ends)}]" if ends else shown


def _together(found: tuple[terms.FoundTerms, ...]) -> dict[str, float]:
    both, first, second = (sum(len(getattr(one, side)) for one in found) for side in ("both", "first", "second"))
    return {"both": both, "first": first, "second": second, "jaccard": both / ((both + first + second) or 1)}


def _terms(found: tuple[terms.FoundTerms, ...]) -> Iterator[Section]:
    if not found:
        return
    rows: list[tuple[Cell, ...]] = [
        (one.axis, len(one.both), len(one.first), len(one.second), one.jaccard or 0) for one in found
    ]
    rows.append(("together", *_together(found).values()))
    yield Section(
        "Terms found, main or part", (Table.of(("axis", "both", "first alone", "second alone", "Jaccard"), rows),)
    )


def _sidings(found: tuple[terms.Siding, ...]) -> Iterator[Section]:
    if found:
        rows = [(one.axis, one.grade, len(one.sides) + len(one.others), len(one.sides)) for one in found]
        note = "contests of main codings, of that grade or above, that name another term; a second choice counts, too"
        yield Section("Contests", (Table.of(("axis", "grade", "contests", "second coder sides"), rows, note=note),))


def _differences(audit: Audit, differ: tuple[Disagreement, ...]) -> Iterator[Section]:
    if differ:
        lines = [f"{d.key}: {d.axis}, {audit.first} {d.first}, {audit.second} {d.second}" for d in differ]
        yield Section(f"Disagreements ({len(differ)})", (Bullets(tuple(lines)),))
    commands = [d.command for d in differ if d.command]
    if commands:
        how = Text("To adjudicate, keep what the record says, or take the second coder's value:")
        yield Section("Adjudication", (how, Code("\n".join(commands), "sh")))
    elif differ:
        yield Section("Adjudication", (Text("No disagreement asks for a change of the records.", "good"),))


def _rows(whole: Subset, groups: list[Subset]) -> Table:
    measured = ("percent", *COEFFICIENTS)
    heads = ("cells", "column", "n", "agree", *(f"{name}{part}" for name in measured for part in ("", "_low", "_high")))
    rows: list[list[Cell]] = []
    for subset in (whole, *groups):
        for a in subset.found:
            shown = ((a.values.get(name), *(a.intervals.get(name) or (None, None))) for name in measured)
            rows.append([subset.label, a.column.name, a.column.n, a.column.agree, *(c for cell in shown for c in cell)])
    return Table.of(heads, rows, title="agreement")
