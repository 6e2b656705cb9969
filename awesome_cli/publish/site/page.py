"""The frame shared by all pages of a site, and the function that writes the pages."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from textwrap import shorten

from jinja2 import Environment

from awesome_cli.analysis.claims.admission import Forecast
from awesome_cli.analysis.claims.finding import Lead, leading
from awesome_cli.analysis.claims.results import ClaimResults, check
from awesome_cli.analysis.claims.sensitivity import Sensitivity, endangered, sensitivity
from awesome_cli.analysis.diff.revisions import SincePublished, since_published
from awesome_cli.analysis.gaps.cells import GapMap, gap_map
from awesome_cli.errors import RefusedError
from awesome_cli.files.paths import OutsideError, contents, is_file, named, place, read
from awesome_cli.files.tree import AROUND, PARTS
from awesome_cli.files.writing import HIDDEN, folder_aside, sweep
from awesome_cli.formats import CODINGS, EXPORTED, export_format
from awesome_cli.model.identifiers import is_url
from awesome_cli.publish.forms import form_address
from awesome_cli.publish.hosts import contact_address, in_repository
from awesome_cli.publish.site.linked import block
from awesome_cli.publish.site.mentions import dated, keyed
from awesome_cli.publish.site.sources import cited
from awesome_cli.publish.site.stamp import STAMP, file_digest, stamp
from awesome_cli.publish.templates import fill, page_environment
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus

LIST = "pages.txt"
"""The list of files written by a build, so that the next build removes only obsolete ones."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A file of the site: its path with forward slashes, and its content."""

    path: str
    content: str | bytes

    @property
    def data(self) -> bytes:
        return self.content.encode() if isinstance(self.content, str) else self.content


def web_address(text: str | None) -> str | None:
    """Return the text if it is an http(s) URL, else None, so that `javascript:` never becomes a link."""
    return text if text and is_url(text) else None


Nav = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Navigation: `(label, pages)` per section, each page as `(path, label)`."""
SECTIONS = {"authors": "papers", "venues": "papers"}
"""Folders whose pages belong to the section of another folder."""
DESCRIBED = 300
"""Maximum length of the description of a page for search engines and previews."""


@dataclass(frozen=True)
class Frame:
    """The shared data of the pages of a site; `base` is its URL with a final slash, `card` its preview picture."""

    environment: Environment
    corpus: Corpus
    nav: Nav
    base: str | None = None
    card: str | None = None

    @classmethod
    def of(cls, corpus: Corpus, root: Path, nav: Nav, base: str | None, card: str | None = None) -> "Frame":
        """Return a frame with the templates of the survey in `root` and the shipped ones."""
        environment = page_environment(root)
        environment.filters |= {
            "web": web_address,
            "cited": cited,
            "dated": dated,
            "keyed": partial(keyed, corpus),
        }
        return cls(environment, corpus, nav, base.rstrip("/") + "/" if base else None, card)

    @cached_property
    def checked(self) -> ClaimResults:
        """The survey's claims, checked against the pool."""
        return check(self.corpus)

    @cached_property
    def forecasts(self) -> Mapping[str, Forecast]:
        """The forecasts of the claims that candidates would end, by id."""
        return endangered(self.checked)

    @cached_property
    def leads(self) -> tuple[Lead, ...]:
        """The claims that introduce the survey."""
        return leading(self.checked)

    @cached_property
    def perturbed(self) -> Sensitivity:
        """The sensitivity of the claims to changes of the records."""
        return sensitivity(self.corpus, pool=self.checked.pool)

    @cached_property
    def since_published(self) -> SincePublished | None:
        """The changes since the published version; None without a published version."""
        return since_published(self.corpus, self.checked)

    @cached_property
    def gaps(self) -> GapMap:
        return gap_map(self.corpus)

    @cached_property
    def exported(self) -> Mapping[str, str | Mapping[str, str]]:
        return {form: export_format(form).write(self.corpus) for form in EXPORTED if form != CODINGS}

    @cached_property
    def description(self) -> str:
        """The survey in one sentence."""
        taxonomy = self.corpus.taxonomy
        axes = ", ".join(axis.label.lower() for axis in taxonomy.axes)
        return taxonomy.survey.description or f"{taxonomy.survey.title}: a survey of literature, coded by {axes}."

    def address(self, path: str) -> str | None:
        """Return the URL of a page; None if that of the site is unknown."""
        return self.base + path if self.base else None

    def _section(self, path: str) -> tuple[tuple[str, str], ...]:
        """Return the pages of the section of a page: `terms/x.html` belongs to that of `terms.html`."""
        folder = path.partition("/")[0].removesuffix(".html")
        name = f"{SECTIONS.get(folder, folder)}.html"
        return next((pages for _, pages in self.nav if name in dict(pages)), ())

    def page(
        self, path: str, template: str, *, title: str, description: object = "", linked: object = None, **data: object
    ) -> SitePage:
        """Fill the template `site/TEMPLATE.html.j2`; in it, `root` is the relative path to the root of the site.

        `description`: plain text, by default that of the survey. `linked`: schema.org data. `styles` in the data names
        additional style sheets of assets/, `program` the path of the page's content as JSON.
        """
        taxonomy = self.corpus.taxonomy
        shared: dict[str, object] = {
            "path": path,
            "root": "../" * path.count("/"),
            "title": title,
            "survey": taxonomy.survey,
            "repository": in_repository(taxonomy.survey),
            "contact": contact_address(taxonomy.survey),
            "propose": form_address(taxonomy.survey, "paper"),
            "taxonomy": taxonomy,
            "corpus": self.corpus,
            "day": self.corpus.last_day,
            "recoded": self.corpus.recoded,
            "grades": {grade.id: grade for grade in taxonomy.grades},
            "nav": self.nav,
            "section": self._section(path),
            "description": shorten(str(description or self.description), DESCRIBED, placeholder="…"),
            "linked": block(linked) if linked else None,
            "feed": bool(self.corpus.papers or self.corpus.exclusions),
            "card": self.card,
            "base": self.base,
            "styles": (),
            "program": None,
            "canonical": self.address(path),
            "scripts": (),
        }
        return SitePage(path, fill(self.environment, f"site/{template}.html.j2", shared | data))


