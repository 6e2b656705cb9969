"""Serving: only on loopback, and built again when a record changes."""

import threading
import time
from pathlib import Path

import pytest

from awesome_cli.errors import AwesomeError
from awesome_cli.publish.site.server import LOOPBACK, open_server, snapshot, watch


def test_only_this_machine_is_served_and_a_port_in_use_is_told(tmp_path: Path):
    with open_server(tmp_path, 0) as server:
        assert server.server_address[0] == LOOPBACK
        with pytest.raises(AwesomeError, match=f"cannot listen on port {server.server_port}"):
            open_server(tmp_path, server.server_port)


def test_a_changed_record_is_noticed_and_other_files_are_not(root: Path):
    before = snapshot(root)
    (root / "notes.txt").write_text("x", encoding="utf-8")
    assert snapshot(root) == before
    (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")
    assert snapshot(root) != before


def test_watching_builds_again(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("awesome_cli.publish.site.server.PAUSE", 0.02)
    stop, built = threading.Event(), threading.Event()
    watcher = threading.Thread(target=watch, args=(root, built.set, stop))
    watcher.start()
    try:
        time.sleep(0.1)
        assert not built.is_set()
        (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")
        assert built.wait(5)
    finally:
        stop.set()
        watcher.join()
