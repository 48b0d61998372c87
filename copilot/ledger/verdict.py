"""The ledger in a sentence or two, with its numbers."""

from collections.abc import Mapping
from types import MappingProxyType

from copilot.ledger.bars import label
from copilot.ledger.changes import utilization_that_fits
from copilot.ledger.forecast import predict
from copilot.ledger.situation import Situation
from copilot.ledger.tenants import Holder
from copilot.model.text import Text


def verdict_of(situation: Situation) -> Text:
    """What the ledger says."""
    if situation.refused:
        return _join(_refused(situation), _held(situation), _afterwards(situation))
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


def _join(*parts: Text | None) -> Text:
    there = [part for part in parts if part is not None]
    return Text(en=" ".join(part.en for part in there), zh="".join(part.zh for part in there))


_REFUSED = Text(
    en="Asked for {asked} GiB ({share} × {total}), but only {free} GiB was free at the start: {short} GiB too little.",
    zh="要求 {asked} GiB（{share} × {total}），但启动时只有 {free} GiB 空闲：差 {short} GiB。",
)
_FITS_BELOW = Text(en="{share} ({gib} GiB) fits below it with a margin.", zh="{share}（{gib} GiB）可以放下并留有余量。")


def _refused(situation: Situation) -> Text:
    total, free, asked = (situation.gib(name) or 0.0 for name in ("total", "free", "asked"))
    if asked > total:
        return _more_than_exists(asked, total, free)
    words = {"asked": asked, "share": asked / total, "total": total, "free": free, "short": asked - free}
    said = _REFUSED.fill(**{name: f"{value:.2f}" for name, value in words.items()})
    share = utilization_that_fits(free, total, wsl=bool(situation.card and situation.card.wsl))
    if share is None:
        return said
    return _join(said, _FITS_BELOW.fill(share=f"{share:.2f}", gib=f"{share * total:.2f}"))


def _more_than_exists(asked: float, total: float, free: float) -> Text:
    return Text(
        en="Asked for {asked} GiB, but there are only {total} GiB, of which {free} GiB was free.",
        zh="要求 {asked} GiB，但总共只有 {total} GiB，其中空闲 {free} GiB。",
    ).fill(asked=f"{asked:.2f}", total=f"{total:.2f}", free=f"{free:.2f}")


_HOLDERS: Mapping[Holder, Text] = MappingProxyType(
    {
        "tenant": Text(
            en="Another program still holds the difference on this card.", zh="这张卡上的其他程序仍占着这部分显存。"
        ),
        "race": Text(
            en="The memory is free now: at the start it had not been given back yet, "
            "or another program has ended since.",
            zh="现在显存已经空出：启动时尚未归还，或者占用它的程序后来结束了。",
        ),
    }
)


_DESKTOP = Text(
    en="Under WSL2 Windows and its desktop hold part of the card, and that part moves.",
    zh="在 WSL2 下，Windows 及其桌面占着一部分显存，而且会变化。",
)


def _held(situation: Situation) -> Text | None:
    if situation.card and situation.card.wsl and situation.holder != "race":
        return _DESKTOP
    return _HOLDERS.get(situation.holder)


_THEN = Text(
    en="With {share}, the weights of {model} take about {weights} GiB and {low} to {high} GiB is left for the KV cache; "
    "{length} tokens need {needs}: ",
    zh="取 {share} 时，{model} 的权重约占 {weights} GiB，留给 KV 缓存 {low} 到 {high} GiB；{length} 个 token 需要 {needs} GiB：",
)
_OUTCOMES: Mapping[str, Text] = MappingProxyType(
    {
        "starts": Text(en="that starts.", zh="可以启动。"),
        "hardly": Text(
            en="hardly enough, a smaller or quantised model is the next step.",
            zh="很可能不够，下一步是换更小的或量化的模型。",
        ),
        "cache": Text(en="a shorter context is the next step.", zh="下一步是缩短上下文。"),
        "weights": Text(en="a smaller or quantised model is the next step.", zh="下一步是换更小的或量化的模型。"),
        "graphs": Text(
            en="CUDA graphs ({graphs} GiB) come on top and do not fit, --enforce-eager is the next step.",
            zh="CUDA 图（{graphs} GiB）在此之外，放不下，下一步是 --enforce-eager。",
        ),
    }
)


def _afterwards(situation: Situation) -> Text | None:
    """What comes after the share is lowered: whether the model then leaves room for its cache."""
    card, architecture = situation.card, situation.architecture
    share = utilization_that_fits(card.free or 0.0, card.total, wsl=card.wsl) if card else None
    if card is None or architecture is None or share is None:
        return None
    then = predict(architecture, card, situation.plan.with_(utilization=share))
    row = then.row("kv_available")
    low, high = (row.low, row.high) if row else (None, None)
    narrow = low is not None and high is not None and low <= then.gib("kv_needed") <= high
    outcome = "hardly" if narrow else then.reason or "starts"
    return _join_tight(_THEN, _OUTCOMES[outcome]).fill(
        share=f"{share:.2f}",
        weights=f"{then.gib('weights'):.2f}",
        model=architecture.model.split("/")[-1],
        low=_shown(low),
        high=_shown(high),
        length=f"{then.length:,}",
        needs=f"{then.gib('kv_needed'):.2f}",
        graphs=f"{then.gib('graphs'):.2f}",
    )


def _join_tight(first: Text, second: Text) -> Text:
    return Text(en=first.en + second.en, zh=first.zh + second.zh)


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
    return _join(said, _GREW.fill(unknown=f"{unknown:.2f}")) if unknown > known else said


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
    return _join(said, hint)


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
