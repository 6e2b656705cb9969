"""The flow adds up, or says which numbers do not."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from builders import coffee, make_corpus, make_exclusion, make_paper

from awesome_cli.analysis.flow import FlowLevel, flow
from awesome_cli.errors import SurveyError
from awesome_cli.model.protocol import Protocol
from awesome_cli.output import Format, to_text
from awesome_cli.publish import flow as pictures
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_the_published_numbers(published: Corpus):
    boxes = {box.id: box.n for box in flow(published).boxes}
    assert boxes == {
        "audited": 116,
        "excluded:duplicate": 1,
        "excluded:abstract": 16,
        "excluded:full_text": 9,
        "excluded:artifact": 6,
        "retained": 84,
    }


@pytest.mark.parametrize("level", get_args(FlowLevel))
@pytest.mark.parametrize("empty", [True, False])
def test_what_comes_in_goes_out(level: FlowLevel, empty: bool, shipped: Corpus):
    found = flow(shipped, level=level, empty=empty)
    first, *middle, last = found.boxes
    assert first.n - sum(box.n for box in middle if box.leaves) == last.n
    for box in middle:
        assert not box.reasons or sum(n for _, n in box.reasons) == box.n


def test_empty_stages_can_be_left_out():
    corpus = make_corpus(make_paper(), make_exclusion())
    assert [box.id for box in flow(corpus).boxes if box.leaves] == ["excluded:abstract", "excluded:full_text"]
    assert [box.id for box in flow(corpus, empty=False).boxes if box.leaves] == ["excluded:abstract"]


def passing(*stages: str) -> Corpus:
    """A paper that passed both stages, and a record for each stage that screened it out, with what it passed."""
    screened = {"full_text": ["abstract"], "abstract": []}
    out = [
        make_exclusion(f"X{i}", screening={"stage": s, "passed": p, "reason": "tea", "on": "2026-01-01"})
        for i, (s, p) in enumerate(screened.items())
    ]
    return make_corpus(make_paper(passed=stages), *out)


FOLLOWS = Protocol(kind="systematic review", follows="PRISMA 2020")
MAPPING = Protocol(kind="mapping review")


def test_prisma_needs_a_protocol_that_follows_it_and_records_of_the_stages():
    found = flow(replace(passing("abstract", "full_text"), protocol=FOLLOWS))
    assert found.title == "PRISMA 2020 flow"
    assert [(box.id, box.n) for box in found.boxes] == [
        ("identified", 3),
        ("screened:abstract", 3),
        ("excluded:abstract", 1),
        ("screened:full_text", 2),
        ("excluded:full_text", 1),
        ("retained", 1),
    ]


@pytest.mark.parametrize(("stages", "protocol"), [((), FOLLOWS), (("abstract",), MAPPING), (("abstract",), None)])
def test_without_both_a_flow_says_only_what_was_screened_out(stages: tuple[str, ...], protocol: Protocol | None):
    found = flow(replace(passing(*stages), protocol=protocol))
    shown = to_text(replace(found, about=()).to_report(), Format.TEXT) + pictures.svg(found) + pictures.mermaid(found)
    assert [box.id for box in found.boxes] == ["audited", "excluded:abstract", "excluded:full_text", "retained"]
    assert found.title == "Screening flow"
    assert not re.search("prisma|records screened|identified|assessed", shown, re.IGNORECASE)


def test_a_record_that_does_not_say_what_it_passed_ends_the_prisma_flow():
    late = make_exclusion("X7", screening={"stage": "full_text", "reason": "tea", "on": "2026-01-01"})
    corpus = passing("abstract", "full_text")
    assert flow(replace(corpus, exclusions=(*corpus.exclusions, late), protocol=FOLLOWS)).standard is None


def test_boxes_of_a_picture_do_not_touch(published: Corpus):
    placed = pictures.layout(flow(published))
    for a, b in combinations(placed.boxes, 2):
        assert a.x + a.width < b.x or b.x + b.width < a.x or a.y + a.height < b.y or b.y + b.height < a.y


def test_what_does_not_add_up_is_named():
    screening = {"stage": "poster", "reason": "milk", "on": "2026-01-01"}
    corpus = make_corpus(make_paper("a"), make_exclusion("a"), make_exclusion("X8", screening=screening))
    with pytest.raises(SurveyError) as caught:
        flow(corpus, identified=9)
    for part in ("X8.yaml is at no stage", "(poster)", "(milk)", "a.yaml is also retained", "6 are not accounted for"):
        assert part in caught.value.message


def test_pictures_are_sound_and_escape_what_they_show(run: Run, root: Path, tmp_path: Path):
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("label: tea,", 'label: "tea & <milk> \\"#1\\"",'))
    picture = ET.fromstring(run("flow", "--format", "svg", root=root).out)
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert 'tea & <milk> "#1" (n = 1)' in texts
    assert any("audited records" in (text or "") for text in texts)
    assert {element.get("font-size") for element in picture.iter("{http://www.w3.org/2000/svg}text")} == {"14", "16"}
    diagram = run("flow", "--format", "mermaid", root=root).out
    assert diagram.startswith("flowchart TD\n")
    assert "tea &amp; &lt;milk&gt; &quot;" in diagram
    run("flow", "--format", "svg", "--out", tmp_path / "f.svg", root=root)
    assert (tmp_path / "f.svg").read_text() == run("flow", "--format", "svg", root=root).out


def test_the_command(run: Run, root: Path):
    data = run("flow", "--format", "json", root=root).json["data"]
    assert data["boxes"][0] == {"id": "audited", "label": "Records audited", "n": 6, "reasons": {}}
    assert (data["standard"], data["protocol"]) == (None, None)
    assert run("flow", "--format", "csv", "--as-of", "2026-01-05", root=root).out.splitlines()[1].endswith(",1")
    assert "the flow does not add up" in run("flow", "--identified", 7, root=root, code=1).err


def test_mermaid_connects_every_box():
    found = flow(coffee())
    diagram = pictures.mermaid(found)
    assert diagram.count("-->") == len(found.boxes) - 1
