"""An option of one name is one thing in every command; whatever writes can be tried without writing."""

import re
from collections import defaultdict
from pathlib import Path

import pytest
from builders import SENT_FORM
from docs_pages import commands

from awesome_cli.cli._options import within
from awesome_cli.cli._panels import PANELS
from awesome_cli.cli.evidence import folder
from awesome_cli.query import parser
from awesome_cli.survey.corpus import Corpus

COMMANDS = commands()
DIFFERENT = {
    "--apply": "refresh writes differences, screen decisions",
    "--axis": "init makes axes of columns",
    "--blind": "audit records it of a coding that was done, screen does it",
    "--by": "stats also splits by fields",
    "--check": "search compares works with its words, what writes exits 1 instead",
    "--confidence": "sensitivity takes the least level",
    "--fail-on": "each command has its own words",
    "--format": "the answers of plot are pictures",
    "--limit": "list stops there, search asks and goes on the next time",
    "--log": "the log of searches, or a revision with the log of changes to follow",
    "--n": "a sample of a size, or all where there are fewer",
    "--name": "audit code names an audit like the file of its answers",
    "--on-duplicate": "only import goes on without a person",
    "--order": "a finished screening has no days",
    "--out": "a file or a folder",
    "--since": "a day on which works appeared, or were found",
    "--source": "where evidence stands, or a service that is searched",
    "--title": "of a survey or of a work",
    "--who": "who coded, screens, runs a search or sent a form",
    "--with": "a program that codes, or a part of a new survey",
}
"""The options whose help or value differs from command to command, and why."""


def options(name: str) -> dict[str, object]:
    """The options of a command by their longest name."""
    return {max(p.opts, key=len): p for p in COMMANDS[name].params if p.param_type_name == "option"}


def test_an_option_of_one_name_means_one_thing():
    found = defaultdict(lambda: defaultdict(list))
    for name in COMMANDS:
        for option, parameter in options(name).items():
            found[option][parameter.help, parameter.metavar, parameter.nargs, parameter.is_flag].append(name)
    differing = {option for option, meanings in found.items() if len(meanings) > 1}
    assert differing == set(DIFFERENT)


def test_a_path_that_a_person_names_does_not_lead_out_of_the_survey():
    unguarded = {
        (name, parameter.name)
        for name, command in COMMANDS.items()
        for parameter in command.params
        if "Path" in str(parameter.type_descriptor.annotation)
        and getattr(parameter.callback, "__name__", "") not in {within.__name__, folder.__name__}
    }
    # The files of `validate` are names of findings, and `init` writes a survey of its own.
    assert unguarded == {("init", "folder"), ("validate", "paths")}


def test_whatever_writes_can_be_tried():
    for option in ("--dry-run", "--diff"):
        assert {name for name in COMMANDS if option in options(name)} == {
            *TRIED,
            "audit code",
            "audit import",
            "paper build",
            "recover",
            "refresh",
            "screen",
            "search",
            "validate",
        }


TRIED = {
    "add": ["--set", "title=A new one"],
    "admit": ["salt2026"],
    "dedupe": ["--distinct", "aero2020", "drip2021"],
    "exclude": ["aero2020", "--stage", "full_text", "--reason", "tea"],
    "fmt": [],
    "import": ["{tmp}/a.bib"],
    "init": ["{tmp}/new"],
    "issue apply": ["{tmp}/sent.md"],
    "link": ["aero2020", "--version-of", "drip2021"],
    "plot": ["years", "--out", "{tmp}/pictures"],
    "readmit": ["X1"],
    "remove": ["aero2020"],
    "rename": ["aero2020", "aero"],
    "render": [],
    "set": ["aero2020", "year=2022"],
    "site build": ["--out", "{tmp}/site"],
    "tag": ["aero2020", "taste=bitter:tasted"],
    "taxonomy deprecate": ["taste=salty", "--use", "sweet"],
    "taxonomy merge": ["taste=sweet,salty", "--into", "sweet"],
    "taxonomy migrate": [],
    "taxonomy rename": ["taste=sweet", "sugary"],
    "taxonomy split": ["taste=sweet", "sugary", "fruity"],
    "template copy": ["readme/papers.md.j2"],
}
"""Commands that change files of a survey, with arguments; audits, papers and registries have tests of their own."""


@pytest.mark.parametrize("option", ["--dry-run", "--diff"])
@pytest.mark.parametrize("name", sorted(TRIED))
def test_trying_writes_nothing_and_says_what_would_be_written(run, root: Path, name: str, option: str):
    (root.parent / "sent.md").write_text(SENT_FORM)
    (root.parent / "a.bib").write_text("@book{one, title={A new book}, author={Doe, Jane}, year={2020}}\n")
    before = {path: path.read_bytes() for path in root.parent.rglob("*") if path.is_file()}
    words = [word.replace("{tmp}", str(root.parent)) for word in TRIED[name]]
    done = run(*name.split(), *words, option, root=root)
    idle = name in {"fmt", "render", "taxonomy migrate"}
    assert ("" if idle else "--- " if option == "--diff" else "would ") in done.out
    assert done.out
    after = {
        path: path.read_bytes() for path in root.parent.rglob("*") if path.is_file() and ".awesome" not in path.parts
    }
    assert after == before


@pytest.mark.parametrize(
    "line",
    ["list", "stats", "gaps", "evidence", "evidence check", "export csv", "sensitivity", "plot years", "check-links",
     "taxonomy usage", "tag device=drip", "set year=2020"],
)  # fmt: skip
def test_an_unknown_word_of_a_filter_has_one_message(run, root: Path, line: str):
    words = [*line.split(), "--where", "devise=drip"]
    found = run(*words, root=root, code=2).err
    assert found.startswith("error: query: unknown axis, field or measure 'devise'; did you mean 'device'?")


ENGLISH = {
    "agent", "coding", "cost", "no", "orchestration", "outcome", "spawn", "stop", "supporting", "survey", "time", "tool", "yes",
}  # fmt: skip
"""Words of the shipped taxonomy that are plain English, too, or belong to every survey."""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_names_nothing_of_one_survey(shipped: Corpus, name: str):
    words = {*shipped.by_key, *(axis.id for axis in shipped.taxonomy.axes), *shipped.taxonomy.axes_of}
    texts = [COMMANDS[name].help, *(str(getattr(p, "help", "")) for p in COMMANDS[name].params)]
    texts += [parser.__doc__] if name == "explain" else []
    found = {word for text in texts for word in re.findall(r"[\w.-]+", text)}
    assert (found & words) - ENGLISH == set()


def test_every_panel_of_the_help_has_options_of_verbs():
    entries = {entry for entries in PANELS.values() for entry in entries.split()}
    verbs = {f"{name.split()[-1]}:{option}" for name in COMMANDS for option in options(name)}
    assert entries <= verbs | {name.partition(":")[2] for name in verbs}
