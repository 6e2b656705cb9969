"""The reference program: it codes by the words of the taxonomy, and knows nothing else."""

import json

from pydantic import ValidationError

from awesome_cli import __version__
from awesome_cli.analysis.term_words import Guess, guesses
from awesome_cli.errors import UsageError
from awesome_cli.model.misfits import misfit, unread
from awesome_cli.model.second_coder import CoderRequest
from awesome_cli.model.taxonomy import Taxonomy

HINT = "'awesome audit code --dry-run --format json' shows requests, 'awesome schema coder-request' their shape"


def read(data: bytes) -> CoderRequest:
    """A request; raises `UsageError` for anything else."""
    try:
        return CoderRequest.model_validate(json.loads(data.decode()))
    except ValidationError as error:
        raise UsageError(f"this is no request: {misfit({**error.errors()[0]})}", hint=HINT) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is no request: {unread(error)}", hint=HINT) from None


def answer(request: CoderRequest) -> dict[str, object]:
    """The codings that the words of a paper point to, as the answer to its request.

    An axis of which no term is found gets `NA` where that is allowed, and is left out where it is not.
    """
    paper = request.paper
    text = "\n\n".join(filter(None, (paper.title, paper.abstract, paper.text)))
    axes = [axis.model_dump(exclude={"na"}) for axis in request.axes]
    found = guesses(Taxonomy.model_validate({"survey": {"title": request.survey}, "axes": axes}), text)
    codings: dict[str, object] = {}
    for axis in request.axes:
        mine = [_coding(guess) for guess in found if guess.axis == axis.id]
        if mine:
            codings[axis.id] = mine if axis.kind == "many" else mine[:1]
        elif axis.na:
            codings[axis.id] = "NA"
    return {
        "schema": "awesome/coder-answer/1",
        "coder": f"words of the taxonomy, awesome {__version__}",
        "codings": codings,
    }


def _coding(guess: Guess) -> dict[str, object]:
    strength = {"strength": guess.strength} if guess.strength else {}
    return {"term": guess.term, **strength, "evidence": f"Words: {', '.join(guess.words)}.", "quote": guess.quote}
