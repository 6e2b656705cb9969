"""The fuzzer itself: it counts its inputs, and keeps and names what is a fault."""

import pytest

from tests.fuzz import __main__ as fuzzing


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
    counts = [0, 0]
    with pytest.raises(EndedError, match="0"):
        fuzzing.alone("queries", fails, counts, 2, seed=1, seconds=1)
    assert counts[0] > 100
    assert counts[1] == 1
    (kept,) = (tmp_path / "queries").iterdir()
    assert kept.read_bytes()
    out = capfd.readouterr().out
    assert f"queries: {kept}" in out
    assert "ZeroDivisionError: a fault" in out
