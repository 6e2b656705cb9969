"""The issue forms: what GitHub takes, made of the taxonomy, fresh as long as they fit it, and opened filled in."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import About
from awesome_cli.model.forms import DASH, WIDTH, option, option_name, proposed_axes, slug
from awesome_cli.model.taxonomy import Taxonomy, Term
from awesome_cli.publish.forms import FEW, FormText, form_address, form_texts, forms
from awesome_cli.publish.freshness import marked
from awesome_cli.publish.starter.files import Answers, presets, starter_files
from awesome_cli.survey.loading import load_corpus

KEYS = {
    "input": {"label", "description", "placeholder", "value"},
    "textarea": {"label", "description", "placeholder", "value", "render"},
    "dropdown": {"label", "description", "multiple", "options", "default"},
}


def taxonomies(root: Path) -> list[Taxonomy]:
    found = [load_corpus(WorkingTree(root)).taxonomy]
    for name in presets():
        text = yaml_reading.read(starter_files(Answers("Bread", preset=name))["taxonomy.yaml"])[0]
        found.append(Taxonomy.model_validate(text))
    return found


def require_valid(form: dict[str, Any]) -> None:
    """What GitHub's page on validation errors of issue forms asks for; longer descriptions it drops without a word."""
    assert set(form) <= {"name", "description", "labels", "title", "assignees", "projects", "type", "body"}
    assert form["name"].strip()
    assert 0 < len(form["description"]) <= 200
    ids = [field["id"] for field in form["body"]]
    labels = [re.sub(r"[^a-z0-9]+", "-", field["attributes"]["label"].lower()).strip("-") for field in form["body"]]
    assert len({*ids}) == len(ids)
    assert len({*labels}) == len(labels), "labels are too similar"
    for field in form["body"]:
        about = field["attributes"]
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert re.fullmatch(r"[A-Za-z0-9_-]+", field["id"])
        assert set(about) <= KEYS[field["type"]]
        assert all(isinstance(about[name], str) for name in ("label", "description") if name in about)
        assert field.get("validations", {}).keys() <= {"required"}
        assert all(isinstance(value, bool) for value in field.get("validations", {}).values())
        if field["type"] == "dropdown":
            options = about["options"]
            assert options
            assert all(isinstance(option, str) and option.lower() != "none" for option in options)
            assert not about.get("multiple") or all("," not in option for option in options), "commas separate answers"
            assert len({*options}) == len(options)


def test_every_form_is_one_that_github_takes(root: Path):
    for taxonomy in taxonomies(root):
        for text in form_texts(taxonomy).values():
            require_valid(yaml.safe_load(text))


def test_without_grades_no_coding_can_be_disputed(root: Path):
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    assert list(forms(taxonomy)) == ["paper", "coding", "correction"]
    assert list(forms(taxonomy.model_copy(update={"grades": ()}))) == ["paper", "correction"]


def test_terms_are_options_by_label_and_definition_where_they_are_few_else_a_line_with_a_list(root: Path):
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    fields = {field.id: field for field in forms(taxonomy)["paper"].fields}
    assert list(fields) == ["form-reference", "form-summary", "device", "beans", "taste"]
    assert fields["device"].options == (
        f"Press{DASH}A plunger ends the steeping.",
        f"Siphon{DASH}Vapour moves the water.",
        f"Drip{DASH}Water runs through.",
        f"Cold brew [cold]{DASH}No heat.",
    )
    assert fields["device"].words == ("press", "siphon", "drip", "cold")
    assert fields["taste"].multiple
    axis = taxonomy.axes[2]
    many = tuple(axis.terms[0].model_copy(update={"id": f"kind{n}", "label": f"Kind, {n}"}) for n in range(FEW + 1))
    other = taxonomy.model_copy(update={"axes": (axis.model_copy(update={"terms": many}),)})
    (line,) = (field for field in yaml.safe_load(form_texts(other)["paper"])["body"] if field["id"] == "beans")
    assert line["type"] == "input"
    assert "One of these: Kind, 0 [kind0], Kind, 1 [kind1], Kind, 2 [kind2]" in line["attributes"]["description"]


