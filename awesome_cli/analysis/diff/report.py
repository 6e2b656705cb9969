"""Report a difference, for the terminal and for comments on pull requests."""

from collections.abc import Iterator, Sequence

from awesome_cli.analysis.claims.wording import listed_keys
from awesome_cli.analysis.diff.comparison import CHANGED_SIDES, ClaimMove, CorpusDiff, RecordMove, Retagged, to_json
from awesome_cli.model.codings import on_axis
from awesome_cli.reports.answer import report_of
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.numbers import first_few

SHOWN = 40


@report_of.register
def to_report(diff: CorpusDiff) -> Report:
    """Report flipped claims, then counts, cells and records."""
    title = f"Changes from {diff.names[0]} to {diff.names[1]}" + (f", where {diff.where}" if diff.where else "")
    sections = [Section(None, (Text("Nothing changed."),))] if diff.is_empty else list(_sections(diff))
    unread = tuple(f"{diff.names[0]}: {path} cannot be read and is left out" for path in diff.unreadable)
    if unread or diff.warnings:
        sections.append(Section("Not read", (Bullets((*unread, *diff.warnings)),)))
    return Report("awesome/diff/2", to_json(diff), tuple(sections), title, to_table(diff))


def _sections(diff: CorpusDiff) -> Iterator[Section]:
    verdict = (
        Text(f"Claims that flip: {', '.join(c.claim for c in diff.flipped)}", "bad")
        if diff.flipped
        else Text("No claim flips.", "good")
    )
    rows = [(name, a, b, b - a) for name, (a, b) in (*diff.counts.items(), *diff.terms.items())]
    yield Section(None, (verdict, Table.of(("count", "before", "after", "change"), rows)))
    if diff.claims:
        yield Section("Claims", (Bullets(tuple(_claim(claim) for claim in diff.claims)),))
    if diff.cells:
        # Those that opened or closed first.
        cells = sorted(diff.cells, key=lambda cell: cell.move not in CHANGED_SIDES)
        yield Section("Gap map", (bullets([str(cell) for cell in cells]),))
    changes = {
        **{
            name: [_entry(entry) for entry in entries if not entry.is_renamed]
            for name, entries in (("Added", diff.added), ("Removed", diff.removed), ("Moved", diff.moved))
        },
        "Renamed": [*(_entry(entry) for entry in diff.moved if entry.is_renamed), *diff.new_names],
        "Retired": list(diff.retired.values()),
        "Retagged": [_retagged(entry) for entry in diff.retagged],
        "Edited": [str(entry) for entry in diff.edited],
    }
    coded = {"Added": diff.added, "Moved": [entry for entry in diff.moved if not entry.is_renamed]}
    for name, lines in changes.items():
        if lines:
            yield Section(f"{name} ({len(lines)})", (bullets(lines), *_codings(coded.get(name, ()))))


def _codings(entries: Sequence[RecordMove]) -> tuple[Table, ...]:
    """Return a table of the first `SHOWN` codings with evidence, and the number of the rest."""
    rows = [(e.key, on_axis(axis, tag), tag.marked_evidence, tag.source) for e in entries for axis, tag in e.codings]
    note = f"and {len(rows) - SHOWN} more" if len(rows) > SHOWN else None
    table = Table.of(("key", "coding", "evidence", "source"), rows[:SHOWN], note=note, minor=("source",))
    return (table,) if rows else ()


def _retagged(entry: Retagged) -> str:
    """Describe the tags that differ; `evidence or order` if the tags are the same."""
    before = [word for word in entry.before if word not in entry.after]
    after = [word for word in entry.after if word not in entry.before]
    if not before and not after:
        return f"{entry.key}: {entry.axis}, evidence or order"
    if not before or not after:
        return f"{entry.key}: {entry.axis} {'added' if after else 'removed'} {', '.join(after or before)}"
    return f"{entry.key}: {entry.axis} {', '.join(before)} becomes {', '.join(after)}"


def bullets(lines: Sequence[str]) -> Bullets:
    """Return the first `SHOWN` lines, and the number of the rest."""
    return Bullets(tuple(first_few(lines, SHOWN)))


def _claim(claim: ClaimMove) -> Toned:
    tone: Tone = "bad" if claim.flips and claim.after == "fails" else "good" if claim.flips else "warn"
    papers = f" ({listed_keys(claim.keys)})" if claim.keys and not claim.ended else ""
    return Toned(f"{claim}{papers}. {claim.statement}", tone)


def _entry(entry: RecordMove) -> str:
    was = f", was {entry.was}" if entry.was else ""
    return f"{entry.kind} {entry.key}{was}: {entry.title}"


def to_table(diff: CorpusDiff) -> Table:
    """One row per change, for CSV."""
    return Table.of(("what", "key", "kind", "before", "after", "change", "keys", "text"), list(_rows(diff)))


def _rows(diff: CorpusDiff) -> Iterator[tuple[Cell, ...]]:
    for change, entries in (("added", diff.added), ("removed", diff.removed), ("moved", diff.moved)):
        for e in entries:
            now = (e.key if e.is_renamed else e.kind) if e.was else None
            yield "renamed" if e.is_renamed else change, e.key, e.kind, e.was, now, None, (), e.title
    yield from (("renamed", now, "vocabulary", was, now, None, (), None) for was, now in diff.renamed)
    yield from (("retired", term, "vocabulary", None, None, None, (), text) for term, text in diff.retired.items())
    for r in diff.retagged:
        yield "retagged", r.key, r.axis, tuple(r.before), tuple(r.after), None, (), None
    yield from (("edited", e.key, e.kind, None, tuple(e.fields), None, (), None) for e in diff.edited)
    for name, (a, b) in (*diff.counts.items(), *diff.terms.items()):
        yield "count", name, None, a, b, b - a, (), None
    yield from (("cell", c.cell, c.move, c.before, c.after, None, (), c.by or None) for c in diff.cells)
    for c in diff.claims:
        kind = "flips" if c.flips else None
        yield "claim", c.claim, kind, c.before, c.ended or c.after, None, tuple(c.keys), c.statement
    yield from (("not read", path, None, None, None, None, (), None) for path in diff.unreadable)
    yield from (("remark", None, None, None, None, None, (), remark) for remark in diff.warnings)
