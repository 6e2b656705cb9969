"""Interface to a program that codes papers: it reads a JSON request from standard input and prints a JSON answer."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from awesome_cli.model.audits import NA, CoderFacts
from awesome_cli.model.codings import Frozen, Id
from awesome_cli.model.records import Identifiers
from awesome_cli.model.taxonomy import Named

Sentence = Annotated[str, Field(max_length=2000)]
Codes = Annotated[str, Field(min_length=1, max_length=100)]


class AskedWord(Named):
    """A term, a strength or a confidence with its definition."""


class AskedAxis(Frozen):
    """An axis to code; kind `one` allows one main term and parts. `na` is true if `NA` is a valid answer."""

    id: Id
    label: str
    question: str
    kind: Literal["one", "many"]
    na: bool
    terms: tuple[AskedWord, ...]
    strengths: tuple[AskedWord, ...] = ()


class AskedPaper(Frozen):
    """A paper's public metadata, without the first coder's codings and without the key of its record."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    address: str | None = None
    abstract: str | None = None
    text: str | None = None


class CoderRequest(Frozen):
    """A request to code one paper on some axes; `confidences` are the levels of confidence."""

    form: Literal["awesome/coder-request/1"] = Field(default="awesome/coder-request/1", alias="schema")
    survey: str
    paper: AskedPaper
    axes: Annotated[tuple[AskedAxis, ...], Field(min_length=1)]
    confidences: tuple[AskedWord, ...] = ()


class GivenCoding(Frozen):
    """A coding by the program; `quote` is a verbatim passage of the paper's text in the request."""

    term: Codes
    strength: Codes | None = None
    part: bool = False
    evidence: Sentence | None = None
    quote: Sentence | None = None
    confidence: Codes | None = None


class CoderAnswer(CoderFacts):
    """Codings by axis id. An empty list means `NA`; axes that the program did not code are absent.

    `coder` is the program's name and version.
    """

    form: Literal["awesome/coder-answer/1"] = Field(alias="schema")
    codings: dict[
        str,
        Annotated[
            tuple[GivenCoding, ...],
            BeforeValidator(lambda codings: () if codings == NA else codings),
            Field(max_length=100),
        ],
    ]
