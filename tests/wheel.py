"""The wheel and the source archive of this checkout, and a fresh environment with the wheel alone."""

import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from functools import cache
from pathlib import Path

from filelock import FileLock
from needs import missing
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).parent.parent
FOLDER = CHECKOUT / ".make" / "wheel"


def wheel() -> Path:
    """The wheel, built from the source archive."""
    return _one("*.whl")


def archive() -> Path:
    """The source archive."""
    return _one("*.tar.gz")


@cache
def installed() -> Path:
    """`bin/awesome` of an environment that has the wheel and what it asks for at run time, and nothing else.

    What it asks for is taken from the environment of the tests, where the versions are pinned.
    """
    folder = wheel().parent / "environment"
    with FileLock(FOLDER / ".lock"):
        done = folder / ".installed"
        if not done.is_file():
            shutil.rmtree(folder, ignore_errors=True)
            _run("-m", "venv", "--without-pip", str(folder))
            packages = next(folder.glob("lib/python*/site-packages"))
            for name in {words.partition("[")[0] for words in _asked(_requirements(wheel()))}:
                _put(name, packages)
            python = str(folder / "bin" / "python")
            _run("-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", str(wheel()))
            done.touch()
    return folder / "bin" / "awesome"


@cache
def _built() -> Path:
    """The folder of both archives; its name tells what they were built from, and only the newest is kept."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    folder = FOLDER / _digest()
    with FileLock(FOLDER / ".lock"):
        if not list(folder.glob("*.whl")):
            for old in FOLDER.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            _run("-m", "build", "--no-isolation", "--outdir", str(folder), str(CHECKOUT))
    return folder


def _one(pattern: str) -> Path:
    (found,) = _built().glob(pattern)
    return found


def _digest() -> str:
    """What changes with any file that git would keep."""
    command = ["git", "-C", str(CHECKOUT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=False, capture_output=True, text=True)
    if listed.returncode:
        missing("the checkout is not a git repository, from which packages are built")
    found = hashlib.sha256(sys.version.encode())
    for name in sorted(set(listed.stdout.split("\0"))):
        path = CHECKOUT / name
        if path.is_file():
            found.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def _requirements(path: Path) -> list[str]:
    """What a wheel says it asks for."""
    with zipfile.ZipFile(path) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(opened.read(name).decode())
    return metadata.get_all("Requires-Dist", [])


def _asked(texts: list[str], extra: str = "", found: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names of what is required, directly or not, on this machine and without extras that nobody asks for."""
    for one in map(Requirement, texts):
        name = canonicalize_name(one.name)
        if one.marker is not None and not one.marker.evaluate({"extra": extra}):
            continue
        for asked in ("", *one.extras):
            words = f"{name}[{asked}]" if asked else name
            if words not in found:
                found = _asked(importlib.metadata.requires(name) or [], asked, found | {words})
    return found


def _put(name: str, packages: Path) -> None:
    """Put the files of a distribution into other site-packages, as links where the disk allows; no scripts."""
    for file in importlib.metadata.files(name) or []:
        source, target = Path(str(file.locate())), packages / file
        if ".." in file.parts or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)


def _run(*words: str) -> None:
    ended = subprocess.run([sys.executable, *words], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, f"{' '.join(words)}: {ended.stdout}{ended.stderr}"
