"""Sets of citations: real works, each cited up to sixty times with what citations lose and change."""

import csv
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.survey.duplicates import Manifestation, sketched
from awesome_cli.text.names import inverted, split

DATA = Path(__file__).parent.parent / "tests/data/dedupe"
SHORT = {
    "proceedings": "proc.", "international": "int.", "conference": "conf.", "journal": "j.", "transactions": "trans.",
    "communications": "comm.", "symposium": "symp.", "national": "nat.", "computer": "comput.", "research": "res.",
    "learning": "learn.", "annals": "ann.", "neural": "neur.", "systems": "syst.", "association": "assoc.",
}  # fmt: skip
PLACES = ("San Mateo, CA", "Cambridge, MA", "New York", "Amherst, MA", "Aberdeen, Scotland", "Bari, Italy")
REPORTS = ("Technical report", "Tech. Rep. CS-{}", "Technical report TR-{}, Department of Computer Science")
TAILS = (" (extended abstract)", " (in press)", ": Preliminary report", " (to appear)", ", {year}")
EDITORS = ("Touretzky, D. S.", "Cowan, J.", "Prieditis, A.", "Russell, S.", "Bobrow, D. G.")
MOST = 60
"""Citations of one work."""


@dataclass(frozen=True)
class Cited:
    """A work as its first citation has it."""

    title: str
    authors: tuple[str, ...]
    year: int | None
    venue: str


