"""Former spellings still work, say what to write, and are in no help; nothing else is rewritten."""

import shlex
from pathlib import Path

import pytest
from docs_pages import commands

from awesome_cli.cli._spelling import QUERIES, SPELLINGS, rewritten

PAIRS = [
    ("list --candidates", "list --kind candidate"),
    ("list taste=sour year>=2019", "list --where 'taste=sour year>=2019'"),
    ("export csv taste=sour", "export csv --where taste=sour"),
    ("evidence check taste=sour", "evidence check --where taste=sour"),
    ("tag aero2020 taste=bitter:tasted --by Ada --diff", "tag aero2020 taste=bitter:tasted --who Ada --diff"),
    ("-C {root} set aero2020 year=2021 --by=Ada --diff", "set aero2020 year=2021 --who Ada --diff"),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_former_spelling_gives_the_same_answer_and_a_remark(run, root: Path, old: str, new: str):
    words = shlex.split(old.replace("{root}", str(root)).replace(">", "\\>"))
    former, present = run(*words, root=None if "-C" in words else root), run(*shlex.split(new), root=root)
    assert former.out == present.out
    assert "which the next release does not accept" in former.err
    assert present.err == former.err.partition("\n")[2]
    assert "remark" not in run("--quiet", *words, root=None if "-C" in words else root).err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import a.bib --exclude --stage x", "import a.bib --kind exclusion --stage x"),
        ("add 10.1/x --candidate", "add 10.1/x --kind candidate"),
        ("claims check --strict-contested", "claims check --reading generous"),
        ("claims show ID --strict-contested=strong", "claims show ID --reading generous --grade strong"),
        ("taxonomy migrate --from main", "taxonomy migrate --log main"),
        ("trace import --format-of=otlp x", "trace import --from=otlp x"),
        ("trace replay --strict x", "trace replay --stop x"),
        ("exclude KEY --source ACL", "exclude KEY --found-in ACL"),
        ("audit import x.csv --by Ada", "audit import x.csv --who Ada"),
        ("plot gaps --cols beans", "plot gaps --by ,beans"),
        ("gaps --cols=taste --rows beans", "gaps --by beans,taste"),
        ("list --exclusions", "list --kind exclusion"),
        ("stats --from=strong", "stats --grade=strong"),
        ("evidence --axis taste", "evidence --by taste"),
        ("audit sample --axes a,b", "audit sample --by a,b"),
    ],
)
def test_words_are_rewritten_before_they_are_parsed(old: str, new: str):
    words, remarks = rewritten(old.split())
    assert (words, len(remarks)) == (new.split(), 1)


@pytest.mark.parametrize(
    "line",
    [
        "stats --by beans",
        "add 10.1/x --source URL",
        "import a.bib --from ris",
        "trace check --strict x",
        "tag aero2020 -- --by",
        "taxonomy rename --by",
        "",
    ],
)
def test_the_present_spelling_stays(line: str):
    assert rewritten(line.split()) == (line.split(), ())


def test_both_spellings_at_once_are_refused(run, root: Path):
    assert "leave out --candidates" in run("list", "--candidates", "--kind", "paper", root=root, code=2).err
    assert "two queries" in run("list", "taste=sour", "--where", "taste=sour", root=root, code=2).err


def test_no_former_spelling_is_in_help():
    found = commands()
    for one in SPELLINGS:
        for verb in one.verbs:
            options = {name for parameter in found[verb].params for name in parameter.opts}
            assert options.isdisjoint(one.options), (verb, one.old)
            assert one.new.split()[0] in options, (verb, one.new)
    assert all("--where" in {name for p in found[verb].params for name in p.opts} for verb in QUERIES)
