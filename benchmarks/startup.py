"""How long the command takes, as a ratio to a bare interpreter in the same run.

python benchmarks/startup.py [--repeats 5]

Rows: `copilot --help`; `copilot ask --offline` on a log of 2,000 lines; `copilot compare` of two logs of 5,000 lines.
The last row is the comparison alone (reading, redacting, comparing), without the process around it. The logs are a
recorded case's lines, its request lines repeated. A first run, which does not count, compiles the bytecode.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
CASE = ROOT / "cases" / "three-attempts"


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Wall time of one run."""
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


ALONE = """
import sys, time
from copilot.adapters.files import UserFiles
from copilot.comparing import compare_logs
started = time.perf_counter()
compare_logs(UserFiles(), (sys.argv[1], sys.argv[2]), None, "vllm", "en")
print(time.perf_counter() - started)
"""


def comparison(logs: tuple[Path, Path], environment: dict[str, str]) -> float:
    """Seconds of comparing two logs, in a process that has imported what it needs."""
    command = [sys.executable, "-c", ALONE, *map(str, logs)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def lengthened(source: Path, target: Path, lines: int) -> Path:
    """The log with its `GET /health` line repeated after each other line until it is that long."""
    text = source.read_text(encoding="utf-8").splitlines()
    health = '(APIServer pid=1) INFO:     127.0.0.1:34468 - "GET /health HTTP/1.1" 200 OK'
    each = max(0, lines - len(text)) // max(1, len(text)) + 1
    long = [line for one in text for line in (one, *[health] * each)][:lines]
    target.write_text("\n".join([*long[: lines - 1], text[-1]]) + "\n", encoding="utf-8")
    return target


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        environment = os.environ | {"XDG_DATA_HOME": scratch, "PYTHONPATH": str(ROOT)}
        environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        log = lengthened(CASE / "round-1" / "server.log", folder / "ask.log", 2_000)
        a = lengthened(CASE / "round-2" / "server.log", folder / "a.log", 5_000)
        b = lengthened(CASE / "round-3" / "server.log", folder / "b.log", 5_000)
        copilot = [sys.executable, "-m", "copilot.cli"]
        rows = {
            "bare interpreter": [sys.executable, "-c", "pass"],
            "copilot --help": [*copilot, "--help"],
            "copilot ask --offline, 2,000 lines": [*copilot, "ask", "--offline", "--no-loop", "--log", str(log)],
            "copilot compare, 2 × 5,000 lines": [*copilot, "compare", str(a), str(b)],
        }
        times: dict[str, list[float]] = {name: [] for name in rows}
        for round_ in range(repeats + 1):
            for name, command in rows.items():
                taken = seconds(command, environment)
                if round_:
                    times[name].append(taken)
            times.setdefault("the comparison alone", []).append(comparison((a, b), environment))
    bare = median(times["bare interpreter"])
    print("| command | median, s | ratio to a bare interpreter |\n|---|---|---|")
    for name, taken_all in times.items():
        print(f"| {name} | {median(taken_all):.3f} | {median(taken_all) / bare:.1f} |")


if __name__ == "__main__":
    main()
