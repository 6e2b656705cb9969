"""The verbs that change records, as a user types them, on the coffee survey."""

import os
import sys
from datetime import date
from pathlib import Path

import pytest

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch):
    """Today is 2026-06-01."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780272000")


def text(root: Path, path: str) -> str:
    return (root / path).read_text()


def corpus(root: Path):
    return load_corpus(WorkingTree(root), candidates=True)


def test_set_changes_the_lines_it_means(run, root: Path):
    before = text(root, "corpus/drip2021.yaml")
    done = run("set", "drip2021", "year=2022", "authors+=Bean, Ada", "measures.grams=61", root=root)
    assert done.out == "changed corpus/drip2021.yaml\n"
    after = before.replace("year: 2021", "year: 2022").replace("- Pour, Olga\n", "- Pour, Olga\n- Bean, Ada\n")
    assert text(root, "corpus/drip2021.yaml") == after.replace("value: 60", "value: 61")
    run("set", "drip2021", "authors-=Bean, Ada", "year=2021", "measures.grams.value=60", root=root)
    assert text(root, "corpus/drip2021.yaml") == before


def test_links_are_set_by_their_addresses(run, root: Path):
    run("set", "soup2022", "links=https://example.org/a; Code https://example.org/b", root=root)
    run("set", "soup2022", "links+=https://example.org/a; Data set https://example.org/c", root=root)
    run("set", "soup2022", "links-=https://example.org/b", root=root)
    found = [(link.label, link.url) for link in corpus(root).by_key["soup2022"].links]
    assert found == [("Paper", "https://example.org/a"), ("Data set", "https://example.org/c")]
    run("add", "--set", "title=New work", "--set", "links=https://example.org/d", "--key", "new", root=root)
    assert [link.url for link in corpus(root).by_key["new"].links] == ["https://example.org/d"]
    assert "write url=ADDRESS" in run("set", "X1", "links=https://example.org", root=root, code=2).err


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("identifiers.arxiv=25x", "'25x' is not an arXiv id\n  hint: write it like 1501.00001"),
        (
            "identifiers.arxiv=arXiv:2508.04652v3",
            "hint: write identifiers.arxiv=2508.04652 identifiers.arxiv_version=3",
        ),
        ("identifiers.doi=https://doi.org/10.1142/x", "hint: write identifiers.doi=10.1142/x"),
        ("identifiers.openreview=a b", "is not an OpenReview id"),
        ("identifiers.acl=P18", "is not an ACL Anthology id"),
        ("identifiers.isbn=978-0-306-40615-8", "is not an ISBN"),
        ("links=example.org", "'example.org' is not a valid URL"),
        ("versions=[{identifiers: {doi: x}}]", "versions.0.identifiers.doi: 'x' is not a DOI"),
        ("identifiers={arxiv_version: 2}", "the arXiv version has no arXiv id"),
    ],
)
def test_set_writes_nothing_that_validate_calls_an_error(run, root: Path, assignment: str, said: str):
    assert said in run("set", "drip2021", assignment, root=root, code=2).err
    assert said in run("add", "--set", "title=New work", "--set", assignment, root=root, code=2).err


def test_set_understands_lists_structures_and_removal(run, root: Path):
    run(
        "set",
        "soup2022",
        "authors=A, B; C, D",
        "links=[{label: Code, url: https://example.org}]",
        "venue=Cups",
        root=root,
    )
    run("set", "soup2022", "links.0.label=Data", "identifiers.arxiv=", root=root)
    soup = corpus(root).by_key["soup2022"]
    assert soup.authors == ("A, B", "C, D")
    assert soup.links[0].label == "Data"
    assert soup.identifiers.pairs() == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["set", "drip2021", "yaer=2022"], "did you mean 'year'"),
        (["set", "drip2021", "year=soon"], "must be a whole number"),
        (["set", "drip2021", "key=x"], "awesome rename"),
        (["set", "drip2021", "device=drip"], "awesome tag KEY device=TERM"),
        (["set", "drip2021", "url=https://example.org"], "write links=ADDRESS"),
        (["add", "--set", "title=New work", "--set", "arxiv=2601.12345"], "write identifiers.arxiv=…"),
        (["set", "drip2021", "tags.device=drip"], "awesome tag KEY device"),
        (["set", "drip2021", "measures.gram=1"], "did you mean 'grams'"),
        (["set", "drip2021", "authors.7.x=1"], "not a position"),
        (["set", "drip2021", "year"], "not a valid FIELD=VALUE"),
        (["set", "X1", "screening.reason=te"], "did you mean 'tea'"),
        (["set", "drip2021", "not_coded=tast"], "did you mean 'taste'"),
        (["set", "dripp2021", "year=1"], "did you mean 'drip2021'"),
        (["tag", "drip2021", "devise=drip"], "did you mean 'device'"),
        (["tag", "drip2021", "taste=bittr"], "did you mean 'bitter'"),
        (["tag", "drip2021", "taste=bitter:measurd"], "did you mean 'measured'"),
        (["tag", "drip2021", "taste=bitter", "--confidence", "hihg"], "did you mean 'high'"),
        (["tag", "drip2021", "cold"], "device=cold or beans=cold"),
        (["tag", "drip2021", "taste=sweet", "--remove"], "not tagged taste=sweet"),
        (["tag", "X1", "device=drip"], "awesome readmit X1"),
        (["rename", "drip2021", "Drip 2021"], "not a valid key"),
        (["exclude", "drip2021", "--stage", "abstrct", "--reason", "tea"], "did you mean 'abstract'"),
        (["exclude", "drip2021", "--stage", "abstract", "--reason", "tea", "--near-miss", "taste=sweat"], "'sweet'"),
        (["exclude", "nothing", "--stage", "abstract", "--reason", "tea"], "unknown record or reference 'nothing'"),
        (["link", "drip2021", "--version-of", "drip2021"], "version of itself"),
        (["dedupe", "--fail-on", "sme"], "one of: any"),
        (["dedupe", "--link", "aero2020", "drip2021", "--distinct", "aero2020", "drip2021"], "cannot be combined"),
        (["fmt", "nothing"], "unknown record"),
        (["edit", "nothing"], "unknown record"),
        (["edit", "../taxonomy"], "unknown record"),
        (["readmit", "X1", "--key", "../tea"], "not a valid key"),
        (["set", "drip2021", "links=[{"], "quote texts"),
        (["admit", "salt2026x"], "did you mean 'salt2026'"),
    ],
)
def test_a_wrong_word_is_usage_and_names_the_way_out(run, root: Path, words, said):
    done = run(*words, root=root, code=2)
    assert said in done.err
    assert done.out == ""
    assert not (root / ".git").exists()


def test_tag_joins_replaces_updates_and_removes(run, root: Path):
    run(
        "tag", "drip2021", "device=D1", "taste=salty:tasted", "--evidence", "A panel.", "--confidence", "low", root=root
    )
    drip = corpus(root).by_key["drip2021"]
    assert [tag.term for tag in drip.tags_on("device")] == ["immersion"]
    assert [tag.term for tag in drip.tags_on("taste")] == ["bitter", "sour", "salty"]
    run("tag", "drip2021", "taste=bitter:tasted", root=root)
    bitter = corpus(root).by_key["drip2021"].tags_on("taste")[0]
    assert (bitter.strength, bitter.evidence, bitter.confidence) == ("tasted", "Refractometer.", "medium")
    run("tag", "drip2021", "taste=salty,sour", "beans", "--remove", root=root)
    drip = corpus(root).by_key["drip2021"]
    assert [tag.term for tag in drip.tags_on("taste")] == ["bitter"]
    assert "beans" not in drip.tags


def test_tags_that_nobody_knows_can_be_removed(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(path.read_text().replace("  beans: robusta\n", "  beans: [robust]\n  bean: arabica\n"))
    run("tag", "drip2021", "beans=robust", "bean", "--remove", root=root)
    assert set(corpus(root).by_key["drip2021"].tags) == {"device", "taste"}


def test_tagging_ends_the_wait_for_coding(run, root: Path):
    run("tag", "soup2022", "beans=arabica", root=root)
    assert corpus(root).by_key["soup2022"].not_coded == ()


def test_a_revised_coding_can_be_gone_back_to(run, root: Path):
    run("tag", "drip2021", "device=cold", "--revised", "--who", "second reader", root=root)
    now = corpus(root)
    assert now.by_key["drip2021"].tags_on("device")[0].term == "cold"
    assert now.as_of(date(2026, 5, 1)).by_key["drip2021"].tags_on("device")[0].term == "drip"
    run("tag", "aero2020", "device=cold", root=root)
    assert corpus(root).by_key["aero2020"].history == ()


def test_a_revision_of_a_dated_contest_is_written_in_canonical_form(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    contest = '{"on": 2026-01-12, grade: weak, as: none, because: It was tea.}'
    path.write_text(path.read_text().replace("mentioned, confidence: medium}", f"mentioned, contested: {contest}}}"))
    run("fmt", root=root)
    run("tag", "drip2021", "taste=bitter:tasted", "--revised", root=root)
    run("fmt", "--check", root=root)


def test_revised_evidence_does_not_inherit_source_and_confidence(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"

    def tagged(*words: str) -> tuple[str, str | None, str | None]:
        run("tag", "drip2021", *words, root=root)
        bitter = corpus(root).by_key["drip2021"].tags["taste"][0]
        return str(bitter), bitter.source, bitter.confidence

    grounds = ("--evidence", "A panel.", "--source", "table 2", "--confidence", "high")
    assert tagged("taste=bitter:tasted", *grounds) == ("bitter:tasted", "table 2", "high")
    assert tagged("taste=bitter:measured", "--revised") == ("bitter:measured", "table 2", "high")
    assert tagged("taste=bitter", "--evidence", "A taster panel.") == ("bitter:measured", "table 2", "high")
    given = ("--evidence", "The title.", "--confidence", "low", "--revised")
    assert tagged("taste=bitter:tasted", *given) == ("bitter:tasted", None, "low")
    assert "source: table 2" in path.read_text().partition("history:")[2]


def test_changing_one_key_leaves_its_namesake_alone(run, root: Path):
    run("rename", "drip2021", "drip", root=root)
    (root / "corpus" / "drip1.yaml").write_bytes((root / "corpus" / "siphon2019.yaml").read_bytes())
    before = text(root, "corpus/drip1.yaml")
    run("set", "drip", "venue=Cups", root=root)
    run("tag", "drip", "device=cold", root=root)
    run("rename", "drip", "drip2", root=root)
    run("remove", "drip2", root=root)
    assert text(root, "corpus/drip1.yaml") == before


def test_rename_takes_references_and_claims_along(run, root: Path):
    (root / "claims.yaml").write_text(
        "# ours\nclaims:\n- {id: drip2021, ids: key=drip2021, equals: [aero2020, drip2021]}\n"
    )
    run("set", "aero2020", "distinct_from=drip2021", root=root)
    run("link", "siphon2019", "--version-of", "drip2021", root=root)
    run("rename", "drip2021", "drip", root=root)
    after = corpus(root)
    assert after.by_key["aero2020"].distinct_from == ("drip",)
    assert after.by_key["siphon2019"].version_of == "drip"
    assert after.by_key["drip2021"].key == "drip"
    assert text(root, "claims.yaml") == "# ours\nclaims:\n- {id: drip2021, ids: key=drip, equals: [aero2020, drip]}\n"
    run("rename", "drip", "aero2020", root=root, code=1)
    run("remove", "drip", root=root, code=1)


def test_exclude_keeps_everything_and_readmit_brings_it_back(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text("# mine\n" + path.read_text().replace("year: 2021", "year: 2021 # sure"))
    before = path.read_bytes()
    words = ["--stage", "full_text", "--reason", "opinion", "--note", "No.", "--near-miss", "taste=bitter:tasted"]
    run("exclude", "drip2021", *words, "--because", "It measures.", root=root)
    assert not path.exists()
    exclusion = corpus(root).by_key["drip2021"]
    assert exclusion.screening.on == date(2026, 6, 1)
    assert exclusion.near_miss[0].because == "It measures."
    assert "# mine" in text(root, "exclusions/drip2021.yaml")
    assert [paper.key for paper in corpus(root).as_of(date(2026, 5, 31)).papers] == [
        "aero2020", "drip2021", "siphon2019", "soup2022"
    ]  # fmt: skip
    run("exclude", "drip2021", *words, root=root, code=1)
    run("readmit", "drip2021", root=root)
    assert path.read_bytes() == before
    assert not (root / "exclusions" / "drip2021.yaml").exists()


def test_an_imported_exclusion_comes_back_with_the_fields_of_a_paper(run, root: Path, tmp_path: Path):
    bib = tmp_path / "x.bib"
    bib.write_text("@article{doe2001, title={Steam}, author={Doe, J}, year=2001, journal={J of X}, volume=3, eid={e1}}")
    run("import", str(bib), "--kind", "exclusion", root=root)
    run("set", "doe2001", "note=Odd.", root=root)
    run("set", "--kind", "exclusion", "--where", "stage=unspecified", "screening.stage=abstract", root=root)
    assert corpus(root).by_key["doe2001"].screening.reason == "unspecified"
    assert "doe2001" in run("list", "--kind", "exclusion", "--where", "reason=unspecified", root=root).out
    run("readmit", "doe2001", "--key", "steam", root=root)
    steam = corpus(root).by_key["steam"]
    assert (steam.venue, steam.citation.volume, steam.extra, steam.note) == ("J of X", "3", {"eid": "e1"}, "Odd.")


def test_a_later_readmission_is_remembered(run, root: Path, monkeypatch: pytest.MonkeyPatch):
    run("exclude", "aero2020", "--stage", "abstract", "--reason", "tea", root=root)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1782864000")
    done = run("readmit", "aero2020", root=root)
    assert done.out.startswith("created corpus/aero2020.yaml")
    after = corpus(root)
    days = {date(2026, 5, 1): "Paper", date(2026, 6, 15): "Exclusion", date(2026, 7, 1): "Paper"}
    for day, kind in days.items():
        assert type(after.as_of(day).by_key["aero2020"]).__name__ == kind
    run("validate", root=root)


def test_readmitting_a_published_exclusion_makes_its_near_misses_tags(run, root: Path):
    done = run("readmit", "X1", "--key", "tea2026", root=root)
    tea = corpus(root).by_key["tea2026"]
    assert tea.tags_on("taste")[0].strength == "tasted"
    assert tea.aliases == ("X1",)
    assert "tea2026: no device" in done.err
    assert "X1" in {e.key for e in corpus(root).as_of(date(2026, 5, 1)).exclusions}


def test_a_work_that_is_not_here_is_excluded_by_reference(run, root: Path):
    words = ["exclude", "arxiv:2401.00001v2", "--stage", "abstract", "--reason", "tea", "--title", "More tea, please"]
    run(*words, root=root)
    (made,) = [e for e in corpus(root).exclusions if e.title == "More tea, please"]
    assert made.identifiers.arxiv == "2401.00001"
    assert made.key == "more-tea-please"
    assert "is already excluded" in run(*words, root=root, code=1).err


def test_admit_asks_or_names_what_is_missing(run, root: Path):
    run("admit", "salt2026", root=root)
    salt = corpus(root).by_key["salt2026"]
    assert (type(salt).__name__, salt.added) == ("Paper", date(2026, 6, 1))
    (root / "candidates").mkdir(exist_ok=True)
    (root / "candidates" / "bare.yaml").write_text("title: Bare beans\nproposal: consider\n")
    done = run("admit", "bare", root=root, code=2)
    assert "no authors; no year; no device" in done.err
    assert (root / "candidates" / "bare.yaml").exists()


def test_dedupe_finds_explains_and_remembers(run, root: Path):
    copy = text(root, "corpus/aero2020.yaml").replace("venue: Journal of Coffee\n", "").replace("arxiv.org", "a.org")
    copy = copy.replace('arxiv: "2001.00010"', "openreview: abcDEF12")
    (root / "corpus" / "aero.yaml").write_text(copy.replace(", doi: 10.1000/coffee.1", "").replace("bean2020", "bean"))
    done = run("dedupe", "--format", "json", root=root)
    (work,) = done.json["data"]["works"]
    (link,) = work["links"]
    assert work["records"] == [link["b"], link["a"]] == ["aero", "aero2020"]
    assert set(link) == {"a", "b", "kind", "score", "because"}
    table = run("dedupe", "--format", "csv", root=root).out.splitlines()
    assert [row.split(",")[:5] for row in table[1:]] == [
        ["1", "aero", "", "", ""],
        ["1", "aero2020", "same", "1", "aero"],
    ]
    run("dedupe", "--fail-on", "any", root=root, code=1)
    run("dedupe", "--fail-on", "wrong_link", root=root)
    run("dedupe", "--distinct", "aero", "aero2020", root=root)
    assert run("dedupe", "--fail-on", "any", "--format", "json", root=root).json["data"]["works"] == []
    run("dedupe", "--link", "aero", "aero2020", root=root)
    assert corpus(root).by_key["aero"].version_of == "aero2020"
    run("dedupe", "--merge", "aero", "aero2020", root=root)
    merged = corpus(root).by_key["aero"]
    assert merged.key == "aero2020"
    assert merged.versions[0].identifiers.openreview == "abcDEF12"
    run("dedupe", "--fail-on", "any", root=root)


def test_a_candidate_is_merged_into_a_paper_with_what_no_paper_has(root, run):
    run("dedupe", "--merge", "salt2026", "drip2021", root=root)
    merged = corpus(root).by_key["drip2021"]
    assert "salt2026" in merged.aliases
    assert merged.extra["merged"]["salt2026"]["proposal"] == "retain"
    assert not (root / "candidates" / "salt2026.yaml").exists()
    run("validate", root=root)
    run("dedupe", "--merge", "drip2021", "aero2020", root=root)


def test_dedupe_leaves_out_what_only_looks_alike(run, root: Path):
    title = 'title: "Pressing matters: a study"'
    copy = text(root, "corpus/aero2020.yaml").replace(title, title.replace("study", "study, part II"))
    copy = copy.replace("2001.00010", "2001.00011").replace(", doi: 10.1000/coffee.1", "").replace("bean2020", "bean")
    (root / "corpus" / "aero.yaml").write_text(copy)
    done = run("dedupe", "--fail-on", "any", root=root)
    assert "1 pair looks alike but is two works; to list them: awesome dedupe --near" in done.out
    (pair,) = run("dedupe", "--near", "--fail-on", "any", "--format", "json", root=root).json["data"]["pairs"]
    assert (pair["kind"], pair["because"][-1]) == ("near", "numbers in the titles differ: none, ii")
    assert "D002" not in run("validate", root=root).out


def test_a_file_is_compared_with_the_survey(run, root: Path, tmp_path: Path):
    path = tmp_path / "new.bib"
    path.write_text(
        "@article{x, title={Pressing Matters: A Study}, author={Bean, A. and Roast, R.}, year={2020}}\n"
        "@article{drip2021, title={Tea}, doi={10.1000/COFFEE.2}}\n@article{y, title={Nothing of the sort}}\n"
    )
    found = run("dedupe", "--against", path, "--format", "json", root=root).json["data"]["pairs"]
    assert {(pair["a"], pair["b"], pair["kind"]) for pair in found} == {
        ("x", "aero2020", "same"), ("drip2021", "drip2021", "wrong_link")
    }  # fmt: skip


def test_fmt_is_the_only_verb_that_reorders(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    path.write_text("# top\n" + "".join([*lines[1:], lines[0].rstrip("\n") + " # sure\n"]))
    run("fmt", "--check", root=root, code=1)
    assert "+title" in run("fmt", "drip2021", "--diff", root=root).out
    run("fmt", root=root)
    assert path.read_text() == "# top\n" + before.replace("slowly\n", "slowly # sure\n")
    assert run("fmt", "corpus", "--check", root=root).out == "nothing to change\n"
    run("validate", "--strict", "corpus/drip2021.yaml", root=root)
    path.write_text("title: [\n")
    run("fmt", root=root, code=4)


def test_fmt_names_what_is_no_plain_file_and_formats_the_others(run, root: Path):
    corpus, plain = root / "corpus", root / "corpus" / "drip2021.yaml"
    os.mkfifo(corpus / "pipe.yaml")
    (corpus / "loop.yaml").symlink_to("loop.yaml")
    (corpus / "deep.yaml").mkdir()
    with (corpus / "large.yaml").open("wb") as file:
        file.truncate(1 << 40)
    plain.write_text(f"\n{plain.read_text()}")
    run("fmt", "--check", "corpus/pipe.yaml", root=root, code=4)
    done = run("fmt", root=root, code=4)
    assert done.out == "changed corpus/drip2021.yaml\n"
    for name in ("pipe", "loop", "deep", "large"):
        assert f"corpus/{name}.yaml cannot be read and is not changed" in done.err
    run("fmt", "drip2021", root=root)


EDITOR = """
import pathlib, sys
path = pathlib.Path(sys.argv[-1])
path.write_text(path.read_text().replace(*sys.argv[1:3]))
"""


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An editor that replaces one text by another."""
    script = tmp_path / "an editor.py"
    script.write_text(EDITOR)

    def use(old: str, new: str) -> None:
        monkeypatch.setenv("VISUAL", f"'{sys.executable}' '{script}' '{old}' '{new}'")

    return use


