"""A project of several compose files: each later file overrides the ones before it, as compose merges them."""

from collections.abc import Mapping, Sequence

from copilot.compose.reader import read, resolve
from copilot.compose.values import LISTS
from copilot.errors import UsageError
from copilot.model.evidence import Service, Setting
from copilot.model.text import RedactedText

_ADDED = frozenset(LISTS.values()) - {"docker:network"}
"""Compose joins these lists; every other value of a later file takes the place of the earlier one."""


def read_all(
    files: Sequence[tuple[str, RedactedText]],
    service: str | None,
    env: Mapping[str, str],
    resolved: str | None = None,
) -> Service:
    """The service over all files (name as shown, text), each setting with the file and line that decides it.

    The first file is the service's own; one without the service adds nothing. UsageError where no file has it, or
    where one is broken.
    """
    found: list[Service] = []
    refused: UsageError | None = None
    for name, text in files:
        try:
            found.append(read(text, name, service or (found[0].name if found else None), env))
        except UsageError as error:
            refused = refused or error
    if not found:
        raise refused or UsageError("There is no compose file.", "Name one with --compose.")
    settings: tuple[Setting, ...] = ()
    for one in found:
        settings = _over(settings, one.settings)
    notes = tuple(dict.fromkeys(note for one in found for note in one.notes))
    if resolved is not None:
        settings, notes = resolve(settings, resolved, found[0].name or ""), ()
    image = next((s.value for s in reversed(settings) if s.parameter == "docker:image"), None)
    return found[0].model_copy(update={"settings": settings, "image": image, "notes": notes})


def _over(base: tuple[Setting, ...], later: tuple[Setting, ...]) -> tuple[Setting, ...]:
    """The settings of a file before, as far as a later file leaves them standing, then the later file's."""
    told = {s.parameter for s in later} - _ADDED
    command = "docker:command" in told

    def stands(setting: Setting) -> bool:
        return setting.parameter not in told and not (command and setting.parameter.startswith("-"))

    return (*(s for s in base if stands(s)), *later)
