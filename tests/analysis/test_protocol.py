"""The protocol is shown with the records that the screening log has for it; a survey without one works as well."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from builders import COFFEE_PROTOCOL, COFFEE_RUN

from awesome_cli.analysis.flow import protocol_headline, protocol_lists, protocol_tables
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.protocol import Protocol
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

Run = Callable[..., Any]
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
