"""What a test does where a tool is missing."""

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip, or fail where nothing may be skipped."""
    if os.environ.get("REQUIRE_ALL"):
        pytest.fail(f"{what}, and REQUIRE_ALL is set")
    pytest.skip(what)


def program(package: str, *names: str) -> str:
    """The path of a program of Debian packages (separated by blanks), installed where a root user lacks it; without it the test is skipped."""
    if not any(map(shutil.which, names)) and os.geteuid() == 0 and shutil.which("apt-get"):
        for words in (["update"], ["install", "-y", "--no-install-recommends", *package.split()]):
            subprocess.run(["apt-get", *words], check=False, capture_output=True, timeout=600)
    path = next(filter(None, map(shutil.which, names)), None)
    return path or missing(f"{names[0]} is not installed (apt-get install {package})")
