r"""Read a LaTeX document with its inputs: the names that it uses, the works that it cites, and its prose.

`\surveynumber{retained} papers~\cite{a,b}` has the uses `(surveynumber, retained)`, `(cite, a)` and `(cite, b)`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.text.latex import to_unicode

LARGEST, MOST = 4_000_000, 500
"""Maximum size of a file in bytes, and maximum number of files of a document."""
SURVEY = {"surveynumber": "{", "surveyshare": "{", "surveytable": "{", "surveycites": "{", "surveyclaim": "*{"}
CITES = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear citeyearpar citetitle Citep Citet parencite"  # noqa: SIM905
    " Parencite textcite Textcite autocite Autocite footcite footfullcite fullcite smartcite supercite nocite".split()
)
KNOWN = {
    **SURVEY,
    **dict.fromkeys(CITES, "*[[{"),
    "subfile": "{",
    "caption": "*[{",
    "addbibresource": "[{",
    "href": "{{",
}
"""The arguments of macros: a star, an optional or a required argument."""
OPTIONAL, STAR = re.compile(r"\s*\[(?:[^][{}]|\{[^{}]*\}){0,400}\]"), re.compile(r"\s*\*")
FILES = frozenset({"input", "include", "subfile"})
BIBLIOGRAPHIES = frozenset({"bibliography", "addbibresource"})
LEVELS = ("section", "subsection", "subsubsection")
MOVING = frozenset({*LEVELS, "chapter", "part", "paragraph", "caption", "title"})
"""Macros whose argument LaTeX also writes into other files and headers."""
PROSE = frozenset(
    {*MOVING, "footnote", "thanks", "emph", "textbf", "textit", "textsl", "textsc", "textsf", "mbox", "text"}
)
"""Macros whose arguments are read as prose; those of other known macros are skipped."""
SIGNS = {"%": "%", "&": "&", ",": " ", " ": " ", "\\": " ", "item": "\n\n", "par": "\n\n", "$": "$", "#": "#", "_": "_"}
SKIPPED = frozenset(
    "verbatim lstlisting minted comment Verbatim equation align gather multline eqnarray displaymath math".split()  # noqa: SIM905
)
UNREAD = " \N{CURRENCY SIGN} "
"""In the prose, the place of a macro or formula that is not prose."""
IGNORE = re.compile(r"% *awesome: *ignore +\S")
THOUSAND = re.compile(r"\d\\,\d{3}(?!\d)")
NUMBER = re.compile(r"\$\s*(?:[nN]\s*=\s*)?(\d[\d.,]*\s*(?:\\,)?\s*(?:\\?%)?)\s*\$")


PARAGRAPH, BREAK = re.compile(r"[^\n]+(?:\n[^\n]+)*"), re.compile(r"(?<=[.!?])\s+(?=[A-Z\N{CURRENCY SIGN}])")
"""A paragraph of the prose, and the break between two sentences."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A position in a file of the document, from 1."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A name in the argument of a macro; `moving` is the macro that moves it, `sections` are the parts that contain it.

    Sections are named `abstract`, `section 4.2`, and by their titles in lower case.
    """

    macro: str
    name: str
    place: TextPlace
    moving: str | None = None
    sections: frozenset[str] = frozenset()
    starred: bool = False


@dataclass
class Document:
    """What a document uses; `prose` is its text without macros, `missing` are inputs that cannot be read."""

    uses: list[MacroUse] = field(default_factory=list)
    missing: list[MacroUse] = field(default_factory=list)
    bibliographies: list[Path] = field(default_factory=list)
    sections: dict[str, TextPlace] = field(default_factory=dict)
    ignored: set[tuple[str, int]] = field(default_factory=set)
    prose: list[str] = field(default_factory=list)
    places: list[tuple[int, TextPlace]] = field(default_factory=list)

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Yield the sentences of the prose with their offsets."""
        for paragraph in PARAGRAPH.finditer("".join(self.prose)):
            start = 0
            for end, after in (*(match.span() for match in BREAK.finditer(paragraph[0])), (len(paragraph[0]),) * 2):
                yield paragraph.start() + start, paragraph[0][start:end]
                start = after

    def place(self, offset: int) -> TextPlace:
        """Return the place of a character of the prose."""
        start, place = self.places[bisect_right(self.places, offset, key=lambda entry: entry[0]) - 1]
        return replace(place, column=place.column + offset - start)


