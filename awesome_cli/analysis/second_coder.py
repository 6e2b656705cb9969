"""A program as second coder: the request for a paper, its answer, and the audit and report that come of all answers.

No record is changed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.analysis.evidence import CheckedQuote, PlacedTag, in_folder
from awesome_cli.errors import AwesomeError, NotKnownError
from awesome_cli.model.audits import NA, Audit, Coding, Sample
from awesome_cli.model.codings import Tag
from awesome_cli.model.misfits import misfit, unread
from awesome_cli.model.records import Paper
from awesome_cli.model.second_coder import AskedAxis, AskedPaper, AskedWord, CoderAnswer, CoderRequest, GivenCoding
from awesome_cli.model.taxonomy import Axis, Named, Taxonomy
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import excerpt, unknown
from awesome_cli.text.numbers import counted, first_few, shortened
from awesome_cli.text.passages import Searchable

EVERY = "*"
"""What `required_for` says where every paper needs a term. Another query may rest on codings of the first coder."""
Sent = Literal["text", "abstract", "title"]


@dataclass(frozen=True, slots=True)
class PaperToCode:
    """A paper with its request, or the reason why there is none; `sent` is the most of it that the request has."""

    paper: Paper
    request: CoderRequest | None
    searchable: Searchable = field(default_factory=lambda: Searchable(()))
    remark: str = ""

    @property
    def sent(self) -> Sent:
        """The text, else the abstract, else the title alone."""
        paper = self.request.paper if self.request else None
        return "text" if paper and paper.text else "abstract" if paper and paper.abstract else "title"


def prepared(paper: Paper, taxonomy: Taxonomy, axes: Sequence[str], folder: Path | None) -> PaperToCode:
    """The request for a paper, with its text if the folder has it."""
    try:
        sections = in_folder(paper.key, folder) or ()
    except NotKnownError as error:
        return PaperToCode(paper, None, remark=error.message)
    abstract = paper.extra.get("abstract")
    shown = AskedPaper(
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        venue=paper.venue,
        identifiers=paper.identifiers,
        address=paper.address,
        abstract=abstract if isinstance(abstract, str) and abstract else None,
        text="\n\n".join(text for _, text in sections).strip() or None,
    )
    request = CoderRequest(
        survey=taxonomy.survey.title,
        paper=shown,
        axes=tuple(_asked_axis(taxonomy.axis(name)) for name in axes or taxonomy.by_id),
        confidences=_asked_words(taxonomy.confidences),
    )
    return PaperToCode(paper, request, Searchable((("", paper.title), ("", shown.abstract or ""), *sections)))


def _asked_axis(axis: Axis) -> AskedAxis:
    """An axis without what its terms say of single papers."""
    return AskedAxis(
        id=axis.id,
        label=axis.label,
        question=axis.question,
        kind=axis.kind,
        na=axis.required_for != EVERY,
        terms=_asked_words(tuple(term for term in axis.leaves if not term.deprecated)),
        strengths=_asked_words(axis.strengths),
    )


def _asked_words(entries: Sequence[Named]) -> tuple[AskedWord, ...]:
    return tuple(AskedWord(id=e.id, label=e.label, definition=" ".join(e.definition.split())) for e in entries)


SHOWN = 3
"""So many of the faults of an answer are named."""


class AnswerError(AwesomeError):
    """An answer that cannot be used; the message says why."""


def read_answer(data: bytes, request: CoderRequest) -> CoderAnswer:
    """The answer to a request; raises `AnswerError` for anything that it may not say."""
    try:
        answer = CoderAnswer.model_validate(json.loads(data.decode()))
    except UnicodeDecodeError:
        raise AnswerError("the answer is not UTF-8") from None
    except ValidationError as error:
        raise AnswerError("; ".join(first_few([misfit({**one}) for one in error.errors()], SHOWN))) from None
    except (ValueError, RecursionError) as error:
        raise AnswerError(
            f"the answer is no JSON: {unread(error)}" if data.strip() else "it answered nothing"
        ) from None
    if faults := list(_faults(answer, request)):
        raise AnswerError("; ".join(first_few(faults, SHOWN)))
    return answer


def _faults(answer: CoderAnswer, request: CoderRequest) -> Iterator[str]:
    axes = {axis.id: axis for axis in request.axes}
    for name, given in answer.codings.items():
        if name not in axes:
            yield unknown(name, axes, "axis")
        elif not given and not axes[name].na:
            yield f"{name}: every paper has a term here, {NA} is no answer"
        else:
            yield from (f"{name}: {fault}" for fault in _axis_faults(given, axes[name], request.confidences))


def _axis_faults(given: Sequence[GivenCoding], axis: AskedAxis, confidences: Sequence[AskedWord]) -> Iterator[str]:
    mains = sum(not coding.part for coding in given)
    if axis.kind == "one" and mains > 1:
        yield f"{mains} main terms, but the axis takes one; further ones are parts"
    if axis.kind == "many" and mains < len(given):
        yield "an axis that takes many terms has no parts"
    yield from (f"{term!r} is given twice" for term, n in Counter(c.term for c in given).items() if n > 1)
    for coding in given:
        yield from _misplaced(coding.term, axis.terms, "term")
        yield from _misplaced(coding.strength, axis.strengths, "strength", needed=bool(axis.strengths), of=coding.term)
        if confidences:
            yield from _misplaced(coding.confidence, confidences, "confidence")


def _misplaced(
    word: str | None, entries: Sequence[AskedWord], what: str, *, needed: bool = False, of: str = ""
) -> Iterator[str]:
    ids = [entry.id for entry in entries]
    if word is None:
        if needed:
            yield f"{of!r} has no strength; it is one of {', '.join(ids)}"
    elif not ids:
        yield f"the axis has no {what}, but {of!r} has {word!r}"
    elif word not in ids:
        yield unknown(word, ids, what)


def answer_cells(answer: CoderAnswer, columns: Sequence[str], request: CoderRequest) -> dict[str, str]:
    """The codings in the columns of an audit; an axis that the program left out has no cell."""
    kinds = {axis.id: axis.kind for axis in request.axes}
    found: dict[str, str] = {}
    for column in columns:
        axis, _, strength = column.partition(".")
        given = answer.codings.get(axis)
        if given is None:
            continue
        tags = [
            Tag(term=c.term, strength=c.strength if c.part or kinds[axis] == "many" else None, part=c.part)
            for c in given
        ]
        words = [str(tag) for tag in sorted(tags, key=lambda tag: (tag.part, str(tag)))]
        # The strength of a main term on an axis of kind one has a column of its own.
        found[column] = "; ".join([c.strength or "" for c in given if not c.part] if strength else words) or NA
    return found


LARGEST = 1_000_000
"""The bytes that an answer may have."""
NAMED = 20
"""So many quotes that were not found are named in the note of the audit; the report names all."""
CHOSEN = "named on the command line"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer about a paper with its quotes looked up, or why there is none."""

    asked: PaperToCode
    answer: CoderAnswer | None
    remark: str = ""
    quotes: tuple[CheckedQuote, ...] = ()

    @property
    def key(self) -> str:
        """The key of the paper's record, which the program was not told."""
        return self.asked.paper.key

    def line(self) -> str:
        """The paper, its answer and the state of each quote, or the reason why there is none, as a line of JSON."""
        given = self.answer and self.answer.model_dump(exclude_none=True, exclude_defaults=True, by_alias=True)
        states = [{"axis": q.coding.axis, "term": q.coding.tag.term, "state": q.state} for q in self.quotes]
        data = {
            "key": self.key,
            "sent": self.asked.sent,
            "answer": given,
            "quotes": states,
            "error": self.remark or None,
        }
        return json.dumps(data) + "\n"


