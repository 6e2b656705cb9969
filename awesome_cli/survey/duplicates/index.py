"""Index of works to find likely duplicates without comparing all pairs: by identifiers, ends of titles, and words.

Index keys of a manifestation are its identities, its whole title, and the start and the end of its title. A `thorough`
index, which searches a survey for duplicates, adds each word, and pairs of a long word with a family name or another
long word; it compares a manifestation with those in the buckets of its `RAREST` rarest words and of its pairs. Any
other index, which knows works at their import, adds pairs of a family name with a few letters of an end of the title.
Of these, at least half of the words of the shorter title must agree.

A bucket with more than `CROWD` manifestations is full. Of these only the first `FEW` are compared, and only if the key
nearly identifies a work; pairs split full buckets. Therefore the time per record is bounded for surveys of any size and
content.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from awesome_cli.model.records import AnyRecord
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates.scoring import Match, compare
from awesome_cli.survey.duplicates.works import NEEDED, RAREST, Manifestation, manifestations
from awesome_cli.text.grouping import group_pairs

Bucket = tuple[str, ...] | str  # an index key: identity, whole title, start or end of a title, pair, or word
Places = int | list[int]  # positions in `Index.works`; most buckets contain one
CROWD = 40
FEW = 5
KEPT = 3
"""Number of works of a group in one bucket."""
PAIRED = range(1, CROWD // 2)
END = 20
"""Number of letters of a title's start and end that are index keys."""
NEAR_END = 4
"""The same for keys with a family name."""