def write_pages(pages: Iterable[SitePage], out: Path, made_of: str | None = None) -> tuple[str, ...]:
    """Write the pages into a folder, remove obsolete pages of an earlier build, and return the paths.

    Unchanged pages are not rewritten. With a digest of the inputs (`made_of`), also write a stamp for
    `stamp.unchanged`. Raises `RefusedError` if the folder contains files that a build did not write.
    """
    before = _written_before(out)
    written: dict[str, bytes] = {}
    _list(out, before)
    aside = folder_aside(place(out, LIST))
    # A page is listed before it is written, so that after a kill the next build knows its own files.
    with place(out, LIST).open("a", encoding="utf-8", newline="\n") as listing:
        for page in pages:
            if page.path not in before:
                listing.write(f"{page.path}\n")
                listing.flush()
            written[page.path] = _write(out, page, aside)
    stamped = {STAMP} if made_of else set()
    for path in before - written.keys() - stamped:
        if is_file(out, path):
            (place(out, PurePosixPath(path).parent) / PurePosixPath(path).name).unlink()
    _list(out, written.keys() | stamped)
    if made_of:
        saving.write(place(out, STAMP), stamp(made_of, written))
    return tuple(sorted(written))


def _list(out: Path, paths: Iterable[str]) -> None:
    saving.write(place(out, LIST), "".join(f"{path}\n" for path in sorted(paths)).encode())


def require_apart(out: Path, root: Path) -> None:
    """Raise `RefusedError` if the output folder contains the survey, is one of its folders, or a link out of it."""
    folder, top = named(root, out).resolve(), root.resolve()
    reserved = (*PARTS, *AROUND, HIDDEN)
    if top.is_relative_to(folder) or any(folder.is_relative_to(top / name) for name in reserved):
        raise RefusedError(f"{out} contains files of the survey", hint="give an empty or new folder with --out DIR")


def _write(out: Path, page: SitePage, aside: Path) -> bytes:
    path, data = place(out, page.path), page.data
    if contents(str(path), page.path) != data:
        saving.write(path, data, last=False, aside=aside)
    return file_digest(data)


def _written_before(out: Path) -> set[str]:
    """Return the paths written by the last build, and remove temporary files of an interrupted one."""
    if out.is_dir():
        sweep(out)
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        out.mkdir(parents=True, exist_ok=True)
        return set()
    listing = read(out, LIST)
    if listing is None:
        hint = "give an empty or new folder with --out DIR"
        raise RefusedError(f"{out} contains files that 'awesome site build' did not write", hint=hint)
    paths = listing.decode(errors="replace").splitlines()
    known = {path for path in paths if _is_inside(path)}
    for folder in {PurePosixPath(path).parent for path in known}:
        with suppress(OSError, OutsideError):
            sweep(place(out, folder))
    return known


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and not path.startswith("/") and ":" not in path
