"""list, show, stats, gaps, explain, schema, status, render as a user meets them."""

import json
from pathlib import Path

import jsonschema_rs
import pytest
import yaml


def test_list_columns_sort_and_limit(run, root: Path):
    done = run("list", "--columns", "key,grams,taste", "--sort=-grams", "--limit", "2", "--format", "csv", root=root)
    assert done.out == "key,grams,taste\ndrip2021,60,bitter:measured; sour:mentioned\nsiphon2019,25,sweet:measured\n"


def test_a_query_about_screening_lists_exclusions(run, root: Path):
    assert [
        e["key"]
        for e in run("list", "--where", "stage=full_text", "--format", "json", root=root).json["data"]["exclusions"]
    ] == ["X2"]


def test_records_in_json_are_as_in_their_files(run, root: Path):
    paper = run("show", "aero2020", "--format", "json", root=root).json["data"]["paper"]
    stored = yaml.safe_load((root / "corpus" / "aero2020.yaml").read_text())
    assert paper.pop("key") == "aero2020"
    assert paper == json.loads(json.dumps(stored, default=str))


@pytest.mark.parametrize("key", ["aero2020", "siphon2019", "X1", "salt2026"])
def test_show(run, root: Path, key: str, golden):
    golden(f"cli/show-{key}.txt", run("show", key, root=root).out)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (
            "withdrawn, handled: Cited as history.",
            "The work is withdrawn according to x; handled: Cited",
        ),
        ("concern", "The work is in doubt according to x"),
        ("none", None),
    ],
)
def test_show_names_a_retraction(run, root: Path, status: str, text: str | None):
    paper = root / "corpus/drip2021.yaml"
    notice = f'retraction: {{status: {status}, source: x, "on": 2026-03-01}}'
    paper.write_text(paper.read_text().replace("summary: Drips.", f"{notice}\nsummary: Drips."))
    shown = run("show", "drip2021", root=root).out
    assert text in shown if text else "according to" not in shown


NAMES = ("bean2020", "2001.00010", "arXiv:2001.00010v2", "https://arxiv.org/abs/2001.00010", "10.1000/COFFEE.1",
         "https://doi.org/10.1000/coffee.1", "https://dl.acm.org/doi/10.1000/coffee.1")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_named_by_its_citation_key_or_an_identifier(run, root: Path, name: str):
    assert run("show", name, root=root).out == run("show", "aero2020", root=root).out
    run("set", name, "note=Named.", root=root)
    run("tag", name, "taste=sour", "--remove", root=root)
    assert "note: Named." in (root / "corpus/aero2020.yaml").read_text()
    run("--offline", "exclude", name, "--stage", "abstract", "--reason", "tea", root=root)
    assert "note: Named." in (root / "exclusions/aero2020.yaml").read_text()


def test_the_first_word_of_tag_is_the_record_also_if_it_is_a_term(run, root: Path):
    run("set", "drip2021", "citation.key=sour", root=root)
    run("tag", "sour", "sour:tasted", root=root)
    assert "sour" in run("show", "drip2021", root=root).out
    run("tag", "--where", "key=drip2021", "sour", "--remove", root=root)


def test_a_name_of_two_records_names_both(run, root: Path):
    for key in ("drip2021", "siphon2019"):
        run("set", key, "citation.key=twice2020", root=root)
    done = run("show", "twice2020", root=root, code=2)
    assert "'twice2020' names 2 records: drip2021, siphon2019" in done.err
    assert "did you mean 'drip2021'" in run("show", "drip2022", root=root, code=2).err
    assert "unknown record '10.1000/tea'" in run("show", "10.1000/tea", root=root, code=2).err


def test_show_as_of(run, root: Path):
    assert (
        run("show", "siphon2019", "--as-of", "2026-03-01", "--format", "json", root=root).json["data"]["paper"]["year"]
        == 2018
    )


@pytest.mark.parametrize(
    "name", ["T2", "taste", "V002", "query", "grams", "tea", "device=cold", "strong", "gap", "sparse", "parts_only"]
)
def test_explain(run, root: Path, name: str, golden):
    golden(f"cli/explain-{name.replace('=', '-')}.txt", run("explain", name, root=root).out)


def test_an_axis_tells_its_retired_strengths_and_its_history(run, root: Path):
    path = root / "taxonomy.yaml"
    retired = "  retired: [{id: tried, use: tasted, on: 2026-03-02}]\n  history:\n  - on: 2026-03-02\n"
    retired += "    was: {strengths: [{id: tried, label: tried, definition: It was tried.}], gap_strength: tried}\n"
    retired += "    because: A panel is asked.\n"
    path.write_text(
        path.read_text().replace("  gap_strength: measured\n", "  gap_strength: measured\n" + retired)
        + "sparse: {share: 0.25}\n"
    )
    told = run("explain", "taste", root=root).out
    assert "with at most 25 % of the papers it is sparse" in told
    assert "On 2026-03-02, strengths and gap_strength changed. A panel is asked." in told
    kept = "Strength 'tried' was retired on 2026-03-02: codings that have it count as 'tasted' or stronger"
    word = run("explain", "tried", root=root).out
    assert all(kept in page for page in (told, word))
    assert "It was tried." in word


