"""The freshness stamp of a generated file: a digest of its sources and its content, stored in the file.

A picture is made from its figure; `statistics.json` from all files of the survey and the tool's version; a site
(`site.stamp`) from the same files and the program. So pictures are checked without matplotlib, and an unchanged survey
without parsing records. Exports cannot contain a stamp; that of `statistics.json` covers them. A code change without a
new version goes unnoticed; `awesome render --check --diff` detects it.
Files that people may edit (workflows, forms) instead have a mark in their first line: the tool's version and a digest
of the other lines, without pinned versions of actions and of the tool, since Dependabot and curators change these.
"""

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli import __version__
from awesome_cli.files import paths
from awesome_cli.files.paths import UnusableError, decoded
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.publish import shipped

if TYPE_CHECKING:
    from awesome_cli.survey.changes import Changes

README, STATISTICS, PICTURES, FORMS = "README.md", "statistics.json", "docs/pictures", ".github/ISSUE_TEMPLATE"
EXPORTS = {"bibtex": "references.bib", "csv": "papers.csv"}
"""Exports that a taxonomy may list, with their files."""
TABLES = f"docs/survey/{README}"
"""An optional second page with islands, for tables too long for the README."""
STAMP = re.compile(rb'(?m)(^<!-- freshness: |^ "freshness": ")([0-9a-f]*)')
COMMENT = b"<!-- freshness:  -->\n"
"""Placeholder for the stamp of a picture."""
STALE = {"stale pictures": b""}
"""An extra source that `statistics.json` gets while a picture is stale, so that the next check includes pictures."""
PAPER = "paper"
OF_PAPER = ("paper/survey-", "paper/awesome-survey.sty")
"""The generated files in the folder of the paper begin with these; the others are written by hand."""
COMMIT = re.compile(rb'(\\surveyentry\{about\}\{commit\}\{|"commit": ")[^"}]*')
"""The commit in a generated file of the paper; a new commit alone makes no file stale."""
# Not derived from the models: they take longer to import than an untouched survey takes to answer.
FOLDERS = (PAPER, "corpus", "exclusions", "candidates", "audits", "searches", "templates/readme", PICTURES, FORMS)
MARK = re.compile(r"(?:#|<!--) Written by awesome ([\w.]+) \(([0-9a-f]{12})\): .*\n")
ACTIONS = re.compile(r"(\buses: [^\s@]+@)\S+(?: +#.*)?")
TOOL = re.compile(r"(\bawesome-survey(?:\[\w+\])?(?:==| @ ))[^\s\"]+")


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the SHA-256 of names and contents, as hex."""
    total = hashlib.sha256()
    for name, data in files:
        content = without_commit(data) if name.startswith(OF_PAPER) else data
        total.update(f"{name}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def without_commit(content: bytes) -> bytes:
    """Return a file of the paper without the commit that it names."""
    return COMMIT.sub(rb"\1", content)


def stamped(content: bytes, sources: Mapping[str, bytes]) -> bytes:
    """Return the content with a freshness stamp: the digest of these sources and the content."""
    blank = unstamped(content)
    total = digest(sorted({**sources, "": blank}.items()))
    return STAMP.sub(rb"\g<1>" + total.encode(), blank, count=1)


def unstamped(content: bytes) -> bytes:
    """Return the content with an empty stamp."""
    return STAMP.sub(rb"\g<1>", content, count=1)


def is_fresh(content: bytes, sources: Mapping[str, bytes]) -> bool:
    """True if the content has the freshness stamp of these sources and was not edited."""
    return STAMP.search(content) is not None and content == stamped(content, sources)


def survey_files(root: Path) -> dict[str, bytes]:
    """Return the files that the freshness stamp of `statistics.json` covers, by path, and the tool's version."""
    return {"version": __version__.encode(), **dict(_files(root))}


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    tree = WorkingTree(root)
    names = ["taxonomy.yaml", "claims.yaml", "protocol.yaml", "paper.yaml", README, TABLES]
    # Unreadable files are left out here; validation reports them.
    for folder in FOLDERS:
        with suppress(UnusableError):
            files = (f"{folder}/{name}" for name in paths.files(root, folder))
            names += [path for path in files if folder != PAPER or path.startswith(OF_PAPER)]
    for path in names:
        with suppress(UnusableError):
            if (data := tree.read(path)) is not None:
                yield path, data
    templates = (("readme", "*.j2"), (f"starter/{FORMS[1:]}", "*.yml"), ("paper", "*.sty"))
    for file in (path for folder, names_of in templates for path in (shipped() / folder).glob(names_of)):
        yield f"shipped/{file.name}", file.read_bytes()


