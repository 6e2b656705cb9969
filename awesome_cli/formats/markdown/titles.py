"""The title of an entry, told apart from what stands around it: by its link, its look, its quotes, or its place."""

import re
from collections.abc import Sequence
from dataclasses import replace

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import Anchor, is_kept, is_label
from awesome_cli.formats.markdown.pieces import Fragment, clean
from awesome_cli.text.folding import spaced

QUOTED = re.compile(r"[\"“”«](?P<text>[^\"“”«»]{8,300}?)[,.]?[\"“”»]")
SUBTITLE = re.compile(r"^\s*[:：]\s*(?P<text>[^|｜\n]+?)\s*(?=[|｜\n]|$)")
BEHIND_NAME = re.compile(r"\s*,\s+(?P<text>[A-Z][^.,\[\]\n]{12,200})(?:\.|[\s\[(]*$)")
"""A title of one sentence behind the short name of a work."""
CUT = "\0"
"""Stands in the text of an entry where a label, a break or a badge stood."""
LONGEST = 400
"""A longer text is no title."""
Bit = Anchor | Fragment
Found = tuple[str, Anchor | None, list[Bit], bool]


def title_of(bits: list[Bit]) -> Found:
    """The title, its link, the bits without it, and whether nothing stands before it. Its text may go on behind it."""
    quoted = _quoted(bits)
    places = [n for n, bit in enumerate(bits) if _may_be_title(bit) and not _is_nickname(bits, n)]
    if not places or quoted:
        return quoted or ("", None, bits, False)
    first = places[0]
    if _lead(bits[:first]):
        # Behind a nickname in bold there may be the title; it has more words.
        near = [n for n in places if n <= first + 3 and _words(bits[n]) > 3 >= _words(bits[first])]
        is_name = not isinstance(bits[first], Anchor)
        return _taken(bits, near[0] if near and is_name else first, begins=True)
    before = facts.without_lead(head_of(bits[:first])).strip()
    is_one = _words(bits[first]) > 3 and (len(before.split()) <= 3 or before[-1:] in ':："“')
    if is_one or facts.is_names(before.strip(' .,"“'), alone=_words(bits[first]) > 1):
        return _taken(bits, first, begins=True)
    has_label = any(isinstance(bit, Anchor) and bit.is_label and is_kept(bit.url) for bit in bits)
    link = bits[first]
    may_be_beside = has_label or not isinstance(link, Anchor) or link.sort != "paper"
    if may_be_beside and is_title(facts.reference(before)[0]):
        return "", None, bits, False
    return _taken(bits, max(places, key=lambda n: (min(_words(bits[n]), 4), -n)), begins=False)


def _is_nickname(bits: Sequence[Bit], at: int) -> bool:
    """Whether a text stands in square brackets, or is the caption of a link behind its colon."""
    if isinstance(bits[at], Anchor):
        return False
    behind = [bit for bit in bits[at + 1 :] if isinstance(bit, Anchor) or bit.text.strip()]
    titled = [n for n, bit in enumerate(behind) if isinstance(bit, Anchor) and not bit.is_label]
    if bits[at].text.rstrip().endswith((":", "：")) and titled and (titled[0] == 0 or _words(bits[at]) > 3):
        return True
    before, after = (bits[n].text if 0 <= n < len(bits) else "" for n in (at - 1, at + 1))
    return before.rstrip().endswith("[") and after.startswith("]")


def _may_be_title(bit: Bit) -> bool:
    if isinstance(bit, Anchor):
        return not bit.is_label and is_title(bit.text) and not facts.is_venue(bit.text)
    text = _bare(bit.text)
    shown = "b" in bit.look and not bit.image and is_title(text)
    return shown and not facts.is_venue(text) and not is_label(text) and not bit.text.rstrip().startswith("[")


def _bare(text: str) -> str:
    return facts.without_lead(clean(text)).strip(" .,:;|")


def _words(bit: Bit) -> int:
    return len(spaced(bit.text).split())


def is_title(text: str) -> bool:
    return 1 < len(text) < LONGEST and any(c.isalpha() for c in text) and not facts.is_venue(text)


