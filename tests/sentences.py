"""The figures in what the survey says in words, and where each comes from in its records.

Statements of claims are not read here: rule L009 compares them with what the claims expect.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from figures import FIGURES

from awesome_cli.analysis.claims.evaluation import Outcome, evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.claims import Claim
from awesome_cli.publish import readme
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.stated import numbers


@dataclass(frozen=True)
class Text:
    """What stands at a place in words, what the claim's expectations observe, and whether `validate` reads its numbers."""

    where: str
    words: str
    observed: frozenset[float] = frozenset()
    checked: bool = False

    @property
    def sentences(self) -> list[str]:
        return [" ".join(found.split()) for found in re.split(r"(?<=[.!?])\s+|\n\n|\|", self.words) if found.strip()]


def texts(corpus: Corpus, root: Path) -> Iterator[Text]:
    """Every text by hand about the records: claims, README, taxonomy and audits."""
    for claim in corpus.claims.claims:
        observed = frozenset(of_expectations(claim, corpus))
        life = claim.revised or claim.withdrawn
        yield Text(f"statement of {claim.id}", claim.statement, observed, checked=True)
        yield Text(f"boundary of {claim.id}", claim.boundary or "", observed)
        yield Text(f"account of {claim.id}", claim.account or "", observed)
        yield Text(f"end of {claim.id}", life.because if life else "", observed)
    yield Text("README.md", by_hand(readme.pages(root)["README.md"]))
    taxonomy = corpus.taxonomy
    yield Text("survey in taxonomy.yaml", f"{taxonomy.survey.description}\n\n{taxonomy.survey.finding}")
    for axis in taxonomy.axes:
        notes = [word for term in axis.terms for word in (term.definition, term.note)]
        notes += [judged.because for term in axis.terms for judged in term.judged]
        notes += [axis.question, *(s.definition for s in axis.strengths), *(past.because for past in axis.history)]
        yield Text(f"{axis.id} in taxonomy.yaml", "\n\n".join(filter(None, notes)))
    others = [*taxonomy.stages, *taxonomy.reasons, *taxonomy.grades]
    yield Text(
        "taxonomy.yaml",
        "\n\n".join(filter(None, [*(o.definition for o in others), *(m.note for m in taxonomy.measures)])),
    )
    for audit in corpus.audits:
        said = [audit.chosen, audit.note, *audit.first_of.values(), *(group.label for group in audit.groups.values())]
        yield Text(audit.path, "\n\n".join(filter(None, said)))


def by_hand(page: str) -> str:
    """A README without what is generated, code and comments."""
    for _, start, end in reversed(readme.islands(page)):
        page = page[:start] + page[end:]
    return re.sub(r"```.*?```|<!--.*?-->|<[^>]*>", "", page, flags=re.DOTALL)


def of_expectations(claim: Claim, corpus: Corpus) -> Iterator[float]:
    """What the claim's expectations observe in the pool of its day; of an audit also its cells, papers and differences."""
    pool = Pool(corpus.as_of(claim.as_of))
    for outcome in evaluate(claim, pool).outcomes:
        yield from _observed(outcome, pool)


def _observed(outcome: Outcome, pool: Pool) -> Iterator[float]:
    asked = outcome.expectation
    yield from (bound for name, bound in asked.bounds if name == "at_least" and not isinstance(bound, tuple))
    yield from (value for value in (outcome.value,) if isinstance(value, float))
    if asked.kind in {"ids", "state", "share"}:
        yield len(outcome.selection)
    if asked.kind == "agreement":
        column = pool.agreement(asked)
        yield from (column.n, len(column.disagreements), len({key for key, _, _ in column.pairs}))


def wrong(corpus: Corpus, root: Path) -> list[str]:
    """Each number that the records do not give, with its sentence and what to do."""
    return [
        finding
        for text in texts(corpus, root)
        if not text.checked
        for sentence in text.sentences
        for finding in _wrong(text, sentence, corpus)
    ]


def _wrong(text: Text, sentence: str, corpus: Corpus) -> Iterator[str]:
    known = {found.start(1): ask for phrase, ask in FIGURES.items() for found in re.finditer(phrase, sentence)}
    for start, word, value in numbers(sentence):
        if start in known:
            ask = known[start]
            given = {value if ask is None else float(ask(corpus))}
        else:
            given = text.observed if value else {value}
        if value not in given:
            yield (
                f"{text.where}: {word!r} in {sentence!r}: the records give {sorted(given) or 'no such figure'}; correct the"
                " sentence, or name the query behind it in tests/figures.py"
            )
