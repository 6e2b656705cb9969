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
    rest = "".join(CUT if isinstance(bit, Anchor) or bit.image else bit.text for bit in used)
    looks = [bit.text for bit in used if isinstance(bit, Piece) and "i" in bit.look]
    badges = [text for piece in pieces if (text := badge(piece.image))]
    told = _told(rest, looks, [*badges, *(a.text for a in anchors if a.is_label)])
    words = [plain([bit]) for bit in used if isinstance(bit, Piece) and "c" in bit.look]
    words += [text for text in badges if not facts.is_venue(text) and not is_label(text)]
    entry = Entry(
        line=next(p.line for p in pieces if p.text.strip() or p.image),
        title=title,
        links=tuple(anchor for anchor in anchors if is_web(anchor.url)),
        keywords=tuple(filter(None, words)),
        path=path,
        begins=begins,
        main=main,
    )
    reference = facts.reference(_head(used)) if not title else facts.Reference()
    if reference.title and _is_title(reference.title):
        entry = replace(entry, title=reference.title, begins=True)
        told = replace(told, authors=reference.authors or told.authors)
    return replace(entry, authors=told.authors, year=told.year, venue=told.venue, summary=told.summary)


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
    places = [n for n, bit in enumerate(bits) if _may_be_title(bit)]
    if not places or quoted:
        return quoted or ("", None, bits, False)
    first = places[0]
    if _lead(bits[:first]):
        # Behind a nickname in bold there may be the title; it has more words.
        near = [n for n in places if n == first or (n <= first + 3 and _words(bits[n]) > 3 >= _words(bits[first]))]
        best = near[-1] if not isinstance(bits[first], Anchor) else first
        return _taken(bits, best, begins=True)
    before = _head(bits[: places[0]])
    if facts.is_names(before, alone=True) or (facts.is_names(before.rstrip(" .,")) and _words(bits[first]) > 1):
        return _taken(bits, first, begins=True)
    if _is_title(facts.reference(before).title):
        return "", None, bits, False
    return _taken(bits, max(places, key=lambda n: (min(_words(bits[n]), 4), -n)), begins=False)


def _may_be_title(bit: Anchor | Piece) -> bool:
    if isinstance(bit, Anchor):
        return not bit.is_label and _is_title(bit.text) and not facts.is_venue(bit.text)
    text = _bare(bit.text)
    shown = "b" in bit.look and not bit.image and _is_title(text)
    return shown and not facts.is_venue(text) and not is_label(text) and not bit.text.rstrip().startswith("[")


def _bare(text: str) -> str:
    return facts.LEAD.sub("", clean(text), count=1).strip(" .,:;|")


def _words(bit: Anchor | Piece) -> int:
    return len(spaced(bit.text).split())


def _is_title(text: str) -> bool:
    return 1 < len(text) < LONGEST and any(c.isalpha() for c in text) and not facts.is_venue(text)


def _lead(bits: Sequence[Anchor | Piece]) -> bool:
    """Whether some bits are no more than a number, a date, labels or a word in brackets."""
    text = "".join("" if isinstance(bit, Anchor) else bit.text for bit in bits if not getattr(bit, "image", ""))
    text = facts.LEAD.sub("", clean(text) + " ", count=1).strip(" .,:;|[](){}*-—–&/\"'“”‘’#>")
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
    elif isinstance(following, Piece) and "b" in following.look and "b" in getattr(bit, "look", "b"):
        pass
    anchor = bit if isinstance(bit, Anchor) else None
    return _bare_title(text), anchor, rest, begins


def _bare_title(text: str) -> str:
    bare = facts.LEAD.sub("", text, count=1) if not text.startswith("[") or "] " in text else text
    return facts.titled(bare.strip() or text)


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
        if found and len(found["text"].split()) > 2:
            before = "".join(b.text for b in bits[:n] if isinstance(b, Piece) and not b.image) + bit.text[: found.start()]
            if _lead(bits[:n]) or facts.is_names(before.strip(" ,.:"), alone=True) or len(before.split()) <= 6:
                rest = replace(bit, text=bit.text[: found.start()] + CUT + bit.text[found.end() :])
                return facts.titled(clean(found["text"])), None, [*bits[:n], rest, *bits[n + 1 :]], True
    return None


def _head(bits: Sequence[Anchor | Piece]) -> str:
    """The text before the first label or break that has one before it."""
    text = ""
    for bit in bits:
        if isinstance(bit, Anchor) or bit.image or bit.is_break:
            shown = facts.LEAD.sub("", clean(text) + " ", count=1).strip(" []().,:|-")
            if shown and not facts.is_venue(shown) and not is_label(shown):
                break
            text = "" if isinstance(bit, Anchor) else text
        elif "c" not in bit.look or text.strip():
            text += bit.text
    return clean(text).strip().rstrip("[(【,;| ").strip(" |")


def _told(rest: str, looks: Sequence[str], labels: Sequence[str]) -> Entry:
    """Authors, venue, year and summary in the text beside the title."""
    authors = next((clean(text) for text in looks if facts.is_names(text, alone=True)), "")
    chunks = [clean(chunk).strip(" []()|,;") for chunk in re.split(rf"[{CUT}\n|｜]", rest)]
    if not authors:
        names = (part.strip(" ,.;:") for chunk in chunks for part in facts.SENTENCE.split(facts.LEAD.sub("", chunk)))
        cut = (facts.VENUE.split(facts.BRACKETS.sub("", part))[0].strip(" ,.;:-") for part in names)
        authors = next((part for part in cut if part and facts.is_names(part)), "")
    text = " ".join(chunk for chunk in chunks if len(chunk.split()) < 30)
    venue, year = facts.venue_of(text)
    for label in labels:
        found = facts.venue_of(label)
        venue, year = venue or found[0], year or found[1]
    return Entry(0, authors=authors, venue=venue, year=year, summary=_summary(rest, authors))


def _summary(rest: str, authors: str) -> str:
    """What stands behind a dash or a colon and says what the work is."""
    for chunk in re.split(rf"[{CUT}\n]", rest):
        found = DASH.match(chunk.lstrip("] )"))
        text = clean(found["text"]) if found else ""
        if len(text.split()) > 3 and not facts.is_venue(text) and not (authors and authors in text):
            return text
    return ""
