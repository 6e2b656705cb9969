"""Reports on imports: counts, and the outcome of every entry."""

from collections import Counter
from collections.abc import Iterator, Mapping

from awesome_cli.curation.intake import Intake, Known, Taken
from awesome_cli.curation.intake.knowing import TAGS
from awesome_cli.model.records import Exclusion
from awesome_cli.model.taxonomy import UNCODED
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted

MOST = 100
"""Maximum number of words or field names in a line; the most common ones are shown."""
KINDS = {"paper": "papers", "candidate": "candidates", "exclusion": "exclusions"}


def to_report(intake: Intake, *, written: bool, most_left: int | None = None) -> Report:
    """Report counts, and entries that failed, are known or have warnings.

    The text lists at most `most_left` of the entries that were left out [default: all].
    """
    rows = [(_verb(t), t.record.key, t.record.title, t.place, "; ".join((*t.warnings, *t.alike))) for t in intake.taken]
    rows.sort(key=lambda row: row[0])
    rows += [("known", k.match.b, k.title, k.place, _reasons(k)) for k in intake.known]
    rows += [("left out", "", "", entry.place, entry.message) for entry in intake.batch.left_out]
    rows += [("failed", f.key or "", "", f.place, f.message) for f in intake.failed]
    return Report(
        schema="awesome/import/1",
        data=_data(intake, written=written),
        sections=(Section(None, tuple(_blocks(intake, most_left, written=written))),),
        rows=Table.of(("outcome", "key", "title", "place", "remark"), rows, title="works"),
    )


def added(intake: Intake, *, written: bool) -> Report:
    """Report each work that `add` recorded or skipped; the JSON is that of `import`."""
    verb = "added" if written else "would add"
    lines: list[Text] = []
    for taken in intake.taken:
        lines.append(Text(without_middle(f"{verb} {taken.record.path}: {taken.record.title}")))
        lines += [Text(without_middle(f"  {warning}"), "warn") for warning in (*taken.warnings, *taken.alike)]
    for known in intake.known:
        outcome = "linked to" if known.linked else "known as"
        lines.append(Text(without_middle(f"{outcome} {known.match.b} ({_reasons(known)}): {known.title}")))
    lines += [Text(without_middle(str(failure)), "bad") for failure in intake.failed]
    full = to_report(intake, written=written)
    return Report("awesome/add/1", full.data, (Section(None, tuple(lines)),), rows=full.rows)


def _verb(taken: Taken) -> str:
    return "excluded" if isinstance(taken.record, Exclusion) else "added"


def _data(intake: Intake, *, written: bool) -> dict[str, object]:
    places = _places(intake)
    return {
        "counts": _counts(intake),
        "added": [_taken(taken) for taken in intake.taken if _verb(taken) == "added"],
        "excluded": [_taken(taken) for taken in intake.taken if _verb(taken) == "excluded"],
        "known": [_known(known, places.get(known.match.b)) for known in intake.known],
        "failed": [{"place": f.place, "key": f.key, "message": f.message} for f in intake.failed],
        "left_out": [{"place": entry.place, "message": entry.message} for entry in intake.batch.left_out],
        "kept": dict(sorted(intake.kept.items())),
        "mapped": dict(sorted(intake.vocabulary.mapped.items())),
        "decisions": _decisions(intake),
        "retired": intake.vocabulary.retired,
        "unplaced": dict(sorted(intake.vocabulary.unknown.items())),
        "created_terms": sorted(term.id for term in intake.vocabulary.terms),
        "written": written,
    }


def _counts(intake: Intake) -> dict[str, int]:
    made = Counter(taken.record.KIND for taken in intake.taken)
    kinds = {name: made[kind] for kind, name in KINDS.items()}
    return {**kinds, "known": len(intake.known), "failed": len(intake.failed)}


def _places(intake: Intake) -> dict[str, str]:
    return {taken.record.key: taken.place for taken in intake.taken}


def _taken(taken: Taken) -> Mapping[str, object]:
    record = taken.record
    return {
        "key": record.key,
        "path": record.path,
        "title": record.title,
        "place": taken.place,
        "warnings": [*taken.warnings, *taken.alike],
        "near": list(taken.near),
    }


def _known(known: Known, earlier: str | None) -> Mapping[str, object]:
    return {
        "key": known.match.b,
        "kind": known.match.kind,
        "title": known.title,
        "place": known.place,
        "earlier": earlier,
        "because": list(known.match.because),
        "linked": known.linked,
        "left": list(known.left),
    }


