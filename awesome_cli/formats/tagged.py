"""References that are lines of a tag and a value, as in RIS and in PubMed's format."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from awesome_cli.model.identifiers import read

Lines = list[tuple[str | None, str]]
"""The tag of each line, none for one that continues the line before, and its value."""


def split(lines: Iterable[tuple[str | None, str]], first: str, last: str = "") -> Iterator[tuple[int, Lines]]:
    """`(line, lines)` of each reference: from a `first` tag to the `last` one behind it, or to the next `first`."""
    start, found = 0, Lines()
    for number, (tag, value) in enumerate(lines, 1):
        # Some programs write several types, one behind the other.
        if tag == first and found and found[-1][0] != first:
            yield start, found
            found = []
        if tag or (found and value.strip()):
            start = start if found else number
            found.append((tag, value))
        if tag and tag == last:
            yield start, found
            found = []
    if found:
        yield start, found


@dataclass
class TaggedValues:
    """The values of each tag in order, and which of them a field of the record holds."""

    found: Mapping[str, list[str]]
    held: set[tuple[str, str]] = field(default_factory=set)

    def take(self, *tags: str) -> str:
        """The first value of the first of the tags that has one, or nothing; it counts as held."""
        value = next(((tag, self.found[tag][0]) for tag in tags if tag in self.found), ("", ""))
        self.held.add(value)
        return value[1]

    def take_all(self, tag: str) -> list[str]:
        """All values of a tag; they count as held."""
        texts = self.found.get(tag, [])
        self.hold(tag, texts)
        return texts

    def hold(self, tag: str, texts: Iterable[str]) -> None:
        """Say that a field holds these values of a tag."""
        self.held.update((tag, value) for value in texts)

    def holds(self, tag: str) -> bool:
        """Whether a field holds the first value of a tag."""
        return (tag, next(iter(self.found.get(tag, ())), "")) in self.held

    def isbn(self, tag: str) -> str | None:
        """The first ISBN of a tag, whose values may say more (`978-0-306-40615-7 (print)`); alone it counts as held."""
        words = (word for text in self.found.get(tag, []) for word in re.split(r"[\s;,()]+", text))
        number = next((word for word in words if read("isbn", word)), None)
        self.hold(tag, [number] if number else [])
        return number

    def left(self, names: Mapping[str, str]) -> dict[str, str | list[str]]:
        """The values that no field holds, by the names of their tags."""
        rest: dict[str, list[str]] = {}
        for tag, texts in self.found.items():
            rest.setdefault(names.get(tag, tag), []).extend(v for v in texts if (tag, v) not in self.held)
        return {name: texts[0] if len(texts) == 1 else texts for name, texts in rest.items() if texts}


def values(lines: Iterable[tuple[str | None, str]], lists: Collection[str] = ()) -> TaggedValues:
    """The values of some lines. A line without a tag continues a value; of a tag in `lists` it is another one."""
    found: dict[str, list[str]] = {}
    last: str | None = None
    for tag, text in lines:
        value = " ".join(text.split())
        last = tag or last
        if last is None:
            continue
        texts = found.setdefault(last, [])
        if tag or last in lists or not texts:
            texts.append(value)
        elif value:
            texts[-1] = f"{texts[-1]} {value}".lstrip()
    return TaggedValues({tag: kept for tag, texts in found.items() if (kept := [value for value in texts if value])})
