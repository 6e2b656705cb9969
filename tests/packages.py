"""Tools from npm that a test needs: installed beside the checkout where they are missing and that is possible."""

import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent.parent / ".make" / "npm"


def install(package: str, version: str) -> Path | None:
    """The folder of a package of exactly this version, or None where there is no npm or no registry."""
    home = FOLDER / f"{package}-{version}"
    folder = home / "node_modules" / package
    if not (folder / "package.json").is_file() and shutil.which("npm"):
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        command = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(home),
            f"{package}@{version}",
        ]
        subprocess.run(command, check=False, capture_output=True, timeout=300)
    return folder if (folder / "package.json").is_file() else None
