"""The screening flow as a picture: layout in pixels, Mermaid for Markdown, SVG for papers and sites."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from awesome_cli.analysis.flow import Flow, FlowBox
from awesome_cli.text.inert import visible, visible_line

NARROWEST, SIDE, BETWEEN, BELOW = 320, 366, 60, 28
"""Minimum width of a retained box, width of a screened-out box, the gap between them, and the gap below a row."""
LINE, PAD, INDENT, ASCENT = 19, 12, 8, 14
LETTER = 9
"""Upper estimate of the average width of a bold letter."""
COLOURS: Mapping[str, Mapping[str, str]] = {
    "stays": {"light": "#eaf2fb", "dark": "#1c3449"},
    "leaves": {"light": "#fdf3ea", "dark": "#3d3214"},
}
"""Fill colours on a light and a dark page: boxes of records that stay in the survey, boxes of records that leave it."""
TOP, LEFT = 52, 20
FONT = "font-family='Helvetica, Arial, sans-serif'"
DARK = f"""<style>@media screen and (prefers-color-scheme: dark) {{
.paper {{ fill: #14171b; }} .ink {{ fill: #e6e4de; }} .soft {{ fill: #a7adb5; }} .tip {{ fill: #a7adb5; }}
.stays {{ fill: {COLOURS["stays"]["dark"]}; }} .leaves {{ fill: {COLOURS["leaves"]["dark"]}; }}
.edge {{ stroke: #a7adb5; }}
}}</style>
"""
"""Style sheet for dark screens; elsewhere the light colours in the attributes apply."""


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box and its position. The first line of text is the heading, the others are reasons; any may be wrapped."""

    lines: tuple[str, ...]
    leaves: bool
    x: int
    y: int
    width: int
    height: int

    @property
    def name(self) -> str:
        """The key of `COLOURS` and CSS class of the box."""
        return "leaves" if self.leaves else "stays"

    def texts(self) -> Iterator[tuple[int, int, str, bool]]:
        """Yield `(x, y, text, is_heading)` for each line; `(x, y)` is the left end of the line's baseline."""
        parts = [(part, not i) for i, line in enumerate(self.lines) for part in line.splitlines()]
        for i, (part, heading) in enumerate(parts):
            yield self.x + PAD + INDENT * (not heading), self.y + PAD + ASCENT + LINE * i, part, heading


@dataclass(frozen=True, slots=True)
class Layout:
    """The placed boxes, the arrows as `(x1, y1, x2, y2)`, and the size of the picture."""

    boxes: tuple[PlacedBox, ...]
    arrows: tuple[tuple[int, int, int, int], ...]
    width: int
    height: int


def layout(
    flow: Sequence[FlowBox], left: int = 0, top: int = 0, wrapped: Callable[[str, int, bool], str] | None = None
) -> Layout:
    """Place the boxes of remaining records in one column, and each screened-out box to the right of its step.

    `wrapped` wraps a line of text, for a width in pixels; the third argument is True for a heading.
    """
    wide = max(NARROWEST, *(round(LETTER * len(box_lines(box)[0])) + 2 * PAD for box in flow))
    right = left + wide + BETWEEN
    boxes: list[PlacedBox] = []
    arrows: list[tuple[int, int, int, int]] = []
    end = bottom = top

    def placed(box: FlowBox, x: int, y: int, width: int) -> PlacedBox:
        lines = box_lines(box)
        if wrapped:
            lines = tuple(wrapped(line, width - 2 * PAD - INDENT * bool(i), not i) for i, line in enumerate(lines))
        height = 2 * PAD + LINE * sum(line.count("\n") + 1 for line in lines)
        return PlacedBox(lines, box.leaves, x, y, width, height)

    for box in flow:
        before = boxes[-1] if boxes else None
        if not box.leaves:
            y = bottom + BELOW if before else top
            if before:
                arrows.append((left + wide // 2, end, left + wide // 2, y))
            boxes.append(placed(box, left, y, wide))
            end = y + boxes[-1].height
        elif before and before.leaves:  # from the arrow that goes down
            boxes.append(placed(box, right, bottom + BELOW // 2, SIDE))
            middle = boxes[-1].y + boxes[-1].height // 2
            arrows.append((left + wide // 2, middle, right, middle))
        else:
            boxes.append(placed(box, right, y, SIDE))
            middle = (y + end) // 2
            arrows.append((left + wide, middle, right, middle))
        bottom = max(bottom, boxes[-1].y + boxes[-1].height)
    return Layout(tuple(boxes), tuple(arrows), right + SIDE, bottom)


def box_lines(box: FlowBox) -> tuple[str, ...]:
    """Return the lines of a box: heading and reasons, each as `label (n = 3)`."""
    return (f"{box.label} (n = {box.n})", *(f"{reason} (n = {n})" for reason, n in box.reasons))


def mermaid(flow: Flow) -> str:
    """Return the flow as a Mermaid flowchart; screened-out boxes branch off to the side."""
    stays = [box for box in flow.boxes if not box.leaves]
    last = stays[0]
    lines = ["flowchart TD", *(f'  {_name(box)}["{_label(box)}"]' for box in flow.boxes)]
    lines += [f"  {_name(a)} --> {_name(b)}" for a, b in pairwise(stays)]
    for box in flow.boxes:
        if box.leaves:
            lines.append(f"  {_name(last)} --> {_name(box)}")
        else:
            last = box
    return "\n".join([*lines, f"  %% {flow.note}"]) + "\n"


def _name(box: FlowBox) -> str:
    return box.id.replace(":", "_").replace("-", "_")


def _label(box: FlowBox) -> str:
    return "<br>".join(escape(visible_line(line)).replace("#", "#35;") for line in box_lines(box))


def svg(flow: Flow, *, alone: bool = True) -> str:
    """Return the flow as SVG with selectable text; not `alone`, without the style sheet that the page has."""
    placed = layout(flow.boxes, LEFT, TOP)
    width, height, title = placed.width + LEFT, placed.height + 38, flow.title
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' aria-labelledby='flow-title flow-note'>\n<title id='flow-title'>{title}</title>\n"
        f"{DARK if alone else ''}"
        f"<desc id='flow-note'>{flow.note}</desc>\n"
        "<defs><marker id='flow-tip' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='8' markerHeight='8' "
        "orient='auto'><path d='M0,0 L8,4 L0,8 z' class='tip' fill='#444'/></marker></defs>\n"
        f"<rect width='{width}' height='{height}' class='paper' fill='#fff'/>\n"
        f"<text x='{LEFT}' y='24' {FONT} font-size='16' font-weight='bold' class='ink' fill='#222'>{title}</text>\n"
        f"<text x='{LEFT}' y='42' {FONT} font-size='14' class='soft' fill='#555'>{flow.note}</text>"
    )
    boxes = (part for box in placed.boxes for part in _box(box))
    arrows = (
        f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' class='edge' stroke='#444' marker-end='url(#flow-tip)'/>"
        for x1, y1, x2, y2 in placed.arrows
    )
    # `##[` would be a command in the log of a workflow that prints the picture.
    return visible("\n".join([head, *boxes, *arrows, "</svg>"])).replace("##[", "#&#35;[") + "\n"


def _box(box: PlacedBox) -> Iterator[str]:
    look = f"class='{box.name} edge' fill='{COLOURS[box.name]['light']}'"
    place = f"x='{box.x}' y='{box.y}' width='{box.width}' height='{box.height}'"
    yield f"<rect {place} rx='4' {look} stroke='#444'/>"
    for x, y, line, heading in box.texts():
        weight = " font-weight='bold'" if heading else ""
        yield f"<text x='{x}' y='{y}' {FONT} font-size='14'{weight} class='ink' fill='#222'>{escape(line)}</text>"
