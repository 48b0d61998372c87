"""How the shipped parameter data compares with the real parser of an installed vLLM.

    python tools/parameter_report.py --python /opt/vllm/bin/python              ask that interpreter's vLLM
    python tools/parameter_report.py --python ... --record FILE                 and keep what it said
    python tools/parameter_report.py --recorded FILE                            compare with what was kept
    ... --write                                                                 put the table into docs/parameters.md

Names: every spelling that the parser takes, aliases and negations included, and those of its `--help=all` output.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from copilot.parameters import registry  # noqa: E402 - the checkout's own package
from copilot.parameters.catalogue import catalogue  # noqa: E402
from copilot.parameters.flags import written  # noqa: E402
from copilot.parameters.spelling import options  # noqa: E402

DOCUMENT = ROOT / "docs" / "parameters.md"
BEGIN, END = "<!-- measured: tools/parameter_report.py -->", "<!-- /measured -->"
_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z0-9-]*|-[a-zA-Z][a-z]*)(?=[ ,\n=]|$)")
_COMPUTED = re.compile(r"\bos\.|tempfile\.|VLLM_[A-Z_]+")
"""An expression that every machine evaluates for itself."""


@dataclass(frozen=True)
class Share:
    """One row: how many of the parser's are in the data, and how many of the data's the parser has."""

    what: str
    real: int
    ours: int
    both: int
    wrong: tuple[str, ...]

    @property
    def recall(self) -> float:
        """Of what the parser has, the share that the data has."""
        return self.both / self.real if self.real else 1.0

    @property
    def precision(self) -> float:
        """Of what the data has, the share that the parser has."""
        return self.both / self.ours if self.ours else 1.0


def main() -> int:
    """Compare, print, and write where asked. 1 where a name is missing or invented."""
    chosen = _options()
    said = json.loads(chosen.recorded.read_text(encoding="utf-8")) if chosen.recorded else ask(chosen.python)
    if chosen.record:
        chosen.record.write_text(json.dumps(said, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    rows = compare(said)
    table = render(said["version"], rows)
    print(table)
    for row in rows:
        for line in row.wrong:
            print(f"  {row.what}: {line}")
    if chosen.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)[0], text.split(END)[1]
        DOCUMENT.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest}", encoding="utf-8")
    return int(any(row.recall < 1 or row.precision < 1 for row in rows if row.what.startswith("names")))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--python", type=Path, metavar="PATH", help="an interpreter that has vLLM")
    source.add_argument("--recorded", type=Path, metavar="FILE", help="what --record kept")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep what the parser said")
    parser.add_argument("--write", action="store_true", help="put the table into docs/parameters.md")
    return parser.parse_args()


def ask(python: Path) -> dict[str, Any]:
    """What the parser of that interpreter's vLLM knows, and the option names in its help text."""
    dump = Path(__file__).parent / "parameter_sources" / "parser_dump.py"
    printed = _run([str(python), str(dump)])
    found: dict[str, Any] = json.loads(printed[printed.index("{") :])  # the engine logs before it answers
    found["help"] = help_names(_run([str(python.parent / "vllm"), "serve", "--help=all"]))
    return found


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - as asked


def help_names(text: str) -> list[str]:
    """The option strings of a help text: at the left edge of their entry, before two blanks or a line end."""
    heads = (line[2:] for line in text.splitlines() if re.match(r"  -", line))
    return sorted({name for head in heads for name in _OPTION.findall(re.split(r"\s{2,}", head)[0])})


def compare(said: dict[str, Any]) -> list[Share]:
    """One row per kind of fact, for the release that was asked."""
    version = said["version"]
    held = catalogue("vllm")
    ours = set(options(version))
    real = {name for flag in said["flags"] for name in flag["names"]}
    env = {name for name in held.variables if held.variables.at(name, version)}
    rows = [_names("names of flags (parser)", real, ours)]
    if said.get("help"):
        rows.append(_names("names of flags (help text)", set(said["help"]), ours))
    rows.append(_names("names of variables", set(said["env"]), env))
    rows.append(_facts("defaults of flags", [_default(_long(f), f["default"], version) for f in said["flags"]]))
    rows.append(_facts("choices of flags", [_choices(f, version) for f in said["flags"] if f["choices"]]))
    rows.append(_facts("defaults of variables", [_default(f"env:{n}", v, version) for n, v in said["env"].items()]))
    return rows


def _names(what: str, real: set[str], ours: set[str]) -> Share:
    wrong = [f"missing {name}" for name in sorted(real - ours)] + [f"invented {name}" for name in sorted(ours - real)]
    return Share(what, len(real), len(ours), len(real & ours), tuple(wrong))


def _facts(what: str, verdicts: Iterable[str | None]) -> Share:
    """`None` agrees, an empty text cannot be compared, anything else says what differs."""
    compared = [verdict for verdict in verdicts if verdict != ""]
    wrong = tuple(verdict for verdict in compared if verdict)
    return Share(what, len(compared), len(compared), len(compared) - len(wrong), wrong)


def _long(flag: dict[str, Any]) -> str:
    return next((str(name) for name in flag["names"] if name.startswith("--")), str(flag["names"][0]))


def _default(name: str, real: Any, version: str) -> str | None:
    ours = registry().default(name, "vllm", version)
    if ours is not None and _COMPUTED.search(ours):
        return ""
    if isinstance(real, dict):
        if "error" in real:
            return ""
        if real.get("object") == "path of this machine":
            return ""
        return None if ours in (f"{real.get('object')}()", "{}", None) or not real else f"{name}: {ours} for {real}"
    return None if _plain(ours) == _plain(written(real)) else f"{name}: {ours} for {written(real)}"


def _plain(value: str | None) -> str | None:
    """Numbers by value, and nothing for the ways to write nothing."""
    if value in (None, "", "None", "SUPPRESS", "{}", "[]"):
        return None
    try:
        return str(float(str(value)))
    except ValueError:
        return value


def _choices(flag: dict[str, Any], version: str) -> str | None:
    ours = set(registry().find(_long(flag), "vllm", version).choices)
    real = set(flag["choices"]) - {"None"}
    return None if ours == real else f"{_long(flag)}: {sorted(ours ^ real)} differ"


def render(version: str, rows: Iterable[Share]) -> str:
    """The table in Markdown."""
    lines = [
        f"| vLLM {version} | in the parser | in the data | in both | recall | precision |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.real} | {row.ours} | {row.both} | {row.recall:.3f} | {row.precision:.3f} |"
        for row in rows
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
