"""Drawn figures: the same bytes for the same records, labels that stand free, sizes and letters as asked."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from builders import COFFEE
from tiers import sampled

from awesome_cli.errors import UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.figures import Bars, Figure, Grid, GridCell
from awesome_cli.publish.plots.picture_files import figure, find
from awesome_cli.publish.plots.pictures import draw, drawn
from awesome_cli.publish.plots.themes import COLUMN_MM, INCH, LEAST_MM, MOST_DPI, MOST_MM, Look
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

PAPER = Look("paper")
DRAWN = [name for name in kinds.NAMES if name != "claims"]
LONG = " and everything else that somebody could say of it in a long heading"


@pytest.fixture(scope="module")
def coffee() -> Corpus:
    return load_corpus(WorkingTree(COFFEE), evidence=True)


@pytest.mark.parametrize("kind", DRAWN)
def test_the_same_bytes_and_text_that_stays_text(kind: str, coffee: Corpus):
    same_bytes_and_plain_text(figure(coffee, find(coffee, kind)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds.NAMES)
def test_the_same_bytes_of_the_shipped_survey(kind: str, shipped: Corpus):
    same_bytes_and_plain_text(figure(shipped, find(shipped, kind)))


def same_bytes_and_plain_text(shown: Figure) -> None:
    light = draw(shown, "svg")
    assert light == draw(shown, "svg")
    assert light != draw(shown, "svg", "dark")
    assert shown.title.encode() in light
    assert b"<dc:date>" not in light


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_other_formats_are_deterministic(form: str, coffee: Corpus):
    shown = figure(coffee, find(coffee, "gaps"))
    assert draw(shown, form) == draw(shown, form)


def test_hatching_stops_at_the_words():
    cells = ((GridCell(0, "0\ngap", "gap"), GridCell(9, "9\ncovered", "covered")),)
    svg = draw(Grid("t", "r", "c", ("a",), ("x", "y"), cells, "states"), "svg").decode()
    gap, covered = (svg[: svg.index(f"{word}</text>")].rpartition('<g id="text_')[2] for word in ("gap", "covered"))
    assert "<path" in gap
    assert "<path" not in covered


def test_fails_is_the_strongest_mark_and_blank_is_blank():
    cells = ((GridCell(1, "holds", "holds"), GridCell(0, "fails", "fails"), GridCell(1, ""), GridCell(0, "0 of 144")),)
    shown = Grid("t", "r", "c", ("a",), ("w", "x", "y", "z"), cells, "marks", legend=(("fails", "fails"),))
    with drawn(shown, PAPER) as picture:
        holds, fails = picture.axes[0].lines
        assert (holds.get_marker(), fails.get_marker()) == ("o", "X")
        assert fails.get_markersize() > 2 * holds.get_markersize()
        assert [text.get_text() for text in picture.axes[0].texts if text.get_text()][:-1] == ["0 of 144"]


def test_a_wide_text_widens_its_column():
    cells = ((GridCell(2, "2 (+10)\nsparse", "sparse"), *(GridCell(n, str(n)) for n in range(4))),)
    shown = Grid("t", "r", "c", ("O2 Delegate",), tuple("vwxyz"), cells, "states")
    with drawn(shown, Look(width=60 / INCH)) as picture:
        first, *others = picture.axes[0].patches
        assert all(first.get_width() > other.get_width() for other in others)
        assert {text.get_rotation() for text in picture.axes[0].texts} == {0}


def test_terms_without_all_papers_behind_share_a_scale():
    series = (("All papers", (40,)), ("a", (2,)), ("b", (4,)))
    for within, scales in (((None, 0, 0), 1), ((None, None, None), 2)):
        with drawn(Bars("t", "x", "y", ("2020",), series, within), Look()) as picture:
            tops = [axes.get_ylim()[1] for axes in picture.axes]
            assert len({*tops}) == scales
            assert tops[1] == tops[2]
            assert [axes.get_ylabel() for axes in picture.axes] == ["y", "", ""]
            assert "x" in {axes.get_xlabel() for axes in picture.axes}


def test_a_number_of_the_flow_stands_beside_its_label(coffee: Corpus):
    with drawn(figure(coffee, find(coffee, "flow")), PAPER) as picture:
        lines = [text.get_text().strip() for text in picture.axes[0].texts]
        assert any("(n" in line for line in lines)
        assert not any(line.startswith("(n") for line in lines)


def test_hostile_labels_stay_text():
    shown = Grid("<script>$x$", "r", "c", ("<b>$\\frac$", "&"), ("a",), (), "heat")
    svg = draw(shown, "svg")
    assert b"<script>" not in svg
    assert b"&lt;b&gt;$\\frac$" in svg


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


def with_long_labels(root: Path) -> Corpus:
    """The coffee survey with labels of eighty letters, and a word that fits on no line."""
    path = root / "taxonomy.yaml"
    text = re.sub(r"(label: )([A-Z][\w -]*)", rf"\1\2{LONG}", path.read_text(encoding="utf-8"))
    path.write_text(text.replace("label: Umami", f"label: {'Umami' * 12}"), encoding="utf-8")
    return load_corpus(WorkingTree(root), evidence=True)


@pytest.mark.parametrize("look", [pytest.param(Look(), marks=pytest.mark.slow), PAPER], ids=["screen", "paper"])
@pytest.mark.parametrize("kind", sampled(DRAWN, *DRAWN[::3]))
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
    with drawn(Bars("t", "x", "y", ("a", "b"), (("s", (1, 2)),), (None,)), Look()) as picture:
        assert faults(picture) == []
        picture.text(0.5, 0.5, "one label")
        picture.text(0.5, 0.5, "another label")
        picture.text(0.99, 0.5, "out of the picture")
        assert faults(picture)[0] == "out of the picture"
        assert "'one label' on 'another label'" in faults(picture)


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
        assert picture.get_size_inches()[0] * INCH == pytest.approx(COLUMN_MM)
        assert shown.title not in {text.get_text() for text in texts(picture)}
        assert {text.get_fontfamily()[0] for text in texts(picture)} == {"STIXGeneral"}


@pytest.mark.parametrize("kind", DRAWN)
def test_letters_in_a_column_have_at_least_six_and_a_half_points(kind: str, coffee: Corpus, root: Path):
    for corpus in (coffee, with_long_labels(root)):
        svg = draw(figure(corpus, find(corpus, kind)), "svg", look=PAPER).decode()
        width, box = (re.search(rf'{name}="([^"]+)"', svg) for name in ("width", "viewBox"))
        assert width
        assert box
        # The SVG's unit is a point, since its width is that of its view box.
        assert float(width[1].removesuffix("pt")) == float(box[1].split()[2])
        assert float(box[1].split()[2]) == pytest.approx(COLUMN_MM / INCH * 72, abs=0.1)
        sizes = {float(size) for size in re.findall(r"font(?:-size)?: [^;\"']*?([\d.]+)px", svg)}
        assert sizes
        assert min(sizes) >= 6.5


def test_labels_of_a_measure_cross_no_line_and_no_dot(root: Path):
    for corpus in (load_corpus(WorkingTree(COFFEE), evidence=True), with_long_labels(root)):
        with drawn(figure(corpus, find(corpus, "measure")), PAPER) as picture:
            (axes,) = picture.axes
            boxes = [text.get_window_extent(picture.canvas.get_renderer()) for text in axes.texts]
            for line in axes.lines:
                for x, y in line.get_transform().transform(line.get_xydata()):
                    assert not any(box.contains(x, y) for box in boxes)
                    level = line.get_linestyle() == "-"
                    assert not (level and any(box.y0 < y < box.y1 for box in boxes))


@pytest.mark.parametrize("columns", [12, 40])
def test_a_grid_too_wide_for_a_column_is_widened_or_refused(columns: int):
    cells = (tuple(GridCell(n, f"{n}/144") for n in range(columns)),)
    shown = Grid("t", "r", "c", ("A long name",), tuple(f"column {n}" for n in range(columns)), cells, "heat")
    with drawn(shown, PAPER) as picture:
        assert faults(picture) == []
    if columns == 40:
        with pytest.raises(UsageError, match="too small for its labels"):
            draw(shown, "svg", look=Look("paper", width=COLUMN_MM / INCH))


def test_inner_rows_are_lower_with_narrower_cells():
    cells = tuple((GridCell(n, str(n)),) for n in range(2))
    with drawn(Grid("t", "r", "c", ("a", "b"), ("x",), cells, "heat", inner=(False, True)), PAPER) as picture:
        outer, inner = picture.axes[0].patches
        assert inner.get_width() < outer.get_width()
        assert inner.get_height() < outer.get_height()


def test_a_pdf_holds_its_letters_and_a_png_its_dots(coffee: Corpus):
    shown = figure(coffee, find(coffee, "years"))
    assert b"/FontFile2" in draw(shown, "pdf", look=PAPER)
    png = draw(shown, "png", look=Look("paper", dpi=100))
    assert int.from_bytes(png[16:20]) == pytest.approx(COLUMN_MM / INCH * 100, abs=1)
    with pytest.raises(UsageError, match=r"the picture would have [\d,]+ pixels"):
        draw(shown, "png", look=Look(width=MOST_MM / INCH, height=MOST_MM / INCH, dpi=MOST_DPI))


@pytest.mark.parametrize("kind", [name for name in kinds.NAMES if name != "claims"])
def test_a_picture_without_room_for_its_labels_is_refused(kind: str, coffee: Corpus):
    with pytest.raises(UsageError, match="too small for its labels"):
        draw(figure(coffee, find(coffee, kind)), "svg", look=Look(width=LEAST_MM / INCH, height=LEAST_MM / INCH))


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
