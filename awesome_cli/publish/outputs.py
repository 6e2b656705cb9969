"""The generated files of a survey: which of them are stale, and what they should hold."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.files.paths import read
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import freshness, readme
from awesome_cli.publish.forms import fresh_forms
from awesome_cli.publish.plots.picture_files import stale_pictures
from awesome_cli.survey.changes import Change, Changes
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json


@dataclass(frozen=True)
class Output:
    """A generated file: `before` is what it holds (None: it is missing), `after` what it should hold.

    A picture has no `after`, because it is checked without being drawn; `command` makes the file.
    """

    path: str
    before: str | None
    after: str | None
    stale: bool
    command: str = "awesome render"

    def diff(self) -> str:
        """The change that rendering would make as a unified diff; empty for a fresh file and for a picture."""
        if not self.stale or self.after is None:
            return ""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))

    def changes(self, tree: WorkingTree) -> Changes:
        """The change of the file; empty if it is fresh."""
        if self.after is None or self.after == self.before:
            return ()
        return (Change(self.path, tree.read(self.path), self.after.encode()),)


def outputs(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    """Every generated file of a survey, of a corpus with candidates, claims and audits.

    Raises `SurveyError` where the README is missing or its marks are broken, or a plot of it has no known kind.
    """
    before = readme.pages(root)
    filled = {name: readme.render(text, corpus, root, name) for name, text in before.items()}
    pictures = stale_pictures(corpus, root)
    forms = fresh_forms(WorkingTree(root), corpus.taxonomy)
    made = filled | {path: after for path, (_, after) in forms.items()}
    sources = freshness.survey_files(root) | {path: text.encode() for path, text in made.items()}
    return (
        *(Output(name, text, filled[name], filled[name] != text) for name, text in before.items()),
        _statistics(corpus, root, sources | (freshness.STALE if any(pictures.values()) else {})),
        *(Output(path, None, None, stale, "awesome plot --readme") for path, stale in pictures.items()),
        *(Output(path, old, new, old != new) for path, (old, new) in forms.items()),
    )


def _statistics(corpus: Corpus, root: Path, sources: dict[str, bytes]) -> Output:
    from awesome_cli.analysis.statistics.counts import statistics

    before = read(root, freshness.STATISTICS)
    report = statistics(corpus).to_report()
    answer = {"schema": report.schema, "freshness": "", "data": report.data}
    after = (to_json(answer, indent=1) + "\n").encode()
    stale = before is None or freshness.unstamped(before) != after
    after = freshness.stamped(after, sources)
    return Output(freshness.STATISTICS, before.decode(errors="replace") if before else None, after.decode(), stale)
