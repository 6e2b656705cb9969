"""Comments move with the values that they speak of."""

from awesome_cli.files.comments import carried

FORM = 'title: "A # B"\nauthors:\n- X, Y\n- Z\ntags:\n  rl: "yes"\n'


def test_each_comment_finds_its_value_again():
    data = b"""# top
tags: # coded twice
  # sure
  rl: "yes" # checked
title: "A # B" # the title
authors:
# the first
- X, Y
- Z # the last
# the end
"""
    assert carried(data, FORM) == (
        '# top\ntitle: "A # B" # the title\n'
        "authors:\n# the first\n- X, Y\n- Z # the last\n"
        'tags: # coded twice\n  # sure\n  rl: "yes" # checked\n# the end\n'
    )


def test_it_is_stable():
    once = carried(b'# a\ntags: {rl: "yes"} # b\ntitle: "A # B"\nauthors: [X, Z] # c\n', FORM)
    assert carried(once.encode(), FORM) == once


def test_a_text_without_comments_is_the_form():
    assert carried(FORM.encode(), FORM) == FORM
