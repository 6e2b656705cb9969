"""Find numbers that are typed by hand although `paper.yaml` or the statistics of the survey have them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.model.manuscript import QuotedNumber
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.manuscript.answers import PaperAnswers
from awesome_cli.publish.manuscript.document import Document, TextPlace
from awesome_cli.query.parser import parse
from awesome_cli.text.folding import fold
from awesome_cli.text.stated import numbers

NOUN = re.compile(r"(?:paper|work|stud(?:y|ie)|article|publication|record|entr(?:y|ie)|preprint|exclusion|candidate)s?")
"""Words for what the numbers of a survey count."""
WHOLE = frozenset({"pool", "corpus", "literature", "survey", "them", "these", "those", "it", "which"})
"""Words for all papers, and pronouns for papers."""
WORKS = frozenset({"systems", "methods", "approaches", "designs", "articles"})
"""Words that may stand for papers."""
FUNCTION = frozenset(
    "of in is was has does as this its thus plus are were have do from with and or to by on at for that which per the"  # noqa: SIM905
    " all always perhaps across other others".split()
)
"""Words without a meaning of their own, or that are not a unit although they end in s."""
SYNONYMS = {
    "retained": "included kept corpus pool",
    "excluded": "screened removed rejected discarded",
    "audited": "assessed examined identified",
}
"""Further words for the totals."""
LARGE = 100
"""From here on, equal numbers are hardly a coincidence."""
ENOUGH = 2
"""Number of hints in a sentence that are as good as a word."""
NEAR = 4
"""Number of words after a number in which its noun is searched."""


@dataclass(frozen=True, slots=True)
class KnownNumber:
    """A number that a text should not repeat; `fix` is what to write instead.

    `words` describe it; `hints` are words of the definitions of its terms, or of its claim.
    """

    value: float
    words: frozenset[str]
    hints: frozenset[str]
    fix: str
    named: bool

    def states(self, value: float, text: str) -> bool:
        """True if a typed number is this number, rounded as typed."""
        digits = len(text.partition(".")[2].rstrip("% ")) + 2 * ("%" in text)
        return value == self.value or bool(digits and value and round(self.value, digits) == round(value, digits))

    def score(self, sentence: set[str], after: list[str], text: str) -> int:
        """Return how well the words of a sentence, and those after the number, fit this number; 0 if they do not."""
        shared, hints = (
            sum(any(_alike(w, other) for other in sentence) for w in some) for some in (self.words, self.hints)
        )
        kinds = ("noun" if _is_noun(word) else "unit" for word in after if _is_noun(word) or self._is_unit(word))
        kind = next(kinds, "")
        if kind == "unit":
            return 0
        noun = kind == "noun" or ("%" in text and any(map(_is_noun, sentence)))
        if self.named:
            rare = self.value >= LARGE or (self.value % 1 > 0 and "%" not in text)
            return 2 * shared + noun + rare + (hints >= ENOUGH)
        return int(noun and self.value > 1 and shared == len(self.words))

    def _is_unit(self, word: str) -> bool:
        """True if a word is a plural of something else than this number counts."""
        plural = word.endswith("s") and not word.endswith("ss") and word not in FUNCTION | WORKS
        return plural and not any(_alike(word, known) for known in self.words)


def _is_noun(word: str) -> bool:
    return NOUN.fullmatch(word) is not None or word in WHOLE


def typed(
    document: Document, answers: PaperAnswers, statistics: Mapping[str, Any]
) -> Iterator[tuple[TextPlace, str, KnownNumber]]:
    """Yield the place and text of each number typed by hand, with the number of the survey that it repeats."""
    known = [*_named(answers), *_statistics(answers.corpus.taxonomy, statistics)]
    for source, offset, sentence in document.sentences():
        words = set(_words(sentence))
        for position, text, value in numbers(sentence):
            rest = re.sub(r"^\s*of (?:the |all )\d+", "", sentence[position + len(text) :])
            after = _words(re.split(r"[.;:,()\N{CURRENCY SIGN}\d]", rest, maxsplit=1)[0])[:NEAR]
            after = [word for word in _words(text) if NOUN.fullmatch(word)] + after
            scores = [(k.score(words, after, text), k.named, k) for k in known if k.states(value, text)]
            score, _, best = max(
                scores, key=lambda entry: (entry[0] > 0 and entry[1], entry[0]), default=(0, False, None)
            )
            if best and score:
                yield source.place(offset + position), text, best


def _named(answers: PaperAnswers) -> Iterator[KnownNumber]:
    for name, number in answers.numbers.items():
        words, hints = (_meaningful(text) for text in _about(answers.manuscript.numbers[name], answers))
        words |= _meaningful(name.replace("_", " "))
        values = [(number.value, "surveynumber")]
        if number.percent is not None:
            values = [(number.value, "surveyshare"), (float(number.text.replace(",", "")), "surveynumber")]
        for value, macro in values:
            yield KnownNumber(value, words, hints - words, rf"write \{macro}{{{name}}}", named=True)


def _about(entry: QuotedNumber, answers: PaperAnswers) -> tuple[str, str]:
    """Return texts on the total, measure, claim or terms of a number, and further texts that define them."""
    taxonomy, total = answers.corpus.taxonomy, (entry.statistic or "").rpartition(".")[2]
    if entry.claim:
        return "", answers.claims[entry.claim].claim.statement
    if measure := next((m for m in taxonomy.measures if m.id in {entry.largest, entry.median}), None):
        return f"{entry.kind} {measure.label} {measure.unit}", measure.question or ""
    query = entry.count or entry.share
    terms = [taxonomy.by_id[axis].by_id.get(term) for axis, term in (parse(query, taxonomy).terms if query else ())]
    labels, definitions = (" ".join(getattr(term, name) for term in terms if term) for name in ("label", "definition"))
    return f"{SYNONYMS.get(total, '')} {labels}", definitions


def _statistics(taxonomy: Taxonomy, data: Mapping[str, Any]) -> Iterator[KnownNumber]:
    numbers = [(f"totals.{name}", n, frozenset[str]()) for name, n in data["totals"].items()]
    for axis, counts in data["counts"].items():
        terms = (term for term in taxonomy.by_id[axis].terms if term.id in counts)
        numbers += [(f"counts.{axis}.{term.id}", counts[term.id], _meaningful(term.label)) for term in terms]
    for path, value, words in numbers:
        fix = rf"add 'numbers: {{NAME: {{statistic: {path}}}}}' to paper.yaml, and write \surveynumber{{NAME}}"
        yield KnownNumber(value, words, frozenset(), fix, named=False)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{2,}", fold(text))


def _meaningful(text: str) -> frozenset[str]:
    return frozenset(word for word in _words(text) if word not in FUNCTION and not NOUN.fullmatch(word))


def _alike(word: str, other: str) -> bool:
    """True if two words of at least four letters have the same beginning: `stop` and `stopping`."""
    size = min(len(word), len(other), 5)
    return word == other or (size > 3 and word[:size] == other[:size])
