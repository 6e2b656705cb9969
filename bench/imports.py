"""Importing and exporting BibTeX: the whole command against pybtex's parsing alone, memory, and growth with size.

The files are made of the real entries in `tests/data/inputs/bibtex`. Each repetition of an entry has the authors of
another one, and words of other titles in its title; its key and its identifiers differ, too. Times are those of the
processor. A file system that has just removed many files makes new ones slowly (ext4 for some minutes), so a second run
at once shows a higher figure.
"""

import random
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from awesome_cli.text.latex import to_latex
from bench.timing import AWESOME, COMPILED, ROOT, Row, best, usage

SMALL, LARGE = 2_000, 15_000
MEMORY = 160_000_000
PARSE = """
import sys, time
from pybtex.database.input.bibtex import Parser
start = time.process_time()
Parser(encoding="utf-8").parse_file(sys.argv[1])
print(time.process_time() - start)
"""
ENTRY = re.compile(r"@(?!string|comment|preamble|xdata)\w+\s*\{", re.IGNORECASE)
TITLE = re.compile(r"(?im)^\s*title\s*=\s*[{\"](.+)[}\"],?$")
AUTHORS = re.compile(r"(?im)^\s*author\s*=.+?,?$")
IDENTIFIER = re.compile(r"(?im)^(\s*(?:doi|url|eprint)\s*=\s*[{\"][^}\"\n]+)")
ISBN = re.compile(r"(?im)^\s*isbn\s*=.+\n")
WORD = re.compile(r"(?<![\\{}\w])[^\W\d_]{4,}(?![}\w])")
CHANGED = 3
"""Words of a title that a repetition of it changes."""
ODD = ("a(", "{", "$", "\\", "--", "\\'")
"""What a title is made of by repetition; each would take quadratic time if it were searched from every place."""


def entries() -> list[str]:
    """The entries of the real files with a title of enough words."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/data/inputs/bibtex").glob("*.bib"))]
    parts = [part.strip() for text in texts for part in re.split(r"(?m)^(?=@)", text) if ENTRY.match(part)]
    return [part for part in parts if (title := TITLE.search(part)) and len(WORD.findall(title[1])) >= CHANGED]


def bibliography(n: int) -> str:
    """A BibTeX text of `n` works."""
    source, chance = entries(), random.Random(1)
    words = [word for entry in source if (title := TITLE.search(entry)) for word in WORD.findall(title[1])]
    people = sorted({authors[0] for entry in source if (authors := AUTHORS.search(entry))})
    made: dict[str, str] = {}
    while len(made) < n:
        entry = varied(source[len(made) % len(source)], len(made), words, people, chance)
        made.setdefault(TITLE.findall(entry)[0], entry)
    return "\n".join(made.values())


def varied(entry: str, number: int, words: list[str], people: list[str], chance: random.Random) -> str:
    """An entry as another work: of other authors, with other words in its title."""
    title = TITLE.findall(entry)[0]
    text = title
    for place in sorted(chance.sample(list(WORD.finditer(title)), k=CHANGED), key=re.Match.start, reverse=True):
        text = text[: place.start()] + chance.choice(words) + text[place.end() :]
    entry = re.sub(r"^(@\w+\s*\{[^,]*),", rf"\g<1>_{number},", entry.replace(title, text, 1), count=1)
    entry = ISBN.sub("", IDENTIFIER.sub(rf"\g<1>.{number}", entry))
    return AUTHORS.sub(lambda _: chance.choice(people), entry, count=1)


def measured(folder: Path, n: int) -> tuple[float, float, int, float]:
    """Seconds of pybtex's parsing, of the import and of the export of `n` works, and the bytes the import needed."""
    file, survey = folder / f"works{n}.bib", folder / f"survey{n}"
    file.write_text(bibliography(n), encoding="utf-8")
    subprocess.run([*AWESOME, "init", str(survey)], check=True, capture_output=True, env=COMPILED)
    parse = [sys.executable, "-c", PARSE, str(file)]
    parsed = float(subprocess.run(parse, check=True, capture_output=True, text=True).stdout)
    taken, memory = usage([*AWESOME, "import", str(file)], survey)
    written, _ = usage([*AWESOME, "export", "bibtex", "--out", str(folder / "out.bib")], survey)
    return parsed, taken, memory, written


def run() -> list[Row]:
    """Rows of measurements."""
    folder = Path(tempfile.mkdtemp(prefix="bench-imports-"))
    try:
        _, import_small, _, export_small = measured(folder, SMALL)
        parsed, import_large, memory, export_large = measured(folder, LARGE)
    finally:
        shutil.rmtree(folder)
    small, large = 1e6 / SMALL, 1e6 / LARGE
    rows = [
        Row(f"import of {LARGE:,} entries against pybtex's parsing", import_large, parsed, 3.5),
        Row(f"peak memory of it (in MB), at most {MEMORY / 1e6:g}", memory / 1e6, MEMORY / 1e6, 1.0, "MB"),
        Row(
            f"import, an entry of {LARGE:,} against one of {SMALL:,}",
            import_large * large,
            import_small * small,
            1.2,
            "us",
        ),
        Row(
            f"export, a paper of {LARGE:,} against one of {SMALL:,}",
            export_large * large,
            export_small * small,
            1.2,
            "us",
        ),
    ]
    for odd in ODD:
        short, long = (best(partial(to_latex.__wrapped__, odd * n, protect=True)) * 1e9 / n for n in (5_000, 50_000))
        rows.append(Row(f"to LaTeX, {odd!r} 50,000 times against 5,000 times", long, short, 1.5, "ns"))
    return rows
