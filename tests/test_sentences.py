"""What the survey says of its records in words holds in them: claims, README, the site's front page, taxonomy, audits."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from figures import FIGURES
from sentences import texts, wrong

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import check, lead_agreement
from awesome_cli.model.claims import Claim
from awesome_cli.publish import shipped as templates
from awesome_cli.publish.site import pages
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import read_as, reading_of
from awesome_cli.text.stated import numbers


def test_every_figure_in_words_comes_from_the_records(shipped: Corpus, repository: Path):
    assert wrong(shipped, repository) == []


def test_every_figure_that_a_claim_expects_of_its_day_stands_in_its_statement(shipped: Corpus):
    """So a figure cannot pass for that of another expectation of the claim; "one" can be an article."""
    for claim in shipped.claims.claims:
        dated = [dict(e.bounds).get("equals") for e in claim.expect if e.dated and e.kind not in {"ids", "survive"}]
        stated = Counter(value for _, _, value in numbers(claim.statement))
        assert Counter(n for n in dated if n and n > 1) <= stated, f"{claim.id}: {claim.statement}"


def test_every_phrase_of_a_figure_stands_somewhere(shipped: Corpus, repository: Path):
    every = [text for text in texts(shipped, repository) if not text.checked]
    sentences = [sentence for text in every for sentence in text.sentences]
    unused = [phrase for phrase in FIGURES if not any(re.search(phrase, sentence) for sentence in sentences)]
    assert unused == [], "these phrases of tests/figures.py explain no sentence: remove them"


def test_who_says_nobody_names_the_pool(shipped: Corpus, repository: Path):
    """A survey sees its pool, not the field; what the published survey said is told as its statement."""
    absolute = re.compile(r"\bnobody\b|\bno paper\b", re.IGNORECASE)
    assert [
        f"{text.where}: {sentence}"
        for text in texts(shipped, repository)
        for sentence in text.sentences
        if absolute.search(sentence) and not re.search(r"\bpool\b|\bsaid that\b", sentence)
    ] == []


def test_every_claim_names_its_pool_or_day(shipped: Corpus):
    named = re.compile(r"\bpool\b|\d{4}-\d\d-\d\d|\bstatements about coverage that stand\b")
    assert [claim.id for claim in shipped.claims.claims if not named.search(claim.statement)] == []


def visible(page: str) -> str:
    """The words of a page, each element apart."""
    return unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.mark.parametrize("folder", ["readme", "site"])
def test_a_template_has_no_figure_of_its_own(folder: str):
    """So each figure of a generated page comes from the records."""
    found = {}
    for path in sorted((templates() / folder).glob("*.j2")):
        written = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|page 1\b", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found[path.name] = [word for _, word, value in numbers(visible(written)) if value]
    assert {name: own for name, own in found.items() if own} == {}
    assert found


def test_the_figures_of_the_front_page_are_counts_of_the_records(shipped: Corpus, repository: Path):
    page = next(page for page in pages(shipped, repository) if page.path == "index.html")
    _, _, main = str(page.content).partition("<main")
    # Questions and changes are counted in tests/publish/site/test_front_page.py.
    main, _, _ = main.partition('id="questions"')
    shown = [int(value) for _, word, value in numbers(visible(main)) if word[0].isdigit()]
    assert shown == list(front_page(shipped))


def front_page(corpus: Corpus) -> Iterator[int]:
    """Counted anew: the leading claims in each reading, the figures of the second codings and of the finding, papers by
    term and strength, and records and claims."""
    yield from (n for claim in corpus.claims.claims if claim.lead for n in leading(claim, corpus))
    for text in (lead_agreement(check(corpus)), corpus.taxonomy.survey.finding or ""):
        yield from (int(value) for _, word, value in numbers(text) if word[0].isdigit())
    axis = corpus.taxonomy.by_id[corpus.taxonomy.maps[0].rows]
    for term in axis.terms:
        yield len(corpus.select(f"{axis.id}={term.id}:{axis.gap_strength}:main"))
        yield from (
            len(corpus.select(f"{axis.id}={term.id}:={strength}:main")) for strength in reversed(axis.strength_ids[:-1])
        )
        yield len(corpus.select(f"{axis.id}={term.id}:main"))
    if axis.silence == "listed":
        yield len(corpus.select(f"{axis.id}=*"))
    yield len(corpus.papers)
    results = [one for one in check(corpus).results if one.stands]
    standing, days = ([one for one in results if one.claim.record_of_day is of_day] for of_day in (False, True))
    failing = [one for one in standing if not one.verdict.holds]
    contested = [one for one in standing if one.verdict.holds and one.fails_in]
    yield from (len(standing) - len(failing), len(standing))
    yield from (len(claims) for claims in (failing, contested) if claims)
    yield len(days)  # all hold
    yield len(corpus.exclusions)


def leading(claim: Claim, corpus: Corpus) -> Iterator[int]:
    """Figures in the statement and the bound, then the papers that its first expectation selects in each reading."""
    yield from (int(value) for _, word, value in numbers(claim.statement) if word[0].isdigit())
    first = claim.expect[0]
    yield from (int(number) for number in first.numbers)
    for side in (None, "strict", "generous"):
        pool = Pool(read_as(corpus, reading_of(corpus.taxonomy, side)))
        selected = len(evaluate(claim, pool).outcomes[0].selection)
        yield selected
        if not selected:  # of the papers that list the axis of the claim, and of all
            yield from (len(corpus.select("sub_decision=*")), len(corpus.papers))
