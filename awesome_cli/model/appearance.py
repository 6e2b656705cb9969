"""How a survey is presented: title and authors, README, pictures, and the tables of its published artifact."""

from collections.abc import Mapping
from datetime import date

from pydantic import Field

from awesome_cli.model.codings import Frozen, Id

ADDRESS = r"^https://[A-Za-z0-9.-]+\.[A-Za-z0-9-]+(:[0-9]+)?/[A-Za-z0-9._~/-]+$"
CONTACT = rf"^[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z0-9-]+$|{ADDRESS}"
"""An e-mail address, or an https address."""


class About(Frozen):
    """What the survey is, what it finds (in a paragraph that README and site show first), and how it is cited.

    `repository` is the address at which its records are kept; links to edit them and to send papers lead there. `site`
    is the address of its website; the README's picture leads there, and `awesome site build` takes it as its base.
    `contact` is where readers write: an e-mail address, or the https address of a page.
    """

    title: str
    short: str = ""
    description: str = ""
    finding: str = ""
    authors: tuple[str, ...] = ()
    cutoff: date | None = None
    url: str | None = None
    repository: str | None = Field(default=None, pattern=ADDRESS)
    site: str | None = Field(default=None, pattern=ADDRESS)
    contact: str | None = Field(default=None, pattern=CONTACT)
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


class Column(Frozen):
    """A column of the artifact export: where its value comes from, and its own words for it.

    `axis` takes the tag; `field` is a path into the record (`identifiers.arxiv`); `constant` is a text.
    """

    column: str
    axis: Id | None = None
    field: str | None = None
    constant: str | None = None
    words: Mapping[str, str] = {}
    default: str = ""


class Artifact(Frozen):
    """The layout of the published artifact's tables, columns in order."""

    papers: tuple[Column, ...]
    exclusions: tuple[Column, ...]
