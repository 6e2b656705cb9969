"""How pictures look: colours for every eye, on every page and in print, and lengths within bounds."""

import re
from itertools import combinations, pairwise
from math import dist
from typing import Any

import pytest

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.themes import INCH, MOST_DPI, THEMES, Look, inches, wished


def test_the_palette_tells_states_apart_without_colour():
    numbered = [state.value for state in STATES if state.times is not None]
    for theme in THEMES.values():
        assert len({theme.state(state)[2] for state in numbered}) == len(numbered)


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb`, from 0 to 1, after WCAG 2.2."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_dark_series_stand_out_from_a_dark_page():
    theme = THEMES["dark"]
    assert (luminance(theme.accent) + 0.05) / (luminance(theme.paper) + 0.05) > 4.5


# Viewing conditions of complete dichromacy (severity 1.0), as matrices on linear sRGB: G. M. Machado, M. M. Oliveira and
# L. A. F. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009.
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
LEAST = 11
"""The least distance in CIELAB; about 2.3 is just noticed side by side, and small areas far apart need several times it."""


def times(matrix: Any, vector: Any) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def lab(color: str, vision: str) -> tuple[float, float, float]:
    """`#rrggbb` as it is seen, in CIE 1976 L*a*b* with the white of D65 (CIE 15:2004; sRGB after IEC 61966-2-1)."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [min(max(part, 0.0), 1.0) for part in times(VISION[vision], linear)]
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (value / white for value, white in zip(times(XYZ, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colors: list[str], vision: str) -> float:
    """The distance of the two colours that are most alike."""
    return min(dist(lab(a, vision), lab(b, vision)) for a, b in combinations(colors, 2))


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("name", THEMES)
def test_colours_stay_apart_for_every_eye(name: str, vision: str):
    theme = THEMES[name]
    assert nearest([theme.accent, theme.whole, theme.paper], vision) >= LEAST
    if name != "paper":  # there states differ by their hatches
        assert nearest([theme.state(state.value)[0] for state in STATES if state.light], vision) >= LEAST


def test_colours_that_an_eye_cannot_tell_apart_are_noticed():
    assert nearest(["#ff0000", "#6d6d00"], "normal") > 50
    assert nearest(["#d62728", "#2ca02c", "#8c564b"], "deuteranopia") < LEAST
    assert lab("#ffffff", "normal") == pytest.approx((100, 0, 0), abs=0.1)


def test_no_two_states_share_a_shade_on_paper():
    theme = THEMES["paper"]
    shades = [
        theme.state(state.value, n)[0] for state in STATES if state.light for n in (0, *(n + 1 for n in state.steps))
    ]
    greys = {int(shade[1:3], 16) for shade in shades}
    assert all(color[1:3] == color[3:5] == color[5:7] for color in (*shades, theme.accent, theme.whole))
    assert len(greys) == len(shades)
    assert min(b - a for a, b in pairwise(sorted(greys))) >= 15


def test_lengths_have_a_unit_and_bounds():
    assert [inches(text, "--width") for text in ("84mm", "8.4 cm", "3.3in", None)] == pytest.approx(
        [84 / INCH, 84 / INCH, 3.3, None]
    )
    for text in ("84", "0mm", "-3in", "99999999cm", "nanmm", "1e9in", "mm", "19.9mm"):
        with pytest.raises(UsageError, match=re.escape(text)):
            inches(text, "--width")
    for dpi in (0, -1, MOST_DPI + 1):
        with pytest.raises(UsageError, match=f"--dpi {dpi} is not between"):
            wished("png", Look(dpi=dpi), None, None)
