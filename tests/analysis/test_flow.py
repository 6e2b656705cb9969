"""The flow adds up, or says which numbers do not."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from builders import coffee, make_corpus, make_exclusion, make_paper

from awesome_cli.analysis.flow import FlowLevel, flow
from awesome_cli.errors import SurveyError
from awesome_cli.publish import flow as pictures
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_the_published_numbers(published: Corpus):
    boxes = {box.id: box.n for box in flow(published).boxes}
    assert boxes == {
        "identified": 116,
        "screened:duplicate": 116,
        "excluded:duplicate": 1,
        "screened:abstract": 115,
        "excluded:abstract": 16,
        "screened:full_text": 99,
        "excluded:full_text": 9,
        "screened:artifact": 90,
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
    diagram = run("flow", "--format", "mermaid", root=root).out
    assert diagram.startswith("flowchart TD\n")
    assert "tea &amp; &lt;milk&gt; &quot;" in diagram
    run("flow", "--format", "svg", "--out", tmp_path / "f.svg", root=root)
    assert (tmp_path / "f.svg").read_text() == run("flow", "--format", "svg", root=root).out


def test_the_command(run: Run, root: Path):
    data = run("flow", "--format", "json", root=root).json["data"]
    assert data["boxes"][0] == {"id": "identified", "label": "Records identified (audited)", "n": 6, "reasons": {}}
    assert run("flow", "--format", "csv", "--as-of", "2026-01-05", root=root).out.splitlines()[1].endswith(",1")
    assert "the flow does not add up" in run("flow", "--identified", 7, root=root, code=3).err


def test_mermaid_connects_every_box():
    found = flow(coffee())
    diagram = pictures.mermaid(found)
    assert diagram.count("-->") == len(found.boxes) - 1
