"""The README: islands are filled, the rest stays, and no value of a record breaks the page."""

import re
from pathlib import Path

import pytest
from claiming import COFFEE_CLAIMS, state_claims

from awesome_cli.errors import SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import readme, shipped
from awesome_cli.publish.islands import ISLANDS, NARROWER
from awesome_cli.survey.loading import load_corpus


def rendered(root: Path) -> str:
    return readme.render(readme.pages(root)["README.md"], load_corpus(WorkingTree(root)), root)


def test_the_coffee_readme(root: Path, golden):
    golden("readme/coffee.md", rendered(root))


def test_every_island_has_a_template_and_every_template_an_island():
    templates = {path.name.removesuffix(".md.j2") for path in (shipped() / "readme").glob("*.md.j2")}
    assert templates == {*ISLANDS, readme.CONTENTS}


def test_rendering_twice_changes_nothing(root: Path):
    once = rendered(root)
    (root / "README.md").write_text(once)
    assert rendered(root) == once


def test_what_stands_outside_of_the_islands_is_not_touched(root: Path):
    text = readme.pages(root)["README.md"] + "\n  odd   spacing \\\n\n\n<b>kept</b>\n"
    (root / "README.md").write_text(text)
    assert rendered(root).endswith("\n  odd   spacing \\\n\n\n<b>kept</b>\n")


def test_hostile_values_stay_texts(root: Path):
    path = root / "corpus" / "siphon2019.yaml"
    hostile = (
        r'title: "](javascript:alert(1)) <script>x</script> | `rm` *b* #1 @you {{ 7*7 }} <!-- awesome:end papers -->"'
    )
    path.write_text(path.read_text().replace("title: Siphons | and <pipes>", hostile))
    page = rendered(root)
    assert "<script>" not in page
    assert not re.search(r"(?<!\\)\]\(javascript", page)
    assert "49" not in page
    assert page.count("<!-- awesome:end papers -->") == 1
    assert "@&#8203;you" in page


def test_papers_are_named_by_title_and_link(root: Path):
    """Keys as whole words, in claims, finding and tables; a key in code stays, and so does a word that contains one."""
    state_claims(
        root, COFFEE_CLAIMS.replace("Nobody studies cold brew.", "'Nobody, not aero2020, or aero2020-x `aero2020`.'")
    )
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(
        taxonomy.read_text().replace("  short: coffee", "  finding: See aero2020 and drip2021.\n  short: coffee", 1)
    )
    corpus = load_corpus(WorkingTree(root), evidence=True)
    aero, drip = (f"[{corpus.short_titles[key]}]({corpus.get(key).address})" for key in ("aero2020", "drip2021"))
    page = "".join(
        f"<!-- awesome:begin {name} -->\n<!-- awesome:end {name} -->\n" for name in ("claims", "finding", "headline")
    )
    shown = readme.render(page, corpus, root)
    assert shown.count(f"Nobody, not {aero}, or aero2020-x \\`aero2020\\`.") >= 1
    assert f"See {aero} and {drip}." in shown


def test_narrower_terms_stand_below_their_parent(run, tmp_path: Path):
    """Also in the contents, where GitHub numbers the anchors of headings that are the same."""
    entries = [f"- [Work {n}](https://doi.org/10.5555/{n}), Bean, 2020\n" for n in range(3)]
    (tmp_path / "list.md").write_text(
        f"# Brews\n\n## Hot\n\n### Others\n\n{entries[0]}\n## Cold\n\n{entries[1]}\n### Others\n\n{entries[2]}"
    )
    run("init", tmp_path / "new", "--input", tmp_path / "list.md")
    lines = (tmp_path / "new" / "README.md").read_text().splitlines()
    start, coded = lines.index("## Hot"), lines.index("## How papers are coded")
    assert [line.partition("]")[0] for line in lines[start:coded] if line.startswith(("#", "- "))] == [
        "## Hot", "### Others", "- [Work 0",
        "## Cold", "### Others", "- [Work 2", "### Cold in general", "- [Work 1",
    ]  # fmt: skip
    assert [line for line in lines[:start] if line.lstrip().startswith("- [")][:5] == [
        "- [Hot](#hot)", "  - [Others](#others)",
        "- [Cold](#cold)", "  - [Others](#others-1)", "  - [Cold in general](#cold-in-general)",
    ]  # fmt: skip
    assert [line.split("|")[1].strip() for line in lines[coded:] if line.startswith("| ")][2:7] == [
        "Hot", f"{NARROWER}Others", "Cold", f"{NARROWER}Others", f"{NARROWER}Cold in general",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ("", "- Bare cups"),
        ("year: 2021\n", "- Bare cups - 2021."),
        ("summary: Cups are compared\n", "- Bare cups - Cups are compared."),
        ("authors: ['Bean, Ada']\nvenue: Cups\n", "- Bare cups - Bean, Cups."),
    ],
)
def test_a_line_says_what_is_known_of_a_paper_and_no_more(root: Path, fields: str, line: str):
    (root / "corpus" / "bare.yaml").write_text(f"title: Bare cups\nadded: 2026-01-12\n{fields}")
    text = readme.render((root / "README.md").read_text(), load_corpus(WorkingTree(root)), root)
    assert line in text.splitlines()


def test_a_link_that_is_none_is_no_link(root: Path):
    path = root / "corpus" / "siphon2019.yaml"
    text = path.read_text()
    path.write_text(text.replace('"https://openreview.net/forum?id=abcDEF123"', '"javascript:alert(1)"'))
    assert "javascript" not in rendered(root)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- awesome:begin papers -->\n", "README.md:1: island 'papers' lacks its end mark"),
        ("x\n<!-- awesome:end papers -->\n", "README.md:2: island 'papers' lacks its begin or end mark"),
        ("<!-- awesome:begin paper -->\n<!-- awesome:end paper -->\n", "did you mean 'papers'?"),
        ("<!-- awesome:begin papers -->\n<!-- awesome:begin gaps -->\n", "README.md:1: island 'papers'"),
    ],
)
def test_broken_marks_are_errors_with_a_line(root: Path, text: str, message: str):
    (root / "README.md").write_text(text)
    with pytest.raises(SurveyError) as caught:
        rendered(root)
    assert message in caught.value.message


def test_a_survey_s_own_template_comes_first(root: Path):
    (root / "templates" / "readme").mkdir(parents=True)
    (root / "templates" / "readme" / "gaps.md.j2").write_text("own {{ cells }}")
    assert re.search(r"^own \d+$", rendered(root), re.MULTILINE)


def test_an_undefined_name_in_a_template_is_an_error_that_names_it(root: Path):
    (root / "templates" / "readme").mkdir(parents=True)
    (root / "templates" / "readme" / "gaps.md.j2").write_text("{{ nothing }}")
    with pytest.raises(SurveyError, match=r"gaps\.md\.j2.*nothing"):
        rendered(root)


def test_a_readme_that_is_no_text_is_named(run, root: Path):
    (root / "README.md").write_bytes(b"# A\n\nca\xe9\n")
    said = "README.md:3:3: the file is not UTF-8"
    assert said in run("render", root=root, code=3).err
    assert said in run("render", "--check", root=root, code=3).err
    run("status", root=root)


def test_a_very_large_readme_is_named(run, root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readme, "MAX_BYTES", 10)
    assert "README.md is larger than 10 bytes" in run("render", root=root, code=3).err
