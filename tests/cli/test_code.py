"""`awesome code` at a real terminal: the questions, the keys, the disk, the next day."""

from pathlib import Path
from signal import SIGKILL

import pytest
import yaml
from running import invoke
from screened import candidate, put
from terminals import sat

KEYS = "a key codes  n NA"


@pytest.fixture
def uncoded(root: Path) -> Path:
    """The coffee survey with three papers to code, a paper that waits on beans, and an included candidate."""
    for n in range(3):
        (root / f"corpus/p{n}.yaml").write_text(
            f"title: On pouring, part {n}\nauthors:\n- Doe, Jane\nyear: 2024\nidentifiers: {{arxiv: '2401.0000{n}'}}\n"
            "added: 2026-06-01\nnot_coded:\n- taste\nextra:\n  abstract: Water is poured.\n"
        )
    put(root, candidate("zz", title="On siphoning", proposal="retain", passed=("abstract",)))
    (root / "candidates/salt2026.yaml").unlink()
    return root


def read(root: Path, name: str) -> dict:
    return yaml.safe_load((root / name).read_text())


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.yaml") if path.parent.name != "screenings"}


def test_each_answer_is_on_the_disk_and_undo_restores_the_bytes(uncoded: Path):
    before = files(uncoded)
    with sat("code", "--who", "ana", "--where", "title~pouring", root=uncoded) as at:
        seen = at.press("", KEYS)
        assert "3 to code | 0 decided by ana" in seen
        for text in ("On pouring, part 0", "arxiv.org/abs/2401.00000", "Device: What is it brewed with?",
                     "3  Drip: Water runs through.", "Water is poured."):  # fmt: skip
            assert text in seen
        assert "Which taste is studied, and how?" in at.press("3", "p0 coded (device=drip); u undoes it")
        assert read(uncoded, "corpus/p0.yaml")["tags"] == {"device": "drip"}
        assert "1  [x] Bitter" in at.press("1", "[x]")
        at.press("2", "2  [x] Sour")
        at.press("\r", "Strength of bitter?")
        at.press("3", "Evidence for bitter:measured, in one sentence (it closes a gap")
        at.press("Refractometer.\r", "Source of the evidence (Enter: arxiv:2401.00000)")
        assert "Water is poured." in at.screen
        assert "> Refractometer._" in at.press("\x1b", "Evidence for bitter:measured")
        at.press("\x1b", "Strength of bitter?")
        at.press("\x1b", "a key codes")
        at.press("\r", "Strength of bitter?")
        at.press("3\r\r", "Strength of sour?")
        at.press("1", "Evidence for sour:mentioned, in one sentence (Enter: none)")
        at.press("\r", "p0 coded (taste=bitter:measured, sour:mentioned)")
        assert read(uncoded, "corpus/p0.yaml")["tags"]["taste"] == [
            {"term": "bitter", "strength": "measured", "evidence": "Refractometer.", "source": "arxiv:2401.00000"},
            {"term": "sour", "strength": "mentioned"},
        ]
        assert "not_coded" not in read(uncoded, "corpus/p0.yaml")
        at.press("tAsk the author.\r", "p1 noted")
        assert "note: Ask the author." in at.screen
        assert "part 1" in at.press("s", "p1 skipped (device)")
        assert "Which taste" in at.screen, "only the question was skipped"
        at.press("n", "p1 coded (taste=NA)")
        assert "not_coded" not in read(uncoded, "corpus/p1.yaml")
        for done in ("p1 coded (taste=NA)", "p1 skipped (device)", "p1 noted", "p0 coded (taste", "p0 coded (device"):
            at.press("u", f"undone: {done}")
        at.press("q", "Resume with:\n  awesome code --who ana --where")
        assert "0 decisions in this session, saved in screenings/ana.yaml; 3 to code" in at.screen
    assert files(uncoded) == before


