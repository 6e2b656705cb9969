"""The vocabulary changes its mind: records, queries, claims and published tables follow, and a log remembers."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from builders import COFFEE_PROTOCOL

from awesome_cli.curation.vocabulary import recode_queue
from awesome_cli.curation.vocabulary.migration import LOG, read_log
from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

CLAIMS = """# ours
claims:
- id: drip
  statement: Most coffee is dripped, device=drip or not.
  expect: # the day's
  - {count: "device=drip,cold AND taste!=bitter:measured", at_most: 9}
  - {count: NOT (drip OR press), at_most: 9}
  stated: [drip]
  as_of: 2026-05-04
"""


QUOTED = """# ours
numbers:
  device: {statistic: counts.device.drip} # the most
  drip: {count: drip taste=bitter, over: device=drip}
  ratio: {largest: grams, group: shop, over: home}
tables:
  drip: {report: gaps, by: [device, taste], caption: "By device=drip"}
  one: {report: gaps, term: device=drip}
  years: {report: stats, by: ["year,device"]}
lists:
  drip: {where: device=drip, sort: "-device"}
"""
REQUOTED = """# ours
numbers:
  device: {statistic: counts.brewer.filter} # the most
  drip: {count: filter taste=bitter, over: brewer=filter}
  ratio: {largest: grams, group: shop, over: home}
tables:
  drip: {report: gaps, by: [brewer, taste], caption: "By device=drip"}
  one: {report: gaps, term: brewer=filter}
  years: {report: stats, by: ["year,brewer"]}
lists:
  drip: {where: brewer=filter, sort: "-brewer"}
"""


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch):
    """Today is 2026-06-01."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780272000")


def corpus(root: Path):
    return load_corpus(WorkingTree(root), candidates=True)


def terms(root: Path, key: str, axis: str) -> list[str]:
    return [tag.term for tag in corpus(root).by_key[key].tags_on(axis)]


def test_rename_reaches_every_place_that_names_the_term(run, root: Path):
    (root / "claims.yaml").write_text(CLAIMS)
    run("tag", "aero2020", "device=drip", "--revised", root=root)
    run("tag", "aero2020", "device=press", "--revised", root=root)
    before = (root / "taxonomy.yaml").read_text()
    done = run("taxonomy", "rename", "device=drip", "filter", "--label", "Filter", root=root)
    assert "rename device=drip -> filter" in done.err
    after = (root / "taxonomy.yaml").read_text()
    assert "counted: device=immersion,filter" in after
    assert "impossible: [[filter, cold]]" in after
    assert "words: {press: french_press, filter: drip}" in after
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert len(changed) == 4
    assert "former: drip" in changed[0]
    assert terms(root, "drip2021", "device") == terms(root, "salt2026", "device") == ["filter"]
    assert [entry.was for entry in corpus(root).by_key["aero2020"].history] == ["press", "filter"]
    expected = CLAIMS.replace('count: "device=drip', 'count: "device=filter').replace("(drip OR", "(filter OR")
    assert (root / "claims.yaml").read_text() == expected
    (step,) = read_log(WorkingTree(root))
    assert (step.do, step.axis, step.terms, step.to, step.on) == (
        "rename",
        "device",
        ("drip",),
        "filter",
        date(2026, 6, 1),
    )
    assert (
        "device=drip was renamed or merged; use filter" in run("tag", "drip2021", "device=drip", root=root, code=2).err
    )
    run("validate", root=root)


def test_the_protocol_follows_the_vocabulary(run, root: Path):
    path = root / "protocol.yaml"
    path.write_text(COFFEE_PROTOCOL)
    run("taxonomy", "rename", "device=drip", "filter", root=root)
    run("taxonomy", "rename", "device", "brewer", root=root)
    expected = COFFEE_PROTOCOL.replace("axis: device", "axis: brewer")
    assert path.read_text() == expected.replace("[press, drip], text", "[press, filter], text")
    run("validate", root=root)


def test_the_paper_follows_the_vocabulary(run, root: Path):
    path = root / "paper.yaml"
    path.write_text(QUOTED)
    run("taxonomy", "rename", "device=drip", "filter", root=root)
    run("paper", "build", root=root)
    run("taxonomy", "rename", "device", "brewer", root=root)
    run("paper", "build", root=root)
    assert path.read_text() == REQUOTED


def test_what_runs_map_to_is_renamed_too(run, root: Path):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text() + "traces:\n  events:\n    taste: {sour: sour}\n")
    run("taxonomy", "rename", "taste=sour", "tart", root=root)
    run("taxonomy", "rename", "taste", "flavour", root=root)
    assert "flavour: {sour: tart}" in path.read_text()
    run("validate", root=root)


