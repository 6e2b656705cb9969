"""A second coder for the tests: it codes a paper by the words of the taxonomy, and knows nothing else."""

import json
import sys

from awesome_cli.analysis.guessing import Guess, guesses
from awesome_cli.model.second_coder import CoderRequest
from awesome_cli.model.taxonomy import Taxonomy


def answer(request: CoderRequest) -> dict[str, object]:
    """The codings that the words of a paper point to; `NA` on an axis without one, where that is allowed."""
    paper = request.paper
    text = "\n\n".join(filter(None, (paper.title, paper.abstract, paper.text)))
    axes = [axis.model_dump(exclude={"na"}) for axis in request.axes]
    found = guesses(Taxonomy.model_validate({"survey": {"title": request.survey}, "axes": axes}), text)
    codings: dict[str, object] = {}
    for axis in request.axes:
        terms = [_coding(guess) for guess in found if guess.axis == axis.id]
        if terms:
            codings[axis.id] = terms if axis.kind == "many" else terms[:1]
        elif axis.na:
            codings[axis.id] = "NA"
    return {"schema": "awesome/coder-answer/1", "coder": "words of the taxonomy", "codings": codings}


def _coding(guess: Guess) -> dict[str, object]:
    strength = {"strength": guess.strength} if guess.strength else {}
    return {"term": guess.term, **strength, "evidence": f"Words: {', '.join(guess.words)}.", "quote": guess.quote}


if __name__ == "__main__":
    print(json.dumps(answer(CoderRequest.model_validate(json.load(sys.stdin)))))
