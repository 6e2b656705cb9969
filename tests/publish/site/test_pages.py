"""The written site: bytes, links, markup, size, and what a second build does."""

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from builders import COFFEE, EXAMPLES
from claiming import successions
from running import Result
from sites import built, hostile_survey

from awesome_cli.analysis.gaps.states import PATTERNS, STATES
from awesome_cli.errors import RefusedError
from awesome_cli.publish.site import runs
from awesome_cli.publish.site.evidence import succession_pages
from awesome_cli.publish.site.page import Frame, SitePage, require_apart, web_address, write_pages
from awesome_cli.survey.corpus import Corpus

FIRST_PAGE = 300_000
CONFIG = """{
  "root": true,
  "extends": ["html-validate:standard"],
  "rules": {"doctype-style": "off", "long-title": "off", "wcag/h32": "off", "no-inline-style": "off"}
}
"""
"""What is switched off: two questions of taste, a technique for forms that are sent (ours are not), and one that
concerns only the flow diagram."""


class Links(HTMLParser):
    """Collects addresses, ids and scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.inline = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.addresses += [found[name] or "" for name in ("href", "src") if name in found and tag != "image"]
        self.ids += [found["id"] or ""] if "id" in found else []
        runs = tag == "script" and "src" not in found and found.get("type") != "application/ld+json"
        self.inline += runs or tag == "style" or "style" in found
        self.inline += any(name.startswith("on") for name in found)


def html(site: Path) -> dict[str, Links]:
    """The pages that the site's own templates made."""
    files = [p for p in sorted(site.rglob("*.html")) if p.parent.name != "traces"]
    return {p.relative_to(site).as_posix(): Links(p.read_text(encoding="utf-8")) for p in files}


def test_every_inner_link_leads_somewhere(site: Path, revised: Path):
    assert len(html(site)) > 140
    for folder in (site, revised):
        lead_somewhere(folder)


def lead_somewhere(site: Path) -> None:
    pages = html(site)
    for path, links in pages.items():
        for address in links.addresses:
            if re.match(r"https?://", address):
                continue
            name, _, fragment = address.partition("#")
            target = (site / path).parent / unquote(name) if name else site / path
            assert target.is_file(), f"{path}: {address}"
            if fragment and target.suffix == ".html" and "=" not in fragment:
                place = target.resolve().relative_to(site.resolve()).as_posix()
                assert fragment in pages[place].ids, f"{path}: {address}"


def test_a_survey_without_maps_has_one_of_its_first_axis(tmp_path: Path):
    root = tmp_path / "survey"
    shutil.copytree(COFFEE, root)
    with_maps = (built(root, tmp_path / "maps") / "map.html").read_text(encoding="utf-8")
    assert re.findall(r'name="preset".*?> (.*?)</label>', with_maps) == [
        "Device by beans", "Beans by taste", "Taste by strength",
    ]  # fmt: skip
    text = (root / "taxonomy.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^maps:\n(- .*\n)+|^readme: .*\n", "", text, flags=re.MULTILINE)
    (root / "taxonomy.yaml").write_text(text, encoding="utf-8")
    site = built(root, tmp_path / "site")
    lead_somewhere(site)
    first = (site / "index.html").read_text(encoding="utf-8")
    assert "<h1>How Coffee Is Brewed</h1>" in first
    assert 'coded by <a href="terms.html">Device, Taste, Beans</a>.' in first
    assert "Device by number of papers</label>" in (site / "map.html").read_text(encoding="utf-8")


def test_nothing_is_inline_and_ids_are_unique(site: Path):
    for path, links in html(site).items():
        assert links.inline == 0, path
        assert len(links.ids) == len(set(links.ids)), path


