"""Commands that texts tell a reader to type: where they stand, and whether the real command line takes them."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import typer.main
from builders import PACKAGE
from running import APP

from awesome_cli.cli._app import parted
from awesome_cli.cli._mistakes import is_argument

SPAN = re.compile(r"`+(awesome [^`]+)`+|(?<![\w])'(awesome (?:[^'\n]|'[^'\n]*=[^'\n]*')+?)'(?!\w)")
LINE = re.compile(r"(?:^|(?<=[:;] )|(?<=[:;]\n)|(?<=\n))\s*(?:\$ |- run: |run: )?(awesome [a-z][^\n]*)")
FILLED = re.compile(r"\{\{.*?\}\}|\$\{.*?\}")
"""A value that a template fills in."""
ROOT = typer.main.get_command(APP)


def in_code(path: Path) -> Iterator[tuple[str, str]]:
    """`(place, command)` for each command in a text of a module; values that are filled in are `X`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        else:
            continue
        yield from ((f"{path.name}:{node.lineno}", command) for command in commands(text))


def in_text(path: Path) -> Iterator[tuple[str, str]]:
    """`(place, command)` for each command in a page, a template or a workflow."""
    text = re.sub(r"@%.*?%@", "", re.sub(r"@\{.*?\}@", "NAME", path.read_text(encoding="utf-8")))  # files of `init`
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((f"{path.name}:{number}", command) for command in commands(line))


def commands(text: str) -> Iterator[str]:
    """The commands in a text: quoted ones, and lines or whole texts that begin with one."""
    for found in SPAN.finditer(text):
        yield found[1] or found[2]
    rest = SPAN.sub("", text)
    yield from (found[1] for found in LINE.finditer(rest))


def words(command: str) -> list[str]:
    """The words of a command behind `awesome`, up to what a shell or a sentence adds."""
    lexer = shlex.shlex(FILLED.sub("X", command), posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    found: list[str] = []
    for word in lexer:
        if word in {"|", "||", "&&", ";", ">", ">>", "<", "(", ")", "or", "and", "#"}:
            break
        found.append(word.rstrip(".:,") if len(word) > 1 else word)
        if word[-1] in ".:," and len(word) > 1:
            break
    return found[1:]


def fault(command: str) -> str | None:
    """Why the command line would not take a command; None if it would. Nothing is run."""
    try:
        line = words(command)
    except ValueError as error:
        return str(error)
    verb, (_, rest) = ROOT, parted(line)
    while hasattr(verb, "commands") and rest and not rest[0].startswith("-"):
        if rest[0] not in verb.commands:
            if any(map(is_argument, verb.params)):
                break  # keys in place of a verb
            return f"no verb {rest[0]!r}"
        verb, rest = verb.commands[rest[0]], rest[1:]
    return None if not rest and verb is ROOT else _parse(verb, rest)


def explained(command: str) -> str | None:
    """The word that `awesome explain` is asked for; None for other commands."""
    _, line = parted(words(command))
    return " ".join(line[1:2]) if line[:1] == ["explain"] else None


def _parse(verb: object, rest: list[str]) -> str | None:
    if {"--help", "-h"} & {*rest}:
        return None
    context = verb.context_class(verb, resilient_parsing=False)  # type: ignore[attr-defined]
    context.allow_interspersed_args |= any(map(is_argument, verb.params))  # type: ignore[attr-defined]
    try:
        _, extra, _ = verb.make_parser(context).parse_args(list(rest))  # type: ignore[attr-defined]
    except Exception as error:  # noqa: BLE001 (whatever the parser complains of)
        return str(error)
    return f"words too many: {extra}" if extra else None


def pages(repository: Path) -> Iterator[Path]:
    """The pages, templates and workflows that readers see."""
    yield from (repository / name for name in ("README.md", "CONTRIBUTING.md"))
    for folder, endings in (("docs", "*.md"), ("templates", "*"), (".github", "*")):
        yield from sorted(path for path in (repository / folder).rglob(endings) if path.is_file())


def modules() -> Iterator[Path]:
    """The modules of the program."""
    yield from sorted(PACKAGE.rglob("*.py"))


def strings(path: Path) -> set[str]:
    """Every text of a module but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, kinds) and node.body and isinstance(node.body[0], ast.Expr)
    }
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {str(node.value) for node in texts if id(node) not in docstrings}
