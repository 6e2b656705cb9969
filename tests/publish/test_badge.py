"""The badge: the finding or, if a claim fails, how many hold; and the wording of all places that state the finding."""

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


def test_a_badge_states_the_finding_unless_a_claim_fails(root: Path):
    assert badge(check(claiming())) == Badge("no claim stands", "lightgrey")
    holds, fails = (
        make_claim({"count": "*", "at_least": 1}, name="a"),
        make_claim({"count": "*", "at_most": 0}, name="b"),
    )
    assert badge(check(claiming(holds))) == Badge("1 of 1 claim holds as coded", "green")  # a mere count of records
    assert badge(check(claiming(holds, fails))) == Badge("1 of 2 claims holds as coded, 1 fails", "red")
    assert badge(check(survey(state_claims(root)))) == Badge(
        "Nobody measures sourness; disputed: 0 to 1 paper", "yellow"
    )


def test_a_revised_claim_does_not_lead(root: Path):
    message = "One paper measures sourness; disputed: objections could overturn it"
    assert badge(check(survey(revised_survey(root)))) == Badge(message, "yellow")


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
    state_claims(
        root,
        COFFEE_CLAIMS.replace("Nobody studies cold brew.", f"'No {braces}'\n  headline: {{sentence: 'No {braces}'}}"),
    )
    frame = Frame.of(survey(root), root, (), None)
    shown = [str(page.content) for page in (front_page(frame, ()), *claims_pages(frame)) if page.path.endswith("html")]
    shown += [card(frame).statement, run("claims", "check", "--all", root=root).out]
    shown += [run("claims", "show", "no-cold", root=root).out, unescape(str(islands.claims(frame.corpus)["table"]))]
    assert [text for text in shown if f"No {braces}" not in html.unescape(text)] == []


def test_wide_letters_are_wide():
    assert measured("MMMM") > measured("0000") > measured("iiii")
    assert measured("茶") > measured("c")
    assert measured("") == 0


def test_every_place_states_the_finding_in_the_same_words(root: Path, run: Callable[..., Result]):
    short = "Nobody measures sourness; disputed: 0 to 1 paper"
    sentence = f"{short}, depending on which objections are right."
    corpus = survey(state_claims(root))
    frame = Frame.of(corpus, root, (), None)
    pages = {page.path: str(page.content) for page in (front_page(frame, ()), *claims_pages(frame))}
    run("render", root=root)
    assert sentence in run("claims", "check", root=root).out.splitlines()
    assert f"**{sentence}**" in (root / "README.md").read_text(encoding="utf-8")
    assert f'<p class="finding" id="finding-sour-unmeasured">{sentence}</p>' in pages["index.html"]
    assert f'<meta name="description" content="{sentence}">' in pages["index.html"]
    assert card(frame).statement == sentence
    assert json.loads(pages["badge.json"])["message"] == short


def test_papers_are_named_by_title(root: Path, run: Callable[..., Result]):
    named = "The paper aero2020 measures no sourness"
    state_claims(root, COFFEE_CLAIMS.replace("Nobody measures sourness", named))
    corpus = survey(root)
    title = corpus.short_titles["aero2020"]
    frame = Frame.of(corpus, root, (), None)
    pages = [str(page.content) for page in (front_page(frame, ()), *claims_pages(frame))]
    run("render", root=root)
    readme = (root / "README.md").read_text(encoding="utf-8").partition("awesome:end headline")[0]
    places = [
        card(frame).statement,
        run("claims", "check", root=root).out.splitlines()[2],
        badge(frame.checked).message,
    ]
    assert all(title in text and "aero2020 measures" not in text for text in (*places, *pages, readme))


def test_every_place_says_how_many_claims_hold_in_one_sentence(root: Path, run: Callable[..., Result]):
    corpus = survey(state_claims(root))
    sentence = "2 of 2 claims hold as coded; 1 is contested; 1 record of a day holds"
    assert sentence in run("claims", "check", root=root).out.splitlines()
    assert islands.summary(corpus)["claims"] == sentence
