"""The keywords of a source, and the terms of the taxonomy that they stand for."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from awesome_cli.curation.intake.topics import Topics
from awesome_cli.errors import SurveyError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.survey.saving import Change
from awesome_cli.text.folding import fold, spaced

Tags = dict[str, tuple[Tag, ...]]


@dataclass
class Vocabulary:
    """Finds the terms of words, and counts for records that are taken in the tags (`mapped`) and the other words.

    These are words without a term (`unknown`), and terms of an axis that takes one and has one (`second`). `retired`
    has the sentence on each word that is a former term. With `create`, a word that is on no axis becomes a term of that
    axis.
    """

    taxonomy: Taxonomy
    create: Axis | None = None
    created: dict[str, Term] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)
    mapped: Counter[str] = field(default_factory=Counter)
    second: Counter[str] = field(default_factory=Counter)
    placed: list[tuple[Counter[str], str]] = field(default_factory=list)
    retired: dict[str, str] = field(default_factory=dict)
    topics: Topics | None = None

    def place(self, words: Sequence[str]) -> tuple[Tags, tuple[str, ...]]:
        """Tags for the words that are terms, and the other words, with second main terms for axes that take one.

        They are counted when `count` is called.
        """
        tags: Tags = {}
        self.placed = []
        left: list[str] = []
        for word in words:
            found = self._find(word)
            if found is not None and _join(tags, *found):
                self.placed.append((self.mapped, on_axis(found[0].id, found[1].term)))
            else:
                left.append(word)
                self.placed.append((self.unknown if found is None else self.second, word))
        return tags, tuple(left)

    def count(self) -> None:
        """Count the words that were placed last, since their record is taken in."""
        for counter, word in self.placed:
            counter[word] += 1
            if counter is self.unknown:
                self._note_retired(word)
        self.placed = []

    @property
    def terms(self) -> tuple[Term, ...]:
        """The new terms that records have."""
        made = self.created.values() if self.create else ()
        asked = tuple(term for term in made if self.create and on_axis(self.create.id, term.id) in self.mapped)
        return (*asked, *(self.topics.used(self.mapped) if self.topics else ()))

    def _find(self, word: str) -> tuple[Axis, Tag] | None:
        name, rest = split_axis(word)
        if rest and name in self.taxonomy.by_id:
            axis = self.taxonomy.by_id[name]
            asked = Tag.parse(rest)
            term = _term(axis, asked.term)
            if term is not None:
                strength = asked.strength if asked.strength in axis.rank else None
                return axis, Tag(term=term, strength=strength, part=asked.part)
            return self._made(asked.term.strip()) if self.create is axis else None
        hits = [(axis, term) for axis in self.taxonomy.axes if (term := _term(axis, word)) is not None]
        if len(hits) == 1:
            return hits[0][0], Tag(term=hits[0][1])
        return self._made(word) if not hits else None

    def _note_retired(self, word: str) -> None:
        name, rest = split_axis(word)
        term = Tag.parse(rest or word).term.strip()
        axes = [self.taxonomy.by_id[name]] if rest and name in self.taxonomy.by_id else self.taxonomy.axes
        if said := next((said for axis in axes if (said := axis.retirement(term))), None):
            self.retired[word] = said

    def _made(self, word: str) -> tuple[Axis, Tag] | None:
        """A new term for a word, if that was asked for and the word gives an id."""
        if self.create is None:
            return None
        name = re.sub(r"[^a-z0-9]+", "_", fold(word)).strip("_")
        if not name or name in self.create.by_id:
            return None
        self.created.setdefault(name, Term(id=name, label=word))
        return self.create, Tag(term=name)

    def change(self, tree: FileTree, path: str) -> tuple[Change, ...]:
        """The change that adds the new terms to the taxonomy's file."""
        if not self.terms:
            return ()
        data = tree.read(path)
        value, findings = yaml_reading.read(data or b"")
        if data is None or findings or not isinstance(value, dict):
            raise SurveyError(f"{path} cannot be changed", hint="see 'awesome validate'")
        topics = self.topics.used(self.mapped) if self.topics else ()
        if self.topics:
            value = self.topics.added(value, topics)
        asked = [{"id": term.id, "label": term.label} for term in self.terms if term not in topics]
        for axis in value["axes"]:
            if asked and self.create and axis["id"] == self.create.id:
                axis["terms"] = [*axis["terms"], *asked]
        return (Change(path, data, yaml_editing.rewrite(data, value)),)


def _join(tags: Tags, axis: Axis, tag: Tag) -> bool:
    """Add a tag; False if its axis takes one main term and has one already."""
    have = tags.get(axis.id, ())
    if any(other.term == tag.term for other in have):
        return True
    if axis.kind == "one" and not tag.part and any(not other.part for other in have):
        return False
    tags[axis.id] = (*have, tag)
    return True


def _term(axis: Axis, word: str) -> str | None:
    """The id of the term that a word names by id, code or label, in any case."""
    wanted = spaced(word)
    for term in axis.terms:
        if wanted in {spaced(term.id), spaced(term.label), spaced(term.code or term.id)}:
            return None if term.deprecated else term.id
    return None
