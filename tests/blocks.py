"""The code blocks of the pages, and a shell that does what a page says, from its first block to its last.

A comment right above a block says what becomes of it, where that is not plain from its language:

- `<!-- not run: WHY -->`: nothing, and why
- `<!-- file: NAME -->`: the reader saves it as NAME
- `<!-- in NAME, below: LINE -->`: the reader puts it into the file NAME, below that line
- `<!-- valid: KIND -->`: it is a file of that kind, or a part of one

A comment `<!-- run by: TEST -->` in a page says that a test of its own does all of them. The commands of `console` blocks must print what stands below them, where `…` stands for any text; those of `sh` blocks
must only end well. A command may end with another code than 0 if the next one is `echo $?`.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders import REPOSITORY
from running import GIT

READ = (*(REPOSITORY / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")),
        *sorted((REPOSITORY / "docs").rglob("*.md")))  # fmt: skip
"""The pages that people read."""
ISLAND = re.compile(r"<!-- awesome:begin (\w+) -->.*?<!-- awesome:end \1 -->", re.DOTALL)
"""What a page has from the records: golden files hold it."""
BLOCK = re.compile(
    r"^(?:<!-- (?P<note>[^\n]+) -->\n)?```(?P<language>[\w{}-]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
TODAY = "1795305600"
"""The day on which the pages are played, 2026-11-22."""
PLACE = re.compile(r"in (?P<name>\S+), below: (?P<line>.+)")
BELOW = '{print} $0 == ENVIRON["LINE"] {print ENVIRON["TEXT"]}'


@dataclass(frozen=True)
class Block:
    """A block between fences: where it begins, its language, its text, and the comment above it."""

    page: Path
    line: int
    language: str
    text: str
    note: str

    @property
    def place(self) -> str:
        """The page and the line, as findings name them."""
        return f"{self.page.name}:{self.line}"

    @property
    def checked(self) -> bool:
        """Whether a test does something with it, or the page says why none does."""
        known = re.fullmatch(r"(not run|file|valid): .+|" + PLACE.pattern, self.note)
        return bool(known) if self.note else self.language in {"console", "sh"}


@dataclass(frozen=True)
class Step:
    """What a shell does at a place of a page, and what it must print; None: anything."""

    place: str
    script: str
    printed: str | None


def text_of(page: Path) -> str:
    """What is written in a page by hand, line by line as it stands."""
    return ISLAND.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))


def told(page: Path, what: str) -> str | None:
    """What a comment in a page says of the whole page, such as `run in`."""
    found = re.search(rf"^<!-- {what}: (.+) -->$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None


def blocks(page: Path) -> list[Block]:
    """The blocks of a page. A fence that no block begins or ends with, such as an indented one, is an error."""
    text = text_of(page)
    found = [
        Block(page, text[: at.start("language")].count("\n") + 1, at["language"], at["text"], at["note"] or "")
        for at in BLOCK.finditer(text)
    ]
    fences = re.findall(r"^\s*(?:```|~~~)", text, re.MULTILINE)
    assert len(fences) == 2 * len(found), f"{page.name}: a fence stands alone or is indented"
    return found


def commands(console: str) -> tuple[tuple[str, str], ...]:
    """The commands of a console, behind `$ `, each with what it prints."""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:])
    return tuple((command, printed) for command, _, printed in parts)


def plain(text: str) -> str:
    """Text without spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def alike(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; `…` stands for any text."""
    return bool(re.fullmatch(re.escape(plain(shown)).replace("…", ".*"), plain(printed), re.DOTALL))


def steps(page: Path) -> list[Step]:
    """What a reader of a page does, in order."""
    return [step for block in blocks(page) for step in _steps(block)]


def _steps(block: Block) -> Iterator[Step]:
    if block.note.startswith("file: "):
        name = shlex.quote(block.note.removeprefix("file: "))
        yield Step(block.place, f"mkdir -p $(dirname {name}); printf %s {shlex.quote(block.text)} > {name}", "")
    elif put := PLACE.fullmatch(block.note):
        name, line, text = (shlex.quote(word) for word in (*put.groups(), block.text.removesuffix("\n")))
        awk = f"LINE={line} TEXT={text} awk '{BELOW}' {name} > .new"
        yield Step(block.place, f"grep -qxF {line} {name} && {awk} && mv .new {name}", "")
    elif not block.note and block.language == "sh":
        yield from (Step(block.place, line, None) for line in block.text.replace("\\\n", " ").splitlines() if line)
    elif not block.note and block.language == "console":
        yield from (Step(block.place, *pair) for pair in commands(block.text))


def play(todo: Sequence[Step], folder: Path, path: Path) -> None:
    """Do the steps in one shell that begins in a folder, with the programs of `path` before others.

    The first step that prints something else than the page shows, or ends badly, fails.
    """
    mark = "\x1e"
    lines = ["status=0"]
    for step in todo:
        lines += [f"(exit $status)\n{step.script}", f"status=$?; printf '{mark}%s{mark}' $status"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    environment |= GIT | {
        "PATH": os.pathsep.join((str(path), os.environ["PATH"])), "HOME": str(folder.parent), "NO_COLOR": "1",
        "XDG_CACHE_HOME": str(folder.parent / "cache"), "SOURCE_DATE_EPOCH": TODAY,
    }  # fmt: skip
    script = folder.parent / "steps.sh"
    script.write_text("\n".join(lines))
    done = subprocess.run(
        ["bash", "-o", "pipefail", str(script)],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    told = done.stdout.split(mark)
    for number, (step, printed, status) in enumerate(zip(todo, told[::2], told[1::2], strict=False)):
        shown = f"{step.place}: $ {step.script}\n{printed}"
        asked = number + 1 < len(todo) and todo[number + 1].script == "echo $?"
        assert status == "0" or asked, f"exit code {status}\n{shown}"
        assert step.printed is None or alike(step.printed, printed), shown
    assert len(told) == 2 * len(todo) + 1, f"the shell ended early: {told[-1]}"


PLAYED = tuple(page for page in READ if told(page, "run by") is None and steps(page))
"""The pages on which something is done."""
