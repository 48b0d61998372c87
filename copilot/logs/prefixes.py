"""The prefixes that collectors, process managers and loggers put before a message, taken apart one by one.

They nest: `vllm-1  | 2026-12-01T16:56:53.1Z (EngineCore_DP0 pid=73) ERROR 12-01 16:56:53 [core.py:1231] ...`.
Indentation of the message itself is kept, because tracebacks need it.
"""

import re
import string
from dataclasses import dataclass
from functools import cache

_LEVELS = "DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|TRACE"
_COMPOSE = re.compile(r"(?P<service>[A-Za-z0-9][\w.-]*) *\|(?: |$)")
_KUBECTL = re.compile(r"\[(?P<service>(?:pod|container)/[^\]\s]+)\] ?")
_ISO = re.compile(
    r"\[?(?P<stamp>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d(?!\d)| UTC)?)\]?(?: |$)"
)
_GO = re.compile(r"(?P<stamp>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?) ")
_SYSLOG = re.compile(r"(?P<stamp>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?) (?=\S+ \S+: )")
_UNIT = re.compile(r"\S+ (?P<service>[\w.@/<>-]+)(?P<pid>\[\d+\])?: ?")
_CRI = re.compile(r"(?:stdout|stderr) [FP] ")
_PROCESS = re.compile(
    r" ?\((?P<process>[A-Za-z_][\w.:-]*)?(?: ?rank=(?P<rank>\d+))?(?: ?pid=(?P<pid>\d+))(?:, ip=[^)\s]*)?\)(?: |$)"
)
_RANK = re.compile(r"\[(?P<process>rank\d+)\]: ?")
_LOGGER = re.compile(
    rf"(?:(?P<level>{_LEVELS})\s+)?(?:(?P<stamp>\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?)\s+)?"
    r"(?:\[?(?P<place>[^\s\[\]:]+\.pyx?(?::\d+)?)\](?: |$)|(?P<dashed>[\w./]+\.py:\d+) -- )"
)
_PLAIN = re.compile(rf"\[?(?P<level>{_LEVELS})(?:\]:?|:| -|(?= \d\d-\d\d)|(?= +\.\.\. )|(?= {{2,}}))(?: +|$)")
_STDLIB = re.compile(rf"- (?P<place>[\w.]+) - (?P<level>{_LEVELS}) - ")
_LOGURU = re.compile(rf"\| (?P<level>{_LEVELS}|SUCCESS) +\| (?P<place>\S+) - ")
_GLOG = re.compile(
    r"\[?(?P<level>[IWEF])(?:(?P<stamp>\d{4} \d\d:\d\d:\d\d\.\d+)\s+(?:\d+ )?| )(?P<place>[\w./]+:\d+)\] ?"
)
_GO_PLACE = re.compile(r"(?P<place>[\w./]+\.go:\d+): ")
_SLOG = re.compile(
    r"time=(?P<stamp>\S+) level=(?P<level>[A-Z]+)(?:[+-]\d+)?(?: source=(?P<place>\S+))?"
    r' msg=(?P<msg>"(?:[^"\\]|\\.)*"|\S*) ?'
)
_GIN = re.compile(r"\[GIN(?:-debug)?\] ")
_WORDS = {"WARN": "WARNING", "FATAL": "CRITICAL", "I": "INFO", "W": "WARNING", "E": "ERROR", "F": "CRITICAL"}

_UPPER, _DIGITS = string.ascii_uppercase, string.digits
_PATH = string.ascii_letters + _DIGITS + "_./"
_NESTED = {
    _KUBECTL: "[",
    _ISO: "[" + _DIGITS,
    _GO: _DIGITS,
    _SYSLOG: _UPPER,
    _PROCESS: " (",
    _RANK: "[",
    _GLOG: "[IWEF",
    _STDLIB: "-",
    _LOGURU: "|",
    _GO_PLACE: _PATH,
    _LOGGER: None,
    _PLAIN: "[" + _UPPER,
}
"""Tried in this order at every depth, each with what it can begin with (None: with anything)."""


@cache
def _beginning(char: str) -> tuple[re.Pattern[str], ...]:
    """The patterns that can match a text with this first character; all where it is not ASCII, as words and digits."""
    return tuple(p for p, first in _NESTED.items() if first is None or char in first or not char.isascii())


@dataclass(slots=True)
class Prefixes:
    """What was found before the message; the first of a kind wins, so the outermost time and the innermost message."""

    message: str
    service: str | None = None
    process: str | None = None
    pid: int | None = None
    level: str | None = None
    stamp: str | None = None
    place: str | None = None

    def take(self, found: dict[str, str | None]) -> None:
        """Keep what a prefix says, where nothing was known yet."""
        level = found.get("level")
        self.level = self.level or (_WORDS.get(level, level) if level else None)
        self.stamp = self.stamp or found.get("stamp")
        self.place = self.place or found.get("place") or found.get("dashed")
        self.service = self.service or found.get("service")
        process = found.get("process")
        if process and found.get("rank"):
            process = f"{process}_{found['rank']}"
        self.process = self.process or process
        pid = (found.get("pid") or "").strip("[]")
        if pid and self.pid is None and "rank" in found:
            self.pid = int(pid)


def service_of(text: str) -> str | None:
    """The name before the bar of `docker compose logs`, if the line looks so."""
    found = _COMPOSE.match(text)
    name = found["service"] if found else None
    return None if name is None or name.isdigit() else name


def split(text: str, services: frozenset[str] = frozenset()) -> Prefixes:
    """Take the prefixes of one line apart. `services`: the names that stand before a bar in this log."""
    parts = Prefixes(text)
    if services:
        found = _COMPOSE.match(text)
        if found and found["service"] in services:
            parts.take(found.groupdict())
            parts.message = text[found.end() :]
    for _ in range(8):
        rest = _next(parts)
        if rest is None:
            break
        parts.message = rest
    return _slog(parts)


def _next(parts: Prefixes) -> str | None:
    """The message without its next prefix, or None where there is none."""
    text = parts.message
    if not text or text[0] == "\t" or text.startswith("  "):
        return None
    for pattern in _beginning(text[0]):
        found = pattern.match(text)
        if found is None or found.end() == 0 or _gin(text):
            continue
        if pattern is _PLAIN and parts.level:
            continue
        parts.take(found.groupdict())
        rest = text[found.end() :]
        return _after_stamp(parts, rest, dated=pattern in (_ISO, _SYSLOG))
    return None


def _gin(text: str) -> bool:
    return _GIN.match(text) is not None


def _after_stamp(parts: Prefixes, rest: str, *, dated: bool) -> str:
    """Only right after a date: the host and unit of journald, the stream of a Kubernetes node's log."""
    if not dated:
        return rest
    for pattern in (_CRI, _UNIT):
        found = pattern.match(rest)
        if found and (pattern is _CRI or found["pid"] or found["service"] in ("kernel", "systemd")):
            parts.take({"service": found.groupdict().get("service")})
            return rest[found.end() :]
    return rest


def _slog(parts: Prefixes) -> Prefixes:
    """Ollama's structured lines: the message first, then its fields."""
    found = _SLOG.match(parts.message)
    if found is None:
        return parts
    parts.take({name: found[name] for name in ("stamp", "level", "place")})
    said = found["msg"]
    said = said[1:-1].replace('\\"', '"') if said.startswith('"') else said
    rest = parts.message[found.end() :]
    parts.message = f"{said} {rest}".rstrip()
    return parts
