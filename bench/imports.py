"""Importing and exporting BibTeX: the whole command against pybtex's parsing alone, memory, and growth with size.

The files are made of the real entries in `tests/data/inputs/bibtex`, each with a key, a title and a first author of
its own. Times are those of the processor. A file system that has just removed many files makes new ones slowly (ext4
for some minutes), so a second run at once shows a higher figure.
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

SOURCES = ("hedvig-tirailleur", "ludger-paschen-germanic", "bibtex-aliases")
SMALL, LARGE = 6_950, 69_505
MEMORY = 500_000_000
PARSE = """
import sys, time
from pybtex.database.input.bibtex import Parser
start = time.process_time()
Parser(encoding="utf-8").parse_file(sys.argv[1])
print(time.process_time() - start)
"""
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
ODD = ("a(", "{", "$", "\\", "--", "\\'")
"""What a title is made of by repetition; each would take quadratic time if it were searched from every place."""


def entries() -> list[str]:
    """The entries of the real files."""
    texts = [(ROOT / f"tests/data/inputs/bibtex/{name}.bib").read_text(encoding="utf-8") for name in SOURCES]
    parts = (part for text in texts for part in re.split(r"(?m)^(?=@)", text))
    return [part for part in parts if re.match(r"@(?!string|comment|preamble|xdata)", part, re.IGNORECASE)]


def bibliography(n: int) -> str:
    """A BibTeX text of `n` works."""
    source, chance = entries(), random.Random(1)

    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4)))

    made: list[str] = []
    for number in range(n):
        entry = re.sub(r"^(@\w+\s*\{[^,]*),", rf"\g<1>_{number},", source[number % len(source)], count=1)
        title, author = f"{word().title()} {word().title()} ", f"{word().title()}, {word().title()} and "
        entry = re.sub(r"(?im)^(\s*title\s*=\s*[{\"]+)", rf"\g<1>{title}", entry, count=1)
        made.append(re.sub(r"(?im)^(\s*author\s*=\s*[{\"]+)", rf"\g<1>{author}", entry, count=1))
    return "\n".join(made)


def measured(folder: Path, n: int) -> tuple[float, float, int, float]:
    """Seconds of pybtex's parsing, of the import and of the export of `n` works, and the bytes the import needed."""
    file, survey = folder / f"works{n}.bib", folder / f"survey{n}"
    file.write_text(bibliography(n), encoding="utf-8")
    subprocess.run([*AWESOME, "init", str(survey)], check=True, capture_output=True, env=COMPILED)
    parse = [sys.executable, "-c", PARSE, str(file)]
    before = float(subprocess.run(parse, check=True, capture_output=True, text=True).stdout)
    taken, memory = usage([*AWESOME, "import", str(file)], survey)
    after = float(subprocess.run(parse, check=True, capture_output=True, text=True).stdout)
    written, _ = usage([*AWESOME, "export", "bibtex", "--out", str(folder / "out.bib")], survey)
    return min(before, after), taken, memory, written


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
        Row(f"import of {LARGE:,} entries against pybtex's parsing", import_large, parsed, 3.0),
        Row(f"peak memory of it (in MB), at most {MEMORY / 1e6:g}", memory / 1e6, MEMORY / 1e6, 1.0, "MB"),
        Row("import, an entry of 69,505 against one of 6,950", import_large * large, import_small * small, 1.2, "us"),
        Row("export, a paper of 69,505 against one of 6,950", export_large * large, export_small * small, 1.2, "us"),
    ]
    for odd in ODD:
        short, long = (best(partial(to_latex, odd * n, protect=True)) * 1e9 / n for n in (5_000, 50_000))
        rows.append(Row(f"to LaTeX, {odd!r} 50,000 times against 5,000 times", long, short, 1.5, "ns"))
    return rows