def test_edit_checks_on_return_and_loses_nothing(run, root: Path, editor):
    before = text(root, "corpus/drip2021.yaml")
    editor("year: 2021", "yaer: 2022")
    done = run("edit", "drip2021", root=root, code=1)
    assert "corpus/drip2021.yaml:4:1: S001" in done.err
    assert text(root, "corpus/drip2021.yaml") == before
    assert "yaer: 2022" in text(root, ".awesome/edit-drip2021.yaml")
    editor("yaer: 2022", "year: 2022 # sure")
    assert run("edit", "drip2021", root=root).out == "changed corpus/drip2021.yaml\n"
    assert text(root, "corpus/drip2021.yaml") == before.replace("year: 2021", "year: 2022 # sure")
    assert not (root / ".awesome" / "edit-drip2021.yaml").exists()
    assert run("edit", "drip2021", root=root).out == "nothing to change\n"


def test_edit_mends_what_cannot_be_read(run, root: Path, editor):
    path = root / "corpus" / "drip2021.yaml"
    good = path.read_text()
    path.write_text(good.replace("title: ", "title: ["))
    assert "awesome edit drip2021" in run("set", "drip2021", "year=1900", root=root, code=3).err
    editor("title: [", "title: ")
    run("edit", "drip2021", root=root)
    assert path.read_text() == good


