"""Admitting with a person at the keyboard."""

from datetime import date

from builders import coffee, make_paper

from awesome_cli.curation.editing.admitting import admitted, completed, missing
from awesome_cli.curation.editing.duplicates import with_version
from awesome_cli.model.records import Candidate


def test_a_wrong_answer_is_explained_and_asked_again():
    corpus = coffee()
    bare = Candidate(key="bare", title="Bare beans", proposal="consider")
    answers = iter(["Bean, Ada; Roast, Rob", "soon", "2026", "dripp", "drip"])
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return next(answers)

    lacking = missing(admitted(bare, on=date(2026, 6, 1)), corpus)
    assert lacking == ("no authors", "no year", "no device")
    after = completed(corpus.taxonomy, ask)(bare, lacking)
    assert (after.authors, after.year) == (("Bean, Ada", "Roast, Rob"), 2026)
    assert [tag.term for tag in after.tags_on("device")] == ["drip"]
    assert "did you mean 'drip'" in asked[-1]
    assert missing(admitted(after, on=date(2026, 6, 1)), corpus) == ()


def test_no_answer_leaves_the_gap():
    bare = Candidate(key="bare", title="Bare beans", proposal="consider")
    assert completed(coffee().taxonomy, lambda _question: "")(bare, ["no year"]) == bare


def test_another_version_joins_the_record_once():
    paper = make_paper("a", venue="arXiv", identifiers={"arxiv": "2501.00001"})
    published = make_paper("b", title=paper.title, venue="ICLR 2026", year=2026)
    twice = with_version(with_version(paper, published), published)
    (version,) = twice.versions
    assert (version.venue, version.year, version.title) == ("ICLR 2026", 2026, None)
    assert twice.identifiers == paper.identifiers
