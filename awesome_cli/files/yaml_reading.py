"""YAML parser that returns strings and positions. The only module that imports `yaml`.

Scalars are not converted: `no` stays "no" and `2508.04650` keeps its zero; types come from the models. Only an empty
value, `~` and `null` become None. Anchors, aliases, tags and deep nesting are rejected before they are expanded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

QUOTES = "put the text in double quotes"
INDENT = "indent all fields of one level by the same number of spaces"
SYNTAX: tuple[tuple[str, str, str], ...] = (
    ("mapping values", 'a text contains ": ", or a line is indented too far', f"{QUOTES}, or correct the indentation"),
    ("tab character", "the indentation contains a tab", "indent with spaces, not tabs"),
    ("start any token", "a text begins with {char}", QUOTES),
    ("escape|hexdec", "a backslash in double quotes is not escaped", "write two backslashes, or use single quotes"),
    ("quoted scalar", "a quote is not closed", "close it with the same quote"),
    ("[,>]' or|flow (?:mapping|sequence)", "a bracket is not closed (opened on line {since}), or a comma is missing",
     "close it, or put commas between its entries; a text that begins with a bracket needs double quotes"),
    ("simple key", "the line is neither a field nor part of a text", "write 'name: value', or indent the line"),
    ("(?:mapping keys|sequence entries) are", "a list cannot begin at {char}",
     f"begin the list on the next line, or {QUOTES}"),
    ("block collection", "the line is not an entry of the list above it", INDENT),
    ("block mapping.* inside", "a text continues after its closing quote or bracket",
     "put the whole text in other quotes, or double the quotes inside"),
    ("block mapping|document start", "the line does not continue the lines above it", INDENT),
    ("block scalar", "a text follows '|' or '>' on the same line", f"begin it on the next line, or {QUOTES}"),
    ("anchor|alias|tag", "a text begins with '&', '*' or '!'", QUOTES),
    ("node content", "a value is missing before {char}", f"write the value, or {QUOTES}"),
    ("directive|incompatible", "a line begins with '%'", f"remove it, or {QUOTES}"),
)  # fmt: skip
"""`(pattern, cause, fix)`: plain messages for libyaml's messages; the first matching pattern applies."""
OTHER = ("this is not YAML", "check quotes, brackets and indentation")
AT_BEGIN = re.compile("quoted scalar|simple key")
"""Errors to report at the start of the affected value, not where the parser stopped."""


def syntax(problem: str, char: str, since: int) -> tuple[str, str]:
    """Return `(cause, fix)` for a message of libyaml, which has no error codes.

    `problem` ends with ` inside` if the position is not the first in its line. `char` is the character at which the
    parser stopped, `since` the number of the line on which the value begins.
    """
    if char == "\t" and "token" in problem:
        problem = "tab character"
    shown = {"": "the end of the file", "\n": "the end of the line"}.get(char, repr(char))
    why, fix = next(((why, fix) for pattern, why, fix in SYNTAX if re.search(pattern, problem)), OTHER)
    return why.format(char=shown, since=since), fix


try:
    from yaml._yaml import CParser as Parser
except ImportError:  # PyYAML without libyaml: the same results, ten times slower
    from yaml import SafeLoader as Parser  # type: ignore[assignment]

Route = tuple[str | int, ...]
Value = Any  # str | None | list[Value] | dict[str, Value]

MAX_BYTES = 4_000_000
MAX_DEPTH = 32
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
CONFLICT = re.compile(r"^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)( |$)", re.MULTILINE)
CONTROL_BYTES = bytes({*range(32), 127} - {9, 10, 13})
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Only a text that may be nested too deeply, or may contain an anchor, an alias or a tag, is checked event by event.
# Anchors, aliases and tags follow a blank or a list or mapping indicator.
SAFE_BRACKETS = 200
DEEP = ("\n" + " " * 2 * MAX_DEPTH, "- " * 8, "? " * 8)
PROPERTY = re.compile(r"(?:^|[\s,\[{?:\ufeff])(?:!|[&*][\w-])")
BARE = re.compile(rb"on(?<![\w\"'.-]on)(?=: +[\"']?\d{4}-\d\d-\d\d)")
"""The field name `on` of a day without quotes, which YAML 1.1 reads as true."""
NOTHING = {"", "~", "null", "Null", "NULL"}


