"""Release notes as an Atom feed (RFC 4287), for readers who follow the survey."""

from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

from awesome_cli.analysis.diff.changelog import Changelog
from awesome_cli.text.inert import visible

NAMESPACE = "http://www.w3.org/2005/Atom"


def feed(log: Changelog, *earlier: Changelog, address: str | None = None, page: str | None = None) -> str:
    """Return an Atom feed with one entry per heading of the notes, newest first. Entry ids depend on the notes only.

    `address` is the URL of the feed; `page` is the URL of the page with the same notes, under `#dREVISION`.
    """
    ET.register_namespace("", NAMESPACE)
    root = _element(None, "feed")
    home = log.url or f"urn:survey:{log.title}"
    _element(root, "title", log.title)
    _element(root, "id", uuid5(NAMESPACE_URL, home).urn)
    _element(root, "updated", log.date)
    _element(_element(root, "author"), "name", log.author)
    if page:
        _element(root, "link").set("href", page)
    if address:
        link = _element(root, "link")
        link.set("rel", "self")
        link.set("href", address)
    for each in (log, *earlier):
        span = f"{each.diff.names[0]}..{each.diff.names[1]}"
        for heading, lines in (("Summary", (each.headline(),)), *each.notes()):
            entry = _element(root, "entry")
            _element(entry, "title", f"{heading} ({span})")
            _element(entry, "id", uuid5(NAMESPACE_URL, f"{home}#{span}#{each.date}#{heading}").urn)
            _element(entry, "updated", each.date)
            if page:
                _element(entry, "link").set("href", f"{page}#d{each.diff.names[1]}")
            _element(entry, "content", "\n".join(lines)).set("type", "text")
    ET.indent(root)
    # XML cannot contain control characters.
    return '<?xml version="1.0" encoding="utf-8"?>\n' + visible(ET.tostring(root, encoding="unicode")) + "\n"


def _element(parent: ET.Element | None, name: str, text: str | None = None) -> ET.Element:
    tag = f"{{{NAMESPACE}}}{name}"
    element = ET.Element(tag) if parent is None else ET.SubElement(parent, tag)
    element.text = text
    return element
