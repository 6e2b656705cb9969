"""Find the works that may be one without comparing all pairs: identifiers first, then rare words of the titles.

Every manifestation is filed under its identities, under its whole title and under each of its words. It is compared
with what lies in the buckets of its `RAREST` rarest words, if at least half of the shorter title's words agree. A
bucket that holds more than `CROWD` says nothing any more and is not searched, so the work per record stays bounded
however large the survey grows. How rare a word is follows from the buckets themselves as they fill.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from awesome_cli.model.records import AnyRecord
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates.scoring import Match, compare
from awesome_cli.survey.duplicates.works import Manifestation, manifestations

Bucket = tuple[str, str] | str  # an identity, a whole title behind "", or a word
Filed = tuple[int, Manifestation]  # with its place in the order of filing
CROWD = 40
RAREST = 3


class Index:
    """The manifestations of a survey, filed for comparison; it grows with `add` while records are being written."""

    def __init__(self) -> None:
        self.works: list[Manifestation] = []
        self.buckets: defaultdict[Bucket, list[Filed]] = defaultdict(list)
        self.apart: dict[str, frozenset[str]] = {}
        self.paths: dict[str, str] = {}

    @classmethod
    def of(cls, corpus: Corpus) -> "Index":
        """Everything of a corpus: papers, exclusions, and candidates where they were loaded."""
        index = cls()
        for record in corpus.records:
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
        filed = (len(self.works), work)
        self.works.append(work)
        for bucket in (*named(work), *work.decisive):
            self.buckets[bucket].append(filed)

    def find(self, record: AnyRecord) -> tuple[Match, ...]:
        """What in the index is the same work as the record, a version of it, or carries its identifier; best first.

        Records that `distinct_from` or `version_of` tells apart, and the record itself, are left out.
        """
        return best(match for work in manifestations(record) for match in self.matches(work))

    def look_up(self, work: Manifestation) -> tuple[Match, ...]:
        """Likewise for a work that is no record, such as an entry of a file; its key may be any text."""
        return best(self.matches(work))

    def matches(self, work: Manifestation, *, after: int = -1) -> Iterator[Match]:
        """The matches of one manifestation, each other manifestation compared once; `after` skips the first ones."""
        seen: set[int] = set()
        for place, other in self.likely(work):
            if place <= after or place in seen:
                continue
            seen.add(place)
            match = None if self.are_apart(work, other) else compare(work, other)
            if match is not None:
                yield match

    def likely(self, work: Manifestation) -> Iterator[Filed]:
        """The manifestations that are worth a comparison, some of them twice."""
        for bucket in named(work):
            yield from self.buckets.get(bucket, ())[:CROWD]
        found = [self.buckets[word] for word in work.decisive if word in self.buckets]
        words = work.decisive
        for others in sorted(found, key=len)[:RAREST]:
            if len(others) > CROWD:
                return
            for filed in others:
                theirs = filed[1].decisive
                if 2 * len(words & theirs) >= min(len(words), len(theirs)):
                    yield filed

    def are_apart(self, a: Manifestation, b: Manifestation) -> bool:
        """Whether the two are one record, or somebody said that they are two; what is no record is apart from none."""
        if not a.apart:
            return False
        return b.key in a.apart or a.key in self.apart.get(b.key, ()) or b.key in self.apart.get(a.key, ())

    def pairs(self) -> tuple[Match, ...]:
        """All matches between records of the index, each pair once; best first."""
        filed = enumerate(self.works)
        return best(match for place, work in filed for match in self.matches(work, after=place))


def named(work: Manifestation) -> Iterator[Bucket]:
    """The buckets that nearly say which work it is: of its identities and of its whole title."""
    yield from sorted(work.identities)
    yield ("", "".join(work.core))


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