class Index:
    """An index of the manifestations of a survey; `add` extends it while records are written."""

    def __init__(self, *, thorough: bool = True) -> None:
        self.thorough = thorough
        self.works: list[Manifestation] = []
        self.marks = array("Q")
        self.sought: tuple[AnyRecord | None, tuple[Manifestation, ...]] = None, ()
        self.buckets: dict[int, Places] = {}  # by the hash of the index key, which takes less memory than the key
        self.apart: dict[str, frozenset[str]] = {}
        self.above: dict[str, str] = {}  # a tree per group of records; the record at its top stands for the group

    @classmethod
    def of(cls, corpus: Corpus) -> "Index":
        index = cls()
        for record in watched(corpus.records, "preparing records"):
            index.add(record)
        return index

    def add(self, record: AnyRecord) -> None:
        """Index a record with all its versions."""
        for work in self.manifestations(record):
            self.file(work)

    def manifestations(self, record: AnyRecord) -> tuple[Manifestation, ...]:
        """Return the manifestations of a record, cached for a record that is looked up before it is added."""
        if self.sought[0] is not record:
            self.sought = record, manifestations(record)
        return self.sought[1]

    def file(self, work: Manifestation) -> None:
        if distinct := set(work.apart) - {work.key}:
            self.apart[work.key] = self.apart.get(work.key, frozenset()) | distinct
        place = len(self.works)
        self.works.append(work)
        self.marks.append(work.marks)
        for bucket in set(map(hash, chain(identifying(work), ends(work), self.further(work)))):
            places = self.buckets.get(bucket)
            if places is None:
                self.buckets[bucket] = place
            elif isinstance(places, int):
                if self.has_room((places,), work):
                    self.buckets[bucket] = [places, place]
            elif len(places) <= CROWD and self.has_room(places, work):
                places.append(place)
        work.forget(() if not self.thorough else NEEDED)

    def further(self, work: Manifestation) -> Iterator[Bucket]:
        """Yield the keys that do not nearly identify the work."""
        return chain(work.pairs, work.decisive) if self.thorough else named(work)

    def has_room(self, places: Sequence[int], work: Manifestation) -> bool:
        """True if fewer than `KEPT` of the works at `places` are of the group of the work."""
        if work.key not in self.above:
            return True
        group = self.top(work.key)
        return sum(self.top(self.works[place].key) == group for place in places) < KEPT

    def top(self, key: str) -> str:
        """Return the key that stands for the group of a record: its own if it has no group."""
        while (above := self.above.get(key, key)) != key:
            self.above[key] = self.above.get(above, above)
            key = above
        return key

    def at(self, bucket: Bucket) -> Sequence[int]:
        """Return the positions of the works in a bucket. Index keys with equal hashes share a bucket."""
        places = self.buckets.get(hash(bucket), ())
        return (places,) if isinstance(places, int) else places

    def find(self, record: AnyRecord) -> tuple[Match, ...]:
        """Return the matches of a record with other records, best first and `near` matches last.

        The record itself and the records in its `distinct_from` and `version_of` are omitted.
        """
        return best(match for work in self.manifestations(record) for match in self.matches(work))

    def look_up(self, work: Manifestation) -> tuple[Match, ...]:
        """Return matches as `find` does, for a work without a record, such as an imported entry with any key."""
        return best(self.matches(work))

    def matches(self, work: Manifestation) -> Iterator[Match]:
        """Yield the matches of a manifestation."""
        for place in self.likely(work):
            other = self.works[place]
            if not self.are_apart(work, other) and (match := compare(work, other)):
                yield match

    def likely(self, work: Manifestation) -> Iterator[int]:
        """Yield the positions of likely matches, without duplicates."""
        sure = [places if len(places) <= CROWD else places[:FEW] for places in map(self.at, identifying(work))]
        sure += [self.at(end)[:FEW] for end in ends(work)]
        first = dict.fromkeys(chain.from_iterable(sure))
        yield from first
        rare = sorted(filter(None, map(self.at, work.decisive)), key=len)[:RAREST] if self.thorough else ()
        searched = [places for places in rare if len(places) <= CROWD]
        if len(searched) < RAREST:
            pairs = work.pairs if self.thorough else named(work)
            searched += [places for pair in pairs if len(places := self.at(pair)) in PAIRED]
        words, mine, marks = set(work.decisive), work.marks, self.marks
        n, unmarked = len(words), len(words) - mine.bit_count()
        for place in dict.fromkeys(chain.from_iterable(searched)):
            # Marks tell most works apart without a look at their words, which are all over the memory.
            twice = 2 * ((mine & marks[place]).bit_count() + unmarked)
            if (twice >= n or twice >= marks[place].bit_count()) and place not in first:
                theirs = self.works[place].decisive
                if 2 * len(words.intersection(theirs)) >= min(n, len(theirs)):
                    yield place

    def are_apart(self, a: Manifestation, b: Manifestation) -> bool:
        """True if both belong to one record, or a record marks them as different works."""
        if not a.apart:
            return False
        return b.key in a.apart or a.key in self.apart.get(b.key, ()) or b.key in self.apart.get(a.key, ())


def identifying(work: Manifestation) -> Iterator[Bucket]:
    """Yield the keys that nearly identify the work: its identities and its whole title."""
    yield from sorted(work.identities)
    yield ("", "".join(work.core))


def ends(work: Manifestation) -> Iterator[Bucket]:
    """Yield the keys of the start and the end of a long title."""
    if len(title := "".join(work.core)) > END:
        yield ("<", title[:END])
        yield (">", title[-END:])


def named(work: Manifestation) -> Iterator[Bucket]:
    """Yield the keys that pair a family name with the first and the last letters of the title."""
    title = "".join(work.core)
    for name in dict.fromkeys(work.surnames[:RAREST]):
        yield (name, title[:NEAR_END], "<")
        yield (name, title[-NEAR_END:], ">")


def best(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Return the strongest match of each pair of records, sorted by score and keys; `near` matches last."""
    pairs = group_pairs((tuple(sorted((match.a, match.b))), match) for match in matches)
    found = filter(None, (stronger(*same) for same in pairs.values()))
    return tuple(sorted(found, key=lambda match: (match.kind == "near", -match.score, match.a, match.b)))


WEIGHT = {"near": 0, "version": 1, "same": 2, "wrong_link": 3}


def stronger(*matches: Match | None) -> Match | None:
    """Return the strongest of some matches, the first of equal ones; None if there is none."""
    return max(filter(None, matches), key=lambda match: (WEIGHT[match.kind], match.certain, match.score), default=None)
