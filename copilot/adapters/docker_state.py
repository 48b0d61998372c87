"""What a container's state says: whether it is ill, when that was, and which engine it runs by its names."""

from collections.abc import Mapping
from typing import Any

from copilot.model.programs import engine_of_image, engine_of_program
from copilot.model.words import Engine

_STOPPED = frozenset({0, 130, 143})
"""Ended by itself, by Ctrl-C, by `docker stop`."""
_NEVER = "0001-01-01"


def illness(attrs: Mapping[str, Any]) -> int | None:
    """0: ill · 1: ended, perhaps on purpose · None: well, or not started yet."""
    state = attrs["State"]
    status = state.get("Status", "")
    if status in {"restarting", "dead"}:
        return 0
    if status == "created":
        return 0 if state.get("Error") else None
    if status in {"exited", "stopped"}:
        return 1 if state.get("ExitCode", 0) in _STOPPED and not state.get("Error") else 0
    if status == "running":
        unhealthy = (state.get("Health") or {}).get("Status") == "unhealthy"
        # between two starts of a restart loop it is `running` for a moment
        return 0 if unhealthy or state.get("OOMKilled") or attrs.get("RestartCount", 0) > 0 else None
    return None


def newest(attrs: Mapping[str, Any]) -> str:
    """The time of its last change of state, as the engine writes it; sorts as text to the second."""
    state = attrs["State"]
    times = [state.get("FinishedAt", ""), state.get("StartedAt", ""), attrs.get("Created", "")]
    return max((t for t in times if isinstance(t, str) and not t.startswith(_NEVER)), default="")


def engine_by_name(attrs: Mapping[str, Any]) -> Engine | None:
    """By image, entrypoint and command, or the image's own title label."""
    config = attrs["Config"]
    words = [*_words(config.get("Entrypoint")), *_words(config.get("Cmd"))]
    labels = config.get("Labels") or {}
    titles = (str(v) for k, v in labels.items() if k.rsplit(".", 1)[-1] in {"title", "name"})
    named = (engine_of_image(title.lower().replace(" ", "-")) for title in titles)
    return engine_of_image(config.get("Image", "")) or engine_of_program(words) or next((e for e in named if e), None)


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(v) for v in value] if isinstance(value, list) else []