def test_an_axis_can_be_renamed(run, root: Path):
    run("taxonomy", "rename", "taste", "flavour", root=root)
    after = corpus(root)
    assert terms(root, "drip2021", "flavour") == ["bitter", "sour"]
    assert after.by_key["X1"].near_miss[0].axis == "flavour"
    assert "tables: [device, flavour]" in (root / "taxonomy.yaml").read_text()
    for words in (
        ["tag", "drip2021", "taste=sour"],
        ["list", "--where", "taste=sour"],
        ["list", "--columns", "taste"],
        ["stats", "--by", "taste"],
        ["gaps", "taste"],
        ["gaps", "--by", "taste,device"],
        ["evidence", "--by", "taste"],
        ["taxonomy", "usage", "taste=sour"],
    ):
        assert "the axis taste was renamed; use flavour" in run(*words, root=root, code=2).err
    assert "The former name taste was replaced by flavour" in run("explain", "taste", root=root).out
    assert "flavour=sour" in run("explain", "taste=sour", root=root).out
    run("validate", root=root)
    assert run("taxonomy", "migrate", root=root).out == "nothing to change\n"


def test_merge_keeps_the_stronger_tag_and_all_evidence(run, root: Path):
    run("tag", "drip2021", "taste=sour:tasted", "--evidence", "A panel.", root=root)
    run("taxonomy", "merge", "taste=bitter,sour", "--into", "harsh", "--label", "Harsh", root=root)
    (harsh,) = corpus(root).by_key["drip2021"].tags_on("taste")
    assert (harsh.term, harsh.strength, harsh.evidence) == ("harsh", "measured", "Refractometer. A panel.")
    (axis,) = (axis for axis in corpus(root).taxonomy.axes if axis.id == "taste")
    assert [term.id for term in axis.terms] == ["harsh", "sweet", "salty", "umami"]
    assert axis.by_id["harsh"].former == ("bitter", "sour")
    run("taxonomy", "merge", "taste=salty,umami", "--into", "umami", root=root)
    assert corpus(root).by_key["salt2026"].tags_on("taste")[0].term == "umami"
    run("validate", root=root)


def test_split_leaves_a_queue_that_coding_empties(run, root: Path):
    run("taxonomy", "split", "taste=bitter", "harsh:Harsh", "dark", "--assign", "dark=year>=2021", root=root)
    after = corpus(root)
    assert after.taxonomy.by_id["taste"].family["bitter"] == {"bitter", "harsh", "dark"}
    assert terms(root, "drip2021", "taste") == ["dark", "sour"]
    assert [(w.key, w.axis, w.was) for w in recode_queue(after)] == [
        ("aero2020", "taste", ("bitter", "sour")), ("soup2022", "beans", ())
    ]  # fmt: skip
    assert terms(root, "aero2020", "taste") == ["sour"]
    run("validate", root=root)
    assert after.as_of(date(2026, 5, 31)).by_key["aero2020"].not_coded == ()
    assert any(
        task["n"] == 2 and "coding" in task["what"]
        for task in run("status", "--format", "json", root=root).json["data"]["tasks"]
    )
    run("tag", "aero2020", "taste=harsh", root=root)
    (harsh,) = (tag for tag in corpus(root).by_key["aero2020"].tags_on("taste") if tag.term == "harsh")
    assert (harsh.strength, harsh.evidence) == ("measured", "Measured by chromatography.")
    assert [w.key for w in recode_queue(corpus(root))] == ["soup2022"]
    run("validate", root=root)


def test_a_retired_term_names_its_successor(run, root: Path):
    run("taxonomy", "deprecate", "beans=cold", "--use", "arabica", root=root)
    said = "beans=cold was retired on 2026-06-01; use arabica"
    assert said in run("explain", "cold", root=root).out
    assert said in run("gaps", "beans=cold", root=root).out
    for refused in (
        ["tag", "drip2021", "beans=cold"],
        ["exclude", "drip2021", "--stage", "abstract", "--reason", "tea", "--near-miss", "beans=cold"],
    ):
        assert said in run(*refused, root=root, code=2).err
    assert said in run("stats", "--where", "beans=cold", root=root).err
    table = root.parent / "table.csv"
    table.write_text("title,year,beans\nOn Ice,2020,cold\n")
    assert said in run("import", table, "--dry-run", root=root).out
    assert "(retired, use arabica)" in run("taxonomy", "show", "beans", root=root).out


def test_a_renamed_term_names_its_new_name(run, root: Path):
    run("taxonomy", "rename", "device=drip", "filter", root=root)
    said = "device=drip was renamed or merged; use filter"
    assert said in run("explain", "drip", root=root).out
    for refused in (
        ["list", "--where", "device=drip"],
        ["list", "--where", "drip"],
        ["gaps", "drip"],
        ["gaps", "device=drip"],
        ["tag", "drip2021", "drip"],
        ["stats", "--where", "device=drip"],
        ["taxonomy", "usage", "device=drip"],
    ):
        assert said in run(*refused, root=root, code=2).err


