"""YAML is read as strings with positions, and hostile texts are refused with a place."""

import re
from pathlib import Path

import pytest
import yaml
from builders import DATA

from awesome_cli.files import yaml_reading


def read(text: str) -> object:
    value, findings = yaml_reading.read(text.encode())
    assert findings == ()
    return value


def test_scalars_are_strings():
    assert read("a: no\nb: 2508.04650\nc: 2020-01-01\nd: 0x1F\n") == {
        "a": "no",
        "b": "2508.04650",
        "c": "2020-01-01",
        "d": "0x1F",
    }


@pytest.mark.parametrize("text", ["a:", "a: ~", "a: null"])
def test_nothing_is_none(text: str):
    assert read(text) == {"a": None}


def test_quoted_null_is_a_text():
    assert read('a: "null"') == {"a": "null"}


@pytest.mark.parametrize(
    ("text", "kind", "line", "column"),
    [
        ("a: 1\na: 2\n", "duplicate", 2, 1),
        ("a: &x 1\n", "alias", 1, 4),
        ("a: [*x]\n", "alias", 1, 5),
        ("a: !!python/object:os.system x\n", "tag", 1, 4),
        ("a: 1\n<<<<<<< HEAD\nb: 2\n", "conflict", 2, 1),
        ("a: b: c\n", "syntax", 1, 5),
        ("a: 1\n---\nb: 2\n", "documents", 2, 1),
        ("a: " + "[" * 100_000, "depth", 1, 35),
        ("- " * 50_000 + "x", "depth", 1, 65),
        ("a: " + "[" * 32 + "]" * 32, "depth", 1, 35),
        ("".join(f"{' ' * i}a:\n" for i in range(33)) + f"{' ' * 33}b", "depth", 33, 33),
        ("a:\n  &x\n  b: 1\n", "alias", 2, 3),
        ("a: x\x00y\n", "encoding", 1, 5),
    ],
)
def test_findings_have_a_kind_and_a_place(text: str, kind: str, line: int, column: int):
    _, findings = yaml_reading.read(text.encode())
    assert [(f.kind, f.line, f.column) for f in findings] == [(kind, line, column)]


@pytest.mark.parametrize("parser", [yaml_reading.LOADER, yaml.SafeLoader], ids=["libyaml", "python"])
@pytest.mark.parametrize(
    ("text", "why", "line", "column"),
    [
        ("a: GAIA: a benchmark\n", "a text contains ': '", 1, 8),
        ("a:\n\tb: 1\n", "a tab", 2, 1),
        ("a: 1\n\tb: 1\n", "a tab", 2, 1),
        ("a: @x\n", "begins with '@'", 1, 4),
        ("a: 1\nb: 'x\nc: 1\n", "a quote is not closed", 2, 4),
        ("a: 'it's\n", "after its closing quote", 1, 8),
        ("a: [x] y\n", "after its closing quote or bracket", 1, 8),
        ('a: "\\z"\n', "a backslash", 1, 5),
        ("a: [x, y\nb: 1\n", "opened on line 1", 2, 2),
        ("a: 1\nb\nc: 1\n", "the line is neither a field", 2, 1),
        ("a: - x\n", "begin at '-'", 1, 4),
        ("a: x\n- y\n", "does not continue", 2, 1),
        ("- a\nb: 1\n", "not an entry of the list", 2, 1),
        ("a:\n    b: 1\n  c: 2\n", "does not continue", 3, 3),
        ("  a: 1\nb: 2\n", "does not continue", 2, 1),
        ("a: | x\n", "follows '|'", 1, 6),
        ("a: **x**\n", "begins with '&', '*' or '!'", 1, 5),
        ("a: ]\n", "missing before ']'", 1, 4),
        ("%FOO\na: 1\n", "", 1, 5),
    ],
)
def test_a_syntax_error_is_said_in_plain_words(monkeypatch, parser, text: str, why: str, line: int, column: int):
    monkeypatch.setattr(yaml_reading, "LOADER", parser)
    _, (found,) = yaml_reading.read(text.encode())
    assert why in found.message.replace('": "', "': '")
    assert found.fix
    assert not re.search("scanning|parsing|token|expected|context|scalar|mapping|<", found.message)
    assert parser is yaml.SafeLoader or (found.line, found.column) == (line, column)


def test_marks_inside_of_a_text_are_text():
    assert read('a: R&D, f(*x) & more!\nb: "*"\n') == {"a": "R&D, f(*x) & more!", "b": "*"}


def test_a_duplicate_names_the_first_line():
    _, findings = yaml_reading.read(b"a: 1\nb: 2\na: 3\n")
    assert "first on line 1" in findings[0].message


@pytest.mark.parametrize("data", [b"\xff\xfea\x00", b"a: \xe9\n", b"PK\x03\x04\x00\x00", bytes(range(256))])
def test_what_is_not_utf8_is_a_finding(data: bytes):
    value, findings = yaml_reading.read(data)
    assert value is None
    assert findings[0].kind == "encoding"


def test_a_byte_order_mark_is_no_finding():
    assert yaml_reading.read(b"\xef\xbb\xbfa: 1\n") == ({"a": "1"}, ())


def test_an_alias_bomb_is_refused():
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    _, findings = yaml_reading.read(bomb.encode())
    assert findings[0].kind == "alias"


@pytest.mark.parametrize("path", sorted((DATA / "inputs" / "yaml").iterdir()), ids=lambda path: path.stem)
def test_a_file_that_is_no_yaml_has_a_finding_at_its_place(path: Path):
    value, findings = yaml_reading.read(path.read_bytes())
    assert value is None
    assert [(f.kind, f.line > 1, f.column) for f in findings] == [("syntax", True, 1)]


@pytest.mark.parametrize(
    ("route", "place"),
    [
        (("tags", "b", 1, "term"), (4, 12)),
        (("tags", "b", 1, "nothing"), (4, 5)),
        (("tags", "a", 0), (2, 6)),
        (("nowhere", 3), (1, 1)),
    ],
)
def test_locate_finds_a_value_or_its_nearest_parent(route: tuple[str | int, ...], place: tuple[int, int]):
    span = yaml_reading.Locator("tags:\n  a: x\n  b: [q,\n    {term: w}]\n").span(route)
    assert (span.line, span.column) == place


def test_locate_points_to_a_field_name():
    span = yaml_reading.Locator("a: 1\nbee:\n  c: 2\n").span(("bee",), at_key=True)
    assert (span.line, span.column, span.start, span.end) == (2, 1, 5, 8)
