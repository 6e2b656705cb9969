"""The file of one person's screening decisions, written at its end without being read again."""

from dataclasses import dataclass, replace
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.files import canonical, yaml_editing
from awesome_cli.files.tree import FileTree
from awesome_cli.model.records import to_document, to_text
from awesome_cli.model.screenings import Decision, ScreeningOrder, Screenings
from awesome_cli.survey.loading import load_record
from awesome_cli.survey.saving import Change, Changes


@dataclass(frozen=True)
class ScreeningLog:
    """A person's decisions and the bytes that say so; `data` is None before the first decision.

    A file in `canonical` form grows by the text of a decision; any other is edited in place, which takes longer.
    """

    held: Screenings
    data: bytes | None = None
    canonical: bool = True

    @classmethod
    def read(cls, tree: FileTree, held: Screenings) -> "ScreeningLog":
        """The log as it is on the disk, or `held` if there is no file; raises `SurveyError` if it cannot be read."""
        data = tree.read(held.path)
        if data is None or data == to_text(held).encode():
            return cls(held, data)
        found, findings = load_record(Screenings, held.key, held.path, data)
        if found is None:
            message = findings[0].message if findings else "it holds no decisions"
            raise SurveyError(f"{held.path} cannot be read: {message}", hint="see 'awesome validate'")
        return cls(found, data, to_text(found).encode() == data)

    def fresh(self, tree: FileTree) -> "ScreeningLog":
        """The log as it is now; read again only where another program changed it."""
        return self if tree.read(self.held.path) == self.data else ScreeningLog.read(tree, self.held)

    def with_decision(self, decision: Decision) -> "ScreeningLog":
        """The log with one more decision."""
        held = self.held.model_copy(update={"decisions": (*self.held.decisions, decision)})
        if self.data is None or not self.held.decisions or not self.canonical:
            return self._with(held)
        return replace(self, held=held, data=self.data + _entry(decision))

    def without_last(self) -> "ScreeningLog":
        """The log without its last decision."""
        *rest, last = self.held.decisions
        held = self.held.model_copy(update={"decisions": tuple(rest)})
        if self.canonical and rest and self.data is not None:
            return replace(self, held=held, data=self.data.removesuffix(_entry(last)))
        return self._with(held)

    def in_order(self, order: ScreeningOrder) -> "ScreeningLog":
        """The log with the order in use, if that is another one."""
        last = self.held.order
        if last is not None and last.model_copy(update={"after": 0}) == order:
            return self
        order = order.model_copy(update={"after": len(self.held.decisions)})
        # An order by which nothing was decided is of no use to anybody.
        kept = tuple(one for one in self.held.orders if one.after < order.after)
        return self._with(self.held.model_copy(update={"orders": (*kept, order)}))

    def _with(self, held: Screenings) -> "ScreeningLog":
        if self.data is None or self.canonical:
            return replace(self, held=held, data=to_text(held).encode())
        return replace(self, held=held, data=yaml_editing.rewrite(self.data, to_document(held)))

    def since(self, before: "ScreeningLog") -> Changes:
        """The change of the file from another state of it."""
        return () if self.data == before.data else (Change(self.held.path, before.data, self.data),)


def _entry(decision: Decision) -> bytes:
    document: dict[str, Any] = to_document(decision)
    return (canonical.item(document) + "\n").encode()
