"""What pictures look like: labels that stand free, colours for every eye, sizes and letters as asked."""

import re
from collections.abc import Iterator
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import pytest
from builders import COFFEE

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.figures import Bars
from awesome_cli.publish.plots.picture_files import figure, find
from awesome_cli.publish.plots.pictures import draw, drawn
from awesome_cli.publish.plots.themes import INCH, LEAST_MM, MOST_DPI, MOST_MM, THEMES, Look, inches, wished
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

PAPER = Look("paper")
LONG = " and everything else that somebody could say of it in a long heading"


def texts(picture: Any) -> Iterator[Any]:
    """Every text that is drawn, with what stands in its place."""
    yield from picture.texts
    for legend in picture.legends:
        yield from legend.get_texts()
    for axes in picture.axes:
        yield from axes.texts
        yield axes._left_title
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())) if axes.axison else ():
            yield axis.label
            places = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=False)
            yield from (text for at, text in places if min(low, high) <= at <= max(low, high))


def faults(picture: Any) -> list[str]:
    """Texts that touch another text or reach out of the picture, by a pixel or more."""
    shown = {id(text): text for text in texts(picture) if text.get_visible() and text.get_text().strip()}
    boxes = [(text.get_text(), text.get_window_extent(picture.canvas.get_renderer())) for text in shown.values()]
    width, height = picture.bbox.width, picture.bbox.height
    out = [name for name, box in boxes if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1]
    touching = [
        f"{a!r} on {b!r}"
        for (a, one), (b, other) in combinations(boxes, 2)
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1
    ]
    return out + touching


@pytest.fixture(scope="module")
def coffee() -> Corpus:
    return load_corpus(WorkingTree(COFFEE), evidence=True)


def with_long_labels(root: Path) -> Corpus:
    """The coffee survey with labels of eighty letters, and a word that fits on no line."""
    path = root / "taxonomy.yaml"
    text = re.sub(r"(label: )([A-Z][\w -]*)", rf"\1\2{LONG}", path.read_text(encoding="utf-8"))
    path.write_text(text.replace("label: Umami", f"label: {'Umami' * 12}"), encoding="utf-8")
    return load_corpus(WorkingTree(root), evidence=True)


@pytest.mark.parametrize("look", [pytest.param(Look(), marks=pytest.mark.slow), PAPER], ids=["screen", "paper"])
@pytest.mark.parametrize("kind", [name for name in kinds.NAMES if name != "claims"])
def test_no_label_touches_another(kind: str, look: Look, coffee: Corpus, root: Path):
    for corpus in (coffee, with_long_labels(root)):
        for rows in (None, "taste") if "rows" in kinds.kind(kind).uses else (None,):
            with drawn(figure(corpus, Plot(name="p", kind=kind, rows=rows)), look) as picture:
                assert faults(picture) == []


@pytest.mark.slow
@pytest.mark.parametrize("look", [Look(), PAPER], ids=["screen", "paper"])
@pytest.mark.parametrize("kind", kinds.NAMES)
def test_no_label_of_the_shipped_survey_touches_another(kind: str, look: Look, shipped: Corpus):
    shown = [figure(shipped, find(shipped, kind))]
    if "rows" in kinds.kind(kind).uses:
        each = {(axis.kind, bool(axis.parents)): axis.id for axis in shipped.taxonomy.axes}
        shown += [figure(shipped, Plot(name="p", kind=kind, rows=axis)) for axis in each.values()]
    for one in shown:
        with drawn(one, look) as picture:
            assert faults(picture) == [], one.title


def test_labels_that_touch_are_noticed():
    with drawn(Bars("t", "x", "y", ("a", "b"), (("s", (1, 2)),)), Look()) as picture:
        assert faults(picture) == []
        picture.text(0.5, 0.5, "one label")
        picture.text(0.5, 0.5, "another label")
        picture.text(0.99, 0.5, "out of the picture")
        assert faults(picture)[0] == "out of the picture"
        assert "'one label' on 'another label'" in faults(picture)


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
    assert nearest([*theme.series, theme.na], vision) >= LEAST
    if name != "paper":  # there states differ by their hatches
        assert nearest([theme.state(state.value)[0] for state in STATES if state.light], vision) >= LEAST


