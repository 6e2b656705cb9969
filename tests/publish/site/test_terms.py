"""The pages of terms and of changes, also of a large survey."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from builders import COFFEE, coffee, make_paper

from awesome_cli.publish.site import evidence, terms
from awesome_cli.publish.site.page import Frame, SitePage


@pytest.fixture(scope="module")
def frame() -> Frame:
    """The frame of a survey with more papers of a term than its page lists."""
    many = (make_paper(f"drip{n}", title=f"Drip {n}", tags={"device": "drip"}) for n in range(terms.FIRST + 1))
    return Frame.of(replace(coffee(), papers=tuple(many)), COFFEE, (), None)


def page_at(pages: Iterator[SitePage], path: str) -> str:
    return next(str(page.content) for page in pages if page.path == path)


def test_the_page_of_a_term_lists_some_papers_and_links_to_all(frame: Frame):
    page = page_at(terms.term_pages(frame), "terms/device.drip.html")
    assert page.count('<li><a href="../papers/') == terms.FIRST
    assert '1 more paper in the <a href="../papers.html#is.device=drip">' in page


def test_every_term_has_an_address_in_the_list(frame: Frame):
    page = page_at(terms.term_pages(frame), "terms.html")
    pairs = [(axis.id, term.id) for axis in frame.corpus.taxonomy.axes for term in axis.terms]
    assert [page.count(f'id="{axis}.{term}"') for axis, term in pairs] == [1] * len(pairs)


def test_a_day_with_many_changes_lists_some_and_leads_to_the_feed(frame: Frame):
    logs = evidence.change_logs(frame.checked.pool)
    pages = list(evidence.change_pages(frame, logs, None))
    page = page_at(iter(pages), "changes.html")
    assert page.count('<a href="papers/') == evidence.SHOWN
    more = len(frame.corpus.papers) - evidence.SHOWN
    assert f'and {more} more in the <a href="changes.atom">' in page
    assert page_at(iter(pages), "changes.atom").count("Drip ") == len(frame.corpus.papers)
