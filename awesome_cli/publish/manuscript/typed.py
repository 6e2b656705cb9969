"""Find numbers that are typed by hand although `paper.yaml` or the statistics of the survey have them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.model.manuscript import QuotedNumber
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.manuscript.answers import Answers, NumberAnswer
from awesome_cli.publish.manuscript.document import Document, Place
from awesome_cli.query.parser import parse
from awesome_cli.text.folding import fold
from awesome_cli.text.stated import numbers

NOUN = re.compile(r"(?:paper|work|stud(?:y|ie)|article|publication|record|entr(?:y|ie)|preprint|exclusion|candidate)s?")
"""What the numbers of a survey count."""
FUNCTION = frozenset(
    "of in is was has does as this its thus plus are were have do from with and or to by on at for that which per"  # noqa: SIM905
    " more less other others".split()
)
"""Words after a number that are not its unit."""
LARGE = 100
"""From here on, equal numbers are hardly a coincidence."""
NEAR = 4
"""Number of words after a number in which its noun is searched."""


@dataclass(frozen=True, slots=True)
class KnownNumber:
    """A number that a text should not repeat; `words` describe it, `fix` is what to write instead."""

    value: float
    words: frozenset[str]
    fix: str
    named: bool

    def states(self, value: float, text: str) -> bool:
        """True if a typed number is this number, rounded as typed."""
        digits = len(text.partition(".")[2].rstrip("% ")) + 2 * ("%" in text)
        return value == self.value or bool(digits and value and round(self.value, digits) == round(value, digits))

    def fits(self, sentence: set[str], after: list[str], value: float) -> bool:
        """True if the words of a sentence, and those after the number, are about this number."""
        shared = [word for word in self.words if any(_alike(word, other) for other in sentence)]
        noun = next((i for i, word in enumerate(after) if NOUN.fullmatch(word)), None)
        units = (word for word in after[:1] if word.endswith("s") and word not in FUNCTION)
        if any(not (NOUN.fullmatch(word) or any(_alike(word, own) for own in self.words)) for word in units):
            return False
        if self.named:
            return noun is not None or bool(shared) or value >= LARGE or value % 1 > 0
        return noun is not None and value > 1 and len(shared) == len(self.words)


def typed(
    document: Document, answers: Answers, statistics: Mapping[str, Any]
) -> Iterator[tuple[Place, str, KnownNumber]]:
    """Yield the place and text of each number typed by hand, with the number of the survey that it repeats."""
    known = [*_named(answers), *_statistics(answers.corpus.taxonomy, statistics)]
    for offset, sentence in document.sentences():
        words = set(_words(sentence))
        for position, text, value in numbers(sentence):
            after = _words(re.split(r"[.;:,()\N{CURRENCY SIGN}\d]", sentence[position + len(text) :], maxsplit=1)[0])[
                :NEAR
            ]
            after = [word for word in _words(text) if NOUN.fullmatch(word)] + after
            fitting = (k for k in known if k.states(value, text) and k.fits(words, after, value))
            if best := max(fitting, key=lambda k: (k.named, len(k.words & words)), default=None):
                yield document.place(offset + position), text, best


def _named(answers: Answers) -> Iterator[KnownNumber]:
    manuscript = answers.corpus.manuscript
    for name, number in answers.numbers.items():
        entry = manuscript.numbers[name] if manuscript else QuotedNumber()
        words = _meaningful(name.replace("_", " ")) | _about(entry, answers.corpus.taxonomy)
        for value, macro in _values(number):
            yield KnownNumber(value, words, rf"write \{macro}{{{name}}}", named=True)


def _values(number: NumberAnswer) -> Iterator[tuple[float, str]]:
    if number.percent is None:
        yield number.value, "surveynumber"
    else:
        yield from ((number.value, "surveyshare"), (float(number.text.replace(",", "")), "surveynumber"))


def _about(entry: QuotedNumber, taxonomy: Taxonomy) -> frozenset[str]:
    """Return the words of the terms in the query of a number."""
    query = entry.count or entry.share
    terms = parse(query, taxonomy).terms if query else ()
    labels = (taxonomy.by_id[axis].by_id[term].label for axis, term in terms if term in taxonomy.by_id[axis].by_id)
    return frozenset(word for label in labels for word in _meaningful(label))


def _statistics(taxonomy: Taxonomy, data: Mapping[str, Any]) -> Iterator[KnownNumber]:
    paths = [("totals", name, frozenset[str]()) for name in data["totals"]]
    for axis, counts in data["counts"].items():
        labels = {term.id: term.label for term in taxonomy.by_id[axis].terms}
        paths += [(f"counts.{axis}", term, _meaningful(labels[term])) for term in counts if term in labels]
    for group, name, words in paths:
        value: Any = data
        for step in (*group.split("."), name):
            value = value[step]
        path = f"{group}.{name}"
        fix = rf"add 'numbers: {{NAME: {{statistic: {path}}}}}' to paper.yaml, and write \surveynumber{{NAME}}"
        yield KnownNumber(value, words, fix, named=False)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{2,}", fold(text))


def _meaningful(text: str) -> frozenset[str]:
    return frozenset(word for word in _words(text) if word not in FUNCTION and not NOUN.fullmatch(word))


def _alike(word: str, other: str) -> bool:
    """True if two words of at least four letters have the same beginning: `stop` and `stopping`."""
    size = min(len(word), len(other), 5)
    return word == other or (size > 3 and word[:size] == other[:size])