def test_colours_that_an_eye_cannot_tell_apart_are_noticed():
    assert nearest(["#ff0000", "#6d6d00"], "normal") > 50
    assert nearest(["#d62728", "#2ca02c", "#8c564b"], "deuteranopia") < LEAST
    assert lab("#ffffff", "normal") == pytest.approx((100, 0, 0), abs=0.1)


def test_series_on_paper_differ_without_colour():
    theme = THEMES["paper"]
    assert all(color[1:3] == color[3:5] == color[5:7] for color in (*theme.series, theme.na, theme.ground("#56b4e9")))
    assert len({theme.mark(i) for i in range(16)}) == len({theme.line_mark(i) for i in range(16)}) == 16


@pytest.mark.parametrize("kind", [name for name in kinds.NAMES if name != "claims"])
def test_every_kind_has_the_size_title_and_letters_asked_for(kind: str, coffee: Corpus):
    shown = figure(coffee, find(coffee, kind))
    look = Look("paper", "Another title", 120 / INCH, 100 / INCH, "DejaVu Sans Mono")
    with drawn(shown, look) as picture:
        assert picture.get_size_inches() * INCH == pytest.approx((120, 100))
        written = {text.get_text() for text in texts(picture)}
        assert "Another title" in written
        assert shown.title not in written
        assert {text.get_fontfamily()[0] for text in texts(picture)} == {"DejaVu Sans Mono"}
    with drawn(shown, Look("paper", "")) as picture:
        assert picture.get_size_inches()[0] * INCH == pytest.approx(84)
        assert shown.title not in {text.get_text() for text in texts(picture)}
        assert {text.get_fontfamily()[0] for text in texts(picture)} == {"STIXGeneral"}


def test_a_pdf_holds_its_letters_and_a_png_its_dots(coffee: Corpus):
    shown = figure(coffee, find(coffee, "years"))
    assert b"/FontFile2" in draw(shown, "pdf", look=PAPER)
    png = draw(shown, "png", look=Look("paper", dpi=100))
    assert int.from_bytes(png[16:20]) == pytest.approx(84 / INCH * 100, abs=1)
    with pytest.raises(UsageError, match=r"the picture would have [\d,]+ pixels"):
        draw(shown, "png", look=Look(width=MOST_MM / INCH, height=MOST_MM / INCH, dpi=MOST_DPI))


@pytest.mark.parametrize("kind", [name for name in kinds.NAMES if name != "claims"])
def test_a_picture_without_room_for_its_labels_is_refused(kind: str, coffee: Corpus):
    with pytest.raises(UsageError, match="too small for its labels"):
        draw(figure(coffee, find(coffee, kind)), "svg", look=Look(width=LEAST_MM / INCH, height=LEAST_MM / INCH))


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


def test_a_dotted_hatch_is_one_tile(coffee: Corpus) -> None:
    svg = draw(figure(coffee, find(coffee, "gaps")), "svg").decode()
    hatches = re.findall(r'<pattern [^>]* width="(\S+)" height="(\S+)">(.*?)</pattern>', svg, re.DOTALL)
    dotted = {
        (width, height): re.findall(r"M (\S+) (\S+) \nC", body) for width, height, body in hatches if "\nC" in body
    }
    # A circle begins at its lowest point; those in the corners are cut by the tile and completed by its neighbours.
    assert dotted == {
        ("6", "12"): [("0", "12.6"), ("6", "12.6"), ("3", "6.6"), ("0", "0.6"), ("6", "0.6")],
        ("3", "6"): [("0", "6.3"), ("3", "6.3"), ("1.5", "3.3"), ("0", "0.3"), ("3", "0.3")],
    }
    assert len(svg) < 30_000
