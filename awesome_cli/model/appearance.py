"""Models of a survey's presentation: title and authors, README, plots, and the exported tables (the artifact)."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import Field

from awesome_cli.model.codings import Frozen, Id

ADDRESS = r"^https://[A-Za-z0-9.-]+\.[A-Za-z0-9-]+(:[0-9]+)?/[A-Za-z0-9._~/-]+$"
CONTACT = rf"^[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z0-9-]+$|{ADDRESS}"
"""An e-mail address or an https URL."""


class About(Frozen):
    """A survey's description, its main finding (the first paragraph of README and site), and its citation.

    `repository` is the URL of the survey's repository; links to edit records and propose papers lead there. `site` is
    the URL of the survey's website: the target of the README's picture, and the base URL of `awesome site build`.
    `contact` is an e-mail address or the https URL of a contact page. `places` are the parts of the publication that
    claims may name in `stated`. With `abstracts: kept`, records store abstracts that may be republished.
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
    places: tuple[str, ...] = ()
    abstracts: Literal["kept"] | None = None


class Plot(Frozen):
    """A plot of the README; `rows` and `columns` are the axes that some kinds of plots need, `label` is the title."""

    name: Id
    kind: Id
    rows: Id | None = None
    columns: Id | None = None
    measure: Id | None = None
    label: str = ""


class Readme(Frozen):
    """The layout of the README: the axis that groups papers; the axes shown as badges, tables and gaps; the plots.

    `exports` are the formats that `awesome render` writes beside the README: `references.bib` and `papers.csv`.
    """

    group_by: Id
    badges: tuple[Id, ...] = ()
    tables: tuple[Id, ...] = ()
    gaps: tuple[Id, ...] = ()
    plots: tuple[Plot, ...] = ()
    exports: tuple[Literal["bibtex", "csv"], ...] = ()


class Column(Frozen):
    """A column of the artifact export; `words` maps values to the words that replace them.

    The values are the tags on an `axis`, a `field` of the record (`identifiers.arxiv`), or a `constant` text.
    """

    column: str
    axis: Id | None = None
    field: str | None = None
    constant: str | None = None
    words: Mapping[str, str] = {}
    default: str = ""


class Artifact(Frozen):
    """The columns of the published artifact's tables, in order."""

    papers: tuple[Column, ...]
    exclusions: tuple[Column, ...]
