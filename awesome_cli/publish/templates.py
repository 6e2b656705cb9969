"""Load and fill templates, preferring a survey's own to shipped templates; list and copy shipped templates."""

from collections.abc import Callable, Mapping
from filecmp import cmp
from pathlib import Path
from traceback import walk_tb
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.loaders import split_template_path

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError
from awesome_cli.files.canonical import flow, scalar
from awesome_cli.files.paths import below, contents, decoded, place
from awesome_cli.files.tree import FileTree
from awesome_cli.publish import shipped
from awesome_cli.publish.sandbox import Sandbox
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.changes import Change, Plan
from awesome_cli.text import markup
from awesome_cli.text.inert import visible
from awesome_cli.text.known import listed, require_known
from awesome_cli.text.numbers import counted

FOLDER = "templates"
MAX_BYTES = 1_000_000
"""Maximum size of a template."""
HINT = "'awesome help design' lists the values and filters of templates"

PAGES: Mapping[str, Any] = {
    "undefined": jinja2.StrictUndefined,
    "autoescape": True,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}
"""Options of the Jinja environments."""


class _Compiled(jinja2.BytecodeCache):
    """A cache of compiled templates in memory, by name and checksum; each kind of environment needs its own cache."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.code


HTML, MARKDOWN, STARTER, SHIPPED = _Compiled(), _Compiled(), _Compiled(), _Compiled()


def markdown_environment(root: Path) -> Sandbox:
    """Return an environment for Markdown: values are escaped unless they are `Markdown`; undefined names are errors.

    Filters: `link(url)`, `code`; function: `table(columns, rows, right)`.
    """
    environment = html_environment(root)
    environment.bytecode_cache = MARKDOWN
    # `finalize` escapes for Markdown; HTML escapes would garble it.
    environment.autoescape = False
    environment.finalize = lambda value: (
        value if isinstance(value, markup.Markdown) else markup.escape(environment.shown(value))
    )
    environment.keep_trailing_newline = False
    environment.filters |= {"link": markup.link, "code": markup.code}
    environment.globals["table"] = _table(environment)
    return environment


def _table(environment: Sandbox) -> Callable[..., markup.Markdown]:
    def table(columns: Any, rows: Any, right: Any) -> markup.Markdown:
        widest = max((len(str(cell)) for row in rows for cell in row), default=0)
        environment.charge((len(rows) + 1) * len(columns) * widest)
        return markup.table(columns, rows, right)

    return table


def starter_environment() -> Sandbox:
    """Return an environment for starter files. The delimiters `@{ name }@` and `@% if %@` do not occur in these files.

    Nothing is escaped. Filters: `yaml` writes a scalar, `flow` a scalar in braces, `md` text.
    """
    environment = html_environment(
        shipped().parent,
        variable_start_string="@{", variable_end_string="}@",
        block_start_string="@%", block_end_string="%@",
        comment_start_string="@#", comment_end_string="#@",
    )  # fmt: skip
    environment.autoescape = False
    environment.bytecode_cache = STARTER
    environment.filters |= {"yaml": scalar, "flow": flow, "md": markup.escape}
    return environment


def html_environment(root: Path, **marks: str) -> Sandbox:
    """Return an environment for HTML pages: values are escaped, undefined names are errors."""
    load = jinja2.FunctionLoader(lambda name: _load(name, place(root, FOLDER)))
    environment = Sandbox(loader=load, bytecode_cache=HTML, **PAGES, **marks)
    environment.finalize = environment.shown
    environment.globals["counted"] = counted
    return environment


def page_environment(root: Path) -> jinja2.Environment:
    """Return `html_environment`, or a faster environment without a sandbox if the survey overrides no template.

    The sandbox takes a third of the time for thousands of pages.
    """
    if own_templates(root):
        return html_environment(root)
    # PAGES escapes every value, which the linter does not see.
    environment = jinja2.Environment(loader=jinja2.FunctionLoader(_load), bytecode_cache=SHIPPED, **PAGES)  # noqa: S701
    environment.globals["counted"] = counted
    return environment


def _load(name: str, *overrides: Path) -> tuple[str, str, None] | None:
    """Load a template, preferring the folders `overrides`; refuse symlinks that lead out of such a folder."""
    path, shown = Path(*split_template_path(name)), f"{FOLDER}/{name}"
    for file in (*(place(folder, path) for folder in overrides), shipped() / path):
        data = contents(str(file), shown, MAX_BYTES)
        if data is not None:
            return decoded(data, shown), shown, None
    return None


def own_templates(root: Path) -> tuple[str, ...]:
    """Return the names of a survey's templates, scripts and styles: overrides of shipped files, and additional ones."""
    home, names = place(root, FOLDER), []
    for file in below(home):
        same = shipped() / (path := file.relative_to(home))
        if not cmp(file, same, shallow=False) if same.is_file() else file.suffix == ".j2":
            names.append(f"{FOLDER}/{path.as_posix()}")
    return tuple(sorted(names))


