"""The options of `docker run` (podman and nerdctl spell them alike), the image, and the words after it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from copilot.collect.shell import Token

# docker/cli, cli/command/container/opts.go: every option without a value; all others take one
_SWITCHES = frozenset(
    (
        *("--detach", "--interactive", "--tty", "--rm", "--privileged", "--init", "--read-only", "--publish-all"),
        *("--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--disable-content-trust", "--quiet", "--help"),
        *("--use-api-socket", "--replace", "--rmi"),
    )
)
_SHORT_SWITCHES = frozenset("ditPq")
_PARAMETERS = {
    "--env": "env",
    "-e": "env",
    "--env-file": "docker:env_file",
    "--gpus": "docker:gpus",
    "--device": "device",
    "--shm-size": "docker:shm_size",
    "--ipc": "docker:ipc",
    "--volume": "docker:volumes",
    "-v": "docker:volumes",
    "--mount": "docker:volumes",
    "--publish": "docker:ports",
    "-p": "docker:ports",
    "--runtime": "docker:runtime",
    "--name": "docker:name",
    "--network": "docker:network",
    "--net": "docker:network",
    "--restart": "docker:restart",
    "--user": "docker:user",
    "-u": "docker:user",
    "--memory": "docker:mem_limit",
    "-m": "docker:mem_limit",
    "--entrypoint": "docker:entrypoint",
    "--platform": "docker:platform",
    "--add-host": "docker:extra_hosts",
    "--ulimit": "docker:ulimits",
}
_IMAGE = re.compile(r"(?:[a-z0-9.-]+(?::\d+)?/)?[a-z0-9][a-z0-9._/-]*(?::[\w.-]+)?(?:@[\w:]+)?\Z")
_PROSE = frozenset(
    (
        "of",
        "the",
        "a",
        "an",
        "with",
        "and",
        "or",
        "for",
        "in",
        "on",
        "from",
        "command",
        "by",
        "is",
        "was",
        "to",
        "image",
    )
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option with the words that give it."""

    parameter: str
    """A name of the contract, or empty for an option that no failure needs."""
    value: str | None
    first: int
    last: int
    spelled: str


@dataclass(frozen=True, slots=True)
class DockerRun:
    """A `docker run` taken apart."""

    options: tuple[Option, ...]
    image: int | None
    """Index of the image among the words; None where it is not named."""
    rest: int
    """Index of the first word after the image."""


def starts(tokens: Sequence[Token]) -> int | None:
    """Index of the first word after `docker run`, or None where there is no such command."""
    texts = [t.text.strip("`$(") for t in tokens]
    for index, text in enumerate(texts[:-1]):
        if text.rsplit("/", 1)[-1].removesuffix(".exe") not in {"docker", "podman", "nerdctl"}:
            continue
        after = index + (2 if texts[index + 1] == "container" else 1)
        if texts[after : after + 1] and texts[after] in {"run", "create", "run`", "create`"}:
            return after + 1
    return None


def take_apart(tokens: Sequence[Token], start: int) -> DockerRun:
    """Options and image of the words from `start` on."""
    options: list[Option] = []
    index = start
    while index < len(tokens):
        text = tokens[index].text
        if text.startswith("-") and len(text) > 1:
            option = _option(tokens, index)
            options.append(option)
            index = option.last + 1
        elif text in {"...", "…"}:
            index += 1
        else:
            image = bool(_IMAGE.match(text)) and text not in _PROSE
            return DockerRun(tuple(options), index if image else None, index + 1 if image else index)
    return DockerRun(tuple(options), None, index)


def _option(tokens: Sequence[Token], index: int) -> Option:
    """The option at `index`: `--x=y`, `--x y`, `-x y`, `-xy`, `-itd`."""
    text = tokens[index].text
    following = tokens[index + 1].text if index + 1 < len(tokens) else None
    if text.startswith("--"):
        name, equals, value = text.partition("=")
        lone = name in _SWITCHES
    else:
        body = text[1:].lstrip("".join(_SHORT_SWITCHES))
        name, equals, value = f"-{body[:1]}", body[1:], body[1:].removeprefix("=")
        lone = not body
    if equals:
        return _named(name, value, index, index)
    if lone or following is None or following in _PROSE:
        return Option("", None, index, index, text)
    return _named(name, following, index, index + 1)


def _named(name: str, value: str, first: int, last: int) -> Option:
    parameter = _PARAMETERS.get(name, "")
    if parameter == "env":
        key, equals, inner = value.partition("=")
        return Option(f"env:{key}", inner if equals else None, first, last, name)
    if parameter == "device":
        # a CDI name (`nvidia.com/gpu=all`) asks for a GPU; another device file does not decide any failure here
        parameter = "docker:gpus" if "/gpu=" in value else ""
    return Option(parameter, value, first, last, name)
