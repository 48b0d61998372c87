"""Chinese sentences use Chinese marks: a half-width comma between two characters reads like a machine's work."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

SIGNATURES = Path(__file__).parent.parent.parent / "copilot" / "signatures"
HALF = re.compile(r"[一-鿿][,;!?]|[,;!?][一-鿿]|[一-鿿][(]|[(][一-鿿]")


def sentences(value: object) -> Iterator[str]:
    """Every Chinese text below a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from [inner] if key == "zh" and isinstance(inner, str) else sentences(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from sentences(inner)


@pytest.mark.parametrize("engine", sorted(p.name for p in SIGNATURES.iterdir() if any(p.glob("*.toml"))))
def test_chinese_sentences_have_chinese_marks(engine: str) -> None:
    texts = [t for path in (SIGNATURES / engine).glob("*.toml") for t in sentences(tomllib.loads(path.read_text()))]
    assert texts
    assert not [t for t in texts if HALF.search(re.sub(r"`[^`]*`", "", t))]
