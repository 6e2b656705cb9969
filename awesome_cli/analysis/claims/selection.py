"""Which records an answer rests on, without and with a perturbation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """Keys of records: those of a pool, without what a perturbation removes, with what it adds."""

    base: frozenset[str]
    removed: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.base) - len(self.removed) + len(self.added)

    def same_as(self, before: "Selection") -> bool:
        """Whether a perturbation left the selection `before` as it was."""
        # A large pool is not compared key by key: its selection is one object under every perturbation.
        return self.removed == self.added and (self.base is before.base or self.base == before.base)

    def __contains__(self, key: str) -> bool:
        return key in self.added or (key in self.base and key not in self.removed)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted((self.base - self.removed) | self.added))
