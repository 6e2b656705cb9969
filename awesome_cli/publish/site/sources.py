"""Sources of codings as HTML: identifiers, URLs and files of repositories become links, and all other text stays."""

import re
from collections.abc import Callable, Iterator, Mapping

from markupsafe import Markup

from awesome_cli.model.identifiers import SCHEMES, address_of, is_url, read
from awesome_cli.publish.site.mentions import dated

TOKEN = re.compile(
    r"(?P<file>\b(?P<host>github|gitlab):(?P<name>[\w.-]+(?:/[\w.-]*\w)+)(?:@(?P<commit>[\w./-]*\w))?)"
    r"|(?P<url>https?://(?:[^\s<>\"();]|\([^\s<>\"();]*\))+(?<![.,:]))"
    rf"|(?P<work>\b(?P<scheme>{'|'.join(SCHEMES)}):[^\s;]*\w)"
)
"""A repository (`github:owner/name@3c41d62`), a URL, or a work (`arxiv:1501.00001`)."""
TYPES = (
    "c|cc|cfg|cpp|cs|css|csv|cu|go|h|hpp|hs|html|ini|ipynb|java|jl|js|json|jsonl|jsx|kt|lean|lua|md|ml|php|proto|py|pyi"
    "|r|R|rb|rs|rst|scala|sh|sql|swift|tex|toml|ts|tsv|tsx|txt|ya?ml"
)
"""Extensions of files; other words with a dot are files only if they contain a slash (`e.g.`, `trainer.step`)."""
PLACE = re.compile(
    r"(?P<gap>(?: \([^()]*\))?(?:[,;]|,? and)? )"
    rf"(?:(?P<path>[\w.+@-]+/[\w./+@-]*\.[A-Za-z]\w*|[\w.+@-]+\.(?:{TYPES})\b(?!\.\w)"
    r"|(?:[\w.+@-]+/)*(?:Make|Docker)file\b)"
    r"(?:(?:,? (?:lines? |L)|:|#L)(?=\d+\b))?"
    r"|(?P<again>lines? |L)(?=\d+\b)|(?=\d+(?:[-\u2013]\d+)?(?:[,;)]| and\b|\.?$)))"
    r"(?:(?P<first>\d+)(?:[-\u2013]L?(?P<last>\d+))?)?"
)
"""The next file of a repository (`path/file.py lines 3-5`, `file.py#L3`, `Makefile`), or more lines of the last."""
ON_HOST = re.compile(r"https://(?:github|gitlab)\.com/(.+?)(?:/-)?/blob/([^/]+)/([^?#]+)(?:#(L\d+(?:-L?\d+)?))?")
"""The URL of a file: repository, commit, path and lines."""
COMMIT = re.compile(r"(?<=@)([0-9a-f]{7})[0-9a-f]{1,33}\b")
Link = tuple[int, int, str | None, str]
"""Start and end in the text, URL and label."""


def cited(text: str) -> Markup:
    """Return a source as HTML: `github:a/b@3c41d62 c.py L3` is a link to line 3 of the file at the commit."""
    html, end = Markup(), 0
    for match in TOKEN.finditer(text):
        for start, stop, address, label in LINKS[match.lastgroup or ""](match):
            if address and is_url(address):
                link = Markup('<a href="{}" rel="noopener">{}</a>').format(address, dated(COMMIT.sub(r"\1", label)))
                html, end = html + dated(text[end:start]) + link, stop
    return html + dated(text[end:])


def _file(match: re.Match[str]) -> Iterator[Link]:
    """Yield a link per file and range of lines, the first with the repository, or one to the repository."""
    below, range_mark = ("", "-L") if match["host"] == "github" else ("/-", "-")
    address = f"https://{match['host']}.com/{match['name']}"
    commit, start, stop, path = match["commit"], *match.span(), ""
    for place in _places(match) if commit else ():
        path, stop = place["path"] or path, place.end()
        lines = range_mark.join(filter(None, place.group("first", "last")))
        start = place.end("gap") if place.start() > match.end() else match.start()
        label = match.string[start:stop].removeprefix(f"{match['host']}:")
        yield start, stop, f"{address}{below}/blob/{commit}/{path}{f'#L{lines}' if lines else ''}", label
    if not path:
        yield start, stop, address + (f"{below}/tree/{commit}" if commit else ""), match[0].partition(":")[2]


def _places(match: re.Match[str]) -> Iterator[re.Match[str]]:
    """Yield the files and lines after a repository; bare numbers are lines only after `lines`."""
    before, at = "", match.end()
    while (place := PLACE.match(match.string, at)) and (
        place["path"] or (before and (place["again"] or "lines " in before))
    ):
        yield place
        before, at = before + place[0], place.end()


def _url(match: re.Match[str]) -> Iterator[Link]:
    file = ON_HOST.fullmatch(match[0])
    plain = match[0].partition("://")[2].rstrip("/")
    label = f"{file[1]}@{file[2]} {file[3]}{f' {file[4]}' if file[4] else ''}" if file else plain
    yield *match.span(), match[0], label


def _work(match: re.Match[str]) -> Iterator[Link]:
    work = read(match["scheme"], match[0])
    yield *match.span(), address_of(work.scheme, work.id) if work else None, match[0]


LINKS: Mapping[str, Callable[[re.Match[str]], Iterator[Link]]] = {"file": _file, "url": _url, "work": _work}
"""Functions that yield links, by kind of token."""
