"""The start of a paper on a survey: `paper.yaml`, a document, its bibliography, and the files generated from these."""

from dataclasses import replace
from pathlib import Path

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import exporting
from awesome_cli.model.manuscript import FOLDER, PATH, Manuscript
from awesome_cli.publish.manuscript.answers import answers
from awesome_cli.publish.manuscript.files import files
from awesome_cli.publish.templates import fill, starter_environment
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.latex import to_latex
from awesome_cli.text.names import split


def draft(corpus: Corpus, root: Path) -> dict[str, bytes]:
    """Return the files of a new paper by path, without existing ones; none if the survey has a `paper.yaml`.

    `corpus` must include claims and audits.
    """
    tree, environment = WorkingTree(root), starter_environment()
    if tree.read(PATH) is not None:
        return {}
    names = (" ".join(filter(None, reversed(split(author)))) for author in corpus.taxonomy.survey.authors)
    data = {"axis": corpus.taxonomy.axes[0], "papers": corpus.papers, "title": to_latex(corpus.taxonomy.survey.title)}
    data["authors"] = r" \and ".join(map(to_latex, names))
    texts = {PATH: fill(environment, f"{FOLDER}/{PATH}", data)}
    texts[f"{FOLDER}/main.tex"] = fill(environment, f"{FOLDER}/main.tex", data)
    texts[f"{FOLDER}/references.bib"] = str(exporting.export("bibtex", exporting.select(corpus, None)))
    texts = {path: text for path, text in texts.items() if tree.read(path) is None}
    manuscript = Manuscript.model_validate(yaml_reading.read(texts[PATH].encode())[0])
    texts |= files(answers(replace(corpus, manuscript=manuscript), root), root)
    return {path: text.encode() for path, text in texts.items()}