class _Loader(Parser):
    """libyaml's parser without type resolution, which would take half of the time."""

    def resolve(self, _kind: object, _value: object, _implicit: object) -> str:
        return ""

    def descend_resolver(self, _node: object, _index: object) -> None: ...

    def ascend_resolver(self) -> None: ...


LOADER: Any = _Loader


@dataclass(frozen=True, slots=True)
class TextFinding:
    """An error in a YAML text, at a line and column from 1; `kind` is the kind of rule that is violated."""

    kind: str
    message: str
    line: int = 1
    column: int = 1
    fix: str | None = None


class UnreadableError(Exception):
    """Raised at the first finding that prevents parsing."""

    def __init__(self, finding: TextFinding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def read(data: bytes, *, limit: int = MAX_BYTES) -> tuple[Value, tuple[TextFinding, ...]]:
    """Parse a YAML document of at most `limit` bytes into a value and findings; never raises.

    The value consists of dict, list, str and None; it is None if the text cannot be parsed.
    """
    try:
        node = compose(decode(data, limit=limit))
        findings: list[TextFinding] = []
        return _value(node, findings), tuple(findings)
    except UnreadableError as error:
        return None, (error.finding,)


def decode(data: bytes, *, limit: int = MAX_BYTES) -> str:
    """Decode UTF-8; raises `UnreadableError` for other bytes, control characters and merge-conflict markers."""
    if len(data) > limit:
        size = f"{len(data):,} bytes"
        raise UnreadableError(TextFinding("size", f"the file is too large for a record: {size}, limit {limit:,}"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8", errors="replace")
        line, column = good.count("\n") + 1, len(good) - good.rfind("\n")
        encoding = "UTF-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else f"byte 0x{data[error.start]:02x}"
        message = f"the file is not UTF-8 ({encoding})"
        raise UnreadableError(TextFinding("encoding", message, line, column, "save the file as UTF-8")) from None
    # Scan the bytes first, which is faster: most files do not match.
    ascii_only = data.isascii()
    if (not ascii_only or len(data.translate(None, CONTROL_BYTES)) < len(data)) and (match := CONTROL.search(text)):
        raise _at(text, match.start(), "encoding", f"control character U+{ord(match[0]):04X} in the file")
    if (b"<<<<<<<" in data or b">>>>>>>" in data or b"=======" in data) and (match := CONFLICT.search(text)):
        raise _at(text, match.start(), "conflict", "merge-conflict marker", "keep one side and remove the markers")
    return text


def _at(text: str, index: int, kind: str, message: str, fix: str | None = None) -> UnreadableError:
    line, column = text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
    return UnreadableError(TextFinding(kind, message, line, column, fix))


def compose(text: str) -> Any:
    """Parse a text into a tree of nodes, None if the text is empty; raises `UnreadableError`."""
    try:
        if _is_suspicious(text):
            _inspect(text)
        return yaml.compose(text, Loader=LOADER)
    except yaml.composer.ComposerError as error:  # aliases are refused before, so it is a second document
        fix = "one record per file: remove the '---' line"
        finding = TextFinding("documents", "a second YAML document begins", *_place(error.problem_mark), fix)
        raise UnreadableError(finding) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, error) from None
    except (yaml.YAMLError, ValueError):
        raise UnreadableError(TextFinding("syntax", OTHER[0], fix=OTHER[1])) from None


def _syntax_error(text: str, error: Any) -> UnreadableError:
    """Return the parser's error in plain words, at the position where the user corrects it."""
    problem = " ".join(part for part in (error.context, error.problem) if part)
    stopped = error.problem_mark or error.context_mark
    begun = error.context_mark or stopped
    char = text[stopped.index : stopped.index + 1]
    if text[text.rfind("\n", 0, stopped.index) + 1 : stopped.index].strip(" -"):
        problem += " inside"
    why, fix = syntax(problem, char, begun.line + 1)
    place = _place(begun if AT_BEGIN.search(problem) and "escape" not in problem else stopped)
    return UnreadableError(TextFinding("syntax", why, *place, fix))


def _is_suspicious(text: str) -> bool:
    deep = any(mark in text for mark in DEEP) or text.count("[") + text.count("{") > SAFE_BRACKETS
    # Most texts contain none of the three characters.
    return deep or (any(mark in text for mark in "&*!") and PROPERTY.search(text) is not None)


def _inspect(text: str) -> None:
    """Reject aliases, anchors, tags and deep nesting event by event, in constant memory."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            fix = "write the value out; a text that starts with & or * needs quotes"
            raise UnreadableError(_finding(event, "alias", "anchors and aliases are not allowed", fix))
        if (tag := getattr(event, "tag", None)) is not None:
            fix = "remove the tag; a text that starts with ! needs quotes"
            raise UnreadableError(_finding(event, "tag", f"YAML tag {tag!r} is not allowed", fix))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise UnreadableError(_finding(event, "depth", TOO_DEEP))


def _place(mark: Any) -> tuple[int, int]:
    return mark.line + 1, mark.column + 1


def _value(node: Any, findings: list[TextFinding], depth: int = 1) -> Value:
    kind = type(node)
    if kind is yaml.ScalarNode:
        return None if not node.style and node.value in NOTHING else node.value
    if depth > MAX_DEPTH:
        raise UnreadableError(_finding(node, "depth", TOO_DEEP))
    if kind is yaml.SequenceNode:
        return [_value(child, findings, depth + 1) for child in node.value]
    if kind is not yaml.MappingNode:
        return None
    mapping: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for key, child in node.value:
        name = key.value
        if type(key) is not yaml.ScalarNode:
            findings.append(_finding(key, "syntax", "a field name must be a text"))
            continue
        if name in mapping:
            lines = lines or {other.value: other.start_mark.line + 1 for other, _ in reversed(node.value)}
            message = f"field {name!r} is given twice, first on line {lines[name]}"
            findings.append(_finding(key, "duplicate", message, "remove one of them"))
            continue
        mapping[name] = _value(child, findings, depth + 1)
    return mapping


def _finding(node: Any, kind: str, message: str, fix: str | None = None) -> TextFinding:
    return TextFinding(kind, message, *_place(node.start_mark), fix)


@dataclass(frozen=True, slots=True)
class Span:
    """The position of a value: line and column from 1, and its offsets in the text (end excluded)."""

    line: int
    column: int
    start: int
    end: int


class Locator:
    """The positions of the values in a text, which is parsed once."""

    def __init__(self, text: str | bytes) -> None:
        self._root, self._fault = None, Span(1, 1, 0, 0)
        self._fields: dict[int, dict[Any, tuple[Any, Any]]] = {}
        try:
            self._root = compose(text if isinstance(text, str) else decode(text))
        except UnreadableError as error:
            self._fault = Span(error.finding.line, error.finding.column, 0, len(text))

    def span(self, route: Route, *, at_key: bool = False) -> Span:
        """Return the position of the value at `route`, or of its nearest parent; with `at_key`, of the field name."""
        node, key = self.walk(route)
        if node is None:
            return self._fault
        target = key if at_key and key is not None else node
        return Span(*_place(target.start_mark), target.start_mark.index, target.end_mark.index)

    def walk(self, route: Route) -> tuple[Any, Any]:
        """Return the node at `route`, or its nearest parent, and the node of its field name."""
        node, key = self._root, None
        for step in route:
            if isinstance(node, yaml.MappingNode):
                if id(node) not in self._fields:
                    fields = ((k, v) for k, v in reversed(node.value) if isinstance(k, yaml.ScalarNode))
                    self._fields[id(node)] = {k.value: (k, v) for k, v in fields}
                pair = self._fields[id(node)].get(step)
                if pair is None:
                    break
                key, node = pair
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                key, node = None, node.value[step]
            elif not (isinstance(node, yaml.ScalarNode) and step == 0):
                # A single value may replace a list of one, so index 0 of a scalar is the scalar.
                break
        return node, key


def scalars(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each string, including field names, with line and column from 1; raises `UnreadableError`."""
    todo = [compose(text)]
    while todo:
        node = todo.pop()
        if isinstance(node, yaml.ScalarNode):
            yield node.value, *_place(node.start_mark)
        elif node is not None:
            todo += [part for child in node.value for part in (child if isinstance(child, tuple) else (child,))]


def lines(text: str, route: Route = ()) -> tuple[int, ...]:
    """Return the first line, from 1, of each entry of the list at `route`; empty if it is not a list."""
    node, _ = Locator(text).walk(route)
    children = node.value if isinstance(node, yaml.SequenceNode) else ()
    return tuple(child.start_mark.line + 1 for child in children)
