"""What a screening decided: words of other programs, and the kinds of records that they make."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from awesome_cli.model.drafts import Draft, filled
from awesome_cli.text.folding import fold

TARGETS = ("paper", "candidate", "exclusion", "skip")
"""What a word may mean."""
COLREV = "colrev_status"
"""The field in which CoLRev keeps how far a work has come."""
_WORDS = {
    "paper": "include, included, accept, accepted, yes, y, 1, 1.0, true, keep, kept, retain, retained, in, i, "
    "relevant, rev_included, rev_synthesized, asreview_relevant",
    "exclusion": "exclude, excluded, reject, rejected, no, n, 0, 0.0, false, out, e, irrelevant, screened out, "
    "rev_excluded, rev_prescreen_excluded, asreview_irrelevant",
    "candidate": "maybe, consider, unclear, candidate, pending, undecided, unscreened, -1, rev_prescreen_included, "
    "asreview_not_seen",
}
WORDS: Mapping[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split(", ")}
"""The kind of record that a word makes. CoLRev's statuses `md_…` and `pdf_…` stand before its screening."""

UNKNOWN = "is no known decision"
PUBLISHED = {"accept", "accepted"}
"""What a journal says of a work as well: in a column `status` these words decide nothing."""

RAYYAN = re.compile(r"RAYYAN-INCLUSION:\s*\{([^}]*)\}")
"""What Rayyan writes among the notes: `RAYYAN-INCLUSION: {"Ann"=>"Excluded", "Bob"=>"Maybe"}`."""
ASREVIEW = re.compile(r"(?:<p>)?(ASReview_(?:relevant|irrelevant|not_seen))(?:</p>)?")
"""What ASReview writes as a note of a reference in RIS, perhaps by way of Zotero."""
RAYYAN_REASONS = re.compile(r"RAYYAN-EXCLUSION-REASONS:\s*([^|]+)")


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
        warnings += (f"{word!r} {UNKNOWN}: a candidate; --decision '{word}=KIND' says what it means",)
    return replace(draft, fields=filled(fields), warnings=warnings, kind=kind, decision=word)  # type: ignore[arg-type]


def with_codes(drafts: Iterable[Draft], asked: Mapping[str, str]) -> list[Draft]:
    """The drafts, where labels are I and E with those of other numbers as exclusions: a number is the code of a reason.

    So it is in the drug reviews of Cohen and others (2006). What was asked for comes first.
    """
    found = list(drafts)
    words = {fold(draft.decision) for draft in found}
    codes = {word for word in words if word.isdigit()} - {fold(word) for word in asked}
    if not codes or not {"i", "e"} <= words:
        return found
    meant = {**asked, **dict.fromkeys(codes, "exclusion")}
    for n, draft in enumerate(found):
        if draft.decision in codes:
            known = replace(draft, warnings=tuple(warning for warning in draft.warnings if UNKNOWN not in warning))
            found[n] = decided(known, draft.decision, "", draft.decision, meant)
    return found


def labelled(draft: Draft, asked: Mapping[str, str]) -> Draft:
    """The draft with the label that ASReview wrote among the notes of a reference, which then has one note less."""
    extra, citation = dict(draft.fields.get("extra", {})), dict(draft.fields.get("citation", {}))
    more = extra.get("notes", [])
    notes = [note for note in (citation.get("note"), *(more if isinstance(more, list) else [more])) if note]
    words = [found[1] for note in notes if (found := ASREVIEW.fullmatch(note))]
    if draft.decision or not words:
        return draft
    first, *others = [note for note in notes if not ASREVIEW.fullmatch(note)] or [""]
    citation["note"], extra["notes"] = first, others[0] if len(others) == 1 else others
    left = filled({**draft.fields, "citation": citation, "extra": extra})
    return decided(replace(draft, fields=left), words[0], "", "", asked)


def screened(draft: Draft, asked: Mapping[str, str]) -> Draft:
    """The draft with what the people who used Rayyan decided; those who disagree make a candidate."""
    extra = draft.fields.get("extra", {})
    notes = (draft.fields.get("note"), draft.fields.get("citation", {}).get("note"), *extra.values())
    text = next((text for note in notes if (text := str(note or "")) and RAYYAN.search(text)), None)
    if text is None or draft.decision:
        return draft
    words = list(dict.fromkeys(re.findall(r'=>\s*"([^"]*)"', RAYYAN.findall(text)[0])))
    if len({kind_of(word, asked) for word in words}) == 1:
        reason = RAYYAN_REASONS.search(text)
        return decided(draft, words[0], "", reason[1].strip() if reason else "", asked)
    why = f"Rayyan has no one decision ({', '.join(words) or 'none'}): a candidate"
    return replace(draft, kind="candidate", warnings=(*draft.warnings, why))
