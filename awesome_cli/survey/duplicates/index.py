"""Find the works that may be one without comparing all pairs: identifiers first, then rare words of the titles.

Every manifestation is filed under its identities, its whole title, where that begins and ends, each of its words, and
pairs of a long word with a family name or another long word. It is compared with those in the buckets of its `RAREST`
rarest words and of its pairs, if at least half of the shorter title's words agree. Of a bucket with more than `CROWD`
manifestations only the first `FEW` are compared, and only if its key nearly identifies a work; the pairs divide what
stands in such a bucket. So the work per record stays bounded however large the survey is and whatever stands in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

from awesome_cli.model.records import AnyRecord
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates.scoring import Match, compare
from awesome_cli.survey.duplicates.works import Manifestation, manifestations

Bucket = tuple[str, ...] | str  # an identity, a whole title or a piece of it behind a sign, a pair, or a word
Places = int | list[int]  # most buckets hold one work
CROWD = 40
FEW = 5
RAREST = 3
PAIRED = range(1, CROWD // 2)
END = 20
"""The letters of the piece of a title under which it is filed."""


class Index:
    """The manifestations of a survey, filed for comparison; `add` extends it while records are written."""

    def __init__(self) -> None:
        self.works: list[Manifestation] = []
        self.sought: tuple[AnyRecord | None, tuple[Manifestation, ...]] = None, ()
        self.buckets: dict[int, Places] = {}  # by the hash of the bucket: the keys themselves are most of the memory
        self.apart: dict[str, frozenset[str]] = {}
        self.paths: dict[str, str] = {}

    @classmethod
    def of(cls, corpus: Corpus) -> "Index":
        """Everything of a corpus: papers, exclusions, and candidates where they were loaded."""
        index = cls()
        for record in watched(corpus.records, "preparing records"):
            index.add(record)
        return index

    def add(self, record: AnyRecord) -> None:
        """File a record with all its versions."""
        self.paths[record.key] = record.path
        for work in self.manifestations(record):
            self.file(work)

    def manifestations(self, record: AnyRecord) -> tuple[Manifestation, ...]:
        """Those of a record, made once for a record that is looked up before it is added."""
        if self.sought[0] is not record:
            self.sought = record, manifestations(record)
        return self.sought[1]

    def file(self, work: Manifestation) -> None:
        """File one manifestation."""
        if others := work.apart - {work.key}:
            self.apart[work.key] = self.apart.get(work.key, frozenset()) | others
        place = len(self.works)
        self.works.append(work)
        for bucket in set(map(hash, chain(named(work), ends(work), paired(work), work.decisive))):
            places = self.buckets.get(bucket)
            if places is None:
                self.buckets[bucket] = place
            elif isinstance(places, int):
                self.buckets[bucket] = [places, place]
            else:
                places.append(place)
        work.forget()

    def at(self, bucket: Bucket) -> Sequence[int]:
        """The places of the works in a bucket. Two buckets of one hash are one, which costs a comparison."""
        places = self.buckets.get(hash(bucket), ())
        return (places,) if isinstance(places, int) else places

    def find(self, record: AnyRecord) -> tuple[Match, ...]:
        """The records that are the same work, a version of it, or have its identifier; best first, `near` ones last.

        Without the record itself and those that `distinct_from` or `version_of` names.
        """
        return best(match for work in self.manifestations(record) for match in self.matches(work))

    def look_up(self, work: Manifestation) -> tuple[Match, ...]:
        """The same for a work without a record, such as an entry of a file; its key may be any text."""
        return best(self.matches(work))

    def matches(self, work: Manifestation, *, before: int | None = None) -> Iterator[Match]:
        """The matches of one manifestation, each other one compared once; only those filed `before` a place."""
        for place in self.likely(work):
            if before is not None and place >= before:
                continue
            other = self.works[place]
            pair = (work, other) if before is None else (other, work)
            if not self.are_apart(work, other) and (match := compare(*pair)):
                yield match

    def likely(self, work: Manifestation) -> Iterator[int]:
        """The places of the manifestations worth comparing, each once."""
        sure = [others if len(others) <= CROWD else others[:FEW] for others in map(self.at, named(work))]
        sure += [self.at(end)[:FEW] for end in ends(work)]
        first = dict.fromkeys(chain.from_iterable(sure))
        yield from first
        words = set(work.decisive)
        rare = sorted(filter(None, map(self.at, work.decisive)), key=len)[:RAREST]
        searched = [others for others in rare if len(others) <= CROWD]
        if len(searched) < RAREST:
            searched += [others for pair in paired(work) if len(others := self.at(pair)) in PAIRED]
        for place in dict.fromkeys(chain.from_iterable(searched)):
            theirs = self.works[place].decisive
            if place not in first and 2 * len(words.intersection(theirs)) >= min(len(words), len(theirs)):
                yield place

    def are_apart(self, a: Manifestation, b: Manifestation) -> bool:
        """True if the two belong to one record, or a record says that they are two works."""
        if not a.apart:
            return False
        return b.key in a.apart or a.key in self.apart.get(b.key, ()) or b.key in self.apart.get(a.key, ())

    def pairs(self) -> tuple[Match, ...]:
        """All matches between records of the index, each pair once; best first."""
        filed = enumerate(watched(self.works, "comparing records"))
        return best(match for place, work in filed for match in self.matches(work, before=place))


def named(work: Manifestation) -> Iterator[Bucket]:
    """The buckets that nearly identify the work: its identities and its whole title."""
    yield from sorted(work.identities)
    yield ("", "".join(work.core))


def ends(work: Manifestation) -> Iterator[Bucket]:
    """The buckets of where a long title begins and ends."""
    if len(title := "".join(work.core)) > END:
        yield ("<", title[:END])
        yield (">", title[-END:])


def paired(work: Manifestation) -> Iterator[Bucket]:
    """Pairs of one of the title's longest words with a family name or with another one of them."""
    words = sorted(work.decisive, key=lambda word: (-len(word), word))[:RAREST]
    for word in words:
        for name in dict.fromkeys(work.surnames[:RAREST]):
            yield (word, name, "by")
    yield from combinations(sorted(words), 2)


def best(matches: Iterable[Match]) -> tuple[Match, ...]:
    """One match for each pair of records, the one with the most weight; by score, then by keys; `near` ones last."""
    chosen: dict[tuple[str, ...], Match] = {}
    for match in matches:
        pair = tuple(sorted((match.a, match.b)))
        if pair not in chosen or _weight(match) > _weight(chosen[pair]):
            chosen[pair] = match
    return tuple(sorted(chosen.values(), key=lambda match: (match.kind == "near", -match.score, match.a, match.b)))


WEIGHT = {"near": 0, "version": 1, "same": 2, "wrong_link": 3}


def _weight(match: Match) -> tuple[int, bool, float]:
    return WEIGHT[match.kind], match.certain, match.score
