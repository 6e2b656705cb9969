"""The flow as a picture: Mermaid for Markdown pages, SVG for papers and sites."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from awesome_cli.analysis.flow import IDENTIFIED, Box, Flow

SIDE, GAP, LINE, PAD = 340, 60, 18, 12
LETTER = 8.4
"""About the widest that a bold letter of the labels gets, on average, in pixels."""
TOP, LEFT = 52, 20
FONT = "font-family='Helvetica, Arial, sans-serif'"
DARK = """<style>@media screen and (prefers-color-scheme: dark) {
.paper { fill: #14171b; } .ink { fill: #e6e4de; } .soft { fill: #a7adb5; } .tip { fill: #a7adb5; }
.stays { fill: #1c3449; } .leaves { fill: #3d3214; } .edge { stroke: #a7adb5; }
}</style>
"""
"""What the classes look like on a dark screen; without it, or on paper, the light attributes hold."""


def mermaid(flow: Flow) -> str:
    """A flowchart: what stays runs down, what leaves goes to the side."""
    lines = ["flowchart TD"]
    stays = [box for box in flow.boxes if not box.leaves]
    lines += [f'  {_name(box)}["{_label(box)}"]' for box in flow.boxes]
    lines += [f"  {_name(a)} --> {_name(b)}" for a, b in pairwise(stays)]
    lines += [f"  {_name(a)} --> {_name(b)}" for a, b in pairwise(flow.boxes) if b.leaves]
    lines.append(f"  %% {IDENTIFIED}")
    return "\n".join(lines) + "\n"


def _name(box: Box) -> str:
    return box.id.replace(":", "_").replace("-", "_")


def _label(box: Box) -> str:
    words = [f"{box.label} (n = {box.n})", *(f"{reason} (n = {n})" for reason, n in box.reasons)]
    return "<br>".join(escape(word).replace("#", "#35;") for word in words)


def svg(flow: Flow, *, alone: bool = True) -> str:
    """The flow with its reasons as one self-contained picture; text stays text, for search and screen readers.

    One that is not `alone` leaves the dark colours of its classes to the style sheet of the page that it is part of.
    """
    parts: list[str] = []
    y = TOP
    wide = max(300, *(round(LETTER * len(f"{box.label} (n = {box.n})")) + 2 * PAD for box in flow.boxes))
    last: tuple[int, int] | None = None
    for stay, leave in _rows(flow.boxes):
        height = max(_height(stay), _height(leave) if leave else 0)
        middle = y + _height(stay) // 2
        parts += _box(stay, LEFT, y, wide)
        if last is not None:
            parts.append(_arrow(LEFT + wide // 2, last[1], LEFT + wide // 2, y))
        if leave is not None:
            parts += _box(leave, LEFT + wide + GAP, y, SIDE)
            parts.append(_arrow(LEFT + wide, middle, LEFT + wide + GAP, middle))
        last = (y, y + _height(stay))
        y += height + 28
    width, height = LEFT * 2 + wide + GAP + SIDE, y + 10
    title = "PRISMA 2020 flow of the screening log" + (f", as of {flow.day}" if flow.day else "")
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' aria-labelledby='flow-title flow-note'>\n<title id='flow-title'>{title}</title>\n"
        f"{DARK if alone else ''}"
        f"<desc id='flow-note'>{IDENTIFIED}</desc>\n"
        "<defs><marker id='flow-tip' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='8' markerHeight='8' "
        "orient='auto'><path d='M0,0 L8,4 L0,8 z' class='tip' fill='#444'/></marker></defs>\n"
        f"<rect width='{width}' height='{height}' class='paper' fill='#fff'/>\n"
        f"<text x='{LEFT}' y='24' {FONT} font-size='15' font-weight='bold' class='ink' fill='#222'>{title}</text>\n"
        f"<text x='{LEFT}' y='42' {FONT} font-size='11' class='soft' fill='#555'>{IDENTIFIED}</text>"
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _rows(boxes: Sequence[Box]) -> Iterator[tuple[Box, Box | None]]:
    """Each box that stays, with the one that leaves from it."""
    for i, box in enumerate(boxes):
        if not box.leaves:
            after = boxes[i + 1] if i + 1 < len(boxes) else None
            yield box, after if after is not None and after.leaves else None


def _height(box: Box) -> int:
    return 2 * PAD + LINE * (1 + len(box.reasons))


def _box(box: Box, x: int, y: int, width: int) -> Iterator[str]:
    look = "class='leaves edge' fill='#fdf3ea'" if box.leaves else "class='stays edge' fill='#eaf2fb'"
    yield f"<rect x='{x}' y='{y}' width='{width}' height='{_height(box)}' rx='4' {look} stroke='#444'/>"
    lines = [f"{box.label} (n = {box.n})", *(f"{reason} (n = {n})" for reason, n in box.reasons)]
    for i, line in enumerate(lines):
        weight = " font-weight='bold'" if i == 0 else ""
        place = f"x='{x + PAD + (8 if i else 0)}' y='{y + PAD + 13 + LINE * i}'"
        yield f"<text {place} {FONT} font-size='13'{weight} class='ink' fill='#222'>{escape(line)}</text>"


def _arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' class='edge' stroke='#444' marker-end='url(#flow-tip)'/>"
