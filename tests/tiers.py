"""Which cases of a parametrized test `make test` runs; `make test-slow` runs the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *quick: Any) -> list[Any]:
    """Return all cases, marked `slow` but for those in `quick`, each of which must be a case; a tuple is several arguments."""
    listed = list(cases)
    if unknown := [case for case in quick if case not in listed]:
        raise ValueError(f"not a case: {unknown}")
    slow = pytest.mark.slow
    return [
        case if case in quick else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=slow)
        for case in listed
    ]
