"""Tables in docs/ that are made from descriptors: `make golden` writes them, tests compare them."""

from collections.abc import Sequence
from pathlib import Path


def check(path: Path, name: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, update: bool) -> None:
    """Compare the table between the markers of `name` with the rows, or write it."""
    lines = [header, ["---"] * len(header), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    check_text(path, name, "\n".join(f"| {' | '.join(line)} |" for line in lines), update=update)


def check_text(path: Path, name: str, generated: str, *, update: bool) -> None:
    """Compare what stands between the markers of `name` with a text, or write it."""
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- generated: {name} -->\n", f"\n<!-- end of {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = f"\n{rest}".partition(end)
    assert found, f"{path.name} has no marker {begin!r}"
    assert closed, f"{path.name} has no marker {end!r}"
    expected = before + begin + generated + end + after
    if update:
        path.write_text(expected, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == expected, "run: make golden"
