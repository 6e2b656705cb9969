"""The shape of the code: what a start loads, and what may decide in it."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from builders import PACKAGE

pytestmark = pytest.mark.source

HEAVY = (
    "pandas",
    "numpy",
    "yaml",
    "jinja2",
    "rich",
    "bibtexparser",
    "arxiv",
    "requests",
    "rapidfuzz",
    "orjson",
    "msgspec",
    "matplotlib",
    "sklearn",
)


def test_starting_loads_nothing_heavy():
    program = f"import sys, awesome_cli.cli.main; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_costs_nothing():
    program = "import sys; n = len(sys.modules); import awesome_cli; print(len(sys.modules) - n)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 1


def strings(path: Path) -> set[str]:
    """Every string constant of a module but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }


SEARCHES = {"startswith", "endswith", "match", "search", "fullmatch", "removeprefix", "removesuffix"}
SEARCHES |= {"partition", "split"}


def asked(tree: ast.AST) -> Iterator[ast.expr]:
    """Each value that is compared with another, or searched for or in another."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, [ast.In() | ast.NotIn() | ast.Eq() | ast.NotEq(), *_], others):
                yield from (left, *others)
            case ast.Call(ast.Attribute(value, method), [_, *_] as args) if method in SEARCHES:
                yield from (value, *args)


def holds_words(value: ast.AST, error: str, made: set[str]) -> bool:
    """Whether a value is made of the words of an exception, or of a variable that was made of them."""
    for part in ast.walk(value):
        match part:
            case ast.Name(name) if name in made:
                return True
            case ast.Attribute(ast.Name(name), "message") | ast.FormattedValue(ast.Name(name)) if name == error:
                return True
            case ast.Call(ast.Name("str" | "repr"), [ast.Name(name)]) if name == error:
                return True
    return False


def deciding_words(source: str) -> set[int]:
    """The lines on which code compares or searches the words of an exception, or a `message`."""
    tree = ast.parse(source)
    found = [value for value in asked(tree) if getattr(value, "attr", getattr(value, "id", None)) == "message"]
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            made: set[str] = set()
            for node in ast.walk(handler):
                if isinstance(node, ast.Assign) and holds_words(node.value, handler.name, made):
                    made |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            found += [value for value in asked(handler) if holds_words(value, handler.name, made)]
    return {value.lineno for value in found}


@pytest.mark.parametrize(
    "line",
    [
        "if 'unknown' in error.message: pass",
        "found = str(error) == 'x'",
        "error.message.startswith('x')",
        "rest = error.message.removeprefix('x')",
        "rest = error.message.split(': ')",
        "re.search('x', str(error).lower())",
        "text = error.message.strip()\n    if 'x' not in text: pass",
    ],
)
def test_deciding_words_are_found(line: str):
    assert deciding_words(f"try: pass\nexcept E as error:\n    {line}")
    assert not deciding_words(
        "try: pass\nexcept E as error:\n    isinstance(error, F)\n    error.line == 1\n    say(error.message.split())"
    )


def test_no_words_of_an_exception_decide():
    found = {str(path.relative_to(PACKAGE)): deciding_words(path.read_text()) for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_variables_of_the_environment_are_read_at_the_start_and_handed_down():
    readers = {path.name for path in PACKAGE.rglob("*.py") if "environ" in names(path)}
    assert readers == {"bounds.py", "main.py", "clock.py", "folders.py", "git.py"}


def names(path: Path) -> set[str]:
    """Every name behind a dot in a module."""
    return {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}


def test_no_class_name_stands_for_two_things():
    names = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, n in names.items() if n > 1] == []


def test_no_modules_import_each_other_in_a_circle():
    graph = grimp.build_graph("awesome_cli")
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
