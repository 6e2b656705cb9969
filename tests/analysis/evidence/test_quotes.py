"""Quotes looked up in a folder of texts and on arXiv's pages, which a server on loopback serves."""

from pathlib import Path

import pytest
from serving import Reply

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
    assert (found["state"], found["remark"]) == ("no_text", "no arXiv id, and no text in --texts DIR")
    assert arxiv.asked == []


def test_a_file_that_is_no_text_is_not_read(run, quoted, tmp_path: Path):
    (tmp_path / "aero2020.txt").write_bytes(b"It said so.\xff\xfe")
    [found] = check(run, quoted("It said so."), "--texts", tmp_path)
    assert (found["state"], found["remark"]) == ("no_text", "aero2020.txt is not a text in UTF-8")


def test_a_huge_file_is_not_read(run, quoted, tmp_path: Path):
    with (tmp_path / "aero2020.txt").open("wb") as file:
        file.truncate(20_000_001)
    [found] = check(run, quoted("It said so."), "--texts", tmp_path)
    assert (found["state"], found["remark"]) == ("no_text", "aero2020.txt is larger than 20,000,000 bytes")


def test_without_quotes(run, root: Path):
    assert run("evidence", "check", root=root).out == "Of 11 codings of 4 papers of the pool, 0 have a quote.\n"
    assert "exclusion" in run("evidence", "check", "X1", root=root, code=2).err
    assert "devise" in run("evidence", "check", "--where", "devise=drip", root=root, code=2).err
