"""The memory forecast and published planners against starts that were really made.

    python tools/ledger_report.py                                        from the answers that were kept
    python tools/ledger_report.py --planner kvfit=ENV/bin/python ...     ask these planners anew, and keep their answers
    ... --write                                                          put the tables into docs/ledger.md

The starts are tests/ledger/data/runs.json (figures that the engine printed), the answers planners.json beside it.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from copilot.collect.modelconfig import read_config  # noqa: E402 - the checkout's own package
from copilot.ledger import Card, Plan, predict  # noqa: E402
from copilot.ledger.kvcache import layout  # noqa: E402
from copilot.ledger.shape import parameters  # noqa: E402
from copilot.model.architecture import Architecture  # noqa: E402

DATA = ROOT / "tests" / "ledger" / "data"
DOCUMENT = ROOT / "docs" / "ledger.md"
BEGIN, END = "<!-- measured: tools/ledger_report.py -->", "<!-- /measured -->"
OURS = "copilot fit"
GIB = float(2**30)
_BATCHED = 8192
_STEP = 0.25
"""GiB between two made-up budgets."""

Answers = dict[str, dict[str, dict[str, Any]]]
"""Planner -> run -> weights, kv (GiB), tokens."""


@dataclass(frozen=True)
class Start:
    """One recorded start."""

    name: str
    architecture: Architecture
    config: Path
    card: Card
    plan: Plan
    measured: Mapping[str, float]
    tokens: int | None
    starts: bool

    @property
    def share(self) -> float:
        """The share asked for."""
        return self.plan.utilization if self.plan.utilization is not None else self.plan.release.utilization

    @property
    def length(self) -> int:
        """The context length that the start had; with `auto` what the engine settled on."""
        given = self.plan.max_model_len
        return self.tokens or 0 if given == -1 else given or self.architecture.max_position or 4096


def main() -> int:
    """Compare, print, write where asked."""
    chosen = _options()
    starts = read_starts()
    kept = DATA / "planners.json"
    answers: Answers = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for given in chosen.planner:
        name, _, python = given.partition("=")
        answers[name] = ask(name, python, starts)
    if chosen.planner:
        kept.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    report = "\n\n".join((each(starts, answers), summary(starts, answers), budgets(starts)))
    print(report)
    if chosen.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)[0], text.split(END)[1]
        DOCUMENT.write_text(f"{head}{BEGIN}\n{report}\n{END}{rest}", encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--planner", nargs="+", default=[], metavar="NAME=PYTHON", help="ask these planners anew")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/ledger.md")
    return parser.parse_args()


def read_starts() -> list[Start]:
    """Every recorded start."""
    document = json.loads((DATA / "runs.json").read_text(encoding="utf-8"))
    version = document["engine"].split()[-1]
    found = []
    for run in document["runs"]:
        config = DATA / "configs" / f"{run['model']}.json"
        architecture = read_config(config.read_text(encoding="utf-8"), run["model"])
        if architecture is None:
            raise SystemExit(f"{config} is no model's configuration")
        card = Card(document["total"], run["free"], document["card"], document["capability"])
        plan = Plan(version=version, **run["plan"])
        found.append(
            Start(run["run"], architecture, config, card, plan, run["measured"], run.get("tokens"), run["starts"])
        )
    return found


def ask(name: str, python: str, starts: Iterable[Start]) -> dict[str, dict[str, Any]]:
    """One planner's answers, from its own environment."""
    runs = [
        {
            "run": start.name,
            "config": str(start.config),
            "total": start.card.total,
            "utilization": start.share,
            "max_model_len": start.length or start.architecture.max_position,
            "parameters": round(parameters(start.architecture)),
            "weight_bytes": round(2 * parameters(start.architecture)),
            "kv_cache_dtype": start.plan.kv_cache_dtype,
        }
        for start in starts
    ]
    program = Path(__file__).parent / "ledger_sources" / "planners.py"
    done = subprocess.run(  # noqa: S603 - an interpreter that the caller names
        [python, str(program), name], input=json.dumps(runs), check=True, capture_output=True, text=True
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def our_answer(start: Start) -> dict[str, Any]:
    """The forecast in the planners' shape."""
    fit = predict(start.architecture, start.card, start.plan)
    return {"weights": fit.gib("weights"), "kv": fit.gib("kv_available"), "tokens": fit.kv_tokens.value}


def each(starts: Iterable[Start], answers: Answers) -> str:
    """A row per start whose KV cache was printed: measured, and what everybody says."""
    head = ["start", "weights", "KV cache", "tokens", OURS, *answers]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for start in starts:
        if "kv_available" not in start.measured:
            continue
        said = [our_answer(start), *(answers[name].get(start.name, {}) for name in answers)]
        cells = [_gib(one.get("kv")) for one in said]
        row = [start.name, _gib(start.measured.get("weights")), _gib(start.measured["kv_available"])]
        row += [f"{start.tokens:,}" if start.tokens else "-", *cells]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def _gib(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def summary(starts: Iterable[Start], answers: Answers) -> str:
    """A row per planner: how far off, in the median and at worst."""
    lines = [
        "| off by | KV cache, median | worst | weights, median | worst | tokens, median | worst |",
        "|---|---|---|---|---|---|---|",
    ]
    known = [start for start in starts if "kv_available" in start.measured]
    everybody = {OURS: {start.name: our_answer(start) for start in known}, **answers}
    for name, said in everybody.items():
        caches = _errors(known, said, "kv", "kv_available")
        weights = _errors(known, said, "weights", "weights")
        tokens = [
            abs(said[s.name]["tokens"] / s.tokens - 1) for s in known if s.tokens and said.get(s.name, {}).get("tokens")
        ]
        cells = (f"{median(caches):.2f} GiB", f"{max(caches):.2f} GiB", f"{median(weights):.2f} GiB")
        cells += (f"{max(weights):.2f} GiB", f"{median(tokens):.1%}", f"{max(tokens):.1%}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _errors(starts: Iterable[Start], said: Mapping[str, Mapping[str, Any]], what: str, row: str) -> list[float]:
    return [
        abs(float(said[start.name][what]) - start.measured[row])
        for start in starts
        if row in start.measured and what in said.get(start.name, {})
    ]


def budgets(starts: Iterable[Start]) -> str:
    """Starts or not, for the recorded starts and for made-up budgets around what each model needs."""
    starts = list(starts)
    recorded = sum(predict(s.architecture, s.card, s.plan).starts == s.starts for s in starts)
    asked = [(start, share) for start in starts for share in _shares(start)]
    right = [_right(start, share) for start, share in asked]
    narrow = sum(1 for good, margin in right if not good and margin <= _STEP)
    wrong = sum(1 for good, _ in right if not good)
    return (
        f"Starts or not: {recorded} of {len(starts)} recorded starts right; of {len(right)} made-up budgets "
        f"(every {_STEP} GiB from 1 GiB below the weights to 12 GiB above) {len(right) - wrong} right, "
        f"{narrow} of the {wrong} others within {_STEP} GiB of the border."
    )


def _shares(start: Start) -> list[float]:
    """Shares of the recorded card whose budgets lie around the model's weights; none where parts were not printed."""
    if not {"weights", "activation", "non_torch"} <= start.measured.keys():
        return []
    first = start.measured["weights"] - 1
    return [(first + _STEP * step) / start.card.total for step in range(int(13 / _STEP))]


def _right(start: Start, share: float) -> tuple[bool, float]:
    """Whether the forecast agrees with the engine's own arithmetic on the measured parts; and the distance (GiB)."""
    spent = sum(start.measured[name] for name in ("weights", "activation", "non_torch"))
    left = start.card.total * share - spent
    length = start.length if start.plan.max_model_len != -1 else 1
    margin = left - layout(start.architecture, start.plan).needed(length, _BATCHED) / GIB
    fit = predict(start.architecture, start.card, start.plan.with_(utilization=share))
    return fit.starts == (margin >= 0), abs(margin)


if __name__ == "__main__":
    sys.exit(main())
