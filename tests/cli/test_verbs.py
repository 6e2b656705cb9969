"""The tables of verbs name every module that holds one."""

import pkgutil
from typing import get_args

from awesome_cli import cli
from awesome_cli.cli.help import SchemaKind
from awesome_cli.cli.verbs import VERBS
from awesome_cli.publish.schemas import SCHEMAS


def modules(path: list[str]) -> set[str]:
    """The modules of a package; those that begin with an underscore hold no verb."""
    return {module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")}


def test_every_module_of_a_verb_is_in_the_table():
    assert modules(cli.__path__) - {"main", "verbs"} == {verb.place.partition(":")[0] for verb in VERBS.values()}


def test_every_schema_can_be_asked_for():
    assert get_args(SchemaKind) == tuple(SCHEMAS)
