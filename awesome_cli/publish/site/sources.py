"""Sources of codings as HTML: identifiers, URLs and files of repositories become links, and all other text stays."""

import re

from markupsafe import Markup

from awesome_cli.model.identifiers import SCHEMES, address_of, is_url, read
from awesome_cli.publish.site.mentions import dated

TOKEN = re.compile(
    r"(?P<file>\b(?P<host>github|gitlab):(?P<name>[\w.-]+(?:/[\w.-]+)+)"
    r"(?:@(?P<commit>[\w.-]*\w)(?:(?:\ \([^()]*\))?\ (?P<path>[\w.+@-]*/[\w./+@-]*\w|[\w.+@-]*\.[A-Za-z]\w*)"
    r"(?:,?\ (?:lines?\ |L)(?P<first>\d+)(?:[-\u2013]L?(?P<last>\d+))?)?)?)?)"
    r"|(?P<url>https?://(?:[^\s<>\"();]|\([^\s<>\"();]*\))+(?<![.,:]))"
    rf"|(?P<work>\b(?P<scheme>{'|'.join(SCHEMES)}):[^\s;]*\w)"
)
"""A file at a commit (`github:owner/name@3c41d62 path/file.py lines 3-5`), a URL, or a work (`arxiv:1501.00001`)."""
ON_HOST = re.compile(r"https://(?:github|gitlab)\.com/(.+?)(?:/-)?/blob/([^/]+)/([^?#]+)(?:#(L\d+(?:-L?\d+)?))?")
"""The URL of a file: repository, commit, path and lines."""
COMMIT = re.compile(r"(?<=@)([0-9a-f]{7})[0-9a-f]{1,33}\b")


def cited(text: str) -> Markup:
    """Return a source as HTML: `github:a/b@3c41d62 c.py L3` is a link to line 3 of the file at the commit."""
    html, end = Markup(), 0
    for match in TOKEN.finditer(text):
        address, label = LINKS[match.lastgroup or ""](match)
        if address and is_url(address):
            link = Markup('<a href="{}" rel="noopener">{}</a>').format(address, dated(COMMIT.sub(r"\1", label)))
            html, end = html + dated(text[end : match.start()]) + link, match.end()
    return html + dated(text[end:])


def _file(match: re.Match[str]) -> tuple[str, str]:
    below, range_mark = ("", "-L") if match["host"] == "github" else ("/-", "-")
    address = f"https://{match['host']}.com/{match['name']}"
    if match["commit"]:
        kind = f"blob/{match['commit']}/{match['path']}" if match["path"] else f"tree/{match['commit']}"
        lines = range_mark.join(filter(None, (match["first"], match["last"])))
        address += f"{below}/{kind}{f'#L{lines}' if lines else ''}"
    return address, match[0].partition(":")[2]


def _url(match: re.Match[str]) -> tuple[str, str]:
    file = ON_HOST.fullmatch(match[0])
    plain = match[0].partition("://")[2].rstrip("/")
    return match[0], f"{file[1]}@{file[2]} {file[3]}{f' {file[4]}' if file[4] else ''}" if file else plain


def _work(match: re.Match[str]) -> tuple[str | None, str]:
    work = read(match["scheme"], match[0])
    return address_of(work.scheme, work.id) if work else None, match[0]


LINKS = {"file": _file, "url": _url, "work": _work}
"""Functions that return URL and text of a link, by kind of token."""
