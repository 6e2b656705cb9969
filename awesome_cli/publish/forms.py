"""GitHub issue forms for contributions, generated from the taxonomy."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.appearance import About
from awesome_cli.model.forms import DASH, HEADINGS, OWN, Form, correctable, option, proposed_axes
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.freshness import FileState, file_state, is_own, marked, read_text
from awesome_cli.publish.hosts import contact_address, in_repository
from awesome_cli.publish.templates import fill, starter_environment

FOLDER = "github/ISSUE_TEMPLATE"
"""The folder of the forms in `templates/starter/`; in a survey its name begins with a dot."""
WORKFLOW = ".github/workflows/contribution.yml"
"""The workflow that processes submitted forms."""
FEW = 50
"""The largest number of options in a list of a form; for more options, the form has a text field."""


def form_texts(taxonomy: Taxonomy) -> dict[str, str]:
    """Return the text of each form by kind. If the taxonomy has no grades, the form to dispute a coding is omitted."""
    environment, axes = starter_environment(), proposed_axes(taxonomy)
    options = {axis.id: [option(term, axis.id, several=axis.kind == "many") for term in axis.current] for axis in axes}
    names = {axis: [text.partition(DASH)[0] for text in texts] for axis, texts in options.items()}
    data = {"taxonomy": taxonomy, "fields": correctable(taxonomy), "axes": axes, "options": options, "names": names}
    data |= {"few": FEW, "grades": [option(grade, "grade") for grade in taxonomy.grades]}
    texts = {kind: fill(environment, f"starter/{FOLDER}/{kind}.yml", data) for kind in HEADINGS}
    return {kind: text for kind, text in texts.items() if text.strip()}


def forms(taxonomy: Taxonomy) -> Mapping[str, Form]:
    """Return the parsed forms by kind."""
    return {kind: Form.of(kind, yaml_reading.read(text.encode())[0]) for kind, text in form_texts(taxonomy).items()}


def fresh_forms(tree: FileTree, taxonomy: Taxonomy) -> dict[str, tuple[str | None, str]]:
    """Return `(current text or None, expected text)` for each generated form, by path.

    A missing form is included if the survey has the workflow for forms and a host that shows forms. A form that was
    edited by hand or written by a newer version is left out.
    """
    texts: dict[str, tuple[str | None, str]] = {}
    wanted = in_repository(taxonomy.survey)["form"] and tree.read(WORKFLOW) is not None
    for kind, text in form_texts(taxonomy).items():
        path = f".{FOLDER}/{kind}.yml"
        before = read_text(tree, path)
        state = file_state(before, text)
        if state is FileState.STALE or (state is FileState.MISSING and wanted):
            texts[path] = before, marked(path, text)
        elif state is FileState.SAME and is_own(before or ""):
            texts[path] = before, before or ""
    return texts


def form_address(survey: About, kind: str, **values: str) -> str | None:
    """Return the URL of a form prefilled with `values` (by field name without `form-`); None if the host has no forms.

    GitHub prefills text fields, not lists of options.
    """
    top = in_repository(survey)["form"]
    fields = {f"{OWN}{name}": value for name, value in values.items()}
    return f"{top}?{urlencode({'template': f'{kind}.yml', **fields})}" if top else None


@dataclass(frozen=True, slots=True)
class FormText:
    """A form to copy and fill in; `message` is a mailto: URL with the form, the contact URL, or None."""

    text: str
    message: str | None

    @classmethod
    def of(cls, survey: About, form: Form, **values: str) -> "FormText":
        """Fill in `values` (by field name without `form-`) under a heading with the survey's title."""
        fields = {f"{OWN}{name}": value for name, value in values.items()}
        heading = f"{HEADINGS[form.kind]}: {' '.join(survey.title.split())}"
        message = contact_address(survey, heading, form.text(fields, remarks=False))
        return cls(f"# {heading}\n\n{form.text(fields)}", message)
