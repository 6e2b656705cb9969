"""How much work a call does, counted: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable


def calls(act: Callable[[], object]) -> int:
    """How many functions a call calls, of Python and of C."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


class Counting:
    """A pattern that counts what is searched: the characters between where a search starts and where it ends."""

    def __init__(self, pattern):
        self.pattern = pattern
        self.read = 0

    def search(self, text, place=0):
        found = self.pattern.search(text, place)
        self.read += (found.end() if found else len(text)) - place
        return found

    def match(self, text, place=0):
        found = self.pattern.match(text, place)
        self.read += found.end() - place if found else 1
        return found
