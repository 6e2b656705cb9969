"""Pages of authors and venues, each with its records."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, groupby
from urllib.parse import urlencode

from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import RESERVED
from awesome_cli.text.folding import fold
from awesome_cli.text.names import is_cut
from awesome_cli.text.numbers import counted

PAGES = 1000
"""Maximum number of pages of a kind; above it, the minimum number of records per page rises."""
FEWEST = 2
"""Minimum number of records for a page."""
FIRST = 100
"""Maximum number of papers on a page; the table of papers shows all."""
SLUG_LENGTH = 60


@dataclass(frozen=True)
class RecordGroup:
    """The records of an author or a venue; `path` is the page."""

    name: str
    path: str
    papers: list[Paper] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """The number of records by kind: `3 papers, 1 candidate`."""
        kinds = ((self.papers, "paper"), (self.exclusions, "exclusion"), (self.candidates, "candidate"))
        return ", ".join(counted(len(records), word) for records, word in kinds if records)

    @property
    def letter(self) -> str:
        """The heading in the index: a letter, or `#`."""
        first = fold(self.name)[:1].upper()
        return first if first.isalpha() else "#"


@dataclass(frozen=True)
class Groups:
    """The authors or venues of a survey: `by_name` those with a page, sorted.

    `counts`: number of records by name, including names without a page. `word`: `author` or `venue`; the pages are in
    the folder `{word}s`.
    """

    word: str
    by_name: Mapping[str, RecordGroup]
    counts: Mapping[str, int]

    @classmethod
    def of(cls, word: str, names: Callable[[AnyRecord], Iterable[str]], corpus: Corpus) -> "Groups":
        """Group the records by their `names`; groups without a paper have no page."""
        records = [(record, tuple(dict.fromkeys(names(record)))) for record in corpus.records]
        counts = Counter(name for _, own_names in records for name in own_names)
        with_papers = Counter(name for record, own_names in records if isinstance(record, Paper) for name in own_names)
        sizes = Counter(counts[name] for name in with_papers)
        least = next(n for n in count(FEWEST) if sum(sizes[size] for size in sizes if size >= n) <= PAGES)
        chosen = sorted((name for name in with_papers if counts[name] >= least), key=lambda name: (fold(name), name))
        groups = {name: RecordGroup(name, f"{word}s/{slug}.html") for name, slug in slugs(chosen).items()}
        for record, own_names in records:
            for name in own_names:
                if name in groups:
                    getattr(groups[name], f"{record.KIND}s").append(record)
        return cls(word, groups, counts)

    def address(self, name: str) -> str | None:
        """Return the page of a name, or a view of the table of papers; None for a name with a single record."""
        if name in self.by_name:
            return self.by_name[name].path
        return f"papers.html#{view(self.word, name)}" if self.counts.get(name, 0) >= FEWEST else None


def view(word: str, name: str) -> str:
    """Return the URL fragment that filters the table of papers: `author=Smith%2C+Ada`."""
    return urlencode({word: name})


def authors(corpus: Corpus) -> Groups:
    """Group records by authors as written, ignoring the "others" that ends a shortened list."""
    return Groups.of("author", lambda record: (name for name in record.authors if not is_cut(name)), corpus)


def venues(corpus: Corpus) -> Groups:
    """Group papers by venue."""
    return Groups.of("venue", lambda r: filter(None, [r.venue]) if isinstance(r, Paper) else (), corpus)


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a unique file name for each name: `Smith, Ada` is `smith-ada`; a digest is added if that is ambiguous."""
    slug_of: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        folded = fold(name)
        slug = "-".join(re.findall("[a-z0-9]+", folded))
        if not slug or len(slug) > SLUG_LENGTH or not folded.isascii() or slug in taken or slug in RESERVED:
            slug = f"{slug[:SLUG_LENGTH].strip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".strip("-")
        taken.add(slug)
        slug_of[name] = slug
    return slug_of


def group_pages(frame: Frame, groups: Groups) -> Iterator[SitePage]:
    """Yield the index of authors or venues and their pages; nothing without groups."""
    if not groups.by_name:
        return
    letters = [(letter, list(members)) for letter, members in groupby(groups.by_name.values(), lambda g: g.letter)]
    cut = sum(any(map(is_cut, paper.authors)) for paper in frame.corpus.papers) if groups.word == "author" else 0
    survey = frame.corpus.taxonomy.survey.title
    yield frame.page(
        f"{groups.word}s.html",
        "groups",
        title=f"{groups.word.capitalize()}s",
        description=f"{counted(len(groups.counts), groups.word)} of the records of {survey}, "
        f"{len(groups.by_name):,} of them with a page of their own.",
        styles=("paper",),
        groups=groups,
        letters=letters,
        others=len(groups.counts) - len(groups.by_name),
        cut=cut,
    )
    places = {paper.key: place for place, paper in enumerate(frame.corpus.papers)}
    for group in watched(list(groups.by_name.values()), f"writing pages of {groups.word}s"):
        yield frame.page(
            group.path,
            "group",
            title=group.name,
            description=f"{group.name} in {survey}: {group.summary}.",
            styles=("paper",),
            scripts=("assets/view.js", "assets/cite.js"),
            group=group,
            word=groups.word,
            view=view(groups.word, group.name),
            first=FIRST,
            places=[places[paper.key] for paper in group.papers],
            newest=sorted(group.papers, key=lambda paper: -(paper.year or 0)),
            cut=cut,
        )