@pytest.mark.parametrize(("command", "code"), [("no-such-editor", 2), ("false", 3), ("'open", 2)])
def test_an_editor_that_fails_changes_nothing(run, root: Path, monkeypatch: pytest.MonkeyPatch, command, code):
    monkeypatch.setenv("VISUAL", command)
    before = text(root, "corpus/drip2021.yaml")
    run("edit", "drip2021", root=root, code=code)
    assert text(root, "corpus/drip2021.yaml") == before


def test_an_axis_for_one_term_is_not_given_two(run, root):
    before = (root / "corpus" / "drip2021.yaml").read_bytes()
    assert (
        "takes one term, got 'drip' and 'press'" in run("tag", "drip2021", "device=drip,press", root=root, code=2).err
    )
    words = ("add", "--set", "title=Twice told", "--tag", "device=drip", "--tag", "device=press")
    assert "takes one term" in run(*words, root=root, code=2).err
    assert (root / "corpus" / "drip2021.yaml").read_bytes() == before
    run("tag", "drip2021", "taste=sour:tasted,bitter:tasted", root=root)


def test_a_record_that_cannot_be_read_is_not_said_to_be_missing(run, root):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(path.read_text().replace("year: 2021", "year: twenty"))
    assert "corpus/drip2021.yaml is not a valid record" in run("show", "drip2021", root=root, code=3).err
    assert "warning: skipped corpus/drip2021.yaml, which cannot be read" in run("dedupe", root=root).err


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "claims.yaml",
            "claims:\n- {id: a, statement: A., as_of: 2026-03-01, expect: [{ids: device=drip, equals: [soup2022]}]}\n",
        ),
        (
            "audits/b.yaml",
            "on: 2026-05-02\nsecond: Rob\ncolumns: [device]\ncodings:\n- {key: soup2022, first: {}, second: {}}\n",
        ),
    ],
)
def test_what_claims_or_audits_name_is_not_removed(run, root, path, text):
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(text)
    refused = run("remove", "soup2022", root=root, code=1)
    assert f"{path} refers to soup2022" in refused.err
    assert (root / "corpus" / "soup2022.yaml").is_file()
    run("remove", "soup2022", "--force", root=root)
    assert not (root / "corpus" / "soup2022.yaml").exists()


