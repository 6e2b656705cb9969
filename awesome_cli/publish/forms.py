"""The forms by which people contribute: issue forms of GitHub, made of the taxonomy."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.appearance import About
from awesome_cli.model.codings import Tag
from awesome_cli.model.forms import HEADINGS, OWN, Form, correctable
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.publish.freshness import FileState, file_state, is_own, marked, read_text
from awesome_cli.publish.hosts import contact_address, in_repository
from awesome_cli.publish.templates import fill, starter_environment

FOLDER = "github/ISSUE_TEMPLATE"
"""Where the forms stand in `templates/starter/` and, with a dot before it, in a survey."""
WORKFLOW = ".github/workflows/contribution.yml"
"""The workflow that takes in what the forms send."""
FEW = 50
"""So many options at most are a list to choose from; of more the form has a line to write in."""


def form_texts(taxonomy: Taxonomy) -> dict[str, str]:
    """The file of each form by its kind; without grades there is none to dispute a coding."""
    environment, words = starter_environment(), {axis.id: _words(axis) for axis in taxonomy.axes}
    data = {"taxonomy": taxonomy, "fields": correctable(taxonomy), "words": words, "few": FEW}
    texts = {kind: fill(environment, f"starter/{FOLDER}/{kind}.yml", data) for kind in HEADINGS}
    return {kind: text for kind, text in texts.items() if text.strip()}


def _words(axis: Axis) -> tuple[str, ...]:
    """The terms that can be given on an axis, each with each strength that it can have."""
    strengths = axis.strength_ids or (None,)
    terms = (term.id for term in axis.leaves if not term.deprecated)
    return tuple(str(Tag(term=term, strength=strength)) for term in terms for strength in strengths)


def forms(taxonomy: Taxonomy) -> Mapping[str, Form]:
    """The forms by their kind."""
    return {kind: Form.of(kind, yaml_reading.read(text.encode())[0]) for kind, text in form_texts(taxonomy).items()}


def fresh_forms(tree: FileTree, taxonomy: Taxonomy) -> dict[str, tuple[str | None, str]]:
    """The present text of each form, None for a missing one, and the text that it should have, by path.

    One is missing where the survey's workflow takes in forms and its host shows them. A form that a person changed or
    that a newer version wrote is none of the survey's generated files.
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
    """The address that opens a form with values by field, without `form-`; None where the host has no such forms.

    GitHub fills in fields of one line and of several, not those with options.
    """
    top = in_repository(survey)["form"]
    fields = {f"{OWN}{name}": value for name, value in values.items()}
    return f"{top}?{urlencode({'template': f'{kind}.yml', **fields})}" if top else None


@dataclass(frozen=True, slots=True)
class FormText:
    """A form to copy and fill in, and the address of a message with it to the survey's contact, None without one."""

    text: str
    message: str | None

    @classmethod
    def of(cls, survey: About, form: Form, **values: str) -> "FormText":
        """The form with values by field, without `form-`, under a heading that names the survey."""
        fields = {f"{OWN}{name}": value for name, value in values.items()}
        heading = f"{HEADINGS[form.kind]}: {' '.join(survey.title.split())}"
        message = contact_address(survey, heading, form.text(fields, remarks=False))
        return cls(f"# {heading}\n\n{form.text(fields)}", message)
