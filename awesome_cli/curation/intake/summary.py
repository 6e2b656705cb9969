"""The result of an import, for people and for machines."""

from collections.abc import Mapping

from awesome_cli.curation.intake import Intake, Known, Taken
from awesome_cli.model.records import Exclusion
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Toned

SHOWN = 12
"""How many of a long list the text names; JSON and CSV name them all."""


def to_report(intake: Intake, *, written: bool) -> Report:
    """Counts, what is known already, what failed and where, and what was kept without a field."""
    added = [taken for taken in intake.taken if not isinstance(taken.record, Exclusion)]
    excluded = intake.listed(Exclusion)
    data = _data(intake, added, excluded, written=written)
    rows = [("added", t.record.key, t.record.title, t.draft.place, "; ".join(t.draft.warnings)) for t in added]
    rows += [("excluded", t.record.key, t.record.title, t.draft.place, "; ".join(t.draft.warnings)) for t in excluded]
    rows += [("known", k.match.b, k.draft.title, k.draft.place, "; ".join(k.match.because)) for k in intake.known]
    rows += [("failed", f.key or "", "", f.place, f.message) for f in intake.failed]
    return Report(
        schema="awesome/import/1",
        data=data,
        sections=(Section(None, tuple(_blocks(intake, len(added), len(excluded), written=written))),),
        rows=Table.of(("outcome", "key", "title", "place", "remark"), rows, title="works"),
    )


def added(intake: Intake, *, written: bool) -> Report:
    """A line for each work that `add` dealt with; the data are those of an import."""
    verb = "added" if written else "would add"
    lines: list[Text] = []
    for taken in intake.taken:
        lines.append(Text(f"{verb} {taken.record.path}: {taken.record.title}"))
        lines += [Text(f"  {warning}", "warn") for warning in taken.draft.warnings]
    for known in intake.known:
        what = "linked to" if known.linked else "known as"
        lines.append(Text(f"{what} {known.match.b} ({'; '.join(known.match.because)}): {known.draft.title}"))
    lines += [Text(f"{failure.place}: {failure.message}", "bad") for failure in intake.failed]
    full = to_report(intake, written=written)
    return Report("awesome/add/1", full.data, (Section(None, tuple(lines)),), rows=full.rows)


def _data(intake: Intake, added: list[Taken], excluded: list[Taken], *, written: bool) -> dict[str, object]:
    return {
        "added": [_taken(taken) for taken in added],
        "excluded": [_taken(taken) for taken in excluded],
        "known": [_known(known) for known in intake.known],
        "failed": [{"place": f.place, "key": f.key, "message": f.message} for f in intake.failed],
        "kept": dict(sorted(intake.kept.items())),
        "unplaced": dict(sorted(intake.vocabulary.unknown.items())),
        "created_terms": sorted(intake.vocabulary.created),
        "written": written,
    }


def _taken(taken: Taken) -> Mapping[str, object]:
    record = taken.record
    return {
        "key": record.key,
        "path": record.path,
        "title": record.title,
        "place": taken.draft.place,
        "warnings": list(taken.draft.warnings),
    }


def _known(known: Known) -> Mapping[str, object]:
    return {
        "key": known.match.b,
        "kind": known.match.kind,
        "title": known.draft.title,
        "place": known.draft.place,
        "because": list(known.match.because),
        "linked": known.linked,
    }


def _blocks(intake: Intake, added: int, excluded: int, *, written: bool) -> list[Block]:
    counts = [("added", added), ("excluded", excluded), ("known already", len(intake.known))]
    line = ", ".join(f"{n:,} {name}" for name, n in [*counts, ("failed", len(intake.failed))])
    blocks: list[Block] = [Text(line if written else f"{line} (nothing was written)", "strong")]
    failed = [f"{f.place}: {f.key or 'no key'}: {f.message}" for f in intake.failed]
    known = [f"{k.draft.place}: {k.draft.title} is {k.match.b} ({'; '.join(k.match.because)})" for k in intake.known]
    warnings = [f"{t.draft.place}: {t.record.key}: {w}" for t in intake.taken for w in t.draft.warnings]
    for title, lines, tone in (("Failed:", failed, "bad"), ("Known:", known, "plain"), ("Warnings:", warnings, "warn")):
        if lines:
            more = [f"… and {len(lines) - SHOWN:,} more (--format csv names all)"] if len(lines) > SHOWN else []
            shown = lines if tone == "bad" else [*lines[:SHOWN], *more]
            blocks += [Text(title), Bullets(tuple(Toned(text, tone) for text in shown))]  # type: ignore[arg-type]
    for title, numbers, advice in (
        ("Kept under 'extra', without a field of their own", intake.kept, ""),
        ("Words without a term", intake.vocabulary.unknown, "; --create-terms AXIS makes them terms"),
    ):
        if numbers:
            top = ", ".join(f"{name} ({n})" for name, n in numbers.most_common(SHOWN))
            rest = f", and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
            blocks.append(Text(f"{title}: {top}{rest}{advice}"))
    if intake.vocabulary.created:
        blocks.append(Text(f"New terms: {', '.join(sorted(intake.vocabulary.created))}"))
    return blocks