def test_gap_states_are_named_only_in_their_table(site: Path, repository: Path):
    """The site's data and generated sheet bring the states; its scripts, sheet and templates name none."""
    for path in sorted((repository / "templates" / "site").rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        named = [state.value for state in STATES if re.search(rf"(?<!facets)[\"'`.]{state.value}\b", text)]
        assert named == [], path.name
    sheet = (site / "assets" / "colours.css").read_text(encoding="utf-8")
    data = (site / "data" / "survey.js").read_text(encoding="utf-8")
    for state in STATES:
        assert sheet.count(f".{state.value} {{") == (2 if state.light else 0)
        assert f'"sentence":"{state.sentence}"' in data
    assert {state.pattern for state in STATES} == set(PATTERNS)
    drawn = (site / "assets" / "site.css").read_text(encoding="utf-8")
    assert [pattern for pattern in PATTERNS if f"\n.{pattern} {{" not in drawn] == []


def test_terms_say_when_they_are_sparse_and_sources_stand_in_full(site: Path):
    for page in ("terms.html", "terms/sub_decision.stop.html"):
        assert "with at most 12.5 % of the papers it is sparse" in (site / page).read_text(encoding="utf-8"), page
    papers = "".join(path.read_text(encoding="utf-8") for path in sorted((site / "papers").glob("*.html")))
    sources = re.findall(r'<span class="source">(.*?)</span>', papers)
    assert any("/blob/" in source for source in sources)
    assert not [source for source in sources if "..." in source]
    assert not re.search(r"confidence \w+</span><a", papers)


def test_two_builds_give_the_same_bytes(tmp_path: Path):
    root = hostile_survey(tmp_path / "survey")
    first, second = built(root, tmp_path / "a"), built(root, tmp_path / "b")
    files = [p.relative_to(first) for p in sorted(first.rglob("*")) if p.is_file()]
    assert files == [p.relative_to(second) for p in sorted(second.rglob("*")) if p.is_file()]
    assert all((first / f).read_bytes() == (second / f).read_bytes() for f in files)
    assert not [f for f in files if str(tmp_path).encode() in (first / f).read_bytes()]


def test_the_first_page_is_small(site: Path):
    links = html(site)["index.html"]
    parts = {"index.html", *(a for a in links.addresses if a.startswith(("assets/", "data/")))}
    assert sum((site / part).stat().st_size for part in parts) < FIRST_PAGE


def test_the_markup_is_valid(site: Path, hostile: Path, revised: Path, validator: Path, tmp_path: Path):
    (tmp_path / ".htmlvalidate.json").write_text(CONFIG, encoding="utf-8")
    files = [
        *sorted(site.glob("*.html")),
        site / "papers" / "puppeteer.html",
        site / "terms" / "sub_decision.stop.html",
    ]
    files += [revised / "index.html", revised / "candidates.html"]
    files += [revised / "claims" / "sour-unmeasured.html", revised / "terms" / "taste.sour.html"]
    files += [
        hostile / name for name in ("index.html", "map.html", "papers.html", "papers/hostile.html", "exclusions.html")
    ]
    command = ["node", str(validator), "--config", str(tmp_path / ".htmlvalidate.json"), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_exported_records_fit_their_schema(site: Path, hostile: Path):
    for folder in (site, hostile):
        schema = json.loads((folder / "data" / "corpus.schema.json").read_text(encoding="utf-8"))
        corpus = json.loads((folder / "data" / "corpus.json").read_text(encoding="utf-8"))
        validator = jsonschema_rs.validator_for(schema)
        assert [str(error) for error in validator.iter_errors(corpus)] == []
        del corpus["data"]["papers"][0]["key"]
        assert not validator.is_valid(corpus)


def test_the_feed_is_atom(site: Path):
    root = ET.parse(site / "changes.atom").getroot()
    space = "{http://www.w3.org/2005/Atom}"
    ids = [entry.findtext(f"{space}id") for entry in root.iter(f"{space}entry")]
    assert len(ids) == len(set(ids)) > 0
    leads = {link.get("href", "") for entry in root.iter(f"{space}entry") for link in entry.iter(f"{space}link")}
    days = {f"changes.html#{name}" for name in html(site)["changes.html"].ids}
    assert leads <= days
    assert [link.get("href") for link in root.findall(f"{space}link")] == ["changes.html"]


def test_only_web_addresses_become_links():
    assert web_address("javascript:alert(1)") is None
    assert web_address("data:text/html,x") is None
    assert web_address('https://x.org/"onmouseover=') is None
    assert web_address("HTTPS://example.org/a?b=c") == "HTTPS://example.org/a?b=c"


def test_a_page_that_is_gone_is_removed_and_nothing_else(tmp_path: Path):
    out = tmp_path / "out"
    write_pages([SitePage("a.html", "a"), SitePage("b/c.html", "c")], out)
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    write_pages([SitePage("a.html", "a")], out)
    assert sorted(p.name for p in out.rglob("*") if p.is_file()) == ["a.html", "mine.txt", "pages.txt"]


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("x", encoding="utf-8")
    with pytest.raises(RefusedError, match="'awesome site build' did not write"):
        write_pages([SitePage("a.html", "a")], tmp_path)
    (tmp_path / "pages.txt").write_text("../outside.txt\n", encoding="utf-8")
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("x", encoding="utf-8")
    write_pages([SitePage("a.html", "a")], tmp_path)
    assert outside.is_file()


def test_a_strange_list_removes_nothing_else(tmp_path: Path):
    root, out = tmp_path / "survey", tmp_path / "survey" / "_site"
    (root / "corpus").mkdir(parents=True)
    (out / "folder").mkdir(parents=True)
    (root / "corpus" / "a.yaml").write_text("x")
    (out / "up").symlink_to("../corpus")
    lines = (
        "up/a.yaml",
        "../corpus/a.yaml",
        str(root / "corpus" / "a.yaml"),
        "folder",
        ".",
        "a\0b",
        "x" * 5000,
        "\udce9",
    )
    (out / "pages.txt").write_bytes("\n".join(lines).encode(errors="surrogateescape"))
    write_pages([SitePage("a.html", "a")], out)
    assert sorted(path.name for path in out.iterdir()) == ["a.html", "folder", "pages.txt", "up"]
    assert (root / "corpus" / "a.yaml").is_file()
    for folder in (root, tmp_path, root / "corpus", out / "up"):
        with pytest.raises(RefusedError, match="contains files of the survey"):
            require_apart(folder, root)
    require_apart(root / "docs", root)


def test_the_claims_page_tells_second_codings_apart(site: Path):
    text = re.sub(
        r"<[^>]+>", " ", (site / "claims.html").read_text(encoding="utf-8").partition('id="second-codings"')[2]
    )
    assert "spot-check-2026-05-03" in text
    assert "not blind" in text
    assert re.search(r"not blind\s+chosen", text)
    # The site is as of a day before the other second codings.
    assert "2026-11-21" not in text


def test_the_page_of_a_revised_claim_tells_how_it_changed(revised: Path):
    page = (revised / "claims" / "sour-unmeasured.html").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())
    for told in (
        "“Nobody measures sourness.”",
        "Published 2026-03-01 in: abstract held as it was coded on that day.",
        "Paper As of 2026-03-01 Now A challenger would code",
        "One paper measures sourness. holds as coded, contested",
        "The first paragraph has two lines. The second has one.",
        "As of 2026-03-01 gap 0 measured, 1 tasted, 1 mentioned As coded sparse 1 measured, 0 tasted, 0 mentioned",
        "2026-05-10 : A panel counts.",
        "Pressing matters tasted measured tasted strong measured (not blind) code",
        "Dripping slowly mentioned none none (blind)",
        "The coding was removed. No panel.",
        "Kappa is not computed: 1 of the 3 papers were not coded blind.",
        "tasted 1 paper Siphons | and &lt;pipes&gt;",
    ):
        assert told in text, told
    assert 'href="claims/sour-unmeasured.html"' in (revised / "claims.html").read_text(encoding="utf-8")
    term = (revised / "terms" / "taste.sour.html").read_text(encoding="utf-8")
    assert '<a href="../claims/sour-unmeasured.html">How the finding changed</a>' in term
    assert "How the finding changed" not in (revised / "terms" / "taste.bitter.html").read_text(encoding="utf-8")


def test_the_page_of_the_revised_claim_on_stopping(shipped: Corpus, repository: Path):
    frame = Frame.of(shipped.as_of(date(2026, 11, 21)), repository, (), None)
    pages = {page.path: str(page.content) for page in succession_pages(frame, successions(frame.corpus))}
    page = pages["claims/stop-untrained.html"]
    for key in ("puppeteer", "marsrl", "context-folding", "anthropic-c-compiler"):
        assert f'id="sub_decision.stop.{key}.stop"' in page
    assert "The case for the published statement." in page
    assert "The case against it." in page


def test_a_failed_build_can_be_repeated(tmp_path: Path):
    def failing():
        yield SitePage("a.html", "a")
        msg = "no more"
        raise ValueError(msg)

    with pytest.raises(ValueError, match="no more"):
        write_pages(failing(), tmp_path / "out")
    assert write_pages([SitePage("a.html", "a")], tmp_path / "out") == ("a.html",)


def test_the_command(run: Callable[..., Result], root: Path, tmp_path: Path):
    words = root / "taxonomy.yaml"
    text = words.read_text(encoding="utf-8")
    words.write_text(
        text.replace("  short: coffee\n", "  short: coffee\n  site: https://example.org/coffee\n"), "utf-8"
    )
    run("site", "build", "--out", tmp_path / "none", "--base-url", "", root=root)
    assert 'rel="canonical"' not in (tmp_path / "none" / "map.html").read_text(encoding="utf-8")
    done = run("site", "build", "--out", tmp_path / "out", root=root)
    assert "\n+" not in run("site", "build", "--out", tmp_path / "out", "--diff", root=root).out
    assert "index.html" in done.err
    page = (tmp_path / "out" / "papers" / "aero2020.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://example.org/coffee/papers/aero2020.html">' in page
    assert '<meta name="citation_doi" content="10.1000/coffee.1">' in page
    assert '<meta name="citation_author" content="Roast, Rob">' in page


def test_a_trace_is_addressed_by_its_file_and_id_and_leads_back(tmp_path: Path):
    root = hostile_survey(tmp_path / "survey")
    text = (EXAMPLES / "minimal-v1.json").read_bytes()
    names = ("one/run.json", "two/Run.json", "two/packed.json.gz", "notes.txt")
    for name in names:
        path = root / "traces" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text, mtime=0) if name.endswith(".gz") else text)
    line = json.dumps(json.loads(text)) + "\n"
    (root / "traces" / "many.jsonl").write_text(line * (runs.FEW + 1), encoding="utf-8")
    site = built(root, tmp_path / "site")
    found = {p.name for p in (site / "traces").iterdir()}
    assert found == {"run.minimal-1.html", "Run.minimal-1.2.html", "packed.minimal-1.html"}
    assert all('href="../traces.html"' in (site / "traces" / name).read_text(encoding="utf-8") for name in found)
    listed = (site / "traces.html").read_text(encoding="utf-8")
    assert f"{runs.FEW + 1} traces without pages" in listed
    assert all(f'href="traces/{name}"' in listed for name in found)


def test_a_paper_s_page_shows_parts_quotes_and_contests(run: Callable[..., Result], root: Path, tmp_path: Path):
    path = root / "corpus" / "aero2020.yaml"
    contest = 'contested: {"on": 2026-01-10, grade: strong'
    path.write_text(path.read_text().replace(contest, f"{contest.replace('10', '20')}, as: {{strength: mentioned}}"))
    run("tag", "aero2020", "device=cold:part", "--quote", "It was <chilled>.", root=root)
    run("site", "build", "--out", tmp_path / "site", root=root)
    page = (tmp_path / "site" / "papers" / "aero2020.html").read_text()
    assert page.index("Press</a>") < page.index('Cold brew</a> <span class="chip"')
    assert "<p>It was &lt;chilled&gt;.</p></blockquote>" in page
    assert "Contested (strong, <time>2026-01-20</time>, would be mentioned)." in page
