"""The closed loop for the playbook or a provider, in one command.

    python -m copilot.evals.closed_loop --python /opt/vllm/bin/python --scratch DIR

`--python` is an interpreter with the CPU build of vLLM (docs/evals.md says how to install it). Exit code 100 when
fewer than `--least` of the faults were repaired.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from copilot.errors import CopilotError
from copilot.evals.closed_loop.faults import Fault, read_faults
from copilot.evals.closed_loop.loop import Bench, Outcome, run_fault
from copilot.evals.closed_loop.server import Server
from copilot.ports import Model

DATA = Path("evals/closed_loop")
RESULTS = "outcomes.json"


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m copilot.evals.closed_loop", description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="interpreter of the environment with vLLM")
    parser.add_argument(
        "--scratch", type=Path, required=True, help="a folder for models and results; used again, it goes on"
    )
    parser.add_argument("--faults", type=Path, default=DATA / "faults.toml")
    parser.add_argument("--only", action="append", default=[], help="a part of a fault's name (repeatable)")
    parser.add_argument("--ports", default="18200-18299", help="the ports that may be used")
    parser.add_argument("--start-within", type=float, default=600.0, help="seconds a start may take")
    parser.add_argument("--provider", help="a configured provider instead of the playbook")
    parser.add_argument("--least", type=float, default=0.0, help="share of the faults that must be repaired")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every fault, print the table as Markdown, write outcomes.json."""
    chosen = options(arguments)
    try:
        outcomes = run(chosen)
    except CopilotError as error:
        print(f"{error.message} {error.hint}", file=sys.stderr)  # noqa: T201 - a program of its own
        return error.exit_code
    print(table(outcomes))  # noqa: T201 - a program of its own
    return 0 if sum(o.repaired for o in outcomes) >= chosen.least * len(outcomes) else 100


def run(chosen: argparse.Namespace) -> list[Outcome]:
    """All faults, one after the other; each outcome is on the disk before the next begins, and is not made again."""
    faults = [f for f in read_faults(chosen.faults) if not chosen.only or any(part in f.name for part in chosen.only)]
    bench = _bench(chosen)
    outcomes = _done(bench.scratch / RESULTS)
    for number, fault in enumerate(faults):
        if any(outcome.fault == fault.name for outcome in outcomes):
            continue
        outcomes.append(run_fault(fault, bench, number))
        _say(fault, outcomes[-1], f"{number + 1}/{len(faults)}")
        document = [outcome.model_dump() for outcome in outcomes]
        (bench.scratch / RESULTS).write_text(json.dumps(document, indent=1), encoding="utf-8")
    return outcomes


def _done(file: Path) -> list[Outcome]:
    """The outcomes of an earlier, interrupted run in the same scratch folder."""
    if not file.is_file():
        return []
    return [Outcome.model_validate(entry) for entry in json.loads(file.read_text(encoding="utf-8"))]


def _bench(chosen: argparse.Namespace) -> Bench:
    """The folders, the tiny models and the program."""
    scratch = chosen.scratch.absolute()
    models = scratch / "models"
    if not models.is_dir():
        maker = chosen.faults.parent / "make_models.py"
        subprocess.run([str(chosen.python), str(maker), str(models)], check=True)  # noqa: S603 - ours
    first, _, last = chosen.ports.partition("-")
    server = Server(chosen.python.absolute(), chosen.start_within)
    return Bench(server, models, scratch, int(first), int(last), _model(chosen.provider))


def _model(name: str | None) -> Model | None:
    """The provider's model, None for the playbook."""
    if name in (None, "playbook"):
        return None
    from copilot.evals.providers import open_named

    return open_named(name).model


def _say(fault: Fault, outcome: Outcome, place: str) -> None:
    """One line of progress."""
    what = f"repaired in {outcome.rounds}" if outcome.repaired else f"NOT repaired: {outcome.problem}"
    print(f"{place} {fault.name}: {what} ({outcome.seconds:.0f} s)", file=sys.stderr, flush=True)  # noqa: T201


def table(outcomes: Sequence[Outcome]) -> str:
    """The results as Markdown."""
    rows = ["| fault | repaired | rounds | needless | what was changed | seconds |", "|---|---|---|---|---|---|"]
    for one in outcomes:
        steps = "; ".join(f"`{a.parameter}` → {'removed' if a.to is None else f'`{a.to}`'}" for a in one.applied)
        done = "yes" if one.repaired else f"**no**: {one.problem}"
        rows.append(f"| {one.fault} | {done} | {one.rounds} | {one.needless} | {steps or '-'} | {one.seconds:.0f} |")
    repaired = [one for one in outcomes if one.repaired]
    median = statistics.median(one.rounds for one in repaired) if repaired else 0
    needless = sum(one.needless for one in outcomes)
    total = f"Repaired {len(repaired)} of {len(outcomes)}; median {median:g} rounds; {needless} needless changes."
    return "\n".join([*rows, "", total])


if __name__ == "__main__":
    sys.exit(main())