def read(path: Path, root: Path) -> Document:
    """Read a document; paths are shown relative to `root`. Raises `UsageError` if it cannot be read."""
    document = Document()
    text = _text(path)
    if text is None:
        hint = "give the main file of the document, such as paper/main.tex"
        raise UsageError(f"{path} is not a readable LaTeX file", hint=hint)
    try:
        _Walk(document, root, path.parent).file(path, text)
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply", hint="close each brace and environment") from None
    return document


def _text(path: Path) -> str | None:
    if not path.is_file() or path.stat().st_size > LARGEST:
        return None
    return path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")


@cache
def _syntax() -> Any:
    """Return the macros of the library and of `KNOWN`; optional arguments are skipped as text.

    The library tries to parse them, and again as prose if that fails, which takes exponential time for nested ones.
    """
    from pylatexenc.latexwalker import LatexCharsNode, get_default_latex_context_db
    from pylatexenc.macrospec import MacroSpec, MacroStandardArgsParser, ParsedMacroArgs

    class Arguments(MacroStandardArgsParser):  # type: ignore[misc]
        def parse_args(self, w: Any, pos: int, parsing_state: Any = None) -> Any:
            arguments, end = list[Any](), pos
            for sign in self.argspec:
                if sign == "{":
                    node, start, length = w.get_latex_expression(end, strict_braces=False, parsing_state=parsing_state)
                    arguments.append(node)
                    end = start + length
                elif match := (STAR if sign == "*" else OPTIONAL).match(w.s, end):
                    end = match.end()
                    place = {"parsing_state": parsing_state, "pos": end - 1, "len": 1}
                    arguments += [w.make_node(LatexCharsNode, chars="*", **place)] if sign == "*" else []
            return ParsedMacroArgs(argspec="{" * len(arguments), argnlist=arguments), pos, end - pos

    context = get_default_latex_context_db()
    standard = (s for s in context.iter_macro_specs() if type(s.args_parser) is MacroStandardArgsParser)
    specs = {spec.macroname: spec.args_parser.argspec for spec in standard} | KNOWN
    macros = [MacroSpec(name, args_parser=Arguments(spec)) for name, spec in specs.items()]
    context.add_context_category("survey", macros=macros, prepend=True)
    return context