def test_the_axes_of_the_form_are_those_of_the_maps_then_the_required_ones_else_the_first(root: Path):
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    device, taste, beans = taxonomy.axes
    maps = taxonomy.maps[2:]

    def ids(**changed: object) -> list[str]:
        return [axis.id for axis in proposed_axes(taxonomy.model_copy(update=changed))]

    assert ids() == ["device", "beans", "taste"]
    assert ids(maps=maps) == ["taste", "device"]
    assert ids(maps=()) == ["device"]
    more = tuple(beans.model_copy(update={"id": f"beans{n}"}) for n in range(4))
    assert ids(maps=(), axes=more) == ["beans0", "beans1", "beans2"]
    assert ids(maps=maps, axes=(taste.model_copy(update={"bookkeeping": True}), device)) == ["device"]


def test_a_text_to_copy_has_short_lines_and_lists_the_options(root: Path):
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    text = FormText.of(taxonomy.survey, forms(taxonomy)["paper"]).text
    assert text.startswith("# Proposed paper: How Coffee Is Brewed\n\n### Reference\n")
    asked = f"<!-- one of these:\nArabica{DASH}Coffea arabica.\nRobusta{DASH}Coffea canephora.\nCold-stored [cold]{DASH}Kept cold. -->"
    assert f"### Beans\n\n{asked}\n" in text
    assert max(map(len, text.splitlines())) <= WIDTH + len(" -->")


@pytest.mark.parametrize(
    ("label", "definition", "several", "text"),
    [
        ("Tool use", "Calls of tools, and more.", False, f"Tool use{DASH}Calls of tools, and more."),
        ("Tool use", "Calls of tools, and more.", True, f"Tool use{DASH}Calls of tools; and more."),
        ("Plan, act", "A --> b.", True, f"Plan; act [tool_use]{DASH}A -> b."),
        (f"A{DASH}b", "", False, "A - b [tool_use]"),
        ("tool_use", "word " * 40, False, f"tool_use{DASH}{'word ' * 17}word…"),
    ],
)
def test_an_option_tells_its_term_whatever_its_label(label: str, definition: str, several: bool, text: str):
    assert option(Term(id="tool_use", label=label, definition=definition), "axis", several=several) == text
    assert slug(option_name(text)) == "tool_use"


def test_a_plain_option_none_has_its_axis_before_it():
    assert option(Term(id="none", label="None"), "taste") == "taste=None"
    assert slug(option_name("taste=None")) == "none"


def with_forms(root: Path) -> Path:
    folder = root / ".github" / "ISSUE_TEMPLATE"
    folder.mkdir(parents=True)
    for kind, text in form_texts(load_corpus(WorkingTree(root)).taxonomy).items():
        (folder / f"{kind}.yml").write_text(marked(f"{kind}.yml", text))
    return folder


def test_a_stale_form_is_named_and_rendered(run, root: Path):
    folder = with_forms(root)
    run("render", root=root)
    assert ".github/ISSUE_TEMPLATE/paper.yml is up to date" in run("render", "--check", root=root).out
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(
        taxonomy.read_text().replace(
            "  - {id: robusta", "  - {id: cups, label: Cups, definition: All.}\n  - {id: robusta"
        )
    )
    run("render", "--check", root=root, code=1)
    assert "+    - Cups \N{EN DASH} All." in run("render", "--diff", root=root).out
    run("render", root=root)
    assert "- Cups \N{EN DASH} All." in (folder / "paper.yml").read_text()
    run("render", "--check", root=root)


def test_a_form_that_a_person_changed_stays(run, root: Path):
    path = with_forms(root) / "coding.yml"
    path.write_text(path.read_text().replace("Dispute a coding", "Contradict us"))
    run("render", root=root)
    assert "Contradict us" in path.read_text()
    assert "coding.yml" not in run("render", "--check", root=root).out


def test_an_address_opens_the_form_filled_in():
    survey = About(title="x", repository="https://github.com/bean/coffee")
    address = form_address(survey, "coding", key="a&b", coding="device=press")
    assert address is not None
    assert address.startswith("https://github.com/bean/coffee/issues/new?")
    asked = {name: value for name, (value,) in parse_qs(urlsplit(address).query).items()}
    assert asked == {"template": "coding.yml", "form-key": "a&b", "form-coding": "device=press"}
    for other in (None, "https://codeberg.org/bean/coffee"):
        assert form_address(About(title="x", repository=other), "coding") is None


@pytest.mark.parametrize("kind", ["paper", "coding", "correction"])
def test_what_an_address_fills_in_are_fields_of_one_line(root: Path, kind: str):
    text = yaml.safe_load(form_texts(load_corpus(WorkingTree(root)).taxonomy)[kind])
    lines = {field["id"] for field in text["body"] if field["type"] == "input"}
    assert {"paper": set(), "coding": {"form-key", "form-coding"}, "correction": {"form-key"}}[kind] <= lines
