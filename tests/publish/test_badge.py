"""The badge that says how many claims hold."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from claiming import claiming, make_claim, revised_survey, state_claims
from sites import survey

from awesome_cli.analysis.claims.results import check
from awesome_cli.publish.badge import COLOURS, PAD, Badge, badge, measured


def test_a_badge_counts_the_claims_that_stand(root: Path):
    assert badge(check(claiming())) == Badge("none stands", "lightgrey")
    holds, fails = (
        make_claim({"count": "*", "at_least": 1}, name="a"),
        make_claim({"count": "*", "at_most": 0}, name="b"),
    )
    assert badge(check(claiming(holds))) == Badge("1 of 1 hold", "green")
    assert badge(check(claiming(holds, fails))) == Badge("1 of 2 hold", "red")
    assert badge(check(survey(state_claims(root)))) == Badge("3 of 3 hold, 1 contested", "yellow")


def test_a_revised_claim_is_not_counted(root: Path):
    assert badge(check(survey(revised_survey(root)))) == Badge("1 of 1 hold, 1 contested", "yellow")


@pytest.mark.parametrize("colour", COLOURS)
def test_the_picture_and_the_endpoint_say_the_same(colour: str):
    shown = Badge("1 of 2 hold, <1> & 茶", colour)
    named = json.loads(shown.endpoint)
    assert named == {"schemaVersion": 1, "label": "claims", "message": shown.message, "color": colour}
    root = ET.fromstring(shown.picture)
    texts = root.findall(".//{http://www.w3.org/2000/svg}text")
    assert [text.text for text in texts] == ["claims", shown.message]
    assert root.findtext("{http://www.w3.org/2000/svg}title") == root.get("aria-label") == f"claims: {shown.message}"
    ends = [int(text.get("x", "")) + int(text.get("textLength", "")) + PAD for text in texts]
    assert ends[-1] == int(root.get("width", ""))
    assert ends[0] + PAD == int(texts[1].get("x", ""))
    assert not {"href", "src", "style"} & {name for element in root.iter() for name in element.attrib}
    assert COLOURS[colour] in shown.picture


def test_wide_letters_are_wide():
    assert measured("MMMM") > measured("0000") > measured("iiii")
    assert measured("茶") > measured("c")
    assert measured("") == 0
