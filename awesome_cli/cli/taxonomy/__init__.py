"""`awesome taxonomy`: look at the vocabulary and change it; one small file per verb."""

import typer

from awesome_cli.cli.taxonomy.deprecate import deprecate
from awesome_cli.cli.taxonomy.merge import merge
from awesome_cli.cli.taxonomy.migrate import migrate
from awesome_cli.cli.taxonomy.rename import rename
from awesome_cli.cli.taxonomy.show import show
from awesome_cli.cli.taxonomy.split import split
from awesome_cli.cli.taxonomy.usage import usage

taxonomy = typer.Typer(
    name="taxonomy",
    help="Look at the vocabulary and change it. Records, queries and claims follow, and a log keeps the change.",
    no_args_is_help=True,
)
for verb in (show, usage, rename, merge, split, deprecate, migrate):
    taxonomy.command()(verb)
