"""The command that adds the libraries of an extra, by the kind of environment."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from awesome_cli.system.extras import CHECKOUT, adding, install

REQUIRES = [
    "typer>=0.29",
    "dask>=2025.1; extra == 'dask'",
    'distributed>=2025.1; (python_version < "3.20") and extra == "dask"',
    "matplotlib>=3.10; extra == 'plot'",
]
URL = "https://git.example/survey"
GIT = {"url": URL, "vcs_info": {"vcs": "git", "commit_id": "0" * 40}}
TAGGED = {"url": URL, "vcs_info": {"vcs": "git", "commit_id": "0" * 40, "requested_revision": "v2"}}
WHEEL = {"url": "https://files.example/tool.whl", "archive_info": {}}
EDITABLE = {"url": "file:///code/tool", "dir_info": {"editable": True}}
UVX = "cache/uv/archive-v0/x1"


@pytest.mark.parametrize(
    ("prefix", "marker", "origin", "present", "command"),
    [
        ("env", "pyvenv.cfg", WHEEL, ["pip"], "{prefix}/bin/python -m pip install matplotlib"),
        ("my env", "pyvenv.cfg", {}, ["pip"], "'{prefix}/bin/python' -m pip install matplotlib"),
        ("checkout/.venv", "pyvenv.cfg", EDITABLE, ["pip"], "{prefix}/bin/python -m pip install matplotlib"),
        ("env", "pyvenv.cfg", {}, [], "uv pip install -p {prefix} matplotlib"),
        ("conda/envs/a", "conda-meta/history", {}, ["pip"], "conda install --prefix {prefix} matplotlib"),
        ("pipx/venvs/awesome-survey", "pipx_metadata.json", GIT, ["pip"], "pipx inject awesome-survey matplotlib"),
        ("pipx/venvs/awesome-survey2", "pipx_metadata.json", {}, [], "pipx inject awesome-survey2 matplotlib"),
        (".cache/pipx/0a1", "pipx_metadata.json", {}, [], "uv pip install -p {prefix} matplotlib"),  # pipx run
        ("uv/tools/a", "uv-receipt.toml", {}, [], "uv tool install awesome-survey --with matplotlib"),
        ("tools/a", "uv-receipt.toml", GIT, [], "uv tool install {git}' --with matplotlib"),
        ("tools/a", "uv-receipt.toml", TAGGED, [], "uv tool install {git}@v2' --with matplotlib"),
        ("tools/a", "uv-receipt.toml", WHEEL, [], "uv tool install {wheel}' --with matplotlib"),
        ("tools/a", "uv-receipt.toml", EDITABLE, [], "uv tool install --editable {file} --with matplotlib"),
        ("tools/a", "uv-receipt.toml", {}, ["dask"], "uv tool install awesome-survey --with dask --with matplotlib"),
        (UVX, "pyvenv.cfg", {}, [], "uvx --from awesome-survey --with matplotlib awesome …"),
        (UVX, "pyvenv.cfg", GIT, [], "uvx --from {git}' --with matplotlib awesome …"),
        ("uv/builds-v0/.tmp1", "pyvenv.cfg", WHEEL, [], "uvx --from {wheel}' --with matplotlib awesome …"),  # uv run
    ],
)
def test_the_command_fits_the_environment(
    tmp_path: Path, prefix: str, marker: str, origin: Mapping[str, Any], present: list[str], command: str
):
    path = tmp_path / prefix
    (path / marker).parent.mkdir(parents=True)
    (path / marker).touch()
    addresses = {"git": f"'awesome-survey @ git+{URL}", "wheel": f"'awesome-survey @ {WHEEL['url']}"}
    expected = command.format(prefix=path, file=EDITABLE["url"], **addresses)
    assert adding("plot", path, f"{path}/bin/python", present, REQUIRES, origin) == expected


def test_an_extra_of_two_libraries(tmp_path: Path):
    command = adding("dask", tmp_path, "/bin/python", {"pip"}, REQUIRES, {})
    assert command == "/bin/python -m pip install dask distributed"


def test_without_metadata_of_the_extra_the_checkout_is_installed(tmp_path: Path):
    """A checkout on the path was never installed, or was installed before the extra was added."""
    command = adding("plot", tmp_path, "/bin/python", {"pip"}, (), {})
    assert command == f"/bin/python -m pip install -e '{CHECKOUT}[plot]'"


def test_every_extra_of_the_tool_has_a_command_that_names_its_libraries(repository: Path):
    extras = tomllib.loads((repository / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, requirements in extras.items():
        assert install(extra).endswith(" ".join(requirement.partition(">=")[0] for requirement in requirements))
