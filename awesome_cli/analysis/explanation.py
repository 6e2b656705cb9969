"""Manual pages: what a rule, a term, an axis, another entry of the taxonomy, or a word of the gap map means."""

import inspect
from collections.abc import Iterator, Mapping
from datetime import timedelta
from textwrap import dedent

from awesome_cli.analysis import publication
from awesome_cli.analysis.gaps import gap_words
from awesome_cli.analysis.gaps.cells import term_cell
from awesome_cli.errors import UsageError
from awesome_cli.model.axis_parts import RetiredStrength
from awesome_cli.model.codings import split_axis
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.taxonomy import Axis, Measure, Named
from awesome_cli.query import parser
from awesome_cli.reports.report import Block, Code, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown

LISTS = {
    "stages": "screening stage",
    "reasons": "reason code",
    "grades": "grade of contest",
    "confidences": "confidence",
}


def manual_page(code: str, manual: Mapping[str, str], levels: Mapping[str, str]) -> Report:
    """The manual page of a rule."""
    title, _, body = manual[code].partition("\n")
    level = levels.get(code)
    blocks: list[Block] = [Text(f"Level: {level}")] if level else []
    parts = (part for part in body.split("\n\n") if part.strip())
    blocks += [Code(dedent(part)) if part.startswith("    ") else Text(" ".join(part.split())) for part in parts]
    data = {"kind": "rule", "id": code, "title": title, "level": level, "text": body.strip()}
    return Report("awesome/explain/1", data, (Section(None, tuple(blocks)),), f"{code}: {title}")


def query_page() -> Report:
    """The manual page of the query language."""
    text = inspect.cleandoc(parser.__doc__ or "")
    fields = Table.of(("field", "kind", "what it is"), [(name, f.kind, f.help) for name, f in FIELDS.items()])
    data = {"kind": "query", "text": text}
    return Report("awesome/explain/1", data, (Section(None, (Code(text),)), Section("Fields", (fields,))), "Queries")


def entry_page(corpus: Corpus, name: str) -> Report | None:
    """The page of an axis, a term (id, code or `axis=term`), a measure, a listed word, or a word of the gap map.

    None if there is none.
    """
    taxonomy = corpus.taxonomy
    found = [
        *(_axis_section(corpus, axis) for axis in taxonomy.axes if axis.id == name),
        *_term_sections(corpus, name),
        *(_measure_section(measure) for measure in taxonomy.measures if measure.id == name),
        *(
            _word_section(label, entry)
            for field, label in LISTS.items()
            for entry in getattr(taxonomy, field)
            if entry.id == name
        ),
        *(
            _word_section(f"strength of {axis.id}", strength)
            for axis in taxonomy.axes
            for strength in axis.strengths
            if strength.id == name
        ),
        *(_retired_section(axis, entry) for axis in taxonomy.axes for entry in axis.retired if entry.id == name),
        *gap_words.sections(corpus, name),
    ]
    if not found:
        return None
    data = {"kind": "entry", "id": name, "entries": [entry for _, entry in found]}
    return Report("awesome/explain/1", data, tuple(section for section, _ in found))


EntrySection = tuple[Section, dict[str, object]]


