"""Sites to look at: built from the shipped survey, from coffee, and from records that try to become markup."""

import shutil
from datetime import date
from pathlib import Path

from builders import COFFEE, REPOSITORY

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.site import pages
from awesome_cli.publish.site.page import write_pages
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

PICTURES = REPOSITORY / ".make" / "screenshots"
HOSTILE = """\
title: "<img src=x onerror=alert(1)> </script><script>alert(2)</script> $\\\\alpha_{1}$ & \\"quotes\\" 'and' more"
authors:
- "<b>Bold</b>, Bobby"
year: 2024
venue: "\\"><script>alert(3)</script>"
links:
- {label: "<i>Paper</i>", url: "javascript:alert(4)"}
- {label: Code, url: "data:text/html,<script>alert(5)</script>"}
added: 2026-01-10
tags:
  device: drip
  taste:
  - {term: sour, strength: mentioned, evidence: "</td><script>alert(6)</script>", source: "javascript:alert(7)"}
summary: "{{ 7 * 7 }} {% raw %} \\u2028 </title>"
"""


def survey(root: Path, day: date | None = None) -> Corpus:
    """The survey in `root`, as it was on a day."""
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    return corpus if day is None else corpus.as_of(day)


def built(root: Path, out: Path, day: date | None = None, base: str | None = None) -> Path:
    """The site of the survey in `root`, written to `out`, for an address `base`."""
    write_pages(pages(survey(root, day), root, base=base), out)
    return out


def hostile_survey(root: Path) -> Path:
    """The coffee survey with a paper and an exclusion that try to become markup."""
    shutil.copytree(COFFEE, root)
    (root / "corpus" / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    (root / "exclusions" / "X9.yaml").write_text(
        "title: <script>alert(8)</script>\nurl: javascript:alert(9)\nscreening: {stage: abstract, reason: tea,"
        ' "on": 2026-01-01}\nnote: <style>*{display:none}</style>\n',
        encoding="utf-8",
    )
    return root
