"""Parse XML strictly: without entities, DTDs and network, and with libxml2's bounds on depth and size."""

from typing import Any


def parse(data: bytes, encoding: str | None = None) -> Any:
    """Return the root element; `encoding` overrides the declared one. Raises `ValueError` for faults and entities."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, encoding=encoding)
    try:
        root = etree.fromstring(data, parser=parser)
    except etree.XMLSyntaxError as error:
        why = str(error.msg).partition(", line ")[0]
        raise ValueError(f"line {max(error.lineno or 1, 1)}: {why}") from None
    entity = next(root.iter(etree.Entity), None)
    if entity is not None:
        raise ValueError(f"line {entity.sourceline}: entities such as {entity.text} are not supported")
    return root


def text_of(element: Any) -> str:
    """Return the text of an element and of its parts, such as runs in italics, on one line."""
    return " ".join("".join(element.itertext("*")).split())
