"""How readers take part, and what search engines and browsers ask a site for besides its pages."""

from collections.abc import Iterable, Iterator
from html import escape

from awesome_cli.publish.forms import FormText, form_address, forms
from awesome_cli.publish.site.page import Frame, SitePage

WAYS = (
    ("propose", "paper", "Propose a paper", "awesome add REFERENCE --kind candidate"),
    ("dispute", "coding", "Dispute a coding", "awesome issue apply FILE"),
    ("correct", "correction", "Correct a record", "awesome set KEY FIELD=VALUE"),
)
"""The place on the page, the form, its heading, and the command that does the same in a copy of the survey."""


def taking_part_page(frame: Frame) -> SitePage:
    """Where to propose, dispute and correct: forms of the host, else texts to copy."""
    survey, texts = frame.corpus.taxonomy.survey, forms(frame.corpus.taxonomy)
    ways = [
        (place, heading, form_address(survey, kind), FormText.of(survey, texts[kind]), command)
        for place, kind, heading, command in WAYS
        if kind in texts
    ]
    return frame.page(
        "take-part.html",
        "take-part",
        title="Take part",
        description="How to propose a paper, dispute a coding and correct a record of this survey.",
        ways=ways,
        graded=[grade for grade in frame.corpus.taxonomy.grades if grade.definition],
        scripts=("assets/view.js",),
    )


def found_by_others(frame: Frame, paths: Iterable[str]) -> Iterator[SitePage]:
    """`robots.txt`; with an address also the sitemap, and the page that a server shows in place of a missing one."""
    home = frame.base
    yield SitePage("robots.txt", "User-agent: *\nDisallow:\n" + (f"\nSitemap: {home}sitemap.xml\n" if home else ""))
    if home is None:
        return
    # A missing page can be asked for in any folder, so its links begin with the site's address.
    yield frame.page(
        "404.html",
        "missing",
        title="Page not found",
        description="The address leads to no page of this site.",
        root=home,
        canonical=None,
    )
    lines = (f"<url><loc>{escape(home + path)}</loc></url>\n" for path in sorted(paths) if path.endswith(".html"))
    start = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    yield SitePage("sitemap.xml", f"{start}{''.join(lines)}</urlset>\n")
