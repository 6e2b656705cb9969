"""What every page of a site shares: its template, the links to the other pages, and which addresses may be links."""

from dataclasses import dataclass
from pathlib import Path

import jinja2

from awesome_cli.model.identifiers import address_of, is_url
from awesome_cli.publish.environment import fill, html_environment
from awesome_cli.publish.site.page import SitePage
from awesome_cli.survey.corpus import Corpus


def web_address(text: str | None) -> str | None:
    """The address if it leads to the web; `javascript:` and its like do not become links."""
    return text if text and is_url(text) else None


def source_address(source: str | None) -> str | None:
    """The page that a source leads to: an address, or `scheme:id` of a known scheme."""
    scheme, _, name = (source or "").partition(":")
    return web_address(address_of(scheme, name) or source)


@dataclass(frozen=True)
class Frame:
    """Fills the templates of one site; `nav` are `(path, label)` in order, `base` is its address without a page."""

    environment: jinja2.Environment
    corpus: Corpus
    nav: tuple[tuple[str, str], ...]
    base: str | None = None

    @classmethod
    def of(cls, corpus: Corpus, root: Path, nav: tuple[tuple[str, str], ...], base: str | None) -> "Frame":
        """A frame with the templates of the survey in `root`, else the shipped ones."""
        environment = html_environment(root)
        environment.filters |= {"web": web_address, "source": source_address}
        return cls(environment, corpus, nav, base.rstrip("/") + "/" if base else None)

    def page(self, path: str, template: str, *, title: str, **data: object) -> SitePage:
        """A page from `site/TEMPLATE.html.j2`; `root` leads from it to the site's top."""
        taxonomy = self.corpus.taxonomy
        shared: dict[str, object] = {
            "path": path,
            "root": "../" * path.count("/"),
            "title": title,
            "survey": taxonomy.survey,
            "taxonomy": taxonomy,
            "corpus": self.corpus,
            "day": self.corpus.day or taxonomy.survey.cutoff,
            "grades": {grade.id: grade for grade in taxonomy.grades},
            "nav": self.nav,
            "canonical": self.base + path if self.base else None,
            "scripts": (),
        }
        return SitePage(path, fill(self.environment, f"site/{template}.html.j2", shared | data))
