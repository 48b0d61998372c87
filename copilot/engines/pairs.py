"""Key and value pairs in the printed forms of three languages, where the values may be anything printable.

Python's `{'a': 1}` and `a=1, b=Config(x=2)`, and Go's `map[A:1 B:[x y]]`. A parser of the language would refuse these:
they hold `<function ...>`, names of classes, or the placeholder of a secret.
"""

import ast
import json
import re
from collections.abc import Iterator

_OPEN, _CLOSE = "([{<", ")]}>"
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_GO = re.compile(r"(?P<key>[A-Za-z_]\w*):(?P<value>\[[^\]]*\]|\S*)(?:\s+|$)")


def python_pairs(text: str, joint: str) -> Iterator[tuple[str, str]]:
    """`(key, printed value)` of the top level; `joint` stands between them: `:` in a dict, `=` in a call.

    Ends at the closing bracket of the whole, or at the end of the text.
    """
    for part in _top_level(text):
        key, found, value = part.partition(joint)
        if found and key.strip():
            yield key.strip().strip("'\""), value.strip()


def go_pairs(text: str) -> Iterator[tuple[str, str]]:
    """`(key, value)` of Go's printed map; `text` begins after `map[`."""
    for found in _GO.finditer(text):
        value = found["value"]
        closed = value.endswith("]") and not value.startswith("[")
        yield found["key"], value.rstrip("]") if closed else value
        if closed:
            return


def plain(printed: str) -> str | None:
    """The value as one would write it on a command line; None for Python's None.

    Strings lose their quotes, lists of one their brackets, dictionaries become JSON, `torch.float16` its name.
    """
    if printed == "None":
        return None
    if printed in ("True", "False"):
        return printed.lower()
    try:
        value = ast.literal_eval(printed)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return printed.removeprefix("torch.").strip("'\"")
    return _written(value)


def _written(value: object) -> str | None:
    if isinstance(value, list | tuple) and len(value) == 1:
        return _written(value[0])
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)


def _top_level(text: str) -> Iterator[str]:
    """The parts between commas that no bracket and no quote encloses."""
    depth = start = at = 0
    while at < len(text):
        char = text[at]
        quoted = _QUOTED.match(text, at) if char in "'\"" else None
        if quoted:
            at = quoted.end()
            continue
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth < 0:
                break
        elif char == "," and depth == 0:
            yield text[start:at]
            start = at + 1
        at += 1
    yield text[start:at]
