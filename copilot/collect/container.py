"""The JSON of `docker inspect`: what the container really has, which need not be what the file says now."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from copilot.collect.arguments import Where, parse_args
from copilot.collect.shell import Token, join
from copilot.collect.tree import Tree, as_tree
from copilot.collect.vocabulary import Dialect
from copilot.errors import UsageError
from copilot.model.evidence import ContainerFacts, Setting
from copilot.model.programs import engine_of_image, engine_of_program

_WHERE = Where("inspect")
_COMPOSE = "com.docker.compose."


@dataclass(frozen=True, slots=True)
class InspectReading:
    """The container's state, and its settings with their lines in the text."""

    facts: ContainerFacts
    settings: tuple[Setting, ...]
    engine: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    """All labels: an image's version label is among them."""


def read_inspect(json_text: str) -> InspectReading:
    """Read `docker inspect` (a list or one object); of several containers the first that runs a known engine.

    UsageError where the text is not that JSON.
    """
    try:
        document = json.loads(json_text)
    except (ValueError, RecursionError) as error:
        message = f"The inspect file is not JSON: {error}."
        raise UsageError(message, "Save it with `docker inspect NAME > inspect.json`.") from error
    found = [as_tree(one) for one in (document if isinstance(document, list) else [document]) if isinstance(one, dict)]
    found = [one for one in found if one.node("Config") or one.node("State")]
    if not found:
        message = "The inspect file describes no container."
        raise UsageError(message, "Save it with `docker inspect NAME > inspect.json`.")
    chosen = next((one for one in found if _engine(one)), found[0])
    lines = _Lines(json_text)
    labels = chosen.node("Config").node("Labels").pairs()
    return InspectReading(_facts(chosen), tuple(_settings(chosen, lines)), _engine(chosen), labels)


def _engine(tree: Tree) -> str | None:
    config = tree.node("Config")
    words = (*config.strings("Entrypoint"), *config.strings("Cmd"), tree.string("Path"), *tree.strings("Args"))
    return engine_of_image(config.string("Image")) or engine_of_program(words)


class _Lines:
    """Where a value stands in the pretty-printed text."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def of(self, needle: str, after: int = 0) -> int:
        """The first line from `after` on that holds the JSON of `needle`; 0 where none does."""
        wanted = (json.dumps(needle), json.dumps(needle, ensure_ascii=False))
        for number in range(after, len(self._lines)):
            if any(w in self._lines[number] for w in wanted):
                return number + 1
        return 0

    def key(self, name: str, section: str = "HostConfig") -> int:
        """The line of a key, searched from its section on."""
        start = self.of(section)
        return self.of(name, max(0, start - 1))


def _facts(tree: Tree) -> ContainerFacts:
    config, labels = tree.node("Config"), tree.node("Config").node("Labels")
    files = labels.string(_COMPOSE + "project.config_files")
    known = ContainerFacts(
        name=tree.string("Name").lstrip("/"),
        id=tree.string("Id")[:12],
        image=config.string("Image"),
        image_digest=tree.string("Image") or None,
        created=tree.string("Created"),
        restart_count=tree.integer("RestartCount") or 0,
        user=config.string("User") or None,
        gpu_requested=_gpu_requested(tree),
        entrypoint=config.strings("Entrypoint"),
        command=config.strings("Cmd"),
        ports=tuple(text for text, _ in _ports(tree)),
        mounts=tuple(text for text, _ in _mounts(tree)),
        compose_project=labels.string(_COMPOSE + "project") or None,
        compose_service=labels.string(_COMPOSE + "service") or None,
        compose_files=tuple(f for f in files.split(",") if f),
    )
    return known.model_copy(update={**_state(tree.node("State")), **_limits(tree.node("HostConfig"))})


def _state(state: Tree) -> dict[str, object]:
    """How it ended, or how it is."""
    health = state.node("Health").string("Status")
    return {
        "status": state.string("Status"),
        "exit_code": state.integer("ExitCode"),
        "oom_killed": state.boolean("OOMKilled"),
        "error": state.string("Error"),
        "health": None if health in {"", "none"} else health,
        "started_at": state.string("StartedAt"),
        "finished_at": state.string("FinishedAt"),
    }


def _limits(host: Tree) -> dict[str, object]:
    """What the engine was asked to give it."""
    return {
        "shm_size": host.integer("ShmSize"),
        "ipc_mode": host.string("IpcMode") or None,
        "runtime": host.string("Runtime") or None,
        "network_mode": host.string("NetworkMode") or None,
        "memory_limit": host.integer("Memory") or None,
        "restart_policy": host.node("RestartPolicy").string("Name") or None,
    }


def _gpu_requested(tree: Tree) -> bool:
    host = tree.node("HostConfig")
    return bool(_gpus(host)) or host.string("Runtime").startswith("nvidia")


def _gpus(host: Tree) -> str:
    """The device request in the words of `--gpus`: `all`, a number, `device=0,1`, or a CDI name."""
    for request in host.nodes("DeviceRequests"):
        ids = request.strings("DeviceIDs")
        if request.string("Driver") == "cdi" or any("/" in i for i in ids):
            return ",".join(ids)
        if ids:
            return "device=" + ",".join(ids)
        count = request.integer("Count")
        return "all" if count in {-1, None} else str(count)
    for device in host.nodes("Devices"):
        if device.string("PathOnHost").startswith(("/dev/nvidia", "/dev/kfd", "/dev/dri", "/dev/dxg")):
            return device.string("PathOnHost")
    return ""


def _ports(tree: Tree) -> Iterator[tuple[str, str]]:
    """Published ports, as asked for, with the container's port as the key to find its line."""
    for port, bindings in tree.node("HostConfig").node("PortBindings").children():
        for binding in bindings:
            address = binding.string("HostIp")
            yield f"{address + ':' if address else ''}{binding.string('HostPort')}->{port}", port


