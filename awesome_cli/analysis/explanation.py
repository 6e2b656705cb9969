"""Pages of `awesome explain`: rules, metrics, words of the glossary, and entries of the taxonomy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from textwrap import dedent

from awesome_cli.analysis import glossary, publication
from awesome_cli.analysis.gaps.cells import term_cell
from awesome_cli.analysis.gaps.report import WORDS, counting_rule, word_sections
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import split_axis
from awesome_cli.model.taxonomy import Axis, Measure, Named, RetiredStrength, Taxonomy
from awesome_cli.reports.report import Block, Code, Report, Section, Table, Text, with_sections
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import forms
from awesome_cli.text.known import unknown
from awesome_cli.text.numbers import counted

LISTS = {
    "stages": "screening stage",
    "reasons": "reason code",
    "grades": "grade of contest",
    "confidences": "confidence",
}


EntrySection = tuple[Section, dict[str, object]]


@dataclass(frozen=True, slots=True)
class Manual:
    """Pages and levels of rules by code; paragraphs and facts of trace metrics by name."""

    pages: Mapping[str, str]
    levels: Mapping[str, str]
    metrics: Mapping[str, tuple[Sequence[str], Mapping[str, str]]]

    def group(self, name: str) -> list[tuple[str, ...]]:
        """Return `(code, title)` of the rules with these letters; all for `rules`, all trace rules for `T`."""
        letters = "" if name == "rules" else name.upper()
        return [
            (code, page.partition("\n")[0])
            for code, page in sorted(self.pages.items())
            if not letters or code.rstrip("0123456789") == letters or (letters == "T" and code[0] == "T")
        ]


def explain(name: str, manual: Manual, taxonomy: Taxonomy | None, corpus: Callable[[], Corpus]) -> Report:
    """Return the page of a rule, a group of rules, a trace metric, a word of the glossary or an entry of the taxonomy.

    `corpus` is called only for an entry of the taxonomy; outside a survey `taxonomy` is None. Raises `UsageError` for
    an unknown name.
    """
    if name.upper() in manual.pages:
        return _rule_page(name.upper(), manual)
    if name in manual.metrics:
        return _metric_page(name, *manual.metrics[name])
    if taxonomy is None:
        entries = list(word_sections(None, name))
    else:
        axis, word = split_axis(name)
        is_entry = word is not None or is_among(axis, _names(taxonomy))
        entries = list(_entries(corpus(), name)) if is_entry else []
    entries += glossary.sections(name, taxonomy, {"rules": (("code", "title"), manual.group("rules"))})
    if is_among(name, ["metrics"]):
        rows = [(metric, texts[0]) for metric, (texts, _) in manual.metrics.items()]
        entries.append((Section("Metrics of traces", (Table.of(("metric", "meaning"), rows),)), {"what": "metrics"}))
    if rules := manual.group(name):
        entries.append((Section(f"Rules {name.upper()}", (Table.of(("code", "title"), rules),)), {"what": "rules"}))
    if not entries:
        raise _no_page(name, manual, taxonomy)
    sections = tuple(section for section, _ in entries)
    query = next((entry for _, entry in entries if entry.get("id") == "query"), {})
    data: dict[str, object] = {"kind": "entry", "id": name, "entries": [entry for _, entry in entries]}
    data |= {"kind": "query", "text": query["text"]} if query else {}
    return with_sections(Report("awesome/explain/1", data, sections))


def _rule_page(code: str, manual: Manual) -> Report:
    title, _, body = manual.pages[code].partition("\n")
    level = manual.levels.get(code)
    blocks: list[Block] = [Text(f"Level: {level}")] if level else []
    parts = (part for part in body.split("\n\n") if part.strip())
    blocks += [Code(dedent(part)) if part.startswith("    ") else Text(" ".join(part.split())) for part in parts]
    data = {"kind": "rule", "id": code, "title": title, "level": level, "text": body.strip()}
    return with_sections(Report("awesome/explain/1", data, (Section(None, tuple(blocks)),), f"{code}: {title}"))


def _metric_page(name: str, texts: Sequence[str], facts: Mapping[str, str]) -> Report:
    table = Table.of(("fact", "value"), [*facts.items()])
    data = {"kind": "metric", "id": name, "text": "\n\n".join(texts), "facts": dict(facts)}
    return with_sections(Report("awesome/explain/1", data, (Section(None, (*map(Text, texts), table)),), name))


def is_among(word: str, names: Sequence[str]) -> bool:
    """True if a word is one of the names, ignoring case, spaces, hyphens and plurals."""
    return any(forms(word) & forms(name) for name in names)


def _words(taxonomy: Taxonomy) -> Iterator[tuple[str, Named]]:
    """Yield `(kind, entry)` of stages, reasons, grades, confidences and strengths."""
    for field, label in LISTS.items():
        yield from ((label, entry) for entry in getattr(taxonomy, field))
    for axis in taxonomy.axes:
        yield from ((f"strength of {axis.id}", strength) for strength in axis.strengths)


def _names(taxonomy: Taxonomy) -> list[str]:
    """Return the names in the taxonomy that have a page, and the words of the gap map."""
    present = [*taxonomy.by_id, *taxonomy.axes_of, *(measure.id for measure in taxonomy.measures)]
    present += [entry.id for _, entry in _words(taxonomy)]
    for axis in taxonomy.axes:
        present += [*axis.former, *(name for term in axis.terms for name in term.former)]
    present += [entry.id for axis in taxonomy.axes for entry in axis.retired]
    return [*present, *WORDS]


def _entries(corpus: Corpus, name: str) -> Iterator[EntrySection]:
    """Yield the pages of axes, terms (id, code or `axis=term`), measures and other words with a name."""
    taxonomy = corpus.taxonomy
    yield from (_axis_section(corpus, axis) for axis in taxonomy.axes if is_among(name, [axis.id, *axis.former]))
    yield from _term_sections(corpus, name)
    yield from (_measure_section(measure) for measure in taxonomy.measures if is_among(name, [measure.id]))
    yield from (_word_section(label, entry) for label, entry in _words(taxonomy) if is_among(name, [entry.id]))
    for axis in taxonomy.axes:
        yield from (_retired_section(axis, entry) for entry in axis.retired if is_among(name, [entry.id]))
    yield from word_sections(corpus, name)


def _axis_section(corpus: Corpus, axis: Axis) -> EntrySection:
    rows = [(term.code, term.id, term.label, term.definition) for term in axis.terms]
    blocks: list[Block] = [Text(axis.question), Table.of(("code", "term", "label", "definition"), rows)]
    if axis.strengths:
        scale = [(strength.id, strength.definition) for strength in reversed(axis.strengths)]
        blocks.append(Table.of(("strength", "definition"), scale, title="Strengths, strongest first"))
    blocks.append(Text(counting_rule(axis, corpus.taxonomy.sparse)))
    blocks += [Text(f"The former name {former} was replaced by {axis.id}.") for former in axis.former]
    blocks += [Text(_retired(entry)) for entry in axis.retired]
    for change in axis.history:
        event = f"{' and '.join(change.was)} changed" if change.was is not None else "the axis was added"
        blocks.append(Text(f"On {change.on}, {event}." + (f" {change.because}" if change.because else "")))
    if axis.required_for:
        blocks.append(Text(f"Required for papers that match: {axis.required_for}"))
    blocks += publication.axis_blocks(corpus, axis)
    entry: dict[str, object] = {
        "what": "axis",
        "axis": axis.id,
        "question": axis.question,
        "terms": list(axis.by_id),
        "sparse": corpus.taxonomy.sparse.model_dump(exclude_none=True),
        "retired": [strength.model_dump(mode="json") for strength in axis.retired],
        "history": [change.model_dump(mode="json") for change in axis.history],
    }
    if otherwise := publication.otherwise_on(corpus, axis):
        entry["otherwise"] = [{"term": term, "key": key, "coded": coding} for term, key, coding in otherwise]
    return Section(f"{axis.label} (axis {axis.id})", tuple(blocks)), entry


def _term_sections(corpus: Corpus, name: str) -> Iterator[EntrySection]:
    axis_id, rest = split_axis(name)
    word = name if rest is None else rest
    for axis in corpus.taxonomy.axes:
        if rest is not None and not is_among(axis_id, [axis.id, *axis.former]):
            continue
        for term in axis.terms:
            if is_among(word, [term.id, term.code or term.id]):
                cell = term_cell(corpus, axis, term)
                state = f"; state: {cell.word}" + (f" ({cell.base})" if cell.base else "")
                state = "" if axis.bookkeeping else f"{state}. See: awesome gaps {axis.id}={term.id}"
                blocks: list[Block] = [Text(term.definition), Text(counted(cell.n, "paper") + (state or "."))]
                if term.parent:
                    blocks.append(Text(f"Part of {term.parent}."))
                if retired := axis.retirement(term.id):
                    blocks.append(Text(f"{retired}.", "warn"))
                blocks += publication.blocks(corpus, axis, term)
                title = f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id}={term.id})"
                data = {"what": "term", "axis": axis.id, "term": term.id, "code": term.code, "text": term.definition}
                yield Section(title, tuple(blocks)), data | publication.to_json(corpus, axis, term)
            elif word in term.former and (retired := axis.retirement(word)):
                yield Section(f"{word} (former term)", (Text(f"{retired}."),)), {"what": "former term", "text": retired}


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
    effect = f"count as {entry.use!r} or stronger until the paper is recoded"
    return f"Strength {entry.id!r} was retired on {entry.on}: codings that have it {effect}."


def _retired_section(axis: Axis, entry: RetiredStrength) -> EntrySection:
    then = axis.as_of(entry.on - timedelta(days=1))
    texts = [strength.definition for strength in then.strengths if strength.id == entry.id] if then else []
    texts.append(_retired(entry))
    data: dict[str, object] = {"what": f"retired strength of {axis.id}", "id": entry.id, "text": " ".join(texts)}
    return Section(f"{entry.id} (retired strength of {axis.id})", tuple(map(Text, texts))), data


def _no_page(name: str, manual: Manual, taxonomy: Taxonomy | None) -> UsageError:
    """Return the error for an unknown name, with the nearest name and the commands that list all."""
    present = WORDS if taxonomy is None else _names(taxonomy)
    names = [*manual.pages, *manual.metrics, *glossary.names(), *present]
    terms = "; terms: 'awesome taxonomy show'" if taxonomy is not None else "; in a survey also its axes and terms"
    hint = f"all words: 'awesome explain words'; rules: 'awesome explain rules'{terms}"
    return UsageError(unknown(name, names, "word, rule, metric, axis or term"), hint=hint)
