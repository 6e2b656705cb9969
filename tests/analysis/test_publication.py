"""What a published survey says of its terms, beside what the records say."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import coffee, make_corpus, make_paper
from running import Result, invoke

from awesome_cli.analysis import publication
from awesome_cli.publish import readme
from awesome_cli.survey.corpus import Corpus

TOLD = {
    "definition: A plunger ends": "representatives: [aero2020], typical: {beans: [arabica, robusta]}, definition: A plunger ends",
    "definition: Vapour": "representatives: [siphon2019, drip2021, X1], note: rare, definition: Vapour",
    "definition: Acidity.": "judged: [{key: aero2020, verdict: near, because: Few tasters.}], definition: Acidity.",
}


@pytest.fixture
def told(root: Path) -> Path:
    """The coffee survey with what was published of some terms."""
    path = root / "taxonomy.yaml"
    text = path.read_text()
    for old, new in TOLD.items():
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)
    return root


def told_of(*papers: object) -> Corpus:
    """Papers under the coffee taxonomy, in which `p` and `m` are named for drip, which typically takes robusta."""
    corpus = make_corpus(*papers)
    device = corpus.taxonomy.by_id["device"]
    words = {"representatives": ("p", "m"), "typical": {"beans": ("robusta",)}}
    terms = tuple(t.model_copy(update=words) if t.id == "drip" else t for t in device.terms)
    axes = (device.model_copy(update={"terms": terms}), *corpus.taxonomy.axes[1:])
    return replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"axes": axes}))


def test_a_part_is_not_taken_for_a_main_coding():
    tags = {"device": [{"term": "press"}, {"term": "drip", "part": True}], "beans": "arabica"}
    corpus = told_of(make_paper("p", tags=tags), make_paper("m", tags={"device": "drip", "beans": "robusta"}))
    device = corpus.taxonomy.by_id["device"]
    assert publication.otherwise(corpus, device, device.by_id["drip"]) == {"p": "part only; main coding press"}
    (sentence,) = publication.sentences(corpus, device, device.by_id["drip"])
    assert sentence.endswith("robusta. In the records, of 1 with this main coding: 1 as main coding, 0 as a part.")


@pytest.mark.parametrize(
    ("tags", "coded"), [({"device": "press"}, "coded press"), ({}, "no coding on this axis"), (None, "not in the pool")]
)
def test_a_paper_that_is_coded_otherwise_is_shown(tags: dict[str, str] | None, coded: str):
    corpus = told_of() if tags is None else told_of(make_paper("p", tags=tags))
    device = corpus.taxonomy.by_id["device"]
    assert publication.otherwise(corpus, device, device.by_id["drip"])["p"] == coded


def test_nothing_published_is_nothing_shown():
    corpus = coffee()
    axis = corpus.taxonomy.by_id["taste"]
    assert not list(publication.axis_blocks(corpus, axis))
    assert not list(publication.blocks(corpus, axis, axis.terms[0]))
    assert publication.to_json(corpus, axis, axis.terms[0]) == {}


def test_a_record_that_is_gone_is_a_warning_and_no_crash(told: Path):
    (told / "corpus" / "siphon2019.yaml").unlink()
    assert "A007 unknown record 'siphon2019'" in invoke("validate", root=told).out
    assert "siphon2019  not in the pool" in invoke("explain", "siphon", root=told).out


@pytest.mark.parametrize("name", ["press", "siphon", "sour", "device"])
def test_explain_shows_both(told: Path, name: str, golden):
    golden(f"cli/explain-told-{name}.txt", invoke("explain", name, root=told).out)


def test_explain_in_json(told: Path):
    def entry(name: str) -> dict[str, object]:
        return invoke("explain", name, "--format", "json", root=told).json["data"]["entries"][0]

    assert entry("siphon")["representatives"] == [
        {"key": "siphon2019", "otherwise": None},
        {"key": "drip2021", "otherwise": "coded drip"},
        {"key": "X1", "otherwise": "not in the pool"},
    ]
    assert entry("press")["typical"] == {"beans": ["arabica", "robusta"]}
    assert [(j["verdict"], j["coded"]) for j in entry("sour")["judged"]] == [("near", "coded sour:tasted")]
    assert [found["key"] for found in entry("device")["otherwise"]] == ["drip2021", "X1"]


def test_a_verdict_can_be_asked_for(told: Path):
    def keys(query: str) -> Result:
        return [
            p["key"] for p in invoke("list", "--where", query, "--format", "json", root=told).json["data"]["papers"]
        ]

    assert keys("judged=near taste=sour") == ["aero2020"]
    assert keys("judged=yes,no") == []
    assert "aero2020" not in keys("judged!=near")
    assert "did you mean 'near'" in invoke("list", "--where", "judged=nea", root=told, code=2).err
    assert "is not valid" in invoke("list", "--where", "judged>near", root=told, code=2).err


def test_the_readme_and_the_site_show_both(told: Path, tmp_path: Path):
    invoke("render", root=told)
    page = readme.pages(told)["README.md"]
    assert r"[Dripping slowly](corpus/drip2021.yaml)\*, Tea for two\* |" in page
    assert "| arabica, robusta | [" in " ".join(page.split())
    assert "see `awesome explain device`" in page
    invoke("site", "build", "--out", tmp_path / "site", root=told)
    term = (tmp_path / "site" / "terms" / "device.siphon.html").read_text()
    assert "As published: rare." in term
    assert "coded drip.</p>" in term
    assert '<a href="../papers/drip2021.html">' in term
    assert "<li>X1<p" in term
    assert "Few tasters." in (tmp_path / "site" / "terms" / "taste.sour.html").read_text()


def test_a_new_name_of_axis_or_term_reaches_what_was_published(told: Path):
    invoke("taxonomy", "rename", "beans=robusta", "canephora", "--yes", root=told)
    invoke("taxonomy", "rename", "beans", "species", "--yes", root=told)
    assert "typical: {species: [arabica, canephora]}" in (told / "taxonomy.yaml").read_text()
    invoke("validate", root=told)
