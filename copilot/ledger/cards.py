"""Graphics cards by name, or by size."""

import re
import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from copilot.errors import UsageError
from copilot.ledger.plan import Card

_SIZE = re.compile(r"(?i)(?:(\d+)\s*[x×*]\s*)?(\d+(?:\.\d+)?)\s*(?:gib|gb|g)")
_COUNT = re.compile(r"(?i)^(\d+)\s*[x×*]\s*")
_BRAND = re.compile(r"(?i)nvidia|geforce|quadro|tesla|graphics|generation|edition|pcie|sxm\d?|hbm\d?e?|[-_ ]+")
_SIZED = re.compile(r"(?i)(\d+)\s*g(?:i?b)?$")


@cache
def _table() -> dict[str, Card]:
    text = files("copilot.ledger").joinpath("data/cards.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["cards"]
    return {
        _plain(name): Card(total=float(total), name=name, compute_capability=str(capability))
        for name, (total, capability) in rows.items()
    }


def names() -> tuple[str, ...]:
    """All names of the table."""
    return tuple(card.name for card in _table().values())


def card_named(text: str) -> Card:
    """`RTX 2070`, `NVIDIA GeForce RTX 3090`, `2x RTX 3090`, or a size: `8GiB`, `24 GB`.

    UsageError with the nearest names for one that is not in the table.
    """
    wanted = text.strip()
    size = _SIZE.fullmatch(wanted)
    if size is not None:
        return Card(total=float(size[2]), count=int(size[1] or 1))
    count = _COUNT.match(wanted)
    name = _plain(wanted[count.end() :] if count else wanted)
    found = _table().get(name) or _table().get(_SIZED.sub("", name))
    if found is None:
        near = get_close_matches(name, list(_table()), n=3, cutoff=0.6)
        known = ", ".join(_table()[key].name for key in near) or "RTX 3090, RTX 4060, L4"
        raise UsageError(
            f"There is no card {wanted!r} in the table (near: {known}).",
            "Give its size instead: --gpu 8GiB, or --gpu-total and --gpu-free.",
        )
    return Card(
        total=found.total,
        name=found.name,
        compute_capability=found.compute_capability,
        count=int(count[1]) if count else 1,
    )


def _plain(name: str) -> str:
    return _BRAND.sub("", name).lower()