def test_a_file_of_a_wrong_shape_is_mended_in_the_editor(run, root):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(path.read_text().replace("year: 2021", "year: twenty"))
    shown = run("validate", root=root, code=1).out
    assert "year: must be a whole number, not 'twenty'" in shown
    assert "awesome edit drip2021" in shown


def tags(root: Path, axis: str, key: str = "drip2021") -> list[str]:
    return [str(tag) for tag in corpus(root).by_key[key].tags.get(axis, ())]


def test_a_part_stands_beside_the_main_coding(run, root: Path):
    run("tag", "drip2021", "device=cold:part", "--quote", "It was chilled.", "--evidence", "Ice.", root=root)
    assert tags(root, "device") == ["drip", "cold:part"]
    assert [tag.term for tag in corpus(root).by_key["drip2021"].tags_on("device")] == ["drip"]
    run("validate", root=root)
    run("tag", "drip2021", "device=press", "device=siphon:part", root=root)
    assert tags(root, "device") == ["press", "siphon:part", "cold:part"]
    run("tag", "drip2021", "device=cold", root=root)
    assert tags(root, "device") == ["cold", "siphon:part"]
    cold = corpus(root).by_key["drip2021"].tags["device"][0]
    assert (cold.quote, cold.evidence) == ("It was chilled.", "Ice.")
    run("tag", "drip2021", "device=siphon", "--remove", root=root)
    assert tags(root, "device") == ["cold"]
    assert "coding on device is cold" in run("tag", "drip2021", "device=drip", "--remove", root=root, code=2).err


