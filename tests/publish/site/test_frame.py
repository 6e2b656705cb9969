"""What all pages share: sizes of type, the head, links to take part, and the archive of all data."""

import csv
import io
import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from builders import COFFEE, PACKAGE, coffee
from sites import built, survey

from awesome_cli.model.records import Paper
from awesome_cli.publish.site.downloads import OWN, download_pages
from awesome_cli.publish.site.linked import block, website
from awesome_cli.publish.site.mentions import keyed, mentions
from awesome_cli.publish.site.page import Frame
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import OTHERS

BASE = "https://example.org/coffee/"
SIZES = {"small", "body", "large", "title", "display"}
LINKED = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The coffee site for a known address, of a survey whose host has forms."""
    root = tmp_path_factory.mktemp("placed")
    shutil.copytree(COFFEE, root / "survey")
    words = root / "survey" / "taxonomy.yaml"
    text = words.read_text(encoding="utf-8")
    words.write_text(
        text.replace("  short: coffee\n", "  short: coffee\n  repository: https://github.com/a/b\n"), "utf-8"
    )
    return built(root / "survey", root / "site", base=BASE)


def html(site: Path) -> dict[str, str]:
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def said(page: str) -> dict[str, object]:
    found = LINKED.findall(page)
    assert len(found) == 1
    return dict(json.loads(found[0]))


def test_type_has_five_sizes(repository: Path):
    sheets = [*(repository / "templates" / "site" / "assets").glob("*.css"), PACKAGE / "traces/views/assets/view.css"]
    assert len(sheets) > 2
    for sheet in sheets:
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        sizes = re.findall(r"font-size:\s*([^;}]+)", text)
        # On paper everything is smaller in proportion.
        other = [s for s in sizes if s.strip() not in {f"var(--{name})" for name in SIZES} | {"inherit", "10pt"}]
        assert other == [], sheet.name
        short = re.findall(r"font:\s*([^;}]+)", text)
        given = [re.findall(r"var\(--(\w+)\)", value)[:1] for value in short if value.strip() != "inherit"]
        assert all({*names} <= SIZES and names for names in given), sheet.name


def feed_links(site: Path) -> list[ET.Element]:
    return ET.parse(site / "changes.atom").getroot().findall("{http://www.w3.org/2005/Atom}link")


def test_every_page_says_what_it_is_to_those_who_share_it(placed: Path):
    pages = html(placed)
    for path, text in pages.items():
        described = re.findall(r'<meta name="description" content="([^"]+)">', text)
        assert len(described) == 1, path
        assert 0 < len(described[0]) <= 400, path
        assert f'<meta property="og:description" content="{described[0]}">' in text
        assert re.search(r'<meta property="og:title" content="[^"]+">', text), path
        assert '<link rel="alternate" type="application/atom+xml"' in text, path
        if path != "404.html":
            assert f'<link rel="canonical" href="{BASE}{path}">' in text
            assert f'<meta property="og:url" content="{BASE}{path}">' in text
    listed = {one.text for one in ET.parse(placed / "sitemap.xml").iter() if one.tag.endswith("loc")}
    assert listed == {BASE + path for path in pages if path != "404.html"}
    assert f"Sitemap: {BASE}sitemap.xml" in (placed / "robots.txt").read_text(encoding="utf-8")
    own = {"self": f"{BASE}changes.atom", None: f"{BASE}changes.html"}
    assert {one.get("rel"): one.get("href") for one in feed_links(placed)} == own
    every = [re.findall(r'<meta name="description" content="([^"]+)">', text)[0] for text in pages.values()]
    assert [text for text, n in Counter(every).items() if n > 1] == []
    missing = re.findall(r'(?:href|src)="([^"#]+)', pages["404.html"].partition("<body>")[2])
    assert all(address.startswith("https://") for address in missing)


def test_without_an_address_nothing_absolute_is_said(hostile: Path):
    for path, text in html(hostile).items():
        assert "og:url" not in text, path
        assert 'rel="canonical"' not in text, path
    assert not (hostile / "sitemap.xml").exists()


@pytest.mark.parametrize("name", ["site", "hostile"])
def test_programs_are_told_what_the_records_say(name: str, request: pytest.FixtureRequest, contested: Corpus):
    site: Path = request.getfixturevalue(name)
    corpus = contested if name == "site" else survey(site.parent / "survey")
    for paper in corpus.papers:
        assert isinstance(paper, Paper)
        told = said((site / "papers" / f"{paper.key}.html").read_text(encoding="utf-8"))
        assert told["@type"] == "ScholarlyArticle"
        assert told["headline"] == paper.title
        assert told.get("abstract", "") == (paper.summary or "")
        names = [author["name"] for author in told.get("author", [])]
        assert len(names) == len([author for author in paper.authors if author != OTHERS])
    for axis in corpus.taxonomy.axes:
        for term in axis.terms:
            told = said((site / "terms" / f"{axis.id}.{term.id}.html").read_text(encoding="utf-8"))
            assert (told["name"], told["inDefinedTermSet"]["name"]) == (term.label, axis.label)
    data = said((site / "data.html").read_text(encoding="utf-8"))
    assert data["@type"] == "Dataset"
    assert all((site / one["contentUrl"]).is_file() for one in data["distribution"])
    assert data["license"] == "https://spdx.org/licenses/CC0-1.0.html"
    changed = [day for paper in corpus.papers for day in (paper.added, *(one.on for one in paper.history))]
    assert data["dateModified"] == str(max(*changed, corpus.day or corpus.taxonomy.survey.cutoff))
    assert said((site / "index.html").read_text(encoding="utf-8"))["@type"] == "WebSite"


def test_a_licence_that_leads_out_of_the_survey_stays_out_of_the_archive(tmp_path: Path):
    root = tmp_path / "survey"
    shutil.copytree(COFFEE, root)
    (tmp_path / "LICENSE").write_text("not of the survey", encoding="utf-8")
    (root / "LICENSE").symlink_to("../LICENSE")
    frame = Frame.of(survey(root), root, (), None)
    whole = next(page for page in download_pages(frame, root) if page.path.endswith(".zip"))
    with ZipFile(io.BytesIO(whole.data)) as packed:
        assert {"coffee/taxonomy.yaml"} == {name for name in packed.namelist() if name.partition("/")[2] in OWN}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", None),
        ("https://example.org/terms", "https://example.org/terms"),
        ("as the journal says", {"@type": "CreativeWork", "name": "as the journal says"}),
    ],
)
def test_a_licence_is_an_address_or_a_work_with_a_name(name: str, told: object):
    corpus = coffee()
    about = corpus.taxonomy.survey.model_copy(update={"licence": name})
    taxonomy = corpus.taxonomy.model_copy(update={"survey": about})
    assert website(replace(corpus, taxonomy=taxonomy), "", None).get("license") == told


def test_no_text_ends_the_data_for_programs():
    text = "</script><!-- <script> ]]> & \u2028 \x1b"
    made = block({"name": text})
    assert not re.search("[<>&\u2028\x1b]", made)
    assert json.loads(made) == {"name": text}


def test_every_page_leads_to_where_people_take_part(placed: Path, hostile: Path):
    for site in (placed, hostile):
        for path, text in html(site).items():
            footer = text.partition("<footer")[2]
            for place in ("propose", "dispute", "correct"):
                assert f'take-part.html#{place}"' in footer, path
            assert 'changes.atom"' in footer, path
    assert all('href="https://github.com/a/b"' in text.partition("<footer")[2] for text in html(placed).values())
    forms = re.findall(r'<a class="button" href="([^"]+)"', (placed / "take-part.html").read_text(encoding="utf-8"))
    assert [re.findall(r"template=(\w+)", address) for address in forms] == [["paper"], ["coding"], ["correction"]]
    texts = (hostile / "take-part.html").read_text(encoding="utf-8")
    assert [text in texts for text in ("### Reference", "### Disputed coding", "### Paper to correct")] == [True] * 3


def test_the_archive_holds_every_download(site: Path, hostile: Path, repository: Path):
    for folder, root in ((site, repository), (hostile, hostile.parent / "survey")):
        (whole,) = (folder / "data").glob("*.zip")
        listed = re.findall(r'<th scope="row"><a href="([^"]+)" download>', (folder / "data.html").read_text("utf-8"))
        with ZipFile(whole) as packed:
            names = packed.namelist()
            assert names == sorted(names)
            assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            inside = {f"data/{name.partition('/')[2]}": packed.read(name) for name in names}
        own = {name for name in OWN if f"data/{name}" in inside}
        assert own == {name for name in OWN if (root / name).is_file()} >= {"taxonomy.yaml"}
        assert all(inside[f"data/{name}"] == (root / name).read_bytes() for name in own)
        exports = {*inside} - {"data/README.txt", *(f"data/{name}" for name in own)}
        assert {*listed} == exports | {whole.relative_to(folder).as_posix()}
        assert all((folder / path).read_bytes() == inside[path] for path in exports)
        assert all(
            path.partition("/")[2] in inside["data/README.txt"].decode() for path in inside if "README" not in path
        )


def test_the_dictionary_names_every_column_and_says_what_it_means(site: Path, hostile: Path):
    for folder in (site, hostile):
        rows = list(csv.DictReader(io.StringIO((folder / "data" / "dictionary.csv").read_text(encoding="utf-8"))))
        known = {(row["file"], row["field"]) for row in rows}
        assert [row for row in rows if not (row["meaning"] and row["type"])] == []
        for path in sorted((folder / "data").rglob("*.csv")):
            name = path.relative_to(folder / "data").as_posix()
            header = next(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
            assert [column for column in header if (name, column) not in known] == [], name
        records = json.loads((folder / "data" / "corpus.json").read_text(encoding="utf-8"))["data"]
        used = {*records} - {"papers", "exclusions"}
        used |= {f"{kind}[].{name}" for kind in ("papers", "exclusions") for record in records[kind] for name in record}
        assert used <= {field for _, field in known}
        words = csv.DictReader(io.StringIO((folder / "data" / "vocabulary.csv").read_text(encoding="utf-8")))
        assert {"stages", "reasons", "grades"} <= {row["list"] for row in words}


def test_the_navigation_shows_the_section_of_a_page(hostile: Path):
    pages = html(hostile)
    menus = {path: re.findall(r'href="([^"]+)"(?: aria-current="(\w+)")?>', text.partition("</header>")[0].partition("<nav")[2])
             for path, text in pages.items()}  # fmt: skip
    assert ("exclusions.html", "page") in menus["exclusions.html"]
    assert ("flow.html", "true") in menus["exclusions.html"]
    assert ("flow.html", "page") in menus["flow.html"]
    assert ("../papers.html", "true") in menus["papers/hostile.html"]
    assert 'aria-label="This section"' not in pages["data.html"]


def test_notes_on_changes_lead_to_what_they_name(hostile: Path):
    corpus = survey(hostile.parent / "survey")
    assert mentions(corpus, "device=siphon closed: gap becomes <sparse>") == (
        '<a href="terms/device.siphon.html">Device: Siphon</a> closed: gap becomes &lt;sparse&gt;'
    )
    assert mentions(corpus, "siphon2019: year, corrections").endswith("</a>: year, corrections")
    assert mentions(corpus, "Why I like coffee (X2)") == '<a href="exclusions.html#X2">Why I like coffee</a>'
    named = mentions(corpus, "hostile: history")
    assert named.startswith('<a href="papers/hostile.html"')
    assert ">&lt;img" in named
    assert mentions(corpus, "hostile: not_coded, device").endswith("</a>: not coded, device")
    assert mentions(corpus, "new: revised on 2026-11-21, because of hostile").startswith(
        "new: revised on <time>2026-11-21</time>, because of <a"
    )
    told = keyed(corpus, "Siphons in 2026-01-01: siphon2019, not siphon2019-x or `siphon2019`.", "../")
    assert told == (
        'Siphons in <time>2026-01-01</time>: <a href="../papers/siphon2019.html">Siphons | and &lt;pipes&gt;</a>,'
        " not siphon2019-x or `siphon2019`."
    )
    assert mentions(corpus, "nothing=known x device=drip, because of nobody") == (
        'nothing=known x <a href="terms/device.drip.html">Device: D2 Drip</a>, because of nobody'
    )
