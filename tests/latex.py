"""Compile a document with LaTeX of Debian's packages."""

import os
import re
import subprocess
from pathlib import Path

from needs import program

PACKAGES = {
    "pdflatex": "texlive-latex-recommended lmodern",
    "lualatex": "texlive-luatex texlive-latex-recommended lmodern",
}


def compiled(folder: Path, engine: str = "pdflatex") -> tuple[int, str]:
    """Compile `main.tex` once; the exit code and the log, whose lines are not broken."""
    command = [program(PACKAGES[engine], engine), "-halt-on-error", "-interaction=nonstopmode", "main.tex"]
    environment = {**os.environ, "max_print_line": "10000"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300, check=False)
    return done.returncode, (folder / "main.log").read_text(errors="replace")


def complaints(folder: Path, engine: str = "pdflatex") -> list[str]:
    """Compile `main.tex` with its bibliography; the errors and warnings of the last run, and those of BibTeX."""
    code, log = compiled(folder, engine)
    assert code == 0, log
    lines: list[str] = []
    if "\\bibdata" in (folder / "main.aux").read_text():
        bibtex = [program("texlive-binaries", "bibtex"), "main"]
        done = subprocess.run(bibtex, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
        lines = re.findall("^Warning.*", done.stdout, re.MULTILINE)
    for _ in range(2):
        code, log = compiled(folder, engine)
    assert code == 0, log
    return lines + re.findall(r"^!.*|^.*[Ww]arning: .*|^(?:Over|Under)full.*", log, re.MULTILINE)
