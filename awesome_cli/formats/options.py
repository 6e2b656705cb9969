"""What a user asks for besides the format: columns, the meaning of decisions, fields whose words become tags."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.formats import ENTRIES, IMPORTED, ReadingOptions, cells, import_formats
from awesome_cli.formats.columns import FIELDS, coded
from awesome_cli.formats.decisions import COLREV, TARGETS, decided, kind_of, labelled, screened, with_codes
from awesome_cli.model.appearance import About
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.drafts import Batch, Draft
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.text.known import require_known

ENCODINGS = {"cp1252": "Windows", "gb18030": "Chinese", "latin-1": "older Unix"}
"""Usual encodings besides UTF-8 and UTF-16, the likeliest first, with where they come from."""


def column_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """The field that each column holds, from `NAME=FIELD` texts and a YAML file of `NAME: FIELD`; texts win.

    Raises `UsageError` for a text or a file of another form.
    """
    found = {name: field for name, field in _mapping(path).items() if isinstance(field, str)}
    return found | dict(_pair(text, "NAME=FIELD", "--column 'Paper Title=title'") for text in texts)


def decision_mapping(texts: Sequence[str], path: Path | None) -> Mapping[str, str]:
    """The kind that each decision makes, from `WORD=KIND` texts and what the file has under `decision:`; texts win.

    Raises `UsageError` for an unknown kind, and as `column_mapping` does.
    """
    found = _mapping(path).get("decision")
    words = dict(found) if isinstance(found, dict) else {}
    words |= dict(_pair(text, "WORD=KIND", "--decision 'out of scope=exclusion'") for text in texts)
    for kind in words.values():
        require_known(kind, TARGETS, "kind")
    return words


def without_axes(columns: Sequence[str], decisions: Sequence[str] = (), **how: Any) -> ReadingOptions:
    """How to read a file without a survey, whose columns mean no axes; raises as the mappings do."""
    bare = Taxonomy.model_construct(survey=About(title="none"), axes=())
    return ReadingOptions(bare, column_mapping(columns, None), decisions=decision_mapping(decisions, None), **how)


def _pair(text: str, form: str, example: str) -> tuple[str, str]:
    name, equals, field = text.rpartition("=")
    if not equals or not name:
        raise UsageError(f"{text!r} is not {form}", hint=f"for example: {example}")
    return name, field


def _mapping(path: Path | None) -> Mapping[str, Any]:
    """What a mapping file holds: texts by name, and words under `decision`."""
    if path is None:
        return {}
    try:
        value, findings = yaml_reading.read(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    words = fields.get("decision")
    texts = [*fields.values(), *(words.values() if isinstance(words, dict) else ())]
    if findings or not isinstance(value, dict) or not all(isinstance(text, str) or text is words for text in texts):
        why = findings[0].message if findings else "it holds no 'NAME: FIELD'"
        hint = "one line a column (Paper Title: title); under 'decision:' one line a word (out of scope: exclusion)"
        raise UsageError(f"{path} is not a column mapping: {why}", hint=hint)
    return fields


def checked(options: ReadingOptions) -> ReadingOptions:
    """The options, with the name of the format for an ending of its files (`bib`).

    Raises `UsageError` for a column that is to hold an unknown field, an unknown format or an unknown encoding.
    """
    for target in options.columns.values():
        if not target.startswith("extra."):
            require_known(target, (*FIELDS, *coded(options.taxonomy)), "field")
    require_known(options.entries, ENTRIES, "choice", owner="--entries")
    if options.encoding:
        with suppress(UnicodeError):
            _require_encoding(options.encoding)
    by_ending = {ending: name for name, form in import_formats().items() for ending in form.endings}
    form = by_ending.get((options.form or "").removeprefix(".").casefold(), options.form)
    return replace(options, form=form and require_known(form, IMPORTED, "import format"))


def _require_encoding(name: str) -> None:
    try:
        b" ".decode(name)
    except LookupError:
        raise UsageError(f"there is no encoding {name!r}", hint=f"usual ones: {', '.join(ENCODINGS)}") from None


def applied(batch: Batch, options: ReadingOptions) -> Batch:
    """The entries with the tags and kinds that were asked for; raises `UsageError` for a name that no file has."""
    _require_names(batch, options)
    decided_on = with_codes((_decided(draft, options) for draft in batch.drafts), options.decisions)
    drafts = [_tagged(draft, options) for draft in decided_on]
    kept = tuple(draft for draft in drafts if draft.kind != "skip")
    return replace(batch, drafts=kept, decisions=words(drafts))


def words(drafts: Iterable[Draft]) -> Mapping[str, Mapping[str, Any]]:
    """For each word that decided, what it made of how many: `{word: {kind, n}}`."""
    counts = Counter((draft.decision, draft.kind) for draft in drafts if draft.decision)
    return {word: {"kind": kind, "n": n} for (word, kind), n in sorted(counts.items())}


def _require_names(batch: Batch, options: ReadingOptions) -> None:
    _require(options.columns, batch.columns)
    if options.tags_from:
        fields = (name for draft in batch.drafts for name in draft.fields.get("extra", ()))
        _require(options.tags_from, dict.fromkeys(("keywords", *batch.columns, *fields)))


def _require(names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if not known:
            hint = "columns are of tables and lists; these files are neither"
            raise UsageError(f"no file has a column {name!r}", hint=hint)
        require_known(name, known, "column")


def _decided(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with what CoLRev or Rayyan says in a field of a bibliography as the decision."""
    extra = dict(draft.fields.get("extra", {}))
    word = cells.line(extra.pop(COLREV, None))
    if not word or draft.decision or kind_of(word, options.decisions) is None:
        return screened(labelled(draft, options.decisions), options.decisions)
    return decided(replace(draft, fields={**draft.fields, "extra": extra}), word, "", "", options.decisions)


def _tagged(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with the words of the fields that were asked for as tags, which are then no keywords."""
    if not options.tags_from:
        return draft
    extra = dict(draft.fields.get("extra", {}))
    asked: list[Any] = [word for name in options.tags_from for word in cells.words(extra.pop(name, None))]
    keywords = draft.keywords
    if "keywords" in options.tags_from:
        asked, keywords = [*keywords, *asked], ()
    tags = tuple(dict.fromkeys((*draft.tags, *map(_unrated, asked))))
    return replace(draft, fields={**draft.fields, "extra": extra}, keywords=keywords, tags=tags)


def _unrated(word: str) -> str:
    """A word without strength: what a source calls its subject says nothing of the evidence."""
    axis, rest = split_axis(word)
    return word if rest is None else on_axis(axis, Tag.parse(rest).model_copy(update={"strength": None}))
