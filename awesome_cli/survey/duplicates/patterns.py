"""Words and signs that say something in titles, names and venues, in folded text."""

import re

WORD = re.compile(r"[^\W_]+")
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
SIGN = re.compile(r"[:.;?!()\[\]]|\s[-\u2013\u2014]+\s|\u2014")
"""What sets a subtitle off."""
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])
TENS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINALS = {word: str(place) for place, word in enumerate(TENS, 1)}
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
PART = re.compile(r"\b(?:part|volume|vol\.?|chapter)\s+(\w+)")
NAME = re.compile(r"[^\s.,;'\u2019`\u00b4&()\-]*[^\W\d_][^\s.,;'\u2019`\u00b4&()\-]*")
"""A word of a name, with signs in it where letters were lost."""
SPELLED_OUT = re.compile(r"\b(?:\w ){3,}\w\b")
"""`g r a e f e`."""
CUT = re.compile(r"[^\w\s.)'\u2019]\s*$")
"""A list of authors that ends in a sign, such as an ellipsis with broken letters."""
YEAR = re.compile(r"\s((?:19|20)\d\d)$")
VENUE = re.compile(
    r"^(?:\S+ ){3,}?((?:in )?(?:the )?"
    r"(?:(?:acm|ieee|siam|proc|proceedings|vldb|sigmod|arxiv|corr|technical report|tech rep)\b"
    r"|(?:\S+ )?(?:international |annual |european |national )?(?:conference|symposium|workshop)\b"
    r"|(?:\S+ )?journal\b|trans(?:actions)?\b|very large data ?bases\b).*)$"
)
"""A venue that stands at the end of a title."""
VENUES = {
    "preprint": re.compile(
        r"\b(\w*rxiv|preprints?|ssrn|zenodo|corr|openreview|submitted|under review|techreport|technical report)\b"
    ),
    "periodical": re.compile(
        r"\b(journal|j|trans|transactions|record|letters?|lett|magazine|mag|bulletin|bull"
        r"|review|rev|annals|annalen|annales|ann|tacl|jmlr)\b"
    ),
    "proceedings": re.compile(
        r"\b(proc|proceedings|inproceedings|conf|conference|symposium|workshop|congress|meeting)\b"
    ),
}
"""Kinds of publications, by words in the name of the venue; the first that fits."""
REPOSITORY = re.compile(
    r"10\.(?:1101/\d|(?:2139|5281|6084|17605|20944|21203|22541|26434|31219|31222|31223|31234|31235|36227|48550)/)"
)
"""DOIs that repositories of preprints, data and software give, often one for each version."""
CHAPTERS = frozenset(["inbook", "incollection", "inproceedings"])
BOOKS = frozenset(["book", "booklet", "collection", "manual", "proceedings"])