def test_parts_have_strengths_and_join_on_an_axis_for_many(run, root: Path):
    run("tag", "drip2021", "taste=salty:measured:part,umami:tasted", root=root)
    assert tags(root, "taste") == ["bitter:measured", "sour:mentioned", "umami:tasted", "salty:measured:part"]
    run("tag", "drip2021", "taste=salty:tasted:part", root=root)
    assert tags(root, "taste")[-1] == "salty:tasted:part"
    message = run("tag", "drip2021", "device=press", "device=cold", "device=drip:part", root=root, code=2).err
    assert "got 'press' and 'cold'" in message


def test_a_contest_stays_only_with_the_coding_that_it_contests(run, root: Path):
    def contested() -> bool:
        return any(tag.contested for tag in corpus(root).by_key["aero2020"].tags["taste"])

    path = root / "corpus" / "aero2020.yaml"
    before = path.read_text()
    for words, stays in [
        (["taste=sour:tasted", "--evidence", "A panel of ten."], True),
        (["taste=sour", "--quote", "Nine of ten."], True),
        (["taste=sour:mentioned"], False),
        (["taste=sour:tasted:part"], False),
    ]:
        path.write_text(before)
        run("tag", "aero2020", *words, root=root)
        assert contested() is stays, words


def test_evidence_against_a_coding_is_marked_until_there_is_other_evidence(run, root: Path):
    path = root / "corpus" / "drip2021.yaml"
    run("tag", "drip2021", "taste=bitter", "--evidence", "Nothing was measured.", "--direction", "against", root=root)
    assert "direction: against" in path.read_text()
    assert "Evidence against: Nothing was measured." in run("show", "drip2021", root=root).out
    assert "evidence against" in run("gaps", "taste=bitter", root=root).out
    run("tag", "drip2021", "taste=bitter:tasted", "--revised", root=root)
    bitter = corpus(root).by_key["drip2021"].tags["taste"][0]
    assert (str(bitter), bitter.direction) == ("bitter:tasted", "against")
    assert "direction: against" in path.read_text().partition("history:")[2]
    run("tag", "drip2021", "taste=bitter", "--evidence", "A panel.", root=root)
    assert corpus(root).by_key["drip2021"].tags["taste"][0].direction == "for"
    refused = run("tag", "drip2021", "taste=sour", "--direction", "against", root=root, code=2).err
    assert "taste=sour:mentioned of drip2021 has no evidence" in refused


