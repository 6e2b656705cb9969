"""Group the records of a survey into works: a record joins a group if half of the members compared with it match.

Records are taken in turn, and each is compared with few members of each likely group. The index keeps few members of a
group under one key, so that a work with hundreds of records crowds no bucket, and the time per record is bounded.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from awesome_cli.survey.duplicates.index import Index, best, stronger
from awesome_cli.survey.duplicates.scoring import Match, compare
from awesome_cli.survey.duplicates.works import Manifestation
from awesome_cli.text.grouping import group_pairs

VOTERS = 5
"""Number of members of a group that a record is compared with."""
ONE_WORK = frozenset(["same", "version"])


@dataclass(frozen=True, slots=True)
class SameWork:
    """The keys of a work's records; each link joins the next key (`a`) to an earlier one (`b`), with the reasons."""

    keys: tuple[str, ...]
    links: tuple[Match, ...]


class Grouping(Index):
    """An index that groups the records of one work while it takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.foes: defaultdict[str, set[str]] = defaultdict(set)  # of the group, records marked as different works
        self.links: list[Match] = []
        self.others: list[Match] = []

    def take(self, works: Sequence[Manifestation]) -> None:
        """Add the manifestations of a record, and make one group of the groups that it belongs to."""
        votes: defaultdict[str, dict[str, Match | None]] = defaultdict(dict)
        for work in works:
            if foes := set(work.apart) - {work.key}:
                self.foes[work.key] |= foes
            for place in self.likely(work):
                other = self.works[place]
                ballot = votes[self.top(other.key)]
                if (len(ballot) < VOTERS or other.key in ballot) and not self.are_apart(work, other):
                    ballot[other.key] = stronger(ballot.get(other.key), compare(work, other))
        for match in best(match for ballot in votes.values() if (match := elected(tuple(ballot.values())))):
            self.join(match)
        self.others += (m for ballot in votes.values() for m in ballot.values() if m and m.kind not in ONE_WORK)
        for work in works:
            self.file(work)

    def join(self, match: Match) -> None:
        """Make one group of the groups of two records, unless members of both are marked as different works."""
        a, b = self.top(match.a), self.top(match.b)
        marked = any(self.top(x) == b for x in self.foes[a]) or any(self.top(x) == a for x in self.foes[b])
        if a != b and not marked:
            self.above[a] = b
            self.foes[b] |= self.foes.pop(a, set())
            self.links.append(match)

    def groups(self) -> tuple[SameWork, ...]:
        """Return the groups of two or more records, by their best match."""
        near = group_pairs((link.b, link) for each in self.links for link in (each, replace(each, a=each.b, b=each.a)))
        made: dict[str, SameWork] = {}
        for work in self.works:
            if work.key in near and (group := self.top(work.key)) not in made:
                made[group] = spread(work.key, near)
        return tuple(sorted(made.values(), key=lambda group: -max(link.score for link in group.links)))

    def pairs(self) -> tuple[Match, ...]:
        """Return the pairs of two works that share an identifier or look alike, best first and `near` ones last."""
        return best(m for m in self.others if m.kind != "near" or self.top(m.a) != self.top(m.b))


def elected(ballot: Sequence[Match | None]) -> Match | None:
    """Return the best match with a group; None if less than half of the compared members are the same work."""
    yes = [match for match in ballot if match and match.kind in ONE_WORK]
    return stronger(*yes) if 2 * len(yes) >= len(ballot) else None


def spread(first: str, near: dict[str, list[Match]]) -> SameWork:
    """Return the group of a record, from the links of each of its records (`b`) to others (`a`)."""
    reached: dict[str, Match | None] = {first: None}
    queue = [first]
    for key in queue:
        new = {link.a: link for link in near[key] if link.a not in reached}
        reached |= new
        queue += new
    return SameWork(tuple(reached), tuple(filter(None, reached.values())))


def grouped(records: Iterable[Sequence[Manifestation]]) -> Grouping:
    """Group records, each given by its manifestations."""
    grouping = Grouping()
    for works in records:
        grouping.take(works)
    return grouping
