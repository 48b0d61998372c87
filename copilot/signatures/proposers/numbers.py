"""Counts: halves, divisors, ports."""

from collections.abc import Mapping

from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.known import number
from copilot.signatures.signature import Scalar

LAST_PORT = 65535


_PRINTED = {
    "--max-num-batched-tokens": "batched_tokens",
    "--max-num-seqs": "sequences",
    "--max-model-len": "max_model_len",
}
"""Settings whose value the engine prints although nobody gave it: a default is a value in force, too."""


def halved(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Half of the setting `parameter` (or of the capture `of`), not below `least`, else `start`."""
    current, least = _current(facts, captures, args), int(str(args.get("least", 1)))
    if current is None:
        return (Computed(to=str(args["start"])),) if "start" in args else ()
    half = max(int(current) // 2, least)
    return (Computed(to=str(half), words={"current": f"{current:.0f}"}),) if half < current else ()


def doubled(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Twice the setting `parameter` (or the capture `of`), else `start`."""
    current = _current(facts, captures, args)
    if current is None:
        return (Computed(to=str(args["start"])),) if "start" in args else ()
    return (Computed(to=str(int(current) * 2), words={"current": f"{current:.0f}"}),)


def _current(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> float | None:
    parameter = str(args.get("parameter", ""))
    setting = facts.setting(parameter)
    given = number(setting.value if setting else None) or number(captures.get(str(args.get("of", ""))))
    return given or facts.engine.readings.values.get(_PRINTED.get(parameter, ""))


def whole_number(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The capture `of` without decimals: configs print 32768.0."""
    value = number(captures.get(str(args.get("of", ""))))
    return (Computed(to=f"{value:.0f}"),) if value else ()


def power_of_two(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The smallest power of two that is not below the capture `of`, or its sum with the capture `and`."""
    more = number(captures.get(str(args.get("and", "")))) or 0
    value = (number(captures.get(str(args.get("of", "")))) or 0) + more
    return (Computed(to=str(1 << max(int(value) - 1, 0).bit_length())),) if value else ()


def tensor_parallel(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The largest size below the one asked for that divides the `heads` and does not exceed the `gpus`."""
    architecture = facts.evidence.architecture
    heads = int(number(captures.get("heads")) or (architecture.heads if architecture else 0))
    setting = facts.setting("--tensor-parallel-size")
    asked = int(number(captures.get("size")) or number(setting.value if setting else None) or 0)
    gpus = int(number(captures.get("gpus")) or len(facts.gpus))
    ceiling = min(n for n in (asked - 1, gpus, heads or asked) if n > 0) if asked > 1 else 1
    size = next(n for n in range(ceiling, 0, -1) if not heads or heads % n == 0)
    divisors = ", ".join(str(n) for n in range(1, heads + 1) if heads % n == 0) or "?"
    return (Computed(to=str(size), words={"divisors": divisors, "heads": str(heads or "?")}),)


def free_port(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The next port that nothing in the evidence uses; `after` where the message names no port."""
    setting = facts.setting("--port")
    port = int(number(captures.get("port")) or number(setting.value if setting else None) or int(str(args["after"])))
    published = " ".join(facts.evidence.container.ports) if facts.evidence.container else ""
    used = published + " ".join(s.value or "" for s in facts.settings("docker:ports"))
    free = next((n for n in range(port + 1, LAST_PORT) if str(n) not in used), None)
    return (Computed(to=str(free), words={"port": str(port)}),) if free else ()


def shm_size(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Two GiB per GPU, eight at least: NCCL takes some hundred MiB per pair of ranks, the rest is headroom."""
    setting = facts.setting("--tensor-parallel-size")
    ranks = int(number(setting.value if setting else None) or len(facts.gpus) or 1)
    return (Computed(to=f"{max(8, 2 * ranks)}gb"),)


def interface(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The interface that NCCL was given, if any, else the usual name inside a container."""
    other = facts.setting("env:NCCL_SOCKET_IFNAME")
    return (Computed(to=other.value if other and other.value else "eth0"),)


def host_ip(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The loopback address for one host; several nodes need the address of each."""
    nodes = facts.setting("--nnodes")
    several = nodes is not None and (number(nodes.value) or 1) > 1
    return () if several else (Computed(to="127.0.0.1"),)
