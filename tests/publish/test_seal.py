"""The seal: an untouched survey is fresh without being read, and any byte that matters breaks it."""

from pathlib import Path

import pytest

from awesome_cli.publish import seal


@pytest.fixture
def sealed(run, root: Path) -> Path:
    run("render", root=root)
    return root


def intact(root: Path) -> bool:
    return bool(seal.untouched(root))


def test_what_was_just_rendered_is_intact(sealed: Path):
    assert intact(sealed)


@pytest.mark.parametrize(
    "path",
    [
        "corpus/aero2020.yaml",
        "exclusions/X1.yaml",
        "candidates/salt2026.yaml",
        "taxonomy.yaml",
        "README.md",
        "statistics.json",
    ],
)
def test_a_changed_byte_breaks_the_seal(sealed: Path, path: str):
    data = (sealed / path).read_bytes()
    (sealed / path).write_bytes(data.replace(b"a", b"b", 1))
    assert not intact(sealed)


@pytest.mark.parametrize("path", ["corpus/new2020.yaml", "claims.yaml", "templates/readme/gaps.md.j2"])
def test_a_new_file_breaks_the_seal(sealed: Path, path: str):
    (sealed / path).parent.mkdir(parents=True, exist_ok=True)
    (sealed / path).write_text("x: y\n")
    assert not intact(sealed)


def test_a_lost_file_breaks_the_seal(sealed: Path):
    (sealed / "corpus" / "aero2020.yaml").unlink()
    assert not intact(sealed)


def test_a_broken_seal_is_no_verdict(run, sealed: Path):
    path = sealed / "corpus" / "aero2020.yaml"
    path.write_text("# a remark\n" + path.read_text())
    assert not intact(sealed)
    run("render", "--check", root=sealed)


def test_another_version_of_the_tool_looks_again(sealed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seal, "__version__", "99")
    assert not intact(sealed)


def test_a_text_without_a_seal_has_none(root: Path):
    assert not seal.is_intact(root, "{}")
    assert not seal.is_intact(root, "nothing")
