"""The files of a new survey: each is one template in `templates/starter/`, filled from the answers."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from awesome_cli import __version__
from awesome_cli.files import yaml_reading
from awesome_cli.files.canonical import dump
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.publish import shipped
from awesome_cli.publish.environment import fill, starter_environment
from awesome_cli.publish.starter.answers import LICENCES, NONE, Answers
from awesome_cli.survey.loading import FOLDERS, TAXONOMY

STARTER = "starter"
ASIDE = {"presets", "example"}
"""Folders of `templates/starter/` whose files are no templates of one file each."""
DOTTED = {"github", "gitignore", "pre-commit-config.yaml"}
"""What has a dot before its name in a survey."""
ACTION = ".github/actions/awesome/action.yml"
"""Where a survey has its copy of the tool's action, which its workflows use."""


def starter_files(answers: Answers, axes: Sequence[Axis] | None = None) -> dict[str, bytes]:
    """All files of a new survey that are not rendered, by their path; `axes` replace those of the preset."""
    vocabulary = taxonomy_text(answers, axes)
    folders = {f"{name}/.gitkeep": b"" for name in FOLDERS}
    taxonomy = Taxonomy.model_validate(yaml_reading.read(vocabulary.encode())[0])
    action = {ACTION: (shipped().parent / "action.yml").read_bytes()}
    return {TAXONOMY: vocabulary.encode(), **filled(answers, taxonomy), **action, **folders}


def filled(answers: Answers, taxonomy: Taxonomy) -> dict[str, bytes]:
    """The files that templates make; one that is empty once it is filled is left out."""
    environment = starter_environment()
    licence = dict(zip(("name", "url"), LICENCES.get(answers.licence, ("", "")), strict=True))
    data = {"answers": answers, "taxonomy": taxonomy, "licence": licence, "version": __version__}
    names = (
        PurePosixPath(path.relative_to(shipped() / STARTER))
        for path in (shipped() / STARTER).rglob("*")
        if path.is_file()
    )
    texts = {
        str(name): fill(environment, f"{STARTER}/{name}", data) for name in sorted(names) if name.parts[0] not in ASIDE
    }
    return {_place(name): text.encode() for name, text in texts.items() if text.strip()}


def _place(name: str) -> str:
    return f".{name}" if name.partition("/")[0] in DOTTED else name


def taxonomy_text(answers: Answers, axes: Sequence[Axis] | None = None) -> str:
    """The vocabulary: what the survey is, then the preset; with `axes` the preset's stages and reasons alone."""
    survey = {
        "title": answers.title,
        "description": answers.question,
        "authors": answers.authors,
        "repository": answers.repository,
        "licence": answers.licence if answers.licence != NONE else None,
    }
    head = (
        "# The survey's vocabulary: 'awesome schema taxonomy' is its shape, 'awesome taxonomy show' prints it.\n"
        "# Every paper is coded on the axes. 'awesome validate' lists what a change here leaves to code.\n\n"
    )
    first = dump({"survey": {name: value for name, value in survey.items() if value}}, block=("survey",))
    body = (shipped() / STARTER / "presets" / f"{answers.preset}.yaml").read_text(encoding="utf-8").partition("\n")[2]
    return f"{head}{first}\n{(_with_axes(body, axes) if axes else body).lstrip()}"


def _with_axes(body: str, axes: Sequence[Axis]) -> str:
    document = yaml_reading.read(body.encode())[0]
    kept = {name: document[name] for name in ("stages", "reasons", "confidences") if name in document}
    group = next((axis.id for axis in axes if axis.kind == "one"), axes[0].id)
    readme = {"group_by": group, "tables": [axis.id for axis in axes], "gaps": [group]}
    own = [axis.model_dump(exclude_defaults=True, by_alias=True) for axis in axes]
    parts = [{"axes": own}, kept, {"readme": readme}]
    return "\n".join(dump(part) for part in parts)
