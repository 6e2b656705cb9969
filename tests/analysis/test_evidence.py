"""Evidence beside the codings: how many have it, and whether quotes stand in the texts."""

from datetime import date
from pathlib import Path

import pytest
from builders import make_corpus, make_paper
from serving import Reply

from awesome_cli.analysis.evidence import coverage_report as report
from awesome_cli.errors import UsageError
from awesome_cli.output import Format, to_text

CORPUS = make_corpus(
    make_paper(
        "a2020",
        year=2020,
        tags={
            "device": [
                {"term": "press", "evidence": "It is pressed.", "source": "arxiv:2001.00010 §2"},
                {"term": "cold", "part": True, "evidence": "Chilled.", "source": "arxiv:2001.00010"},
            ],
            "taste": [{"term": "sour", "strength": "tasted", "quote": "It was sour.", "contested": {"grade": "weak", "because": "No."}}],
        },
    ),
    make_paper("b2021", year=2021, tags={"device": "drip"}),
)  # fmt: skip


def test_main_codings_and_parts_are_counted_apart():
    found = report(CORPUS).data
    none = {"evidence": 0, "source": 0, "locator": 0, "quote": 0, "against": 0, "contested": 0}
    assert found["population"] == "4 codings of 2 papers of the pool"
    assert found["axes"] == [
        {"axis": "device", "role": "main", "codings": 2, **none, "evidence": 1, "source": 1, "locator": 1},
        {"axis": "device", "role": "part", "codings": 1, **none, "evidence": 1, "source": 1},
        {"axis": "taste", "role": "main", "codings": 1, **none, "quote": 1, "contested": 1},
    ]
    assert found["all"] == {"codings": 4, **none, "evidence": 2, "source": 2, "locator": 1, "quote": 1, "contested": 1}


OPPOSED = make_corpus(
    make_paper(
        "a2020",
        tags={
            "device": {"term": "press", "evidence": "Nothing is pressed.", "direction": "against"},
            "taste": [
                {"term": "sour", "strength": "tasted", "source": "arxiv:2001.00010 §2"},
                {"term": "sweet", "strength": "measured", "source": "arxiv:2001.00010; arxiv:2001.00010 §2"},
                {"term": "bitter", "strength": "measured", "source": "arxiv:2001.00010"},
                {"term": "salty", "strength": "tasted", "source": "arxiv:2001.00010"},
            ],
        },
    ),
)


def test_evidence_against_a_coding_is_counted_apart():
    counts = report(OPPOSED, axes=["device"]).data["all"]
    assert isinstance(counts, dict)
    assert (counts["evidence"], counts["against"]) == (0, 1)
    missing = report(OPPOSED, axes=["device"], missing="evidence").data
    assert missing["codings"] == []
    listed = report(OPPOSED, direction="against").data["codings"]
    row = {"key": "a2020", "axis": "device", "tag": "press", "contested": None}
    assert listed == [{**row, "evidence": "Nothing is pressed.", "source": None}]
    none = to_text(report(CORPUS, direction="against"), Format.TEXT)
    assert none == "0 of 4 codings of 2 papers of the pool have evidence against them.\n"


def test_a_place_shared_by_codings_of_different_strength_is_listed():
    listed = report(OPPOSED, same_source=True).data["same_source"]
    place = {"key": "a2020", "axis": "taste", "source": "arxiv:2001.00010 §2"}
    assert listed == [{**place, "tags": ["sour:tasted", "sweet:measured"]}]
    assert "0 sources are shared by codings" in to_text(report(CORPUS, same_source=True), Format.TEXT)


def test_only_one_listing_at_a_time(run, root: Path):
    assert "cannot be combined" in run("evidence", "--direction", "against", "--same-source", root=root, code=2).err


@pytest.mark.parametrize(
    ("missing", "lacking"),
    [
        ("evidence", ["taste=sour:tasted", "device=drip"]),
        ("source", ["taste=sour:tasted", "device=drip"]),
        ("locator", ["device=cold:part", "taste=sour:tasted", "device=drip"]),
        ("quote", ["device=press", "device=cold:part", "device=drip"]),
    ],
)
def test_codings_without_it_are_listed(missing: str, lacking: list[str]):
    codings = report(CORPUS, missing=missing).data["codings"]
    assert isinstance(codings, list)
    assert {f"{c['axis']}={c['tag']}" for c in codings} == set(lacking)


