"""Services that are searched. A searcher is a module that ends with its `SEARCHER`, and one word in the table here."""

from collections.abc import Mapping

from awesome_cli.sources.searching import arxiv, crossref, openalex
from awesome_cli.sources.searching.searcher import Around, Page, Request, Searcher, Wanted

__all__ = ["SEARCHERS", "Around", "Page", "Request", "Searcher", "Wanted"]

SEARCHERS: Mapping[str, Searcher] = {
    searcher.name: searcher for searcher in (arxiv.SEARCHER, openalex.SEARCHER, crossref.SEARCHER)
}
"""By the name that `sources` of search.yaml has for it."""
