"""A copy of the repository, to be changed at will."""

import shutil
import subprocess
from pathlib import Path

from builders import REPOSITORY

FILES = ("--cached", "--others", "--exclude-standard")  # what nobody has committed yet counts too


def copied(target: Path) -> Path:
    """The files of the repository in a new folder, without its history."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *FILES], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (REPOSITORY / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, target / name)
    return target
