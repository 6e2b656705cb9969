"""Themes of pictures (light, dark, paper), validation of sizes, and matplotlib settings."""

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

DASHES = ("-", "--", "-.", ":")
"""Line styles that distinguish curves of one colour."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#rrggbb`, and fonts.

    `plain`: background of a cell without a state; `na`: papers without a term; `ramp`: colours of zero and maximum.
    `size`: font size in points; `hatches` distinguish series of one colour.
    """

    name: str
    paper: str
    ink: str
    soft: str
    line: str
    plain: str
    series: tuple[str, ...]
    ramp: tuple[str, str]
    na: str
    size: float = 10
    fonts: tuple[str, ...] = ("DejaVu Sans",)
    hatches: tuple[str, ...] = ("", "..", "xx", "++")

    def state(self, name: str | None, n: float = 0) -> tuple[str, str, str]:
        """Return background, text colour and hatch of a gap state with `n` papers, or of a cell without a state."""
        for state in STATES:
            if state.value == name and (colours := getattr(state, "dark" if self.name == "dark" else "light")):
                shade = colours[min(state.shade(round(n)), len(colours)) - 1]
                ground = self.ground(shade.ground)
                on_paper = "#000000" if ground > "#808080" else "#ffffff"
                return ground, on_paper if self.name == "paper" else shade.text, PATTERNS[state.pattern]
        return self.plain, self.ink, ""

    def mark(self, i: int) -> tuple[str, str]:
        """Return colour and hatch of the series at index `i`."""
        return self.series[i % len(self.series)], self.hatches[i // len(self.series) % len(self.hatches)]

    def line_mark(self, i: int) -> tuple[str, str]:
        """Return colour and line style of the curve at index `i`; the paper theme varies line styles first."""
        first = len(DASHES) if self.name == "paper" else len(self.series)
        along, around = i % first, i // first
        color, dash = (around, along) if self.name == "paper" else (along, around)
        return self.series[color % len(self.series)], DASHES[dash % len(DASHES)]

    def ground(self, color: str) -> str:
        """Return a colour of the light theme in this theme; for paper, the grey of equal luma (ITU-R BT.601)."""
        if self.name != "paper":
            return color
        red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
        return "#" + f"{round(0.299 * red + 0.587 * green + 0.114 * blue):02x}" * 3


# The series are Okabe and Ito's colours (Color Universal Design, 2008), told apart with any colour vision.
OKABE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
# Their blue is too dark for a dark page: lighter there, as is the sky blue that it has to differ from.
OKABE_DARK = ("#4c9fe0", *OKABE[1:4], "#a5dcf7", *OKABE[5:7], "#ffffff")
# Greys that stay apart in print; the series after them are hatched.
GREYS = ("#262626", "#a6a6a6", "#5e5e5e", "#dedede")
SERIF = ("STIXGeneral", "DejaVu Serif", "DejaVu Sans")
_LIGHT = Theme("light", "#ffffff", "#1d2126", "#565d66", "#d0d0d0", "#f3f3f0", OKABE, ("#ffffff", "#1f5a8f"), "#c4c4c4")
_DARK = Theme(
    "dark", "#0d1117", "#e6e4de", "#a7adb5", "#3a4048", "#1a1f26", OKABE_DARK, ("#0d1117", "#9cc8ef"), "#60666d"
)
_PAPER = Theme(
    "paper", "#ffffff", "#000000", "#000000", "#8c8c8c", "#ffffff", GREYS, ("#ffffff", "#333333"), "#ffffff", 8, SERIF
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
COLUMN_MM = 84
"""Width of a column in two-column journals and proceedings, about that of IEEE, ACM and ACL."""
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
    """Parse a length such as `84mm`, `8.4cm` or `3.3in` into inches; raises `UsageError` if it is invalid."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(mm|cm|in)\s*", text)
    if match is None:
        raise UsageError(f"{option} {text!r} is not a valid length", hint=f"examples: {option} 84mm, {option} 3.3in")
    length = float(match[1]) * UNITS[match[2]]
    if not LEAST_MM <= length <= MOST_MM:
        raise UsageError(f"{option} {text} is not between {LEAST_MM} mm and {MOST_MM} mm", hint=f"{option} 84mm")
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
