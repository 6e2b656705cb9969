"""How a survey appears: what it says of itself, its README, and the pictures in it."""

from collections.abc import Mapping
from datetime import date

from awesome_cli.model.axis_parts import Id
from awesome_cli.model.codings import Frozen


class About(Frozen):
    """What the survey is, what it finds (in a paragraph that README and site show first), and how it is cited."""

    title: str
    short: str = ""
    description: str = ""
    finding: str = ""
    authors: tuple[str, ...] = ()
    cutoff: date | None = None
    url: str | None = None
    repository: str | None = None
    licence: str = ""
    citation: Mapping[str, str] = {}


class Plot(Frozen):
    """A picture: `rows` and `columns` are axes, as far as its kind uses them; `label` is its title."""

    name: Id
    kind: Id
    rows: Id | None = None
    columns: Id | None = None
    measure: Id | None = None
    label: str = ""


class Readme(Frozen):
    """How the README names axes: papers are grouped by one, badges show others, plots are its pictures."""

    group_by: Id
    badges: tuple[Id, ...] = ()
    tables: tuple[Id, ...] = ()
    gaps: tuple[Id, ...] = ()
    plots: tuple[Plot, ...] = ()
