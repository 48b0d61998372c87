"""Time and peak memory of `copilot ask` on a container with a large log against one with 2,000 lines, on a real engine.

    eval "$(ci/start_engine.sh env)"; python benchmarks/large_log.py [MEGABYTES]

Prints a row for each container, and the ratios; exits with 1 where a ratio is above 1.5.
"""

import os
import subprocess
import sys
import tempfile
import time

import docker

IMAGE = "vllm/vllm-openai:v0.25.0"
LINE = (
    "(EngineCore pid=7) INFO 12-01 16:59:31 [core.py:99] step of a server that has run for weeks, one line of its log"
)
FAULT = (
    "ValueError: Free memory on device cuda:0 (6.2/15.0 GiB) on startup is less than desired GPU memory utilization "
    "(0.9, 13.5 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."
)
RUNS = 3
LIMIT = 1.5


def make(client: docker.DockerClient, name: str, lines: int) -> None:
    """A container that printed so many lines, then the fault, and ended."""
    script = f"yes '{LINE}' | head -n {lines} >&2; echo '{FAULT}' >&2; exit 1"
    made = client.containers.run(IMAGE, ["sh", "-c", script], name=name, detach=True, network_mode="none")
    made.wait(timeout=1200)


def measure(name: str) -> tuple[float, float]:
    """(seconds, MiB at the peak) of one `ask`, the best of several runs: what else the machine does only adds."""
    best = (float("inf"), float("inf"))
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            env = {**os.environ, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
            code = (
                "import resource, sys; from copilot.cli.main import main; code = main(); "
                "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
            )
            words = [sys.executable, "-c", code, "ask", name, "--json", "--offline"]
            start = time.perf_counter()
            done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
            seconds = time.perf_counter() - start
        if done.returncode not in {0, 5}:
            sys.exit(done.stderr)
        peak = int(done.stderr.strip().split("\n")[-1]) / 1024
        best = (min(best[0], seconds), min(best[1], peak))
    return best


def main() -> int:
    """Measure both, remove both."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    client = docker.from_env(timeout=1200)
    sizes = {"bench-small": 2_000, "bench-large": (megabytes << 20) // (len(LINE) + 1)}
    found = {}
    try:
        for name, lines in sizes.items():
            make(client, name, lines)
            found[name] = measure(name)
            print(f"| {lines:,} lines | {found[name][0]:.2f} s | {found[name][1]:.0f} MiB |", flush=True)
    finally:
        for name in sizes:
            for one in client.containers.list(all=True, filters={"name": f"^/{name}$"}):
                one.remove(force=True)
    small, large = found["bench-small"], found["bench-large"]
    ratios = (large[0] / small[0], large[1] / small[1])
    print(f"| ratio | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    return int(max(ratios) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
