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
        ("links", "awesome has no verb 'links'; did you mean 'check-links'?"),
        ("taxonomy renam", "awesome taxonomy has no verb 'renam'; did you mean 'rename'?"),
        ("list --wheer x", "awesome list has no option '--wheer'; did you mean '--where'?"),
        ("list --format jsn", "--format has no value 'jsn'; did you mean 'json'?"),
        ("list --limit few", "--limit: must be a whole number, not 'few'"),
        ("list --limit=-1", "--limit: must be 0 or more, not "),
        ("list --kind book", "--kind has no value 'book'"),
        ("list --as-of soon", "--as-of: 'soon' is not a valid date (example: 2025-01-31)"),
        ("import a.bib --on soon", "--on: 'soon' is not a valid date (example: 2025-01-31)"),
        ("trace check --skew wide x", "--skew: must be a number, not 'wide'"),
        ("show a b", "awesome show: unexpected argument: b"),
        ("show a b c d", "awesome show: unexpected arguments: b c d"),
        ("dedupe --merge a", "hint: awesome dedupe --merge A B"),
        ("tag aero2020 soup2022 device=drip", "--where 'key=aero2020,soup2022' in place of the keys"),
        ("set aero2020 year=abc", "hint: see 'awesome schema paper'"),
        ("set aero2020 links=Code", "error: links: 'Code' is not a valid URL"),
        ("evidence check aero202", "unknown record 'aero202'; did you mean 'aero2020'?"),
        ("set aero2020 note=…", "note: '…' is a placeholder"),
        ("tag aero2020 taste=sour --source URL", "source: 'URL' is a placeholder"),
        ("tag aero2020 taste=sour --source javascript:x", "'javascript:x' is not a valid URL"),
        ("list aero2020", "unexpected argument: aero2020"),
        ("audit import nofile.csv", "no such file: nofile.csv"),
        ("evidence check --texts nodir", "no such folder: nodir"),
        ("stats --by", "--by needs a value"),
        ("dedupe --link a", "--link needs 2 values"),
        ("list --kind=", "--kind has no value ''"),
        ("render --check=1", "--check does not take a value"),
        ("schema papr", "KIND has no value 'papr'; did you mean 'paper'?"),
        ("gaps --fail-on sparce", "'sparce' is not a valid state (use one of: gap, sparse, unknown)"),
        ("evidence --where taste=sour check", "--where must follow 'check'"),
        ("gaps beans taste", "hint: awesome gaps --by beans,taste"),
        ("gaps taste sour", "hint: awesome gaps taste=sour"),
        ("gaps taste sorry", "hint: awesome gaps [TERM|AXIS]"),
        ("stats beans taste", "hint: awesome stats --by beans,taste"),
        ("stats taste sour", "hint: awesome stats --where taste=sour"),
        ("stats beans sour", "hint: awesome stats --by beans --where taste=sour"),
        ("gaps sour --by taste", "'sour' cannot be combined with --by"),
        ("gaps --by a,b,c", "--by takes at most two axes here"),
        ("gaps --measure grams --by taste", "--measure cannot be combined with TERM"),
        ("plot years --measure grams", "the plot 'years' does not take --measure"),
        ("plot flow --where year=2020", "the plot 'flow' does not take --where"),
        ("plot years --by beans,taste", "the plot 'years' does not take --by with two axes"),
        ("plot --readme --theme dark", "--theme cannot be combined with --readme"),
        ("tag", "a record is missing"),
        ("tag aero2020", "the change is missing"),
        ("tag --where taste=sour", "the change is missing"),
        ("set aero2020 year=2020 --kind paper", "--kind needs --where"),
        ("check-links aero2020 --where year=2020", "'aero2020' cannot be combined with --where"),
        ("add --kind exclusion 10.1/x", "'awesome add' cannot add exclusions"),
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
