"""The command that adds the libraries of an extra to the environment of the tool."""

import json
import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

NAME = "awesome-survey"
CHECKOUT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"([\w.-]+).*\bextra == ['\"]([\w.-]+)['\"]")
"""An entry of `Requires-Dist`, such as `matplotlib>=3.10; extra == 'plot'`."""
CACHED = re.compile(r"(archive|builds|environments)-v\d+")
"""A folder of uv's cache with environments of `uvx` and `uv run`."""


def adding(
    extra: str, prefix: Path, python: str, present: Collection[str], requires: Sequence[str], origin: Mapping[str, Any]
) -> str:
    """Return the command that adds the libraries of an extra to an environment (`prefix` and `python` as in `sys`).

    `present` are its distributions; `requires` and `origin` are metadata of the tool: its requirements, and its
    direct_url.json (PEP 610), which is empty if the tool came from a package registry.
    """
    libraries = {match[1]: match[2] for match in map(REQUIREMENT.match, requires) if match}
    new = [library for library, owner in libraries.items() if owner == extra]
    names = " ".join(new or ["-e", shlex.quote(f"{CHECKOUT}[{extra}]")])
    # uv replaces the environment, so libraries of other extras are named again.
    tool = " ".join([_requirement(origin), *(f"--with {name}" for name in libraries if name in {*present, *new})])
    if any(map(CACHED.fullmatch, prefix.parts)):
        return f"uvx --from {tool} awesome …"
    folder = shlex.quote(str(prefix))
    pip = f"{shlex.quote(python)} -m pip install" if "pip" in present else f"uv pip install -p {folder}"
    commands = {
        "uv-receipt.toml": f"uv tool install {tool}",
        f"../../venvs/{prefix.name}/pipx_metadata.json": f"pipx inject {prefix.name} {names}",  # not of 'pipx run'
        "conda-meta": f"conda install --prefix {folder} {names}",
        ".": f"{pip} {names}",
    }
    return next(command for marker, command in commands.items() if (prefix / marker).exists())


def _requirement(origin: Mapping[str, Any]) -> str:
    """Return the tool as an argument of uv."""
    vcs, url = origin.get("vcs_info", {}), origin.get("url")
    if origin.get("dir_info", {}).get("editable"):
        return f"--editable {url}"
    revision = f"@{vcs['requested_revision']}" if "requested_revision" in vcs else ""
    return shlex.quote(f"{NAME} @ {vcs['vcs'] + '+' if vcs else ''}{url}{revision}") if url else NAME


def install(extra: str) -> str:
    """Return the command that adds the libraries of an extra to this environment."""
    from importlib import metadata  # Imported here, since only a missing library needs it.

    present = {distribution.name for distribution in metadata.distributions()}
    tool = next(iter(metadata.distributions(name=NAME)), None)  # A checkout on the path need not be installed.
    origin = json.loads((tool and tool.read_text("direct_url.json")) or "{}")
    return adding(extra, Path(sys.prefix), sys.executable, present, (tool and tool.requires) or (), origin)
