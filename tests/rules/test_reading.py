"""Unseen characters, endings of file names and shapes of values: one finding for each fault."""

from pathlib import Path

import pytest
from rule_cases import ANA, AUDIT, CLAIMS, DRIP, PAPER, PROTOCOL, RUN, SEARCH, TAX, X1, complete

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from awesome_cli.rules.reading import unseen

ACTING = "\x00\x1b\r\x7f\x92\u2028\u2029\u202a\u202e\u2066\u2069\u206a\ufeff\ufff9\U000e0041\uffff"
NEEDED = "\t\xad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u3164\ufe0f\U000e0100"


@pytest.mark.parametrize("character", ACTING)
def test_what_acts_unseen_is_an_error(character: str):
    text = f'year: 2020\ntitle: "a\\U{ord(character):08x}b"\n'
    assert [*unseen(text.encode())] == [(2, 8, character)]


@pytest.mark.parametrize("character", NEEDED)
def test_what_languages_need_is_none(character: str):
    assert [*unseen(f'title: "a{character}b\\U{ord(character):08x}"\n'.encode())] == []


def test_the_ends_of_lines_of_another_system_are_none():
    text = 'title: "Caf\\u00e9 \\x26"\r\n# a note\r\nnote: "a\\rb"\r\n'
    assert [*unseen(text.encode())] == [(3, 7, "\r")]


def found_in(root: Path) -> list[tuple[str, str, str | None]]:
    return [(f.code, f.path, f.fix) for f in check(WorkingTree(root)) if f.code != "C001"]


CANDIDATE = "candidates/salt2026.yaml"


@pytest.mark.parametrize("path", [DRIP, X1, CANDIDATE, AUDIT, CLAIMS, PROTOCOL, TAX, SEARCH, RUN, ANA, PAPER])
def test_an_invisible_character_is_found_in_every_file_of_a_survey(root: Path, path: str):
    text = (complete(root) / path).read_text()
    (root / path).write_text(f"{text}# a\u202eb\n", encoding="utf-8")
    is_record = path in {DRIP, X1, CANDIDATE}
    fix = f"awesome edit {Path(path).stem} # remove the character" if is_record else f"remove the character from {path}"
    assert found_in(root) == [("Y010", path, fix)]


@pytest.mark.parametrize("path", [DRIP, X1, AUDIT, CLAIMS, PROTOCOL, SEARCH])
def test_a_file_that_ends_in_yml_has_one_finding(root: Path, path: str):
    complete(root)
    wrong = path.removesuffix("yaml") + "yml"
    (root / path).rename(root / wrong)
    assert found_in(root) == [("S006", wrong, f"mv {wrong} {path}")]
    (root / path).write_bytes((root / wrong).read_bytes())
    assert found_in(root) == [("S006", wrong, f"merge {wrong} into {path}, and remove it")]


def test_endings_in_capitals_and_in_subfolders_are_named(root: Path):
    (root / DRIP).rename(root / "corpus/drip2021.YML")
    (root / "corpus/more").mkdir()
    (root / "corpus/more/tea2020.yml").write_text("title: Tea\n")
    assert {path for code, path, _ in found_in(root) if code == "S006"} == {
        "corpus/drip2021.YML",
        "corpus/more/tea2020.yml",
    }


@pytest.mark.parametrize(
    "line", ["show drip2021", "tag drip2021 taste=sour", "edit drip2021", "set drip2021 year=2020"]
)
def test_commands_name_a_record_that_ends_in_yml(run, root: Path, line: str):
    (root / DRIP).rename(root / "corpus/drip2021.yml")
    done = run(*line.split(), root=root, code=3)
    assert "corpus/drip2021.yml is not a valid record" in done.err
    assert "hint: mv corpus/drip2021.yml corpus/drip2021.yaml" in done.err
    assert "corpus/drip2021.yml cannot be read" in run("fmt", "drip2021", root=root, code=4).err


def test_a_taxonomy_that_ends_in_yml_is_named(run, root: Path):
    (root / "taxonomy.yaml").rename(root / "taxonomy.yml")
    assert "mv taxonomy.yml taxonomy.yaml" in run("validate", root=root, code=3).err


SHARES = "{share: device=drip, among: year>=2000, at_most: 0.6}"


@pytest.mark.parametrize(
    ("path", "text", "place", "message"),
    [
        (TAX, "sparse: {share: 15}", "15", "a share must be from 0 to 1; 15 % is 0.15"),
        (TAX, "sparse: {share: 0.5, of: year>=2000}", "of:", "sparse has no field 'of'"),
        (TAX, "sparse: {share: 0.5, among: yeer>=2000}", "yeer", "did you mean 'year'?"),
        (TAX, "sparse: {at_most: 2, among: year>=2000}", "{at", "expected either at_most"),
        (TAX, "sparse: {at_most: 2, share: 0.5}", "{at", "expected either at_most"),
        (CLAIMS, SHARES.replace("0.6", "60"), "60", "a share must be from 0 to 1; 60 % is 0.6"),
        (CLAIMS, SHARES.replace("among", "amung"), "amung", "did you mean 'among'?"),
        (CLAIMS, SHARES.replace("among", "of"), "year", "must be 'papers' or 'exclusions'"),
        (CLAIMS, SHARES.replace("year", "yeer"), "yeer", "did you mean 'year'?"),
        (CLAIMS, SHARES.replace("device=drip", "0.6"), "0.6", "must be a query, not 0.6"),
        (CLAIMS, SHARES.replace("share", "count"), "{count", "'count' cannot have 'among'"),
        (CLAIMS, SHARES.replace(", at_most: 0.6", ""), "{share", "needs a bound"),
    ],
)
def test_a_wrong_share_has_one_finding(root: Path, path: str, text: str, place: str, message: str):
    complete(root)
    added = "axes:" if path == TAX else "rereadings:\n"
    claim = f"- {{id: more-drip, statement: At most 60 % drip., expect: [{text}], as_of: 2026-03-01}}\n"
    new = f"{text}\n{added}" if path == TAX else claim + added
    (root / path).write_text((root / path).read_text().replace(added, new, 1))
    (finding,) = [f for f in check(WorkingTree(root)) if f.code != "C001"]
    assert message in finding.message
    line = (root / path).read_text().splitlines()[finding.line - 1]
    assert line[finding.column - 1 :].startswith(place)