@pytest.mark.parametrize("name", ["gaps", "gaps-sour", "gaps-beans-taste", "gaps-grams", "stats", "status"])
def test_what_a_reader_sees(run, root: Path, name: str, golden):
    verb, *rest = name.split("-")
    arguments = {"sour": ["sour"], "grams": ["--measure", "grams"], "beans": ["--by", "beans,taste"]}
    golden(f"cli/{name}.txt", run(verb, *(arguments[rest[0]] if rest else []), root=root).out)


@pytest.mark.parametrize("kind", ["paper", "exclusion", "candidate"])
def test_records_fit_their_json_schema(run, repository: Path, kind: str):
    schema = json.loads(run("schema", kind, root=repository).out)
    validator = jsonschema_rs.validator_for(schema)
    folder = {"paper": "corpus", "exclusion": "exclusions", "candidate": "candidates"}[kind]
    for path in sorted((repository / folder).glob("*.yaml")):
        document = json.loads(json.dumps(yaml.safe_load(path.read_text()), default=str))
        assert validator.is_valid(document), (path.name, [e.message for e in validator.iter_errors(document)][:3])


def test_the_schema_knows_the_survey_s_own_terms(run, root: Path):
    schema = json.loads(run("schema", "paper", root=root).out)
    assert set(schema["properties"]["tags"]["properties"]) == {"device", "taste", "beans"}
    assert not jsonschema_rs.is_valid(schema, {"title": "x", "added": "2026-01-01", "tags": {"device": "kettle"}})
    assert jsonschema_rs.is_valid(schema, {"title": "x", "added": "2026-01-01", "tags": {"device": "drip"}})


def test_render_writes_checks_and_shows_the_difference(run, root: Path):
    before = (root / "README.md").read_text()
    assert "+- [Pressing" in run("render", "--diff", root=root).out
    assert (root / "README.md").read_text() == before
    run("render", "--check", root=root, code=1)
    run("render", root=root)
    run("render", "--check", root=root)
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("device: press", "device: drip"))
    done = run("render", "--check", root=root, code=1)
    assert "README.md is stale; run 'awesome render'" in done.out
    assert "statistics.json is stale" in done.out
    run("render", root=root)
    (root / "statistics.json").unlink()
    run("render", "--check", root=root, code=1)


def test_a_picture_that_no_page_shows_is_named_with_the_line_to_add(run, root: Path):
    taxonomy, page = root / "taxonomy.yaml", root / "README.md"
    plots = "readme: {plots: [{name: years, kind: years}], "
    taxonomy.write_text(taxonomy.read_text().replace("readme: {", plots, 1))
    said = run("render", root=root).err
    line = "![](docs/pictures/years-light.svg)"
    assert f"README.md does not show docs/pictures/years-light.svg; to show it, add this line: {line}" in said
    page.write_text(f"{page.read_text()}\n{line}\n")
    assert run("render", root=root).err == ""


def test_statistics_are_written_and_only_counted_values_make_them_stale(run, root: Path):
    run("render", root=root)
    stored = json.loads((root / "statistics.json").read_text())
    assert stored["data"] == run("stats", "--format", "json", root=root).json["data"]
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("summary: Presses", "summary: Squeezes"))
    assert "statistics.json is up to date" in run("render", "--check", root=root, code=1).out


def test_a_reading_is_named_where_it_counts(run, root: Path):
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(
        path.read_text().replace(
            'contested: {"on": 2026-01-10, ', 'contested: {"on": 2026-01-10, as: {strength: measured}, '
        )
    )
    asked = ("--reading", "generous", "--grade", "strong")
    counted = run("stats", "--by", "taste", *asked, root=root).out
    assert "generous reading from grade strong" in counted
    assert (
        run("stats", *asked, "--format", "json", root=root).json["data"]["strengths"]["taste"]["sour"]["measured"] == 1
    )
    listed = run("list", "--where", "sour:measured", *asked, root=root).out
    assert "aero2020" in listed
    assert "generous reading from grade strong" in listed
    assert "--reading" in run("list", "--grade", "strong", root=root, code=2).err


def test_one_unreadable_record_is_named_and_blocks_no_other(run, root: Path):
    (root / "corpus" / "soup2022.yaml").write_text("title: [\n")
    for words, read in (
        (("list",), "3 of 4 records read; cannot read corpus/soup2022.yaml"),
        (("show", "drip2021"), " records read; cannot read corpus/soup2022.yaml"),
        (("remove", "siphon2019", "--force", "--dry-run"), " records read; cannot read corpus/soup2022.yaml"),
    ):
        done = run(*words, root=root, code=4)
        assert read in done.err
        assert done.out
    assert "records read" not in run("list", "--kind", "exclusion", root=root).err
    for verb in ("stats", "gaps", "claims check", "render", "site build"):
        assert "corpus/soup2022.yaml" in run(*verb.split(), root=root, code=3).err
    other = root / "corpus" / "aero2020.yaml"
    other.write_text(other.read_text() + "distinct_from: soup2022\n")
    assert "corpus/aero2020.yaml refers to soup2022" in run("remove", "soup2022", root=root, code=1).err
    assert run("remove", "soup2022", "--force", root=root).out == "deleted corpus/soup2022.yaml\n"
    assert run("list", root=root).err == ""


def test_a_name_that_yaml_could_not_read_again_is_refused(run, root: Path, tmp_path: Path):
    table = tmp_path / "a.csv"
    table.write_text(f"title,year,{'x' * 1100}\nA new paper,2020,v\n")
    done = run("import", table, root=root, code=4)
    assert "1,100 characters (at most 1,000)" in done.out + done.err
    assert len(list((root / "corpus").iterdir())) == 4
