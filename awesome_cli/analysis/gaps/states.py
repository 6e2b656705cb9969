"""The states of a cell of the gap map, and the rule that decides whether it is a gap, sparse or covered.

Every report, page, plot and help text reads the descriptor of a state from here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.reports.report import Tone

if TYPE_CHECKING:
    from awesome_cli.model.taxonomy import Axis

PATTERNS: Mapping[str, str] = {"hatched": "///", "dotted": "..", "solid": "", "bare": ""}
"""How a cell is filled, so that states differ without colour: a class in `site.css`, and how matplotlib writes it."""


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of a cell as `#rrggbb`: its ground, the text on it, its lines or dots, and its edge."""

    ground: str
    text: str
    marks: str = ""
    edge: str = ""


@dataclass(frozen=True, slots=True)
class GapState:
    """A state of a cell.

    `times` gives the largest number of covering papers that a cell in this state has, in multiples of the largest
    number that is sparse on its axis (`Sparse.limit`); a state without it is given for another reason than a number.
    `lacks` says that something is missing: such cells are listed, and may fail a command. `mark` and `sentence` may
    name `{n}`, `{papers}`, `{pool}` (which papers were asked) and `{bar}` (the strength that counts). `pattern` is one
    of `PATTERNS`. `light` and `dark` are its colours on such a page: one entry, or one more for each number of papers
    in `steps`.
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
        """The state as people read it."""
        return self.value.replace("_", " ")

    def shade(self, n: int) -> int:
        """Which of the colours a cell with `n` covering papers has, from 1."""
        return 1 + sum(n > step for step in self.steps)


GAP = GapState(
    value="gap",
    meaning="no paper counts",
    sentence="Nobody: no paper{pool}{bar}.",
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
    meaning="darker is more",
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
    meaning="the two terms do not go together",
    sentence="These two do not go together.",
    tone="muted",
    mark="n/a",
    pattern="bare",
    times=None,
)
STATES = (GAP, SPARSE, COVERED, NOT_APPLICABLE)
"""Every state, those with fewer papers first."""


def state_of(axis: "Axis", n: int, population: int) -> GapState:
    """The state of a cell of an axis that `n` papers cover, where `population` papers match what `sparse` is of."""
    limit = axis.sparse.limit(population)
    return next((state for state in STATES if state.times is not None and n <= state.times * limit), COVERED)
