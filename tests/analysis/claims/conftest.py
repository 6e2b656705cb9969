"""The survey on which shortcuts are compared with the long way: a small one, and the shipped one in the slow tier."""

from typing import Any

import pytest
from claiming import claiming, make_claim

from awesome_cli.survey.corpus import Corpus

SMALL = (
    make_claim({"count": "device=cold", "at_most": 0}, name="cold"),
    make_claim({"share": "device=cold", "at_most": 0.2}, name="rare"),
    make_claim({"count": "taste=umami", "at_most": 0}, {"count": "*", "of": "exclusions", "at_least": 1}, name="umami"),
    make_claim({"state": "device=drip", "is": ["gap", "sparse"]}, name="drip"),
    make_claim({"ids": "taste=bitter", "at_least": ["aero2020"]}, name="bitter"),
    make_claim({"largest": "grams", "group": "shop", "over": "home", "at_least": 3}, name="dose"),
    make_claim({"count": "taste=sour:measured", "at_most": 0}, name="sour"),
)


@pytest.fixture(params=["coffee", pytest.param("shipped", marks=[pytest.mark.slow, pytest.mark.survey])])
def stated(request: Any) -> Corpus:
    """A survey that states claims."""
    return claiming(*SMALL) if request.param == "coffee" else request.getfixturevalue("shipped")
