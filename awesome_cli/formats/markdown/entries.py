"""An entry of a list, from its pieces: what its title is, which links it has, and what else the line says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import Anchor, badge, is_label, is_web
from awesome_cli.formats.markdown.pieces import Piece, clean, plain
from awesome_cli.text.folding import spaced

DASH = re.compile(r"^\s*(?:[-—–:：]+|\|)\s*(?P<text>\S.*)$", re.DOTALL)
QUOTED = re.compile(r"[\"“”«](?P<text>[^\"“”«»]{8,300}?)[,.]?[\"“”»]")
SUBTITLE = re.compile(r"^\s*[:：]\s*(?P<text>[^|｜\n]+?)\s*(?=[|｜\n]|$)")
CUT = "\0"
"""Stands in the text of an entry where a label, a break or a badge stood."""
LONGEST = 400
"""A longer text is no title."""


@dataclass(frozen=True)
class Entry:
    """What an entry says. `columns` are the cells of its row that hold no field, by the names of the columns.

    `begins` says that its title stands at its beginning, as in a list and seldom in prose; `real` that the title was
    not told apart from other text by its place alone.
    """

    line: int
    title: str = ""
    links: tuple[Anchor, ...] = ()
    authors: str = ""
    year: int | None = None
    venue: str = ""
    summary: str = ""
    keywords: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    begins: bool = False
    main: Anchor | None = None
    columns: dict[str, str] = field(default_factory=dict)

    @property
    def papers(self) -> tuple[Anchor, ...]:
        """The links to papers: that of the title, and those with a label."""
        return tuple(a for a in self.links if a.sort == "paper" and (a is self.main or a.is_label or not self.main))

    @property
    def is_work(self) -> bool:
        """Whether it names a work and links to it."""
        return bool(self.title and self.papers)

    @property
    def says(self) -> bool:
        """Whether it says of its title what is said of works."""
        return bool(self.authors or self.venue or self.year)


def joined(entry: Entry, other: Entry) -> Entry:
    """An entry with what another part of it says."""
    return replace(
        entry,
        title=entry.title or other.title,
        links=(*entry.links, *other.links),
        authors=entry.authors or other.authors,
        year=entry.year or other.year,
        venue=entry.venue or other.venue,
        summary=entry.summary or other.summary,
        keywords=tuple(dict.fromkeys((*entry.keywords, *other.keywords))),
        columns={**other.columns, **entry.columns},
        main=entry.main or (other.main if not entry.title else None),
    )


def understood(pieces: Sequence[Piece], path: tuple[str, ...] = ()) -> Entry:
    """What the pieces of an entry say; without a title if none stands there."""
    pieces = [piece for piece in pieces if piece.text.strip() or piece.image or piece.is_break]
    if not pieces:
        return Entry(0)
    bits = _bits(pieces)
    anchors = tuple(bit for bit in bits if isinstance(bit, Anchor))
    title, main, used, begins = _title(bits)
    authors = ""
    if not title:
        head = _head(used)
        reference = facts.reference(head)
        if reference.title and _is_title(reference.title):
            title, authors, begins = reference.title, reference.authors, True
    told = _told(
        used,
        title if authors or begins and not main else "",
        [*_labels(pieces, anchors), *facts.BRACKETS.findall(plain(pieces)[:200])],
    )
    return replace(
        told,
        line=next((p.line for p in pieces if p.text.strip() or p.image), 0),
        title=title,
        authors=authors or told.authors,
        links=tuple(anchor for anchor in anchors if is_web(anchor.url)),
        keywords=_keywords(used, pieces),
        path=path,
        begins=begins,
        main=main,
    )


def _labels(pieces: Sequence[Piece], anchors: Sequence[Anchor]) -> list[str]:
    """The texts of badges and labels, which may tell of venue and year."""
    return [*filter(None, (badge(piece.image) for piece in pieces)), *(a.text for a in anchors if a.is_label)]


def _keywords(used: Sequence[Anchor | Piece], pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Words in code beside the title, and badges that are neither links nor venues."""
    words = [plain([bit]) for bit in used if isinstance(bit, Piece) and "c" in bit.look]
    words += [text for piece in pieces if not piece.url and (text := badge(piece.image)) and not is_label(text)]
    return tuple(dict.fromkeys(word for word in words if word and not facts.is_venue(word)))


def _bits(pieces: Sequence[Piece]) -> list[Anchor | Piece]:
    """The pieces, with those of one link together as an anchor."""
    found: list[Anchor | Piece] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url):
        parts = list(group)
        if not url:
            found += parts
            continue
        text = plain(parts) or next((badge(p.image) or clean(p.text) for p in parts if p.image), "")
        is_picture = all(p.image or not p.text.strip() for p in parts)
        within = bool(found) and isinstance(found[-1], Piece) and found[-1].text.rstrip().endswith(("[", "【"))
        label = is_picture or is_label(text) or (within and len(text.split()) <= 4)
        found.append(Anchor(text, url, parts[0].line, label or not is_web(url)))
    return found


Found = tuple[str, Anchor | None, list[Anchor | Piece], bool]


def _title(bits: list[Anchor | Piece]) -> Found:
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
    before = facts.without_lead(_head(bits[:first])).strip()
    is_one = _words(bits[first]) > 3 and (len(before.split()) <= 3 or before[-1:] in ':："“')
    if is_one or facts.is_names(before.strip(' .,"“'), alone=_words(bits[first]) > 1):
        return _taken(bits, first, begins=True)
    has_label = any(isinstance(bit, Anchor) and bit.is_label and is_web(bit.url) for bit in bits)
    is_other = isinstance(bits[first], Anchor) and bits[first].sort != "paper"
    if (has_label or is_other or not isinstance(bits[first], Anchor)) and _is_title(facts.reference(before).title):
        return "", None, bits, False
    return _taken(bits, max(places, key=lambda n: (min(_words(bits[n]), 4), -n)), begins=False)


