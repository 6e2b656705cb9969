"""The command that adds the libraries of an extra to the environment of the tool."""

import json
import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "awesome-survey"
CHECKOUT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"([\w.-]+).*\bextra == ['\"]([\w.-]+)['\"]")
"""An entry of `Requires-Dist`, such as `matplotlib>=3.10; extra == 'plot'`."""
CACHED = re.compile(r"(archive|builds|environments)-v\d+")
"""A folder of uv's cache with environments of `uvx` and `uv run`."""


@dataclass(frozen=True, slots=True)
class Installation:
    """An environment with the tool: `prefix` and `python` are those of `sys`, `present` the installed distributions.

    `requires` and `origin` are the metadata of the tool; `origin` is its direct_url.json (PEP 610), empty if the tool
    came from a package registry.
    """

    prefix: Path
    python: str
    present: Collection[str]
    requires: Sequence[str]
    origin: Mapping[str, Any]

    def adding(self, extra: str) -> str:
        """Return the command that adds the libraries of an extra."""
        libraries = {match[1]: match[2] for match in map(REQUIREMENT.match, self.requires) if match}
        new = [library for library, owner in libraries.items() if owner == extra]
        prefix = shlex.quote(str(self.prefix))
        # uv replaces the environment, so libraries of other extras are named again.
        every = " ".join(f"--with {library}" for library in libraries if library in {*self.present, *new})
        if any(map(CACHED.fullmatch, self.prefix.parts)):
            return f"uvx --from {self._requirement} {every} awesome …"
        if (self.prefix / "uv-receipt.toml").is_file():
            return f"uv tool install {self._requirement} {every}"
        if (self.prefix / "pipx_metadata.json").is_file() and self.prefix.parent.name == "venvs":
            return " ".join(["pipx inject", self.prefix.name, *new])
        if (self.prefix / "conda-meta").is_dir():
            return " ".join(["conda install --prefix", prefix, *new])
        pip = f"{shlex.quote(self.python)} -m pip install" if "pip" in self.present else f"uv pip install -p {prefix}"
        return " ".join([pip, *(new or ["-e", shlex.quote(f"{CHECKOUT}[{extra}]")])])

    @property
    def _requirement(self) -> str:
        """The tool as uv takes it."""
        vcs, url = self.origin.get("vcs_info", {}), self.origin.get("url")
        if self.origin.get("dir_info", {}).get("editable"):
            return f"--editable {url}"
        source = f"{vcs['vcs']}+{url}" if vcs else url
        revision = f"@{vcs['requested_revision']}" if "requested_revision" in vcs else ""
        return shlex.quote(f"{NAME} @ {source}{revision}") if url else NAME


def install(extra: str) -> str:
    """Return the command that adds the libraries of an extra to this environment."""
    from importlib import metadata  # Imported here, since only a missing library needs it.

    present = {distribution.name for distribution in metadata.distributions()}
    requires, origin = list[str](), "{}"
    with suppress(metadata.PackageNotFoundError):  # A checkout on the path need not be installed.
        tool = metadata.distribution(NAME)
        requires, origin = tool.requires or requires, tool.read_text("direct_url.json") or origin
    return Installation(Path(sys.prefix), sys.executable, present, requires, json.loads(origin)).adding(extra)
