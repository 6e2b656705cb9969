"""What a program answers about papers, and the audit that comes of it; no record is touched."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.analysis.evidence.coverage import PlacedTag
from awesome_cli.analysis.evidence.quotes import CheckedQuote
from awesome_cli.analysis.second_coder import answering
from awesome_cli.analysis.second_coder.asking import PaperToCode
from awesome_cli.errors import AwesomeError
from awesome_cli.model.audits import Audit, Coding, Sample
from awesome_cli.model.codings import Tag
from awesome_cli.model.second_coder import CoderAnswer
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import counted

LARGEST = 1_000_000
"""The bytes that an answer may have."""
NAMED = 20
"""So many quotes that were not found are named in the note of the audit; the report names all."""
CHOSEN = "named on the command line"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of asking about a paper: an answer with its quotes looked up, or why there is none."""

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
    """What comes of asking about a paper; `run` gives the answer to a request.

    A program that fails, or answers what it may not, costs its paper alone.
    """
    if asked.request is None:
        return Answered(asked, None, asked.remark)
    request = asked.request.model_dump_json(exclude_none=True, by_alias=True).encode()
    try:
        answer = answering.read(run(request), asked.request)
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
        """What the program calls itself; as it is called if it says nothing."""
        named = dict.fromkeys(one.answer.coder for one in self.answered if one.answer and one.answer.coder)
        return " ".join(without_unseen(", ".join(named)).split()) or program

    def told(self) -> str:
        """What the figures rest on: how many papers, what was sent of them, how many quotes stand there."""
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
            more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
            note += f" Not found: {', '.join(missing[:NAMED])}{more}."
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
                second = answering.cells(one.answer, self.columns, one.asked.request)
                yield Coding(key=one.key, first=first, second=second)
