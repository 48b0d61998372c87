"""What of a message is volatile, and what is its template: two starts of the same program never print the same text."""

import re

_VOLATILE = re.compile(
    r"""(?P<uuid>\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)
      | (?P<stamp>\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?)
      | (?P<bar>\[\d\d:\d\d[^\]]*\]|\|[█▏▎▍▌▋▊▉#\ ]{3,}\||\d+%\ ?(?:\|[^|]*\||Completed)?)
      | (?P<clock>\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b)
      | (?P<address>\b0x[0-9a-fA-F]+\b)
      | (?P<pid>\b(?:pid|PID|process|tid|rank_pid)[=:\ ]\[?\d+\b\]?)
      | (?P<endpoint>\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\blocalhost:\d{5}\b)
      | (?P<ipc>\b(?:ipc|file):///tmp/\S+|/tmp/(?:tmp|vllm|ray|torchinductor)[\w./-]*|/dev/shm/\S+)
      | (?P<hash>\b(?=[0-9a-z]*\d)[0-9a-f]{12,}\b|\b(?=[a-z2-7]*\d)[a-z2-7]{40,}\b)
      | (?P<rate>[\d.,]+\ ?(?:[kMG]i?B/s|it/s|s/it|tokens/s|reqs?/s))
      | (?P<duration>\b\d+(?:\.\d+)?(?:e-?\d+)?\ ?(?:seconds?|secs?|ms|µs|us|ns|s|min)\b)
      | (?P<epoch>\b1[5-9]\d{8}(?:\.\d+)?\b)
    """,
    re.VERBOSE,
)
_DIGIT = re.compile(r"\d|/tmp/|/dev/shm/")
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_PATH = re.compile(r"(?<!\w)/[\w.+@-]+(?:/[\w.+@-]+)+")
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}")
_SPACE = re.compile(r"\s+")


def settled(message: str) -> str:
    """The message without times, addresses, process ids, ports, hashes, rates, durations and progress."""
    if _DIGIT.search(message):
        message = _VOLATILE.sub(lambda found: f"<{found.lastgroup}>", message)
    return _SPACE.sub(" ", message).strip()


def template(message: str) -> str:
    """The fixed words of the message: numbers, quoted texts, paths and lists are gone as well."""
    text = _QUOTED.sub("'…'", settled(message))
    text = _BRACKETS.sub("[…]", text)
    return _NUMBER.sub("#", _PATH.sub("/…", text))
