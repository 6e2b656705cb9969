"""What the survey says of its records in words holds in them: claims, README, the site's front page, taxonomy, audits."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from figures import FIGURES
from sentences import texts, wrong

from awesome_cli.analysis.claims.finding import lead_agreement, leading
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.watching import to_screen
from awesome_cli.model.claims import Claim
from awesome_cli.publish import shipped as templates
from awesome_cli.publish.site import pages
from awesome_cli.publish.site.front import NAMED
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
    """Counted anew: the leading claims in each reading, as a sentence and as a chart, the figures of the statements
    around them, papers by term and strength, and records."""
    pools = [read_as(corpus, reading_of(corpus.taxonomy, side)) for side in (None, "strict", "generous")]

    def shown(query: str) -> list[int]:
        counts = [len(pool.select(query)) for pool in pools]
        return [counts[0], *([min(counts), max(counts)] if len({*counts}) > 1 else [])]

    marked = [claim for claim in corpus.claims.claims if claim.headline]
    axis = corpus.taxonomy.by_id[corpus.taxonomy.maps[0].rows]
    yield from shown(marked[0].expect[0].count or "")
    yield len(corpus.papers)
    yield len(corpus.select(f"{axis.id}=*"))  # as listed
    queries = [(claim.expect[0].count or "").partition(":")[2] for claim in marked]
    queries.sort(key=lambda rest: -len(corpus.select(f"{axis.id}=*:{rest}")))
    for term in axis.terms:
        yield from (n for rest in queries for n in shown(f"{axis.id}={term.id}:{rest}"))
    for claim in marked:
        query = claim.expect[0].count or ""
        yield from shown(query) if claim is not marked[0] else ()
        coded, *read = (len(pool.select(query)) for pool in pools)
        yield from (coded, *[coded - NAMED] * (coded > NAMED), *(n for n in read if n != coded))
        yield from _written(claim, corpus)
    checked = check(corpus)
    for text in (lead_agreement(checked.pool, leading(checked)), corpus.taxonomy.survey.finding or ""):
        yield from figures(text)
    for term in axis.terms:
        yield len(corpus.select(f"{axis.id}={term.id}:{axis.gap_strength}:main"))
        yield from (
            len(corpus.select(f"{axis.id}={term.id}:={strength}:main")) for strength in reversed(axis.strength_ids[:-1])
        )
        yield len(corpus.select(f"{axis.id}={term.id}:main"))
    if axis.silence == "listed":
        yield len(corpus.select(f"{axis.id}=*"))
    yield from (len(corpus.papers), len(corpus.exclusions), len(to_screen(corpus)))


def _written(claim: Claim, corpus: Corpus) -> Iterator[int]:
    """Candidates that a leading claim would count too, and figures in the statement of the published claim."""
    query = Pool(corpus).query(claim.expect[0].count or "")
    waiting = [
        candidate for candidate in corpus.candidates if candidate.proposal == "retain" and query.matches(candidate)
    ]
    yield from [len(waiting)] if waiting else []
    origin = corpus.claims.origin(claim)
    yield from figures(origin.statement if origin and claim.succeeds else "")
    yield from figures(claim.boundary or "")


def figures(text: str) -> Iterator[int]:
    return (int(value) for _, word, value in numbers(text) if word[0].isdigit())
