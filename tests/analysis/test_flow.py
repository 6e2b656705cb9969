"""The screening flow, and the protocol beside it."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from builders import COFFEE_PROTOCOL, COFFEE_RUN, coffee, make_corpus, make_exclusion, make_paper

from awesome_cli.analysis.flow import FlowLevel, flow, protocol_headline, protocol_lists, protocol_tables
from awesome_cli.errors import SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.protocol import Protocol
from awesome_cli.output import Format, to_text
from awesome_cli.publish import flow as pictures
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

Run = Callable[..., Any]


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
    placed = pictures.layout(flow(published).boxes)
    for a, b in combinations(placed.boxes, 2):
        assert a.x + a.width < b.x or b.x + b.width < a.x or a.y + a.height < b.y or b.y + b.height < a.y


def test_what_does_not_add_up_is_named():
    screening = {"stage": "poster", "reason": "milk", "on": "2026-01-01"}
    corpus = make_corpus(make_paper("a"), make_exclusion("a"), make_exclusion("X8", screening=screening))
    with pytest.raises(SurveyError) as caught:
        flow(corpus, identified=9)
    for part in (
        "X8.yaml has an unknown stage",
        "(poster)",
        "(milk)",
        "a.yaml counts twice",
        "6 are not accounted for",
    ):
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


ISLAND = "\n## Found\n\n<!-- awesome:begin protocol -->\n<!-- awesome:end protocol -->\n"


@pytest.fixture
def stated(root: Path) -> Path:
    """The coffee survey with a protocol; its log uses a label of a source, and one that the protocol lacks."""
    (root / "protocol.yaml").write_text(COFFEE_PROTOCOL)
    path = root / "exclusions" / "X1.yaml"
    path.write_text(path.read_text().replace("source: library", "source: bookshop"))
    return root


def corpus(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), evidence=True)


def test_the_log_is_counted_by_the_sources_that_its_labels_mean(stated: Path):
    sources, families = protocol_tables(corpus(stated))
    assert sources.columns == ("Source", "Records screened out")
    assert sources.rows == (("the library", 0), ("cafés", 1), ("other labels: bookshop", 1))
    assert families.rows == (("brewing", "press, drip", 0),)


def test_criteria_and_evidence_in_the_words_of_the_taxonomy(stated: Path):
    assert [items for _, items in protocol_lists(corpus(stated))] == [
        ("It is about coffee.",),
        ("It is about tea.",),
        ("Press, Drip: Statements on hot coffee.",),
    ]


def test_the_headline_says_the_kind_the_standard_and_the_days():
    assert protocol_headline(Protocol(kind="tasting", follows="PRISMA 2020")) == "Tasting, after PRISMA 2020."
    stated = Protocol.model_validate({"kind": "tasting", "audited_until": "2026-05-04", "note": "No census."})
    assert protocol_headline(stated) == "Tasting, audited until 2026-05-04. No census."


def test_flow_readme_and_site_show_it(run: Run, stated: Path):
    (stated / "README.md").write_text((stated / "README.md").read_text() + ISLAND)
    run("render", root=stated)
    run("site", "build", "--out", stated / "out", root=stated)
    answers = [
        run("flow", root=stated).out,
        (stated / "README.md").read_text(),
        (stated / "out" / "flow.html").read_text().replace("<time>", "").replace("</time>", ""),
    ]
    for text in answers:
        for part in (
            "Tasting round, searched until 2026-02-01. It is no census.",
            "other labels: bookshop",
            "hot coffee",
        ):
            assert part in text
    assert run("flow", "--format", "json", root=stated).json["data"]["protocol"]["sources"][1]["also"] == ["blog"]


def test_a_survey_without_a_protocol_says_so_or_nothing(run: Run, root: Path):
    (root / "README.md").write_text((root / "README.md").read_text() + ISLAND)
    run("render", root=root)
    run("site", "build", "--out", root / "out", root=root)
    assert "This survey states no protocol." in (root / "README.md").read_text()
    assert "Protocol" not in (root / "out" / "flow.html").read_text() + run("flow", root=root).out


def test_an_unreadable_protocol_is_a_finding_and_no_crash(run: Run, stated: Path):
    (stated / "protocol.yaml").write_text("kind: [\n")
    assert "protocol.yaml:2:1: Y002" in run("validate", root=stated, code=1).out
    assert "protocol.yaml" in run("flow", root=stated, code=3).err
    run("fmt", root=stated)


def test_the_shipped_protocol_claims_no_standard(shipped: Corpus):
    assert shipped.protocol is not None
    assert shipped.protocol.follows is None
    words = {name: len(getattr(shipped.protocol, name)) for name in ("sources", "query_families", "include", "exclude")}
    assert words == {"sources": 7, "query_families": 7, "include": 5, "exclude": 5}
    assert len(list(protocol_lists(shipped))[-1][1]) == 4


def test_what_searches_read_is_shown_with_and_without_a_protocol(run: Run, root: Path):
    (root / "searches").mkdir()
    (root / "searches" / "2026-04-01-100000.yaml").write_text(COFFEE_RUN)
    (root / "README.md").write_text((root / "README.md").read_text() + ISLAND)
    run("render", root=root)
    run("site", "build", "--out", root / "out", root=root)
    assert "| crossref | 1 | 2026-04-01 | 7 | 3 | 2 | 1 | 1 |" in re.sub(" +", " ", (root / "README.md").read_text())
    assert "Searches\n--------" in run("flow", root=root).out
    assert "New candidates" in (root / "out" / "flow.html").read_text()
    assert list(protocol_tables(corpus(root).as_of(date(2026, 3, 31)))) == []