@dataclass
class _Walk:
    """State of reading: the file and its lines, the sections that contain the position, the macro that moves it."""

    document: Document
    root: Path
    folder: Path
    text: str = ""
    path: str = ""
    starts: tuple[int, ...] = ()
    moving: str | None = None
    sections: dict[int, frozenset[str]] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=lambda: [0] * len(LEVELS))
    length: int = 0
    read: set[Path] = field(default_factory=set)

    def file(self, path: Path, text: str) -> None:
        """Read a file, and return to the current one."""
        from pylatexenc.latexwalker import LatexWalker

        before, resolved, root = (self.text, self.path, self.starts), path.resolve(), self.root.resolve()
        self.path = resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else str(path)
        self.text, self.starts = text, (0, *(match.end() for match in re.finditer("\n", text)))
        self.read.add(resolved)
        self.nodes(LatexWalker(text, latex_context=_syntax()).get_latex_nodes()[0])
        self.text, self.path, self.starts = before

    def nodes(self, nodes: Iterable[Any]) -> None:
        for node in filter(None, nodes):
            kind = type(node).__name__.removeprefix("Latex").removesuffix("Node").lower()
            getattr(self, kind)(node)

    def at(self, pos: int) -> TextPlace:
        line = bisect_right(self.starts, pos)
        return TextPlace(self.path, line, pos - self.starts[line - 1] + 1)

    def write(self, text: str, pos: int) -> None:
        """Add prose; each line has a place of its own."""
        for match in re.finditer(r"[^\n]*\n|[^\n]+", text):
            self.document.places.append(
                (self.length + match.start(), self.at(min(pos + match.start(), len(self.text))))
            )
        self.document.prose.append(text)
        self.length += len(text)

    def chars(self, node: Any) -> None:
        self.write(node.chars, node.pos)

    def group(self, node: Any) -> None:
        self.nodes(node.nodelist)

    def specials(self, node: Any) -> None:
        text = node.specials_chars
        self.write({"~": " ", "&": "\n\n"}.get(text, text), node.pos)

    def math(self, node: Any) -> None:
        number = NUMBER.fullmatch(node.latex_verbatim())
        self.write(re.sub(r"\\,|\\", "", number[1]) if number else UNREAD, node.pos)

    def comment(self, node: Any) -> None:
        self.write(" ", node.pos)
        if IGNORE.match(node.latex_verbatim()):
            place = self.at(node.pos)
            alone = not self.text[self.starts[place.line - 1] : node.pos].strip()
            self.document.ignored.add((place.path, place.line + alone))

    def environment(self, node: Any) -> None:
        name = node.environmentname.rstrip("*")
        if name in SKIPPED or node.nodelist is None:
            return
        if name == "abstract":
            self.sections[-1] = frozenset({name})
            self.document.sections.setdefault(name, self.at(node.pos))
        self.write("\n\n", node.pos)
        self.nodes(node.nodelist)
        self.write("\n\n", node.pos + node.len - 1)
        self.sections.pop(-1, None)

    def macro(self, node: Any) -> None:
        name = node.macroname
        arguments = [arg for arg in (node.nodeargd.argnlist if node.nodeargd else ()) or () if arg is not None]
        last = _source(arguments[-1]) if arguments else ""
        if arguments and (name in SURVEY or name in CITES):
            for key in last.split(",") if name in CITES else [last]:
                around = (self.moving, frozenset[str]().union(*self.sections.values()), _source(arguments[0]) == "*")
                self.document.uses.append(
                    MacroUse("cite" if name in CITES else name, key.strip(), self.at(node.pos), *around)
                )
            self.write(UNREAD, node.pos)
        elif name in FILES:
            self.input(last, node.pos)
        elif name in BIBLIOGRAPHIES:
            names = (key.strip().removesuffix(".bib") for key in last.split(","))
            self.document.bibliographies += [self.folder / f"{key}.bib" for key in names]
        elif name in PROSE and arguments:
            self.argument(name, arguments, node)
        else:
            sign = "," if THOUSAND.match(self.text, node.pos - 1) else SIGNS.get(name, " ")
            self.write(sign, node.pos)

    def argument(self, name: str, arguments: list[Any], node: Any) -> None:
        """Read the last argument of a macro as prose; that of a heading or caption is a paragraph."""
        before, around = self.moving, "\n\n" if name in MOVING else ""
        self.moving = name if name in MOVING else before
        if name in LEVELS:
            self.section(LEVELS.index(name), arguments, node.pos)
        self.write(around, node.pos)
        self.nodes(arguments[-1:])
        self.write(around, node.pos + node.len - 1)
        self.moving = before

    def section(self, level: int, arguments: list[Any], pos: int) -> None:
        """Enter a section: it is named by its number, unless it has a star, and by its title."""
        names = [" ".join(to_unicode(_source(arguments[-1])).lower().split())]
        if not any(_source(arg) == "*" for arg in arguments[:-1]):
            self.numbers[level:] = [self.numbers[level] + 1, *([0] * (len(LEVELS) - level - 1))]
            names.append(f"section {'.'.join(map(str, self.numbers[: level + 1]))}")
        self.sections = {depth: known for depth, known in self.sections.items() if depth < level}
        self.sections[level] = frozenset(names)
        for name in names:
            self.document.sections.setdefault(name, self.at(pos))

    def input(self, name: str, pos: int) -> None:
        if name.startswith(("survey-data", "survey-table-")):
            return
        path, text = self.folder / (name if name.endswith(".tex") else f"{name}.tex"), None
        with suppress(OSError, ValueError):  # the name is too long, or has a null character
            text = _text(path) if path.resolve().is_relative_to(self.folder.resolve()) else None
        if text is None or path.resolve() in self.read or len(self.read) >= MOST:
            self.document.missing.append(MacroUse("input", name, self.at(pos)))
        else:
            self.file(path, text)


def _source(node: Any) -> str:
    """Return the source of an argument without its braces."""
    return str(node.latex_verbatim()).strip().removeprefix("{").removesuffix("}").strip()
