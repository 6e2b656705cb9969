"""One report in every format; nothing in a cell can steer a terminal or break a page."""

import csv
import io
import json

import pytest

from awesome_cli.output import Format, to_text
from awesome_cli.output.annotations import errorformat, github, sarif
from awesome_cli.output.terminal import Terminal
from awesome_cli.reports.findings import Finding, Level, to_report
from awesome_cli.reports.report import Bullets, Code, Report, Section, Table, Text, Toned

EVIL = "a|b\n\x1b[31mred\x1b[0m <b>@x</b>"
REPORT = Report(
    "awesome/example/1",
    {"n": 1},
    (
        Section(
            "First | section",
            (
                Text("A line.", "good"),
                Table.of(("name", "n"), [("x", 1), (Toned(EVIL, "bad"), 22), (None, 3)], title="T", note="N"),
                Bullets(("one", Toned("two", "warn"))),
                Code("let `x` = ```1```", "js"),
            ),
        ),
    ),
    "Title",
)
FINDING = Finding(
    "V002", Level.ERROR, "no 100% match: a,b\nc", "corpus/a:b.yaml", 3, 5, "a", "tags.x", "awesome tag a x=y"
)


@pytest.mark.parametrize("form", list(Format))
def test_formats(form: Format, golden):
    golden(f"output/report.{form.value}", to_text(REPORT, form))


def test_plain_text_has_no_escapes_and_is_never_cut():
    wide = Report("awesome/x/1", {}, (Section(None, (Table.of(("a",), [("x" * 500,)]),)),))
    assert "x" * 500 in to_text(wide, Format.TEXT)
    assert "\x1b" not in to_text(REPORT, Format.TEXT)


def test_a_terminal_gets_colours_and_no_foreign_escapes():
    text = Terminal(100).write(REPORT)
    assert "\x1b[" in text
    assert "\x1b[31mred" not in text


def test_a_terminal_sets_tables_apart_and_keeps_commands_whole():
    table = Table.of(("what", "command"), [("a thing to do with many words", "awesome list --kind candidate")])
    text = Terminal(50, colored=False).write(Report("awesome/x/1", {}, (Section("S", (table, Text("end"))),)))
    assert text == (
        "S\nwhat                 command\na thing to do with   awesome list --kind candidate\nmany words\n\nend\n\n"
    )


def test_a_folded_section_is_collapsed_or_gives_its_command():
    report = Report("awesome/x/1", {}, (Section("More & <b> (1)", (Bullets(("a",)),), "awesome x --all"),))
    shown = "More & <b> (1): awesome x --all\n"
    assert to_text(report, Format.TEXT) == shown
    assert Terminal(50, colored=False).write(report) == shown
    markdown = "<details><summary>More &amp; &lt;b&gt; (1)</summary>\n\n- a\n\n</details>\n"
    assert to_text(report, Format.MD) == markdown


def test_json_has_a_schema_and_data():
    assert json.loads(to_text(REPORT, Format.JSON)) == {"schema": "awesome/example/1", "data": {"n": 1}}


def test_csv_is_all_that_the_sections_say():
    head, line, first, *_ = csv.reader(io.StringIO(to_text(REPORT, Format.CSV)))
    assert head == ["table", "text", "name", "n"]
    assert line == ["First | section", "A line.", "", ""]
    assert first == ["First | section: T", "", "x", "1"]


def test_csv_is_the_tables_that_a_report_names():
    one, two = Table.of(("a",), [(("x", "y"),)], title="one"), Table.of(("b",), [(True,), (0.1 + 0.2,)], title="two")
    assert to_text(Report("awesome/x/1", {}, rows=one), Format.CSV) == "a\nx; y\n"
    assert to_text(Report("awesome/x/1", {}, rows=(one, two)), Format.CSV) == (
        "table,a,b\none,x; y,\ntwo,,true\ntwo,,0.3\n"
    )
    assert to_text(Report("awesome/x/1", {}), Format.CSV) == "table\n"


def test_github_annotations_escape_what_their_syntax_uses(golden):
    golden("output/findings.github", github((FINDING,), {}))


def test_errorformat_is_one_line_a_finding():
    assert errorformat((FINDING,), {}) == "corpus/a:b.yaml:3:5: V002 no 100% match: a,b c\n"


def test_sarif_names_rules_and_places():
    log = json.loads(sarif((FINDING,), {"V002": "A term is unknown.\n\nMore."}))
    run = log["runs"][0]
    assert run["tool"]["driver"]["rules"] == [{"id": "V002", "shortDescription": {"text": "A term is unknown."}}]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 5}


def test_findings_carry_their_contract():
    report = to_report((FINDING,), schema="awesome/validate/1", data={}, checked="1 record")
    answer = json.loads(to_text(report, Format.JSON))
    assert answer["findings"] == [
        {
            "code": "V002",
            "level": "error",
            "path": "corpus/a:b.yaml",
            "line": 3,
            "column": 5,
            "key": "a",
            "field": "tags.x",
            "message": "no 100% match: a,b\nc",
            "fix": "awesome tag a x=y",
        }
    ]
