"""The scripts' words, filters and gap map, held against Python's on several surveys."""

import itertools
import random
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tab
from builders import COFFEE
from sites import built
from sites import survey as survey_in

from awesome_cli.analysis.gaps.matrix import matrix
from awesome_cli.model.codings import Tag
from awesome_cli.model.taxonomy import Map
from awesome_cli.publish.site.index import packed, steps
from awesome_cli.survey.corpus import Corpus, Side
from awesome_cli.survey.readings import as_challenged, read_as, reading_of

VIEWS = """async ([kind, views]) => {
  await awesome.data.need([...(kind === "papers" ? ["names"] : [kind]), `words-${kind}`]);
  return views.map((view) => {
    const parts = awesome.words.parts(view.q, kind, awesome.readings.name(view));
    if (kind === "papers") parts.push(...awesome.filters.parts(view));
    const pool = kind === "papers" ? awesome.readings.apply(awesome.papers, view) : awesome[kind];
    const command = awesome.words.command(`awesome list${awesome.readings.options(view)}`, parts.map((part) => part.query));
    return [command, pool.filter((record) => parts.every((part) => part.test(record))).map((record) => record.key)];
  });
}"""
MAP = """([rows, columns, view]) => {
  const made = awesome.gaps.matrix(awesome.readings.apply(awesome.papers, view), rows, columns, null, awesome.readings.name(view));
  return made.rows.map((row) => made.columns.map((column) => {
    const cell = made.cells.get(row.id).get(column.id);
    return [cell.n, cell.weaker, cell.contested, cell.state];
  }));
}"""
ODD = """NA|or|AND|a|rl|"|a"b\\|it's|(x)|x=y|title:|multi-agent|multiagent|Multi Agents|pretraining|crème|CRÈME|STRASSE|straße
|भाषा|rewards|policies|policy|boxes|counterfactal|biases|heroes|gpt-4|3-d|学習|reinforcemnt lerning|2603.06859|zebrafish|""".replace(
    "\n", ""
).split("|")
View = dict[str, str]


def texts(corpus: Corpus, chance: random.Random) -> Iterator[str]:
    """Yield words of the records and of the codebook, as they are, cut and misspelled."""
    yield from ODD
    for record in chance.sample(corpus.records, min(12, len(corpus.records))):
        words = re.findall(r"[\w-]{3,}", record.title)
        word = max(words, key=len, default="x")
        yield from (" ".join(chance.sample(words, min(2, len(words)))), word[:-1] + "x", record.key)
        yield from (name for _, name in record.identifiers.pairs())
    for axis in chance.sample(corpus.taxonomy.axes, min(4, len(corpus.taxonomy.axes))):
        yield chance.choice(axis.terms).label


def filters(corpus: Corpus, chance: random.Random) -> Iterator[View]:
    """Yield filters of each kind, and pairs of them."""
    papers = corpus.papers
    alone: list[View] = [{"contested": value} for value in ("yes", "no", *corpus.taxonomy.grade_rank)]
    alone += [{"from": str(paper.year)} for paper in papers[:1]] + [{"from": "2020", "to": "2025"}, {"to": "2024"}]
    alone += [{"venue": paper.venue} for paper in chance.sample(papers, 2) if paper.venue]
    alone += [{"author": chance.choice(paper.authors)} for paper in chance.sample(papers, 2) if paper.authors]
    for axis in corpus.taxonomy.axes:
        terms = [term.id for term in chance.sample(axis.terms, min(2, len(axis.terms)))]
        alone += [{f"is.{axis.id}": terms[0]}, {f"is.{axis.id}": ",".join(terms)}]
        if axis.strengths:
            strength = chance.choice(axis.strengths).id
            alone += [{f"is.{axis.id}": f"{terms[0]}:{strength}"}, {f"is.{axis.id}": f"*:{strength}"}]
    yield {}
    yield from alone
    yield from (first | second for first, second in zip(alone, chance.sample(alone, len(alone)), strict=True))


def readings(corpus: Corpus) -> list[View]:
    """Return the corpus as coded, and every reading."""
    return [{}, *({"reading": side, "grade": grade} for side in Side for grade in corpus.taxonomy.grade_rank)]


def answer(corpus: Corpus, kind: str, command: str) -> list[str]:
    """Return the keys that a command of the site lists."""
    words = shlex.split(command)[2:]
    options = dict(zip(words[::2], words[1::2], strict=True))
    pool = read_as(corpus, reading_of(corpus.taxonomy, options.get("--reading"), options.get("--grade")))
    return [record.key for record in pool.query(options.get("--where", "*")).select(getattr(pool, kind))]


