"""Serving: only on loopback, and built again when a record changes."""

import http.client
import os
import queue
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
from running import invoke
from tiers import sampled

from awesome_cli.errors import AwesomeError
from awesome_cli.publish.site import server
from awesome_cli.publish.site.server import LOOPBACK, open_server, snapshot, watch


def test_only_this_machine_is_served_and_a_port_in_use_is_told(tmp_path: Path):
    with open_server(tmp_path, 0, tmp_path) as server:
        assert server.server_address[0] == LOOPBACK
        with pytest.raises(AwesomeError, match=f"cannot listen on port {server.server_port}"):
            open_server(tmp_path, server.server_port, tmp_path)


def test_a_changed_record_is_noticed_and_other_files_are_not(root: Path):
    before = snapshot(root)
    (root / "notes.txt").write_text("x", encoding="utf-8")
    assert snapshot(root) == before
    (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")
    assert snapshot(root) != before


class Looks(threading.Event):
    """Stops a watcher after some looks at the files, before each of which something is done; no time passes."""

    def __init__(self, *before: Callable[[], object]) -> None:
        super().__init__()
        self.before = iter(before)

    def wait(self, *_: object) -> bool:
        done = next(self.before, None)
        if done is not None:
            done()
        return done is None


def test_watching_builds_again(root: Path):
    built: list[int] = []
    looks = (
        lambda: None,
        lambda: (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8"),
        lambda: built.append(0),
    )
    watch(root, snapshot(root), lambda: built.append(1), Looks(*looks))
    assert built == [1, 0]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with all that must not be served beside a page that is."""
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    folder = tmp_path / "site"
    for name in ("inner/index.html", "empty/a.txt", ".git/config", "inner/.hidden", "index.html", "led/a.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("whole" if "index" in name else "part", encoding="utf-8")
    (folder / "out.txt").symlink_to("../secret.txt")
    (folder / "out").symlink_to("..")
    (folder / "led" / "index.html").symlink_to("../../secret.txt")
    (folder / "loop").symlink_to("loop")
    (folder / "inside").symlink_to("inner")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def port(site: Path) -> Iterator[int]:
    with open_server(site, 0, site.parent) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def answer(port: int, path: str = "/", method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    connection.putrequest(method, path, skip_host=bool(headers))
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    return response.status, response.read()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *[(path, 200) for path in ("/", "/index.html", "/inner/", "/empty/a.txt", "/inside/", "/?x=1", "//index.html")],
        *[
            (path, 404)
            for path in ("/out.txt", "/out/secret.txt", "/out/", "/led/", "/loop", "/pipe", "/../secret.txt")
        ],
        *[(path, 404) for path in ("/empty/", "/.git/config", "/.git/", "/inner/.hidden", "/%2e%2e/secret.txt")],
        *[(path, 404) for path in ("/%00", "/a%00b", "/%ff%fe", "/%ed%a0%80", f"/{'a' * 5000}")],
    ],
)
def test_only_files_of_the_folder_are_served(port: int, path: str, status: int, capfd: pytest.CaptureFixture[str]):
    found, body = answer(port, path)
    assert found == status
    assert b"secret" not in body
    assert answer(port) == (200, b"whole")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1", "localhost.example.org:{port}", "", "127.0.0.1:1", "0.0.0.0:{port}"]
)
def test_by_another_name_nothing_is_served(port: int, host: str):
    assert answer(port, Host=host.format(port=port))[0] == 421


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_by_the_names_of_this_machine_it_is(port: int, host: str):
    assert answer(port, Host=host.format(port=port)) == (200, b"whole")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "X"])
def test_only_reading_is_understood(port: int, method: str):
    assert answer(port, method=method)[0] == 501


def test_many_silent_connections_do_not_keep_others_out(port: int):
    silent = [socket.create_connection((LOOPBACK, port)) for _ in range(3 * server.MOST)]
    assert answer(port) == (200, b"whole")
    assert threading.active_count() < 2 * server.MOST
    for connection in silent:
        connection.close()


def test_a_silent_connection_is_closed(port: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server._Handler, "timeout", 0.1)
    with socket.create_connection((LOOPBACK, port), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert connection.recv(100) == b""


def template(root: Path, text: str) -> None:
    folder = root / "templates" / "site"
    folder.mkdir(parents=True)
    (folder / "terms.html.j2").write_text(text, encoding="utf-8")


def replaced(path: Path, made: Callable[[Path], object]) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    made(path)


def coming_and_going(root: Path) -> None:
    for _ in range(200):
        (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")
        (root / "corpus" / "new.yaml").unlink()
    (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")


FAULTS: dict[str, Callable[[Path], object]] = {
    "broken taxonomy": lambda root: (root / "taxonomy.yaml").write_text("axes: 5", encoding="utf-8"),
    "taxonomy of other bytes": lambda root: (root / "taxonomy.yaml").write_bytes(b"\xff\xfe\x00"),
    "taxonomy gone": lambda root: (root / "taxonomy.yaml").unlink(),
    "taxonomy as a folder": lambda root: replaced(root / "taxonomy.yaml", Path.mkdir),
    "taxonomy as a pipe": lambda root: replaced(root / "taxonomy.yaml", os.mkfifo),
    "records elsewhere": lambda root: replaced(root / "corpus", lambda path: path.symlink_to("/")),
    "template that raises": lambda root: template(root, "{{ 1 // 0 }}"),
    "template with broken syntax": lambda root: template(root, "{% if %}"),
    "records gone": lambda root: shutil.rmtree(root / "corpus"),
    "records that come and go": coming_and_going,
}


@contextmanager
def running(command: list[str | Path]) -> Iterator[tuple[subprocess.Popen[str], queue.SimpleQueue[str]]]:
    """A process and the lines that it says on standard error; it does not outlive the test."""
    said = queue.SimpleQueue[str]()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        reader = threading.Thread(target=lambda: [said.put(line) for line in process.stderr or ()])
        reader.start()
        try:
            yield process, said
        finally:
            process.kill()
            reader.join()


def serving(root: Path, out: Path) -> list[str | Path]:
    return [sys.executable, "-m", "awesome_cli", "-C", root, "site", "serve", "--watch", "--port", "0", "-o", out]


def test_a_link_out_in_place_of_the_site_is_neither_served_nor_written(root: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    with running(serving(root, root / "_site")) as (_, said):
        port = int(said.get(timeout=60).partition("127.0.0.1:")[2].partition("/")[0])
        assert answer(port)[0] == 200
        replaced(root / "_site", lambda path: path.symlink_to(outside))
        (root / "corpus" / "new.yaml").write_text("title: x", encoding="utf-8")
        assert "leads out of the survey" in said.get(timeout=30)
        assert list(outside.iterdir()) == []
        (outside / "index.html").write_text("secret", encoding="utf-8")
        assert answer(port)[0] == 404


def watched(root: Path, monkeypatch: pytest.MonkeyPatch, *before: Callable[[], object]) -> list[str]:
    """What `site serve --watch` says from the start and for each look, before which something is done."""
    said: list[str] = []

    def told() -> None:
        sys.stderr.flush()
        said.append(sys.stderr.buffer.getvalue().decode())  # the runner's

    def serve(listener: HTTPServer, folder: Path, seen: server.Snapshot, rebuild: Callable[[], None]) -> None:
        listener.server_close()
        looks = [lambda step=step: (told(), step()) for step in before]
        watch(folder, seen, rebuild, Looks(*looks, told))

    monkeypatch.setattr(server, "serve", serve)
    invoke("site", "serve", "--watch", "--port", "0", "-o", root / "_site", root=root)
    return [later.removeprefix(earlier) for earlier, later in pairwise(["", *said])]


def test_a_template_that_comes_later_is_named_once(root: Path, monkeypatch: pytest.MonkeyPatch):
    first, named, again = watched(root, monkeypatch, lambda: template(root, "own"), (root / "taxonomy.yaml").touch)
    assert first.startswith("http://127.0.0.1:")
    assert named == "this survey overrides templates: templates/site/terms.html.j2\nrebuilt\n"
    assert again == "rebuilt\n"


@pytest.mark.parametrize("name", sampled(FAULTS, "taxonomy as a pipe", "template that raises"))
def test_watching_survives_every_fault_of_the_survey(
    name: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole = shutil.copytree(root, tmp_path / "whole")

    def mend() -> None:
        for path in root.iterdir():
            if path.name != "_site":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        shutil.copytree(whole, root, dirs_exist_ok=True)
        text = (root / "taxonomy.yaml").read_text(encoding="utf-8")
        (root / "taxonomy.yaml").write_text(text.replace("How Coffee", "How New Coffee"), encoding="utf-8")

    _, spoiled, mended = watched(root, monkeypatch, lambda: FAULTS[name](root), mend)
    assert spoiled
    assert mended.endswith("rebuilt\n")
    assert "How New Coffee" in (root / "_site" / "index.html").read_text(encoding="utf-8")
