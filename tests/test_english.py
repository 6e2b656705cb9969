"""The English of the code: docstrings, messages and names, counted against docs/development.md's limits."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

VAGUE = {"found", "one", "own", "asked", "told", "said", "given", "kept", "named", "listed", "others"}
"""Names that say how a value came about, not what it is."""
CLAUSE = re.compile(r'"""(What|Whether) ')
NEGATION = re.compile(r" (is|are) no [a-z]")


def bound(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a module binds: variables, parameters, attributes, functions, classes, imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias():
                yield node.asname or node.name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def sources(repository: Path, folder: str, *suffixes: str) -> list[str]:
    """The texts of the files of a folder."""
    paths = sorted(p for p in (repository / folder).rglob("*") if p.suffix in suffixes and p.is_file())
    return [path.read_text(encoding="utf-8") for path in paths]


def test_docstrings_begin_with_a_verb_or_a_noun(repository: Path):
    lines = [line for text in sources(repository, "awesome_cli", ".py") for line in text.splitlines()]
    assert sum(bool(CLAUSE.search(line)) for line in lines) <= 25


def test_messages_say_what_is_expected(repository: Path):
    texts = [
        text
        for folder in ("awesome_cli", "templates")
        for text in sources(repository, folder, ".py", ".j2", ".js", ".md", ".html", ".yaml", ".yml")
    ]
    lines = [line for text in texts for line in text.splitlines()]
    assert sum(bool(NEGATION.search(line)) for line in lines) <= 10


def test_names_are_nouns(repository: Path):
    counts = Counter(
        name for text in sources(repository, "awesome_cli", ".py") for name in bound(ast.parse(text)) if name in VAGUE
    )
    assert counts.total() <= 800, counts
