"""Typed access to parsed JSON of a foreign program: what is missing or of another type reads as empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tree:
    """One JSON object."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """An empty object counts as missing."""
        return bool(self.values)

    def node(self, key: str) -> "Tree":
        """The object under a key."""
        return as_tree(self.values.get(key))

    def nodes(self, key: str) -> tuple["Tree", ...]:
        """The objects of the list under a key."""
        value = self.values.get(key)
        return tuple(as_tree(v) for v in value if isinstance(v, dict)) if isinstance(value, list) else ()

    def string(self, key: str) -> str:
        """The string under a key; numbers as text."""
        value = self.values.get(key)
        return value if isinstance(value, str) else str(value) if type(value) in {int, float} else ""

    def strings(self, key: str) -> tuple[str, ...]:
        """The strings of the list under a key; a single string counts as a list of one."""
        value = self.values.get(key)
        if isinstance(value, str):
            return (value,)
        return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()

    def integer(self, key: str) -> int | None:
        """The number under a key; None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def boolean(self, key: str) -> bool:
        """Whether the value is true."""
        return self.values.get(key) is True

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Keys whose values are strings."""
        return tuple((k, v) for k, v in self.values.items() if isinstance(v, str))

    def children(self) -> Iterator[tuple[str, tuple["Tree", ...]]]:
        """Keys whose values are lists of objects."""
        for key in self.values:
            yield key, self.nodes(key)


def as_tree(value: Any) -> Tree:
    """The value as an object, empty where it is none."""
    return Tree(value) if isinstance(value, dict) else Tree()
