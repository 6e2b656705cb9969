"""The badge that says how many claims hold."""

import html
import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from claiming import COFFEE_CLAIMS, claiming, make_claim, revised_survey, state_claims
from running import Result
from sites import survey

from awesome_cli.analysis.claims.results import check
from awesome_cli.publish import islands
from awesome_cli.publish.badge import COLOURS, PAD, Badge, badge, measured
from awesome_cli.publish.site.claims_pages import claims_pages
from awesome_cli.publish.site.front import card, front_page
from awesome_cli.publish.site.page import Frame
from awesome_cli.text.markup import unescape


def test_a_badge_counts_the_claims_that_stand(root: Path):
    assert badge(check(claiming())) == Badge("no claim stands", "lightgrey")
    holds, fails = (
        make_claim({"count": "*", "at_least": 1}, name="a"),
        make_claim({"count": "*", "at_most": 0}, name="b"),
    )
    assert badge(check(claiming(holds))) == Badge("1 of 1 claim holds as coded", "green")
    assert badge(check(claiming(holds, fails))) == Badge("1 of 2 claims holds as coded, 1 fails", "red")
    assert badge(check(survey(state_claims(root)))) == Badge(
        "2 of 2 claims hold as coded; 1 is contested; 1 record of a day holds", "yellow"
    )


def test_a_revised_claim_is_not_counted(root: Path):
    assert badge(check(survey(revised_survey(root)))) == Badge("1 record of a day holds, 1 contested", "yellow")


@pytest.mark.parametrize("colour", COLOURS)
def test_the_picture_and_the_endpoint_say_the_same(colour: str):
    shown = Badge("1 of 2 hold, <1> & 茶", colour)
    named = json.loads(shown.endpoint)
    assert named == {"schemaVersion": 1, "label": "survey", "message": shown.message, "color": colour}
    root = ET.fromstring(shown.picture)
    texts = root.findall(".//{http://www.w3.org/2000/svg}text")
    assert [text.text for text in texts] == ["survey", shown.message]
    assert root.findtext("{http://www.w3.org/2000/svg}title") == root.get("aria-label") == f"survey: {shown.message}"
    ends = [int(text.get("x", "")) + int(text.get("textLength", "")) + PAD for text in texts]
    assert ends[-1] == int(root.get("width", ""))
    assert ends[0] + PAD == int(texts[1].get("x", ""))
    assert not {"href", "src", "style"} & {name for element in root.iter() for name in element.attrib}
    assert COLOURS[colour] in shown.picture


def test_braces_in_a_statement_stay_text(root: Path, run: Callable[..., Result]):
    braces = "{stop-explicit}, {x:>9}, {0!r}, {{ 7 * 7 }}, {% raw %} and {"
    state_claims(root, COFFEE_CLAIMS.replace("Nobody studies cold brew.", f"'No {braces}'\n  lead: true"))
    frame = Frame.of(survey(root), root, (), None)
    shown = [str(page.content) for page in (front_page(frame, ()), *claims_pages(frame)) if page.path.endswith("html")]
    shown += [card(frame).statement, run("claims", "check", "--all", root=root).out]
    shown += [run("claims", "show", "no-cold", root=root).out, unescape(str(islands.claims(frame.corpus)["table"]))]
    assert [text for text in shown if f"No {braces}" not in html.unescape(text)] == []


def test_wide_letters_are_wide():
    assert measured("MMMM") > measured("0000") > measured("iiii")
    assert measured("茶") > measured("c")
    assert measured("") == 0


def test_every_place_says_how_many_claims_hold_in_one_sentence(root: Path, run: Callable[..., Result]):
    corpus = survey(state_claims(root))
    sentence = "2 of 2 claims hold as coded; 1 is contested; 1 record of a day holds"
    assert sentence in run("claims", "check", root=root).out.splitlines()
    assert islands.summary(corpus)["claims"] == sentence
    frame = Frame.of(corpus, root, (), None)
    pages = {page.path: str(page.content) for page in (front_page(frame, ()), *claims_pages(frame))}
    assert f"<strong>2</strong> {sentence.removeprefix('2 ')}" in pages["index.html"]
    assert ("2", sentence.removeprefix("2 ")) in card(frame).figures
    assert json.loads(pages["badge.json"])["message"] == sentence
