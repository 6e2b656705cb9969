"""YAML editing: what is asked for is said, and nothing else changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli.files import canonical, yaml_editing, yaml_reading

RECORD = b"""# a modeline
title: "MARFT: Multi-Agent"   # the title
authors: # as printed
- Liao, Junwei
# a comment between
- others
identifiers: {arxiv: "2504.16129", doi: 10.1/x}
tags:
  rl: "yes" # checked
  many:
  - {term: a, strength: trained}
  - term: b
    # why
    strength: designed
    evidence: >-
      A folded
      text.

  # before scenario
  scenario: general
summary: Lays out.
"""


def change(route, value, data=RECORD):
    document, _ = yaml_reading.read(data)
    at = document
    for step in route[:-1]:
        at = at[step]
    if value is None:
        del at[route[-1]]
    elif isinstance(at, list) and route[-1] == len(at):
        at.append(value)
    else:
        at[route[-1]] = value
    return yaml_editing.rewrite(data, document).decode()


@pytest.mark.parametrize(
    ("route", "value", "old", "new"),
    [
        (("title",), "Other", 'title: "MARFT: Multi-Agent"   #', "title: Other   #"),
        (("authors", 0), "Bar, Foo", "- Liao, Junwei\n", "- Bar, Foo\n"),
        (("authors", 2), "Bar, Foo", "- others\n", "- others\n- Bar, Foo\n"),
        (("authors", 0), None, "- Liao, Junwei\n", ""),
        (("authors", 1), None, "- others\n", ""),
        (("authors",), ["X"], "- Liao, Junwei\n# a comment between\n- others\n", "- X\n# a comment between\n"),
        (("authors",), "X", " # as printed\n- Liao, Junwei\n# a comment between\n- others\n", " X # as printed\n"),
        (("identifiers", "doi"), None, ", doi: 10.1/x", ""),
        (("identifiers", "arxiv"), None, 'arxiv: "2504.16129", ', ""),
        (("identifiers", "acl"), "A-1", "doi: 10.1/x", "doi: 10.1/x, acl: A-1"),
        (("identifiers",), None, 'identifiers: {arxiv: "2504.16129", doi: 10.1/x}\n', ""),
        (("tags", "rl"), "no", 'rl: "yes" #', 'rl: "no" #'),
        (("tags", "many", 0, "strength"), "designed", "strength: trained", "strength: designed"),
        (("tags", "many", 0, "source"), "u", "strength: trained}", "strength: trained, source: u}"),
        (("tags", "many", 1, "term"), "c", "term: b", "term: c"),
        (("tags", "many", 1, "evidence"), "New.", ">-\n      A folded\n      text.\n", "New.\n"),
        (("tags", "many", 1, "term"), None, "- term: b\n    # why", "- # why"),
        (("tags", "many", 0), {"a": ["b"]}, "- {term: a, strength: trained}", "- a:\n    - b"),
        (("tags", "many", 0), None, "  - {term: a, strength: trained}\n", ""),
        (("tags", "scenario"), None, "  scenario: general\n", ""),
        (("tags", "scenario"), ["a", "b"], "scenario: general\n", "scenario:\n  - a\n  - b\n"),
        (("tags", "new"), "x", "scenario: general\n", "scenario: general\n  new: x\n"),
        (("summary",), None, "summary: Lays out.\n", ""),
        (("year",), 2025, "summary: Lays out.\n", "summary: Lays out.\nyear: 2025\n"),
        (("title",), None, 'title: "MARFT: Multi-Agent"   # the title\n', ""),
    ],
)
def test_only_what_is_meant_changes(route, value, old, new):
    text = RECORD.decode()
    assert text.count(old) == 1
    assert change(route, value) == text.replace(old, new)


def test_a_field_goes_behind_its_predecessor():
    result = yaml_editing.rewrite(b"title: a # x\nsummary: c\n", {"title": "a", "year": 2025, "summary": "c"})
    assert result == b"title: a # x\nyear: 2025\nsummary: c\n"


def test_a_field_may_come_first():
    assert yaml_editing.rewrite(b"# top\nb: x\n", {"a": "z", "b": "x"}) == b"# top\na: z\nb: x\n"


def test_windows_lines_byte_order_mark_and_a_missing_last_newline_stay():
    data = b"\xef\xbb\xbftitle: a\r\nvenue: b"
    assert yaml_editing.rewrite(data, {"title": "a", "venue": "b", "note": "c"}) == data + b"\r\nnote: c"
    assert yaml_editing.rewrite(data, {"title": "x", "venue": "b"}) == data.replace(b": a", b": x")


def test_an_empty_value_is_filled():
    assert yaml_editing.rewrite(b"a:\nb: {c: , d: }\n", {"a": "x", "b": {"c": "1", "d": "z"}}) == (
        b'a: x\nb: {c: "1", d: z}\n'
    )


@pytest.mark.parametrize(
    ("data", "route", "value", "expected"),
    [
        (b"a:\n- x # why\n- y\n", ("a", 0), {"b": ["c"], "d": "e"}, b"a:\n- b: # why\n  - c\n  d: e\n- y\n"),
        (b"a:\n- # why\n  b\n- d\n", ("a", 0), "x", b"a:\n- x # why\n- d\n"),
        (b"a:\n- # no-one\n  b: c\n- d\n", ("a", 0, "b"), "x", b"a:\n- # no-one\n  b: x\n- d\n"),
        (b"a: [b, # one\n  c, # two\n  d]\n", ("a", 0), "x", b"a: [x, # one\n  c, # two\n  d]\n"),
        (b"a: [b, # one\n  c, # two\n  d]\n", ("a", 2), None, b"a: [b, # one\n  c, # two\n  ]\n"),
        (b"a:\n- - b\n  - c\nd: e", ("a", 0, 0), None, b"a:\n- - c\nd: e"),
    ],
)
def test_comments_inside_lists_stay(data, route, value, expected):
    assert change(route, value, data) == expected.decode()


def test_what_is_added_is_written_like_its_place():
    assert yaml_editing.rewrite(b"a: [b, c]\n", {"a": ["b", "c", "d"]}) == b"a: [b, c, d]\n"
    assert yaml_editing.rewrite(b"a: [b]\n", {"a": ["x", "b"]}) == b"a: [x, b]\n"
    assert yaml_editing.rewrite(b"a: {b: c}\n", {"a": {"b": "c", "d, e": "f"}}) == b'a: {b: c, "d, e": f}\n'
    more = {"a": "b", "tags": {"x": "z"}}
    assert yaml_editing.rewrite(b"a: b\n", more) == b"a: b\ntags: {x: z}\n"
    assert yaml_editing.rewrite(b"a: b\n", more, block=["tags"]) == b"a: b\ntags:\n  x: z\n"


def test_a_change_that_does_not_fit_the_text_is_refused():
    with pytest.raises(yaml_editing.YamlEditError) as caught:
        yaml_editing.rewrite(b"a: |+\n  b\n\n", {"a": "b\n\n", "c": "d"})
    assert caught.value.message == "the file's style does not allow the change"
    assert caught.value.hint == "run 'awesome fmt KEY', then try again"


def test_a_text_of_which_nothing_would_stay_is_refused():
    with pytest.raises(yaml_editing.YamlEditError, match="replace the whole file"):
        yaml_editing.rewrite(b"a: b\n", {"c": "d"})


@pytest.mark.parametrize("data", [b"", b"- a\n", b"a: [\n", b"a: 1\na: 2\n", b"\xff"])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(yaml_editing.YamlEditError, match="cannot be read"):
        yaml_editing.rewrite(data, {"a": "b"})


def test_merge_keeps_a_persons_way_of_writing():
    """Also a field that the canonical form leaves out, such as an empty one; what goes from that form goes."""
    raw = {"z": "1", "tags": {"x": {"term": "a"}, "y": ["b"]}, "empty": "", "gone": "3", "a": "2"}
    old = {"a": "2", "gone": "3", "tags": {"x": "a", "y": "b"}, "z": "1"}
    new = {"a": "2", "tags": {"x": "a", "y": "c"}, "q": "9", "z": "1"}
    merged = yaml_editing.merge(raw, old, new)
    assert merged == {"z": "1", "tags": {"x": {"term": "a"}, "y": "c"}, "q": "9", "empty": "", "a": "2"}


def test_merge_keeps_the_entries_of_a_list_that_stay():
    old = [{"term": "a"}, {"term": "b"}, "c"]
    raw = [{"term": "a "}, {"term": "b", "more": "x"}, ["c"]]
    assert yaml_editing.merge(raw, old, [{"term": "b"}, "c"]) == [{"term": "b", "more": "x"}, ["c"]]
    assert yaml_editing.merge(raw, old, ["new", {"term": "a"}, {"term": "z"}, "c"])[:2] == ["new", {"term": "a "}]
    assert yaml_editing.merge(raw[:2], old, ["c"]) == ["c"]


names = st.sampled_from("abcdefgh")
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12) | st.sampled_from(
    ["no", "2508.04650", "x # y", "k: v", "- a", "multi\nline\n", "é 漢", "[a]", "'", '"']
)
scalars = words.filter(lambda text: "\N{NEXT LINE}" not in text and "\ufeff" not in text) | st.none()
values = st.recursive(
    scalars,
    lambda child: st.lists(child, max_size=4) | st.dictionaries(names, child, max_size=4),
    max_leaves=12,
)
documents = st.dictionaries(names, values, min_size=1, max_size=6)


def written(value, draw, indent=0):
    """Lines of a mapping in a style that the draw decides: block or flow, comments, blank lines."""
    lines = []
    for name, child in value.items():
        if draw(st.integers(0, 4)) == 0:
            lines.append(" " * indent + f"# about {name}")
        style = draw(st.integers(0, 2))
        if isinstance(child, dict) and child and style:
            lines += [" " * indent + f"{name}:" + (" # m" if style == 1 else ""), *written(child, draw, indent + 2)]
        elif isinstance(child, list) and child and style:
            step = draw(st.sampled_from([0, 2]))
            lines.append(" " * indent + f"{name}:")
            lines += [" " * (indent + step) + "- " + canonical.flow(entry) for entry in child]
        else:
            lines.append(" " * indent + f"{name}:   {canonical.flow(child)}" + ("  # end" if style == 1 else ""))
    return lines


@settings(max_examples=120, deadline=None)
@given(st.data(), documents, documents)
def test_every_edit_reads_as_asked_and_touches_no_other_line(data, old, edits):
    text = "\n".join(written(old, data.draw)) + "\n"
    before = text.encode()
    assert yaml_reading.read(before) == (old, ())
    new = {**old, **edits}
    for name in data.draw(st.lists(st.sampled_from(sorted(new)), max_size=2)):
        if len(new) > 1:
            new.pop(name, None)
    if not new.keys() & old.keys():
        return
    after = yaml_editing.rewrite(before, new)
    assert yaml_reading.read(after) == (new, ())
    untouched = {name for name in old if name in new and old[name] == new[name]}
    for name in untouched:
        span = yaml_reading.Locator(text).span((name,))
        for line in text[span.start : span.end].split("\n"):
            assert line in after.decode()
    for line in text.split("\n"):
        if line.startswith("# about "):
            assert line in after.decode()


@settings(max_examples=120, deadline=None)
@given(st.data(), documents, documents)
def test_a_deep_edit_reads_as_asked(data, old, new):
    both = {**new, "keep": "1"}
    text = "\n".join(written({**old, "keep": "1"}, data.draw)) + "\n"
    assert yaml_reading.read(yaml_editing.rewrite(text.encode(), both)) == (both, ())