def test_it_goes_on_where_it_was_and_a_candidate_that_lacks_nothing_becomes_a_paper(uncoded: Path):
    only = ("--where", "key=p2,zz")
    with sat("code", "--who", "ana", *only, root=uncoded) as at:
        at.press("", KEYS)
        at.press("s", "p2 skipped (device)")
        at.press("s", "p2 skipped (taste)")
        assert "On siphoning" in at.screen
        at.press("2", "zz coded (device=siphon)")
        assert (uncoded / "candidates/zz.yaml").exists(), "silence on other axes would count as an answer"
        at.end(SIGKILL)
    with sat("code", "--who", "ana", *only, root=uncoded) as at:
        seen = at.press("", KEYS)
        assert "zz coded (device=siphon)" in seen
        assert "Which taste" in seen
        at.press("n", "zz coded (taste=NA)")
        at.press("1", "zz coded (beans=arabica) and admitted")
        assert read(uncoded, "corpus/zz.yaml")["tags"] == {"device": "siphon", "beans": "arabica"}
        assert "On pouring, part 2" in at.screen
        at.press("u", "undone: zz coded (beans=arabica)")
        assert not (uncoded / "corpus/zz.yaml").exists()
        at.press("1", "and admitted")
        at.press("1", "p2 coded (device=press)")
        at.press("n", "All papers of this queue are coded.")
        at.press("q", "all papers of this")
    log = read(uncoded, "screenings/ana.yaml")["decisions"]
    assert [(d["key"], d["verdict"], d["axis"], d.get("terms")) for d in log][2:4] == [
        ("zz", "code", "device", ["siphon"]), ("zz", "code", "taste", ["NA"]),
    ]  # fmt: skip
    assert invoke("validate", root=uncoded, code=None).out.count("R00") == 0
    assert invoke("status", root=uncoded).code == 0


def test_a_wrong_key_another_program_and_a_required_axis(uncoded: Path):
    with sat("code", "--who", "ana", "--axis", "device", root=uncoded) as at:
        at.press("", KEYS)
        at.press("n", "not done: device cannot be NA: every paper must have a term")
        at.press("9", "'9' has no term on this axis")
        assert "A plunger ends the steeping." in at.press("d", "any key: go back")
        at.press("x", "On pouring, part 0")
        path = uncoded / "corpus/p0.yaml"
        path.write_text(path.read_text().replace("year: 2024", "year: 2023"))
        at.press("3", "p0 was changed by another program: no decision was saved")
        assert "2023" in at.screen
        at.press("3", "p0 coded (device=drip)")
    assert read(uncoded, "corpus/p0.yaml")["year"] == 2023


def test_a_work_that_another_program_finishes_is_left_alone(uncoded: Path):
    """Its next key would otherwise replace a coding that was not asked for."""
    soup = ("--where", "key=soup2022,p0")
    with sat("code", "--who", "ana", *soup, root=uncoded) as at:
        at.press("", KEYS)
        at.press("s", "p0 skipped (device)")
        at.press("n", "p0 coded (taste=NA)")
        assert "Is it soup?" in at.screen
        invoke("tag", "soup2022", "beans=arabica", root=uncoded)
        seen = at.press("2", "soup2022 was changed by another program: it was skipped")
        assert "On pouring, part 0" in seen
        at.press("3", "p0 coded (device=drip)")
    assert read(uncoded, "corpus/soup2022.yaml")["tags"] == {"device": "drip", "beans": "arabica"}


def test_a_single_strength_does_not_trap(uncoded: Path):
    taxonomy = uncoded / "taxonomy.yaml"
    lines = taxonomy.read_text().splitlines(keepends=True)
    taxonomy.write_text("".join(line for line in lines if "id: mentioned" not in line and "id: tasted" not in line))
    with sat("code", "--who", "ana", "--axis", "taste", root=uncoded) as at:
        at.press("", KEYS)
        at.press("1\r", "Evidence for bitter:measured")
        at.press("\x1b", "a key codes")
        at.press("q", "0 decisions in this session; 4 to code")


def test_a_long_axis_has_pages_and_a_narrow_terminal_keeps_its_lines(uncoded: Path):
    taxonomy = uncoded / "taxonomy.yaml"
    terms = "".join(f"  - {{id: k{n}, label: Kind {n}, definition: {'word ' * 30}}}\n" for n in range(40))
    taxonomy.write_text(taxonomy.read_text().replace("  - {id: drip,", f"{terms}  - {{id: drip,"))
    with sat("code", "--who", "ana", root=uncoded, rows=45, columns=60) as at:
        seen = at.press("", KEYS)
        assert "0  more terms (44 in all)" in seen
        assert max(map(len, seen.splitlines())) <= 60
        assert "Kind 39" in at.press("0", "Drip")
        at.press("0", "Press")
        at.press("0j", "p0 coded (device=cold)")


def test_without_a_terminal_it_says_what_to_do_instead_and_lists_the_queue(uncoded: Path):
    assert "awesome tag --table" in invoke("code", "--who", "ana", root=uncoded, code=2).err
    queue = invoke("code", "--who", "ana", "--format", "json", "--axis", "taste", root=uncoded).json["data"]["queue"]
    assert [(entry["key"], entry["axis"]) for entry in queue] == [(f"p{n}", "taste") for n in range(3)] + [
        ("zz", "taste")
    ]
    (uncoded / "screenings").mkdir()
    (uncoded / "screenings/bo.yaml").write_text("who: Bo\nblind: true\n")
    with sat("code", "--who", "bo", root=uncoded) as at:
        assert "blind and change no records" in at.end()
        assert at.code == 2
