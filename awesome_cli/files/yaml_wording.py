"""Why a text is not YAML, in plain words: a parser names its own rules, and not what a person typed wrong."""

import re

QUOTES = "put the text in double quotes"
INDENT = "indent the fields of one level alike, with blanks"
SYNTAX: tuple[tuple[str, str, str], ...] = (
    ("mapping values", 'a text holds ": ", or a line is indented too far', f"{QUOTES}, or correct the indentation"),
    ("tab character", "a tab stands in the indentation", "indent with blanks, not tabs"),
    ("start any token", "a text begins with {char}", QUOTES),
    ("escape|hexdec", "a backslash in double quotes needs another one", "write two backslashes, or use single quotes"),
    ("quoted scalar", "a quote is not closed", "close it with the same quote"),
    ("[,>]' or|flow (?:mapping|sequence)", "a bracket is not closed (opened on line {since}), or a comma is missing",
     "close it, or put commas between its entries; a text that begins with a bracket needs double quotes"),
    ("simple key", "the line is no field and no part of a text", "write 'name: value', or indent the line"),
    ("(?:mapping keys|sequence entries) are", "{char} stands where no list can begin",
     f"begin the list on the next line, or {QUOTES}"),
    ("block collection", "the line is no entry of the list above it", INDENT),
    ("block mapping.* inside", "a text goes on behind the quote or bracket that ends it",
     "put the whole text in other quotes, or double the quotes inside"),
    ("block mapping|document start", "the line does not go on from those above it", INDENT),
    ("block scalar", "a text stands beside '|' or '>'", f"begin it on the next line, or {QUOTES}"),
    ("anchor|alias|tag", "a text begins with '&', '*' or '!'", QUOTES),
    ("node content", "a value is missing before {char}", f"write the value, or {QUOTES}"),
    ("directive|incompatible", "a line begins with '%'", f"remove it, or {QUOTES}"),
)  # fmt: skip
"""What a message of the parser means, by a pattern that it holds (the first that fits), and what corrects it."""
OTHER = ("this is not YAML", "check quotes, brackets and indentation")
AT_BEGIN = re.compile("quoted scalar|simple key")
"""Faults that a person corrects where what was being read begins, not where reading stopped."""


def syntax(problem: str, char: str, since: int) -> tuple[str, str]:
    """`(cause, correction)` for the words of the parser, which has no other sign of what is wrong.

    `problem` ends with ` inside` if something stands before the place in its line. `char` is the character at which
    the parser stopped, `since` the line on which what it was reading begins.
    """
    if char == "\t" and "token" in problem:
        problem = "tab character"
    shown = {"": "the end of the file", "\n": "the end of the line"}.get(char, repr(char))
    why, cure = next(((why, cure) for pattern, why, cure in SYNTAX if re.search(pattern, problem)), OTHER)
    return why.format(char=shown, since=since), cure
