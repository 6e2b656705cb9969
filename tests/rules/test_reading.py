"""Characters that act unseen are errors in every file; what texts need is none, and no end of a line is."""

import pytest

from awesome_cli.rules.reading import unseen

ACTING = "\x00\x1b\r\x7f\x92\u2028\u2029\u202a\u202e\u2066\u2069\u206a\ufeff\ufff9\U000e0041\uffff"
NEEDED = "\t\xad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u3164\ufe0f\U000e0100"


@pytest.mark.parametrize("character", ACTING)
def test_what_acts_unseen_is_an_error(character: str):
    text = f'year: 2020\ntitle: "a\\U{ord(character):08x}b"\n'
    assert [*unseen(text.encode())] == [(2, 8, character)]


@pytest.mark.parametrize("character", NEEDED)
def test_what_languages_need_is_none(character: str):
    assert [*unseen(f'title: "a{character}b\\U{ord(character):08x}"\n'.encode())] == []


def test_the_ends_of_lines_of_another_system_are_none():
    text = 'title: "Caf\\u00e9 \\x26"\r\n# a note\r\nnote: "a\\rb"\r\n'
    assert [*unseen(text.encode())] == [(3, 7, "\r")]
