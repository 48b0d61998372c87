"""The commands a person runs, from our templates alone: no word of a model or a log becomes a command."""

import re
import shlex

from copilot.compose import command_change
from copilot.model.answer import Change
from copilot.model.reply import ReplyExperiment
from copilot.model.text import Lang, RedactedText, Text
from copilot.workflow.state import State

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")
"""What may stand in a command as a container or service name."""
_MORE_THAN_ONE = re.compile(r"\$\(|[`;|&<>\u2039]")
"""A line with these does more than start one container, or lacks a secret: it is not printed as one to run."""


def commands_for(
    state: State,
    change: Change | None,
    wanted: ReplyExperiment,
    *,
    diff: str | None,
    gone: tuple[Change, ...] = (),
) -> tuple[str, ...]:
    """What to run, in order; `docker compose up -d` because `restart` does not take a changed file.

    `gone` is what the change takes the place of.
    """
    made = () if change is None else (*gone, change)
    parameter = change.parameter if change is not None else wanted.parameter or ""
    host = HOST_COMMANDS.get(parameter)
    if host is not None:
        return (*host, *_start(state, made, diff))
    if change is None:
        return _look(state, parameter)
    return _start(state, made, diff)


def _start(state: State, made: tuple[Change, ...], diff: str | None) -> tuple[str, ...]:
    """Start again with the change, and see the log."""
    compose = _compose(state)
    if compose is not None:
        return (f"{compose} up -d {_service(state)}".rstrip(), _logs(state))
    if made and diff is None and state["evidence"].text("command"):
        return (f"docker rm -f {container_name(state)}", _again(state, made), _logs(state))
    return (_logs(state),)


def _again(state: State, made: tuple[Change, ...]) -> str:
    """The person's own line with the changes in it; in words where the line cannot be rewritten."""
    command, change = state["evidence"].text("command"), made[-1]
    written: str | None = command.text if command is not None else None
    for one in made:
        written = command_change(RedactedText(written), one.parameter, one.to) if written is not None else None
    if written is not None and not _MORE_THAN_ONE.search(written):
        return written.strip()
    without = [one.parameter for one in made if one.to is None]
    left_out = f", without {', '.join(without)}" if without else ""
    if change.to is None:
        return f"# the same start again{left_out}"
    return f"# the same start again{left_out}, with: {_as_option(change)}"


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
    """`docker compose` with every file that the container was made from, or None for people without a compose file."""
    evidence, file = state["evidence"], state["findings"].service.compose_file
    if file is None:
        return None
    several = evidence.container is not None and len(evidence.container.compose_files) > 1
    read = [t.file for t in evidence.texts if t.source == "compose" and not t.file.endswith(".env")]
    files = read if several and file in read else [file]
    return " ".join(("docker compose", *(f"-f {_path(name)}" for name in files)))


def _path(file: str) -> str:
    """A path as a shell takes it; `~/` stays outside the quotes, or it would not be the home."""
    return f"~/{shlex.quote(file[2:])}" if file.startswith("~/") else shlex.quote(file)


def undo_for(change: Change | None, lang: Lang, gone: tuple[Change, ...] = ()) -> str:
    """How to get back; `gone` is what the change took the place of."""
    steps = [_undo(change).in_(lang), *(_undo(one).in_(lang) for one in gone)]
    return (" " if lang == "en" else "").join(steps)


def _undo(change: Change | None) -> Text:
    if change is None:
        return Text(en="Nothing to undo: it only looks.", zh="无需撤销：只是查看。")
    if change.before is None:
        return Text(en=f"Remove {change.parameter} again.", zh=f"把 {change.parameter} 再删掉。")
    if change.to is None:
        return Text(
            en=f"Put {change.parameter} {change.before} back.", zh=f"把 {change.parameter} {change.before} 加回去。"
        )
    return Text(
        en=f"Set {change.parameter} back to {change.before}.", zh=f"把 {change.parameter} 改回 {change.before}。"
    )


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
