"""Rebuild `copilot/parameters/data/` for new releases, by reading published sources; nothing of them is run.

    python tools/update_parameters.py --fetch 0.34.0            through the configured package index
    python tools/update_parameters.py --missing                 every final release that the data does not have yet
    python tools/update_parameters.py --archive vllm-0.34.0.tar.gz
    python tools/update_parameters.py --installed               the vllm beside this interpreter
    python tools/update_parameters.py --root SRC --version 0.34.0
    python tools/update_parameters.py --ollama CLONE            a git clone with the release tags

`--check` says what would change and writes nothing. See docs/parameters.md.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.version import Version
from parameter_sources import archives, changes, ollama, release
from parameter_sources.pip_index import PipIndex

DATA = Path(__file__).resolve().parent.parent / "copilot" / "parameters" / "data"
SECTIONS = ("flags", "env", "configs", "values")
_FINAL = re.compile(r"\d+(\.\d+)+(\.post\d+)?")
OLDEST = Version("0.6.0")


def main() -> int:
    """Read the sources asked for, print what changed, and write unless `--check` is given."""
    options = _options()
    if options.ollama:
        return _ollama(options.ollama, check=options.check)
    path = DATA / "vllm.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    held = {} if options.rebuild else _expanded(document)
    for version, files in _sources(options, set(held)):
        held[version] = release.read(files)
        _say(version, held)
    order = sorted(held, key=Version)
    sections = {name: changes.points(order, {v: held[v][name] for v in order}) for name in SECTIONS}
    if not options.check:
        head = {"schema": document["schema"], "engine": "vllm", "releases": order}
        changes.write(path, head, {**sections, "outside": document["outside"]})
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fetch", nargs="+", default=[], metavar="VERSION", help="read these from the package index")
    parser.add_argument("--missing", action="store_true", help="read every final release that is not in the data")
    parser.add_argument("--archive", nargs="+", default=[], type=Path, metavar="FILE", help="wheels or sdists")
    parser.add_argument("--installed", action="store_true", help="the vllm installed beside this interpreter")
    parser.add_argument("--root", type=Path, metavar="DIR", help="a folder that holds vllm/; needs --version")
    parser.add_argument("--version", help="the release that --root is")
    parser.add_argument("--ollama", type=Path, metavar="CLONE", help="a git clone of ollama with its tags")
    parser.add_argument("--rebuild", action="store_true", help="forget the releases that the data has")
    parser.add_argument("--check", action="store_true", help="only say what would change")
    options = parser.parse_args()
    if bool(options.root) != bool(options.version):
        parser.error("--root and --version go together")
    return options


def _sources(options: argparse.Namespace, known: set[str]) -> Iterator[tuple[str, archives.Files]]:
    """(version, files) of everything asked for."""
    if options.root:
        yield options.version, archives.from_folder(options.root)
    if options.installed:
        yield archives.from_installed()
    for path in options.archive:
        yield archives.version_of(path), archives.from_archive(path)
    if options.fetch or options.missing:
        index = PipIndex()
        wanted = list(options.fetch)
        if options.missing:
            wanted += [v for v in index.versions() if _FINAL.fullmatch(v) and Version(v) >= OLDEST and v not in known]
        for version in sorted(set(wanted), key=Version):
            yield version, index.files(version)


def _expanded(document: dict[str, Any]) -> dict[str, release.Release]:
    """The data's change points as one full table per release."""
    order = {name: index for index, name in enumerate(document["releases"])}
    held: dict[str, release.Release] = {}
    for version in document["releases"]:
        held[version] = {}
        for section in SECTIONS:
            entries = {name: changes.at(runs, version, order) for name, runs in document[section].items()}
            held[version][section] = {name: facts for name, facts in entries.items() if facts is not None}
    return held


def _say(version: str, held: dict[str, release.Release]) -> None:
    """What a release changed against the one before it."""
    order = sorted(held, key=Version)
    place = order.index(version)
    before = held[order[place - 1]] if place else {name: {} for name in SECTIONS}
    now = held[version]
    counts = ", ".join(f"{len(now[name])} {name}" for name in SECTIONS)
    print(f"{version}: {counts}; {len(now['problems'])} statements not followed")
    for problem in now["problems"]:
        print(f"  ? {problem}")
    for section in SECTIONS if place else ():
        for line in changes.differences(before[section], now[section]):
            print(f"  {section} {line}")


def _ollama(clone: Path, *, check: bool) -> int:
    """The variables of Ollama's server over all release tags of a clone."""
    path = DATA / "ollama.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    tags, held = ollama.read(clone)
    env = changes.points(tags, held)
    for line in changes.differences(document["env"], env):
        print(f"  {line}")
    if not check:
        changes.write(path, {"schema": document["schema"], "engine": "ollama", "releases": tags}, {"env": env})
    return 0


if __name__ == "__main__":
    sys.exit(main())
