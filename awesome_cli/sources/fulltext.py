"""The text of a paper as a web page: arXiv makes one of most papers since December 2023."""

from awesome_cli.errors import NotKnownError
from awesome_cli.model.records import Identifiers
from awesome_cli.sources import pages
from awesome_cli.sources.services import checked
from awesome_cli.system.network import Net

VARIABLE = "AWESOME_ARXIV_HTML_URL"
"""The environment variable that may name another address than arXiv's own."""
ADDRESS = "https://arxiv.org/html"


def fetch(ids: Identifiers, net: Net) -> str:
    """The HTML page of an arXiv paper: of its version first, else of the newest.

    Raises `NotKnownError` if arXiv has no such page, and another `NetError` for no usable answer.
    """
    base = net.services.get(VARIABLE, ADDRESS).rstrip("/")
    asked = [f"{ids.arxiv}v{ids.arxiv_version}"] if ids.arxiv_version else []
    for name in (*asked, ids.arxiv):
        answer = net.get(f"{base}/{name}", {"Accept": "text/html"})
        if answer.status != 404:
            if not pages.is_html(checked("arXiv", answer, str(name))):
                break
            return pages.decoded(answer)
    raise NotKnownError(f"arXiv has no HTML page of {ids.arxiv}", hint="give its text with --texts DIR")
