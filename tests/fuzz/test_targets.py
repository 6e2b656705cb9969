"""Every seed, and inputs made of the seeds by chance, are read or refused in words."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.errors import AwesomeError
from awesome_cli.files.tree import PARTS
from awesome_cli.formats import IMPORTED
from awesome_cli.sources import SEARCHERS, SERVICES
from awesome_cli.traces.importers import FORMATS
from tests.fuzz.mutating import mutated
from tests.fuzz.repeating import FORMATS as REPEATED
from tests.fuzz.repeating import read_all, texts
from tests.fuzz.seeds import LARGEST, SEEDS, seeds
from tests.fuzz.targets import TARGETS, TooSlowError, corpus, tried

KEPT = sorted(path for path in SEEDS.glob("*/*"))


def test_everything_that_is_read_has_a_target():
    assert {f"import-{form}" for form in IMPORTED} | {f"run-{form}" for form in FORMATS} <= TARGETS.keys()
    assert {part.removesuffix(".yaml") for part in PARTS} <= TARGETS.keys()
    assert sum(name.startswith("answer-") for name in TARGETS) == len(SERVICES)
    assert {"searches", *(f"search-{name}" for name in SEARCHERS)} <= TARGETS.keys()
    assert {path.parent.name for path in KEPT} <= TARGETS.keys()


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_comes_to_its_end_with_a_seed(name: str):
    """A target that refuses all of its seeds tries nothing but refusals."""
    done = 0
    for data in seeds(name):
        try:
            TARGETS[name](data)
        except Exception:  # noqa: BLE001 - what it may raise is another test's matter
            continue
        done += 1
    assert done


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_kept_input_is_no_fault(path: Path):
    tried(path.parent.name, path.read_bytes())


@pytest.mark.parametrize(
    ("name", "head", "piece"),
    [
        ("import-ris", b"", b"\n"),
        ("import-json", b"", b"["),
        ("import-bibtex", b"@article{a, title={t}, author={A", b" "),
        ("import-nbib", b"PMID- 1\nTI  - A\nPG  - ", b"1"),
        ("queries", b"", b"("),
        ("searches", b"", b"("),
        ("searches", b"a", b" OR a"),
        ("texts", b"", b"{"),
        ("traces", b"", b"["),
        ("edits", b"", b"- "),
    ],
)
def test_many_of_one_piece_are_read_or_refused_in_time(name: str, head: bytes, piece: bytes):
    """An expression that looks at each place for what may begin there takes the square of the time."""
    tried(name, head + piece * 200_000 + b"x}}\n")


MOST_GROWTH = 10
"""Between linear time (4) and quadratic time (16)."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "head", "piece"),
    [
        *(("markdown", "", piece) for piece in ("![[", "![", "[", "- [x](", "[a][", "*a", "| a | b |\n")),
        ("markdown", "", "<table><td>x</td></table>"),
        ("bibtex", "", "@a("),
        ("csv", "title,links\nt,", "a "),
        ("json", '[{"title":"t","url":"', "Code: "),
    ],
)
def test_four_times_as_many_pieces_take_about_four_times_as_long(name: str, head: str, piece: str):
    assert growth(name, lambda size: (head + piece * (size // len(piece))).encode()) < MOST_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("name", REPEATED)
def test_a_text_of_one_piece_is_read_in_linear_time(name: str):
    slow = {text(60): ratio for text in texts(name) if (ratio := growth(name, text)) >= MOST_GROWTH}
    assert not slow


def growth(name: str, text: Callable[[int], bytes]) -> float:
    """How many times as long a text of 100 kB takes as one of 25 kB; a time below 0.1 seconds says nothing."""
    many = processor_time(name, text(100_000))
    return many / max(processor_time(name, text(25_000)), 0.1) if many > 0.6 else 0


def processor_time(name: str, data: bytes) -> float:
    begun = time.process_time()
    with suppress(AwesomeError):
        read_all(name, data)
    return time.process_time() - begun


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
@given(number=st.integers(0, 2**32))
def test_other_inputs_are_no_fault(name: str, number: int):
    chance = Random(number)
    tried(name, mutated(chance.choice(seeds(name)), chance, LARGEST))


def test_the_survey_that_targets_start_from_is_whole():
    assert corpus().findings == ()


def test_what_takes_too_long_is_a_fault(monkeypatch):
    monkeypatch.setattr("tests.fuzz.targets.SECONDS", 0.05)
    monkeypatch.setitem(TARGETS, "endless", lambda _: [None for _ in iter(int, 1)])
    with pytest.raises(TooSlowError):
        tried("endless", b"")
