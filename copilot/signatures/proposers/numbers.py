"""Counts: halves, divisors, ports."""

from collections.abc import Mapping

from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.memory import number
from copilot.signatures.signature import Scalar

LAST_PORT = 65535


def halved(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Half of the setting `parameter` (or of the capture `of`), not below `least`, else `start`."""
    parameter, least = str(args.get("parameter", "")), int(str(args.get("least", 1)))
    setting = facts.setting(parameter) if parameter else None
    current = number(setting.value if setting else None) or number(captures.get(str(args.get("of", ""))))
    if current is None:
        return (Computed(to=str(args["start"])),) if "start" in args else ()
    half = max(int(current) // 2, least)
    return (Computed(to=str(half), words={"current": f"{current:.0f}"}),) if half < current else ()


def tensor_parallel(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The largest sizes below the one asked for that divide the heads (`heads`) and do not exceed the GPUs (`gpus`)."""
    heads = number(captures.get("heads")) or (facts.evidence.architecture.heads if facts.evidence.architecture else 0)
    asked = number(captures.get("size")) or 0
    gpus = number(captures.get("gpus")) or len(facts.gpus)
    ceiling = int(min(asked - 1 if asked else heads, gpus or asked or heads))
    sizes = [n for n in range(ceiling, 0, -1) if not heads or heads % n == 0]
    words = {"divisors": ", ".join(str(n) for n in range(1, int(heads) + 1) if heads % n == 0)}
    return (Computed(to=str(sizes[0]), words=words),) if sizes else ()


def free_port(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The next port that nothing in the evidence uses; `after` where the message names no port."""
    port = int(number(captures.get("port")) or int(str(args.get("after", 8000))))
    published = " ".join(facts.evidence.container.ports) if facts.evidence.container else ""
    settings = " ".join(s.value or "" for s in facts.settings("docker:ports"))
    for candidate in range(port + 1, LAST_PORT):
        if str(candidate) not in f"{published} {settings}":
            return (Computed(to=str(candidate), words={"port": str(port)}),)
    return ()
