"""States of a cell in the gap map, and the rule for gap, sparse and covered.

Reports, pages, plots and help texts take the labels and colours of a state from here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.reports.report import Tone

PATTERNS: Mapping[str, str] = {"hatched": "///", "dotted": "..", "crossed": "xx", "solid": "", "bare": ""}
"""Fill patterns, so that states differ without colour: the class in `site.css` and the hatch of matplotlib."""


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of a cell as `#rrggbb`: background (`ground`), text, pattern (`marks`) and edge."""

    ground: str
    text: str
    marks: str = ""
    edge: str = ""


@dataclass(frozen=True, slots=True)
class GapState:
    """A state of a cell in the gap map.

    A cell has the first of `STATES` for which its number of covering papers is at most `times` the limit of the pool;
    `times` is None if the state does not depend on papers. Cells in a state that `lacks` papers are listed and may fail
    a command. `mark` and `sentence` are templates with `{n}`, `{papers}`, `{pool}` and `{bar}` (the lowest strength).
    `pattern` is a key of `PATTERNS`. `light` and `dark` are the colours in that theme: one, and one more for each
    number in `steps`.
    """

    value: str
    meaning: str
    sentence: str
    tone: Tone
    mark: str
    pattern: str
    times: float | None
    lacks: bool = False
    light: tuple[Colours, ...] = ()
    dark: tuple[Colours, ...] = ()
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.value

    @property
    def word(self) -> str:
        """The state as text, with spaces instead of underscores."""
        return self.value.replace("_", " ")

    def shade(self, n: int) -> int:
        """Return the number, from 1, of the colour for a cell with `n` covering papers."""
        return 1 + sum(n > step for step in self.steps)


GAP = GapState(
    value="gap",
    meaning="no paper counts",
    sentence="No paper{pool}{bar}.",
    tone="warn",
    mark="!",
    pattern="hatched",
    times=0,
    lacks=True,
    light=(Colours("#fdfdfb", "#6f5546", "#eae3dc", "#d8cbc0"),),
    dark=(Colours("#14171b", "#cfae9b", "#2b2724", "#4a3f38"),),
)
SPARSE = GapState(
    value="sparse",
    meaning="few papers count",
    sentence="Only {papers}{bar}.",
    tone="note",
    mark="~{n}",
    pattern="dotted",
    times=1,
    lacks=True,
    light=(Colours("#fbe7bd", "#5c4400", "#e8c983"),),
    dark=(Colours("#3d3214", "#f5d88d", "#5c4b1f"),),
)
COVERED = GapState(
    value="covered",
    meaning="darker means more papers",
    sentence="{papers}{bar}.",
    tone="good",
    mark="{n}",
    pattern="solid",
    times=math.inf,
    light=(Colours("#d3e3f1", "#10314f"), Colours("#a9c9e4", "#10314f"), Colours("#1f5a8f", "#ffffff")),
    dark=(Colours("#1c3449", "#d8eafb"), Colours("#245074", "#d8eafb"), Colours("#9cc8ef", "#0c2236")),
    steps=(6, 15),
)
NOT_APPLICABLE = GapState(
    value="not_applicable",
    meaning="the two terms exclude each other",
    sentence="These two terms exclude each other.",
    tone="muted",
    mark="n/a",
    pattern="bare",
    times=None,
)
UNKNOWN = GapState(
    value="unknown",
    meaning="papers that are not coded yet could fill it",
    sentence="{papers}{bar}, and papers that are not coded yet.",
    tone="note",
    mark="?{n}",
    pattern="crossed",
    times=None,
    lacks=True,
    light=(Colours("#d6c6c6", "#3d3333", "#c0abab", "#8f7f7f"),),
    dark=(Colours("#2c3232", "#d8e0e0", "#414a4a", "#687373"),),
)
STATES = (GAP, SPARSE, COVERED, UNKNOWN, NOT_APPLICABLE)
"""Every state, fewest papers first."""


def state_of(limit: int, n: int, uncoded: int = 0) -> GapState:
    """Return the state of a cell with `n` covering papers; `limit` is the maximum number of papers in a sparse cell.

    The state is `UNKNOWN` if the cell lacks papers and `uncoded` further ones could give it another state. All cells of
    a pool have the same limit, so that a subset of a cell's papers never has a higher state.
    """
    least, most = (
        next((state for state in STATES if state.times is not None and m <= state.times * limit), COVERED)
        for m in (n, n + uncoded)
    )
    return UNKNOWN if least is not most else least
