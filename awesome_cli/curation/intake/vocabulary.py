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
    """New terms for the headings of a page, parents first, and the id of the term for each path of headings."""

    terms: tuple[Term, ...]
    ids: Mapping[Path, str]


def heading_terms(paths: Iterable[Path], taken: Iterable[str] = (), known: Iterable[Term] = ()) -> HeadingTerms:
    """Make terms for headings; ids differ from those in `taken` and of `known` terms.

    Works are coded with terms without children. Works directly under a heading with subheadings get an extra term:
    `Tools`, `Tools > Web` gives `tools`, `web` and `tools_in_general`. A heading that matches the label or id of a
    known term uses that term; known terms without children get no children.
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
    extra = dict[Path, str]()
    for path in general:
        label = f"{path[-1]} in general"
        if (term := had.get(spaced(label))) is None:
            term = Term(id=_id(label, None, names), label=label, parent=ids[path])
            terms.append(term)
        extra[path] = term.id
    return HeadingTerms(tuple(terms), {path: extra.get(path, ids[path]) for path in works})


def _id(label: str, parent: str | None, names: set[str]) -> str:
    """Make an unused id from a label, if necessary with the parent's id or a number, and add it to `names`."""
    plain = re.sub(r"[^a-z0-9]+", "_", fold(label)).strip("_") or "heading"
    plain = plain if plain[0].isalpha() else f"h_{plain}"
    joined = f"{parent}_{plain}" if parent else plain
    numbered = (f"{joined}_{n}" for n in range(2, len(names) + 3))
    unused = next(name for name in (plain, joined, *numbered) if name not in names)
    names.add(unused)
    return unused


AXIS = "topic"
"""The default axis of headings."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The axis for headings including new terms, the new terms, and a tag (`axis=term`) by path of headings."""

    axis: Axis
    terms: tuple[Term, ...]
    words: Mapping[Path, str]
    is_new: bool = False

    def tagged(self, draft: Draft) -> Draft:
        """Return the draft with its headings added as tags."""
        words = (self.words[path] for path in draft.headings if path in self.words)
        return replace(draft, tags=tuple(dict.fromkeys((*draft.tags, *words))))

    def used(self, tags: Container[str]) -> tuple[Term, ...]:
        """Return the new terms in these tags (`axis=term`), with their ancestors."""
        wanted = {term.id for term in self.terms if on_axis(self.axis.id, term.id) in tags}
        for term in reversed(self.terms):
            wanted |= {term.parent} if term.id in wanted and term.parent else set()
        return tuple(term for term in self.terms if term.id in wanted)

    def added(self, taxonomy: Mapping[str, Any], terms: Iterable[Term]) -> dict[str, Any]:
        """Return the document of a taxonomy with these terms added, and the axis if it is new."""
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
    """Choose the axis and terms for headings; None without headings. A missing `AXIS` is created.

    Raises `UsageError` for any other axis that the taxonomy does not have.
    """
    unique = tuple(dict.fromkeys(path for path in paths if path))
    if not unique:
        return None
    is_new = name in {None, AXIS} and AXIS not in taxonomy.by_id
    axis = None if is_new else taxonomy.axis(name or AXIS)
    made = heading_terms(unique, known=axis.terms if axis else ())
    if axis is None:
        whole = Axis(id=AXIS, label="Topic", question="What is it about?", kind="many", terms=made.terms)
    else:
        whole = axis.model_copy(update={"terms": (*axis.terms, *made.terms)})
    words = {path: on_axis(whole.id, term) for path, term in made.ids.items()}
    return Topics(whole, made.terms, words, is_new=is_new)


def extended(taxonomy: Taxonomy, new: Topics | None) -> Taxonomy:
    """Return the taxonomy with the axis for headings added or replaced."""
    if new is None:
        return taxonomy
    axes = tuple(new.axis if axis.id == new.axis.id else axis for axis in taxonomy.axes)
    return taxonomy.model_copy(update={"axes": (*axes, new.axis) if new.is_new else axes})


Tags = dict[str, tuple[Tag, ...]]


