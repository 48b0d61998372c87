"""The shipped facts: which parameter exists in which release, with which default, type and choices.

The files in `data/` hold change points: `[release, facts]` from that release on, `[release, null]` where it is gone.
They are written by `tools/update_parameters.py` from published sources (vLLM: Apache-2.0, Ollama: MIT).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from copilot.model.words import Engine
from copilot.parameters.data_files import document
from copilot.parameters.releases import Releases

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Facts = Mapping[str, Json]
"""kind, default, choices, suggested, aliases, negations, config, json, deprecated, type; only what is known."""
Points = list[tuple[str, Facts | None]]


@dataclass(frozen=True)
class Span:
    """One parameter over a run of releases in which nothing about it changed."""

    since: str
    until: str | None
    """Last release of the run; None: it still holds in the newest."""
    facts: Facts

    def text(self, key: str) -> str:
        """A fact that is a text; empty where it is not known."""
        value = self.facts.get(key)
        return value if isinstance(value, str) else ""

    @property
    def kind(self) -> str:
        """The kind of value (int, bool, choice, json ...), whether the source names a kind or a Python type."""
        named = self.text("kind")
        if named:
            return "bool" if named in ("store_true", "store_false") else named
        typed = self.text("type").removeprefix("Optional[").removesuffix("]").removesuffix(" | None")
        if self.text("type").startswith(("Literal", "Optional[Literal")):
            return "choice"
        return "list" if typed.startswith(("list[", "List[", "set[")) else typed

    def texts(self, key: str) -> tuple[str, ...]:
        """A fact that is a list, as texts; null entries left out."""
        value = self.facts.get(key)
        return tuple(str(item) for item in value if item is not None) if isinstance(value, list) else ()


class Table:
    """Names of one kind (flags, variables, keys of JSON flags) over all releases."""

    def __init__(self, points: Mapping[str, Points], releases: Releases) -> None:
        self._points = points
        self._releases = releases

    def __contains__(self, name: str) -> bool:
        """Whether any release has the name."""
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        """All names of all releases."""
        return iter(self._points)

    def spans(self, name: str) -> tuple[Span, ...]:
        """Every run of a name, oldest first; gaps are simply not there."""
        points = self._points.get(name, [])
        runs = []
        for index, (since, facts) in enumerate(points):
            if facts is None:
                continue
            end = points[index + 1][0] if index + 1 < len(points) else None
            runs.append(Span(since, self._before(end), facts))
        return tuple(runs)

    def at(self, name: str, release: str) -> Span | None:
        """The run of a name that holds in a known release."""
        position = self._releases.position(release)
        for span in reversed(self.spans(name)):
            if self._releases.position(span.since) <= position:
                last = self._releases.position(span.until) if span.until else len(self._releases.names)
                return span if position <= last else None
        return None

    def _before(self, release: str | None) -> str | None:
        return self._releases.names[self._releases.position(release) - 1] if release else None


class Catalogue:
    """Everything shipped about one engine."""

    def __init__(self, engine: Engine) -> None:
        content = document(f"{engine}.json")
        self.engine = engine
        self.releases = Releases(tuple(content["releases"]))
        self.flags = Table(content.get("flags", {}), self.releases)
        self.variables = Table(content.get("env", {}), self.releases)
        self.keys = Table(content.get("configs", {}), self.releases)
        self.elsewhere = Table(content.get("outside", {}), self.releases)
        """Variables read outside the engine's own list (plug-ins, kernels, libraries)."""
        self._values = content.get("values", {})

    @property
    def newest(self) -> str:
        """The newest release that was read."""
        return self.releases.names[-1]

    def values(self, name: str, release: str) -> tuple[str, ...]:
        """A list of accepted values in a release: attention_backends, quantization, tool_call_parser ..."""
        position = self.releases.position(release)
        held: tuple[str, ...] = ()
        for since, values in self._values.get(name, []):
            if self.releases.position(since) <= position:
                held = tuple(values)
        return held

    @cached_property
    def images(self) -> Mapping[str, Mapping[str, Json]]:
        """Facts of the official image per release."""
        found: Mapping[str, Mapping[str, Json]] = document("images.json").get(self.engine, {})
        return found


@cache
def catalogue(engine: Engine) -> Catalogue:
    """The catalogue of an engine, read once."""
    return Catalogue(engine)
