"""The commands a person runs, from our templates alone: no word of a model or a log becomes a command."""

import re
import shlex

from copilot.compose import command_change
from copilot.model.answer import Change
from copilot.model.reply import ReplyExperiment
from copilot.model.text import Lang, Text
from copilot.workflow.state import State

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")
"""What may stand in a command as a container or service name."""
_MORE_THAN_ONE = re.compile(r"\$\(|[`;|&<>\u2039]")
"""A line with these does more than start one container, or lacks a secret: it is not printed as one to run."""


def commands_for(state: State, change: Change | None, wanted: ReplyExperiment, *, diff: str | None) -> tuple[str, ...]:
    """What to run, in order; `docker compose up -d` because `restart` does not take a changed file."""
    parameter = change.parameter if change is not None else wanted.parameter or ""
    host = HOST_COMMANDS.get(parameter)
    if host is not None:
        return (*host, *_start(state, change, diff))
    if change is None:
        return _look(state, parameter)
    return _start(state, change, diff)


def _start(state: State, change: Change | None, diff: str | None) -> tuple[str, ...]:
    """Start again with the change, and see the log."""
    compose = _compose(state)
    if compose is not None:
        return (f"{compose} up -d {_service(state)}".rstrip(), _logs(state))
    if change is not None and diff is None and state["evidence"].text("command"):
        return (f"docker rm -f {container_name(state)}", _again(state, change), _logs(state))
    return (_logs(state),)


def _again(state: State, change: Change) -> str:
    """The person's own line with the change in it; in words where the line cannot be rewritten."""
    command = state["evidence"].text("command")
    written = command_change(command.text, change.parameter, change.to) if command is not None else None
    if written is not None and not _MORE_THAN_ONE.search(written):
        return written.strip()
    if change.to is None:
        return f"# the same start again, without {change.parameter}"
    return f"# the same start again, with: {_as_option(change)}"


def _logs(state: State) -> str:
    """How to see the end of the log: by the container where it is known, else by its service."""
    compose = _compose(state)
    if compose is not None and state["evidence"].container is None:
        return f"{compose} logs --tail 50 {_service(state)}".rstrip()
    return f"docker logs --tail 50 {container_name(state)}"


def _as_option(change: Change) -> str:
    """A change as it is written on a `docker run` line."""
    value = shlex.quote(change.to or "")
    if change.parameter.startswith("env:"):
        return f"-e {change.parameter.removeprefix('env:')}={value}"
    if change.parameter.startswith("docker:"):
        if " " in (change.to or ""):
            return f"{change.parameter}: {change.to}"
        option = change.parameter.removeprefix("docker:").replace("_", "-")
        return f"{value}" if option == "image" else f"--{option} {value}"
    return f"{change.parameter} {value}" if (change.to or "").lower() not in ("", "true") else change.parameter


def _look(state: State, parameter: str) -> tuple[str, ...]:
    """Commands that only look."""
    name = container_name(state)
    compose = _compose(state)
    first: tuple[str, ...] = ()
    if parameter.startswith("env:") and compose is not None:
        first = (f"{compose} up -d {_service(state)}".rstrip(),)
    if parameter.startswith("env:"):
        variable = parameter.removeprefix("env:")
        inspect = "docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' " + name
        return (*first, f"{inspect} | grep {variable}", _logs(state))
    return (f"docker inspect {name}", f"docker logs {name} > server.log 2>&1")


def container_name(state: State) -> str:
    """The container's name, or a word to replace."""
    container, service = state["evidence"].container, state["findings"].service
    named = service.effective("docker:name")
    for candidate in (container.name if container else "", (named.value if named else "") or "", service.name or ""):
        if _NAME.fullmatch(candidate.lstrip("/")):
            return candidate.lstrip("/")
    return "CONTAINER"


def _service(state: State) -> str:
    """The compose service's name, if it is one."""
    name = state["findings"].service.name or ""
    return name if _NAME.fullmatch(name) else ""


def _compose(state: State) -> str | None:
    """`docker compose -f FILE`, or None for people without a compose file."""
    file = state["findings"].service.compose_file
    if file is None:
        return None
    home = file.startswith("~/")
    return f"docker compose -f {file if home and shlex.quote(file[2:]) == file[2:] else shlex.quote(file)}"


def undo_for(change: Change | None, lang: Lang) -> str:
    """How to get back."""
    if change is None:
        return Text(en="Nothing to undo: it only looks.", zh="无需撤销：只是查看。").in_(lang)
    if change.before is None:
        text = Text(en=f"Remove {change.parameter} again.", zh=f"把 {change.parameter} 再删掉。")
    elif change.to is None:
        text = Text(
            en=f"Put {change.parameter} {change.before} back.", zh=f"把 {change.parameter} {change.before} 加回去。"
        )
    else:
        text = Text(
            en=f"Set {change.parameter} back to {change.before}.", zh=f"把 {change.parameter} 改回 {change.before}。"
        )
    return text.in_(lang)


HOST_COMMANDS: dict[str, tuple[str, ...]] = {
    "host:gpu-processes": ("nvidia-smi",),
    "host:nvidia-driver": ("nvidia-smi",),
    "host:nvidia-container-toolkit": (
        "nvidia-ctk --version",
        "sudo nvidia-ctk runtime configure --runtime=docker",
        "sudo systemctl restart docker",
    ),
    "docker:daemon": ("docker info --format '{{json .Runtimes}}'", "sudo systemctl restart docker"),
    "host:wsl-memory": ("wsl --shutdown   # in Windows, after the change of .wslconfig",),
    "host:wsl-version": ("wsl --update   # in Windows", "wsl --shutdown"),
    "host:disk": ("df -h", "docker system df"),
    "host:memory": ("free -h",),
    "host:dns": ("getent hosts huggingface.co",),
}
"""Looking (and for the toolkit, its own set-up) commands of parameters that live outside the container."""
