"""Find the works that may be one without comparing all pairs: identifiers first, then rare words of the titles.

Every manifestation is filed under its identities, under its whole title and under each of its words. It is compared
with those in the buckets of its `RAREST` rarest words, if at least half of the shorter title's words agree. A bucket
with more than `CROWD` manifestations is not searched, so the work per record stays bounded however large the survey
is. The fewer manifestations its bucket has, the rarer is a word.
"""

from collections import defaultdict
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
    """The manifestations of a survey, filed for comparison; `add` extends it while records are written."""

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
        """The records that are the same work, a version of it, or have its identifier; best first, `near` ones last.

        Without the record itself and those that `distinct_from` or `version_of` names.
        """
        return best(match for work in manifestations(record) for match in self.matches(work))

    def look_up(self, work: Manifestation) -> tuple[Match, ...]:
        """The same for a work without a record, such as an entry of a file; its key may be any text."""
        return best(self.matches(work))

    def matches(self, work: Manifestation, *, after: int = -1) -> Iterator[Match]:
        """The matches of one manifestation, each other one compared once; those up to the place `after` are skipped."""
        seen: set[int] = set()
        for place, other in self.likely(work):
            if place <= after or place in seen:
                continue
            seen.add(place)
            match = None if self.are_apart(work, other) else compare(work, other)
            if match is not None:
                yield match

    def likely(self, work: Manifestation) -> Iterator[Filed]:
        """The manifestations worth comparing; some are given twice."""
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
        """Whether the two belong to one record, or a record says that they are two works."""
        if not a.apart:
            return False
        return b.key in a.apart or a.key in self.apart.get(b.key, ()) or b.key in self.apart.get(a.key, ())

    def pairs(self) -> tuple[Match, ...]:
        """All matches between records of the index, each pair once; best first."""
        filed = enumerate(self.works)
        return best(match for place, work in filed for match in self.matches(work, after=place))


def named(work: Manifestation) -> Iterator[Bucket]:
    """The buckets that nearly identify the work: those of its identities and of its whole title."""
    yield from sorted(work.identities)
    yield ("", "".join(work.core))


def best(matches: Iterable[Match]) -> tuple[Match, ...]:
    """One match for each pair of records, the one with the most weight; by score, then by keys; `near` ones last."""
    chosen: dict[tuple[str, ...], Match] = {}
    for match in matches:
        pair = tuple(sorted((match.a, match.b)))
        if pair not in chosen or _weight(match) > _weight(chosen[pair]):
            chosen[pair] = match
    return tuple(sorted(chosen.values(), key=lambda match: (match.kind == "near", -match.score, match.a, match.b)))


WEIGHT = {"near": 0, "version": 1, "same": 2, "wrong_link": 3}


def _weight(match: Match) -> tuple[int, float]:
    return WEIGHT[match.kind], match.score
