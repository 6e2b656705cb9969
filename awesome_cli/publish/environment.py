"""Templates: a survey's own folder first, then the shipped ones. The only home of jinja2."""

from collections.abc import Mapping
from pathlib import Path

import jinja2

from awesome_cli.errors import SurveyError
from awesome_cli.files.places import place
from awesome_cli.files.plain import contents
from awesome_cli.publish import shipped
from awesome_cli.text import markup
from awesome_cli.text.inert import visible


def markdown_environment(root: Path) -> jinja2.Environment:
    """Templates for Markdown: every value is escaped unless it is `Markdown` already.

    Undefined names are errors. Filters: `link(url)`, `code`, `table(columns, right)`.
    """
    environment = html_environment(root)
    # `finalize` escapes for Markdown, which the escapes of HTML would garble.
    environment.autoescape = False
    environment.finalize = lambda value: value if isinstance(value, markup.Markdown) else markup.escape(str(value))
    environment.keep_trailing_newline = False
    environment.filters |= {"link": markup.link, "code": markup.code}
    environment.globals["table"] = markup.table
    return environment


def html_environment(root: Path) -> jinja2.Environment:
    """Templates for pages: every value is escaped for HTML, undefined names are errors."""
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([_own(root), jinja2.FileSystemLoader(shipped())]),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _own(root: Path) -> jinja2.BaseLoader:
    """The survey's own templates: plain files in its folder `templates`."""
    folder = place(root, "templates")

    def source(name: str) -> str | None:
        data = contents(str(place(folder, name)), f"templates/{name}")
        return None if data is None else data.decode()

    return jinja2.FunctionLoader(source)


def fill(environment: jinja2.Environment, name: str, data: Mapping[str, object]) -> str:
    """A filled template without active characters; raises `SurveyError` that names the template and the line."""
    try:
        return visible(environment.get_template(name).render(data))
    except jinja2.TemplateNotFound as error:
        raise SurveyError(f"there is no template {error.name}", hint="put it into the survey's templates/") from None
    except jinja2.TemplateSyntaxError as error:
        raise SurveyError(f"templates/{error.name}:{error.lineno}: {error.message}") from None
    except jinja2.UndefinedError as error:
        raise SurveyError(f"templates/{name}: {error.message}", hint="see docs/design.md for what it may use") from None
