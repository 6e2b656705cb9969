"""The generated files of a survey: which of them are stale, and what they should hold."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.publish import readme, seal
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import write

RENDER = "awesome render"
DRAW = "awesome plot --readme"


@dataclass(frozen=True)
class Output:
    """A generated file: `before` is what it holds (None: it is missing), `after` makes what it should hold.

    A file that another command makes has no `after`; `command` names the one.
    """

    path: str
    before: str | None
    stale: bool
    command: str = RENDER
    after: Callable[[], str] | None = None

    def diff(self) -> str:
        """What rendering would change, as a unified diff; empty when it is fresh or a picture."""
        return readme.diff(self.before or "", self.after(), self.path) if self.stale and self.after else ""

    def write(self, root: Path) -> bool:
        """Write the file where it differs; whether it was written."""
        text = self.after() if self.after is not None else self.before
        if text is None or text == self.before:
            return False
        write(root / self.path, text.encode())
        return True


def outputs(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    """Every generated file of a survey, of a corpus with candidates, claims and audits.

    Raises `SurveyError` where the README is missing or its marks are broken.
    """
    page = readme.read(root)
    filled = readme.render(page, corpus, root)
    front = Output(readme.README, page, filled != page, after=lambda: filled)
    pictures = _pictures(corpus, root)
    # A stale picture must be seen by the next check, too: nothing is sealed over it.
    sealed = not any(picture.stale for picture in pictures)
    return (front, _statistics(corpus, root, filled, sealed=sealed), *pictures)


def _pictures(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    from awesome_cli.publish import plots

    old = set(plots.stale(corpus, root))
    return tuple(Output(plots.hash_file(p.name), None, p.name in old, DRAW) for p in plots.readme_plots(corpus))


def _statistics(corpus: Corpus, root: Path, page: str, *, sealed: bool) -> Output:
    """The statistics: whether they are fresh is told by a digest, so that checking needs no pandas."""
    path = root / seal.STATISTICS
    before = path.read_text(encoding="utf-8") if path.is_file() else None
    digest = counted_digest(corpus)

    def after() -> str:
        text = _statistics_text(corpus, digest)
        return seal.stamped(text, root, {readme.README: page.encode()}) if sealed else text

    return Output(seal.STATISTICS, before, _digest_of(before) != digest, after=after)


def _digest_of(text: str | None) -> str | None:
    try:
        return str(json.loads(text or "")["digest"])
    except (ValueError, KeyError, TypeError):
        return None


def _statistics_text(corpus: Corpus, digest: str) -> str:
    from awesome_cli.analysis.statistics.counts import statistics

    report = statistics(corpus).to_report()
    answer = {"schema": report.schema, "seal": "", "digest": digest, "data": report.data}
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
