"""The spellings of codings and references in answers of forms."""

import pytest

from awesome_cli.curation.contributions.spelling import assigned, codings, reference
from awesome_cli.errors import UsageError
from awesome_cli.model.forms import DASH
from awesome_cli.model.taxonomy import Taxonomy

AXES = [
    {
        "id": "unit",
        "label": "Credit unit",
        "question": "Which?",
        "terms": [
            {"id": "tool", "label": "Tool call", "code": "U1"},
            {"id": "plan_act", "label": "Plan, act"},
            {"id": "na", "label": "Not applicable"},
        ],
    },
    {
        "id": "taste",
        "label": "Taste",
        "question": "Which?",
        "kind": "many",
        "strengths": [{"id": "by_panel", "label": "by panel"}],
        "terms": [{"id": "sour", "label": "Sour"}, {"id": "plan_act", "label": "Plan, act"}],
    },
]
TAXONOMY = Taxonomy.model_validate({"survey": {"title": "x"}, "axes": AXES})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unit=tool", "unit=tool"),
        ("unit: tool", "unit=tool"),
        ("Unit = TOOL", "unit=tool"),
        ("credit UNIT: tool CALL", "unit=tool"),
        ("Credit unit: U1", "unit=tool"),
        ("Credit unit: Plan, act", "unit=plan_act"),
        ("taste: sour:by_panel", "taste=sour:by_panel"),
        ("Taste: Sour: By panel, plan_act", "taste=sour:by_panel,plan_act"),
        ("sour:by_panel", "sour:by_panel"),
        ("sour", "sour"),
        ("taste:", "taste:"),
        ("colour: red", "colour: red"),
    ],
)
def test_an_axis_stands_before_a_colon_or_an_equals_sign(text: str, expected: str):
    assert assigned(text, TAXONOMY) == expected


def test_an_id_goes_before_the_label_of_another_axis():
    other = {**AXES[1], "id": "scale", "label": "Unit"}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "x"}, "axes": [other, *AXES]})
    assert assigned("unit=tool", taxonomy) == "unit=tool"
    assert assigned("Unit: sour", taxonomy) == "unit=sour"


@pytest.mark.parametrize(
    ("axis", "text", "expected"),
    [
        ("unit", f"Tool call [tool]{DASH}A call, or more.", ["tool"]),
        ("unit", f"Any label at all [tool]{DASH}Any: text", ["tool"]),
        ("unit", "Plan, act", ["plan_act"]),
        ("unit", f"Tool call [tool]{DASH}A call., plan_act", ["tool", "plan_act"]),
        ("unit", "tool, plan_act", ["tool", "plan_act"]),
        ("unit", "credit unit: tool", ["tool"]),
        ("unit", "n/a", []),
        ("unit", "NA", ["na"]),
        ("unit", "", []),
        ("taste", f"Sour{DASH}Acid., Plan; act [plan_act]{DASH}Both; at once.", ["sour", "plan_act"]),
        ("taste", f"Sour{DASH}Acid., swet", ["sour", "swet"]),
        ("taste", f"Sour{DASH}Acid. Sweet{DASH}Sugar.", [f"Sour{DASH}Acid. Sweet{DASH}Sugar."]),
        ("taste", "Sour: by panel: part, -", ["sour:by_panel:part"]),
        ("taste", "taste=sour, Taste: plan_act", ["sour", "plan_act"]),
        ("taste", ":by panel", [":by_panel"]),
    ],
)
def test_an_answer_names_terms_by_option_label_code_or_id(axis: str, text: str, expected: list[str]):
    assert codings(TAXONOMY.by_id[axis], text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2402.01680", "arxiv:2402.01680"),
        ("arXiv: 2402.01680v2 [cs.CL]", "arxiv:2402.01680v2"),
        ("<https://arxiv.org/abs/2402.01680>.", "arxiv:2402.01680"),
        ("[A title](https://doi.org/10.1000/x)", "doi:10.1000/x"),
        ("doi:10.1016/S0140-6736(20)30183-5", "doi:10.1016/S0140-6736(20)30183-5"),
        ("A title (2024), doi 10.1016/S0140-6736(20)30183-5.", "doi:10.1016/S0140-6736(20)30183-5"),
        ("10.1002/(SICI)1097-4571(1998)49:8<693::AID-ASI4>3.0.CO;2-O", "doi:10.1002/(SICI)1097-4571(1998)49:8<693::AID-ASI4>3.0.CO;2-O"),
        ("arXiv:2402.01680, https://arxiv.org/pdf/2402.01680v1", "arxiv:2402.01680v1"),
        ("https://example.org/a,b", "https://example.org/a,b"),
    ],
)  # fmt: skip
def test_a_reference_may_stand_among_other_words(text: str, expected: str):
    assert str(reference(text)) == expected


@pytest.mark.parametrize("text", ["2402.01680 2402.01681", "https://a.org/x, https://b.org/y", "10.1000/x;10.1000/y"])
def test_several_works_are_refused(text: str):
    with pytest.raises(UsageError, match=r"names 2 works .*; one paper a form"):
        reference(text)


def test_a_title_is_not_a_reference():
    with pytest.raises(UsageError, match="'Foam, 2024' is not an identifier or a URL"):
        reference("Foam, 2024")