@dataclass
class Vocabulary:
    """Maps keywords to terms, and counts the keywords of added records.

    Counters: `mapped` tags, `unknown` words, and `second` main terms for axes that allow one. `retired` has the message
    on each word that is a former term. With `create`, an unknown word becomes a term of that axis.
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
        """Return tags for the words that are terms, and the other words and second main terms; `count` counts them."""
        tags: Tags = {}
        self.placed = []
        left: list[str] = []
        for word in words:
            match = self._find(word)
            if match is not None and _join(tags, *match):
                self.placed.append((self.mapped, on_axis(match[0].id, match[1].term)))
            else:
                left.append(word)
                self.placed.append((self.unknown if match is None else self.second, word))
        return tags, tuple(left)

    def count(self) -> None:
        """Count the words of the last call of `place`, whose record was added."""
        for counter, word in self.placed:
            counter[word] += 1
            if counter is self.unknown:
                self._note_retired(word)
        self.placed = []

    @property
    def terms(self) -> tuple[Term, ...]:
        """New terms that added records are tagged with."""
        made = self.created.values() if self.create else ()
        used = tuple(term for term in made if self.create and on_axis(self.create.id, term.id) in self.mapped)
        return (*used, *(self.topics.used(self.mapped) if self.topics else ()))

    def _find(self, word: str) -> tuple[Axis, Tag] | None:
        name, rest = split_axis(word)
        if rest and name in self.taxonomy.by_id:
            axis = self.taxonomy.by_id[name]
            tag = Tag.parse(rest)
            term = _term(axis, tag.term)
            if term is not None:
                strength = tag.strength if tag.strength in axis.rank else None
                return axis, Tag(term=term, strength=strength, part=tag.part)
            return self._made(tag.term.strip()) if self.create is axis else None
        hits = [(axis, term) for axis in self.taxonomy.axes if (term := _term(axis, word)) is not None]
        if len(hits) == 1:
            return hits[0][0], Tag(term=hits[0][1])
        return self._made(word) if not hits else None

    def _note_retired(self, word: str) -> None:
        name, rest = split_axis(word)
        term = Tag.parse(rest or word).term.strip()
        axes = [self.taxonomy.by_id[name]] if rest and name in self.taxonomy.by_id else self.taxonomy.axes
        if message := next((message for axis in axes if (message := axis.retirement(term))), None):
            self.retired[word] = message

    def _made(self, word: str) -> tuple[Axis, Tag] | None:
        """Return a new term for a word; None without `create`, or if the word gives no new id."""
        if self.create is None:
            return None
        name = re.sub(r"[^a-z0-9]+", "_", fold(word)).strip("_")
        if not name or name in self.create.by_id:
            return None
        self.created.setdefault(name, Term(id=name, label=word))
        return self.create, Tag(term=name)

    def change(self, tree: FileTree, path: str) -> tuple[Change, ...]:
        """Return the change that adds the new terms to the taxonomy file."""
        if not self.terms:
            return ()
        data = tree.read(path)
        value, findings = yaml_reading.read(data or b"")
        if data is None or findings or not isinstance(value, dict):
            raise SurveyError(f"{path} cannot be changed", hint="see 'awesome validate'")
        topics = self.topics.used(self.mapped) if self.topics else ()
        if self.topics:
            value = self.topics.added(value, topics)
        created = [{"id": term.id, "label": term.label} for term in self.terms if term not in topics]
        for axis in value["axes"]:
            if created and self.create and axis["id"] == self.create.id:
                axis["terms"] = [*axis["terms"], *created]
        return (Change(path, data, yaml_editing.rewrite(data, value)),)


def _join(tags: Tags, axis: Axis, tag: Tag) -> bool:
    """Add a tag; return False if its axis allows one main term and already has one."""
    have = tags.get(axis.id, ())
    if any(other.term == tag.term for other in have):
        return True
    if axis.kind == "one" and not tag.part and any(not other.part for other in have):
        return False
    tags[axis.id] = (*have, tag)
    return True


def _term(axis: Axis, word: str) -> str | None:
    """Return the id of the term with this id, code or label, ignoring case; None for deprecated terms."""
    wanted = spaced(word)
    for term in axis.terms:
        if wanted in {spaced(term.id), spaced(term.label), spaced(term.code or term.id)}:
            return None if term.deprecated else term.id
    return None
