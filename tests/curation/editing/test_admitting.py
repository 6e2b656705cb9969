"""Values that a candidate needs for the pool, and further versions of an admitted paper."""

from pathlib import Path

from builders import make_paper

from awesome_cli.curation.editing.duplicates import with_version


def test_another_version_joins_the_record_once():
    paper = make_paper("a", venue="arXiv", identifiers={"arxiv": "2501.00001"})
    published = make_paper("b", title=paper.title, venue="ICLR 2026", year=2026)
    twice = with_version(with_version(paper, published), published)
    (version,) = twice.versions
    assert (version.venue, version.year, version.title) == ("ICLR 2026", 2026, None)
    assert twice.identifiers == paper.identifiers


def test_a_term_without_its_strength_keeps_a_candidate_from_the_pool(run, root: Path):
    run("add", "--kind", "candidate", "--set", "title=Foam", "--set", "year=2024", "--set", "authors=Bean, Ada",
        "--key", "foam", "--tag", "device=press", "--tag", "taste=sour", root=root)  # fmt: skip
    assert "no findings" in run("validate", "candidates/foam.yaml", root=root).out
    assert "cannot be admitted yet: no strength of taste=sour" in run("admit", "foam", root=root, code=2).err
    run("tag", "foam", "taste=sour:tasted", root=root)
    run("admit", "foam", root=root)
