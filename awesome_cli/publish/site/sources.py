"""Sources of codings as HTML: identifiers, URLs and files of repositories become links, and all other text stays."""

import re

from markupsafe import Markup

from awesome_cli.model.identifiers import SCHEMES, address_of, is_url, read
from awesome_cli.publish.site.mentions import dated

TYPES = (
    "c|cc|cfg|cpp|csv|cu|go|h|hpp|html|ini|ipynb|java|jl|jsonl?|[jt]sx?|lua|md|pyi?|[rR]|rs|rst|sh|tex|toml|txt|ya?ml"
)
"""Extensions of files; other words with a dot are files only if they contain a slash (`e.g.`, `trainer.step`)."""
FILE = (
    r"((?: \([^()]*\))?(?:[,;]|,? and)? )([\w.+@-]+/[\w./+@-]*\.[A-Za-z]\w*|(?:[\w.+@-]+/)*(?:Make|Docker)file\b|"
    rf"[\w.+@-]+\.(?:{TYPES})\b(?!\.\w))(?:(?:,? (?:lines? |L)|:|#L)(\d+)(?:[-\u2013]L?(\d+))?\b"
    r"(?:(?:,|,? and) (?:lines? |L)?\d+(?:[-\u2013]L?\d+)?\b(?![.-]?\w))*)?"
)
"""A file of a repository (`, path/file.py lines 3-5, 7`, ` c.py#L3`): mark before it, path, first and last line."""
TOKEN = re.compile(
    r"(?P<file>\b(?P<host>github|gitlab):(?P<name>[\w.-]+(?:/[\w.-]*\w)+)"
    rf"(?:@(?P<commit>[\w./-]*\w)(?P<files>(?:{FILE})*))?)"
    r"|(?P<url>https?://(?:[^\s<>\"();]|\([^\s<>\"();]*\))+(?<![.,:]))"
    rf"|(?P<work>\b(?P<scheme>{'|'.join(SCHEMES)}):[^\s;]*\w)"
)
"""Files at a commit (`github:owner/name@3c41d62 path/file.py lines 3-5`), a URL, or a work (`arxiv:1501.00001`)."""
ON_HOST = re.compile(r"https://(?:github|gitlab)\.com/(.+?)(?:/-)?/blob/([^/]+)/([^?#]+)(?:#(L\d+(?:-L?\d+)?))?")
"""The URL of a file: repository, commit, path and lines."""
COMMIT = re.compile(r"(?<=@)([0-9a-f]{7})[0-9a-f]{1,33}\b")


def cited(text: str) -> Markup:
    """Return a source as HTML: `github:a/b@3c41d62 c.py L3` is a link to line 3 of the file at the commit."""
    html, end = Markup(), 0
    for match in TOKEN.finditer(text):
        html, end = html + dated(text[end : match.start()]) + LINKS[match.lastgroup or ""](match), match.end()
    return html + dated(text[end:])


def _link(address: str | None, label: str) -> Markup:
    shown = dated(COMMIT.sub(r"\1", label))
    return Markup('<a href="{}" rel="noopener">{}</a>').format(address, shown) if is_url(address or "") else shown


def _file(match: re.Match[str]) -> Markup:
    """Return a link per file, the first with the repository, or a link to the repository."""
    files, html = match["files"] or "", Markup()
    address, head = f"https://{match['host']}.com/{match['name']}", match[0].partition(":")[2].removesuffix(files)
    below, range_mark = ("", "-L") if match["host"] == "github" else ("/-", "-")
    for file in re.finditer(FILE, files):
        mark, path, *ends = file.groups()
        lines = range_mark.join(filter(None, ends))
        url = f"{address}{below}/blob/{match['commit']}/{path}{f'#L{lines}' if lines else ''}"
        html += dated(mark) + _link(url, file[0].removeprefix(mark)) if html else _link(url, head + file[0])
    return html or _link(address + (f"{below}/tree/{match['commit']}" if match["commit"] else ""), head)


def _url(match: re.Match[str]) -> Markup:
    file = ON_HOST.fullmatch(match[0])
    plain = match[0].partition("://")[2].rstrip("/")
    return _link(match[0], f"{file[1]}@{file[2]} {file[3]}{f' {file[4]}' if file[4] else ''}" if file else plain)


def _work(match: re.Match[str]) -> Markup:
    work = read(match["scheme"], match[0])
    return _link(address_of(work.scheme, work.id) if work else None, match[0])


LINKS = {"file": _file, "url": _url, "work": _work}
"""Functions that return links, by kind of token."""
