"""Archives of logs are read as the folders that were packed, and only with plain files in them."""

import gzip
import io
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import foreign_files as files
import pytest
from builders import DATA
from trace_runs import import_path

from awesome_cli.traces.importers import archives

SESSION = DATA / "traces" / "claude-code" / "4b2030ed"
GROUP = DATA / "traces" / "who-and-when"


def packed(path: Path, members: dict[str, bytes]) -> Path:
    """An archive of the kind that the path's ending names."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, data in members.items():
                zipped.writestr(name, data)
        return path
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def members(*folders: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder.parent)): path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["runs.zip", "runs.tar", "runs.tar.gz"])
def test_an_archive_is_read_as_the_folder_that_was_packed(name: str, tmp_path: Path) -> None:
    results = import_path(packed(tmp_path / name, members(SESSION, GROUP)))
    plain = [*import_path(SESSION), *import_path(GROUP)]
    assert [each.traces for each in results] == [each.traces for each in plain]
    assert results[0].path == tmp_path / name / next(SESSION.glob("*.jsonl")).relative_to(SESSION.parent)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
@pytest.mark.parametrize("member", ["../led-out.json", "/led-out.json", "a/../../led-out.json", "a\\..\\led-out.json"])
def test_a_name_that_leads_out_is_refused(name: str, member: str, tmp_path: Path) -> None:
    (result,) = import_path(packed(tmp_path / name, {member: b"{}"}))
    assert "leads out of the archive" in str(result.error)
    assert sorted(path.name for path in tmp_path.parent.rglob("led-out.json")) == []


def test_a_link_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        info = tarfile.TarInfo("log.json")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(info)
    entry = zipfile.ZipInfo("log.json")
    entry.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as zipped:
        zipped.writestr(entry, "/etc/hostname")
    for name in ("a.tar", "a.zip"):
        (result,) = import_path(tmp_path / name)
        assert "neither a file nor a folder" in str(result.error)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_what_an_archive_holds_is_bounded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "UNPACKED", 50_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    (bomb,) = import_path(packed(tmp_path / name, {"a.json": b" " * 60_000}))
    assert "50,000 bytes; AWESOME_LIMITS=2" in str(bomb.error)
    (many,) = import_path(packed(tmp_path / name, {f"{n}.json": b"{}" for n in range(4)}))
    assert "3 members; AWESOME_LIMITS=2" in str(many.error)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_description_without_end_is_not_read(kind: bytes, tmp_path: Path) -> None:
    long = tarfile.TarInfo("p")
    long.type, long.size = kind, 64 << 20
    with gzip.open(tmp_path / "a.tgz", "wb", 1) as file:
        file.write(long.tobuf(tarfile.USTAR_FORMAT) + bytes(long.size) + tarfile.TarInfo("x.json").tobuf())
    tracemalloc.start()
    (result,) = import_path(tmp_path / "a.tgz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "the description of a member of a.tgz has more than 32,768 bytes" in str(result.error)
    assert peak < 4 << 20


def test_the_list_of_a_zip_archive_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "CONTENTS", 100)
    (result,) = import_path(packed(tmp_path / "a.zip", {f"{n}.json": b"{}" for n in range(4)}))
    assert "the list of the members of a.zip has more than 100 bytes" in str(result.error)


def test_a_name_that_cannot_be_written_is_shown_as_the_archive_has_it(tmp_path: Path) -> None:
    (result,) = import_path(packed(tmp_path / "a.tar", {"a": b"{}", "a/b.json": b"{}"}))
    assert str(result.error) == "a.tar: 'a/b.json': File exists"


def test_the_folder_of_an_archive_goes_when_the_run_is_ended(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar", {"a.json": b"{}"})
    code = "import sys,time,pathlib as p; from awesome_cli.traces.importers.archives import unpacked\n"
    code += "with unpacked(p.Path(sys.argv[1])) as f: print(f, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        assert (folder / "a.json").is_file()
        process.terminate()
        assert process.wait(30) != 0
    assert not folder.exists()


def test_a_damaged_archive_is_named(tmp_path: Path, run: Any) -> None:
    whole = packed(
        tmp_path / "a.zip", {"a.traj": files.document(tmp_path / "t", files.swe()).read_bytes()}
    ).read_bytes()
    (tmp_path / "b.zip").write_bytes(whole[: len(whole) // 2])
    assert "b.zip: not readable as an archive" in run("trace", "import", tmp_path / "b.zip", code=3).err
