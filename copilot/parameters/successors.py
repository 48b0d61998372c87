"""What replaced a parameter that is gone or deprecated."""

from collections.abc import Mapping
from typing import Any

from copilot.model.text import Text
from copilot.parameters.data_files import document
from copilot.parameters.lookup import Successor
from copilot.parameters.releases import parse


def of(parameter: str, engine: str, version: str | None) -> Successor | None:
    """The successor that a version has; None where the parameter is neither gone nor deprecated in it.

    With an unknown version: the newest successor.
    """
    row = document("successors.json").get(engine, {}).get(parameter)
    if row is None or not _applies(row, version):
        return None
    target, value = _target(row["to"], version)
    return Successor(target, value, row["removed_in"], row["deprecated_in"], _note(parameter, row, target))


def _applies(row: Mapping[str, Any], version: str | None) -> bool:
    """From the deprecation on, or from the removal where nothing was deprecated before."""
    start = row["deprecated_in"] or row["removed_in"]
    if version is None or start is None:
        return True
    here, begin = parse(version), parse(start)
    return here is not None and begin is not None and here >= begin


def _target(steps: list[list[str | None]], version: str | None) -> tuple[str | None, str | None]:
    """The last step that the version has reached; each step is [since, parameter, value]."""
    here = parse(version) if version else None
    target: tuple[str | None, str | None] = (None, None)
    for since, parameter, value in steps:
        begin = parse(since) if since else None
        if here is None or begin is None or here >= begin:
            target = (parameter, value)
    return target


def _note(parameter: str, row: Mapping[str, Any], target: str | None) -> Text:
    name = parameter.removeprefix("env:")
    gone, old = row["removed_in"], row["deprecated_in"]
    state_en = f"{name} is gone since {gone}" if gone else f"{name} is deprecated since {old}"
    state_zh = f"{name} 自 {gone} 起已移除" if gone else f"{name} 自 {old} 起已弃用"
    then_en = f"; {target.removeprefix('env:')} took its place." if target else "; nothing took its place."
    then_zh = f"，由 {target.removeprefix('env:')} 取代。" if target else "，没有替代项。"
    return Text(en=f"{state_en}{then_en} {row['en']}".strip(), zh=f"{state_zh}{then_zh}{row['zh']}")