def _blocks(intake: Intake, most_left: int | None, *, written: bool) -> Iterator[Block]:
    counts = _counts(intake)
    made = [f"{n:,} {kind if n == 1 else kinds}" for kind, kinds in KINDS.items() if (n := counts[kinds])]
    line = f"{', '.join(made) or 'nothing'}; known already: {counts['known']:,}; failed: {counts['failed']:,}"
    yield Text(f"added {line}" if written else f"would add {line} (nothing was written)", "strong")
    yield from _listed(
        "Failed:", (f"{f.place}: {f.key + ': ' if f.key else ''}{f.message}" for f in intake.failed), "bad"
    )
    yield from _left_out(intake, most_left)
    places = _places(intake)
    yield from _listed("Known already:", (_known_line(known, places) for known in intake.known), "plain")
    if not all(known.linked for known in intake.known):
        yield Text("'--on-duplicate add' adds the skipped entries as separate works.")
    taken = intake.taken
    warnings = (f"{t.place}: {t.record.key}: {warning}" for t in taken for warning in t.warnings)
    yield from _listed("Warnings:", warnings, "warn")
    alike = (f"{t.place}: {t.record.key}: {remark}" for t in taken for remark in t.alike)
    yield from _listed("Similar, but different works:", alike, "plain")
    yield from _listed("Deprecated words:", iter(intake.vocabulary.retired.values()), "warn")
    for title, numbers, advice in (
        ("Words that became tags", intake.vocabulary.mapped, ""),
        ("Fields stored under 'extra'", intake.kept, ""),
        ("Unknown words", intake.vocabulary.unknown, "; --create-terms AXIS creates terms for them"),
        ("Terms not added, since their axis allows one main term", intake.vocabulary.second, ""),
    ):
        if numbers:
            most = [f"{without_middle(name)} ({n})" for name, n in numbers.most_common(MOST)]
            more = f" and {len(numbers) - MOST:,} more, which --format json lists" if len(numbers) > MOST else ""
            yield Text(f"{title}: {', '.join(most)}{more}{advice}")
    if intake.batch.decisions:
        kinds = (f"{word!r} {row['kind']} ({row['n']})" for word, row in _decisions(intake).items())
        yield Text(f"Decisions: {', '.join(kinds)}")
    words = intake.vocabulary
    if intake.settings.create_terms and not (words.mapped or words.unknown or words.second):
        why = "no added entry has keywords; --tags-from FIELD reads them from a field"
        yield Text(f"--create-terms created no term: {why}", "warn")
    yield from _uncoded(intake)
    if terms := words.terms:
        yield Text(f"New terms: {', '.join(sorted(term.id for term in terms))}")


def _left_out(intake: Intake, most: int | None) -> Iterator[Block]:
    entries = intake.batch.left_out
    others, unlinked = (intake.batch.others.get(which, 0) for which in ("all", "unlinked"))
    ask = f"; --entries all adds {others:,} of them" if others else ""
    if unlinked:
        verbs = ("has", "takes it") if unlinked == 1 else ("have", "takes them")
        yield Text(f"{counted(unlinked, 'entry')} {verbs[0]} no link; --entries unlinked {verbs[1]} in")
    reasons = Counter(entry.message.rpartition(": ")[2] for entry in entries)
    why = "; ".join(f"{reason} ({n:,})" for reason, n in reasons.most_common())
    lines = [str(entry) for entry in entries[:most]]
    if more := len(entries) - len(lines):
        lines.append(f"and {more:,} more: '--report FILE' writes all of them")
    yield from _listed(f"Left out ({len(entries):,}){ask}: {why}", iter(lines), "plain")


def _uncoded(intake: Intake) -> Iterator[Block]:
    screenings = [taken.record.screening for taken in intake.taken if isinstance(taken.record, Exclusion)]
    for name in ("stage", "reason"):
        if n := sum(getattr(screening, name) == UNCODED for screening in screenings):
            fix = f"awesome set --kind exclusion --where {name}={UNCODED} screening.{name}={name.upper()}"
            yield Text(f"Exclusions without a {name}: {n:,}; to give all of them the same: {fix}", "warn")


def _known_line(known: Known, places: Mapping[str, str]) -> str:
    at = f" of {places[known.match.b]}" if known.match.b in places else ""
    outcome = "was linked to" if known.linked else "is"
    return f"{known.place}: {known.title} {outcome} {known.match.b}{at} ({_reasons(known)})"


def _reasons(known: Known) -> str:
    """Return why an entry is known, which of its values the record lacks, and the command that adds its tags."""
    names = [name for name in known.left if not name.startswith(TAGS)]
    tags = " ".join(name.removeprefix(TAGS) for name in known.left if name.startswith(TAGS))
    lost = [f"not copied: {', '.join(names)}"] if names else []
    lost += [f"tags not copied: awesome tag {known.match.b} {tags}"] if tags else []
    return "; ".join((*known.match.because, *lost))


def _decisions(intake: Intake) -> dict[str, Mapping[str, object]]:
    """Return `{word: {kind, n}}`: the kind of record and the number of entries by decision word."""
    counted = intake.decided
    return {
        word: row if row["kind"] == "skip" else {**row, "n": counted[word]}
        for word, row in intake.batch.decisions.items()
    }


def _listed(title: str, lines: Iterator[str], tone: Tone) -> Iterator[Block]:
    items = tuple(Toned(without_middle(line), tone) for line in lines)
    if items:
        yield from (Text(title), Bullets(items))
