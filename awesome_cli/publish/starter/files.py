"""The files of a new survey, filled from `Answers`; the example survey; and updates of the files (`init --upgrade`).

Each file is a template in `templates/starter/`, with the same path in the survey (plus a leading dot for `DOTTED`);
templates that are empty when filled are omitted. Delimiters are `@{ value }@`, `@% if … %@` and `@# comment #@`.
Values in templates: `answers` (`Answers`), `taxonomy` (`Taxonomy`), `licence` (`name` and `url`, empty for none),
`repository` (from `in_repository`), `form` (text of the form for a paper), `tool` (its address, or empty) and `today`.

Workflows and hooks install the tool from an address that pins its content. The name `awesome-survey` alone would let
whoever registers it run code in the CI of every survey.
"""

import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from awesome_cli import RELEASED, __version__
from awesome_cli.errors import UsageError
from awesome_cli.files import yaml_reading
from awesome_cli.files.canonical import dump
from awesome_cli.files.paths import below
from awesome_cli.files.tree import FileTree
from awesome_cli.model.appearance import About
from awesome_cli.model.taxonomy import CURRENT_FORMAT, UNCODED, Axis, Taxonomy
from awesome_cli.output.latex import escape
from awesome_cli.publish import shipped
from awesome_cli.publish.forms import FOLDER, FormText, form_texts, forms
from awesome_cli.publish.freshness import FileState, file_state, marked, read_text
from awesome_cli.publish.hosts import in_repository, is_repository, on_gitlab
from awesome_cli.publish.templates import fill, starter_environment
from awesome_cli.survey.changes import Change, Plan
from awesome_cli.survey.loading import FOLDERS, TAXONOMY
from awesome_cli.system.clock import today
from awesome_cli.system.programs import Program, ProgramError
from awesome_cli.text.known import require_known
from awesome_cli.text.names import split

