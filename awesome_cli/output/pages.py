"""Pages in Markdown for a person at a terminal, as rich lays them out."""

import io

from rich.console import Console
from rich.markdown import Markdown

from awesome_cli.text.inert import visible

WIDTH = 80
"""Lines of a page are at most this wide."""


def write(text: str) -> str:
    """A page in Markdown, laid out with its headings, lists and code."""
    console = Console(file=io.StringIO(), force_terminal=True, no_color=False, highlight=False)
    console.print(Markdown(visible(text), hyperlinks=False), width=min(console.width, WIDTH))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]
