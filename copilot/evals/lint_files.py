"""The files of a case: which names there may be, and whether each can be read."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

Texts = dict[str, str]
"""Name within the round -> text."""
ROUND = frozenset(
    {"server.log", "compose.yaml", ".env", "command.txt", "inspect.json"}
    | {"gpus.csv", "host.json", "model.json", "request.txt"}
)
"""Contract §5; a folder `compose/` may stand for compose.yaml."""


def read_round(folder: Path) -> Texts:
    """Every text of a round; bytes that are no UTF-8 read as replacement characters."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): p.read_bytes().decode("utf-8", errors="replace") for p in files}


def file_problems(folder: Path) -> Iterator[str]:
    """Files that have no place in the format, and files that cannot be read."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder)
        if name.parts == ("case.toml",):
            continue
        round_, *within = name.parts
        known = within[:-1] == ["compose"] or (len(within) == 1 and within[0] in ROUND)
        if not round_.startswith("round-") or not known:
            yield f"{name} has no place in a case"
            continue
        fault = unreadable(path)
        if fault:
            yield f"{name}: {fault}"


def unreadable(path: Path) -> str:
    """Why a file cannot be read as what its name says; empty when it can."""
    try:
        text = path.read_bytes().decode("utf-8")
        if path.suffix == ".json":
            json.loads(text)
        elif path.suffix in (".yaml", ".yml"):
            YAML(typ="safe", pure=True).load(text)
        elif path.suffix == ".csv":
            return _table(text)
    except UnicodeDecodeError:
        return "is not UTF-8"
    except (json.JSONDecodeError, YAMLError) as error:
        return f"cannot be parsed: {str(error).splitlines()[0]}"
    return "" if text.strip() else "is empty"


def _table(text: str) -> str:
    """Whether every row of a table has as many cells as the first."""
    rows = [row for row in csv.reader(StringIO(text)) if row]
    return "" if len({len(row) for row in rows}) == 1 else "is no table: rows of several lengths"
