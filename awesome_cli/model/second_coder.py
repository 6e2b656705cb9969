"""What a program that codes is asked on standard input, and what it answers on standard output, both in JSON."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from awesome_cli.model.audits import NA
from awesome_cli.model.codings import Frozen, Id
from awesome_cli.model.records import Identifiers
from awesome_cli.model.taxonomy import Named

Sentence = Annotated[str, Field(max_length=2000)]
Codes = Annotated[str, Field(min_length=1, max_length=100)]


class AskedWord(Named):
    """A term, a strength or a confidence, with what it means."""


class AskedAxis(Frozen):
    """An axis to code: of the `kind` one it takes one main term and parts; `na` says whether `NA` is an answer."""

    id: Id
    label: str
    question: str
    kind: Literal["one", "many"]
    na: bool
    terms: tuple[AskedWord, ...]
    strengths: tuple[AskedWord, ...] = ()


class AskedPaper(Frozen):
    """A paper as anybody can find it: nothing that the first coder wrote, not the key of its record either."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    address: str | None = None
    abstract: str | None = None
    text: str | None = None


class CoderRequest(Frozen):
    """One paper, the axes that are asked, and the words for how sure a coding is."""

    form: Literal["awesome/coder-request/1"] = Field(default="awesome/coder-request/1", alias="schema")
    survey: str
    paper: AskedPaper
    axes: Annotated[tuple[AskedAxis, ...], Field(min_length=1)]
    confidences: tuple[AskedWord, ...] = ()


class GivenCoding(Frozen):
    """A term that the program gives; `quote` is a passage of what it was sent, word for word."""

    term: Codes
    strength: Codes | None = None
    part: bool = False
    evidence: Sentence | None = None
    quote: Sentence | None = None
    confidence: Codes | None = None


class CoderAnswer(Frozen):
    """The codings by axis, none for `NA`; an axis that is left out was not coded.

    `coder` is the program's name with its version.
    """

    form: Literal["awesome/coder-answer/1"] = Field(alias="schema")
    coder: Codes | None = None
    codings: dict[
        str,
        Annotated[
            tuple[GivenCoding, ...], BeforeValidator(lambda given: () if given == NA else given), Field(max_length=100)
        ],
    ]
