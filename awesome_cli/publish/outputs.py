"""The generated files of a survey: their state and expected content."""

from pathlib import Path

from awesome_cli.files.paths import read
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import exporting
from awesome_cli.publish import freshness, readme
from awesome_cli.publish.forms import fresh_forms
from awesome_cli.publish.freshness import Output, output_of
from awesome_cli.publish.plots.picture_files import stale_pictures
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json


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
    paper = _paper(corpus, root) if corpus.manuscript or corpus.of_paper else ()
    made = filled | exports | {path: after for path, (_, after) in forms.items()}
    made |= {output.path: output.after for output in paper if output.after is not None}
    removed = {output.path for output in paper if output.after is None}
    kept = {path: data for path, data in freshness.survey_files(root).items() if path not in removed}
    sources = kept | {path: text.encode() for path, text in made.items()}
    return (
        *(Output(name, text, filled[name], filled[name] != text) for name, text in before.items()),
        _statistics(corpus, root, sources | (freshness.STALE if any(pictures.values()) else {})),
        *(output_of(root, path, after) for path, after in exports.items()),
        *paper,
        *(Output(path, None, None, stale, "awesome plot --readme") for path, stale in pictures.items()),
        *(Output(path, old, new, old != new) for path, (old, new) in forms.items()),
    )


def _paper(corpus: Corpus, root: Path) -> tuple[Output, ...]:
    from awesome_cli.publish.manuscript.answers import answers
    from awesome_cli.publish.manuscript.files import outputs

    return outputs(answers(corpus, root), root)


def _statistics(corpus: Corpus, root: Path, sources: dict[str, bytes]) -> Output:
    from awesome_cli.analysis.statistics.counts import statistics

    before = read(root, freshness.STATISTICS)
    report = statistics(corpus).to_report()
    answer = {"schema": report.schema, "freshness": "", "data": report.data}
    after = (to_json(answer, indent=1) + "\n").encode()
    stale = before is None or freshness.unstamped(before) != after
    after = freshness.stamped(after, sources)
    return Output(freshness.STATISTICS, before.decode(errors="replace") if before else None, after.decode(), stale)