def _lead(bits: Sequence[Bit]) -> bool:
    """Whether some bits are no more than a number, a date, labels or a word in brackets."""
    text = "".join("" if isinstance(bit, Anchor) else bit.text for bit in bits if not getattr(bit, "image", ""))
    text = facts.without_lead(clean(text) + " ").strip(" .,:;|[](){}*-—–&/\"'“”‘’#>")
    return not text or facts.is_venue(text) or is_label(text) or (len(text.split()) < 2 and len(bits) < 3)


def _taken(bits: list[Bit], at: int, *, begins: bool) -> Found:
    """The title at a place, with the subtitle behind its colon."""
    bit = bits[at]
    text = clean(bit.text)
    rest = [*bits[:at], *bits[at + 1 :]]
    following = bits[at + 1] if at + 1 < len(bits) else None
    if isinstance(following, Fragment) and not following.image and "i" not in following.look:
        behind = BEHIND_NAME.match(following.text)
        if (
            behind
            and len(text.split()) < 3
            and facts.has_plain_word(behind["text"])
            and not facts.is_names(behind["text"])
        ):
            rest[at] = replace(following, text=following.text[behind.end() :])
            return _bare_title(clean(behind["text"])), bit if isinstance(bit, Anchor) else None, rest, begins
        has_colon = text.rstrip("* ").endswith((":", "："))
        found = SUBTITLE.match(f": {following.text.lstrip(' ')}" if has_colon else following.text)
        if found and _is_subtitle(text, found["text"]):
            # Formulas, code and slanted words within the title are pieces of their own.
            text = f"{text.rstrip(': ：')}: {facts.titled(clean(found['text']))}"
            rest[at] = replace(following, text=following.text[found.end() - (2 if has_colon else 0) :])
    anchor = bit if isinstance(bit, Anchor) else None
    return _bare_title(text), anchor, rest, begins


def _bare_title(text: str) -> str:
    return facts.titled(facts.without_lead(text).strip() or text)


def _is_subtitle(title: str, text: str) -> bool:
    """Whether what follows a colon goes on with the title, and does not tell of the work."""
    words = text.split()
    title = title.rstrip(":： ")
    if ":" in title or not 2 <= len(words) <= 30 or facts.is_venue(text) or facts.is_names(text):
        return False
    if len(title.split()) <= 3:
        return True
    return words[0][:1].isupper() and len(words) <= 12 and not text.rstrip().endswith(".")


def _quoted(bits: list[Bit]) -> Found | None:
    """A title in quotes, behind authors or a nickname; None without one."""
    for n, bit in enumerate(bits):
        if isinstance(bit, Anchor):
            return None
        found = QUOTED.search(bit.text) if not bit.image else None
        if found and len(found["text"].split()) > 2 and bit.text[found.end() :].lstrip()[:1] not in {":", "："}:
            before = (
                "".join(b.text for b in bits[:n] if isinstance(b, Fragment) and not b.image) + bit.text[: found.start()]
            )
            if _lead(bits[:n]) or facts.is_names(before.strip(" ,.:"), alone=True) or len(before.split()) <= 6:
                rest = replace(bit, text=bit.text[: found.start()] + CUT + bit.text[found.end() :])
                return facts.titled(clean(found["text"])), None, [*bits[:n], rest, *bits[n + 1 :]], True
    return None


def head_of(bits: Sequence[Bit]) -> str:
    """The text before the first label, break or slanted text that has one before it."""
    text = ""
    for bit in bits:
        if len(text) > 10 * LONGEST:
            break
        shown = facts.without_lead(clean(text) + " ").strip(" []().,:|-")
        has_text = bool(shown) and not facts.is_venue(shown) and not is_label(shown)
        if isinstance(bit, Anchor) or bit.image or bit.is_break:
            if has_text:
                break
            text = "" if isinstance(bit, Anchor) else text
        elif (
            "i" in bit.look
            and len(shown.split()) > 1
            and (facts.is_venue(bit.text) or facts.is_names(facts.names_in(bit.text), alone=True))
        ):
            break
        elif "c" not in bit.look or shown:
            text += bit.text
    return clean(text).lstrip("])】,;:|. ").rstrip("[(【,;| ").strip(" |")