def test_the_population_is_named():
    assert report(CORPUS, axes=["device"]).data["population"] == "3 codings on device of 2 papers of the pool"
    some = report(CORPUS, where="year=2020", missing="locator")
    assert "2 of 3 codings of 1 of the 2 papers of the pool have no locator." in to_text(some, Format.TEXT)
    as_of = report(CORPUS.as_of(date(2026, 2, 1)))
    assert as_of.data["population"] == "4 codings of 2 papers of the pool as of 2026-02-01"
    assert report(CORPUS, where="year=1999").data["axes"] == []


def test_names_that_do_not_exist():
    with pytest.raises(UsageError, match="did you mean 'device'"):
        report(CORPUS, axes=["devise"])
    with pytest.raises(UsageError, match="did you mean 'quote'"):
        report(CORPUS, missing="qoute")


def test_before_a_revision_the_old_evidence_counts(run, root: Path):
    words = ["tag", "drip2021", "taste=bitter:tasted", "--source", "arxiv:1 p. 3", "--quote", "Bitter.", "--revised"]
    run(*words, root=root)

    def counts(*options: str) -> tuple[int, int]:
        data = run("evidence", "--by", "taste", *options, "-f", "json", root=root).json["data"]
        return data["all"]["quote"], data["all"]["locator"]

    assert counts() == (1, 1)
    assert counts("--as-of", "2026-05-01") == (0, 0)


def test_what_a_reader_sees(run, root: Path, golden):
    golden("cli/evidence.txt", run("evidence", root=root).out)
    golden("cli/evidence-missing.txt", run("evidence", "--missing", "locator", "--by", "taste", root=root).out)


PAGE = """<html><head><title>x</title></head><body><h2>3 Taste</h2><p>The panel found the <em>co\u00adffee</em> bit-
ter,</p><p>and it said so.</p><h2>4 End</h2></body></html>"""
HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture
def arxiv(service, monkeypatch):
    monkeypatch.setenv("AWESOME_ARXIV_HTML_URL", f"{service.url}/html")
    return service


@pytest.fixture
def quoted(run, root: Path):
    """Tag a paper with a quote; aero2020 has the arXiv id 2001.00010."""

    def quote(text: str, key: str = "aero2020", term: str = "taste=bitter:measured") -> Path:
        run("tag", key, term, "--quote", text, root=root)
        return root

    return quote


def check(run, root: Path, *words: str | Path, code: int = 0) -> list[dict[str, object]]:
    return run("evidence", "check", *words, "-f", "json", root=root, code=code).json["data"]["quotes"]


def test_a_quote_on_arxivs_page(run, arxiv, quoted):
    arxiv.routes["/html/2001.00010"] = Reply(PAGE.encode(), headers=HTML)
    root = quoted("the coffee bitter, and it said")
    [found] = check(run, root)
    assert (found["key"], found["tag"], found["state"]) == ("aero2020", "bitter:measured", "found")
    assert found["heading"] == "3 Taste"
    assert "awesome-survey" in arxiv.agents[0]
    shown = run("evidence", "check", root=root).out
    assert "3 Taste, 29 %" in shown
    assert "1 have a quote: 1 found." in shown
    assert arxiv.asked == ["/html/2001.00010"]
    assert check(run, root, "--offline")[0]["state"] == "found"


def test_the_version_that_was_read_is_asked_for_first(run, arxiv, quoted):
    arxiv.routes["/html/2001.00010"] = Reply(PAGE.encode(), headers=HTML)
    root = quoted("it said so")
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("identifiers: {", "identifiers: {arxiv_version: 2, "))
    assert check(run, root)[0]["state"] == "found"
    assert arxiv.asked == ["/html/2001.00010v2", "/html/2001.00010"]


