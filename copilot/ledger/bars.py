"""The ledger as stacked bars: what the card holds and what the share is spent on, as segments and as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from copilot.model.ledger import Row
from copilot.model.text import Lang

SEGMENTS = ("weights", "non_torch", "activation", "graphs", "kv_available")
COLOURS = {
    "weights": "#3b6ea5",
    "non_torch": "#8a8f98",
    "activation": "#c98a2b",
    "graphs": "#7b5ea7",
    "kv_available": "#4f9d69",
    "kv_needed": "#a3d1b2",
    "rest": "#e3e5e8",
    "over": "#c2413b",
}
LABELS: dict[str, tuple[str, str]] = {
    "total": ("total", "总量"),
    "others": ("held by others", "其他程序占用"),
    "free": ("free", "空闲"),
    "asked": ("asked for", "要求"),
    "weights": ("weights", "权重"),
    "non_torch": ("libraries", "运行库"),
    "activation": ("peak activation", "激活峰值"),
    "graphs": ("CUDA graphs", "CUDA 图"),
    "kv_available": ("KV cache", "KV 缓存"),
    "kv_needed": ("KV cache needed", "所需 KV 缓存"),
    "rest": ("not asked for", "未要求"),
    "over": ("missing", "缺口"),
    "shortfall": ("shortfall", "缺口"),
}
_WIDTH = 640
_BAR = 28


@dataclass(frozen=True)
class Segment:
    """One part of a bar, in GiB."""

    name: str
    gib: float


def segments(rows: Sequence[Row]) -> tuple[Segment, ...]:
    """The parts of the share in the order they are taken; what is missing comes last."""
    held = {row.name: row.gib for row in rows}
    names = SEGMENTS if "kv_available" in held else (*SEGMENTS[:-1], "kv_needed")
    parts = [Segment(name, held[name]) for name in names if held.get(name, 0.0) > 0]
    spent, total = sum(part.gib for part in parts), held.get("total", 0.0)
    if total > spent:
        parts.append(Segment("rest", total - spent))
    if held.get("shortfall", 0.0) > 0:
        parts.append(Segment("over", held["shortfall"]))
    return tuple(parts)


def label(name: str, lang: Lang) -> str:
    """The name of a row or segment for people."""
    english, chinese = LABELS.get(name, (name, name))
    return chinese if lang == "zh" else english


def svg(rows: Sequence[Row], title: str, lang: Lang = "en") -> str:
    """A drawing of 680 px: the bar with its legend, lines where free and asked end."""
    parts = segments(rows)
    held = {row.name: row.gib for row in rows}
    scale = _WIDTH / max(sum(part.gib for part in parts), held.get("total", 0.0), held.get("asked", 0.0), 0.01)
    drawn = [f'<text x="20" y="24" font-size="14" font-weight="bold">{escape(title)}</text>']
    left = 20.0
    for number, part in enumerate(parts):
        width = part.gib * scale
        drawn.append(_box(left, width, COLOURS[part.name]))
        drawn.append(_key(number, part, lang))
        left += width
    drawn += [_mark(held[name] * scale, label(name, lang), held[name]) for name in ("free", "asked") if name in held]
    height = 132 + 20 * ((len(parts) + 1) // 2)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {height}" width="680" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img">\n<title>{escape(title)}</title>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _box(left: float, width: float, colour: str) -> str:
    return f'<rect x="{left:.1f}" y="40" width="{width:.1f}" height="{_BAR}" fill="{colour}" stroke="#fff"/>'


def _key(number: int, part: Segment, lang: Lang) -> str:
    left, top = 20 + 320 * (number % 2), 122 + 20 * (number // 2)
    return (
        f'<rect x="{left}" y="{top - 10}" width="12" height="12" fill="{COLOURS[part.name]}"/>'
        f'<text x="{left + 18}" y="{top}">{escape(label(part.name, lang))} {part.gib:.2f} GiB</text>'
    )


def _mark(at: float, name: str, gib: float) -> str:
    top, left = (84, 20 + at) if name in (LABELS["free"][0], LABELS["free"][1]) else (100, 20 + at)
    return (
        f'<line x1="{left:.1f}" y1="36" x2="{left:.1f}" y2="{top - 10}" stroke="#222" stroke-dasharray="3 2"/>'
        f'<text x="{left:.1f}" y="{top}" text-anchor="end">{escape(name)} {gib:.2f} GiB</text>'
    )
