"""Compact search indexes of the site: papers, codings and words."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any

from awesome_cli.model.codings import Tag
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.records import AnyRecord, Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.readings import as_challenged, side_of
from awesome_cli.text.folding import words
from awesome_cli.text.grouping import group_pairs

SIGNS = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "\"'\\<>&")
LAST = 60
"""Number encoding: the first 60 characters end a number (digits 0 to 59), the others continue it."""


def packed(numbers: Iterable[int]) -> str:
    """Encode non-negative integers as text; the decoder is in `assets/data.js`."""
    return "".join(map(_sign, numbers))


def steps(numbers: Iterable[int]) -> Iterator[int]:
    """Yield the differences of ascending numbers, starting from 0: 3, 5, 9 gives 3, 2, 4."""
    return (number - before for before, number in pairwise(chain((0,), numbers)))


@cache
def _sign(number: int) -> str:
    carried = len(SIGNS) - LAST
    text = ""
    while number >= LAST:
        number, digit = divmod(number - LAST, carried)
        text += SIGNS[LAST + digit]
    return text + SIGNS[number]


TEXT = FIELDS["text"]
SHARD = 100
"""Number of full records per file."""


def index(papers: Sequence[Paper], taxonomy: Taxonomy) -> dict[str, Any]:
    """Return keys, years, venues and codings of the papers, in order.

    `years`, `venues` and `codings` list distinct values, the most frequent first. `year` and `venue` have one
    1-based index into these lists per paper, 0 for none; `tags` has per paper the number of codings and their 0-based
    indexes.
    """
    years, year = _places([paper.year for paper in papers])
    venues, venue = _places([paper.venue for paper in papers])
    pairs = {_mark(axis, tag): (axis, tag) for paper in papers for axis, tag in _tags(paper)}
    counts = Counter(_mark(axis, tag) for paper in papers for axis, tag in _tags(paper))
    place = {mark: i for i, (mark, _) in enumerate(counts.most_common())}
    owned = ([place[_mark(axis, tag)] for axis, tag in _tags(paper)] for paper in papers)
    return {
        "shard": SHARD,
        "keys": " ".join(paper.key for paper in papers),
        "years": years,
        "year": year,
        "venues": venues,
        "venue": venue,
        "codings": [{"axis": axis} | coding(taxonomy.by_id[axis], tag) for axis, tag in map(pairs.__getitem__, place)],
        "tags": packed(number for places in owned for number in (len(places), *places)),
    }


def names(papers: Sequence[Paper]) -> dict[str, Any]:
    """Return titles and authors of the papers, encoded as in `index`; `names` lists the authors by frequency."""
    known, _ = _places([name for paper in papers for name in paper.authors])
    place = {name: i for i, name in enumerate(known)}
    authors = packed(n for paper in papers for n in (len(paper.authors), *(place[name] for name in paper.authors)))
    return {"titles": [paper.title for paper in papers], "names": known, "authors": authors}


def coding(axis: Axis, tag: Tag) -> dict[str, Any]:
    """Return the fields of a coding used by the map; for a contested one also its side and the challenger's codings."""
    data: dict[str, Any] = {"term": tag.term} | ({"strength": tag.strength} if tag.strength else {})
    if tag.part:
        data["part"] = True
    if tag.mark:
        data["mark"] = tag.mark
    if tag.contested is not None:
        side = side_of(axis, tag)
        data |= {"grade": tag.contested.grade} | ({"side": side.value} if side else {})
        if tag.contested.reads_as is not None:
            read = (new.model_copy(update={"contested": None}) for new in as_challenged(axis, tag))
            data["reads"] = [coding(axis, new) for new in read]
    return data


def _tags(paper: Paper) -> Iterator[tuple[str, Tag]]:
    return ((axis, tag) for axis, tags in paper.tags.items() for tag in tags)


def _mark(axis: str, tag: Tag) -> Hashable:
    contest = tag.contested
    return axis, tag.term, tag.strength, tag.part, tag.direction, contest and (contest.grade, contest.reads_as)


def _places(values: Sequence[object]) -> tuple[list[object], str]:
    """Return the distinct values by frequency, and the 1-based index of each value among them, 0 for None."""
    counts = Counter(value for value in values if value is not None)
    distinct = [value for value, _ in sorted(counts.items(), key=lambda entry: (-entry[1], str(entry[0])))]
    place = {value: i for i, value in enumerate(distinct, 1)}
    return distinct, packed(place.get(value, 0) for value in values)


def vocabulary(
    records: Sequence[AnyRecord], readings: Mapping[str, Sequence[AnyRecord]] = MappingProxyType({})
) -> dict[str, object]:
    """Return the words of the query `text~` in records, sorted, and the packed steps of the indexes with each word.

    A record with other words in one of the `readings` has another index there: `read` has pairs of both, by reading.
    """
    texts = [words(TEXT.get(record)) for record in records]
    places, read = {(i, text): i for i, text in enumerate(texts)}, dict[str, str]()
    for name, pool in readings.items():
        others = ((i, words(TEXT.get(record))) for i, record in enumerate(pool) if record is not records[i])
        moved = [(i, places.setdefault((i, text), len(places))) for i, text in others if text != texts[i]]
        read |= {name: packed(chain(*moved))} if moved else {}
    found = group_pairs((word, place) for (_, text), place in places.items() for word in text)
    known = sorted(found)
    lists = [packed(steps(found[word])) for word in known]
    return {"size": len(places), "words": " ".join(known), "places": lists, "read": read}
