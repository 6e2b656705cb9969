"""Colours of plots for light and dark pages, and the settings of matplotlib, which nothing else imports."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from awesome_cli.analysis.gaps.states import PATTERNS, STATES
from awesome_cli.errors import AwesomeError


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#rrggbb`; `plain` is the ground of a cell without a state, `ramp` goes from none to the most."""

    name: str
    paper: str
    ink: str
    soft: str
    line: str
    plain: str
    series: tuple[str, ...]
    ramp: tuple[str, str]

    def state(self, name: str | None) -> tuple[str, str, str]:
        """The ground, the text's colour and the hatch of a gap state, or of a cell that has none."""
        for state in STATES:
            if state.value == name and (colours := getattr(state, self.name)):
                return colours[0].ground, colours[0].text, PATTERNS[state.pattern]
        return self.plain, self.ink, ""


# The series are Okabe and Ito's colours (Color Universal Design, 2008), told apart with any colour vision.
OKABE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
# Their blue is too dark for a dark page: lighter there, as is the sky blue that it has to differ from.
OKABE_DARK = ("#4c9fe0", *OKABE[1:4], "#a5dcf7", *OKABE[5:])
_LIGHT = Theme("light", "#ffffff", "#1d2126", "#565d66", "#d0d0d0", "#f3f3f0", OKABE, ("#ffffff", "#1f5a8f"))
_DARK = Theme("dark", "#0d1117", "#e6e4de", "#a7adb5", "#3a4048", "#1a1f26", OKABE_DARK, ("#0d1117", "#9cc8ef"))
THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (_LIGHT, _DARK)}
SETTINGS: Mapping[str, Any] = {
    "svg.hashsalt": "awesome",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "hatch.linewidth": 0.5,
    # A dollar sign in a label is a dollar sign, not mathematics.
    "text.parse_math": False,
}
METADATA: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
"""What would carry a date or a version into the file is left out."""


INSTALL = "pip install 'awesome-survey[plot]'"
"""The command that installs what plots are drawn with."""


def can_draw() -> bool:
    """Whether matplotlib is installed; it is not imported for that."""
    return find_spec("matplotlib") is not None


@contextmanager
def settings(theme: Theme) -> Iterator[Any]:
    """The `pyplot` module with the settings of the theme; raises `AwesomeError` where matplotlib is missing."""
    try:
        import matplotlib as mpl
    except ImportError:
        hint = f"install it with: {INSTALL}; --format vega needs none"
        raise AwesomeError("plotting needs matplotlib", hint=hint) from None
    mpl.use("agg")
    from matplotlib import pyplot

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
        mpl.rcParams.update({**SETTINGS, **colors})
        yield pyplot


def bare(axes: Any) -> None:
    """Take frame and ticks away."""
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
