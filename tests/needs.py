"""What a test does where a tool is missing."""

import os
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip, or fail where nothing may be skipped."""
    if os.environ.get("REQUIRE_ALL"):
        pytest.fail(f"{what}, and REQUIRE_ALL is set")
    pytest.skip(what)
