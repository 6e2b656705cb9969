"""What was asked for besides the format: fields whose words become tags, decisions, columns that must be there."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.formats import cells
from awesome_cli.formats.decisions import COLREV, decided, kind_of
from awesome_cli.formats.options import ReadingOptions
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.drafts import Batch, Draft
from awesome_cli.text.known import require_known


def as_asked(batch: Batch, options: ReadingOptions) -> Batch:
    """The entries with the tags and kinds that were asked for; raises `UsageError` for a name that no file has."""
    _check(batch, options)
    drafts = [_tagged(_decided(draft, options), options) for draft in batch.drafts]
    counts = Counter((draft.decision, draft.kind) for draft in drafts if draft.decision)
    words = {word: {"kind": kind, "n": n} for (word, kind), n in sorted(counts.items())}
    return replace(batch, drafts=tuple(draft for draft in drafts if draft.kind != "skip"), decisions=words)


def _check(batch: Batch, options: ReadingOptions) -> None:
    own = dict.fromkeys(batch.columns)
    for name in options.columns:
        _require(name, own)
    if options.tags_from:
        fields = dict.fromkeys(name for draft in batch.drafts for name in draft.fields.get("extra", ()))
        for name in options.tags_from:
            _require(name, {"keywords": None, **own, **fields})


def _require(name: str, known: Iterable[str]) -> None:
    names = list(known)
    if not names:
        raise UsageError(
            f"no file has a column {name!r}", hint="columns are of tables and lists; these files are neither"
        )
    require_known(name, names, "column")


def _decided(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with CoLRev's status, which stands in a field of a bibliography, as the decision."""
    extra = draft.fields.get("extra", {})
    word = cells.line(extra.get(COLREV))
    if not word or draft.decision or kind_of(word, options.decisions) is None:
        return draft
    rest = {name: value for name, value in extra.items() if name != COLREV}
    return decided(replace(draft, fields={**draft.fields, "extra": rest}), word, "", "", options.decisions)


def _tagged(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with the words of the fields that were asked for as tags, which are then no keywords."""
    if not options.tags_from:
        return draft
    extra = dict(draft.fields.get("extra", {}))
    asked: list[Any] = [word for name in options.tags_from for word in cells.words(extra.pop(name, None))]
    keywords = draft.keywords
    if "keywords" in options.tags_from:
        asked, keywords = [*keywords, *asked], ()
    tags = (*draft.tags, *(_unrated(word) for word in asked))
    return replace(draft, fields={**draft.fields, "extra": extra}, keywords=keywords, tags=tuple(dict.fromkeys(tags)))


def _unrated(word: str) -> str:
    """A word without strength: what a source calls its subject says nothing of the evidence."""
    axis, rest = split_axis(word)
    if rest is None:
        return word
    return on_axis(axis, Tag.parse(rest).model_copy(update={"strength": None}))
