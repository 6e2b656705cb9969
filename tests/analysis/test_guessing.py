"""Guesses from words: the cells, the claims that ask for them, the nearest coded papers."""

from dataclasses import replace

from builders import coffee
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.danger import judged
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.guessing import guessed
from awesome_cli.model.records import Candidate

COLD = make_claim({"count": "device=cold", "at_most": 0}, name="no-cold")
HOT = make_claim({"count": "device=immersion", "at_least": 1}, name="some-immersion")


def candidate(key: str, title: str, abstract: str) -> Candidate:
    fields = {"title": title, "proposal": "consider", "extra": {"abstract": abstract}}
    return Candidate.model_validate({"key": key, **fields})


def test_words_point_to_cells_and_claims_ask_for_them():
    pool = Pool(claiming(COLD, HOT))
    brew = candidate("brew", "Cold brew at home", "Nothing is heated.")
    none = candidate("none", "On chairs", "They stand.")
    (first, second) = guessed(pool, judged(pool), [none, brew])
    assert (first.candidate, second.candidate) == (brew, none)
    cells = {guess.axis: (guess.term, set(guess.words)) for guess in first.cells}
    term, words = cells["device"]
    assert term == "cold"
    assert {"Cold", "brew"} <= words
    assert first.claims == ("no-cold",)
    assert second.claims == ()


def test_claim_asks_for_what_stands_below_its_term():
    pool = Pool(claiming(HOT))
    (one,) = guessed(pool, judged(pool), [candidate("one", "A press", "A plunger ends the steeping.")])
    assert [(guess.axis, guess.term) for guess in one.cells][:1] == [("device", "press")]
    assert one.claims == ("some-immersion",)


def test_nearest_are_coded_papers_alone():
    corpus = coffee()
    bare = replace(corpus, papers=tuple(paper.model_copy(update={"tags": {}}) for paper in corpus.papers))
    drip = candidate("x", "Dripping slowly", "Drips.")
    for survey, nearest in ((corpus, ("drip2021",)), (bare, ())):
        pool = Pool(survey)
        (one,) = guessed(pool, (), [drip])
        assert tuple(neighbour.key for neighbour in one.nearest)[:1] == nearest
