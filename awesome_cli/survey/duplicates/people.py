"""How far two lists of authors agree: whatever letters a list lost, and wherever in a record a name stands."""

import re
from functools import lru_cache

from awesome_cli.survey.duplicates.details import Name
from awesome_cli.survey.duplicates.works import Manifestation

LEAST = 4
"""A family name of fewer letters is compared letter by letter, and proves nothing inside other text."""
MOST = 500
"""So many names of each list are compared letter by letter; of further ones only equal family names count."""
LOST = re.compile(r"[\W_]+|[^\W\d_a-z]+")


def agreement(a: Manifestation, b: Manifestation) -> float | None:
    """How far the authors agree, 0 to 1; None if one of the two has no authors, in their place or in its title.

    Three quarters are the share of the shorter list that the other has, one quarter that of the longer list; if a list
    was cut, the first share alone.
    """
    short, long = sorted((a, b), key=lambda work: len(work.names))
    if not short.names:
        words = frozenset(short.words)
        found = sum(name.family in words for name in long.names)
        return found / len(long.names) if found else None
    families = frozenset(long.surnames)
    found = sum(name.family in families or (i < MOST and _is_named(name, long)) for i, name in enumerate(short.names))
    share = found / len(short.names)
    return share if a.cut or b.cut else 0.75 * share + 0.25 * found / len(long.names)


def _is_named(name: Name, work: Manifestation) -> bool:
    """Whether somebody is an author of the work, or stands in its title where the list of authors was cut."""
    if any(is_spelled(name.family, other.family) or _is_swapped(name, other) for other in work.names[:MOST]):
        return True
    return len(name.family) >= LEAST and (name.family in work.glued or name.family in work.words)


@lru_cache(maxsize=1 << 13)
def is_spelled(name: str, other: str) -> bool:
    """Whether two family names are one: some slips, letters that were lost (`b?hm`), one the beginning of the other."""
    if name == other:
        return True
    short, long = (name, other) if len(name) <= len(other) else (other, name)
    if len(short) > LEAST and (long.endswith(short) or long.startswith(short)):
        return True
    slips = 0 if len(short) < LEAST else 1 if len(short) < 8 else 2
    if slips and len(long) - len(short) <= slips:
        from rapidfuzz.distance import Levenshtein

        if Levenshtein.distance(name, other, score_cutoff=slips) <= slips:
            return True
    both = name + other
    return not (both.isascii() and both.isalnum()) and (_is_broken(name, other) or _is_broken(other, name))


def _is_broken(broken: str, whole: str) -> bool:
    """Whether a name has signs where the whole one has letters."""
    lost = len(LOST.findall(broken))
    return 0 < lost <= 2 and len(whole) >= LEAST and re.fullmatch(LOST.sub(".{0,3}", broken), whole) is not None


def _is_swapped(one: Name, other: Name) -> bool:
    """Whether family and given name changed places: `Garofalakis, M.` and `Minos, G.`."""
    return one.family[0] != other.family[0] and _is_given(one, other.family) and _is_given(other, one.family)


def _is_given(name: Name, word: str) -> bool:
    """Whether a word is a given name, or begins with an initial."""
    return any(word == given or (len(given) <= 2 and word[0] in given) for given in name.given)
