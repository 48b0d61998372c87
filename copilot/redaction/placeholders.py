"""Stable placeholders: the same secret, the same number, over all rounds of a session; never reversible."""

import hashlib
import re
import secrets
from collections.abc import Mapping
from functools import lru_cache

PLACEHOLDER = re.compile(r"‹([a-z][a-z-]{1,40})-([1-9]\d{0,5})›")


@lru_cache(maxsize=4096)
def _mark(salt: bytes, kind: str, value: str) -> str:
    """A fingerprint that is slow to guess (10 ms a try), so that short passwords stay safe in a stored session."""
    digest = hashlib.scrypt(f"{kind}\0{value}".encode("utf-8", "surrogatepass"), salt=salt, n=4096, r=8, p=1, dklen=12)
    return digest.hex()


class Placeholders:
    """Hands out numbers. Within a process by the value itself; over processes by its salted fingerprint."""

    def __init__(self, state: Mapping[str, object] | None = None) -> None:
        stored = state or {}
        salt = stored.get("salt")
        self._salt = bytes.fromhex(salt) if isinstance(salt, str) else secrets.token_bytes(16)
        marks = stored.get("numbers")
        self._stored: dict[str, int] = dict(marks) if isinstance(marks, dict) else {}
        last = stored.get("last")
        self._last: dict[str, int] = dict(last) if isinstance(last, dict) else {}
        self._numbers: dict[tuple[str, str], int] = {}

    def reserve(self, text: str) -> None:
        """Numbers that the text already shows are not given to other secrets."""
        if "‹" not in text:
            return
        for kind, number in PLACEHOLDER.findall(text):
            self._last[kind] = max(self._last.get(kind, 0), int(number))

    def of(self, kind: str, value: str) -> str:
        """The placeholder of a secret."""
        key = (kind, value)
        number = self._numbers.get(key)
        if number is None and self._stored:
            number = self._stored.get(_mark(self._salt, kind, value))
        if number is None:
            number = self._last.get(kind, 0) + 1
            self._last[kind] = number
        self._numbers[key] = number
        return f"‹{kind}-{number}›"

    def state(self) -> dict[str, object]:
        """What a session stores: salt, fingerprints and counters; no secret can be read from it."""
        marks = dict(self._stored)
        for (kind, value), number in self._numbers.items():
            marks[_mark(self._salt, kind, value)] = number
        return {"salt": self._salt.hex(), "numbers": marks, "last": dict(self._last)}
