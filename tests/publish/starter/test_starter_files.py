"""The files of a new survey as values: which there are, and what axes from elsewhere make of them."""

import pytest
import yaml

from awesome_cli.files import yaml_reading
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.publish.freshness import is_newer, is_own, same
from awesome_cli.publish.starter.files import ONCE, Answers, presets, starter_files
from awesome_cli.survey.journal import WRITTEN

TERMS = [{"id": f"t{n}", "label": f"Topic {n}", "definition": f"On {n}."} for n in range(14)]
TOOL = "git+https://example.org/ada/tool@" + "0123456789" * 4
AXIS = Axis.model_validate({"id": "topic", "label": "Topic", "question": "On what?", "kind": "many", "terms": TERMS})


def test_a_plan_may_name_every_file_of_a_new_survey_but_the_hidden_ones():
    for preset in presets():
        files = starter_files(Answers("Bread", preset=preset, repository="https://github.com/ada/bread", tool=TOOL))
        hidden = {path for path in files if any(part.startswith(".") for part in path.split("/"))}
        assert {path for path in files if not WRITTEN.fullmatch(path)} == hidden


def test_a_preset_is_told_in_a_line_of_a_terminal():
    assert all(len(line) <= 76 and ": " in line for line in presets().values())


def test_a_duplicate_has_a_stage_and_a_reason():
    for preset in presets():
        document = yaml_reading.read(starter_files(Answers("Bread", preset=preset))["taxonomy.yaml"])[0]
        for name in ("stages", "reasons"):
            assert "duplicate" in {entry["id"] for entry in document[name]}


def test_the_sample_of_a_claim_is_of_the_day(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    sample = starter_files(Answers("Bread"))["claims.yaml"].decode()
    assert "as_of: 2023-11-14 #" in sample
    assert "need not hold" in sample


def test_axes_from_elsewhere_replace_those_of_the_preset():
    files = starter_files(Answers("Bread", preset="gap-map"), (AXIS,))
    document = yaml.safe_load(files["taxonomy.yaml"])
    assert Taxonomy.model_validate(document).axes == (AXIS,)
    assert document["readme"]["group_by"] == "topic"
    assert "maps" not in document
    assert {"population", "other_design"} < {reason["id"] for reason in document["reasons"]}
    guide = files["CONTRIBUTING.md"].decode()
    assert "14: `awesome explain topic`" in guide  # too many to name
    assert "`intervention`" not in guide


def test_what_is_brought_up_to_date_has_a_mark_and_nothing_else_has_one():
    files = {
        path: data.decode() for path, data in starter_files(Answers("Bread", tool=TOOL, paper=True)).items() if data
    }
    assert {path for path, text in files.items() if not is_own(text)} == {*ONCE, "taxonomy.yaml"}


def test_a_mark_tells_a_change_from_a_pin():
    text = starter_files(Answers("Bread", tool=TOOL))[".github/requirements.txt"].decode()
    other = text.replace("@0", "@1")
    assert other != text
    assert is_own(other)
    assert not is_own(text + "other==1\n")
    assert not same(text, other)
    assert is_newer(text.replace("awesome 0.1.0", "awesome 9.1.0"))
    assert not is_newer(other)
    step = "    - uses: actions/checkout@11bd7190 # v4.2.2\n"
    assert same(step, "    - uses: actions/checkout@ffffffff # v5\n")
    assert not same(step, "    - uses: other/checkout@11bd7190 # v4.2.2\n")