def _mounts(tree: Tree) -> Iterator[tuple[str, str]]:
    for mount in tree.nodes("Mounts"):
        source = mount.string("Name") or mount.string("Source")
        mode = "rw" if mount.boolean("RW") else "ro"
        yield f"{source}:{mount.string('Destination')}:{mode}", mount.string("Destination")


def size_text(count: int) -> str:
    """Bytes in the largest unit that Docker's options take: 17179869184 is `16g`."""
    for unit, size in (("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10)):
        if count and count % size == 0:
            return f"{count // size}{unit}"
    return str(count)


def _settings(tree: Tree, lines: _Lines) -> Iterator[Setting]:
    config, host = tree.node("Config"), tree.node("HostConfig")
    env_line = lines.key("Env", "Config")
    for entry in config.strings("Env"):
        name, equals, value = entry.partition("=")
        yield _setting(f"env:{name}", value if equals else None, lines.of(entry, env_line))
    yield _setting("docker:image", config.string("Image"), lines.key("Image", "Config"))
    for parameter, value, key in _host_values(host):
        if value:
            yield _setting(parameter, value, lines.key(key))
    for text, port in _ports(tree):
        yield _setting("docker:ports", text, lines.of(port))
    for text, destination in _mounts(tree):
        yield _setting("docker:volumes", text, lines.of(destination))
    for parameter, key in (("docker:entrypoint", "Entrypoint"), ("docker:command", "Cmd")):
        if words := config.strings(key):
            yield _setting(parameter, join(words), lines.key(key, "Config"))
    if user := config.string("User"):
        yield _setting("docker:user", user, lines.key("User", "Config"))
    yield _setting("docker:name", tree.string("Name").lstrip("/"), lines.of("Name"))
    yield from _arguments(tree, lines)


def _host_values(host: Tree) -> Sequence[tuple[str, str, str]]:
    shm, memory = host.integer("ShmSize"), host.integer("Memory")
    limits = (f"{u.string('Name')}={u.integer('Soft')}:{u.integer('Hard')}" for u in host.nodes("Ulimits"))
    return (
        ("docker:shm_size", size_text(shm) if shm else "", "ShmSize"),
        ("docker:ipc", host.string("IpcMode"), "IpcMode"),
        ("docker:gpus", _gpus(host), "DeviceRequests"),
        ("docker:runtime", host.string("Runtime"), "Runtime"),
        ("docker:network", host.string("NetworkMode"), "NetworkMode"),
        ("docker:mem_limit", size_text(memory) if memory else "", "Memory"),
        ("docker:restart", host.node("RestartPolicy").string("Name"), "RestartPolicy"),
        ("docker:extra_hosts", ",".join(host.strings("ExtraHosts")), "ExtraHosts"),
        ("docker:ulimits", ",".join(limits), "Ulimits"),
    )


def _arguments(tree: Tree, lines: _Lines) -> tuple[Setting, ...]:
    """The engine's flags among entrypoint and command."""
    config = tree.node("Config")
    starts = [line for line in (lines.key("Cmd", "Config"), lines.key("Entrypoint", "Config")) if line]
    after = min(starts, default=1) - 1
    words = (*config.strings("Entrypoint"), *config.strings("Cmd"))
    # a script's line breaks are `\\n` inside one JSON string: all its words stand on that string's line
    tokens = [Token(word.replace("\n", " "), lines.of(word, after)) for word in words]
    engine = _engine(tree)
    return parse_args(tokens, Dialect(engine), _WHERE) if engine else ()


def _setting(parameter: str, value: str | None, line: int) -> Setting:
    return Setting(parameter=parameter, value=value, source="inspect", line=line)