def differences(tab: Tab, corpus: Corpus, kind: str, views: list[View]) -> list[tuple[View, str, set[str]]]:
    """Return the views whose records are others than those of the command that the page shows."""
    found = tab.page.evaluate(VIEWS, [kind, views]) if views else []
    answers = [
        (view, command, {*keys} ^ {*answer(corpus, kind, command)})
        for view, (command, keys) in zip(views, found, strict=True)
    ]
    assert sum(bool(keys) for _, keys in found) >= len(views) / 50
    return [each for each in answers if each[2]]


@pytest.fixture(params=["contested", "coffee", pytest.param("shipped", marks=pytest.mark.slow)])
def survey(request: pytest.FixtureRequest, tmp_path: Path, contested: Corpus, site: Path) -> tuple[Corpus, Path]:
    if request.param == "contested":
        return contested, site
    root = COFFEE if request.param == "coffee" else request.getfixturevalue("repository")
    return survey_in(root), built(root, tmp_path / "site")


@pytest.mark.parametrize("most", [150, pytest.param(2_250, marks=pytest.mark.slow)])
def test_views_select_what_their_command_lists(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab], most: int):
    corpus, site = survey
    tab, chance = open_tab(site / "papers.html"), random.Random(7)
    product = itertools.product([*texts(corpus, chance)], [*filters(corpus, chance)], readings(corpus))
    views = [{"q": text} | chosen | reading for text, chosen, reading in product]
    assert differences(tab, corpus, "papers", chance.sample(views, min(most, len(views)))) == []


@pytest.mark.parametrize("kind", ["exclusions", "candidates"])
def test_words_select_what_their_command_lists(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab], kind: str):
    corpus, site = survey
    tab = open_tab(site / "papers.html")
    views = [{"q": text} for text in texts(corpus, random.Random(7))] if getattr(corpus, kind) else []
    assert differences(tab, corpus, kind, views) == []


def test_numbers_are_read_as_they_were_packed(site: Path, open_tab: Callable[..., Tab]):
    many = [*range(2000), 4095, 4096, 123_456, 9_876_543]
    read = open_tab(site / "papers.html").page.evaluate("(text) => awesome.data.numbers(text)", packed(many))
    assert read == many
    assert list(itertools.accumulate(steps([3, 4, 90]))) == [3, 4, 90]


def test_maps_have_the_same_cells(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab]):
    corpus, site = survey
    tab = open_tab(site / "map.html")
    axes = [axis.id for axis in corpus.taxonomy.axes]
    pairs = [Map(rows=a, columns=b) for a in axes for b in (*axes, None) if a != b]
    declared = {pair.name: pair for pair in corpus.taxonomy.maps}
    # Every map as coded, and some in each reading.
    for view in readings(corpus):
        pool = read_as(corpus, reading_of(corpus.taxonomy, view.get("reading"), view.get("grade")))
        chosen = random.Random(7).sample(pairs, min(4, len(pairs))) if view else pairs
        for pair in (declared.get(pair.name, pair) for pair in chosen):
            found = tab.page.evaluate(MAP, [pair.rows, pair.columns, view])
            made = matrix(pool, pair)
            want = [
                [[s.n, s.weaker, s.contested, s.state.value if s.state else None] for s in made.cells[row.id].values()]
                for row in made.rows
            ]
            assert found == want, (pair.name, view)


def test_data_are_the_records(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab]):
    corpus, site = survey
    tab = open_tab(site / "papers.html")
    light = tab.page.evaluate("awesome.papers")
    full = tab.page.evaluate("awesome.data.full(awesome.papers)")
    for paper, index, whole in zip(corpus.papers, light, full, strict=True):
        assert (index["key"], index.get("year"), index.get("venue")) == (paper.key, paper.year, paper.venue)
        assert (whole["title"], whole.get("authors", [])) == (paper.title, list(paper.authors))
        for axis, tags in paper.tags.items():
            assert [
                (tag["term"], tag.get("strength"), bool(tag.get("part"))) for tag in index["tags"].get(axis, [])
            ] == [(tag.term, tag.strength, tag.part) for tag in tags]
            assert [tag.get("evidence") for tag in whole["tags"].get(axis, [])] == [tag.evidence for tag in tags]
            assert [tag.get("reads") for tag in index["tags"].get(axis, [])] == [
                challenged(corpus, axis, tag) for tag in tags
            ]


def challenged(corpus: Corpus, axis: str, tag: Tag) -> list[dict[str, object]] | None:
    """What the challenger of a contested coding codes, as the scripts are given it."""
    if tag.contested is None or tag.contested.reads_as is None:
        return None
    read = as_challenged(corpus.taxonomy.by_id[axis], tag)
    return [
        {"term": t.term} | ({"strength": t.strength} if t.strength else {}) | ({"part": True} if t.part else {})
        for t in read
    ]
