"""Read the numbers that a sentence states, in digits or words: `1,200`, `12.5 %`, `twenty-one`, `one in eight`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import nan

SMALL = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety hundred"
VALUES = {word: n for n, word in enumerate([*SMALL.split(), "eighteen", "nineteen"], 1)}
VALUES |= {word: 10 * n for n, word in enumerate(TENS.split(), 1)} | {"dozen": 12}
PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4}
IMPLIED = {
    "no": 0, "none": 0, "never": 0, "not": 0, "nobody": 0, "neither": 0, "nor": 0, "without": 0,
    "half": 0.5, "most": 0.5, "one": 1, "a": 1, "an": 1, "each": 1, "any": 1, "both": 2, "twice": 2,
}  # fmt: skip
"""Words that can state a number, but often do not."""
MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|(?:Sept?|Oct|Nov|Dec)\w*)"
SKIPPED = re.compile(
    rf"`[^`]*`|https?://\S+|\b10\.\d{{4,}}/\S+|\b\d{{4}}\.\d{{4,5}}\b|\b\d{{4}}-\d\d(?:-\d\d)?\b|\b\d\d?\s+{MONTH}\b"
    rf"|\b{MONTH}\s+(?:\d\d?,?\s+)?\d{{4}}\b|(?<![\w.,])(?:1[5-9]|20)\d\d\b(?!\.\d)"
    r"|(?<=[a-z,;(] )[A-Z][A-Za-z]+ \d+(?:\.\d+)?\b(?! ?%)"
)
"""Code, addresses, identifiers, dates, years, and names with a number inside a sentence (`Llama 3`)."""
WORD = f"(?:{'|'.join(VALUES)})"
SINGLE = rf"-?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|-?\d+(?:\.\d+)?|{WORD}(?:[-\s]{WORD})*|none|no\s+papers?|\{{\d+\}}"
NUMBER = re.compile(
    rf"(?<![\w.#§/-])(?:(?<!no )(?<!not )(?P<strict>more|fewer|less)\s+than\s+)?(?:(?P<n>{SINGLE})"
    rf"(?:\s?(?P<percent>%)|(?:\s+paper)?\s+in\s+(?P<of>{SINGLE})|[-\s](?P<parts>{'|'.join(PARTS)}))?"
    r"|an?\s+(?P<part>third|quarter))(?![-.,/]?\w)",
    re.IGNORECASE,
)


def numbers(sentence: str) -> Iterator[tuple[int, str, float]]:
    """Yield the numbers of a sentence as `(position, text, value)`; `12.5 %` is 0.125, `none` and `no paper` are 0.

    `more than 3` is 4 and `fewer than 3` is 2: the bound of a count that these words state. A placeholder `{1}` is NaN.
    Skipped are `SKIPPED`, numbers that are part of a word (`K2`, `8-bit`), and the word `one`, which can be an article.
    """
    for match in NUMBER.finditer(SKIPPED.sub(lambda skipped: "_" * len(skipped[0]), sentence)):
        if match[0].lower() != "one":
            base = 100 if match["percent"] else _value(match["of"]) if match["of"] else 1
            base = PARTS.get((match["parts"] or match["part"] or "").lower(), base)
            value = _value(match["n"] or "one") / (base or 1)
            step = {"more": 1, None: 0}.get(match["strict"] and match["strict"].lower(), -1)
            yield match.start(), match[0], value if value % 1 else value + step


@lru_cache(maxsize=256)  # asked for each expectation of a claim
def stated(sentence: str) -> frozenset[float]:
    """Return every number that a sentence can be read to state: `numbers`, and the words of `IMPLIED`."""
    implied = [IMPLIED[word] for word in re.findall(r"\w+", sentence.lower()) if word in IMPLIED]
    return frozenset([*implied, *(value for *_, value in numbers(sentence))])


def _value(text: str) -> float:
    if text[-1].isdigit():
        return float(text.replace(",", ""))
    total = nan if text.startswith("{") else 0.0
    for word in re.split(r"[-\s]+", text.lower()):
        scale = VALUES[word] if word in {"hundred", "dozen"} else 0
        total = (total or 1) * scale if scale else total + VALUES.get(word, 0)
    return total
