"""Claims are undecided exactly if missing codings could overturn them."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from builders import coffee, make_paper
from claiming import make_claim
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimStatus, judged
from awesome_cli.model.codings import Tag
from awesome_cli.survey.corpus import Corpus

CODED = ("drip", "drip", "press")
TERMS = ("drip", "press")


def pool(*, silence: str | None = None, waiting: int = 2, kind: str = "one") -> Corpus:
    """Three papers coded on `beans` (as terms of `device` would be), and some that are not; as coffee, without claims."""
    corpus = coffee()
    axis = corpus.taxonomy.by_id["device"].model_copy(update={"silence": silence, "required_for": None, "kind": kind})
    axes = tuple(axis if a.id == "device" else a for a in corpus.taxonomy.axes)
    papers = [make_paper(f"p{i}", tags={"device": term}) for i, term in enumerate(CODED)]
    papers += [make_paper(f"w{i}") for i in range(waiting)]
    return replace(
        corpus, taxonomy=corpus.taxonomy.model_copy(update={"axes": axes}), papers=tuple(papers), exclusions=()
    )


def status(corpus: Corpus, expectation: dict[str, Any], statement: str = "So it is.") -> tuple[ClaimStatus, list[int]]:
    claim = make_claim(expectation).model_copy(update={"statement": statement})
    result = judged(claim, Pool(corpus))
    return result.status, [doubt.needed for doubt in result.doubts]


@pytest.mark.parametrize(
    ("expectation", "needed"),
    [
        ({"count": "device=siphon", "at_most": 0}, [1]),
        ({"count": "device=drip", "equals": 2}, [1]),
        ({"count": "device=drip", "at_most": 3}, [2]),
        ({"count": "device=drip", "at_most": 4}, []),
        ({"count": "device=drip", "at_least": 2}, []),
        ({"count": "NOT device=drip", "at_least": 3}, [1]),
        ({"count": "device=NA", "equals": 2}, [1]),
        ({"count": "device=*", "equals": 3}, []),
        ({"count": "device=* device=drip", "equals": 2}, []),
        ({"count": "device=drip", "minus": "device=press", "at_least": 1}, [1]),
        ({"share": "device=drip", "at_most": 0.5}, [1]),
        ({"share": "device=drip", "at_most": 0.8}, []),
        ({"share": "device=press", "among": "key=p0,p1,p2", "at_most": 0.4}, []),
        ({"share": "device=press", "among": "key=p2,w0", "at_most": 0.5}, [1]),
        ({"state": "device=siphon", "is": "gap"}, [1]),
        ({"ids": "device=drip", "equals": ["p0", "p1"]}, [1]),
        ({"ids": "device=drip", "at_least": ["p0", "p1"]}, []),
        ({"count": "*", "equals": 5}, []),
    ],
)
def test_what_missing_codings_could_overturn(expectation: dict[str, Any], needed: list[int]):
    expected = ClaimStatus.UNDECIDED if needed else ClaimStatus.HOLDS
    assert status(pool(), expectation) == (expected, needed)
    assert status(pool(silence="none"), expectation) == (ClaimStatus.HOLDS, [])


def test_nobody_coded_an_axis_is_not_that_no_paper_has_a_term():
    corpus = pool()
    nobody = replace(corpus, papers=tuple(p for p in corpus.papers if not p.tags_on("device")))
    assert status(nobody, {"count": "device=*", "equals": 0})[0] is ClaimStatus.UNDECIDED
    assert status(corpus, {"count": "device=*", "equals": len(corpus.select("device=*"))}) == (ClaimStatus.HOLDS, [])


def test_a_claim_that_fails_is_not_undecided():
    assert status(pool(), {"count": "device=drip", "at_least": 3}) == (ClaimStatus.FAILS, [])


def test_listed_terms_stay_and_unlisted_ones_are_in_doubt_unless_the_statement_says_as_listed():
    listing = pool(silence="listed", kind="many")
    absent = {"count": "device=siphon", "at_most": 0}
    assert status(listing, absent) == (ClaimStatus.UNDECIDED, [1])
    assert status(listing, absent, "As listed, no paper uses a siphon.") == (ClaimStatus.HOLDS, [])
    assert status(listing, {"count": "device=drip", "at_least": 2}) == (ClaimStatus.HOLDS, [])
    assert status(listing, {"count": "device=drip", "at_most": 4}) == (ClaimStatus.UNDECIDED, [3])


QUERIES = (
    "device=drip",
    "device!=drip",
    "NOT device=drip",
    "device=NA",
    "device=drip OR device=press",
    "NOT (device=press)",
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(QUERIES), st.sampled_from(["equals", "at_most", "at_least"]), st.integers(0, 5))
def test_a_claim_that_holds_and_is_not_undecided_holds_for_every_completion(query: str, bound: str, n: int):
    corpus, claim = pool(), make_claim({"count": query, bound: n})
    result = judged(claim, Pool(corpus))
    completed = []
    for terms in product((*TERMS, None), repeat=2):
        extra = dict(zip(("w0", "w1"), terms, strict=True))
        papers = tuple(
            p.model_copy(update={"tags": {"device": (Tag(term=term),)}}) if (term := extra.get(p.key)) else p
            for p in corpus.papers
        )
        completed.append(evaluate(claim, Pool(replace(corpus, papers=papers))).holds)
    if result.verdict.holds:
        assert bool(result.doubts) is not all(completed)
