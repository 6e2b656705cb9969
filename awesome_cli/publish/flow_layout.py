"""Where the boxes and arrows of the flow diagram stand, for every picture of it; all numbers are pixels."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awesome_cli.analysis.flow import Flow, FlowBox

NARROWEST, SIDE, BETWEEN, BELOW = 300, 340, 60, 28
"""The least width of a box that stays, the width of one that leaves, the space between the two, and below a row."""
LINE, PAD, INDENT, ASCENT = 18, 12, 8, 13
LETTER = 8.4
"""About the widest that a bold letter of the labels gets, on average."""
COLOURS: Mapping[str, Mapping[str, str]] = {
    "stays": {"light": "#eaf2fb", "dark": "#1c3449"},
    "leaves": {"light": "#fdf3ea", "dark": "#3d3214"},
}
"""The ground of a box whose records stay or leave, on a light and a dark page."""


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box with its place; the first of its lines is the heading, the others are the reasons."""

    lines: tuple[str, ...]
    leaves: bool
    x: int
    y: int
    width: int
    height: int

    @property
    def name(self) -> str:
        """Its name in the table of colours."""
        return "leaves" if self.leaves else "stays"

    def texts(self) -> Iterator[tuple[int, int, str, bool]]:
        """Each line: the left end of its baseline, the text, and whether it is the heading."""
        for i, line in enumerate(self.lines):
            indent = INDENT if i else 0
            yield self.x + PAD + indent, self.y + PAD + ASCENT + LINE * i, line, i == 0


@dataclass(frozen=True, slots=True)
class Layout:
    """The placed boxes, the arrows as `(x1, y1, x2, y2)`, and the right and lower end of everything."""

    boxes: tuple[PlacedBox, ...]
    arrows: tuple[tuple[int, int, int, int], ...]
    width: int
    height: int


def layout(flow: Flow, left: int = 0, top: int = 0) -> Layout:
    """Boxes whose records stay below each other, and on the right of each the one whose records leave."""
    wide = max(NARROWEST, *(round(LETTER * len(box_lines(box)[0])) + 2 * PAD for box in flow.boxes))
    right = left + wide + BETWEEN
    boxes: list[PlacedBox] = []
    arrows: list[tuple[int, int, int, int]] = []
    y = bottom = end = top
    for box in flow.boxes:
        if box.leaves:
            boxes.append(_placed(box, right, y, SIDE))
            middle = (y + end) // 2
            arrows.append((left + wide, middle, right, middle))
        else:
            y = bottom + BELOW if boxes else top
            if boxes:
                arrows.append((left + wide // 2, end, left + wide // 2, y))
            boxes.append(_placed(box, left, y, wide))
            end = y + boxes[-1].height
        bottom = max(end, y + boxes[-1].height)
    return Layout(tuple(boxes), tuple(arrows), right + SIDE, bottom)


def box_lines(box: FlowBox) -> tuple[str, ...]:
    """The heading of a box and its reasons, each with its number of records."""
    return (f"{box.label} (n = {box.n})", *(f"{reason} (n = {n})" for reason, n in box.reasons))


def _placed(box: FlowBox, x: int, y: int, width: int) -> PlacedBox:
    lines = box_lines(box)
    return PlacedBox(lines, box.leaves, x, y, width, 2 * PAD + LINE * len(lines))