def rendered(root: Path) -> bool:
    """True if README and `statistics.json` are in sync with the records, even if pictures are stale."""
    with suppress(UnusableError):
        content, files = paths.read(root, STATISTICS) or b"", survey_files(root)
        return any(is_fresh(content, files | made | more) for made in _exported(root) for more in ({}, STALE))
    return False


def _exported(root: Path) -> Iterator[dict[str, bytes]]:
    """Yield each set of export files: a file of such a name is generated only if the taxonomy lists its format."""
    files = [(name, data) for name in EXPORTS.values() if (data := paths.read(root, name)) is not None]
    yield from (dict(some) for n in range(len(files), -1, -1) for some in combinations(files, n))


def untouched(root: Path) -> tuple[str, ...]:
    """Return the paths of the generated files if the survey has not changed since they were rendered, else ()."""
    files = survey_files(root)
    with suppress(UnusableError, StopIteration):
        content = paths.read(root, STATISTICS) or b""
        exported = next(made for made in _exported(root) if is_fresh(content, files | made))
        pictures = (name for name in sorted(files) if name.startswith(PICTURES) and STAMP.search(files[name]))
        texts = {
            name: files[name].decode(errors="replace") for name in sorted(files) if name.startswith((FORMS, *OF_PAPER))
        }
        forms = (name for name, text in texts.items() if is_own(text) or name.startswith(OF_PAPER))
        return (*(page for page in (README, TABLES) if page in files), STATISTICS, *exported, *pictures, *forms)
    return ()


def marked(path: str, text: str) -> str:
    """Prepend the mark to the text of a new file."""
    line = (
        f"Written by awesome {__version__} ({_digest(text)}): 'awesome init --upgrade' updates it unless you edit it."
    )
    return f"<!-- {line} -->\n{text}" if path.endswith(".md") else f"# {line}\n{text}"


class FileState(Enum):
    """State of a marked file, compared with the text that this version would write."""

    MISSING = auto()
    SAME = auto()
    NEWER = auto()
    CHANGED = auto()
    STALE = auto()


def read_text(tree: FileTree, path: str) -> str | None:
    """Return the text of a file with LF line ends; None if the file is missing."""
    data = tree.read(path)
    return None if data is None else decoded(data, path).replace("\r\n", "\n")


def file_state(before: str | None, after: str) -> FileState:
    """Classify a file with the text `before`, given the text `after` that this version would write."""
    if before is None:
        return FileState.MISSING
    if same(before, after):
        return FileState.SAME
    if is_newer(before):
        return FileState.NEWER
    return FileState.STALE if is_own(before) else FileState.CHANGED


def is_own(text: str) -> bool:
    """True if the file has a mark and was not edited since the tool wrote it."""
    mark = MARK.match(text)
    return mark is not None and mark[2] == _digest(text[mark.end() :])


def is_newer(text: str) -> bool:
    """True if a newer version of the tool wrote the file."""
    mark = MARK.match(text)
    return mark is not None and _numbers(mark[1]) > _numbers(__version__)


def same(before: str, after: str) -> bool:
    """True if two files are equal except for their marks and the pinned versions of actions."""
    first, second = (ACTIONS.sub(r"\1", MARK.sub("", text, count=1)) for text in (before, after))
    return first == second


def _digest(text: str) -> str:
    return hashlib.sha256(TOOL.sub(r"\1", ACTIONS.sub(r"\1", text)).encode()).hexdigest()[:12]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


@dataclass(frozen=True)
class Output:
    """A generated file: its current content `before` (None if missing) and its expected content `after`.

    For pictures both are None, since they are checked without drawing them; for other files, `after` is None if the
    file is to be removed. `command` writes the file.
    """

    path: str
    before: str | None
    after: str | None
    stale: bool
    command: str = "awesome render"

    def diff(self) -> str:
        """Return the change as a unified diff; empty for fresh files and pictures."""
        if not self.stale:
            return ""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))

    def changes(self, tree: WorkingTree) -> "Changes":
        """Return the change to write; empty if the file is fresh."""
        from awesome_cli.survey.changes import Change  # Imported here, since an untouched survey changes nothing.

        if self.after == self.before:
            return ()
        return (Change(self.path, tree.read(self.path), None if self.after is None else self.after.encode()),)


def output_of(root: Path, path: str, after: str) -> Output:
    """Compare a generated file with the text that it should have."""
    data = paths.read(root, path)
    return Output(path, None if data is None else data.decode(errors="replace"), after, data != after.encode())
