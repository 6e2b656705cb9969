"""An entry of a list, from its pieces: what its title is, which links it has, and what else the line says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import Anchor, badge, is_kept, is_label
from awesome_cli.formats.markdown.pieces import Fragment, clean, plain
from awesome_cli.formats.markdown.titles import CUT, Bit, head_of, is_title, title_of

DASH = re.compile(r"^\s*(?:[-—–:：]+|\|)\s*(?P<text>\S.*)$", re.DOTALL)


WORDY = 30
"""A text with more words, told from what stands around it by marks alone, is prose and no title."""


@dataclass(frozen=True)
class ListEntry:
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
    bits: tuple[Bit, ...] = ()

    @property
    def papers(self) -> tuple[Anchor, ...]:
        """The links to papers: that of the title, and those with a label."""
        return tuple(a for a in self.links if a.sort == "paper" and (a is self.main or a.is_label or not self.main))

    @property
    def is_work(self) -> bool:
        """Whether it names a work and links to it."""
        return bool(self.title and self.papers)

    @property
    def is_entry(self) -> bool:
        """Whether it names anything and links to it, at its beginning or by a label."""
        return bool(self.title and self.links and self.begins and (self.main or all(a.is_label for a in self.links)))

    @property
    def says(self) -> bool:
        """Whether it says of its title what is said of works."""
        return bool(self.authors or self.venue or self.year)


def joined(entry: ListEntry, other: ListEntry) -> ListEntry:
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


def understood(pieces: Sequence[Fragment], path: tuple[str, ...] = ()) -> ListEntry:
    """What the pieces of an entry say; without a title if none stands there."""
    pieces = [piece for piece in pieces if piece.text.strip() or piece.image or piece.is_break]
    if not pieces:
        return ListEntry(0)
    bits = _bits(pieces)
    anchors = tuple(bit for bit in bits if isinstance(bit, Anchor))
    title, main, used, begins = title_of(bits)
    authors = ""
    if not title:
        head = head_of(used)
        found, names = facts.reference(head)
        if is_title(found) and len(found.split()) <= WORDY:
            title, authors, begins = found, names, True
    told = _told(
        used,
        title if authors or (begins and not main) else "",
        [*_labels(pieces, anchors), *facts.BRACKETS.findall(plain(pieces)[:200])],
    )
    return replace(
        told,
        bits=tuple(bits),
        line=next((p.line for p in pieces if p.text.strip() or p.image), 0),
        title=title,
        authors=authors or told.authors,
        links=tuple(anchor for anchor in anchors if is_kept(anchor.url)),
        keywords=_keywords(used, pieces),
        path=path,
        begins=begins,
        main=main,
    )


def elsewhere(entry: ListEntry) -> ListEntry:
    """An entry as one that leads to no paper: a link at its beginning names it, and all behind a dash describes it."""
    first = next((n for n, bit in enumerate(entry.bits) if isinstance(bit, Anchor) or bit.text.strip()), 0)
    at = entry.bits.index(entry.main) if entry.main in entry.bits else first
    if not entry.bits or not isinstance(main := entry.bits[at], Anchor):
        return entry
    behind = entry.bits[at + 1 :]
    shown = (bit.text for bit in behind if not (bit.is_label if isinstance(bit, Anchor) else bit.image))
    found = DASH.match(clean("".join(shown)).lstrip("] )"))
    if entry.main is None and not (is_kept(main.url) and main.text and (found or len(main.text.split()) > 1)):
        return entry
    summary = found["text"] if found else entry.summary
    return replace(entry, title=facts.titled(main.text), main=main, begins=True, summary=summary)


def _labels(pieces: Sequence[Fragment], anchors: Sequence[Anchor]) -> list[str]:
    """The texts of badges and labels, which may tell of venue and year."""
    return [*filter(None, (badge(piece.image) for piece in pieces)), *(a.text for a in anchors if a.is_label)]


def _keywords(used: Sequence[Bit], pieces: Sequence[Fragment]) -> tuple[str, ...]:
    """Words in code beside the title, and badges that are neither links nor venues."""
    words = [plain([bit]) for bit in used if isinstance(bit, Fragment) and "c" in bit.look]
    words += [text for piece in pieces if not piece.url and (text := badge(piece.image)) and not is_label(text)]
    return tuple(dict.fromkeys(word for word in words if word and not facts.is_venue(word)))


def _bits(pieces: Sequence[Fragment]) -> list[Bit]:
    """The pieces, with those of one link together as an anchor."""
    found: list[Bit] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url):
        parts = list(group)
        if not url:
            found += _whole_bold(parts)
            continue
        text = plain(parts) or next((badge(p.image) or clean(p.text) for p in parts if p.image), "")
        is_picture = all(p.image or not p.text.strip() for p in parts)
        within = bool(found) and isinstance(found[-1], Fragment) and found[-1].text.rstrip().endswith(("[", "【"))
        label = is_picture or is_label(text) or (within and len(text.split()) <= 4)
        found.append(Anchor(text, url, parts[0].line, label or not is_kept(url)))
    return found


def _whole_bold(pieces: Sequence[Fragment]) -> list[Fragment]:
    """The pieces, with bold ones beside each other as one, whatever else their look is."""
    found: list[Fragment] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last and "b" in last.look and "b" in piece.look and not (last.is_break or piece.is_break or piece.image):
            found[-1] = replace(last, text=last.text + piece.text, look="b")
        else:
            found.append(piece)
    return found


def _told(used: Sequence[Bit], title: str, labels: Sequence[str]) -> ListEntry:
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
    return ListEntry(0, authors=authors, venue=venue, year=year, summary=_summary(rest, authors))


def _slanted(bit: Bit, before: Bit | None) -> str:
    """The authors in slanted text; a word alone in brackets is an institution."""
    if isinstance(bit, Anchor) or "i" not in bit.look or facts.is_venue(bit.text):
        return ""
    text = facts.names_in(clean(bit.text))
    in_brackets = isinstance(before, Fragment) and before.text.rstrip().endswith("(")
    return text if facts.is_names(text, alone=True) and not (in_brackets and "," not in text) else ""


def _summary(rest: str, authors: str) -> str:
    """What stands behind a dash or a colon and says what the work is."""
    for chunk in re.split(rf"[{CUT}\n]", rest):
        found = DASH.match(chunk.lstrip("] )"))
        text = clean(found["text"]) if found else ""
        if len(text.split()) > 3 and not facts.is_venue(text) and not (authors and authors in text):
            return text
    return ""
