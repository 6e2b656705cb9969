"""The front page: what the survey found."""

from awesome_cli.publish.site.page import Frame, SitePage


def front_page(frame: Frame) -> SitePage:
    """The page that a stranger sees first."""
    return frame.page("index.html", "front", title=frame.corpus.taxonomy.survey.title)
