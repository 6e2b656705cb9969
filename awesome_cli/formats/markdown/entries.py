"""Parse the entries of a list: title, links, authors, venue, year and summary.

A part of a page may have one entry, an entry per line, or an entry per link to a paper. Entries of the same work are
merged; the work keeps the headings of all its entries.

`**On Tea** ([paper](https://arxiv.org/abs/2402.01680)) - A study of cups` has the title in bold, a labelled link, and
a summary after the dash.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.links import Anchor, badge, ids_of, is_kept, is_label, sort_of
from awesome_cli.formats.markdown.page import BREAK, Fragment, Part, clean, plain
from awesome_cli.formats.markdown.titles import CUT, Bit, head_of, is_title, nickname_of, title_of
from awesome_cli.text.folding import spaced

DASH = re.compile(r"^\s*(?:[-—–:：]+|\|)\s*(?P<text>\S.*)$", re.DOTALL)
WORDY = 30
"""Maximum number of words of a title that is separated by punctuation only; longer text is prose."""


@dataclass(frozen=True)
class ListEntry:
    """A parsed entry of a list or table. `main` is the link of the title.

    `begins` is True if the title comes first. `columns` are the cells of a row that have no field, by column name.
    `nickname` is the short name of a work before its title. `is_unlinked` is True for a work without a link, of which
    only its title, authors, venue or year are known.
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
    nickname: str = ""
    is_unlinked: bool = False

    @property
    def papers(self) -> tuple[Anchor, ...]:
        """The links that lead to a paper: the title's link, and links with a label."""
        return tuple(a for a in self.links if a.sort == "paper" and (a is self.main or a.is_label or not self.main))

    @property
    def is_work(self) -> bool:
        """True if the entry has a title and a link to a paper."""
        return bool(self.title and self.papers)

    @property
    def is_entry(self) -> bool:
        """True if the entry starts with a title and has a link on the title or on a label."""
        return bool(self.title and self.links and self.begins and (self.main or all(a.is_label for a in self.links)))

    @property
    def has_facts(self) -> bool:
        """True if the entry has an author, venue or year."""
        return bool(self.authors or self.venue or self.year)


def merge_entries(entry: ListEntry, other: ListEntry) -> ListEntry:
    """Fill the missing values of `entry` from `other`, which describes the same work."""
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
        nickname=entry.nickname or other.nickname,
    )


def parse_entry(pieces: Sequence[Fragment], path: tuple[str, ...] = ()) -> ListEntry:
    """Parse the fragments of an entry; the title is '' if none is recognised."""
    pieces = list(_without_blanks(pieces))
    if not pieces:
        return ListEntry(0)
    bits = _bits(pieces)
    anchors = tuple(bit for bit in bits if isinstance(bit, Anchor))
    title, main, used, begins = title_of(bits)
    authors = place = ""
    if not title:
        head, place = facts.without_place(head_of(used))
        name, people = facts.reference(head)
        if is_title(name) and len(name.split()) <= WORDY:
            title, authors, begins = name, people, True
    badges = filter(None, (badge(piece.image) for piece in pieces))
    labels = [*badges, *(a.text for a in anchors if a.is_label), *facts.BRACKETS.findall(plain(pieces)[:200])]
    labels = [label for label in labels if not (title and (title in label or label in title))]
    labels += [f"({place})"] if place else []
    nickname = nickname_of(bits, title)
    around = next((clean(bit.text).split(title, 1) for bit in bits if title and title in clean(bit.text)), [])
    entry = _parse_facts(used, title if authors or (begins and not main) else "", [*labels, *around], nickname)
    return replace(
        entry,
        nickname=nickname,
        bits=tuple(bits),
        line=next((p.line for p in pieces if p.text.strip() or p.image), 0),
        title=title,
        authors=authors or entry.authors,
        summary="" if entry.summary.strip(" .") in authors else entry.summary,
        links=tuple(_uncited(anchor) for anchor in anchors if is_kept(anchor.url)),
        keywords=_keywords(used, pieces),
        path=path,
        begins=begins,
        main=main,
    )


