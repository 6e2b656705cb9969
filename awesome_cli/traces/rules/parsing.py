"""TP: reading the text. JSON Schema cannot check these."""

from awesome_cli.reports.findings import Level
from awesome_cli.traces.rules._rule import rule

# fmt: off
REPEATED_KEY = rule("TP001", Level.ERROR, "A key appears twice in one object", v1=Level.ERROR,
    why="Some JSON readers keep the first value, some the last, some both. Two programs would read two different runs.",
    fix="Delete one of the two.")
NOT_A_NUMBER = rule("TP002", Level.ERROR, "NaN, Infinity, or a number too large for a double", v1=Level.ERROR,
    why="JSON has no such numbers. One of them makes every sum and every comparison meaningless.",
    fix="Leave the field out, or write the intended number.")
NOT_UTF8 = rule("TP003", Level.ERROR, "The text is not UTF-8", v1=Level.ERROR,
    why="JSON is exchanged in UTF-8. A byte or an escape here is not part of any character.",
    fix="Save the file as UTF-8, or correct the program that cut a string in the middle of a character.")
NOT_JSON = rule("TP004", Level.ERROR, "The text is not JSON", v1=Level.ERROR,
    why="A text that cannot be parsed cannot be checked. If its end is missing, the writer was often interrupted.",
    fix="Correct the text at the given line and column.")
UNREADABLE = rule("TP005", Level.ERROR, "The input cannot be read", v1=Level.ERROR,
    why="The file could not be opened, or it is a compressed file that is damaged or ends too early.",
    fix="Check that the file is complete and that you have permission to read it.")
