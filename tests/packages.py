"""Tools from npm that tests run, as `requirements/npm/package-lock.json` pins them by hash."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

from filelock import FileLock
from needs import missing

LOCKED = Path(__file__).parent.parent / "requirements" / "npm"
FOLDER = Path(__file__).parent.parent / ".make" / "npm"


@cache
def installed(package: str) -> Path:
    """The folder of a package, installed beside the checkout where it is missing; without npm the test ends."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lock = (LOCKED / "package-lock.json").read_bytes()
    done = FOLDER / "node_modules" / ".installed"
    with FileLock(FOLDER / ".lock"):
        if not done.is_file() or done.read_bytes() != lock:
            _install()
            done.write_bytes(lock)
    return FOLDER / "node_modules" / package


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None:
        missing("npm is not installed")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LOCKED / name, FOLDER / name)
    command = [npm, "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(FOLDER)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if ended.returncode:
        missing(f"npm could not install its tools: {ended.stderr[-200:]}")
