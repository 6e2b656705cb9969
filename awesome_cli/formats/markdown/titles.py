"""Recognise the title of an entry by its link, format, quotes or position, and the short name before it.

`SayCan: [Do As I Can](a)` has the title `Do As I Can`, and the short name `SayCan`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import Anchor, is_kept, is_label
from awesome_cli.formats.markdown.page import Fragment, clean
from awesome_cli.text.folding import spaced

QUOTED = re.compile(r"[\"“”«](?P<text>[^\"“”«»]{8,300}?)[,.]?[\"“”»]")
SUBTITLE = re.compile(r"^\s*[:：]\s*(?P<text>[^|｜\n]+?)\s*(?=[|｜\n]|$)")
BEHIND_NAME = re.compile(r"\s*,\s+(?P<text>[A-Z][^.,\[\]\n]{12,200})(?:\.|[\s\[(]*$)")
"""A title of one sentence after the short name of a work."""
CUT = "\0"
"""Placeholder for a label, break or badge in the text of an entry."""
LONGEST = 400
"""Maximum length of a title in characters."""
Bit = Anchor | Fragment
TitleMatch = tuple[str, Anchor | None, list[Bit], bool]


def title_of(bits: list[Bit]) -> TitleMatch:
    """Return the title, its link, the other bits, and True if at most numbers and labels precede the title."""
    quoted = _quoted(bits)
    places = [n for n, bit in enumerate(bits) if _may_be_title(bit) and not _is_aside(bits, n)]
    if not places or quoted:
        return quoted or ("", None, bits, False)
    first = places[0]
    if _lead(bits[:first]):
        # After a nickname in bold, the title may follow; it has more words.
        near = [n for n in places if n <= first + 3 and _words(bits[n]) > 3 >= _words(bits[first])]
        is_name = not isinstance(bits[first], Anchor)
        return _taken(bits, near[0] if near and is_name else first, begins=True)
    before = facts.without_lead(head_of(bits[:first])).strip()
    is_long = _words(bits[first]) > 3 and (len(before.split()) <= 3 or before[-1:] in ':："“')
    if is_long or facts.is_names(before.strip(' .,"“'), alone=_words(bits[first]) > 1):
        return _taken(bits, first, begins=True)
    has_label = any(isinstance(bit, Anchor) and bit.is_label and is_kept(bit.url) for bit in bits)
    link = bits[first]
    may_be_beside = has_label or not isinstance(link, Anchor) or link.sort != "paper"
    if may_be_beside and is_title(facts.reference(before)[0]):
        return "", None, bits, False
    return _taken(bits, max(places, key=lambda n: (min(_words(bits[n]), 4), -n)), begins=False)


def _is_aside(bits: Sequence[Bit], at: int) -> bool:
    """True if a text is in brackets, or is a caption that ends in a colon and precedes a link."""
    if isinstance(bits[at], Anchor):
        return False
    text = "".join(bit.text for bit in bits[:at] if isinstance(bit, Fragment) and not bit.image)
    if at and text.count("(") > text.count(")"):
        return True
    behind = [bit for bit in bits[at + 1 :] if isinstance(bit, Anchor) or bit.text.strip()]
    titled = [n for n, bit in enumerate(behind) if isinstance(bit, Anchor) and not bit.is_label]
    if bits[at].text.rstrip().endswith((":", "：")) and titled and (titled[0] == 0 or _words(bits[at]) > 3):
        return True
    before, after = (bits[n].text if 0 <= n < len(bits) else "" for n in (at - 1, at + 1))
    return before.rstrip().endswith("[") and after.startswith("]")


def _may_be_title(bit: Bit) -> bool:
    if isinstance(bit, Anchor):
        return not bit.is_label and is_title(bit.text) and not facts.is_venue(bit.text)
    text = facts.without_lead(clean(bit.text)).strip(" .,:;|")
    shown = "b" in bit.look and not bit.image and is_title(text)
    return shown and not facts.is_venue(text) and not is_label(text) and not bit.text.rstrip().startswith("[")


def _words(bit: Bit) -> int:
    return len(spaced(bit.text).split())


NO_TITLES = frozenset(["other", "others", "misc", "miscellaneous", "more", "etc", "tbd", "todo", "coming soon"])
"""Names of groups of works, in lower case."""


def is_title(text: str) -> bool:
    shown = 1 < len(text) < LONGEST and any(c.isalpha() for c in text)
    return shown and not facts.is_venue(text) and spaced(text) not in NO_TITLES


def _lead(bits: Sequence[Bit]) -> bool:
    """True if bits contain only a number, a date, labels or a word in brackets."""
    text = "".join("" if isinstance(bit, Anchor) else bit.text for bit in bits if not getattr(bit, "image", ""))
    text = facts.without_lead(clean(text) + " ").strip(" .,:;|[](){}*-—–&/\"'“”‘’#>")
    is_fact = facts.is_venue(text) or facts.is_dated(text) or is_label(text)
    return not text or is_fact or (len(text.split()) < 2 and len(bits) < 3)


def _taken(bits: list[Bit], at: int, *, begins: bool) -> TitleMatch:
    """Extract the title at an index, with its subtitle after a colon."""
    bit = bits[at]
    text = clean(bit.text)
    anchor = bit if isinstance(bit, Anchor) else None
    rest = [*bits[:at], *bits[at + 1 :]]
    following = bits[at + 1] if at + 1 < len(bits) else None
    if isinstance(following, Fragment) and not following.image and "i" not in following.look:
        behind = BEHIND_NAME.match(following.text) if len(text.split()) < 3 else None
        if behind and facts.has_plain_word(behind["text"]) and not facts.is_names(behind["text"]):
            rest[at] = replace(following, text=following.text[behind.end() :])
            return _bare_title(clean(behind["text"])), anchor, rest, begins
        has_colon = text.rstrip("* ").endswith((":", "："))
        match = SUBTITLE.match(f": {following.text.lstrip(' ')}" if has_colon else following.text)
        if match and _is_subtitle(text, match["text"]):
            # Formulas, code and italics within a title are separate fragments.
            text = f"{text.rstrip(': ：')}: {facts.titled(clean(match['text']))}"
            rest[at] = replace(following, text=following.text[match.end() - (2 if has_colon else 0) :])
    return _bare_title(text), anchor, rest, begins


def _bare_title(text: str) -> str:
    return facts.titled(facts.without_lead(text).strip() or text)


def _is_subtitle(title: str, text: str) -> bool:
    """True if the text after a colon is a part of the title, not a description of the work."""
    words = text.split()
    title = title.rstrip(":： ")
    if ":" in title or not 2 <= len(words) <= 30 or facts.is_venue(text) or facts.is_names(text):
        return False
    is_short = words[0][:1].isupper() and len(words) <= 12 and not text.rstrip().endswith(".")
    return is_short or len(title.split()) <= 3


def _quoted(bits: list[Bit]) -> TitleMatch | None:
    """Extract a title in quotes, perhaps after authors or a nickname; return None without such a title."""
    for n, bit in enumerate(bits):
        if isinstance(bit, Anchor):
            return None
        quote = QUOTED.search(bit.text) if not bit.image else None
        if quote and len(quote["text"].split()) > 2 and bit.text[quote.end() :].lstrip()[:1] not in {":", "："}:
            texts = (b.text for b in bits[:n] if isinstance(b, Fragment) and not b.image)
            before = "".join(texts) + bit.text[: quote.start()]
            lead = [*bits[:n], replace(bit, text=bit.text[: quote.start()])]
            is_short = len(before.split()) <= (6 if before.rstrip()[-1:] in set(":,.-–—|)") else 3)
            if _lead(lead) or facts.is_names(before.strip(" ,.:"), alone=True) or is_short:
                rest = replace(bit, text=bit.text[: quote.start()] + CUT + bit.text[quote.end() :])
                return facts.titled(clean(quote["text"])), None, [*bits[:n], rest, *bits[n + 1 :]], True
    return None


def head_of(bits: Sequence[Bit]) -> str:
    """Return the start of an entry up to the first label, break, or text in italics with authors or venue."""
    text = ""
    for bit in bits:
        if len(text) > 10 * LONGEST:
            break
        shown = facts.without_lead(clean(text[:LONGEST]) + " ").strip(" []().,:|-")
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


def nickname_of(bits: Sequence[Bit], title: str) -> str:
    """Return the short name before a title: `SayCan` of `SayCan: [Do As I Can](a)` and `**SayCan** "Do As I Can"`."""
    start = title[:20]
    before = list(takewhile(lambda bit: start not in clean(bit.text), bits))
    if not title or len(before) == len(bits) or any(isinstance(bit, Anchor) for bit in before):
        return ""
    within = clean(bits[len(before)].text).partition(start)[0].rstrip("\"'“‘")
    shown = [bit for bit in before if isinstance(bit, Fragment) and not bit.image]
    text = clean("".join(bit.text for bit in shown)) + within
    name = facts.without_lead(text).strip(" :：[]【】()*|,.-–—\"'“”‘’")
    is_marked = text.rstrip(" *").endswith((":", "：", "]", "】")) or any("b" in bit.look for bit in shown)
    words = spaced(name).split()
    is_general = (
        {*words} <= facts.TITLE_WORDS | facts.PRIZES | {"title", "work"} or is_label(name) or facts.is_venue(name)
    )
    is_name = re.fullmatch(r"(?=.*[A-Z\d])(?=.*[^\W\d_])[^\W_][^,]{1,29}", name) and len(words) <= 4
    return name if is_name and is_marked and not (is_general or facts.is_dated(name)) else ""