def answered(asked: PaperToCode, run: Callable[[bytes], bytes]) -> Answered:
    """Ask about a paper; a program that fails, or whose answer is not valid, costs this paper alone."""
    if asked.request is None:
        return Answered(asked, None, asked.remark)
    request = asked.request.model_dump_json(exclude_none=True, by_alias=True).encode()
    try:
        answer = read_answer(run(request), asked.request)
    except AwesomeError as error:
        return Answered(asked, None, " ".join(without_unseen(error.message).split()))
    return Answered(asked, answer, quotes=tuple(_looked_up(asked, answer)))


def _looked_up(asked: PaperToCode, answer: CoderAnswer) -> Iterator[CheckedQuote]:
    for axis, given in answer.codings.items():
        for coding in given:
            if coding.quote:
                passage = asked.searchable.find(coding.quote)
                placed = PlacedTag(asked.paper, axis, Tag(**coding.model_dump()))
                yield CheckedQuote(placed, passage.state, passage)


@dataclass(frozen=True, slots=True)
class Coded:
    """All that came of asking: `answered` in the order of the papers, and how these were chosen."""

    answered: tuple[Answered, ...]
    columns: tuple[str, ...]
    sample: Sample | None = None

    @property
    def left_out(self) -> tuple[Answered, ...]:
        """The papers without an answer."""
        return tuple(one for one in self.answered if one.answer is None)

    @property
    def quotes(self) -> tuple[CheckedQuote, ...]:
        """Every quote."""
        return tuple(quote for one in self.answered for quote in one.quotes)

    @property
    def not_found(self) -> tuple[CheckedQuote, ...]:
        """The quotes that do not stand word for word in what was sent."""
        return tuple(quote for quote in self.quotes if quote.state != "found")

    @property
    def share(self) -> float | None:
        """The share of the quotes that stand in what was sent, 0 to 1; None without quotes."""
        return 1 - len(self.not_found) / len(self.quotes) if self.quotes else None

    def coder(self, program: str) -> str:
        """Return the name that the program gives itself, else `program`."""
        named = dict.fromkeys(one.answer.coder for one in self.answered if one.answer and one.answer.coder)
        return " ".join(without_unseen(", ".join(named)).split()) or program

    def told(self) -> str:
        """Return sentences on the papers, the texts that were sent, and the quotes that stand there."""
        codings = [c for one in self.answered if one.answer for given in one.answer.codings.values() for c in given]
        sent = [one.asked.sent for one in self.answered if one.answer]
        answered = f"A program answered about {len(sent)} of {counted(len(self.answered), 'paper')}"
        kinds = {"text": "with the text", "abstract": "with the abstract", "title": "with the title alone"}
        parts = ", ".join(f"{sent.count(kind)} {words}" for kind, words in kinds.items() if kind in sent)
        found = len(self.quotes) - len(self.not_found)
        quoted = f"Codings: {len(codings)}; with a quote: {len(self.quotes)}; found in what was sent: {found}."
        return f"{answered}: {parts}. {quoted}"

    def audit(self, corpus: Corpus, *, name: str, on: date, by: str) -> Audit:
        """The audit of the papers that were answered; the first coder's values are those of the records."""
        note = self.told()
        if missing := [one.coding.place for one in self.not_found]:
            note += f" Not found: {shortened(missing, NAMED)}."
        if self.left_out:
            note += f" Left out: {excerpt(', '.join(one.key for one in self.left_out))}."
        return Audit(
            key=name, on=on, second=by, program=True, blind=True, columns=self.columns, sample=self.sample,
            chosen=None if self.sample else CHOSEN, note=note, codings=tuple(self._codings(corpus)),
        )  # fmt: skip

    def _codings(self, corpus: Corpus) -> Iterator[Coding]:
        for one in self.answered:
            if one.answer is not None and one.asked.request is not None:
                first = coding_of(one.asked.paper, self.columns, corpus.taxonomy)
                second = answer_cells(one.answer, self.columns, one.asked.request)
                yield Coding(key=one.key, first=first, second=second)


