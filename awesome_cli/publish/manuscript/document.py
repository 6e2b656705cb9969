r"""Read a LaTeX document with its inputs: the names that it uses, the works that it cites, and its prose.

`\surveynumber{retained} papers~\cite{a,b}` has the uses `(surveynumber, retained)`, `(cite, a)` and `(cite, b)`.
The text is searched, not parsed: a parser stops at the first macro or environment that it does not know, and the rest
of the document would count as checked. Every form of the text has the length of its source, so offsets are places.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from awesome_cli.errors import UsageError
from awesome_cli.text.latex import to_unicode

LARGEST, MOST, LONGEST = 4_000_000, 200, 10_000
"""Maximum size of a file in bytes, number of files of a document, and length of an argument in characters."""
UNREAD = re.compile(
    r"\\begin\{(?P<env>verbatim|lstlisting|minted|comment|Verbatim|filecontents)\*?\}.*?(?:\\end\{(?P=env)\*?\}|\Z)"
    r"|\\iffalse\b.*?(?:\\fi\b|\Z)|\\(?:end\{document\}|endinput\b).*"
    r"|\\(?:verb\*?|lstinline(?:\[[^]\n]{0,400}\])?)(?P<sign>[^\w\s*{])[^\n]*?(?P=sign)"
    r"|\\(?:lstinline(?:\[[^]\n]{0,400}\])?|mintinline\{\w*\}|url|path|nolinkurl)\s*\{[^{}]*\}"
    r"|(?P<comment>%[^\n]*)|\\.",
    re.DOTALL,
)
r"""Code, addresses, comments and what is after the end; also each other `\` with its character, to skip `\%`."""
IGNORE = re.compile(r"% *awesome: *ignore +\S")
TOKEN = re.compile(r"\\([a-zA-Z@]+|.)|[{}&]", re.DOTALL)
"""A macro with its name, or a sign that ends an argument."""
ARGUMENT = re.compile(r"(\s*)(?:(?P<skipped>\*|\[(?:[^][{}]|\{[^{}]*\}){0,400}\])|\{)")
SURVEY = frozenset({"surveynumber", "surveyshare", "surveytable", "surveycites", "surveyclaim"})
CITE = re.compile(r"[a-z]*cite(?:p|t|alp|alt|num|title|date|url|author|year|yearpar|(?P<several>s))?", re.IGNORECASE)
FILES = frozenset({"input", "include", "subfile", "import", "subimport"})
BIBLIOGRAPHIES = frozenset({"bibliography", "addbibresource"})
LEVELS = ("chapter", "section", "subsection", "subsubsection")
MOVING = frozenset({*LEVELS, "part", "paragraph", "caption", "title"})
"""Macros whose argument LaTeX also writes into other files and headers."""
PROSE = {
    **dict.fromkeys((*MOVING, "footnote", "thanks", "text", "mbox", "emph", "underline", "enquote"), 0),
    **dict.fromkeys(("num", "textbf", "textit", "textsl", "textsc", "textsf", "texttt", "textrm"), 0),
    **dict.fromkeys(("href", "textcolor", "colorbox"), 1),
}
"""Macros with an argument that is prose, and its position; the arguments of the others are skipped."""
NONE, BREAK = " \N{CURRENCY SIGN} ", "\f"
"""In the prose, the place of a macro or formula, and a break of paragraphs."""
SIGNS = {"item": BREAK, "par": BREAK, "begin": BREAK, "end": BREAK, **{c: f" {c}" for c in "%&$#_"}}
FORMULA = re.compile(
    r"\\begin\{(?P<env>equation|align|gather|multline|eqnarray|displaymath|math)\*?\}.*?(?:\\end\{(?P=env)\*?\}|\Z)"
    r"|\\\((?:[^\\]|\\[^()])*\\\)|\\\[(?:[^\\]|\\[^\[\]])*\\\]|\\."
    r"|(?P<dollar>\$\$?)(?:\\.|[^$\\\n]|\n(?![ \t]*\n))+(?P=dollar)",
    re.DOTALL,
)
NUMBER = re.compile(r"\$\s*(?:[nN]\s*=\s*)?(\d[\d.,]*\s*(?:\\,)?\s*(?:\\?%)?)\s*\$")
SPACED = re.compile(r"(?P<thousands>\d{1,3}(?:\\,\d{3})+(?!\d))|(?<![\d.,])\d[\d.,]*(?:\\,|[~ ])?\\%")
ENTRY = re.compile(r"@\w+\s*[{(]\s*([^\s,]+)\s*,")
PARAGRAPH, SENTENCE = re.compile(r"[^\n\f]+(?:\n[^\n\f]+)*"), re.compile(r"(?<=[.!?])\s+(?=[A-Z\N{CURRENCY SIGN}])")
"""A paragraph of the prose, and the break between two sentences."""


class TextPlace(NamedTuple):
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


@dataclass(frozen=True)
class TexFile:
    """A file of a document, with the places of its lines; `ignored` are those whose findings are silenced.

    `text` has blanks in place of `UNREAD` parts.
    """

    path: str
    text: str
    starts: tuple[int, ...]
    ignored: frozenset[int]

    @classmethod
    def of(cls, path: str, source: str) -> "TexFile":
        """Blank the unread parts of a source; its line ends remain."""
        starts, ignored = (0, *(match.end() for match in re.finditer("\n", source))), set[int]()

        def blank(match: re.Match[str]) -> str:
            if IGNORE.match(match["comment"] or ""):
                line = bisect_right(starts, match.start())
                ignored.add(line + (not source[starts[line - 1] : match.start()].strip()))
            return match[0] if len(match[0]) == 2 and match[0][0] == "\\" else re.sub(r"[^\n]", " ", match[0])

        return cls(path, UNREAD.sub(blank, source), starts, frozenset(ignored))

    @cached_property
    def groups(self) -> Mapping[int, int]:
        """The place of the closing brace of each opening one."""
        pairs, opened = dict[int, int](), list[int]()
        for token in TOKEN.finditer(self.text):
            if token[0] == "{":
                opened.append(token.start())
            elif token[0] == "}" and opened:
                pairs[opened.pop()] = token.start()
        return pairs

    def place(self, offset: int) -> TextPlace:
        """Return the place of a character."""
        line = bisect_right(self.starts, offset)
        return TextPlace(self.path, line, offset - self.starts[line - 1] + 1)

    def arguments(self, end: int, *, apart: bool = True) -> list[tuple[int, int]]:
        """Return start and end of the contents of the braces behind a macro; `apart` allows blanks before them."""
        spans = list[tuple[int, int]]()
        while (match := ARGUMENT.match(self.text, end)) and (apart or not match[1]):
            end = match.end()
            if not match["skipped"]:
                if end - 1 not in self.groups:
                    break
                spans.append((end, self.groups[end - 1]))
                end = spans[-1][1] + 1
        return spans

    def prose(self) -> str:
        """Return the text without macros and formulas, in its length."""
        read = replace(self, text=FORMULA.sub(_formula, SPACED.sub(_number, self.text)))
        closing, parts, end = dict[int, str](), list[str](), 0
        for token in TOKEN.finditer(read.text):
            start, name = token.start(), token[1]
            if start >= end:
                parts.append(read.text[end:start])
                sign, end = closing.get(start, BREAK if token[0] == "&" else " "), token.end()
                if name:
                    sign, spans = _sign(name), read.arguments(end, apart=False)
                    inside = spans[PROSE[name]] if len(spans) > PROSE.get(name, len(spans)) else None
                    end = inside[0] if inside else spans[-1][1] + 1 if spans else end
                    closing |= {inside[1]: sign} if inside else {}
                parts.append(sign.ljust(end - start))
        return "".join([*parts, read.text[end:]]).replace("~", " ")


def _sign(macro: str) -> str:
    """Return the text in place of a macro, and of the brace behind its argument."""
    if macro in SURVEY or CITE.fullmatch(macro):
        return NONE
    return SIGNS.get(macro, BREAK if macro in MOVING else " ")


def _number(match: re.Match[str]) -> str:
    r"""Close the gaps in a number: `1\,234`, `50\,\%`."""
    return re.sub(r"\\,|[~ ]|\\", "," if match["thousands"] else "", match[0]).rjust(len(match[0]))


def _formula(match: re.Match[str]) -> str:
    number = NUMBER.fullmatch(match[0])
    text = re.sub(r"\\,|\\", "", number[1]) if number else NONE
    return match[0] if len(match[0]) == 2 else text.center(len(match[0]))


class Bibliography(NamedTuple):
    """A bibliography of a document: the keys of its entries, None if it cannot be read."""

    name: str
    place: TextPlace
    keys: frozenset[str] | None


@dataclass(frozen=True)
class Document:
    """The uses of a document; `missing` are inputs that cannot be read, `sections` its parts by name."""

    sources: tuple[TexFile, ...]
    uses: tuple[MacroUse, ...]
    missing: tuple[MacroUse, ...]
    bibliographies: tuple[Bibliography, ...]
    sections: Mapping[str, TextPlace]

    @cached_property
    def ignored(self) -> frozenset[tuple[str, int]]:
        """Files and lines whose findings are silenced."""
        return frozenset((source.path, line) for source in self.sources for line in source.ignored)

    def sentences(self) -> Iterator[tuple[TexFile, int, str]]:
        """Yield the sentences of the prose with their source and offset."""
        for source in self.sources:
            for paragraph in PARAGRAPH.finditer(source.prose()):
                start = 0
                for end, after in (*(m.span() for m in SENTENCE.finditer(paragraph[0])), (len(paragraph[0]),) * 2):
                    yield source, paragraph.start() + start, paragraph[0][start:end]
                    start = after


def read(path: Path, root: Path) -> Document:
    """Read a document; paths are shown relative to `root`. Raises `UsageError` if it cannot be read."""
    text = _text(path)
    if text is None:
        hint = "give the main file of the document, such as paper/main.tex"
        raise UsageError(f"{path} is not a readable LaTeX file", hint=hint)
    reading = _TexReading(root.resolve(), path.parent.resolve())
    reading.file(path, text)
    return Document(
        tuple(reading.sources),
        tuple(reading.uses),
        tuple(reading.missing),
        tuple(reading.bibliographies),
        reading.sections,
    )


def _text(path: Path) -> str | None:
    with suppress(OSError):  # a name may be too long
        if path.is_file() and path.stat().st_size <= LARGEST:
            text = path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
            return None if "\0" in text else text
    return None


@dataclass
class _TexReading:
    """State of reading: the sections that contain the position, by level (-1: abstract), and their numbers."""

    root: Path
    folder: Path
    sources: list[TexFile] = field(default_factory=list)
    uses: list[MacroUse] = field(default_factory=list)
    missing: list[MacroUse] = field(default_factory=list)
    bibliographies: list[Bibliography] = field(default_factory=list)
    sections: dict[str, TextPlace] = field(default_factory=dict)
    around: dict[int, frozenset[str]] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=lambda: [0] * len(LEVELS))
    files: set[Path] = field(default_factory=set)

    def file(self, path: Path, text: str) -> None:
        """Read a file with its inputs."""
        resolved = path.resolve()
        shown = resolved.relative_to(self.root).as_posix() if resolved.is_relative_to(self.root) else str(path)
        source, moving, until = TexFile.of(shown, text), None, 0
        self.sources.append(source)
        self.files.add(resolved)
        for macro in TOKEN.finditer(source.text):
            if name := macro[1]:
                spans = source.arguments(macro.end())
                contents = [source.text[start : min(end, start + LONGEST)] for start, end in spans]
                if name in MOVING and spans:
                    moving, until = name, spans[0][1]
                self.macro(name, contents, source, macro, moving if macro.start() < until else None)

    def macro(self, name: str, contents: list[str], source: TexFile, macro: re.Match[str], moving: str | None) -> None:
        place, starred = source.place(macro.start()), source.text.startswith("*", macro.end())
        cite = None if name in SURVEY else CITE.fullmatch(name)
        if contents and (name in SURVEY or cite is not None):
            several = contents if cite and cite["several"] else contents[:1]
            keys = (key.strip() for key in ",".join(several).split(",")) if cite else several
            inside = frozenset[str]().union(*self.around.values())
            self.uses += [
                MacroUse("cite" if cite else name, key, place, moving, inside, starred)
                for key in keys
                if "#" not in key and "\\" not in key  # the parameter of a macro
            ]
        elif name in FILES:
            bare = re.compile(r"\s+([^\s{}\\]+)").match(source.text, macro.end())
            self.input("".join(contents[:2]) or (bare[1] if bare else ""), place)
        elif name in BIBLIOGRAPHIES:
            names = (key.strip().removesuffix(".bib") for key in "".join(contents[:1]).split(","))
            self.bibliographies += [self.bibliography(f"{key}.bib", place) for key in names]
        elif name in LEVELS and contents:
            self.section(LEVELS.index(name), contents[0], place, starred=starred)
        elif name in {"begin", "end"} and contents[:1] == ["abstract"]:
            self.around.pop(-1, None)
            self.around |= {-1: frozenset(contents[:1])} if name == "begin" else {}
            self.sections.setdefault("abstract", place)

    def section(self, level: int, title: str, place: TextPlace, *, starred: bool) -> None:
        """Enter a section: it is named by its number, unless it has a star, and by its title."""
        names = [" ".join(to_unicode(title).lower().split())]
        if not starred:
            self.numbers[level:] = [self.numbers[level] + 1, *([0] * (len(LEVELS) - level - 1))]
            first = 0 if self.numbers[0] else 1
            names.append(f"{'section' if level else 'chapter'} {'.'.join(map(str, self.numbers[first : level + 1]))}")
        self.around = {depth: known for depth, known in self.around.items() if depth < level}
        self.around[level] = frozenset(names)
        for name in names:
            self.sections.setdefault(name, place)

    def text(self, path: Path) -> str | None:
        """Return the text of a file in the folder of the document, or in the survey."""
        with suppress(OSError, RuntimeError):  # a name may be too long, a link refer to itself
            if path.is_file() and any(path.resolve().is_relative_to(folder) for folder in (self.folder, self.root)):
                return _text(path)
        return None

    def bibliography(self, name: str, place: TextPlace) -> Bibliography:
        text = self.text(self.folder / name)
        return Bibliography(name, place, None if text is None else frozenset(ENTRY.findall(text)))

    def input(self, name: str, place: TextPlace) -> None:
        """Read an input, unless it was read before or is generated."""
        if name.startswith(("survey-data", "survey-table-")):
            return
        for path in (self.folder / f"{name}.tex", self.folder / name):
            if len(self.files) < MOST and (text := self.text(path)) is not None:
                if path.resolve() not in self.files:
                    self.file(path, text)
                return
        self.missing.append(MacroUse("input", name, place))
