"""The papers as BibTeX, RIS and CSV in small files, which scripts load when somebody cites."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from io import StringIO

from awesome_cli.formats import bibtex
from awesome_cli.model.records import Citation, Paper
from awesome_cli.publish.site import data
from awesome_cli.publish.site.page import SitePage
from awesome_cli.survey.corpus import Corpus

SIZE = 250
"""Papers in a shard; assets/cite.js has the same number."""

LAST = "ER  - \n"
"""The last line of a reference in RIS; no value has several lines."""


def bibliography(corpus: Corpus) -> Mapping[str, str]:
    """By paper, its BibTeX entry under the citation key that it has in the whole bibliography."""
    keys = bibtex.citation_keys(corpus.papers)
    return {
        paper.key: bibtex.write(replace(corpus, papers=(_with_key(paper, keys[paper.key]),)), cited=True)
        for paper in corpus.papers
    }


def _with_key(paper: Paper, key: str) -> Paper:
    citation = (paper.citation or Citation()).model_copy(update={"key": key})
    return paper.model_copy(update={"citation": citation})


def citation_pages(entries: Iterable[str], references: str, table: str) -> Iterator[SitePage]:
    """The shards `data/cite-N.js`: the header of a table, and the papers' entries in the order of the records.

    `entries` are in BibTeX, `references` and `table` the whole files in RIS and CSV.
    """
    header, *rows = _rows(table)
    ris = [text.lstrip("\n") + LAST for text in references.split(LAST)[:-1]]
    cited = [dict(zip(("bibtex", "ris", "csv"), one, strict=True)) for one in zip(entries, ris, rows, strict=True)]
    for number, start in enumerate(range(0, len(cited), SIZE)):
        shard = {"header": header, "entries": cited[start : start + SIZE]}
        yield SitePage(f"data/cite-{number}.js", data.script(f"citations[{number}]", shard))


def _rows(table: str) -> Iterator[str]:
    """The rows of a CSV file; a line feed within quotes ends none."""
    row = ""
    for line in StringIO(table, newline="\n"):
        row += line
        if row.count('"') % 2 == 0:
            yield row
            row = ""
