"""Parse references that consist of lines with a tag and a value, as in RIS and PubMed's format.

`TI  - On Tea` is the pair `("TI", "On Tea")`; a line without a tag continues the value before it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from awesome_cli.model.identifiers import read

Lines = list[tuple[str | None, str]]
"""`(tag, value)` of each line; the tag of a continuation line is None."""


def split(lines: Iterable[tuple[str | None, str]], first: str, last: str = "") -> Iterator[tuple[int, Lines]]:
    """Yield `(first line number, lines)` from each tag `first` to `last` or the next `first`, and of texts between."""
    start, reference, is_after = 0, Lines(), False
    for number, (tag, value) in enumerate(lines, 1):
        # Some programs write several types in a row.
        if tag == first and reference and reference[-1][0] != first:
            yield start, reference
            reference = []
        if tag or ((reference or is_after) and value.strip()):
            start = start if reference else number
            reference.append((tag, value))
        if tag and tag == last:
            yield start, reference
            reference, is_after = [], True
    if reference:
        yield start, reference


@dataclass
class TaggedValues:
    """The values of each tag in order; `held` has the `(tag, value)` pairs that a field of the record preserves."""

    values: Mapping[str, list[str]]
    held: set[tuple[str, str]] = field(default_factory=set)

    def take(self, *tags: str) -> str:
        """Return the first value of the first tag that has values, else ''; mark the value as held."""
        value = next(((tag, self.values[tag][0]) for tag in tags if tag in self.values), ("", ""))
        self.held.add(value)
        return value[1]

    def take_all(self, tag: str) -> list[str]:
        """Return all values of a tag; mark the values as held."""
        texts = self.values.get(tag, [])
        self.hold(tag, texts)
        return texts

    def hold(self, tag: str, texts: Iterable[str]) -> None:
        """Mark values of a tag as held."""
        self.held.update((tag, value) for value in texts)

    def holds(self, tag: str) -> bool:
        """True if the first value of a tag is held."""
        return (tag, next(iter(self.values.get(tag, ())), "")) in self.held

    def isbn(self, tag: str) -> str | None:
        """Return the first ISBN in a tag's values (`978-0-306-40615-7 (print)`); mark a value of only it as held."""
        words = (word for text in self.values.get(tag, []) for word in re.split(r"[\s;,()]+", text))
        number = next((word for word in words if read("isbn", word)), None)
        self.hold(tag, [number] if number else [])
        return number

    def left(self, names: Mapping[str, str]) -> dict[str, str | list[str]]:
        """Return the values that are not held, by tag; `names` has other names for some tags."""
        rest: dict[str, list[str]] = {}
        for tag, texts in self.values.items():
            rest.setdefault(names.get(tag, tag), []).extend(v for v in texts if (tag, v) not in self.held)
        return {name: texts[0] if len(texts) == 1 else texts for name, texts in rest.items() if texts}


def values(lines: Iterable[tuple[str | None, str]], lists: Collection[str] = ()) -> TaggedValues:
    """Collect the values of lines. A line without a tag continues a value, or is another value of a tag in `lists`."""
    by_tag: dict[str, list[str]] = {}
    last: str | None = None
    for tag, text in lines:
        value = " ".join(text.split())
        last = tag or last
        if last is None:
            continue
        texts = by_tag.setdefault(last, [])
        if tag or last in lists or not texts:
            texts.append(value)
        elif value:
            texts[-1] = f"{texts[-1]} {value}".lstrip()
    return TaggedValues({tag: filled for tag, texts in by_tag.items() if (filled := list(filter(None, texts)))})
