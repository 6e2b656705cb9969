"""The headings above works as terms of an axis: the words for tags, and what the taxonomy needs for them."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from awesome_cli.curation.vocabulary.headings import Path, heading_terms
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Draft
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term

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
    if new.is_new:
        return taxonomy.model_copy(update={"axes": (*taxonomy.axes, new.axis)})
    axes = tuple(new.axis if axis.id == new.axis.id else axis for axis in taxonomy.axes)
    return taxonomy.model_copy(update={"axes": axes})
