"""A program as second coder: requests, validated answers, and the resulting audit and report.

Records are not changed.
"""

import json
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.analysis.evidence import CheckedQuote, PlacedTag, check_quotes, in_folder
from awesome_cli.errors import AwesomeError, NotKnownError, RefusedError
from awesome_cli.files.paths import contents, decoded
from awesome_cli.model.audits import NA, Audit, CoderEvidence, CoderFacts, Coding, Sample
from awesome_cli.model.codings import Frozen, Tag, on_axis
from awesome_cli.model.misfits import misfit, unread
from awesome_cli.model.records import Paper
from awesome_cli.model.second_coder import AskedAxis, AskedPaper, AskedWord, CoderAnswer, CoderRequest, GivenCoding
from awesome_cli.model.taxonomy import Axis, Named
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.programs import Program
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import excerpt, unknown
from awesome_cli.text.numbers import counted, first_few, shortened
from awesome_cli.text.passages import Searchable

EVERY = "*"
"""The value of `required_for` if every paper needs a term; other queries may use codings of the first coder."""


@dataclass(frozen=True)
class PaperToCode:
    """A paper with its request, or with `remark`, the reason why it has none; `command` runs the program."""

    paper: Paper
    request: CoderRequest | None
    searchable: Searchable = field(default_factory=lambda: Searchable(()))
    remark: str = ""
    command: str = ""

    @property
    def sent(self) -> Literal["text", "abstract", "title"]:
        """The largest part of the paper in the request: text, else abstract, else title."""
        paper = self.request.paper if self.request else None
        return "text" if paper and paper.text else "abstract" if paper and paper.abstract else "title"

    @cached_property
    def settings(self) -> dict[str, str]:
        """The command, the axes, and digests of the definitions and of the paper, as they are sent."""
        if self.request is None:
            return {}
        shared = self.request.model_copy(update={"paper": AskedPaper(title="")})
        texts = {"definitions": shared.model_dump_json(), "paper": self.request.paper.model_dump_json()}
        digests = {name: f"sha256:{sha256(text.encode()).hexdigest()[:16]}" for name, text in texts.items()}
        axes = ",".join(axis.id for axis in self.request.axes)
        return {"command": self.command, "axes": axes, "sent": self.sent, **digests}


