"""Themes of pictures (light, dark, paper), validation of sizes, and matplotlib settings."""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from awesome_cli.analysis.gaps.states import PATTERNS, STATES
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.system.extras import install
from awesome_cli.text.known import require_known

PRINT: Mapping[str, tuple[str, ...]] = {
    "gap": ("#ffffff",),
    "sparse": ("#ececec",),
    "unknown": ("#d2d2d2",),
    "covered": ("#b4b4b4", "#8c8c8c", "#4a4a4a"),
    "stays": ("#ffffff",),
    "leaves": ("#ececec",),
}
"""Greys on paper of gap states, as many as a state has colours, and of the flow's boxes."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#rrggbb`, and fonts.

    `plain`: background of a cell without a state; `accent`: data; `whole`: the larger set behind them; `ramp`: colours
    of zero and maximum. `size`: font size in points.
    """

    name: str
    paper: str
    ink: str
    soft: str
    line: str
    plain: str
    accent: str
    whole: str
    ramp: tuple[str, str]
    size: float = 10
    fonts: tuple[str, ...] = ("DejaVu Sans",)

    def state(self, name: str | None, n: float = 0) -> tuple[str, str, str]:
        """Return background, text colour and hatch of a gap state with `n` papers, or of a cell without a state."""
        for state in STATES:
            if state.value == name and (colours := getattr(state, "dark" if self.name == "dark" else "light")):
                shade = min(state.shade(round(n)), len(colours)) - 1
                ground, text = colours[shade].ground, colours[shade].text
                if self.name == "paper":
                    ground = PRINT[state.value][shade]
                    text = "#000000" if ground > "#808080" else "#ffffff"
                return ground, text, PATTERNS[state.pattern]
        return self.plain, self.ink, ""


SERIF = ("STIXGeneral", "DejaVu Serif", "DejaVu Sans")
# Blues of Okabe and Ito (Color Universal Design, 2008), lighter on a dark page.
_LIGHT = Theme(
    "light", "#ffffff", "#1d2126", "#565d66", "#d0d0d0", "#f3f3f0", "#0072b2", "#d6dade", ("#ffffff", "#1f5a8f")
)
_DARK = Theme(
    "dark", "#0d1117", "#e6e4de", "#a7adb5", "#3a4048", "#1a1f26", "#4c9fe0", "#3a4048", ("#0d1117", "#9cc8ef")
)
_PAPER = Theme(
    "paper",
    "#ffffff",
    "#000000",
    "#000000",
    "#8c8c8c",
    "#ffffff",
    "#262626",
    "#cccccc",
    ("#ffffff", "#333333"),
    8,
    SERIF,
)
THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (_LIGHT, _DARK, _PAPER)}
SETTINGS: Mapping[str, Any] = {
    "svg.hashsalt": "awesome",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "hatch.linewidth": 0.5,
    # A dollar sign in a label is a dollar sign, not mathematics.
    "text.parse_math": False,
}
METADATA: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
"""Metadata to suppress, since they contain dates or versions."""


def can_draw() -> bool:
    """True if matplotlib is installed; does not import it."""
    return find_spec("matplotlib") is not None


@contextmanager
def settings(theme: Theme, font: str | None = None) -> Iterator[Any]:
    """Yield the `pyplot` module with the settings of the theme, and with `font` if given.

    Raises `AwesomeError` if matplotlib is missing, `UsageError` for an unknown font.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise AwesomeError("plotting needs matplotlib", hint=f"install it with: {install('plot')}") from None
    mpl.use("agg")
    # Its report on building the font cache would stand among the messages of this program.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    from matplotlib import font_manager, pyplot

    if font is not None:
        require_known(font, font_manager.get_font_names(), "font", hint="name an installed font family")
    letters = {"font.family": [*([font] if font else []), *theme.fonts], "font.size": theme.size}
    colors = {
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "hatch.color": theme.line,
    }
    colors |= dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor"), theme.ink)
    colors |= dict.fromkeys(("ytick.labelcolor", "legend.labelcolor"), theme.ink)
    colors |= dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), theme.line)
    with mpl.rc_context(), pyplot.style.context("default"):
        mpl.rcParams.update({**SETTINGS, **letters, **colors})
        yield pyplot


def bare(axes: Any) -> None:
    """Remove frame and ticks."""
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)


LEAST_MM, MOST_MM = 20, 1000
LEAST_DPI, MOST_DPI = 30, 1200
MOST_PIXELS = 100_000_000
COLUMN_MM = 77
"""Width of a column in two-column proceedings of ACL, the narrowest of ACL, ACM (84 mm) and IEEE (88 mm)."""
INCH = 25.4
UNITS = {"mm": 1.0, "cm": 10.0, "in": INCH}
"""Millimetres of each unit."""


@dataclass(frozen=True, slots=True)
class Look:
    """Options of a picture: `theme` is light, dark or paper; `title` replaces the figure's, empty for none.

    Sizes are in inches; None means the default.
    """

    theme: str = "light"
    title: str | None = None
    width: float | None = None
    height: float | None = None
    font: str | None = None
    dpi: int | None = None


def inches(text: str | None, option: str) -> float | None:
    """Parse a length such as `77mm`, `8.4cm` or `3.3in` into inches; raises `UsageError` if it is invalid."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(mm|cm|in)\s*", text)
    if match is None:
        raise UsageError(f"{option} {text!r} is not a valid length", hint=f"examples: {option} 77mm, {option} 3.3in")
    length = float(match[1]) * UNITS[match[2]]
    if not LEAST_MM <= length <= MOST_MM:
        raise UsageError(f"{option} {text} is not between {LEAST_MM} mm and {MOST_MM} mm", hint=f"{option} 77mm")
    return length / INCH


def wished(form: str, look: Look, width: str | None, height: str | None) -> Look:
    """Return the look with parsed lengths; raises `UsageError` if out of bounds or incompatible with the format."""
    if look.dpi is not None and not LEAST_DPI <= look.dpi <= MOST_DPI:
        raise UsageError(f"--dpi {look.dpi} is not between {LEAST_DPI} and {MOST_DPI}", hint="journals ask for 300")
    if look.dpi is not None and form != "png":
        raise UsageError(f"--dpi cannot be combined with --format {form}", hint="--dpi is for --format png")
    sized = replace(look, width=inches(width, "--width"), height=inches(height, "--height"))
    if form == "csv" and sized != Look():
        raise UsageError("--format csv cannot be combined with options for colours, title or size", hint="omit them")
    return sized