PRESET, LICENCE, NONE = "list", "CC0-1.0", "none"
"""The default preset and licence, and the value for no licence."""
LICENCES: Mapping[str, tuple[str, str]] = {
    "CC0-1.0": ("Creative Commons Zero 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0 International", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "MIT": ("MIT License", "https://opensource.org/license/mit"),
}
"""Name and URL of each licence, by SPDX id."""
COMMIT = r"git\+https://[\w.-]+(?::\d+)?/[\w./~+-]+@[0-9a-f]{40}"
WHEEL = r"https://[\w.-]+(?::\d+)?/[\w./~%+-]+\.whl#sha256=[0-9a-f]{64}"
TOOL = re.compile(rf"(?:awesome-survey(?:\[\w+\])? ?@ ?)?({COMMIT}|{WHEEL})", re.ASCII)
"""A requirement for the tool, with its address; no character is special to YAML, pip or a quoted word of a shell."""
EXAMPLE = "git+https://HOST/PATH@COMMIT or https://HOST/FILE.whl#sha256=DIGEST"
REQUIREMENTS, GITLAB = ".github/requirements.txt", ".gitlab-ci.yml"
"""The files that pin the tool."""
PIP = "-I -m pip install --quiet --dry-run --no-deps --ignore-installed --no-input --only-binary :all: --report -"
"""Arguments of Python with which pip reports what it would install, without importing from the current folder."""
SECONDS, SIZE = 60, 1_000_000
"""Limits of that run and its report."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The properties of a new survey: `preset` is a name in `presets`, `licence` a name in `LICENCES` or `none`.

    `authors` are written as in records (`Last, First`). `tool` matches `TOOL`; if empty, workflows and hooks are left
    out. `paper` adds the start of a paper. Raises `UsageError` for invalid values.
    """

    title: str
    question: str = ""
    preset: str = PRESET
    licence: str = LICENCE
    repository: str | None = None
    authors: tuple[str, ...] = ()
    tool: str = ""
    paper: bool = False

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError("the title is empty", hint="give --title 'A survey of …'")
        labels = (f"{name} ({line.partition(':')[0]})" for name, line in presets().items())
        require_known(self.preset, presets(), "preset", hint=f"one of: {', '.join(labels)}")
        require_known(self.licence, (*LICENCES, NONE), "licence")
        if self.tool and not TOOL.fullmatch(self.tool):
            hint = f"give {EXAMPLE}, with all 40 or 64 digits"
            raise UsageError(f"--tool {self.tool!r} does not pin a commit or a wheel on an https server", hint=hint)
        if self.repository is not None and not is_repository(self.repository):
            hint = "write its https address, such as https://github.com/OWNER/NAME"
            raise UsageError(f"{self.repository!r} is not a valid repository address", hint=hint)


def released(environment: Mapping[str, str], *, offline: bool) -> str:
    """Return the address of this version's wheel with its SHA-256, '' without a release that can be found."""
    if __version__ != RELEASED or offline:
        return ""
    with suppress(ProgramError, ValueError, LookupError):
        return link if TOOL.fullmatch(link := resolved(environment)) else ""
    return ""


def resolved(environment: Mapping[str, str]) -> str:
    """Return the address and SHA-256 of this version's wheel in pip's index: `https://…/awesome_survey-1.0-….whl#sha256=…`.

    Raises `ProgramError` if pip is missing or finds none, `ValueError` or `LookupError` for another report than pip's.
    """
    words = [sys.executable, *PIP.split(), f"awesome-survey=={__version__}"]
    report = json.loads(Program(words, environment, SECONDS, SIZE).run(b""))
    source = report["install"][0]["download_info"]
    return f"{source['url']}#sha256={source['archive_info']['hashes']['sha256']}"


def presets() -> Mapping[str, str]:
    """Return `label: description` by name of preset, from the first line of the preset's file; the default is first."""
    folder = shipped() / STARTER / "presets"
    files = sorted(folder.glob("*.yaml"), key=lambda path: (path.stem != PRESET, path.stem))
    return {path.stem: path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in files}


STARTER = "starter"
ASIDE = {"presets", "example"}
"""Folders of `templates/starter/` that contain no templates."""
DOTTED = {"github", "gitignore", "gitlab-ci.yml", "pre-commit-config.yaml"}
"""Files and folders of the starter whose names get a leading dot in a survey."""
ONCE = {"README.md", "LICENSE", "CITATION.cff", "claims.yaml", "search.yaml", "paper.yaml", "paper/main.tex"}
"""Files that `init --upgrade` never updates, since curators edit them."""
OF_TOOL = {"github", "gitlab-ci.yml", "pre-commit-config.yaml"}
"""Files and folders of the starter, except forms, that run the tool."""
ACTION = "github/actions/awesome/action.yml"
"""The copy of the tool's own `action.yml`, which is copied verbatim."""
HEAD = """\
# The codebook of the survey: 'awesome taxonomy show' prints it, 'awesome explain NAME' explains an entry,
# 'awesome schema taxonomy' prints its schema. After a change, run 'awesome validate'.
# For messages from readers, add 'contact' under survey: an e-mail address or the https address of a page.

"""


def starter_files(
    answers: Answers, axes: Sequence[Axis] | None = None, uncoded: Collection[str] = (), vocabulary: bytes | None = None
) -> dict[str, bytes]:
    """Return the files of a new survey that are not rendered, by path; `axes` replace the preset's axes.

    A `vocabulary` (the bytes of a taxonomy.yaml) replaces the whole preset.
    """
    vocabulary = vocabulary or taxonomy_text(answers, axes, uncoded).encode()
    taxonomy = Taxonomy.model_validate(yaml_reading.read(vocabulary)[0])
    folders = {f"{name}/.gitkeep": b"" for name in FOLDERS}
    return {TAXONOMY: vocabulary} | filled(answers, taxonomy) | folders


def filled(answers: Answers, taxonomy: Taxonomy) -> dict[str, bytes]:
    """Return the filled templates by path; files that `init --upgrade` can update have a mark."""
    texts = sorted(_texts(answers, taxonomy))
    placed = ((f".{name}" if name.partition("/")[0] in DOTTED else name, text) for name, text in texts if text.strip())
    return {path: (text if path in ONCE else marked(path, text)).encode() for path, text in placed}


def _texts(answers: Answers, taxonomy: Taxonomy) -> Iterator[tuple[str, str]]:
    environment, folder = starter_environment(), shipped() / STARTER
    name, url = LICENCES.get(answers.licence, ("", ""))
    data = {"answers": answers, "taxonomy": taxonomy, "licence": {"name": name, "url": url}}
    data |= {"repository": (places := in_repository(taxonomy.survey)), "today": today()}
    data |= {"form": FormText.of(taxonomy.survey, forms(taxonomy)["paper"]).text}
    data |= {"tool": (tool := TOOL.sub(r"\1", answers.tool)), "gitlab": (gitlab := on_gitlab(taxonomy.survey))}
    data |= {"plot": "[plot]" if taxonomy.readme and taxonomy.readme.plots else ""}
    names = (escape(" ".join(filter(None, reversed(split(author))))) for author in taxonomy.survey.authors)
    data |= {"title": escape(taxonomy.survey.title), "authors": r" \and ".join(names)}
    unused = ASIDE | (set() if answers.paper else {"paper", "paper.yaml"})
    unused |= {"github" if gitlab else "gitlab-ci.yml"} if tool else OF_TOOL
    for file in below(folder):
        path = file.relative_to(folder)
        if path.parts[0] not in unused and not path.is_relative_to(FOLDER):
            yield path.as_posix(), fill(environment, f"{STARTER}/{path.as_posix()}", data)
    if places["form"]:
        yield from ((f"{FOLDER}/{kind}.yml", text) for kind, text in form_texts(taxonomy).items())
    if tool and not gitlab:
        yield ACTION, (shipped().parent / "action.yml").read_text(encoding="utf-8")


def taxonomy_text(answers: Answers, axes: Sequence[Axis] | None = None, uncoded: Collection[str] = ()) -> str:
    """Return taxonomy.yaml: the properties of the survey, then the preset; `axes` replace the preset's axes.

    The lists named in `uncoded` (`stages`, `reasons`) get a code 'not stated'.
    """
    survey = {
        "title": answers.title,
        "description": answers.question,
        "authors": answers.authors,
        "repository": answers.repository,
        "licence": answers.licence if answers.licence != NONE else None,
    }
    known = {name: value for name, value in survey.items() if value}
    first = dump({"format": CURRENT_FORMAT, "survey": known}, block=("survey",))
    preset = (shipped() / STARTER / "presets" / f"{answers.preset}.yaml").read_text(encoding="utf-8")
    body = preset.partition("\n")[2]
    return f"{HEAD}{first}\n{_changed(body, axes or (), uncoded) if axes or uncoded else body}"


def _changed(body: str, axes: Sequence[Axis], uncoded: Collection[str]) -> str:
    """Return the preset with `axes`, and a code 'not stated' in `uncoded` lists; the first axis groups the papers.

    Imported axes have no strengths and cover all their terms, so they get no gap maps.
    """
    document = yaml_reading.read(body.encode())[0]
    for name in uncoded:
        document[name].append(
            {"id": UNCODED, "label": "not stated", "definition": "The imported list does not state it."}
        )
    if axes:
        group, *further = (axis.id for axis in axes)
        document = {
            "axes": [axis.model_dump(exclude_defaults=True, by_alias=True) for axis in axes],
            **{name: document[name] for name in ("stages", "reasons", "confidences", "grades", "contested_from")},
            "readme": {"group_by": group, "tables": [group, *further]},
        }
    return "\n".join(dump({name: value}) for name, value in document.items() if value)


@dataclass(frozen=True, slots=True)
class Example:
    """The files of the example, which override those of the starter."""

    files: Mapping[str, bytes]
    axes: tuple[Axis, ...] = ()
    uncoded: tuple[str, ...] = ()
    incomplete: int = 0

    @classmethod
    def shipped(cls) -> "Example":
        """Load the example shipped with the tool."""
        folder = shipped() / STARTER / "example"
        return cls({path.relative_to(folder).as_posix(): path.read_bytes() for path in below(folder)})

    @property
    def answers(self) -> Answers:
        """The answers that the example's taxonomy states."""
        survey = About.model_validate(yaml_reading.read(self.files[TAXONOMY])[0]["survey"])
        return Answers(survey.title, survey.description, licence=survey.licence, authors=survey.authors)


WAY = "'awesome init --upgrade --diff' shows the new content; to accept it, move the file away and repeat the command"


def upgrade(tree: FileTree, taxonomy: Taxonomy, tool: str = "", *, paper: bool = False) -> Plan:
    """Plan the update of generated files that are missing or differ from the files of this version.

    Workflows and hooks install the `tool` [default: the one that they pin]; without either, they stay unchanged.
    `paper` adds the start of a paper, without files that are there.
    A file that was edited by hand or written by a newer version is kept, with a warning. The plan's `left` has the
    changes that edited files would get.
    """
    survey = taxonomy.survey
    licence = survey.licence if survey.licence in LICENCES else NONE
    about = (survey.title, survey.description, PRESET, licence, survey.repository, survey.authors)
    pin = GITLAB if on_gitlab(survey) else REQUIREMENTS
    lines = re.split(r"[\n']", read_text(tree, pin) or "")
    answers = Answers(*about, tool or next(filter(TOOL.fullmatch, lines), ""), paper)
    changes, left, warnings = list[Change](), list[Change](), list[str]()
    if lines[1:] and not answers.tool:
        why = "does not pin a commit or a wheel, and anybody may register the tool's name"
        warnings.append(f"kept workflows and hooks: {pin} {why}; repeat with --tool {EXAMPLE}")
    for path, data in filled(answers, taxonomy).items():
        if path in ONCE and (not path.startswith("paper") or tree.read(path) is not None):
            continue
        state, change = file_state(read_text(tree, path), data.decode()), Change(path, tree.read(path), data)
        if state is FileState.NEWER:
            warnings.append(f"kept {path}: a newer version of awesome wrote it; upgrade awesome first")
        elif state is FileState.CHANGED:
            warnings.append(f"kept {path}: it was edited by hand, or awesome did not write it")
            left.append(change)
        elif state is not FileState.SAME:
            changes.append(change)
    return Plan(tuple(changes), (*warnings, WAY) if left else tuple(warnings), left=tuple(left))