def works() -> list[Cited]:
    """The works of the labelled pairs in tests/data; of two that are one work, the first."""
    known: list[Cited] = []
    for name in ("citations.csv", "pairs.csv"):
        last = ""
        with (DATA / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                is_again = row["pair"] == last and row["label"] in {"same", "version"}
                last = row["pair"]
                authors = tuple(inverted(a) for a in row["authors"].split("; ") if a and a != "others")
                work = Cited(row["title"].rstrip("."), authors, int(row["year"] or 0) or None, row["venue"])
                if not is_again and work.authors and work.year and work.venue:
                    known.append(work)
    alike = {(re.sub(r"\W", "", work.title.lower()), work.authors[0].split(",")[0]): work for work in known}
    return list(alike.values())


def citations(base: Sequence[Cited], n: int, seed: int) -> list[tuple[int, Manifestation]]:
    """`n` citations in random order, each with the place of its work in `base`; some works have most of them."""
    chance = random.Random(seed)
    counts = [min(MOST, max(1, int(chance.paretovariate(0.75)))) for _ in base]
    chosen = chance.sample([i for i, count in enumerate(counts) for _ in range(count)], k=min(n, sum(counts)))
    chosen += chance.choices(chosen, k=n - len(chosen))
    return [(i, citation(base[i], f"c{place}", chance)) for place, i in enumerate(chosen)]


def citation(work: Cited, key: str, chance: random.Random) -> Manifestation:
    """One citation of a work."""
    year = work.year
    if year is not None and chance.random() < 0.1:
        year += chance.choice((-1, 1, 1, 2, -10))
    title, authors = titled(work.title, year, chance), named(work.authors, chance)
    venue = published(work.venue, chance)
    if venue and chance.random() < 0.03:
        title, venue = f"{title.rstrip('.,')}. {venue}", None
    elif authors and chance.random() < 0.02:
        title, authors = f"{', '.join(authors)}. {title}", []
    told = year if chance.random() < 0.8 else None
    fields = {"title": title, "authors": authors, "year": told, "venue": venue, "citation": printed(work, chance)}
    return sketched(key, fields)


def titled(title: str, year: int | None, chance: random.Random) -> str:
    """The title as a citation has it: case, signs, slips, words that are lost or added."""
    words = title.split()
    if chance.random() < 0.06 and len(words) > 5:
        words = words[: -chance.randint(1, 2)]
    if chance.random() < 0.3:
        words = " ".join(words).partition(":")[0].split()
    for place in chance.sample(range(len(words)), k=min(len(words), chance.choice((0, 0, 0, 0, 0, 0, 1, 1, 2)))):
        words[place] = slipped(words[place], chance)
    if chance.random() < 0.06 and len(words) > 3:
        place = chance.randrange(len(words) - 1)
        words[place : place + 2] = [words[place] + words[place + 1]]
    if chance.random() < 0.06 and len(words) > 4:
        del words[chance.randrange(len(words))]
    text = " ".join(words)
    if chance.random() < 0.08:
        text += chance.choice(TAILS).format(year=year)
    text = text.replace("-", chance.choice("--- ")) + chance.choice(("", "", ".", ","))
    return text.lower() if chance.random() < 0.5 else text


def slipped(word: str, chance: random.Random) -> str:
    """A word with a letter lost, doubled, changed or swapped."""
    place = chance.randrange(len(word))
    kept = {
        0: word[:place] + word[place + 1 :],
        1: word[:place] + word[place] + word[place:],
        2: word[:place] + chance.choice("aeiotnrs") + word[place + 1 :],
        3: word[:place] + word[place : place + 2][::-1] + word[place + 2 :],
    }
    return kept[chance.randrange(4)] or word


def named(authors: Sequence[str], chance: random.Random) -> list[str]:
    """The authors in one of the usual styles, perhaps without some of them."""
    if chance.random() < 0.05:
        return []
    kept = list(authors)
    if chance.random() < 0.12 and len(kept) > 1:
        kept = [kept[0], "others"]
    if chance.random() < 0.1 and len(kept) > 1:
        kept.pop(chance.randrange(len(kept)))
    if chance.random() < 0.12:
        place = chance.randrange(len(kept))
        family, given = split(kept[place])
        kept[place] = f"{slipped(family, chance)}, {given or ''}"
    if chance.random() < 0.04:
        chance.shuffle(kept)
    if chance.random() < 0.04:
        kept += chance.sample(EDITORS, k=2)
    style = chance.randrange(5)
    made = [name if name == "others" else styled(name, style) for name in kept]
    return [" and ".join(made)] if chance.random() < 0.15 else made


def styled(author: str, style: int) -> str:
    """`Bean, Ada B.` as it is, `Bean, A. B.`, `A. Bean`, `A. B. Bean`, or `Ada B. Bean`."""
    family, given = split(author)
    if given is None:
        return author
    initials = [f"{word[0]}." for word in given.replace(".", ". ").replace("-", " ").split()]
    return (
        author, f"{family}, {' '.join(initials)}", f"{initials[0]} {family}", f"{' '.join(initials)} {family}",
        f"{given} {family}",
    )[style]  # fmt: skip


def published(venue: str, chance: random.Random) -> str | None:
    """The venue in full or shortened, with a volume, a place or an editor, another venue, or none."""
    luck = chance.random()
    if luck < 0.12:
        return None
    if luck < 0.17:
        return chance.choice(REPORTS).format(chance.randint(1, 400))
    text = venue
    if chance.random() < 0.4:
        text = re.sub(r"\w+", lambda word: SHORT.get(word[0].lower(), word[0]), text)
    if chance.random() < 0.2:
        text = f"In {text}"
    if chance.random() < 0.15:
        text += f", {chance.choice(PLACES)}"
    if chance.random() < 0.15:
        text += f" {chance.randint(1, 40)}"
    if chance.random() < 0.08:
        text = slipped(text, chance)
    return text.lower() if chance.random() < 0.3 else text


def printed(work: Cited, chance: random.Random) -> dict[str, str]:
    """Volume and pages, equal in most citations of a work."""
    own = random.Random(work.title)
    first, volume = own.randint(1, 600), own.randint(1, 40)
    pages, fields = f"{first}--{first + own.randint(5, 40)}", {}
    if chance.random() < 0.6:
        fields["pages"] = pages if chance.random() < 0.85 else slipped(pages, chance)
    if chance.random() < 0.4:
        fields["volume"] = str(volume if chance.random() < 0.9 else volume + chance.randint(1, 9))
    return fields
