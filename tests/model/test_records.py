"""Where a work is read."""

from datetime import date

import pytest

from awesome_cli.model.records import Identifiers, Link, Paper

PAGE, CODE, OWN = "https://arxiv.org/abs/2101.00004", "https://github.com/a/belts", "https://example.org/belts.pdf"


@pytest.mark.parametrize(
    ("arxiv", "links", "address"),
    [
        ("2101.00004", [("Code", CODE)], PAGE),
        ("2101.00004", [("Code", CODE), ("Paper", OWN)], OWN),
        (None, [("Slides", CODE), ("Project", OWN)], CODE),
        (None, [], None),
    ],
)
def test_a_title_leads_to_the_paper(arxiv: str | None, links: list[tuple[str, str]], address: str | None):
    held = tuple(Link(label=label, url=url) for label, url in links)
    paper = Paper(
        key="belts", title="On belts", added=date(2026, 1, 1), identifiers=Identifiers(arxiv=arxiv), links=held
    )
    assert paper.address == address