def test_the_log_is_replayed_after_a_merge(run, git_root: Path, git: Callable[..., str]):
    root = git_root
    git(root, "checkout", "-q", "-b", "old")
    (root / "corpus" / "late.yaml").write_bytes(
        (root / "corpus" / "drip2021.yaml").read_bytes().replace(b"coffee.2", b"coffee.7")
    )
    git(root, "add", "-A")
    git(root, "commit", "-qm", "late")
    git(root, "checkout", "-q", "main")
    run("taxonomy", "rename", "device=drip", "filter", root=root)
    run("taxonomy", "split", "taste=bitter", "harsh", "dark", root=root)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "words")
    git(root, "merge", "-q", "--no-edit", "old")
    assert (
        "device=drip was renamed or merged; use filter\n    fix: awesome taxonomy migrate"
        in run("validate", root=root, code=1).out
    )
    assert run("taxonomy", "migrate", root=root).out == "changed corpus/late.yaml\n"
    assert terms(root, "late", "device") == ["filter"]
    assert corpus(root).by_key["late"].not_coded == ("taste",)
    assert run("taxonomy", "migrate", root=root).out == "nothing to change\n"


def test_an_old_branch_can_follow_before_it_is_merged(run, git_root: Path, git: Callable[..., str]):
    root = git_root
    git(root, "branch", "old")
    run("taxonomy", "rename", "device=drip", "filter", root=root)
    run("taxonomy", "rename", "taste", "flavour", root=root)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "words")
    expected = {path.name: path.read_bytes() for path in (root / "corpus").iterdir()}
    words = (root / "taxonomy.yaml").read_bytes()
    git(root, "checkout", "-q", "old")
    run("taxonomy", "migrate", "--log", "main", root=root)
    assert {path.name: path.read_bytes() for path in (root / "corpus").iterdir()} == expected
    assert (root / "taxonomy.yaml").read_bytes() == words
    assert len(read_log(WorkingTree(root))) == 2
    assert run("taxonomy", "migrate", "--log", "main", root=root).out == "nothing to change\n"


def test_an_unreadable_record_is_left_and_named(run, root: Path):
    (root / "corpus" / "soup2022.yaml").write_text("title: [\n")
    done = run("taxonomy", "rename", "device=drip", "filter", root=root, code=4)
    assert "corpus/soup2022.yaml is not changed" in done.err
    assert terms(root, "drip2021", "device") == ["filter"]


def test_usage_and_show(run, root: Path):
    data = run("taxonomy", "usage", "taste=umami", "--format", "json", root=root).json["data"]
    assert data["axes"]["taste"]["umami"] == {"papers": [], "candidates": [], "near_misses": ["X1"]} | {"retired": None}
    assert "  press" in run("taxonomy", "show", "device", root=root).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rename", "devise=drip", "x"], "did you mean 'device'"),
        (["rename", "device=dripp", "x"], "did you mean 'drip'"),
        (["rename", "device=drip", "cold"], "merge device=drip --into cold"),
        (["rename", "device=drip", "Filter!"], "not a valid id"),
        (["merge", "device=drip", "--into", "drip"], "nothing to merge"),
        (["split", "device=drip", "one"], "two parts"),
        (["split", "device=drip", "cold", "one"], "already"),
        (["split", "device=drip", "one", "two", "--assign", "three=*"], "not a valid PART=QUERY"),
        (["split", "device=drip", "one", "two", "--assign", "one=devise=drip"], "did you mean 'device'"),
        (["deprecate", "device=drip", "--use", "drip"], "name another one to use"),
        (["usage", "devise"], "did you mean 'device'"),
    ],
)
def test_a_wrong_word_changes_nothing(run, root: Path, words, said):
    before = (root / "taxonomy.yaml").read_bytes()
    assert said in run("taxonomy", *words, root=root, code=2).err
    assert (root / "taxonomy.yaml").read_bytes() == before


def test_a_broken_log_is_no_answer(run, root: Path):
    for text in ("migrations: [", "migrations:\n- {do: fly}\n", "migrations: 3\n"):
        (root / "migrations.yaml").write_text(text)
        assert "correct migrations.yaml" in run("taxonomy", "migrate", root=root, code=3).err


def test_a_retired_term_is_answered_and_marked(run, root: Path):
    run("taxonomy", "deprecate", "beans=cold", "--use", "robusta", "--yes", root=root)
    said = "beans=cold was retired on"
    for command in ("taxonomy usage beans=cold", "taxonomy usage beans", "stats --by beans", "stats --by beans,device"):
        for form in ("text", "json", "csv", "md"):
            assert said in run(*command.split(), "--format", form, root=root).out, (command, form)
    assert said not in run("stats", "--by", "device", root=root).out


def test_statistics_of_a_new_survey_have_no_empty_headings(run, tmp_path: Path):
    run("init", tmp_path / "new", "--title", "New")
    shown = run("stats", root=tmp_path / "new").out
    assert "Papers by axis" in shown
    for heading in ("Cross-tabs", "By strength", "Papers by year", "source", "Retired"):
        assert heading not in shown


@pytest.mark.parametrize("line", ["split taste=bitter harsh dark", "merge taste=sour,sweet --into sweet"])
def test_a_change_that_is_typed_again_is_logged_once(run, root: Path, line: str):
    run("taxonomy", *line.split(), root=root)
    log = (root / LOG).read_bytes()
    run("taxonomy", *line.split(), root=root, code=None)
    assert (root / LOG).read_bytes() == log
