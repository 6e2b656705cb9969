"""The colours of the site that come from Python tables, as a style sheet: those of the gap states and of the flow."""

from collections.abc import Iterator
from dataclasses import asdict

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.publish.flow import COLOURS

PATH = "assets/colours.css"


def stylesheet() -> str:
    """Custom properties for each gap state and its shades, light and dark; on a dark screen also the flow's boxes."""
    boxes = (f".drawing .{name} {{ fill: {colour['dark']}; }}" for name, colour in COLOURS.items())
    dark = ["@media screen and (prefers-color-scheme: dark) {", *_states("dark"), "}"]
    screen = ["@media screen and (prefers-color-scheme: dark) {", *boxes, "}"]
    return "\n".join([*_states("light"), *dark, *screen]) + "\n"


def _states(theme: str) -> Iterator[str]:
    for state in STATES:
        for i, colours in enumerate(getattr(state, theme), 1):
            properties = " ".join(f"--{name}: {colour};" for name, colour in asdict(colours).items() if colour)
            yield f".{state.value}{f'.shade{i}' if i > 1 else ''} {{ {properties} }}"
