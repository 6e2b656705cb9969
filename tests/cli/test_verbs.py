"""The tables of verbs name every module that holds one."""

import pkgutil
from importlib import import_module
from typing import get_args

import typer

from awesome_cli import cli
from awesome_cli.cli.help import SchemaKind
from awesome_cli.cli.verbs import VERBS
from awesome_cli.publish.schemas import SCHEMAS

GROUPS = {name: loaded for name, verb in VERBS.items() if isinstance(loaded := verb.load(), typer.Typer)}


def modules(path: list[str]) -> set[str]:
    """The modules of a package; those that begin with an underscore hold no verb."""
    return {module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")}


def test_every_module_of_a_verb_is_in_the_table():
    assert modules(cli.__path__) - {"main", "verbs"} == {verb.place.partition(":")[0] for verb in VERBS.values()}


def test_every_module_of_a_group_is_one_of_its_verbs():
    packages = {name: import_module(f"{cli.__name__}.{VERBS[name].place.partition(':')[0]}") for name in GROUPS}
    packages = {name: package for name, package in packages.items() if hasattr(package, "__path__")}
    assert packages
    for name, package in packages.items():
        callbacks = [command.callback for command in GROUPS[name].registered_commands]
        verbs = {callback.__module__.rpartition(".")[2] for callback in callbacks if callback}
        assert modules(package.__path__) == verbs, name


def test_every_schema_can_be_asked_for():
    assert get_args(SchemaKind) == tuple(SCHEMAS)