def _without_blanks(pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """Drop the fragments that are only spaces; the next text begins with a space instead."""
    space = ""
    for piece in pieces:
        if piece.text.strip() or piece.image or piece.is_break:
            yield replace(piece, text=space + piece.text) if space and not (piece.url or piece.is_break) else piece
            space = ""
        else:
            space = " " if piece.text else space


def as_other_entry(entry: ListEntry) -> ListEntry:
    """Reinterpret an entry without a paper: use the first link as the title, and text after a dash as the summary."""
    first = next((n for n, bit in enumerate(entry.bits) if isinstance(bit, Anchor) or bit.text.strip()), 0)
    at = entry.bits.index(entry.main) if entry.main in entry.bits else first
    if not entry.bits or not isinstance(main := entry.bits[at], Anchor):
        return entry
    behind = entry.bits[at + 1 :]
    shown = (bit.text for bit in behind if not (bit.is_label if isinstance(bit, Anchor) else bit.image))
    dash = DASH.match(clean("".join(shown)).lstrip("] )"))
    if entry.main is None and not (is_kept(main.url) and main.text and (dash or len(main.text.split()) > 1)):
        return entry
    summary = dash["text"] if dash else entry.summary
    return replace(entry, title=facts.titled(main.text), main=main, begins=True, summary=summary)


def _uncited(anchor: Anchor) -> Anchor:
    """Return a link without a citation as its label, since the citation becomes authors and year."""
    return replace(anchor, text="") if anchor.is_label and facts.cited_authors(anchor.text) else anchor


def _keywords(used: Sequence[Bit], pieces: Sequence[Fragment]) -> tuple[str, ...]:
    """Return the keywords: text in code format beside the title, and badges that are neither links nor venues."""
    words = [plain([bit]) for bit in used if isinstance(bit, Fragment) and "c" in bit.look]
    words += [text for piece in pieces if not piece.url and (text := badge(piece.image)) and not is_label(text)]
    return tuple(dict.fromkeys(word for word in words if word and not facts.is_venue(word)))


def _bits(pieces: Sequence[Fragment]) -> list[Bit]:
    """Combine the fragments of each link into an anchor."""
    bits: list[Bit] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url):
        parts = list(group)
        if not url:
            bits += _whole_bold(parts)
            continue
        text = plain(parts) or next((badge(p.image) or clean(p.text) for p in parts if p.image), "")
        is_picture = all(p.image or not p.text.strip() for p in parts)
        within = bool(bits) and isinstance(bits[-1], Fragment) and bits[-1].text.rstrip().endswith(("[", "【"))
        label = is_picture or is_label(text) or bool(facts.cited_authors(text)) or (within and len(text.split()) <= 4)
        bits.append(Anchor(text, url, parts[0].line, label or not is_kept(url)))
    return bits


def _whole_bold(pieces: Sequence[Fragment]) -> list[Fragment]:
    """Merge adjacent bold fragments, regardless of other formatting."""
    merged: list[Fragment] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if last and "b" in last.look and "b" in piece.look and not (last.is_break or piece.is_break or piece.image):
            merged[-1] = replace(last, text=last.text + piece.text, look="b")
        else:
            merged.append(piece)
    return merged