def fill(environment: jinja2.Environment, name: str, data: Mapping[str, object]) -> str:
    """Fill a template and escape control characters; raises `SurveyError` with the name and line of the template."""
    if isinstance(environment, Sandbox):
        environment.begin()
    try:
        return visible(environment.get_template(name).render(data))
    except AwesomeError:
        raise
    except jinja2.TemplateNotFound as error:
        raise SurveyError(f"template {error.name} not found", hint="add it to the survey's templates/") from None
    except jinja2.TemplateSyntaxError as error:
        raise SurveyError(f"{FOLDER}/{error.name}:{error.lineno}: {error.message}", hint=HINT) from None
    except Exception as error:  # noqa: BLE001 - a template can raise anything
        where = _place(error) or f"{FOLDER}/{name}"
        kind = "" if isinstance(error, jinja2.TemplateError) else f"{type(error).__name__}: "
        raise SurveyError(f"{where}: {kind}{' '.join(str(error).split())[:200]}", hint=HINT) from None


def _place(error: Exception) -> str | None:
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(error.__traceback__)]
    return next((place for place in reversed(places) if place.startswith(f"{FOLDER}/")), None)


INHERITED = ("readme", "site")
"""Folders of shipped templates that a survey may override."""


def inherited() -> Mapping[str, Path]:
    """Return the shipped templates, scripts and styles that a survey may override, by path below `templates/`."""
    files = (file for folder in INHERITED for file in below(shipped() / folder))
    return {file.relative_to(shipped()).as_posix(): file for file in sorted(files)}


def listing(root: Path, tree: FileTree) -> Report:
    """Report each template with its state: shipped, an identical copy, a changed copy, or the survey's own."""
    names = [*inherited(), *(path.removeprefix(f"{FOLDER}/") for path in own_templates(root))]
    rows = [(name, _state(tree, name)) for name in dict.fromkeys(names)]
    data = {"templates": [{"name": name, "state": state} for name, state in rows]}
    hint = Text("'awesome template copy NAME' copies a template into the survey for editing.")
    section = Section(None, (Table.of(("template", "whose"), rows), hint))
    return Report("awesome/templates/1", data, (section,), rows=Table.of(("name", "state"), rows))


def _state(tree: FileTree, name: str) -> str:
    override, file = tree.read(f"{FOLDER}/{name}"), inherited().get(name)
    if override is None:
        return "the tool's"
    if file is None:
        return "the survey's own"
    return "a copy of the tool's" if override == file.read_bytes() else "the survey's own, differs from the tool's"


def copy(tree: FileTree, name: str) -> Plan:
    """Plan to copy a template into the survey; raises `RefusedError` if the copy exists, `UsageError` if unknown."""
    known, path = inherited(), f"{FOLDER}/{name}"
    alike = [template for template in known if name in template]
    file = known[require_known(name, known, "template", hint=listed(alike) if alike else "see 'awesome template list'")]
    if tree.read(path) is not None:
        hint = f"edit that file; or move it away and repeat 'awesome template copy {name}'"
        raise RefusedError(f"{path} already exists; nothing was written", hint=hint)
    return Plan((Change(path, None, file.read_bytes()),))
