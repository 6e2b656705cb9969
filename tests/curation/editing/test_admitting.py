"""Further versions of an admitted paper."""

from builders import make_paper

from awesome_cli.curation.editing.duplicates import with_version


def test_another_version_joins_the_record_once():
    paper = make_paper("a", venue="arXiv", identifiers={"arxiv": "2501.00001"})
    published = make_paper("b", title=paper.title, venue="ICLR 2026", year=2026)
    twice = with_version(with_version(paper, published), published)
    (version,) = twice.versions
    assert (version.venue, version.year, version.title) == ("ICLR 2026", 2026, None)
    assert twice.identifiers == paper.identifiers
