"""The scripts' query language and gap map, held against Python's on both surveys."""

import random
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest
from browser import Tab
from builders import COFFEE
from sites import built

from awesome_cli.analysis.gaps.matrix import matrix
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.codings import Tag
from awesome_cli.model.taxonomy import Map
from awesome_cli.publish.site.index import packed, steps
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.readings import as_challenged

ASK = """async (queries) => {
  await awesome.data.load("exclusions");
  const answer = async (text) => {
    try {
      const test = awesome.query.parse(text);
      await awesome.data.need(test.needs);
      return [...awesome.papers, ...awesome.exclusions].filter(test).map((record) => record.key);
    } catch (error) {
      if (error instanceof awesome.query.QueryError) return null;
      throw error;
    }
  };
  return Promise.all(queries.map(answer));
}"""
MAP = """([rows, columns]) => {
  const made = awesome.gaps.matrix(awesome.papers, rows, columns, null);
  return made.rows.map((row) => made.columns.map((column) => {
    const cell = made.cells.get(row.id).get(column.id);
    return [cell.n, cell.weaker, cell.contested, cell.state];
  }));
}"""
ODD = [
    "",
    "*",
    "(",
    ")",
    "()",
    "a b",
    "NOT",
    "NOT *",
    "* OR",
    "OR *",
    "AND",
    "* AND *",
    "NOT NOT *",
    "(*",
    "* )",
    "( * )",
    '"',
    '""',
    '"a\\"b"',
    "~x",
    "=x",
    "a=",
    "a=,",
    "year",
    "year=",
    "year=2025",
    "year>=2025,2020",
    "year!=2025",
    "year!=2025,2026",
    "year=NA",
    "year!=NA",
    "year>NA",
    "year=abc",
    "year=2_025",
    "year=2025.0",
    "year>=2.02e3",
    "year=.5",
    "year~2025",
    "kind=paper",
    "kind=exclusion",
    "near_miss=yes",
    "near_miss=no",
    "near_miss=maybe",
    "contested=yes",
    "contested=no",
    "contested!=yes",
    "contested>weak",
    "contested=nothing",
    "confidence=high",
    "confidence!=low",
    "confidence=NA",
    "confidence=hgih",
    "stage=abstract",
    "stage!=abstract",
    "stage~abstract",
    "reason=NA",
    "added>=2026-05-04",
    "added=20260504",
    "added=2026-02-30",
    "added<2026-1-1",
    "added=NA",
    "screened>=2026-01-01",
    "screened=NA",
    "title~agent",
    "title=agent",
    'title~"multi agnt"',
    'text~"counterfactal"',
    'text~"reinforcemnt lerning"',
    'text~""',
    "text~é",
    "author~bean",
    'author="Bean, Ada"',
    "venue=arxiv",
    "venue=ARXIV",
    "venue!=arXiv",
    "venue=NA",
    "key=c3",
    "key!=c3",
    "key=C3",
    "doi=NA",
    "arxiv=2603.06859",
    "arxiv!=NA",
    "url~github",
    "retraction=NA",
    "source=arXiv",
    "query_family~agent",
    "proposal=retain",
    "nosuch=1",
    "agents>10",
    "agents=NA",
    "agents!=NA",
    "agents<=2,4",
    "agents>x",
    "grams>=18",
    "grams!=18",
    "steps>=100",
    '"multi agent"',
    '"quality minus cost"',
    "a:b",
    "a:=b",
    "x := y",
    "year:2025",
    "text~a,b",
    "text!=a",
    "title>a",
    "NOT (year=2025 OR year=2024)",
    "year=2025 year=2024",
    "year>=2024 AND NOT year=2025 OR kind=exclusion",
    "key=NA",
    "text=NA",
    "title~NA",
    "affiliation=NA",
]


def generated(corpus: Corpus) -> list[str]:
    """Every term in every form that the language has, and seeded combinations of them."""
    atoms: list[str] = []
    for axis in corpus.taxonomy.axes:
        atoms += [axis.id, f"{axis.id}=NA", f"{axis.id}!=NA", f"{axis.id}~x", f"{axis.id}=nosuch", f"{axis.id}>=1"]
        for term in axis.terms:
            atoms += [term.id, f"{axis.id}={term.id}", f"{axis.id}!={term.id}", f"{axis.id}={term.id},NA"]
            if term.code:
                atoms += [term.code, term.code.lower(), f"{axis.id}={term.code.lower()}"]
            for strength in axis.strengths:
                atoms += [f"{axis.id}={term.id}:{strength.id}", f"{axis.id}={term.id}:={strength.id}"]
                atoms += [
                    f"{term.id}:{strength.id}",
                    f"{term.id}:={strength.id}",
                    f"{axis.id}!={term.id}:{strength.id}",
                ]
            atoms += [f"{axis.id}={term.id}:", f"{axis.id}={term.id}:nosuch", f"{axis.id}={term.id}:=nosuch"]
    chance = random.Random(7)
    parts = [*atoms, *(odd for odd in ODD if odd)]
    mixed = []
    for _ in range(600):
        a, b, c = chance.sample(parts, 3)
        shape = chance.choice(
            ("{a} {b}", "{a} OR {b}", "NOT {a} {b}", "({a} OR {b}) AND NOT {c}", "{a} AND {b} OR {c}")
        )
        mixed.append(shape.format(a=a, b=b, c=c))
    return [*ODD, *atoms, *mixed]


def answer(corpus: Corpus, text: str) -> list[str] | None:
    try:
        query = corpus.query(text)
    except UsageError:
        return None
    return [record.key for record in (*corpus.papers, *corpus.exclusions) if query.matches(record)]


@pytest.fixture(params=["contested", "coffee"])
def survey(request: pytest.FixtureRequest, tmp_path: Path, contested: Corpus, site: Path) -> tuple[Corpus, Path]:
    if request.param == "contested":
        return contested, site
    return load_corpus(WorkingTree(COFFEE)), built(COFFEE, tmp_path / "site")


def test_queries_mean_the_same(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab]):
    corpus, site = survey
    tab = open_tab(site / "exclusions.html")
    queries = generated(corpus)
    answers = tab.page.evaluate(ASK, queries)
    wrong = [
        (q, found, want) for q, found in zip(queries, answers, strict=True) if found != (want := answer(corpus, q))
    ]
    assert wrong == []
    assert sum(found is not None for found in answers) > 200


def test_numbers_are_read_as_they_were_packed(site: Path, open_tab: Callable[..., Tab]):
    many = [*range(2000), 4095, 4096, 123_456, 9_876_543]
    read = open_tab(site / "papers.html").page.evaluate("(text) => awesome.data.numbers(text)", packed(many))
    assert read == many
    assert list(accumulate(steps([3, 4, 90]))) == [3, 4, 90]


def test_maps_have_the_same_cells(survey: tuple[Corpus, Path], open_tab: Callable[..., Tab]):
    corpus, site = survey
    tab = open_tab(site / "map.html")
    axes = [axis.id for axis in corpus.taxonomy.axes]
    pairs = [Map(rows=a, columns=b) for a in axes for b in (*axes, None) if a != b]
    declared = {pair.name: pair for pair in corpus.taxonomy.maps}
    for pair in (declared.get(pair.name, pair) for pair in pairs):
        found = tab.page.evaluate(MAP, [pair.rows, pair.columns])
        made = matrix(corpus, pair)
        want = [
            [[s.n, s.weaker, s.contested, s.state.value if s.state else None] for s in made.cells[row.id].values()]
            for row in made.rows
        ]
        assert found == want, pair.name


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