def _axis_section(corpus: Corpus, axis: Axis) -> EntrySection:
    rows = [(term.code, term.id, term.label, term.definition) for term in axis.terms]
    blocks: list[Block] = [Text(axis.question), Table.of(("code", "term", "label", "definition"), rows)]
    if axis.strengths:
        scale = [(strength.id, strength.definition) for strength in reversed(axis.strengths)]
        blocks.append(Table.of(("strength", "definition"), scale, title="Strengths, strongest first"))
    blocks.append(Text(gap_words.rule(axis)))
    blocks += [Text(_retired(entry)) for entry in axis.retired]
    for change in axis.history:
        what = f"{' and '.join(change.was)} changed" if change.was is not None else "the axis was added"
        blocks.append(Text(f"On {change.on}, {what}." + (f" {change.because}" if change.because else "")))
    if axis.required_for:
        blocks.append(Text(f"Required for papers that match: {axis.required_for}"))
    blocks += publication.axis_blocks(corpus, axis)
    entry: dict[str, object] = {
        "what": "axis",
        "axis": axis.id,
        "question": axis.question,
        "terms": list(axis.by_id),
        "sparse": axis.sparse.model_dump(exclude_none=True),
        "retired": [one.model_dump(mode="json") for one in axis.retired],
        "history": [one.model_dump(mode="json") for one in axis.history],
    }
    if otherwise := publication.otherwise_on(corpus, axis):
        entry["otherwise"] = [{"term": term, "key": key, "coded": how} for term, key, how in otherwise]
    return Section(f"{axis.label} (axis {axis.id})", tuple(blocks)), entry


def _term_sections(corpus: Corpus, name: str) -> Iterator[EntrySection]:
    axis_id, rest = split_axis(name)
    word = name if rest is None else rest
    for axis in corpus.taxonomy.axes:
        if rest is not None and axis.id != axis_id:
            continue
        for term in axis.terms:
            if word == term.id or (term.code and word.upper() == term.code.upper()):
                cell = term_cell(corpus, axis, term)
                count = f"{cell.n} {'paper' if cell.n == 1 else 'papers'}; state: {cell.state.word}"
                blocks: list[Block] = [Text(term.definition), Text(f"{count}. Ask: awesome gaps {axis.id}={term.id}")]
                if term.parent:
                    blocks.append(Text(f"Part of {term.parent}."))
                if term.deprecated:
                    blocks.append(Text(f"Retired on {term.deprecated.on}; use {term.deprecated.use}.", "warn"))
                blocks += publication.blocks(corpus, axis, term)
                title = f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id}={term.id})"
                data = {"what": "term", "axis": axis.id, "term": term.id, "code": term.code, "text": term.definition}
                yield Section(title, tuple(blocks)), data | publication.to_json(corpus, axis, term)


def _measure_section(measure: Measure) -> EntrySection:
    groups = [(group.id, group.where, group.definition) for group in measure.groups]
    blocks: list[Block] = [Text(measure.question), Table.of(("group", "papers", "definition"), groups)]
    blocks.append(Text(f"Counted: {measure.counted}. {' '.join(measure.note.split())}"))
    title = f"{measure.label} (measure {measure.id}, in {measure.unit})"
    return Section(title, tuple(blocks)), {"what": "measure", "measure": measure.id, "text": measure.note}


def _word_section(label: str, entry: Named) -> EntrySection:
    data: dict[str, object] = {"what": label, "id": entry.id, "text": entry.definition}
    return Section(f"{entry.label} ({label})", (Text(entry.definition),)), data


def _retired(entry: RetiredStrength) -> str:
    kept = f"counts as {entry.use!r} or stronger until the paper is read again"
    return f"Strength {entry.id!r} was retired on {entry.on}: a coding that has it {kept}."


def _retired_section(axis: Axis, entry: RetiredStrength) -> EntrySection:
    then = axis.as_of(entry.on - timedelta(days=1))
    texts = [strength.definition for strength in then.strengths if strength.id == entry.id] if then else []
    texts.append(_retired(entry))
    data: dict[str, object] = {"what": f"retired strength of {axis.id}", "id": entry.id, "text": " ".join(texts)}
    return Section(f"{entry.id} (retired strength of {axis.id})", tuple(map(Text, texts))), data


def no_page(corpus: Corpus, name: str, codes: Mapping[str, str]) -> UsageError:
    """The error for a name that is no rule, axis, term or other entry."""
    names = [*codes, *corpus.taxonomy.by_id, *corpus.taxonomy.axes_of, *gap_words.WORDS, "query"]
    hint = "rules: see docs/rules.md; terms: 'awesome taxonomy show'"
    return UsageError(unknown(name, names, "rule, axis or term"), hint=hint)
