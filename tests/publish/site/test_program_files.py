"""Files for programs and language models: a JSON file per paper and claim, and llms.txt."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import COFFEE
from claiming import revised_survey
from running import Result
from sites import HOSTILE, built, survey

from awesome_cli.publish.site import programs
from awesome_cli.publish.site.page import Frame
from awesome_cli.publish.site.programs import language_models

BASE = "https://example.org/coffee/"
LINK = re.compile(r"^- \[(.+)\]\((\S+)\)(?:: (.+))?$", re.MULTILINE)


@pytest.fixture(scope="module")
def coffee_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A coffee survey with a revised claim and a hostile paper."""
    root = tmp_path_factory.mktemp("programs") / "survey"
    shutil.copytree(COFFEE, root)
    (root / "corpus" / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    return revised_survey(root)


@pytest.fixture(scope="module")
def placed(coffee_root: Path) -> Path:
    """The site of the survey for a known address."""
    return built(coffee_root, coffee_root.parent / "site", base=BASE)


def test_files_are_the_answers_of_the_commands(run: Callable[..., Result], coffee_root: Path, placed: Path):
    corpus = survey(coffee_root)
    for paper in corpus.papers:
        told = json.loads(run("show", paper.key, "--format", "json", root=coffee_root).out)
        assert json.loads((placed / "papers" / f"{paper.key}.json").read_text("utf-8")) == told
    claims = [claim.id for claim in corpus.claims.claims]
    for name in claims:
        told = json.loads(run("claims", "show", name, "--format", "json", root=coffee_root, code=None).out)
        made = json.loads((placed / "claims" / f"{name}.json").read_text("utf-8"))
        assert made == told
        (claim,) = made["data"]["claims"]
        titles = {key: corpus.short_titles[key] for key in claim["keys"]}
        assert titles.items() <= made["data"]["titles"].items()
    assert any("succession" in (placed / "claims" / f"{name}.json").read_text("utf-8") for name in claims)


def test_pages_lead_to_their_files(placed: Path):
    alternate = re.compile(r'<link rel="alternate" type="application/json" href="([^"]+)">')
    for folder in ("papers", "claims"):
        for page in (placed / folder).glob("*.html"):
            (address,) = alternate.findall(page.read_text(encoding="utf-8"))
            assert (page.parent / address).resolve() == page.with_suffix(".json").resolve()
    claims = (placed / "claims.html").read_text(encoding="utf-8")
    assert {f"claims/{path.name}" for path in (placed / "claims").glob("*.json")} == set(
        re.findall(r'href="(claims/[^"]+\.json)"', claims)
    )
    assert 'href="../papers/aero2020.json">JSON</a>' in (placed / "papers" / "aero2020.html").read_text(
        encoding="utf-8"
    )
    assert 'href="llms.txt"' in (placed / "data.html").read_text(encoding="utf-8")


def test_llms_txt_links_claims_data_and_papers(placed: Path, coffee_root: Path):
    text = (placed / "llms.txt").read_text(encoding="utf-8")
    title, blank, quote = text.splitlines()[:3]
    assert (title, blank, quote[:2]) == ("# How Coffee Is Brewed", "", "> ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Claims", "Data", "Papers"]
    links = LINK.findall(text)
    assert all(address.startswith(BASE) and (placed / address.removeprefix(BASE)).is_file() for _, address, _ in links)
    files = {
        path.relative_to(placed).as_posix()
        for path in placed.rglob("*.json")
        if path.parent.name in {"papers", "claims"}
    }
    assert files <= {address.removeprefix(BASE) for _, address, _ in links}
    assert "<script>" not in text.replace("\\<", ""), "titles are escaped"
    assert len(links) == text.count("\n- [")


def test_a_long_list_of_papers_is_left_to_the_data(coffee_root: Path, monkeypatch: pytest.MonkeyPatch):
    frame = Frame.of(survey(coffee_root), coffee_root, (), None)
    monkeypatch.setattr(programs, "FEW", 1)
    text = str(language_models(frame, ["Coffee"], [("data/papers.csv", "one row per paper")]).content)
    without = str(language_models(Frame.of(survey(COFFEE), COFFEE, (), None), ["Coffee"], []).content)
    assert ("claims/ID.json" in text, "claims/ID.json" in without) == (True, False)
    assert ("## Papers" in text, "[data/papers.csv](data/papers.csv): one row" in text) == (False, True)
