"""Find the works that may be one without comparing all pairs: identifiers first, then rare words of the titles.

Every manifestation is filed under its identities, under its whole title, and under pairs of neighbours among its
rarest words. Two titles of one work share such a pair unless most of their words differ. A drawer that grows beyond
`CROWD` says nothing any more and is not searched, so the work per record stays bounded.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from awesome_cli.corpus import Corpus
from awesome_cli.dedupe.scoring import Match, compare
from awesome_cli.dedupe.works import Manifestation, manifestations
from awesome_cli.keys import STOP
from awesome_cli.records import AnyRecord

Drawer = tuple[str, ...]
CROWD = 40


class Index:
    """The manifestations of a survey, filed for comparison; it grows with `add` while records are being written."""

    def __init__(self) -> None:
        self.drawers: defaultdict[Drawer, list[Manifestation]] = defaultdict(list)
        self.apart: dict[str, frozenset[str]] = {}
        self.paths: dict[str, str] = {}

    @classmethod
    def of(cls, corpus: Corpus) -> "Index":
        """Everything of a corpus: papers, exclusions, and candidates where they were loaded."""
        index = cls()
        records: list[AnyRecord] = [*corpus.papers, *corpus.exclusions, *corpus.candidates]
        for record in records:
            index.add(record)
        return index

    def add(self, record: AnyRecord) -> None:
        """File a record with all its versions."""
        self.paths[record.key] = record.path
        for work in manifestations(record):
            self.file(work)

    def file(self, work: Manifestation) -> None:
        """File one manifestation."""
        self.apart[work.key] = self.apart.get(work.key, frozenset()) | work.apart
        for drawer in drawers(work):
            self.drawers[drawer].append(work)

    def find(self, record: AnyRecord) -> tuple[Match, ...]:
        """What in the index is the same work as the record, a version of it, or carries its identifier; best first.

        Records that `distinct_from` or `version_of` tells apart, and the record itself, are left out.
        """
        return best(match for work in manifestations(record) for match in self.matches(work))

    def matches(self, work: Manifestation) -> Iterator[Match]:
        """The matches of one manifestation, each other manifestation compared once."""
        seen: set[int] = set()
        for drawer in drawers(work):
            found = self.drawers.get(drawer, ())
            if len(found) > CROWD and drawer[0] == "words":
                continue
            for other in found[:CROWD]:
                if id(other) in seen or self.are_apart(work, other):
                    continue
                seen.add(id(other))
                match = compare(work, other)
                if match is not None:
                    yield match

    def are_apart(self, a: Manifestation, b: Manifestation) -> bool:
        """Whether the two are one record, or somebody said that they are two."""
        return b.key in a.apart or a.key in self.apart.get(b.key, ()) or b.key in self.apart.get(a.key, ())

    def pairs(self) -> tuple[Match, ...]:
        """All matches between records of the index, each pair once; best first."""
        works = {id(work): work for drawer in self.drawers.values() for work in drawer}
        return best(match for work in works.values() for match in self.matches(work))


def drawers(work: Manifestation) -> Iterator[Drawer]:
    """Where a manifestation is filed."""
    for scheme, text in sorted(work.identities):
        yield ("id", scheme, text)
    yield ("title", "".join(work.core))
    words = sorted({word for word in work.core if word not in STOP}, key=lambda word: (-len(word), word))[:6]
    for i, first in enumerate(words):
        for second in words[i + 1 : i + 3]:
            yield ("words", first, second)


def best(matches: Iterable[Match]) -> tuple[Match, ...]:
    """One match for each pair of records, the one that says most; by score, then by keys."""
    chosen: dict[tuple[str, ...], Match] = {}
    for match in matches:
        pair = tuple(sorted((match.a, match.b)))
        if pair not in chosen or _weight(match) > _weight(chosen[pair]):
            chosen[pair] = match
    return tuple(sorted(chosen.values(), key=lambda match: (-match.score, match.a, match.b)))


WEIGHT = Counter({"same": 2, "version": 1, "wrong_link": 3})


def _weight(match: Match) -> tuple[int, float]:
    return WEIGHT[match.kind], match.score
