"""The public face: what it promises is there, works on real files, and agrees with the command line."""

import csv
import doctest
import html
import io
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from builders import COFFEE, EXAMPLES
from hypothesis import given
from hypothesis import strategies as st
from running import invoke
from wheel import installed

from awesome_cli import api
from awesome_cli.api import Survey
from awesome_cli.api import survey as surveying
from awesome_cli.errors import AwesomeError, SurveyError, UsageError


def test_every_promised_name_is_there():
    assert sorted(api.__all__) == list(api.__all__)
    assert all(hasattr(api, name) for name in api.__all__)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The survey of `awesome init --example`, which has audits and a protocol."""
    invoke("init", str(tmp_path / "example"), "--example")
    return tmp_path / "example"


def test_a_survey_is_published_as_the_command_line_publishes_it(root: Path):
    survey = Survey.open(root)
    assert "Pressing matters" in survey.readme((root / "README.md").read_text())
    pages = {page.path: page for page in survey.site("https://example.org/")}
    assert "index.html" in pages
    with pytest.raises(UsageError, match="several files"):
        survey.export("artifact")


def test_the_traces_half():
    data = (EXAMPLES / "rich-v2.json").read_bytes()
    trace = api.load_trace(data).trace
    assert trace is not None
    assert isinstance(api.check_trace(trace), tuple)
    assert api.replay(trace).digest == api.analyze(data)["digest"]
    assert api.trace_metrics(trace).values


def test_traces_of_files_become_rows_and_wrong_settings_are_refused(tmp_path: Path):
    rollouts = EXAMPLES / "rich-v2.json"
    assert len(api.decisions(api.load_traces(rollouts))) > 0
    for wrong, message in (({"gamma": 2.0}, "from 0 to 1"), ({"std": "Sample"}, "did you mean 'sample'")):
        with pytest.raises(UsageError, match=message):
            api.decisions(api.load_traces(rollouts), **wrong)
    with pytest.raises(AwesomeError, match="task_id"):
        list(api.load_traces(EXAMPLES / "one-rule-each.jsonl"))
    known = next(api.load_traces(rollouts)).trace_id
    table = tmp_path / "rewards.csv"
    table.write_text(f"trace,value\n{known},1\nother,2\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="'other'"):
        api.decisions(api.load_traces(rollouts), rewards=table)


def test_the_examples_in_docstrings(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(root.parent)
    found = doctest.testmod(surveying)
    assert not found.failed
    assert found.attempted > 15


def test_the_examples_of_the_page(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    invoke("init", "coffee", "--example")
    page = str(repository / "docs" / "python.md")
    found = doctest.testfile(page, module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 10
    assert not found.failed


def test_the_figure_of_the_page(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, updating: bool):
    import matplotlib as mpl

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    invoke("init", "coffee", "--example")
    (code,) = re.findall(r"```python\n([^>`]*savefig[^`]*)```", (repository / "docs" / "python.md").read_text())
    with mpl.rc_context({"backend": "agg", "svg.fonttype": "none", "svg.hashsalt": "awesome"}):
        exec(code, {"cells": Survey.open("coffee").gaps().to_frame()})
    drawn, kept = Path("states.svg").read_text(), repository / "docs" / "pictures" / "states.svg"
    if updating:
        kept.write_text(drawn)
    # Releases of matplotlib differ in their paths, but not in the words.
    words = re.compile(r"<text[^>]*>([^<]*)")
    assert words.findall(drawn) == words.findall(kept.read_text()), "run: make golden"
    assert kept.stat().st_size < 30_000


@pytest.mark.slow
def test_the_page_holds_for_the_wheel(tmp_path: Path, repository: Path):
    python = installed().parent / "python"
    subprocess.run([installed(), "init", "coffee", "--example"], cwd=tmp_path, check=True)
    done = subprocess.run(
        [python, "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", repository / "docs" / "python.md"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_a_survey_is_found_as_the_command_line_finds_it(git_root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(git_root / "corpus")
    assert Survey.open().root == git_root
    (git_root / "corpus" / "aero2020.yaml").unlink()
    now, then = Survey.open(git_root), Survey.open(git_root, rev="HEAD")
    assert [entry.key for entry in now.diff(then).added] == ["aero2020"]
    assert repr(then) == "Survey('How Coffee Is Brewed', 4 papers, at HEAD)"


def test_what_cannot_be_opened_says_why(root: Path, tmp_path: Path):
    with pytest.raises(UsageError, match="no such folder"):
        Survey.open(root / "nowhere")
    with pytest.raises(UsageError, match="not a valid date"):
        Survey.open(root, as_of="March")
    with pytest.raises(SurveyError, match=r"no taxonomy\.yaml"):
        Survey.open(tmp_path)
    (root / "corpus" / "aero2020.yaml").write_text("title: [")
    with pytest.raises(SurveyError, match="aero2020"):
        Survey.open(root)


def test_no_frame_is_loaded_before_one_is_asked_for():
    program = (
        "import sys; from awesome_cli.api import Survey; s = Survey.open(sys.argv[1]); s.gaps(); s.check();"
        "assert 'pandas' not in sys.modules; s.papers(); assert 'pandas' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program, str(COFFEE)], check=True)


def answers_of(survey: Survey) -> dict[str, api.SurveyAnswer]:
    names = ("statistics", "gaps", "claims", "flow", *(["audit"] if survey.corpus.audits else []))
    return {"diff": survey.diff(survey), **{name: getattr(survey, name)() for name in names}}


def test_the_frame_of_an_answer_has_the_rows_of_its_command(example: Path):
    now, then = Survey.open(example), Survey.open(example, as_of="2025-01-12")
    commands = {
        "stats": now.statistics(),
        "gaps": now.gaps(),
        "claims check": now.claims(),
        "audit report": now.audit(),
        "flow": now.flow(),
    }
    for command, answer in commands.items():
        listed = invoke("--raw", *command.split(), "--format", "csv", root=example, code=None).out
        rows = list(csv.DictReader(io.StringIO(listed)))
        first = [row for row in rows if command == "stats" or row["table"] == rows[0]["table"]]
        frame = answer.to_frame()
        assert len(frame) == len(first) > 0
        for name in frame.columns[:2]:
            assert [str(value) for value in frame[name].fillna("")] == [row[name] for row in first]
    for answer in (*commands.values(), *answers_of(then).values(), then.diff(now)):
        table, frame = answer.to_report().tables()[0], answer.to_frame()
        assert (tuple(frame.columns), len(frame)) == (table.columns, len(table.rows))


def test_a_notebook_shows_texts_of_records_escaped(example: Path):
    attack = "<script>alert(1)</script>"
    for path in example.rglob("*.yaml"):
        path.write_text(re.sub("Siphon|other drink|The second coder|(?<=label: )Method", attack, path.read_text()))
    survey = Survey.open(example)
    answers = {**answers_of(survey), "diff": Survey.open(example, as_of="2025-01-12").diff(survey)}
    for name, answer in answers.items():
        shown = answer._repr_html_()
        assert "<script" not in shown
        assert name == "statistics" or html.escape(attack) in shown, name


def test_answers_and_errors_are_short_to_look_at(root: Path):
    survey = Survey.open(root)
    assert max(len(repr(answer)) for answer in (survey.corpus, *answers_of(survey).values())) < 100
    assert repr(survey.corpus) == "Corpus(papers=4, exclusions=2, candidates=1)"
    with pytest.raises(UsageError) as refused:
        survey.crosstab("nope", "beans")
    assert refused.value.__notes__ == ["hint: one of: device, taste, beans, year, venue"]


FRAMES = ("papers", "codings", "measures", "exclusions", "candidates")


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_without_rows_has_the_same_columns_and_types(name: str):
    full = getattr(Survey.open(COFFEE), name)()
    none = getattr(Survey.open(COFFEE), name)("title~nowhere")
    assert len(full) > len(none) == 0
    pd.testing.assert_series_equal(full.dtypes, none.dtypes)


def test_words_have_the_order_of_the_taxonomy(root: Path):
    survey = Survey.open(root)
    taxonomy = survey.corpus.taxonomy
    assert [*survey.papers().device.cat.categories] == [term.id for term in taxonomy.by_id["device"].terms]
    codings = survey.codings()
    for name in ("axis", "term", "strength", "confidence", "contested"):
        assert codings[name].cat.ordered
    terms = [*codings.term.cat.categories]
    for axis in taxonomy.axes:
        assert sorted(axis.by_id, key=terms.index) == [*axis.by_id]


def test_axes_that_contradict_each_other_give_no_order(root: Path):
    path = root / "taxonomy.yaml"
    text = (
        path.read_text().replace("{id: arabica, label: Arabica", "{id: cold2, label: C").replace("beans: arabica", "")
    )
    text = text.replace("- {id: cold2, label: C, definition: Coffea arabica.}", "")
    text = text.replace("- {id: cold, label: Cold-stored, definition: Kept cold.}", "")
    path.write_text(
        text.replace(
            "- {id: robusta, label: Robusta, definition: Coffea canephora.}",
            "- {id: cold, label: Cold, definition: C.}\n  - {id: robusta, label: R, definition: C.}\n"
            "  - {id: arabica, label: A, definition: C.}\n  - {id: drip, label: Drip, definition: C.}",
        )
    )
    terms = Survey.open(root).codings().term.cat
    assert not terms.ordered
    assert {"drip", "cold", "arabica"} < {*terms.categories}


WORDS = [
    "device=drip",
    "device=immersion",
    "taste=sour:tasted",
    "taste=bitter",
    "year>=2020",
    "beans=NA",
    "contested=yes",
]
QUERIES = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        inner.map("NOT ({})".format),
        st.tuples(inner, st.sampled_from(("AND", "OR")), inner).map(lambda t: f"({' '.join(t)})"),
    ),
    max_leaves=4,
)


@pytest.mark.slow
@given(QUERIES)
def test_papers_are_those_that_the_command_line_lists(query: str):
    listed = invoke("list", "--where", query, "--format", "csv", "--columns", "key", root=COFFEE).out.splitlines()[1:]
    assert Survey.open(COFFEE).papers(query).index.tolist() == listed


def agree(survey: Survey) -> None:
    """Compare the codings with the counts of the statistics, axis by axis."""
    counts, codings = survey.statistics().counts, survey.codings()
    for axis in survey.corpus.taxonomy.axes:
        mine = codings[(codings.axis == axis.id) & ~codings.part]
        assert {term.id: int((mine.term == term.id).sum()) for term in axis.leaves} == {
            term: n for term, n in counts[axis.id].items() if term != "NA"
        }


@pytest.mark.parametrize("as_of", [None, date(2026, 1, 31)])
def test_codings_agree_with_the_statistics(root: Path, as_of: date | None):
    agree(Survey.open(root, as_of=as_of))


def test_codings_of_the_shipped_survey_agree_with_its_statistics(repository: Path):
    agree(Survey.open(repository))


def test_unknown_terms_are_left_out_and_named_by_check(root: Path):
    path = root / "corpus" / "drip2021.yaml"
    path.write_text(path.read_text().replace("beans: robusta", "beans: liberica"))
    survey = Survey.open(root)
    assert pd.isna(survey.papers().beans["drip2021"])
    assert any("liberica" in finding.message for finding in survey.check())


def test_a_folder_that_moves_changes_nothing_in_what_was_read(root: Path):
    survey = Survey.open(root)
    shutil.rmtree(root)
    assert len(survey.papers()) == 4
