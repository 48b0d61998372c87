"""What makes tomorrow's start differ from today's."""

import re
from collections.abc import Sequence

from copilot.model.evidence import Setting
from copilot.model.text import Text
from copilot.parameters.releases import parse

_MOVING = re.compile(r"latest|nightly|main|master|stable|edge|dev", re.IGNORECASE)


def pinning_notes(image: str | None, settings: Sequence[Setting]) -> tuple[Text, ...]:
    """Notes on an image without a fixed version and a hub model without a revision; no faults by themselves."""
    notes = []
    if image and _moves(image):
        notes.append(
            Text(
                en=f"The image {image} names no fixed version: the next pull may bring another one.",
                zh=f"镜像 {image} 没有固定版本：下次拉取可能得到另一个版本。",
            )
        )
    model = _value(settings, "--model")
    if model and _on_hub(model) and not _value(settings, "--revision"):
        notes.append(
            Text(
                en=f"The model {model} has no --revision: its files can change on the hub between two starts.",
                zh=f"模型 {model} 未指定 --revision：两次启动之间，模型站上的文件可能变化。",
            )
        )
    return tuple(notes)


def _moves(image: str) -> bool:
    name, _, digest = image.partition("@")
    if digest:
        return False
    tag = name.rpartition("/")[2].partition(":")[2]
    return not tag or (parse(tag) is None and _MOVING.match(tag) is not None)


def _value(settings: Sequence[Setting], parameter: str) -> str | None:
    return next((s.value for s in settings if s.parameter == parameter and s.value), None)


def _on_hub(model: str) -> bool:
    """`owner/name`, and no path."""
    return re.fullmatch(r"[\w.-]+/[\w.-]+", model) is not None and not model.startswith((".", "/", "~"))
