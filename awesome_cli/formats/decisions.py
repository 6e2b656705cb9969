"""What a screening decided: words of other programs, and the kinds of records that they make."""

from collections.abc import Mapping
from dataclasses import replace

from awesome_cli.model.drafts import Draft, filled
from awesome_cli.text.folding import fold

TARGETS = ("paper", "candidate", "exclusion", "skip")
"""What a word may mean."""
COLREV = "colrev_status"
"""The field in which CoLRev keeps how far a work has come."""
_WORDS = {
    "paper": "include, included, accept, accepted, yes, y, 1, 1.0, true, keep, kept, retain, retained, in, relevant, "
    "rev_included, rev_synthesized",
    "exclusion": "exclude, excluded, reject, rejected, no, n, 0, 0.0, false, out, irrelevant, screened out, "
    "rev_excluded, rev_prescreen_excluded",
    "candidate": "maybe, consider, unclear, candidate, pending, undecided, unscreened, -1, rev_prescreen_included",
}
WORDS: Mapping[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split(", ")}
"""The kind of record that a word makes. CoLRev's statuses `md_…` and `pdf_…` stand before its screening."""

PUBLISHED = {"accept", "accepted"}
"""What a journal says of a work as well: in a column `status` these words decide nothing."""


def kind_of(word: str, asked: Mapping[str, str], *, of_status: bool = False) -> str | None:
    """What a word means: as asked, otherwise as usual; None for an unknown one, and for a status of publication."""
    plain = fold(word.strip())
    wanted = {fold(name.strip()): kind for name, kind in asked.items()}
    usual = "candidate" if plain.startswith(("md_", "pdf_")) else WORDS.get(plain)
    return wanted.get(plain, None if of_status and plain in PUBLISHED else usual)


def decided(draft: Draft, word: str, stage: str, reason: str, asked: Mapping[str, str]) -> Draft:
    """The draft as a paper, a candidate or an exclusion, by the word that decides, or a reason without a word.

    The word stays under `extra.decision`, unless it says no more than the kind.
    """
    kind = kind_of(word, asked) or ("exclusion" if reason and not word else "candidate")
    extra = {"decision": word if fold(word) not in WORDS or "_" in word or kind == "paper" else ""}
    fields = dict(draft.fields)
    if kind == "exclusion":
        fields["screening"] = {"stage": stage, "reason": reason}
    else:
        extra |= {"stage": stage, "reason": reason}
    fields["extra"] = {**fields.get("extra", {}), **extra}
    warnings = draft.warnings
    if word and not kind_of(word, asked):
        warnings += (f"{word!r} is no known decision: a candidate; --decision '{word}=KIND' says what it means",)
    return replace(draft, fields=filled(fields), warnings=warnings, kind=kind, decision=word)  # type: ignore[arg-type]
