"""Every style is readable on a white and on a black terminal; tests/cli/test_every_verb.py asks it of every answer."""

from pathlib import Path

import pytest
from rich.style import Style
from terminals import unreadable, written

from awesome_cli.output.screens import ScreenSize
from awesome_cli.output.terminal import STYLES
from awesome_cli.reports.report import Line, ScreenFrame

HELP = ("--help", "gaps --help", "claims --help", "taxonomy rename --help", "help records", "help screening")


def test_named_and_dimmed_colours_and_backgrounds_are_refused():
    styles = ("yellow", "bright_blue", "dim", "on white", "reverse", "color(226)", "color(18)")
    assert [style for style in styles if not unreadable(Style.parse(style).render("text"))] == []


@pytest.mark.parametrize("style", STYLES.values())
def test_the_style_of_a_tone_is_readable(style: str):
    assert not unreadable(Style.parse(style).render("text"))


def test_the_tones_differ():
    assert len(set(STYLES.values())) == len(STYLES)


@pytest.mark.parametrize("line", HELP)
def test_help_and_pages_are_readable(root: Path, line: str):
    text = written(*line.split(), root=root, color="always", term="xterm-256color")
    assert "\x1b[1m" in text
    assert not unreadable(text)


def test_a_screen_is_readable():
    frame = ScreenFrame((), tuple(Line("text", tone, ((0, 2),)) for tone in STYLES), ())
    assert not unreadable("".join(ScreenSize(80, 24).view(frame).lines))
