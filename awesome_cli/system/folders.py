"""Folders of the user."""

import os
from pathlib import Path


def user_cache() -> Path:
    """Return `AWESOME_CACHE_DIR`, else the platform's cache folder for this program."""
    from platformdirs import user_cache_path

    return Path(os.environ.get("AWESOME_CACHE_DIR") or user_cache_path("awesome-survey", appauthor=False))
