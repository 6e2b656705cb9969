"""Each command typed wrong says what, why and what to type, and never in a library's words."""

import re
import shlex
from pathlib import Path

import pytest
from docs_pages import commands

COMMANDS = commands()
LIBRARY = re.compile(
    r"Input should|Value error|Got unexpected|requires an argument|No such option|No such command|\[OPTIONS\]|╭|Traceback"
)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_wrong_option_names_the_command_and_its_help(run, root: Path, name: str):
    done = run(*name.split(), "--nonsense", root=root, code=2)
    assert done.err.startswith(f"error: awesome {name} has no option '--nonsense'")
    assert done.err.endswith(f"\n  hint: see 'awesome {name} --help'\n")


@pytest.mark.parametrize("name", sorted(name for name in COMMANDS if any(p.required for p in COMMANDS[name].params)))
def test_a_missing_argument_is_named_with_how_to_write_it(run, root: Path, name: str):
    done = run(*name.split(), root=root, code=2)
    assert done.err.startswith(f"error: awesome {name} needs ")
    assert f"hint: awesome {name} " in done.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lst", "awesome has no verb 'lst'; did you mean 'list'?"),
        ("taxonomy renam", "awesome taxonomy has no verb 'renam'; did you mean 'rename'?"),
        ("list --wheer x", "awesome list has no option '--wheer'; did you mean '--where'?"),
        ("list --format jsn", "--format has no value 'jsn'; did you mean 'json'?"),
        ("list --limit few", "--limit: must be a whole number, not 'few'"),
        ("list --limit=-1", "--limit: must be 0 or more, not "),
        ("list --kind book", "--kind has no value 'book'"),
        ("list --as-of soon", "--as-of: 'soon' is not a date like 2025-01-31"),
        ("import a.bib --on soon", "--on: 'soon' is not a date like 2025-01-31"),
        ("trace check --skew wide x", "--skew: must be a number, not 'wide'"),
        ("show a b", "awesome show: 'b' is one word too many"),
        ("show a b c d", "awesome show: 'b c d' are 3 words too many"),
        ("dedupe --merge a", "hint: awesome dedupe --merge A B"),
        ("tag aero2020 soup2022 device=drip", "--where 'key=aero2020,soup2022' in place of the keys"),
        ("set aero2020 year=abc", "hint: see 'awesome schema paper'"),
        ("set aero2020 links=Code", "error: links: 'Code' is not a valid URL"),
        ("evidence check aero202", "no record 'aero202'; did you mean 'aero2020'?"),
        ("set aero2020 note=…", "note: '…' is a placeholder"),
        ("tag aero2020 taste=sour --source URL", "source: 'URL' is a placeholder"),
        ("list aero2020", "'aero2020' is one word too many"),
        ("audit import nofile.csv", "no such file: nofile.csv"),
        ("evidence check --texts nodir", "no such folder: nodir"),
        ("stats --by", "--by needs a value"),
        ("dedupe --link a", "--link needs 2 values"),
        ("list --kind=", "--kind has no value ''"),
        ("render --check=1", "--check takes no value"),
        ("schema papr", "KIND has no value 'papr'; did you mean 'paper'?"),
        ("gaps --fail-on sparce", "'sparce' is not one of: gap, sparse"),
        ("evidence --where taste=sour check", "--where stands before 'check'"),
        ("gaps sour --by taste", "'sour' and --by are two questions"),
        ("gaps --by a,b,c", "a table or a plot has one axis or two"),
        ("gaps --measure grams --by taste", "--measure goes with no term"),
        ("plot years --measure grams", "the plot 'years' takes no --measure"),
        ("plot flow --where year=2020", "the plot 'flow' takes no --where"),
        ("plot years --by beans,taste", "the plot 'years' takes no --by with two axes"),
        ("plot --readme --theme dark", "--theme does not go with --readme"),
        ("tag", "the command names no record"),
        ("tag aero2020", "the command says no change"),
        ("tag --where taste=sour", "the command says no change"),
        ("set aero2020 year=2020 --kind paper", "--kind goes with --where"),
        ("links aero2020 --where year=2020", "'aero2020' and --where both choose records"),
        ("add --kind exclusion 10.1/x", "an exclusion has a stage and a reason"),
    ],
)
def test_what_is_wrong_is_said_in_our_words(run, root: Path, line: str, said: str):
    done = run(*line.split(), root=root, code=2)
    assert said in done.err
    assert "\n  hint: " in done.err
    assert not LIBRARY.search(done.err)
    assert not done.out


def test_a_placeholder_of_a_fix_is_no_data(run, root: Path):
    run("set", "aero2020", "authors=", "links=", "identifiers=", root=root)
    found = [entry["fix"] for entry in run("validate", "-f", "json", root=root, code=None).json["findings"]]
    fixes = [shlex.split(fix, comments=True)[1:] for fix in found if fix and fix.startswith("awesome set aero2020")]
    assert len(fixes) > 1
    for words in fixes:
        assert "is a placeholder" in run(*words, root=root, code=2).err


def test_a_hint_names_the_way_on(run, root: Path, tmp_path: Path):
    work = ["exclude", "arxiv:2101.00004", "--stage", "abstract", "--reason", "tea"]
    assert "--title TEXT" in run("--offline", *work, root=root, code=3).err
    assert "'strengths' in taxonomy.yaml" in run("tag", "soup2022", "device=drip:measured", root=root, code=2).err
    assert "gap-map (Evidence-gap map)" in run("init", tmp_path / "new", "--preset", "evidence", code=2).err
