"""A frame fits its terminal, whatever the size; every line of the body can be reached; marks stand without colours."""

import re

import pytest
from rich.cells import cell_len

from awesome_cli.output.screens import ScreenSize
from awesome_cli.reports.report import Line, ScreenFrame

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
BODY = tuple(Line(f"line {n} 詩 " + "word " * (n % 30), marks=((0, 4),)) for n in range(60))
FRAME = ScreenFrame(
    (Line("head " * 50, "muted", cut=True),), BODY, (Line("said " * 30, "good"), Line("keys", cut=True))
)


@pytest.mark.parametrize("colored", [True, False])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60), (20, 8), (33, 12)])
def test_every_page_fits_and_all_lines_are_reached(columns: int, rows: int, colored: bool):
    size = ScreenSize(columns, rows, colored)
    pages = size.view(FRAME).pages
    seen = set()
    for page in range(1, pages + 1):
        view = size.view(FRAME, page)
        assert len(view.lines) <= rows
        assert max(cell_len(ESCAPE.sub("", line)) for line in view.lines) <= columns
        seen.update(re.findall(r"line\*? (\d+)", ESCAPE.sub("", "\n".join(view.lines))))
    assert seen == {str(n) for n in range(60)}
    assert (size.view(FRAME, 10_000).page, size.view(FRAME, 0).page) == (pages, 1)


def test_words_are_marked_with_and_without_colours():
    frame = ScreenFrame((), (Line("a press of coffee", marks=((2, 7), (11, 17))),), ())
    assert ScreenSize(80, 24, colored=False).view(frame).lines[0] == "a *press* of *coffee*"
    assert "\x1b[1;4mpress\x1b[0m" in ScreenSize(80, 24).view(frame).lines[0]


def test_what_acts_is_shown_as_an_escape():
    frame = ScreenFrame((Line("\x1b[2J\u202e"),), (), ())
    assert "\x1b[2J" not in "".join(ScreenSize(80, 24).view(frame).lines)
    assert (
        ScreenSize(80, 24, plain=True).text(ScreenSize(80, 24, False, True).view(frame)).startswith("\n\\x1b[2J\\u202e")
    )


def test_a_long_message_in_a_low_terminal_leaves_room_for_the_body_and_the_keys():
    said = Line("z8 included (abstract); it waits to be coded: awesome tag z8 AXIS=TERM; u takes it back")
    frame = ScreenFrame((Line("head", cut=True),), BODY, (said, Line("i include", cut=True), Line("q quit", cut=True)))
    lines = ScreenSize(30, 8, colored=False).view(frame).lines
    assert lines[1].startswith("*line* 0")
    assert lines[-3:] == ("z8 included (abstract); it…", "i include", "q quit")
    assert "u takes it back" in "".join(ScreenSize(30, 24, colored=False).view(frame).lines)