def test_show_tells_parts_quotes_and_contests(run, root: Path):
    path = root / "corpus" / "aero2020.yaml"
    contest = 'contested: {"on": 2026-01-10, grade: strong, because'
    path.write_text(path.read_text().replace(contest, "contested: {on: 2026-01-20, grade: strong, as: [sweet, salty:measured], because"))  # fmt: skip
    run("tag", "aero2020", "device=cold:part", "--quote", "It was chilled.", root=root)
    shown = run("show", "aero2020", root=root).out
    assert "Cold brew (part)" in shown
    assert "- device=cold:part: \u201cIt was chilled.\u201d" in shown
    assert "- taste=sour:tasted (strong, 2026-01-20, as sweet, salty:measured): The panel was two people." in shown
    listed = run("list", "--where", "key=aero2020", "--columns", "device", "-f", "csv", root=root).out
    assert listed.endswith("press; cold:part\n")


def test_a_retired_strength_is_not_given_anew(run, root):
    path = root / "taxonomy.yaml"
    retired = "  retired: [{id: tried, use: tasted, on: 2026-01-01}]\n  gap_strength: measured\n"
    path.write_text(path.read_text().replace("  gap_strength: measured\n", retired))
    refused = run("tag", "aero2020", "taste=sour:tried", root=root, code=2).err
    assert "retired on 2026-01-01" in refused
    assert "write tasted or measured" in refused


def test_the_only_main_coding_does_not_become_a_part(run, root: Path):
    run("tag", "drip2021", "taste=sour", "--remove", root=root)
    for request in ("device=drip:part", "taste=bitter:part"):
        refused = run("tag", "drip2021", request, root=root, code=2).err
        assert "is the only main coding of drip2021" in refused
        assert f"give another main coding in the same command: {request}" in refused
    run("tag", "drip2021", "device=cold", "device=drip:part", "--evidence", "Ice.", root=root)
    assert tags(root, "device") == ["cold", "drip:part"]
    run("tag", "drip2021", "taste=bitter:part", "taste=sour:tasted", root=root)
    assert tags(root, "taste") == ["sour:tasted", "bitter:measured:part"]


def test_a_quote_goes_with_the_evidence_that_it_was_given_for(run, root):
    run("tag", "aero2020", "beans=arabica", "--evidence", "Old.", "--quote", "old words", root=root)
    assert "quote: old words" in (root / "corpus" / "aero2020.yaml").read_text()
    run("tag", "aero2020", "beans=arabica", "--evidence", "New.", root=root)
    assert "old words" not in (root / "corpus" / "aero2020.yaml").read_text()
