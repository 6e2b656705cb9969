"""The watch over a survey for machines."""

from awesome_cli.analysis.claims.danger import Danger
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.analysis.guessing import Guessed
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.publish.watch import SurveyWatch
from awesome_cli.reports.report import Cell
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import precise


def data(found: SurveyWatch) -> dict[str, object]:
    """The content of `awesome/watch/1`."""
    return {
        "day": found.day.isoformat(),
        "since": found.since.isoformat(),
        "population": found.population,
        "dangers": [_danger(one) for one in found.dangers],
        "unanswered": [one.model_dump(mode="json") for one in found.unanswered],
        "retracted": [retracted(one) for one in found.retracted],
        "refresh": found.refresh.data if found.refresh else None,
        "links": found.links.data if found.links else None,
        "new": [new(one) for one in found.new],
        "guesses": [_guess(one, found.corpus) for one in found.guesses],
    }


def danger(one: Danger) -> dict[str, Cell]:
    """A danger as a row."""
    return {
        "candidate": one.candidate.key,
        "claim": one.claim.id,
        "effect": one.effect,
        "expected": expected(one.before.expectation),
        "today": observed(one.before, keys=False),
        "with_it": observed(one.after, keys=False),
        "margin_lost": precise(one.loss),
        "codings": tuple(map(str, one.codings)),
    }


def _danger(one: Danger) -> dict[str, object]:
    return {
        **danger(one),
        "value_today": to_json(one.before.value),
        "value_with_it": to_json(one.after.value),
        "margin_today": one.margins[0],
        "margin_with_it": one.margins[1],
        "codings": [{"coding": c.coding, "confidence": c.confidence, "contested": c.contested} for c in one.codings],
    }


def retracted(one: AnyWork) -> dict[str, Cell]:
    """What the record of a work says of its retraction."""
    said = one.retraction
    return {
        "key": one.key,
        "status": said.status if said else None,
        "source": said.source if said else None,
        "on": said.on.isoformat() if said else None,
    }


def new(one: Candidate) -> dict[str, Cell]:
    """A candidate as a row."""
    return {
        "key": one.key,
        "title": one.title,
        "first_public": one.first_public,
        "found_on": one.found.on.isoformat() if one.found and one.found.on else None,
        "source": one.found.source if one.found else None,
        "proposal": one.proposal,
        "coded": bool(one.tags or one.measures),
        "address": one.address,
    }


def cells(one: Guessed) -> tuple[str, ...]:
    """The guessed cells, each with the words that point to it."""
    return tuple(f"{on_axis(guess.axis, guess.term)} ({', '.join(guess.words)})" for guess in one.cells)


def nearest(one: Guessed, corpus: Corpus) -> tuple[str, ...]:
    """The nearest coded papers, each with its terms on the guessed axes and the words that it shares."""
    axes = [guess.axis for guess in one.cells]
    named = ((n, " ".join(_terms(n.key, corpus, axes))) for n in one.nearest)
    return tuple(f"{n.key}{f': {terms}' if terms else ''} ({', '.join(n.words)})" for n, terms in named)


def _terms(key: str, corpus: Corpus, axes: list[str]) -> list[str]:
    paper = corpus.by_key[key]
    tags = getattr(paper, "tags", {})
    return [on_axis(axis, tag) for axis in axes for tag in tags.get(axis, ()) if not tag.part]


def _guess(one: Guessed, corpus: Corpus) -> dict[str, object]:
    axes = list(corpus.taxonomy.by_id)
    return {
        "candidate": one.candidate.key,
        "guess": [
            {"axis": g.axis, "term": g.term, "words": list(g.words), "quote": g.quote, "score": precise(g.score)}
            for g in one.cells
        ],
        "claims": list(one.claims),
        "nearest": [
            {"key": n.key, "likeness": n.score, "words": list(n.words), "terms": _terms(n.key, corpus, axes)}
            for n in one.nearest
        ],
    }
