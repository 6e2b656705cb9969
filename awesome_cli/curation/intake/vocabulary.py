"""Map headings and keywords of a source to terms of the taxonomy, or to new terms."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Tag, on_axis, split_axis
from awesome_cli.model.drafts import Draft
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.survey.saving import Change
from awesome_cli.text.folding import fold, spaced

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeadingTerms:
    """The new terms of a page, parents before their children, and for each path with works the term of these."""

    terms: tuple[Term, ...]
    ids: Mapping[Path, str]


def heading_terms(paths: Iterable[Path], taken: Iterable[str] = (), known: Iterable[Term] = ()) -> HeadingTerms:
    """Terms for the headings that works stand under; no id is one of `taken`, or of a `known` term.

    Works are coded with terms that have no children, so works right under a heading that has others below it get a
    term of their own beside these. A heading that is the label or the id of a known term gives no other; a known term
    without children gets none.
    """
    works = [path for path in dict.fromkeys(paths) if path]
    above = {path[:n] for path in works for n in range(1, len(path))}
    had = {spaced(word): term for term in known if not term.deprecated for word in (term.id, term.label)}
    parents = {term.parent for term in had.values()}
    names, terms, ids = {*taken, *(term.id for term in known)}, list[Term](), dict[Path, str]()
    leaves = {term.id for term in had.values()} - parents
    for path in dict.fromkeys(whole[:n] for whole in works for n in range(1, len(whole) + 1)):
        parent = None if ids.get(path[:-1]) in leaves else ids.get(path[:-1])
        term = had.get(spaced(path[-1]))
        if term is None:
            term = Term(id=_id(path[-1], parent, names), label=path[-1], parent=parent)
            terms.append(term)
        ids[path] = term.id
    general = [path for path in works if ids[path] not in leaves and (path in above or ids[path] in parents)]
    own = dict[Path, str]()
    for path in general:
        label = f"{path[-1]} in general"
        if (term := had.get(spaced(label))) is None:
            term = Term(id=_id(label, None, names), label=label, parent=ids[path])
            terms.append(term)
        own[path] = term.id
    return HeadingTerms(tuple(terms), {path: own.get(path, ids[path]) for path in works})


def _id(label: str, parent: str | None, names: set[str]) -> str:
    """A free id made of a label, if need be with that of the parent or a number; it is added to the names."""
    plain = re.sub(r"[^a-z0-9]+", "_", fold(label)).strip("_") or "heading"
    plain = plain if plain[0].isalpha() else f"h_{plain}"
    joined = f"{parent}_{plain}" if parent else plain
    numbered = (f"{joined}_{n}" for n in range(2, len(names) + 3))
    found = next(name for name in (plain, joined, *numbered) if name not in names)
    names.add(found)
    return found


AXIS = "topic"
"""The axis of headings, unless another is named."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Where headings go: the axis as it will be, its new terms, and for each path of headings the word for a tag."""

    axis: Axis
    terms: tuple[Term, ...]
    words: Mapping[Path, str]
    is_new: bool = False

    def tagged(self, draft: Draft) -> Draft:
        """The draft with its headings as tags."""
        words = (self.words[path] for path in draft.headings if path in self.words)
        return replace(draft, tags=tuple(dict.fromkeys((*draft.tags, *words))))

    def used(self, tags: Container[str]) -> tuple[Term, ...]:
        """The new terms that some tags (`axis=term`) need: their own, and those above them."""
        wanted = {term.id for term in self.terms if on_axis(self.axis.id, term.id) in tags}
        for term in reversed(self.terms):
            wanted |= {term.parent} if term.id in wanted and term.parent else set()
        return tuple(term for term in self.terms if term.id in wanted)

    def added(self, taxonomy: Mapping[str, Any], terms: Iterable[Term]) -> dict[str, Any]:
        """The text of a taxonomy, as it was read, with some of the new terms; with the axis, if it is new."""
        fields = ("id", "label", "parent")
        rows = [{name: value for name in fields if (value := getattr(term, name))} for term in terms]
        axes = [
            {**axis, "terms": [*axis["terms"], *rows]} if axis["id"] == self.axis.id else axis
            for axis in taxonomy["axes"]
        ]
        if self.is_new and rows:
            about = {"label": self.axis.label, "question": self.axis.question, "kind": self.axis.kind}
            axes.append({"id": self.axis.id, **about, "terms": rows})
        return {**taxonomy, "axes": axes}


def topics(paths: Iterable[Path], taxonomy: Taxonomy, name: str | None) -> Topics | None:
    """Where the headings of works go; None without headings. `AXIS` is made if it is missing.

    Raises `UsageError` for another axis that the taxonomy does not have.
    """
    found = tuple(dict.fromkeys(path for path in paths if path))
    if not found:
        return None
    is_new = name in {None, AXIS} and AXIS not in taxonomy.by_id
    axis = None if is_new else taxonomy.axis(name or AXIS)
    made = heading_terms(found, known=axis.terms if axis else ())
    if axis is None:
        whole = Axis(id=AXIS, label="Topic", question="What is it about?", kind="many", terms=made.terms)
    else:
        whole = axis.model_copy(update={"terms": (*axis.terms, *made.terms)})
    words = {path: on_axis(whole.id, term) for path, term in made.ids.items()}
    return Topics(whole, made.terms, words, is_new=is_new)


def extended(taxonomy: Taxonomy, new: Topics | None) -> Taxonomy:
    """The taxonomy with the axis of headings as it will be."""
    if new is None:
        return taxonomy
    axes = tuple(new.axis if axis.id == new.axis.id else axis for axis in taxonomy.axes)
    return taxonomy.model_copy(update={"axes": (*axes, new.axis) if new.is_new else axes})


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
