"""The fuzzer itself: it counts its inputs, and keeps and names what is a fault."""

import re
import sys

import pytest

from tests.fuzz import __main__ as fuzzing
from tests.fuzz import targets


def test_an_input_that_is_a_fault_is_kept_and_told_once(tmp_path, monkeypatch, capfd):
    """In this process, and by chance, as where there is no atheris."""

    def fails(data: bytes) -> None:
        if data:
            raise ZeroDivisionError("a fault")

    class EndedError(Exception):
        pass

    def end(code: int) -> None:
        raise EndedError(code)

    monkeypatch.setattr(fuzzing, "SEEDS", tmp_path)
    monkeypatch.setattr(fuzzing, "atheris", None)
    monkeypatch.setattr(fuzzing.os, "_exit", end)
    monkeypatch.setattr(fuzzing.os, "dup2", lambda *_: None)
    counts = [0, 0, 0]
    with (tmp_path / "last").open("w+b") as last, pytest.raises(EndedError, match="0"):
        fuzzing.alone("queries", fails, counts, (2, last.fileno()), seed=1, seconds=1)
    assert counts[0] > 100
    assert counts[1:] == [1, 0]
    (kept,) = (tmp_path / "queries").iterdir()
    assert kept.read_bytes()
    out = capfd.readouterr().out
    assert f"queries: {kept}" in out
    assert "ZeroDivisionError: a fault" in out


@pytest.mark.parametrize("ends", [True, False], ids=["in-python", "in-a-regular-expression"])
def test_an_input_that_takes_too_long_is_a_fault(ends, tmp_path, monkeypatch, capfd):
    def waits(_: bytes) -> None:
        while ends:
            pass
        re.match("(a+)+$", "a" * 40 + "b")

    monkeypatch.setattr(fuzzing, "SEEDS", tmp_path)
    monkeypatch.setattr(fuzzing, "atheris", None)
    monkeypatch.setattr(targets, "SECONDS", 0.1)
    monkeypatch.setitem(targets.TARGETS, "endless", waits)
    monkeypatch.setattr(sys, "argv", ["fuzz", "--minutes", "0.01", "endless"])
    assert fuzzing.main() == 1
    assert len(list((tmp_path / "endless").iterdir())) == 1
    assert "1 targets:" in (out := capfd.readouterr().out)
    assert " 1 faults" in out
