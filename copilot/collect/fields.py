"""Fields of a parsed config.json, whatever they hold."""

from collections.abc import Mapping

Config = Mapping[str, object]


def first(config: Config, keys: tuple[str, ...]) -> int | None:
    """The first of these fields that holds a whole number; a list of equal-or-not numbers counts by its largest."""
    for key in keys:
        value = config.get(key)
        if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
            return int(max(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def text(config: Config, key: str) -> str:
    """A field that is a text; empty where it is none."""
    value = config.get(key)
    return value if isinstance(value, str) else ""