def _parse_facts(used: Sequence[Bit], title: str, labels: Sequence[str], nickname: str) -> ListEntry:
    """Extract authors, venue, year and summary from the text beside the title; venue and year also from `labels`."""
    rest = "".join(CUT if isinstance(bit, Anchor) or bit.image else bit.text for bit in used)
    if nickname:
        rest = rest.partition(nickname)[2].lstrip(" :：*]】)")
    if title:
        at = clean(rest).find(title)
        labels = [*labels, f"({clean(rest)[: max(at, 0)].strip(' -–—:|[]')})"]
        rest = clean(rest)[at + len(title) :] if at >= 0 else rest
    slanted = _slanted(used)
    apart = rest = MARKS.sub("", rest)
    for text, _ in slanted:
        apart = apart.replace(text, CUT)
    parts = [part for chunk in _chunks(apart) for part in APART.split(chunk)]
    names = [facts.without_lead(part).lstrip(" .,–—-") for part in parts]
    has_venue = facts.venue_of(apart)[0] not in {"", "Nature", "Science"}
    authors = facts.authors(names, slanted, has_venue=has_venue)
    authors = authors or next(filter(None, map(facts.cited_authors, labels)), "")
    slanted = [pair for pair in slanted if not authors or authors not in pair[0]]
    journal = facts.journal(apart, slanted, rest, has_authors=bool(authors))
    dated = any(facts.YEAR_BEHIND.match(behind) or facts.VOLUME_BEHIND.match(behind) for _, behind in slanted)
    if not authors and (journal or facts.VENUE.search(rest) or dated):
        authors = next(filter(None, (facts.one_author(name, has_venue=has_venue) for name in names)), "")
        journal = journal or facts.journal(apart, slanted, rest, has_authors=bool(authors))
    text = " ".join(chunk for chunk in _chunks(rest) if len(chunk.split()) < 30)
    venue, year = facts.venue_of(text)
    for label in labels:
        label_venue, label_year = facts.venue_of(label)
        venue, year = venue or label_venue, year or label_year
    left = [part for chunk in _chunks(rest.replace(authors or CUT, CUT)) for part in APART.split(chunk)]
    in_brackets = [facts.bracketed(label) for label in labels if label[:1] in "[(（【"]
    is_cited = {part for part in left if facts.year_in(part) and (authors or re.search("[A-Z]{2}", part))}
    in_brackets += [facts.bracketed(part.strip(" .,;")) for part in left if part in is_cited]
    venue = journal or venue or next((name for name, _ in in_brackets if name), "")
    year = year or next((dated for _, dated in in_brackets if dated), None)
    summary = _summary(rest, authors)
    described = facts.remainder(summary, authors, venue, nickname)
    if not summary:
        whole = " ".join(filter(None, _chunks(rest))).removeprefix(nickname).strip(" .,;:–—-[]")
        texts = [part for part in left if len(part.split()) > 1 and not re.match(facts.YEAR, part)] * bool(
            venue or year
        )
        texts = [text for text in texts if not facts.is_names(text, alone=True)]
        texts = [whole] if facts.is_unsure(names, slanted, authors, venue) else texts
        told = (facts.remainder(text, authors, venue, nickname) for text in texts)
        summary = described = next(filter(None, told), "")
    summary = summary if described else ""
    return ListEntry(0, authors=authors, venue=venue, year=year, summary=summary)


APART = re.compile(r"\s[-–—]+\s|(?<=\d)\.\s")
"""Separators of venue and description."""
MARKS = re.compile(r"\$\^?\{?[\d,*†‡]+\}?\$|[*†‡¹²³⁴]+(?=[,;\s]|$)")
"""Marks of affiliations behind names."""


def _chunks(text: str) -> list[str]:
    return [clean(chunk).strip(" []()|,;") for chunk in re.split(rf"[{CUT}\n|｜·•]", text)]


def _slanted(bits: Sequence[Bit]) -> list[tuple[str, str]]:
    """Return `(text in italics, text after it)` pairs."""
    texts = []
    for n, bit in enumerate(bits):
        if isinstance(bit, Fragment) and "i" in bit.look and len(text := clean(bit.text)) > 2:
            behind = "".join(b.text for b in bits[n + 1 : n + 4] if isinstance(b, Fragment) and not b.image)
            texts.append((text, behind[:60]))
    return texts


def _summary(rest: str, authors: str) -> str:
    """Return the description after a dash or a colon."""
    for chunk in re.split(rf"[{CUT}\n]", rest):
        dash = DASH.match(chunk.lstrip("] )"))
        text = clean(dash["text"]) if dash else ""
        if len(text.split()) > 3 and not facts.is_venue(text) and not (authors and authors in text):
            return text
    return ""


def split_entries(parts: Sequence[Part], path: tuple[str, ...]) -> list[ListEntry]:
    """Split parts into entries: a line with a title and a paper starts an entry, other lines continue it."""
    lines = [line for part in parts for line in lines_of(part)]
    full = [line for line in lines if any(piece.text.strip() or piece.image for piece in line)]
    groups: list[list[list[Fragment]]] = []
    for line in full:
        if not groups or (_begins(line) and parse_entry(_whole(groups[-1])).is_work):
            groups.append([line])
        else:
            groups[-1].append(line)
    return [entry for group in groups for entry in split_titles(_whole(group), path)]


