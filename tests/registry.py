"""A folder in place of the package registry: the wheel of this checkout, and what it asks for in name.

A package that the wheel asks for is here with the version that the tests have and without its files: these are borrowed from
the environment of the tests. So pip installs as it would elsewhere, and nothing is fetched.
"""

import base64
import hashlib
import importlib.metadata
import shutil
import sysconfig
import zipfile
from collections.abc import Callable, Iterable
from email import message_from_string
from pathlib import Path

from packaging.requirements import Requirement
from wheel import CHECKOUT, wheel

SERVER = "https://example.org/tool"


def registry(folder: Path) -> dict[str, str]:
    """The settings with which pip installs from the folder alone, and the wheel in it."""
    folder.mkdir()
    shutil.copy(wheel(), folder)
    with zipfile.ZipFile(wheel()) as packed:
        (text,) = (packed.read(name).decode() for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
    asked = map(Requirement, message_from_string(text).get_all("Requires-Dist") or [])
    names = [one.name for one in asked if not one.marker or one.marker.evaluate({"extra": "plot"})]
    borrowed(folder, names)
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def source(folder: Path, git: Callable[..., str]) -> str:
    """What the program is built from, as this checkout has it, in a git repository with one commit, which is returned."""
    for name in ("awesome_cli", "templates", "docs"):
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-CORPUS", "action.yml", ".pre-commit-hooks.yaml"):
        shutil.copy(CHECKOUT / name, folder)
    git(folder, "init", "-q")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "The tool")
    return git(folder, "rev-parse", "HEAD").strip()


def on_server(folder: Path) -> dict[str, str]:
    """The settings with which git finds the repository in the folder on `SERVER`."""
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{folder}.insteadOf", "GIT_CONFIG_VALUE_0": SERVER}


def borrowed(folder: Path, names: Iterable[str]) -> list[str]:
    """A wheel for each package, empty but for a line that leads to the packages of the tests; the lines that pin them."""
    packages = sysconfig.get_path("purelib")
    return [_write(folder, name, importlib.metadata.version(name), packages) for name in names]


def _write(folder: Path, name: str, version: str, packages: str) -> str:
    stem = f"{name.replace('-', '_')}-{version}"
    parts = {
        f"borrowed_{name}.pth": packages,
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{path},sha256={_digest(text)},{len(text.encode())}" for path, text in parts.items()]
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        for place, text in {**parts, record: "\n".join([*lines, f"{record},,"])}.items():
            packed.writestr(place, text)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
