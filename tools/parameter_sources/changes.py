"""Releases as change points, and what a new release changed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Points = list[list[Any]]
"""`[release, facts]` from that release on; null: gone."""


def points(releases: Sequence[str], held: Mapping[str, Mapping[str, Any]]) -> dict[str, Points]:
    """Name -> change points, from one mapping (name -> facts) per release, oldest first."""
    found: dict[str, Points] = {}
    for name in sorted({name for release in releases for name in held[release]}):
        runs: Points = []
        for release in releases:
            now = held[release].get(name)
            if (runs or now is not None) and (not runs or runs[-1][1] != now):
                runs.append([release, now])
        found[name] = runs
    return found


def at(runs: Points, release: str, order: Mapping[str, int]) -> Any:
    """The facts that hold in a release; None where the name is not there."""
    found = None
    for since, facts in runs:
        if order[since] <= order[release]:
            found = facts
    return found


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Added, removed and changed names between two releases, one line each."""
    lines = [f"+ {name}" for name in sorted(after.keys() - before.keys())]
    lines += [f"- {name}" for name in sorted(before.keys() - after.keys())]
    for name in sorted(before.keys() & after.keys()):
        if before[name] == after[name]:
            continue
        old, new = before[name], after[name]
        if isinstance(old, dict) and isinstance(new, dict):
            parts = [
                f"{key} {old.get(key)!r} -> {new.get(key)!r}"
                for key in sorted({*old, *new})
                if old.get(key) != new.get(key)
            ]
            lines.append(f"~ {name}: {'; '.join(parts)}"[:240])
        else:
            lines.append(f"~ {name}")
    return lines


def write(path: Path, head: Mapping[str, Any], sections: Mapping[str, Mapping[str, Any]]) -> None:
    """A JSON file with one entry a line, so that a change of the data reads as one."""
    rows = [f" {json.dumps(key)}: {json.dumps(held)}" for key, held in head.items()]
    for title, entries in sections.items():
        lines = [f"  {json.dumps(n)}: {json.dumps(e, separators=(',', ':'))}" for n, e in sorted(entries.items())]
        rows.append(f" {json.dumps(title)}: {{\n" + ",\n".join(lines) + "\n }")
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
