"""Opens an address in the user's browser."""

import sys
import webbrowser
from collections.abc import Mapping

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Variables without which a browser on Linux would take the terminal."""


def open_address(address: str, environment: Mapping[str, str]) -> bool:
    """Open a page of the web; False where there is no browser, or for what is no address of the web."""
    if not address.startswith(("https://", "http://")):
        return False
    if sys.platform == "linux" and not any(environment.get(name) for name in DISPLAYS):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
