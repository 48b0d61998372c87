"""Write the tables of docs/evals.md from the JSON of `copilot eval run --json`.

    python tools/leaderboard.py all.json [--small small.json]

`all.json` is the run of the rows of code over every case; `small.json` the run of a small model over a few.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "evals.md"
ROWS = ("root_parameter", "lines_cited", "faults_f1", "experiment", "no_decoy", "status", "verdict", "right",
        "grounded", "no_leak")  # fmt: skip
MODEL = ("alone_root_parameter", "root_parameter", "alone_experiment", "experiment", "alone_lines_cited", "lines_cited",
         "format_first", "grounded_before", "grounded")  # fmt: skip


def main() -> int:
    """Replace the tables between their marks; what stands around them is written by hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--small", type=Path)
    chosen = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    text = between(text, "leaderboard table", board(read(chosen.scores)["rows"], ROWS))
    if chosen.small is not None:
        found = read(chosen.small)
        models = [row for row in found["rows"] if row["kind"] == "model"]
        text = between(text, "small model table", board(models, MODEL))
        text = between(text, "small model cases", by_case(found))
    PAGE.write_text(text, encoding="utf-8")
    return 0


def read(path: Path) -> dict[str, Any]:
    """A scores document."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if not found["complete"]:
        print(f"{path}: some samples have no answer", file=sys.stderr)
    return found


def between(text: str, name: str, table: str) -> str:
    """The text with what stands between `<!-- NAME -->` and `<!-- /NAME -->` replaced."""
    before, begin, rest = text.partition(f"<!-- {name} -->")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise ValueError(f"docs/evals.md has no place for the {name}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def board(rows: list[dict[str, Any]], metrics: tuple[str, ...]) -> str:
    """A line per row: the share and its 95 % interval over cases."""
    lines = [f"| row | cases | {' | '.join(metrics)} | errors | median s |", f"|{'---|' * (len(metrics) + 4)}"]
    for row in rows:
        cells = " | ".join(shown(row["metrics"].get(name)) for name in metrics)
        lines.append(f"| {row['name']} | {row['cases']} | {cells} | {row['errors']} | {row['seconds']} |")
    return "\n".join(lines)


def shown(share: dict[str, float] | None) -> str:
    """`97% (94-99)`."""
    if share is None:
        return "-"
    return f"{share['value']:.0%} ({100 * share['low']:.0f}-{100 * share['high']:.0f})"


def by_case(found: dict[str, Any]) -> str:
    """The answers of models with findings that were wrong somewhere: what the first reply named, what the user got."""
    models = [row["name"] for row in found["rows"] if row["kind"] == "model" and "no findings" not in row["name"]]
    lines = ["| case | kind | row | first reply: parameter | its change | answer: parameter | its change |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    for sample in sorted(found["samples"], key=lambda one: (one["case"], one["row"])):
        if sample["row"] in models:
            values = sample["values"]
            names = ("alone_root_parameter", "alone_experiment", "root_parameter", "experiment")
            if 0.0 not in [values[name] for name in names]:
                continue
            marks = " | ".join({1.0: "right", 0.0: "wrong"}.get(values[name], "-") for name in names)
            lines.append(f"| {sample['case']} | {sample['kind']} | {sample['row']} | {marks} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