def test_near_missing_and_their_exit_codes(run, arxiv, quoted):
    arxiv.routes["/html/2001.00010"] = Reply(PAGE.encode(), headers=HTML)
    root = quoted("The panel found the coffee bitter, and she said so.")
    [near] = check(run, root)
    assert near["state"] == "near"
    assert near["difference"] == "The panel found the coffee bitter, and [-she-]{+it+} said so."
    assert "[-she-]{+it+}" in run("evidence", "check", root=root).out
    quoted("Nothing that anybody wrote in it.", term="taste=sour")
    assert {q["state"] for q in check(run, root, "aero2020", code=1)} == {"near", "missing"}
    run("evidence", "check", "drip2021", root=root)
    run("evidence", "check", "--where", "device=drip", root=root)


@pytest.mark.parametrize("ending", [".txt", ".md", ".html"])
def test_a_folder_of_texts_comes_first(run, arxiv, quoted, tmp_path: Path, ending: str):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / f"aero2020{ending}").write_text("Before\n\n## 2 Panel\n\n<h2>2 Panel</h2>The panel of nine.\n")
    [found] = check(run, quoted("panel of nine"), "--texts", folder)
    assert (found["state"], found["heading"]) == ("found", None if ending == ".txt" else "2 Panel")
    assert arxiv.asked == []


@pytest.mark.parametrize(
    ("reply", "state", "code"),
    [
        (Reply(b"No HTML for it", 404), "no_text", 0),
        (Reply(b"%PDF", headers={"Content-Type": "application/pdf"}), "no_text", 0),
        (Reply(b"<p></p>", headers=HTML), "no_text", 0),
        (Reply(b"<!--" * 500_000, headers=HTML), "no_text", 0),
        (Reply(b"<a href='" * 300_000, headers=HTML), "no_text", 0),
        (Reply(b"\xff\xfe\x00" * 1000, headers={"Content-Type": "text/html; charset=no-such"}), "missing", 1),
        (Reply(b"x" * 20_000_001, headers=HTML), "not_fetched", 4),
        (Reply(b"down", 500), "not_fetched", 4),
        (Reply(b"busy", 403), "not_fetched", 4),
    ],
    ids=["404", "pdf", "empty", "comment", "tag", "bytes", "huge", "500", "403"],
)
def test_pages_that_hold_no_text(run, arxiv, quoted, reply: Reply, state: str, code: int):
    arxiv.routes["/html/2001.00010"] = reply
    [found] = check(run, quoted("It said so, and more than that."), code=code)
    assert found["state"] == state


def test_offline_and_works_without_a_page(run, arxiv, quoted):
    root = quoted("It said so.")
    [found] = check(run, root, "--offline", code=4)
    assert found["state"] == "not_fetched"
    assert "the network is switched off" in str(found["remark"])
    quoted("It said so.", "drip2021")
    [found] = check(run, root, "drip2021")
    assert (found["state"], found["remark"]) == ("no_text", "no arXiv id")
    [found] = check(run, root, "drip2021", "--texts", root)
    assert (found["state"], found["remark"]) == ("no_text", "no arXiv id, and no file in --texts DIR")
    assert arxiv.asked == []


def test_a_file_that_is_no_text_is_not_read(run, quoted, tmp_path: Path):
    (tmp_path / "aero2020.txt").write_bytes(b"It said so.\xff\xfe")
    [found] = check(run, quoted("It said so."), "--texts", tmp_path)
    assert (found["state"], found["remark"]) == ("no_text", "aero2020.txt is not UTF-8 text")


def test_a_huge_file_is_not_read(run, quoted, tmp_path: Path):
    with (tmp_path / "aero2020.txt").open("wb") as file:
        file.truncate(20_000_001)
    [found] = check(run, quoted("It said so."), "--texts", tmp_path)
    assert (found["state"], found["remark"]) == ("no_text", "aero2020.txt is larger than 20,000,000 bytes")


def test_without_quotes(run, root: Path):
    assert run("evidence", "check", root=root).out == "Of 11 codings of 4 papers of the pool, 0 have a quote.\n"
    assert "exclusion" in run("evidence", "check", "X1", root=root, code=2).err
    assert "devise" in run("evidence", "check", "--where", "devise=drip", root=root, code=2).err