def prepared(paper: Paper, corpus: Corpus, axes: Sequence[str], folder: Path | None) -> PaperToCode:
    """Build the request for a paper, with its text if the folder has it."""
    taxonomy = corpus.taxonomy
    try:
        sections = in_folder(paper.key, folder) or ()
    except NotKnownError as error:
        return PaperToCode(paper, None, remark=error.message)
    shown = AskedPaper(
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        venue=paper.venue,
        identifiers=paper.identifiers,
        address=paper.address,
        abstract=corpus.abstract(paper) or None,
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
    return AskedAxis(
        id=axis.id,
        label=axis.label,
        question=axis.question,
        kind=axis.kind,
        na=axis.required_for != EVERY,
        terms=_asked_words(axis.current),
        strengths=_asked_words(axis.strengths),
    )


def _asked_words(entries: Sequence[Named]) -> tuple[AskedWord, ...]:
    return tuple(AskedWord(id=e.id, label=e.label, definition=" ".join(e.definition.split())) for e in entries)


SHOWN = 3
"""Maximum number of errors reported for an answer."""


def read_answer(data: bytes, request: CoderRequest) -> CoderAnswer:
    """Parse and validate the only JSON object in an output; raises `AwesomeError` if it is not valid."""
    try:
        before, brace, rest = data.decode().partition("{")
        # Blanks in place of text before the object keep the line and column of an error.
        text = re.sub(r"\S", " ", before) + brace + rest[: rest.rfind("}") + 1] if brace else before
        answer = CoderAnswer.model_validate(without_unseen(json.loads(text)))
    except UnicodeDecodeError:
        raise AwesomeError("the answer is not UTF-8") from None
    except ValidationError as error:
        raise AwesomeError("; ".join(first_few([misfit({**details}) for details in error.errors()], SHOWN))) from None
    except (ValueError, RecursionError) as error:
        message = f"the answer is not valid JSON: {unread(error)}" if data.strip() else "the answer is empty"
        raise AwesomeError(message) from None
    if faults := list(_faults(answer, request)):
        raise AwesomeError("; ".join(first_few(faults, SHOWN)))
    return answer


def _faults(answer: CoderAnswer, request: CoderRequest) -> Iterator[str]:
    axes = {axis.id: axis for axis in request.axes}
    for name, codings in answer.codings.items():
        if name not in axes:
            yield unknown(name, axes, "axis")
        elif not codings and not axes[name].na:
            yield f"{name}: {NA} is not allowed, because every paper needs a term on this axis"
        else:
            yield from (f"{name}: {fault}" for fault in _axis_faults(codings, axes[name], request.confidences))


def _axis_faults(codings: Sequence[GivenCoding], axis: AskedAxis, confidences: Sequence[AskedWord]) -> Iterator[str]:
    mains = sum(not coding.part for coding in codings)
    if axis.kind == "one" and mains > 1:
        yield f"{mains} main terms, but the axis takes one; mark the others as parts"
    if axis.kind == "many" and mains < len(codings):
        yield "parts are not allowed on an axis that takes many terms"
    yield from (f"{term!r} is given twice" for term, n in Counter(c.term for c in codings).items() if n > 1)
    for coding in codings:
        yield from _misplaced(coding.term, axis.terms, "term")
        yield from _misplaced(coding.strength, axis.strengths, "strength", needed=bool(axis.strengths), of=coding.term)
        if confidences:
            yield from _misplaced(coding.confidence, confidences, "confidence")


def _misplaced(
    word: str | None, entries: Sequence[AskedWord], kind: str, *, needed: bool = False, of: str = ""
) -> Iterator[str]:
    ids = [entry.id for entry in entries]
    if word is None:
        if needed:
            yield f"{of!r} has no strength; expected one of {', '.join(ids)}"
    elif not ids:
        yield f"{of!r} has the {kind} {word!r}, but the axis has none"
    elif word not in ids:
        yield unknown(word, ids, kind)


def answer_cells(answer: CoderAnswer, columns: Sequence[str], request: CoderRequest) -> dict[str, str]:
    """Convert an answer to the cells of an audit by column; axes missing from the answer have no cell."""
    kinds = {axis.id: axis.kind for axis in request.axes}
    cells: dict[str, str] = {}
    for column in columns:
        axis, _, strength = column.partition(".")
        codings = answer.codings.get(axis)
        if codings is None:
            continue
        tags = [
            Tag(term=c.term, strength=c.strength if c.part or kinds[axis] == "many" else None, part=c.part)
            for c in codings
        ]
        words = [str(tag) for tag in sorted(tags, key=lambda tag: (tag.part, str(tag)))]
        # On an axis of kind `one`, the strength of the main term is in a separate column.
        cells[column] = "; ".join([c.strength or "" for c in codings if not c.part] if strength else words) or NA
    return cells


LARGEST = 1_000_000
"""Maximum size of an answer in bytes."""
AGAIN = "To ask again for these papers only, repeat the command with the same --out FILE."
OTHER_FILE = "choose another file with --out FILE"
EARLIER = f"repeat the earlier command, delete the line to ask again, or {OTHER_FILE}"
Arriving = Generator["tuple[Answered, ...]", None, None]
LONGEST_PAUSE = 60.0
"""Maximum number of seconds before a retry; the pauses before are 1, 4 and 16 s."""
NAMED = 20
"""Maximum number of missing quotes in the note of the audit; the report lists all."""
CHOSEN = "named on the command line"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer for a paper with its checked quotes, or with `remark`, the reason why there is none."""

    task: PaperToCode
    answer: CoderAnswer | None
    remark: str = ""
    quotes: tuple[CheckedQuote, ...] = ()

    @property
    def key(self) -> str:
        """The key of the paper's record, which is not sent to the program."""
        return self.task.paper.key

    @property
    def line(self) -> str:
        """A line of JSON with the paper, its request, and the answer or the error."""
        saved = SavedAnswer(key=self.key, settings=self.task.settings, answer=self.answer, error=self.remark or None)
        return json.dumps(saved.model_dump(exclude_defaults=True, by_alias=True)) + "\n"

    @property
    def evidence(self) -> dict[str, CoderEvidence]:
        """The evidence and quotes of the codings by `axis=term`."""
        found = {on_axis(quote.coding.axis, quote.coding.tag.term): quote.state == "found" for quote in self.quotes}
        codings = self.answer.codings.items() if self.answer else ()
        given = {on_axis(axis, c.term): c for axis, codes in codings for c in codes if c.evidence or c.quote}
        return {n: CoderEvidence(evidence=c.evidence, quote=c.quote, found=found.get(n)) for n, c in given.items()}


def answers(saved: Sequence[Answered], program: Program, retries: int, jobs: int) -> Arriving:
    """Yield all answers, in order, whenever one arrives; raises `RefusedError` if it is by another coder or model."""
    results = {each.key: each for each in saved}
    origins = dict.fromkeys(each.answer.origin for each in saved if each.answer)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for run in as_completed(pool.submit(answered, e.task, program, retries) for e in saved if not e.answer):
                new = results[run.result().key] = run.result()
                if new.answer and origins and new.answer.origin not in origins:
                    message = f"{new.key} is now coded by {new.answer.origin}, but the saved answers are by"
                    raise RefusedError(f"{message} {' and '.join(origins)}", hint=f"run that coder, or {OTHER_FILE}")
                yield tuple(results.values())
        finally:
            program.stopped.set()
            pool.shutdown(cancel_futures=True)


def answered(task: PaperToCode, program: Program, retries: int = 0) -> Answered:
    """Run the program on a paper, up to `retries` times again after a failure or an invalid answer, with pauses."""
    if task.request is None:
        return Answered(task, None, task.remark)
    request = task.request.model_dump_json(exclude_none=True, by_alias=True).encode()
    for attempt in range(retries + 1):
        try:
            return _read(task, task.request, program.run(request))
        except AwesomeError as error:
            remark = " ".join(without_unseen(error.message).split())
        if attempt == retries or program.stopped.wait(min(4.0**attempt, LONGEST_PAUSE)):
            break
    return Answered(task, None, f"{remark} (tried {attempt + 1} times)" if attempt else remark)


def _read(task: PaperToCode, request: CoderRequest, data: bytes) -> Answered:
    answer = read_answer(data, request)
    codings = answer.codings.items()
    placed = (PlacedTag(task.paper, axis, Tag(**c.model_dump())) for axis, codes in codings for c in codes)
    return Answered(task, answer, quotes=check_quotes(placed, lambda _: task.searchable))


class SavedAnswer(Frozen):
    """A line of the file of answers; `settings` describe the request."""

    key: str
    settings: dict[str, str]
    answer: CoderAnswer | None = None
    error: str | None = None


def resumed(tasks: Sequence[PaperToCode], path: Path | None) -> tuple[Answered, ...]:
    """Return the saved answers in the order of the papers; raises `RefusedError` for answers to other requests."""
    text = decoded(contents(str(path), str(path)) or b"", str(path)) if path else ""
    results = {task.paper.key: Answered(task, None) for task in tasks}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            saved = SavedAnswer.model_validate_json(line)
            task = results[saved.key].task
        except (ValidationError, KeyError):
            raise RefusedError(f"{path}:{number} is not a saved answer for these papers", hint=OTHER_FILE) from None
        differences = [(name, was) for name, was in saved.settings.items() if was != task.settings.get(name)]
        if saved.answer and task.request:
            for name, was in differences:
                message = f"{saved.key} was coded with other settings ({name}: {was}, now {task.settings[name]})"
                raise RefusedError(f"{path}:{number}: {message}", hint=EARLIER)
            try:
                results[saved.key] = _read(task, task.request, saved.answer.model_dump_json(by_alias=True).encode())
            except AwesomeError as error:
                raise RefusedError(f"{path}:{number}: {saved.key}: {error.message}", hint=EARLIER) from None
    return tuple(results.values())


@dataclass(frozen=True, slots=True)
class Coded:
    """All answers in the order of the papers, and the values of their audit; `sample` is None for chosen papers."""

    answered: tuple[Answered, ...]
    columns: tuple[str, ...]
    sample: Sample | None
    name: str
    on: date
    who: str | None
    program: str

    @property
    def left_out(self) -> tuple[Answered, ...]:
        return tuple(each for each in self.answered if each.answer is None)

    @property
    def quotes(self) -> tuple[CheckedQuote, ...]:
        return tuple(quote for each in self.answered for quote in each.quotes)

    @property
    def not_found(self) -> tuple[CheckedQuote, ...]:
        """Quotes that are not literally in the text sent."""
        return tuple(quote for quote in self.quotes if quote.state != "found")

    @property
    def coder(self) -> str:
        """The name of the coder."""
        names = dict.fromkeys(each.answer.coder for each in self.answered if each.answer and each.answer.coder)
        return self.who or " ".join(", ".join(names).split()) or self.program

    def summary(self) -> str:
        """Summarise the papers, the texts sent and the quotes found, in sentences."""
        answers = [each.answer for each in self.answered if each.answer]
        codings = [c for answer in answers for on_axis in answer.codings.values() for c in on_axis]
        sent = [each.task.sent for each in self.answered if each.answer]
        answered = f"A program coded {len(sent)} of {counted(len(self.answered), 'paper')}"
        kinds = {"text": "with the text", "abstract": "with the abstract", "title": "with the title only"}
        parts = ", ".join(f"{sent.count(kind)} {label}" for kind, label in kinds.items() if kind in sent)
        present = len(self.quotes) - len(self.not_found)
        quoted = f"Codings: {len(codings)}; with a quote: {len(self.quotes)}; quotes found in the text sent: {present}."
        return f"{answered}: {parts}. {quoted}"

    def audit(self, corpus: Corpus) -> Audit:
        """Build the audit of the papers with an answer; the first coder's values come from the records."""
        note = self.summary()
        if missing := [each.coding.place for each in self.not_found]:
            note += f" Not found: {shortened(missing, NAMED)}."
        if self.left_out:
            note += f" Left out: {excerpt(', '.join(each.key for each in self.left_out))}."
        return Audit(
            key=self.name, on=self.on, second=self.coder, program=True, blind=True, columns=self.columns, note=note,
            prompt=next((p for e in self.answered if (p := e.task.settings.get("definitions"))), None),
            sample=self.sample, chosen=None if self.sample else CHOSEN, codings=tuple(self._codings(corpus)),
        )  # fmt: skip

    def _codings(self, corpus: Corpus) -> Iterator[Coding]:
        for each in self.answered:
            if each.answer is not None and each.task.request is not None:
                first = coding_of(each.task.paper, self.columns, corpus.taxonomy)
                second = answer_cells(each.answer, self.columns, each.task.request)
                facts = CoderFacts.model_validate(each.answer.model_dump(include={*CoderFacts.model_fields}))
                answer = facts if facts != CoderFacts() else None
                yield Coding(key=each.key, first=first, second=second, evidence=each.evidence, answer=answer)


def coded_report(coded: Coded, agreement: Report) -> Report:
    """Report papers left out, quotes not found, and the agreement with the records."""
    data = {
        "asked": len(coded.answered),
        "left_out": [{"key": each.key, "reason": each.remark} for each in coded.left_out],
        "quotes": {
            "given": len(coded.quotes),
            "found": len(coded.quotes) - len(coded.not_found),
            "share": 1 - len(coded.not_found) / len(coded.quotes) if coded.quotes else None,
            "not_found": [{**each.to_json(), "quote": each.coding.tag.quote} for each in coded.not_found],
        },
    }
    mine = Report("awesome/coded/1", {**data, "audit": agreement.data}, tuple(_sections(coded)), "A program's codings")
    return replace(mine, sections=(*mine.sections, *agreement.sections), rows=(*mine.tables(), *agreement.tables()))


def _sections(coded: Coded) -> Iterator[Section]:
    if coded.left_out:
        rows = [(each.key, each.remark) for each in coded.left_out]
        yield Section(f"Left out ({len(rows)})", (Table.of(("key", "reason"), rows), Text(AGAIN)))
    if coded.not_found:
        items = tuple(f"{q.coding.place} ({q.state}): {q.coding.tag.quote}" for q in coded.not_found)
        yield Section(f"Quotes not found in the text sent ({len(items)})", (Bullets(items),))


def requests_report(papers: Sequence[PaperToCode], program: str) -> Report:
    """Report the requests of a dry run."""
    rows = [(task.paper.key, task.sent if task.request else task.remark) for task in papers]
    line = Text(f"dry run: would send {counted(len(rows), 'paper')} to {program}")
    data = {
        "program": program,
        "papers": [
            {"key": task.paper.key, "sent": task.sent if task.request else None, "reason": task.remark or None}
            for task in papers
        ],
        "requests": [task.request.model_dump(exclude_none=True, by_alias=True) for task in papers if task.request],
    }
    return Report("awesome/coder-requests/1", data, (Section(None, (line, Table.of(("key", "sent"), rows))),))
