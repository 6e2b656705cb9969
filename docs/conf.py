"""How Sphinx builds the manual: `make docs`. Its pages are the Markdown files of the repository, as they stand.

The source folder is the repository itself, so that a link between docs/ and the pages beside it holds in both places.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

from awesome_cli import __version__

ROOT = Path(__file__).resolve().parent.parent
BESIDE = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages of the manual that stand beside docs/."""
FIRST = "docs/index"
LEAD = """<!doctype html><meta charset="utf-8"><title>Manual</title>
<meta http-equiv="refresh" content="0; url=docs/index.html"><a href="docs/index.html">Manual</a>
"""

project = "awesome"
version = release = __version__
copyright = "the contributors, under the MIT licence"  # noqa: A001 (the name that Sphinx reads)
root_doc = FIRST
include_patterns = ["docs/**.md", *BESIDE]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.name not in {"docs", *BESIDE}]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4  # the anchors of headings are those of GitHub
default_role = "code"  # docstrings mark code by single backquotes
suppress_warnings = ["misc.highlighting_failure"]  # CSV has no colours
autodoc_member_order = "bysource"
linkcheck_anchors = False  # pages that are made by scripts have none before these run

html_theme = "furo"
html_title = "awesome: a survey kept as data"
html_copy_source = False
html_show_sphinx = False


def contents(app: Sphinx, name: str, text: list[str]) -> None:
    """Give the first page the order of its own links as the table of contents, a part for each heading."""
    if name == FIRST:
        for heading, section in re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", text[0], re.MULTILINE):
            pages = re.findall(r"\]\(([\w./-]+)\.md\)", section)
            entries = "\n".join(f"/{page[3:]}" if page.startswith("../") else page for page in pages)
            text[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{entries}\n```\n"


def plain(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Leave out the docstring of a module, which docs/python.md says better."""
    if what == "module":
        lines.clear()


def unwanted(app: Sphinx, what: str, name: str, *rest: object) -> bool | None:
    """Leave out what pydantic adds to a class."""
    return True if name.startswith("model_") else None


def lead(app: Sphinx, failed: Exception | None) -> None:
    """Lead from the folder of the manual to its first page."""
    if not failed and app.builder.format == "html":
        Path(app.outdir, "index.html").write_text(LEAD, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the above."""
    app.connect("source-read", contents)
    app.connect("autodoc-process-docstring", plain)
    app.connect("autodoc-skip-member", unwanted)
    app.connect("build-finished", lead)
