"""Map the screening decisions of other programs to kinds of records.

`included` makes a paper, `maybe` a candidate, `excluded` an exclusion. Only the user can map a decision to `skip`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from awesome_cli.model.drafts import Draft, filled
from awesome_cli.text.folding import fold

TARGETS = ("paper", "candidate", "exclusion", "skip")
"""Possible meanings of a decision."""
COLREV = "colrev_status"
"""The field with CoLRev's status of a work."""
_WORDS = {
    "paper": "include, included, accept, accepted, yes, y, 1, 1.0, true, keep, kept, retain, retained, in, i, "
    "relevant, rev_included, rev_synthesized, asreview_relevant",
    "exclusion": "exclude, excluded, reject, rejected, no, n, 0, 0.0, false, out, e, irrelevant, screened out, "
    "rev_excluded, rev_prescreen_excluded, asreview_irrelevant",
    "candidate": "maybe, consider, unclear, candidate, pending, undecided, unscreened, -1, rev_prescreen_included, "
    "asreview_not_seen",
}
WORDS: Mapping[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split(", ")}
"""The kind of record for each decision."""
UNKNOWN = "is not a known decision"
PUBLISHED = {"accept", "accepted"}
"""Decisions that a journal may have taken; they are ignored in a column `status`."""
RAYYAN = re.compile(r"RAYYAN-INCLUSION:\s*\{([^}]*)\}")
"""Rayyan's decisions, in a note: `RAYYAN-INCLUSION: {"Ann"=>"Excluded", "Bob"=>"Maybe"}`."""
ASREVIEW = re.compile(r"(?:<p>)?(ASReview_(?:relevant|irrelevant|not_seen))(?:</p>)?")
"""ASReview's label, in a note of a RIS reference; Zotero wraps it in HTML."""
RAYYAN_REASONS = re.compile(r"RAYYAN-EXCLUSION-REASONS:\s*([^|]+)")


def kind_of(word: str, mapping: Mapping[str, str], *, of_status: bool = False) -> str | None:
    """Return the kind of record for a decision, None if unknown; in a status, `accepted` counts only if mapped."""
    plain = fold(word.strip())
    wanted = {fold(name.strip()): kind for name, kind in mapping.items()}
    # CoLRev's statuses md_… and pdf_… precede its screening.
    usual = "candidate" if plain.startswith(("md_", "pdf_")) else WORDS.get(plain)
    return wanted.get(plain, None if of_status and plain in PUBLISHED else usual)


def decided(draft: Draft, word: str, stage: str, reason: str, mapping: Mapping[str, str]) -> Draft:
    """Give a draft the kind of record of its decision; a reason without a decision makes the draft an exclusion.

    The decision is kept as `extra.decision` if it is more specific than the kind.
    """
    kind = kind_of(word, mapping) or ("exclusion" if reason and not word else "candidate")
    extra = {"decision": word if fold(word) not in WORDS or "_" in word or kind == "paper" else ""}
    fields = dict(draft.fields)
    if kind == "exclusion":
        fields["screening"] = {"stage": stage, "reason": reason}
    else:
        extra |= {"stage": stage, "reason": reason}
    fields["extra"] = {**fields.get("extra", {}), **extra}
    warnings = draft.warnings
    if word and not kind_of(word, mapping):
        warnings += (f"{word!r} {UNKNOWN}, so the work is a candidate; define it with --decision '{word}=KIND'",)
    return replace(draft, fields=filled(fields), warnings=warnings, kind=kind, decision=word)  # type: ignore[arg-type]


def with_codes(drafts: Iterable[Draft], mapping: Mapping[str, str]) -> list[Draft]:
    """Return the drafts; if their decisions are `I`, `E` and numbers, a number is an exclusion with that reason code.

    The drug reviews of Cohen et al. (2006) use such decisions. The user's mapping takes precedence.
    """
    results = list(drafts)
    words = {fold(draft.decision) for draft in results}
    codes = {word for word in words if word.isdigit()} - {fold(word) for word in mapping}
    if not codes or not {"i", "e"} <= words:
        return results
    extended = {**mapping, **dict.fromkeys(codes, "exclusion")}
    for n, draft in enumerate(results):
        if draft.decision in codes:
            known = replace(draft, warnings=tuple(warning for warning in draft.warnings if UNKNOWN not in warning))
            results[n] = decided(known, draft.decision, "", draft.decision, extended)
    return results


def labelled(draft: Draft, mapping: Mapping[str, str]) -> Draft:
    """Return the draft with the decision of ASReview's label, if any; the label is removed from the notes."""
    extra, citation = dict(draft.fields.get("extra", {})), dict(draft.fields.get("citation", {}))
    more = extra.get("notes", [])
    notes = [note for note in (citation.get("note"), *(more if isinstance(more, list) else [more])) if note]
    words = [match[1] for note in notes if (match := ASREVIEW.fullmatch(note))]
    if draft.decision or not words:
        return draft
    first, *rest = [note for note in notes if not ASREVIEW.fullmatch(note)] or [""]
    citation["note"], extra["notes"] = first, rest[0] if len(rest) == 1 else rest
    fields = filled({**draft.fields, "citation": citation, "extra": extra})
    return decided(replace(draft, fields=fields), words[0], "", "", mapping)


def screened(draft: Draft, mapping: Mapping[str, str]) -> Draft:
    """Return the draft with the decision in Rayyan's note, if any; if screeners disagree, the work is a candidate."""
    extra = draft.fields.get("extra", {})
    notes = (draft.fields.get("note"), draft.fields.get("citation", {}).get("note"), *extra.values())
    text = next((text for note in notes if (text := str(note or "")) and RAYYAN.search(text)), None)
    if text is None or draft.decision:
        return draft
    words = list(dict.fromkeys(re.findall(r'=>\s*"([^"]*)"', RAYYAN.findall(text)[0])))
    if len({kind_of(word, mapping) for word in words}) == 1:
        reason = RAYYAN_REASONS.search(text)
        return decided(draft, words[0], "", reason[1].strip() if reason else "", mapping)
    why = f"Rayyan's decisions do not agree ({', '.join(words) or 'none'}), so the work is a candidate"
    return replace(draft, kind="candidate", warnings=(*draft.warnings, why))
