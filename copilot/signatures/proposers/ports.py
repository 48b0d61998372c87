"""Another host port for what a container publishes."""

import re
from collections.abc import Mapping

from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.numbers import LAST_PORT
from copilot.signatures.signature import Scalar

_PUBLISHED = re.compile(r"(?P<address>(?:[\d.]+:|\[[^\]]+\]:)?)(?P<host>\d+):(?P<inside>\d+)")
INSIDE = {"ollama": "11434", "vllm": "8000"}
"""Where the engines listen in their own images."""


def free_port_mapping(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """`host:container` with the next host port that the evidence shows unused; `start` where to look instead."""
    port = int(captures.get("port") or str(args["after"]))
    written = [m for s in facts.settings("docker:ports") for m in _PUBLISHED.finditer(s.value or "")]
    same = next((m for m in written if int(m["host"]) == port), None)
    published = facts.evidence.container.ports if facts.evidence.container else ()
    used = {m["host"] for m in written} | {number for text in published for number in re.findall(r"\d+", text)}
    first = max(port + 1, int(str(args.get("start", 0))))
    free = next((n for n in range(first, LAST_PORT) if str(n) not in used), None)
    if free is None:
        return ()
    inside = same["inside"] if same else INSIDE.get(facts.engine.name or "", str(port))
    address = same["address"] if same else ""
    return (Computed(to=f"{address}{free}:{inside}", words={"port": str(port)}),)


def free_address(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The address that OLLAMA_HOST names, with the next port."""
    port = int(captures.get("port") or str(args["after"]))
    setting = facts.setting("env:OLLAMA_HOST")
    host = re.sub(r"^https?://|:\d+/?$", "", setting.value or "") if setting else ""
    return (Computed(to=f"{host or '127.0.0.1'}:{port + 1}", words={"port": str(port)}),)
