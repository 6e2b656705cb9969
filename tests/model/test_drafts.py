"""Drafts of records."""

import pytest

from awesome_cli.model.drafts import year_of


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2020-05-01", 2020),
        ("20250131", 2025),
        ("c. 1455", 1455),
        ("No. 1234, 1998", 1998),
        ("0868", 868),
        ("868", 868),
        (868, 868),
        ("page 868", None),
        ("12345678", None),
        ("20", None),
        ("0099", None),
        (None, None),
    ],
)
def test_years(text, year):
    assert year_of(text) == year
