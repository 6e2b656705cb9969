"""The generated files of a survey: which of them are stale, and what they should hold."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.corpus import Corpus
from awesome_cli.render import readme

STATISTICS = "statistics.json"


@dataclass(frozen=True)
class Output:
    """A generated file: `before` is what it holds (None: it is missing), `after` makes what it should hold."""

    path: str
    before: str | None
    stale: bool
    after: Callable[[], str]

    def diff(self) -> str:
        """What rendering would change, as a unified diff; empty when it is fresh."""
        return readme.diff(self.before or "", self.after(), self.path) if self.stale else ""


def outputs(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    """Every generated file of a survey; raises `SurveyError` where the README is missing or its marks are broken."""
    page = readme.read(root)
    filled = readme.render(page, corpus, root)
    return (Output(readme.README, page, filled != page, lambda: filled), _statistics(corpus, root))


def _statistics(corpus: Corpus, root: Path) -> Output:
    """The statistics: whether they are fresh is told by a digest, so that checking needs no pandas."""
    path = root / STATISTICS
    before = path.read_text(encoding="utf-8") if path.is_file() else None
    digest = counted_digest(corpus)
    return Output(STATISTICS, before, _digest_of(before) != digest, lambda: _statistics_text(corpus, digest))


def _digest_of(text: str | None) -> str | None:
    try:
        return str(json.loads(text or "")["digest"])
    except (ValueError, KeyError, TypeError):
        return None


def _statistics_text(corpus: Corpus, digest: str) -> str:
    from awesome_cli.analysis.counts import statistics

    report = statistics(corpus).to_report()
    answer = {"schema": report.schema, "digest": digest, "data": report.data}
    return json.dumps(answer, ensure_ascii=False, indent=1) + "\n"


def counted_digest(corpus: Corpus) -> str:
    """SHA-256 of everything that statistics count: tags, years, venues, screening, and the axes' terms."""
    papers = [
        (p.key, p.year, p.venue, sorted((axis, [(t.term, t.strength) for t in tags]) for axis, tags in p.tags.items()))
        for p in corpus.papers
    ]
    screened = [(e.screening.stage, e.screening.reason) for e in corpus.exclusions]
    taxonomy = corpus.taxonomy
    axes = [
        (axis.id, [(term.id, term.parent) for term in axis.terms], [strength.id for strength in axis.strengths])
        for axis in taxonomy.axes
    ]
    words = [[entry.id for entry in entries] for entries in (taxonomy.stages, taxonomy.reasons)]
    counted = (papers, screened, axes, words, [pair.name for pair in taxonomy.maps])
    return hashlib.sha256(json.dumps(counted).encode()).hexdigest()
