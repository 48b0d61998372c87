"""One place that knows which parameter exists in which version of which engine."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from copilot.model.names import is_listed
from copilot.model.words import Engine
from copilot.parameters import environment, flags, paths, successors, values, variables
from copilot.parameters.catalogue import Catalogue, catalogue
from copilot.parameters.explanation import Explanation, explain
from copilot.parameters.images import ImageFacts, image_facts
from copilot.parameters.lookup import Lookup, Successor
from copilot.parameters.releases import Nearest


class Registry:
    """Answers about parameters. Engines are `vllm` and `ollama`; another name is answered like an unknown parameter."""

    def versions(self, engine: str) -> tuple[str, ...]:
        """The releases that were read, oldest first."""
        held = _held(engine)
        return held.releases.names if held else ()

    def nearest_version(self, engine: str, version: str) -> Nearest | None:
        """The known release that stands for a version; None where it is no version number."""
        held = _held(engine)
        return held.releases.nearest(version) if held else None

    def find(self, spelled: str, engine: str, version: str | None) -> Lookup:
        """What a name means in a version: flags as the engine's parser reads them, variables by exact name.

        A variable is `env:NAME`, `NAME` or `NAME=value`; a flag starts with a hyphen.
        """
        held = _held(engine)
        text = spelled.strip()
        if ":" in text and is_listed(text):
            return Lookup(spelled, text, "ok")
        if held is None:
            return Lookup(spelled, None, "unknown")
        if text.startswith("-"):
            return flags.find(text, held, version)
        return variables.find(text, held, version)

    def default(self, parameter: str, engine: str, version: str | None) -> str | None:
        """The default in a version as it would be written; None where there is none or it is not known."""
        return self.find(parameter, engine, version).default

    def exists(self, parameter: str, engine: str, version: str | None) -> bool | None:
        """Whether a version has a parameter; None where the version, or what lies between two releases, is unknown."""
        found = self.find(parameter, engine, version)
        if found.parameter is None or found.status in ("unknown", "ambiguous"):
            return False if found.certain else None
        if not found.certain:
            return None
        return found.status in ("ok", "ignored")

    def check_value(self, parameter: str, value: str | None, engine: str, version: str | None) -> str | None:
        """A sentence (en) on what is wrong with a value; None where nothing is known to be wrong."""
        problem = values.problem(self.find(parameter, engine, version), value, engine)
        return problem.en if problem else None

    def same_path(self, parameter: str, engine: str, version: str | None) -> tuple[str, ...]:
        """What else lies on the same path of the engine and exists in that version, nearest first."""
        found = self.find(parameter, engine, version).parameter or parameter
        return tuple(n for n in paths.neighbours(found) if self.exists(n, engine, version) is not False)

    def successor(self, parameter: str, engine: str, version: str | None) -> Successor | None:
        """What to use instead of a removed or deprecated parameter in a version."""
        return successors.of(parameter, engine, version)

    def names(self, engine: str, version: str | None) -> tuple[str, ...]:
        """Every parameter of a version: flags and variables of the engine, and the shared variables.

        With an unknown version: those that the newest known release has.
        """
        held = _held(engine)
        if held is None:
            return ()
        near = held.releases.nearest(version) if version else None
        release = near.version if near else held.newest
        own = [f for f in held.flags if held.flags.at(f, release)]
        own += [f"env:{v}" for v in held.variables if held.variables.at(v, release)]
        return (*own, *(n for n in environment.names(engine) if n not in own))

    def explain(self, parameter: str, engine: str, version: str | None) -> Explanation:
        """Meaning, versions, default and its changes, successor, and the neighbours on the path."""
        found = self.find(parameter, engine, version)
        held = _held(engine)
        if version is None and held is not None:  # for a reader the newest values are better than none
            found = replace(found, choices=self.find(parameter, engine, held.newest).choices)
        return explain(found, engine, version, self.same_path(parameter, engine, version))

    def image_facts(self, engine: str, version: str | None) -> ImageFacts | None:
        """What the official image of a release holds; None where it was not seen."""
        return image_facts(engine, version)


@cache
def registry() -> Registry:
    """The registry; the data is read when first asked for."""
    return Registry()


_ENGINES: Mapping[str, Engine] = {"vllm": "vllm", "ollama": "ollama"}


def _held(engine: str) -> Catalogue | None:
    name = _ENGINES.get(engine)
    return catalogue(name) if name else None