def lines_of(part: Part) -> list[list[Fragment]]:
    """Split a part at its breaks."""
    return [list(run) for is_break, run in groupby(part.pieces, key=lambda piece: piece.is_break) if not is_break]


def _begins(line: list[Fragment]) -> bool:
    head = parse_entry(line)
    return head.is_work and head.begins


def _whole(lines: Sequence[list[Fragment]]) -> list[Fragment]:
    return [piece for line in lines for piece in (*line, Fragment(BREAK, line[-1].line))]


def split_titles(pieces: list[Fragment], path: tuple[str, ...]) -> list[ListEntry]:
    """Return an entry for each title that links to a paper, or a single entry if at most one title does."""
    entry = parse_entry(pieces, path)
    bare = not any(c.isalnum() for p in pieces if not p.url and not p.image for c in p.text)
    titled = [
        a for a in entry.links if not a.is_label and sort_of(a.url) == "paper" and (bare or len(a.text.split()) > 3)
    ]
    if len({a.url for a in titled}) < 2 or not entry.begins or entry.main not in titled:
        return [entry]
    further = [ListEntry(a.line, a.text, (a,), path=path, begins=True, main=a) for a in titled if a != entry.main]
    return [replace(entry, links=tuple(a for a in entry.links if a not in titled or a == entry.main)), *further]


def is_bold_line(part: Part) -> bool:
    shown = [piece for piece in part.pieces if piece.text.strip()]
    text = plain(shown)
    is_bold = bool(shown) and all(
        "b" in p.look and not is_kept(p.url) for p in shown if any(c.isalnum() for c in p.text)
    )
    return is_bold and 0 < len(text.split()) <= 10 and not text.endswith((".", "!", "?"))


@dataclass
class ListedWork:
    """A work: its merged entry, and the headings above each occurrence."""

    entry: ListEntry
    paths: list[tuple[str, ...]] = field(default_factory=list)
    ids: dict[str, object] = field(default_factory=dict)


def works(entries: Iterable[ListEntry]) -> list[ListedWork]:
    """Merge the entries that share an identifier, a link to a paper, or a title; return the works in order."""
    results: list[ListedWork] = []
    by_name: dict[object, ListedWork] = {}
    for entry in entries:
        ids = {name: value for anchor in reversed(entry.papers) for name, value in ids_of(anchor.url).items()}
        names = _names(entry, ids)
        work = next((by_name[name] for name in names if name in by_name and _is_one(by_name[name], entry, ids)), None)
        if work is None:
            work = ListedWork(entry)
            results.append(work)
        else:
            work.entry = _better(work.entry, entry)
        work.paths += [entry.path] if entry.path and entry.path not in work.paths else []
        work.ids = {**ids, **work.ids}
        for name in names:
            by_name.setdefault(name, work)
    return results


def _names(entry: ListEntry, ids: dict[str, object]) -> list[object]:
    """Return the keys that identify a paper: identifiers, links, title; for any other work, link and title together."""
    title = ("title", spaced(entry.title))
    if entry.main and not entry.papers:
        return [(entry.main.url, title)]
    links = [anchor.url.split("://")[-1].removeprefix("www.").rstrip("/") for anchor in entry.papers]
    return [*((s, v) for s, v in ids.items() if s != "arxiv_version"), *links, title]


def _is_one(work: ListedWork, entry: ListEntry, ids: dict[str, object]) -> bool:
    """True if an entry that shares a key with a work is that work; a list may use one link for two works."""
    old, new = (set(spaced(title).split()) for title in (work.entry.title, entry.title))
    same = old == new
    differs = any(work.ids.get(scheme, value) != value for scheme, value in ids.items() if scheme != "arxiv_version")
    if differs and not (same and len(old) > 4):
        return False
    is_short = any(len(title.split()) <= 3 for title in (work.entry.title, entry.title))
    return same or is_short or 4 * len(old & new) >= 3 * min(len(old), len(new))


def _better(first: ListEntry, other: ListEntry) -> ListEntry:
    """Merge two entries of a work; a full title takes precedence over a nickname."""
    whole = merge_entries(first, replace(other, main=first.main or other.main))
    is_nickname = len(first.title.split()) <= 3 < len(other.title.split())
    return replace(whole, title=other.title) if is_nickname else whole
