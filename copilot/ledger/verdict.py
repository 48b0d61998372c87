"""The ledger in a sentence or two, with its numbers."""

from copilot.ledger.bars import label
from copilot.ledger.refused import join, refused
from copilot.ledger.situation import Situation
from copilot.model.text import Text


def verdict_of(situation: Situation) -> Text:
    """What the ledger says."""
    if situation.refused:
        return refused(situation)
    if situation.gib("oom_tried") is not None:
        return _out_of_memory(situation)
    if situation.layers is not None:
        return _offloaded(situation.layers)
    if situation.fits is False:
        return _too_small(situation)
    return _healthy(situation) if situation.fits else _undecided(situation)


def _too_small(situation: Situation) -> Text:
    available, needed = situation.gib("kv_available"), situation.gib("kv_needed")
    if available is not None and available <= 0:
        return _nothing_left(situation)
    if available is not None and needed is not None and needed > available:
        return _cache_too_small(situation, available, needed)
    return _too_few_tokens(situation)


def _out_of_memory(situation: Situation) -> Text:
    tried, free = situation.gib("oom_tried") or 0.0, situation.gib("oom_free")
    used, others = situation.gib("oom_in_use"), situation.gib("others")
    said = Text(en="The GPU ran out of memory: {tried} GiB more was asked for", zh="显存用尽：还要 {tried} GiB")
    said = said.fill(tried=f"{tried:.2f}")
    more = [] if free is None else [_FREE.fill(free=f"{free:.2f}", total=_shown(situation.gib("total")))]
    more += [] if used is None else [_USED.fill(used=f"{used:.2f}")]
    more += [_OTHERS.fill(others=f"{others:.2f}")] if others is not None and situation.measured("others") else []
    more += [_ENOUGH] if free is not None and free > tried + _FRAGMENT else []
    return Text(en=said.en + "".join(part.en for part in more) + ".", zh=said.zh + "".join(p.zh for p in more) + "。")


_FREE = Text(en=" with {free} of {total} GiB free", zh="，而 {total} GiB 中只剩 {free} GiB")
_USED = Text(en="; this process held {used} GiB", zh="；本进程已占 {used} GiB")
_OTHERS = Text(en="; another process held {others} GiB", zh="；另一进程占 {others} GiB")
_ENOUGH = Text(
    en="; more than that was free, so it is not the size: a limit of the process, fragmentation or WSL2",
    zh="；空闲多于所需，所以不是容量问题：可能是进程限制、碎片或 WSL2",
)
_FRAGMENT = 0.5
"""GiB by which the free memory must exceed what was tried before size is ruled out."""


_NOTHING = Text(
    en="Nothing is left for the KV cache ({available} GiB): of the {asked} GiB asked for, weights take {weights} GiB "
    "and the rest goes to activations, libraries or other programs.",
    zh="没有给 KV 缓存留下空间（{available} GiB）：在要求的 {asked} GiB 中，权重占 {weights} GiB，"
    "其余被激活、运行库或其他程序占去。",
)
_GREW = Text(
    en="The weights alone would fit and {unknown} GiB more is gone than they take: most likely another process grew on "
    "the card while this one was measured.",
    zh="单是权重本可放下，除此之外还少了 {unknown} GiB：很可能测量期间有别的进程在这张卡上增长。",
)
_EXPLAINED = 6.0
"""GiB that activations and libraries may plausibly take where no forecast says."""


def _nothing_left(situation: Situation) -> Text:
    weights, asked = situation.gib("weights"), situation.gib("asked")
    available = situation.gib("kv_available") or 0.0
    said = _NOTHING.fill(available=f"{available:.2f}", asked=_shown(asked), weights=_shown(weights))
    if weights is None or asked is None or weights >= asked:
        return said
    rows = [situation.fit.row(name) for name in ("activation", "non_torch")] if situation.fit else []
    known = 2 * sum(row.high or row.gib for row in rows if row is not None) or _EXPLAINED
    unknown = asked - weights - available
    return join(said, _GREW.fill(unknown=f"{unknown:.2f}")) if unknown > known else said


def _cache_too_small(situation: Situation, available: float, needed: float) -> Text:
    said = Text(
        en="One sequence of {length} tokens needs {needed} GiB of KV cache, "
        "{available} GiB is left: {short} GiB too little.",
        zh="一条 {length} 个 token 的序列需要 {needed} GiB 的 KV 缓存，只剩 {available} GiB：差 {short} GiB。",
    ).fill(
        length=f"{situation.length:,}" if situation.length else "?",
        needed=f"{needed:.2f}",
        available=f"{available:.2f}",
        short=f"{needed - available:.2f}",
    )
    longest = situation.longest or (situation.fit.max_model_len if situation.fit else None)
    if not longest:
        return said
    hint = Text(en="About {longest} tokens fit.", zh="大约放得下 {longest} 个 token。").fill(longest=f"{longest:,}")
    return join(said, hint)


def _offloaded(layers: tuple[int, int]) -> Text:
    return Text(
        en="{placed} of {whole} layers are on the GPU; the CPU computes the rest."
        if layers[0] < layers[1]
        else "All {whole} layers are on the GPU.",
        zh="{whole} 层中有 {placed} 层在显卡上，其余由 CPU 计算。"
        if layers[0] < layers[1]
        else "全部 {whole} 层都在显卡上。",
    ).fill(placed=layers[0], whole=layers[1])


def _too_few_tokens(situation: Situation) -> Text:
    return Text(
        en="The KV cache holds {tokens} tokens, fewer than the {length} of one sequence of --max-model-len.",
        zh="KV 缓存只容纳 {tokens} 个 token，少于 --max-model-len 的一条 {length} 个 token 的序列。",
    ).fill(tokens=f"{situation.tokens or 0:,}", length=f"{situation.length or 0:,}")


def _healthy(situation: Situation) -> Text:
    available = situation.gib("kv_available")
    room = Text(en="{gib} GiB of KV cache hold", zh="{gib} GiB 的 KV 缓存可容纳")
    if available is None:
        room = Text(en="the KV cache holds", zh="KV 缓存可容纳")
    return Text(
        en=f"It fits: {room.en} {{tokens}} tokens.",
        zh=f"放得下：{room.zh} {{tokens}} 个 token。",
    ).fill(gib=_shown(available), tokens=f"{situation.tokens:,}" if situation.tokens is not None else "?")


_UNDECIDED = ("total", "asked", "free", "weights", "kv_available", "kv_needed")


def _undecided(situation: Situation) -> Text:
    known = [(name, situation.gib(name)) for name in _UNDECIDED if situation.measured(name)]
    return Text(
        en="The figures do not decide whether it fits: "
        + ", ".join(f"{label(name, 'en')} {gib:.2f} GiB" for name, gib in known)
        + ".",
        zh="这些数字不足以判断能否放下："
        + "，".join(f"{label(name, 'zh')} {gib:.2f} GiB" for name, gib in known)
        + "。",
    )


def _shown(gib: float | None) -> str:
    return "?" if gib is None else f"{gib:.2f}"