def coded_report(coded: Coded, agreement: Report) -> Report:
    """The agreement, below the papers that were left out and the quotes that were not found."""
    data = {
        "asked": len(coded.answered),
        "left_out": [{"key": one.key, "reason": one.remark} for one in coded.left_out],
        "quotes": {
            "given": len(coded.quotes),
            "found": len(coded.quotes) - len(coded.not_found),
            "share": coded.share,
            "not_found": [{**one.to_json(), "quote": one.coding.tag.quote} for one in coded.not_found],
        },
    }
    mine = Report("awesome/coded/1", {**data, "audit": agreement.data}, tuple(_sections(coded)), "A program's codings")
    return replace(mine, sections=(*mine.sections, *agreement.sections), rows=(*mine.tables(), *agreement.tables()))


def _sections(coded: Coded) -> Iterator[Section]:
    if coded.left_out:
        rows = [(one.key, one.remark) for one in coded.left_out]
        yield Section(f"Left out ({len(rows)})", (Table.of(("key", "reason"), rows),))
    if coded.not_found:
        items = tuple(f"{q.coding.place} ({q.state}): {q.coding.tag.quote}" for q in coded.not_found)
        yield Section(f"Quotes that do not stand in what was sent ({len(items)})", (Bullets(items),))


def requests_report(papers: Sequence[PaperToCode], program: str) -> Report:
    """Report the requests that would be sent."""
    rows = [(one.paper.key, one.sent if one.request else one.remark) for one in papers]
    line = Text(f"would ask {program} about {counted(len(rows), 'paper')}; it was not started")
    requests = [one.request.model_dump(exclude_none=True, by_alias=True) for one in papers if one.request]
    data = {
        "program": program,
        "papers": [
            {"key": one.paper.key, "sent": one.sent if one.request else None, "reason": one.remark or None}
            for one in papers
        ],
        "requests": requests,
    }
    return Report("awesome/coder-requests/1", data, (Section(None, (line, Table.of(("key", "sent"), rows))),))
