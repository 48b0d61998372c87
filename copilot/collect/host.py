"""The host's facts as the ports collected them, or as a case keeps them (`host.json`)."""

import json

from copilot.collect.tree import as_tree
from copilot.errors import UsageError
from copilot.model.evidence import HostFacts


def read_host(json_text: str) -> HostFacts:
    """The known fields of the JSON; unknown ones are left out, so that a newer copilot's file is readable.

    UsageError where the text is not a JSON object.
    """
    try:
        value = json.loads(json_text or "{}")
    except (ValueError, RecursionError) as error:
        message = f"The host file is not JSON: {error}."
        raise UsageError(message, "Leave it out, or collect it again with `copilot collect -o DIR`.") from error
    if not isinstance(value, dict):
        message = "The host file is not a JSON object."
        raise UsageError(message, "Leave it out, or collect it again with `copilot collect -o DIR`.")
    tree = as_tree(value)
    numbers = {
        name: float(value[name])
        for name in ("memory_gib", "memory_free_gib", "disk_free_gib")
        if type(value.get(name)) in {int, float}
    }
    strings = {
        name: tree.string(name) or None for name in ("system", "kernel", "docker_version", "docker_os", "cgroup_driver")
    }
    return HostFacts(
        runtimes=tree.strings("runtimes"),
        events=tree.strings("events"),
        **{**strings, **numbers},
    )
