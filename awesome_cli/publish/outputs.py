"""The generated files of a survey: their state and expected content."""

import difflib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.files.paths import read
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import exporting
from awesome_cli.publish import freshness, readme
from awesome_cli.publish.forms import fresh_forms
from awesome_cli.publish.plots.picture_files import stale_pictures
from awesome_cli.survey.changes import Change, Changes
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json

if TYPE_CHECKING:
    from awesome_cli.publish.manuscript.answers import PaperAnswers

COMMIT = re.compile(r'(\\surveyentry\{about\}\{commit\}\{|"commit": ")[^"}]*')
"""The commit in a generated file of a manuscript."""


@dataclass(frozen=True)
class Output:
    """A generated file: its current content `before` (None if missing) and its expected content `after`.

    For pictures `after` is None, since they are checked without drawing them. `command` writes the file.
    """

    path: str
    before: str | None
    after: str | None
    stale: bool
    command: str = "awesome render"

    def diff(self) -> str:
        """Return the change as a unified diff; empty for fresh files and pictures."""
        if not self.stale or self.after is None:
            return ""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))

    def changes(self, tree: WorkingTree) -> Changes:
        """Return the change to write; empty if the file is fresh."""
        if self.after is None or self.after == self.before:
            return ()
        return (Change(self.path, tree.read(self.path), self.after.encode()),)


def outputs(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    """Return the state of all generated files; `corpus` must include candidates, claims and audits.

    Raises `SurveyError` if the README is missing, a mark is broken, or a plot has an unknown kind.
    """
    before = readme.pages(root)
    filled = {name: readme.render(text, corpus, root, name) for name, text in before.items()}
    pictures = stale_pictures(corpus, root)
    forms = fresh_forms(WorkingTree(root), corpus.taxonomy)
    papers, wanted = exporting.select(corpus, None), corpus.taxonomy.readme.exports if corpus.taxonomy.readme else ()
    exports = {freshness.EXPORTS[form]: str(exporting.export(form, papers)) for form in wanted}
    paper = _manuscript(corpus, root) if corpus.manuscript else ()
    made = filled | exports | {path: after for path, (_, after) in forms.items()}
    made |= {output.path: output.after or "" for output in paper}
    sources = freshness.survey_files(root) | {path: text.encode() for path, text in made.items()}
    return (
        *(Output(name, text, filled[name], filled[name] != text) for name, text in before.items()),
        _statistics(corpus, root, sources | (freshness.STALE if any(pictures.values()) else {})),
        *(_export(root, path, after) for path, after in exports.items()),
        *paper,
        *(Output(path, None, None, stale, "awesome plot --readme") for path, stale in pictures.items()),
        *(Output(path, old, new, old != new) for path, (old, new) in forms.items()),
    )


def _manuscript(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    from awesome_cli.publish.manuscript.answers import answers

    return manuscript(answers(corpus, root), root)


def manuscript(answers: "PaperAnswers", root: Path) -> tuple[Output, ...]:
    """Return the state of the generated files of `paper.yaml`."""
    from awesome_cli.publish.manuscript.files import files

    made = (_export(root, path, after) for path, after in files(answers, root).items())
    return tuple(_settled(replace(output, command="awesome paper build")) for output in made)


def _settled(output: Output) -> Output:
    """Return a file as fresh if only its commit differs: a build cannot name the commit that will contain its file."""
    texts = {COMMIT.sub(r"\1", text or "") for text in (output.before, output.after)}
    return output if len(texts) > 1 else replace(output, stale=False, after=output.before)


def _export(root: Path, path: str, after: str) -> Output:
    data = read(root, path)
    return Output(path, None if data is None else data.decode(errors="replace"), after, data != after.encode())


def _statistics(corpus: Corpus, root: Path, sources: dict[str, bytes]) -> Output:
    from awesome_cli.analysis.statistics.counts import statistics

    before = read(root, freshness.STATISTICS)
    report = statistics(corpus).to_report()
    answer = {"schema": report.schema, "freshness": "", "data": report.data}
    after = (to_json(answer, indent=1) + "\n").encode()
    stale = before is None or freshness.unstamped(before) != after
    after = freshness.stamped(after, sources)
    return Output(freshness.STATISTICS, before.decode(errors="replace") if before else None, after.decode(), stale)
