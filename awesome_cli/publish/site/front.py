"""The front page: what the survey found."""

from awesome_cli.publish.site import linked
from awesome_cli.publish.site.page import Frame, SitePage


def front_page(frame: Frame) -> SitePage:
    """The page that a stranger sees first."""
    title, said = frame.corpus.taxonomy.survey.title, linked.website(frame.corpus, frame.description, frame.base)
    return frame.page("index.html", "front", title=title, linked=said)
