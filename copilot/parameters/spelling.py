"""Option strings as vLLM's parser reads them.

Facts (vllm/utils/argparse_utils.py and Python's argparse): `_` equals `-` before the first dot of a long option; a
unique prefix of a long option is enough; `--x=y`; `--x.key value` and `--x.key+ value` set keys of a JSON flag; one
short letter may carry its value (`-qawq`); `-O3` is a level.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from copilot.parameters.catalogue import Catalogue, catalogue

_LEVEL = re.compile(r"^-O=?(?P<level>[^.\s=].*)?$")
_BUILT_IN = {"--help": "--help", "-h": "--help"}
_SHORT = 2
"""Length of a one-letter option."""


@dataclass(frozen=True)
class Spelling:
    """One option string taken apart."""

    flag: str
    """The long form with hyphens, or what stands there when nothing matches."""
    key: str = ""
    """Dotted keys of a JSON flag."""
    value: str | None = None
    """The value glued to the option (`--x=y`, `-O3`); `false` for a negation."""
    known: bool = True
    whole: bool = True
    """False: a prefix was completed."""
    candidates: tuple[str, ...] = ()
    """More than one option begins like that."""
    glued: str | None = None
    """The value behind `=`, as written."""
    name: str = ""
    """The option string itself, hyphens for underscores, without keys and value."""

    @property
    def parameter(self) -> str:
        """The contract's name: the flag, with its key where there is one."""
        return f"{self.flag}.{self.key}" if self.key else self.flag


@lru_cache(maxsize=32)
def options(release: str) -> dict[str, tuple[str, bool]]:
    """Every option string of a vLLM release -> (long form, whether it switches off)."""
    found: dict[str, tuple[str, bool]] = dict.fromkeys(_BUILT_IN, ("--help", False))
    flags = catalogue("vllm").flags
    for flag in flags:
        span = flags.at(flag, release)
        if span is None:
            continue
        for name in (flag, *span.texts("aliases")):
            found[name] = (flag, False)
        for name in span.texts("negations"):
            found.setdefault(name, (flag, True))
    return found


def read(text: str, release: str) -> Spelling:
    """What an option string means to the parser of a release."""
    level = _LEVEL.match(text)
    if level:
        return _level(level.group("level"), release)
    head, equals, glued = text.partition("=")
    name, _, key = head.partition(".")
    if name.startswith("--"):
        name = "--" + name[2:].replace("_", "-")
    found = _complete(name, release)
    value = glued if equals else found.value
    given = glued if equals else None
    return replace(found, key=key.removesuffix("+"), value=value, glued=given, name=name)


def _complete(name: str, release: str) -> Spelling:
    table = options(release)
    if name in table:
        return _taken(table[name], whole=True)
    if not name.startswith("--"):
        glued = name[:_SHORT]
        return Spelling(table[glued][0], value=name[_SHORT:]) if glued in table else Spelling(name, known=False)
    begun = [option for option in table if option.startswith(name)] if len(name) > _SHORT else []
    if len({table[option] for option in begun}) == 1:
        return _taken(table[begun[0]], whole=False)
    return Spelling(name, known=False, candidates=tuple(sorted(begun)))


def _taken(entry: tuple[str, bool], *, whole: bool) -> Spelling:
    flag, negated = entry
    return Spelling(flag, value="false" if negated else None, whole=whole)


def _level(value: str | None, release: str) -> Spelling:
    """`-O`, `-O3`: the optimisation level, which before 0.12.0 was a key of the compilation settings."""
    if "--optimization-level" in options(release):
        return Spelling("--optimization-level", value=value)
    if "-O" in options(release):
        return Spelling(options(release)["-O"][0], key="level" if value else "", value=value)
    return Spelling("-O", value=value, known=False)


def anywhere(name: str, held: Catalogue) -> str | None:
    """The long form of an option that some release has, in the newest meaning; None where no release has it."""
    if name in held.flags:
        return name
    for flag in held.flags:
        for span in reversed(held.flags.spans(flag)):
            if name in (*span.texts("aliases"), *span.texts("negations")):
                return flag
    return None
