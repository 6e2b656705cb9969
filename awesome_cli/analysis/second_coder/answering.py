"""Whether an answer fits what was asked, and its codings as cells of an audit."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from awesome_cli.errors import AwesomeError
from awesome_cli.model.audits import NA
from awesome_cli.model.codings import Tag
from awesome_cli.model.misfits import misfit, unread
from awesome_cli.model.second_coder import AskedAxis, AskedWord, CoderAnswer, CoderRequest, GivenCoding
from awesome_cli.text.known import unknown

SHOWN = 3
"""So many of the faults of an answer are named."""


class AnswerError(AwesomeError):
    """An answer that cannot be used; the message says why."""


def read(data: bytes, request: CoderRequest) -> CoderAnswer:
    """The answer to a request; raises `AnswerError` for anything that it may not say."""
    try:
        answer = CoderAnswer.model_validate(json.loads(data.decode()))
    except UnicodeDecodeError:
        raise AnswerError("the answer is not UTF-8") from None
    except ValidationError as error:
        raise AnswerError(_several([misfit({**one}) for one in error.errors()])) from None
    except (ValueError, RecursionError) as error:
        raise AnswerError(
            f"the answer is no JSON: {unread(error)}" if data.strip() else "it answered nothing"
        ) from None
    if faults := list(_faults(answer, request)):
        raise AnswerError(_several(faults))
    return answer


def _several(faults: Sequence[str]) -> str:
    more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return "; ".join(faults[:SHOWN]) + more


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


def cells(answer: CoderAnswer, columns: Sequence[str], request: CoderRequest) -> dict[str, str]:
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