def _is_nickname(bits: Sequence[Anchor | Piece], at: int) -> bool:
    """Whether a text stands in square brackets, or is the caption of a link behind its colon."""
    if isinstance(bits[at], Anchor):
        return False
    behind = [bit for bit in bits[at + 1 :] if isinstance(bit, Anchor) or bit.text.strip()]
    titled = [n for n, bit in enumerate(behind) if isinstance(bit, Anchor) and not bit.is_label]
    if bits[at].text.rstrip().endswith((":", "：")) and titled and (titled[0] == 0 or _words(bits[at]) > 3):
        return True
    before, after = (bits[n].text if 0 <= n < len(bits) else "" for n in (at - 1, at + 1))
    return before.rstrip().endswith("[") and after.startswith("]")


def _may_be_title(bit: Anchor | Piece) -> bool:
    if isinstance(bit, Anchor):
        return not bit.is_label and _is_title(bit.text) and not facts.is_venue(bit.text)
    text = _bare(bit.text)
    shown = "b" in bit.look and not bit.image and _is_title(text)
    return shown and not facts.is_venue(text) and not is_label(text) and not bit.text.rstrip().startswith("[")


def _bare(text: str) -> str:
    return facts.without_lead(clean(text)).strip(" .,:;|")


def _words(bit: Anchor | Piece) -> int:
    return len(spaced(bit.text).split())


def _is_title(text: str) -> bool:
    return 1 < len(text) < LONGEST and any(c.isalpha() for c in text) and not facts.is_venue(text)


def _lead(bits: Sequence[Anchor | Piece]) -> bool:
    """Whether some bits are no more than a number, a date, labels or a word in brackets."""
    text = "".join("" if isinstance(bit, Anchor) else bit.text for bit in bits if not getattr(bit, "image", ""))
    text = facts.without_lead(clean(text) + " ").strip(" .,:;|[](){}*-—–&/\"'“”‘’#>")
    return not text or facts.is_venue(text) or is_label(text) or (len(text.split()) < 2 and len(bits) < 3)


def _taken(bits: list[Anchor | Piece], at: int, *, begins: bool) -> Found:
    """The title at a place, with the subtitle behind its colon."""
    bit = bits[at]
    text = clean(bit.text)
    rest = [*bits[:at], *bits[at + 1 :]]
    following = bits[at + 1] if at + 1 < len(bits) else None
    if isinstance(following, Piece) and not following.image and "i" not in following.look:
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


def _quoted(bits: list[Anchor | Piece]) -> Found | None:
    """A title in quotes, behind authors or a nickname; None without one."""
    for n, bit in enumerate(bits):
        if isinstance(bit, Anchor):
            return None
        found = QUOTED.search(bit.text) if not bit.image else None
        if found and len(found["text"].split()) > 2 and bit.text[found.end() :].lstrip()[:1] not in {":", "："}:
            before = (
                "".join(b.text for b in bits[:n] if isinstance(b, Piece) and not b.image) + bit.text[: found.start()]
            )
            if _lead(bits[:n]) or facts.is_names(before.strip(" ,.:"), alone=True) or len(before.split()) <= 6:
                rest = replace(bit, text=bit.text[: found.start()] + CUT + bit.text[found.end() :])
                return facts.titled(clean(found["text"])), None, [*bits[:n], rest, *bits[n + 1 :]], True
    return None


def _head(bits: Sequence[Anchor | Piece]) -> str:
    """The text before the first label, break or slanted text that has one before it."""
    text = ""
    for bit in bits:
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


def _told(used: Sequence[Anchor | Piece], title: str, labels: Sequence[str]) -> Entry:
    """Authors, venue, year and summary in the text beside the title."""
    rest = "".join(CUT if isinstance(bit, Anchor) or bit.image else bit.text for bit in used)
    if title:
        at = clean(rest).find(title)
        rest = clean(rest)[at + len(title) :] if at >= 0 else rest
    authors = next(filter(None, map(_slanted, used, [None, *used])), "")
    chunks = [clean(chunk).strip(" []()|,;") for chunk in re.split(rf"[{CUT}\n|｜]", rest)]
    if not authors:
        names = (part.strip(" ,.;:") for chunk in chunks for part in facts.SENTENCE.split(facts.without_lead(chunk)))
        authors = next((part for part in map(facts.names_in, names) if part and facts.is_names(part)), "")
    text = " ".join(chunk for chunk in chunks if len(chunk.split()) < 30)
    venue, year = facts.venue_of(text)
    for label in labels:
        found = facts.venue_of(label)
        venue, year = venue or found[0], year or found[1]
    return Entry(0, authors=authors, venue=venue, year=year, summary=_summary(rest, authors))


def _slanted(bit: Anchor | Piece, before: Anchor | Piece | None) -> str:
    """The authors in slanted text; a word alone in brackets is an institution."""
    if isinstance(bit, Anchor) or "i" not in bit.look or facts.is_venue(bit.text):
        return ""
    text = facts.names_in(clean(bit.text))
    in_brackets = isinstance(before, Piece) and before.text.rstrip().endswith("(")
    return text if facts.is_names(text, alone=True) and not (in_brackets and " " not in text) else ""


def _summary(rest: str, authors: str) -> str:
    """What stands behind a dash or a colon and says what the work is."""
    for chunk in re.split(rf"[{CUT}\n]", rest):
        found = DASH.match(chunk.lstrip("] )"))
        text = clean(found["text"]) if found else ""
        if len(text.split()) > 3 and not facts.is_venue(text) and not (authors and authors in text):
            return text
    return ""
