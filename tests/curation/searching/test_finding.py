"""How a work that a search found came to the survey: by its day and the cutoff."""

from datetime import date

import pytest

from awesome_cli.curation.searching import found_how


@pytest.mark.parametrize(
    ("first_public", "how"),
    [
        ("2026-05-03", "missed"), ("2026-05-04", "missed"), ("2026-05-05", "later"),
        ("2026-04", "missed"), ("2026-05", "unknown"), ("2026-06", "later"),
        ("2025", "missed"), ("2026", "unknown"), ("2027", "later"), (None, "unknown"),
    ],
)  # fmt: skip
def test_the_search_of_the_pool_missed_what_was_public_by_the_cutoff(first_public: str | None, how: str):
    assert found_how(first_public, date(2026, 5, 4)) == how
    assert found_how(first_public, None) is None
