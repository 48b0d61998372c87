"""One variable of a `.env` or env_file: changed, added or removed, the rest of the file untouched."""

import re

from copilot.compose.surgery import eol

_LINE = re.compile(
    r"(?P<head>\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.-]*)\s*[=:][ \t]*)(?P<rest>[^\r\n]*)(?P<end>\r?\n?)\Z"
)
_VALUE = re.compile(r"""(?P<value>"[^"]*"|'[^']*'|(?:(?!\s+\#)[^\r\n])*)(?P<comment>.*)\Z""", re.DOTALL)


def changed(text: str, name: str, to: str | None) -> str:
    """The file after the change; the last of several lines with this name counts."""
    lines = text.splitlines(keepends=True)
    for index in range(len(lines) - 1, -1, -1):
        match = _LINE.match(lines[index])
        if match is None or match["name"] != name:
            continue
        if to is None:
            del lines[index]
        else:
            value = _VALUE.match(match["rest"])
            quote, comment = ("", "") if value is None else (value["value"][:1], value["comment"])
            lines[index] = match["head"] + _quoted(to, quote) + comment + match["end"]
        return "".join(lines)
    if to is None:
        return text
    gap = "" if not text or text.endswith("\n") else eol(text)
    return f"{text}{gap}{name}={_quoted(to, '')}{eol(text)}"


def _quoted(value: str, quote: str) -> str:
    if quote in {"'", '"'} and quote not in value:
        return f"{quote}{value}{quote}"
    return f'"{value}"' if any(c in value for c in " #$") and '"' not in value else value
