"""A badge with the survey's finding or, if a claim fails, the number of claims that hold; as SVG and for shields.io.

The endpoint has the form of https://shields.io/badges/endpoint-badge.
"""

from dataclasses import dataclass
from html import escape
from json import dumps
from unicodedata import east_asian_width

from awesome_cli.analysis.claims.finding import leading
from awesome_cli.analysis.claims.report import tally_sentence
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.claims.results import ClaimStatus as Status
from awesome_cli.analysis.claims.wording import titled
from awesome_cli.text.inert import visible_line

LABEL = "survey"
COLOURS = {"green": "#2a7a3b", "yellow": "#8a6100", "red": "#b3261e", "lightgrey": "#5f6368"}
"""Background colours of the picture by shields.io's colour names; white text is readable on all of them."""
WIDTHS = {
    222: "ijl'",
    278: " !,./:;I[]ft|\\",
    333: "-()r`",
    500: "cksvxyzJ",
    556: "0123456789abdeghnopqu_$#?L",
    611: "FTZ",
    667: "ABEKPSVXY&",
    722: "CDHNRUw",
    778: "GOQ",
    833: "mM",
    889: "%",
}
"""Widths of letters in Adobe's Helvetica, in thousandths of the font size."""
WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
SIZE, PAD, HEIGHT, BASELINE = 11, 6, 20, 14
"""Pixels: font size, horizontal padding, height, and the distance of the baseline from the top."""


@dataclass(frozen=True, slots=True)
class Badge:
    """The message of a badge, and a colour of `COLOURS`."""

    message: str
    colour: str

    @property
    def endpoint(self) -> str:
        """The badge for shields.io, as JSON."""
        fields = {"schemaVersion": 1, "label": LABEL, "message": visible_line(self.message), "color": self.colour}
        return dumps(fields, ensure_ascii=False, indent=2) + "\n"

    @property
    def picture(self) -> str:
        """The badge as SVG; `textLength` fixes the width of each text for any font."""
        texts = [visible_line(text) for text in (LABEL, self.message)]
        left, right = (measured(text) for text in texts)
        first, whole = left + 2 * PAD, left + right + 4 * PAD
        title = escape(f"{texts[0]}: {texts[1]}")
        font = f'font-family="Verdana, Helvetica, Arial, sans-serif" font-size="{SIZE}" fill="#fff"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{HEIGHT}" role="img" '
            f'aria-label="{title}"><title>{title}</title>'
            f'<rect width="{whole}" height="{HEIGHT}" rx="3" fill="{COLOURS[self.colour]}"/>'
            f'<path d="M3 0H{first}V{HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444"/><g {font}>'
            f"{_text(texts[0], PAD, left)}{_text(texts[1], first + PAD, right)}</g></svg>\n"
        )


def measured(text: str) -> int:
    """Return the width of a text in pixels. Unknown letters get the width of a digit, East Asian wide letters 1 em."""
    wide = sum(WIDTH_OF.get(letter, 1000 if east_asian_width(letter) in "WF" else 556) for letter in text)
    return round(wide * SIZE / 1000)


def badge(results: ClaimResults) -> Badge:
    """Return the badge: red if a current claim fails or is undecided, yellow if one is contested, green otherwise."""
    colours = {Status.FAILS: "red", Status.UNDECIDED: "red", Status.CONTESTED: "yellow", Status.HOLDS: "green"}
    colour = next((name for status, name in colours.items() if results.answers[status]), "lightgrey")
    leads = () if results.answers[Status.FAILS] else leading(results)
    return Badge(titled(results.pool.corpus, leads[0].short) if leads else tally_sentence(results), colour)


def _text(text: str, x: int, width: int) -> str:
    return f'<text x="{x}" y="{BASELINE}" textLength="{width}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
