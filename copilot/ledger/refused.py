"""The verdict of a start that was refused because less memory was free than its share asks for."""

from collections.abc import Mapping
from types import MappingProxyType

from copilot.ledger.changes import utilization_that_fits
from copilot.ledger.forecast import predict
from copilot.ledger.situation import Situation
from copilot.ledger.tenants import Holder
from copilot.model.text import Text


def refused(situation: Situation) -> Text:
    """What was asked for and free, who held the difference, and what comes once the share is lowered."""
    return join(_asked(situation), _held(situation), _afterwards(situation))


def join(*parts: Text | None) -> Text:
    """Sentences one after the other; None is left out."""
    there = [part for part in parts if part is not None]
    return Text(en=" ".join(part.en for part in there), zh="".join(part.zh for part in there))


_REFUSED = Text(
    en="Asked for {asked} GiB ({share} × {total}), but only {free} GiB was free at the start: {short} GiB too little.",
    zh="要求 {asked} GiB（{share} × {total}），但启动时只有 {free} GiB 空闲：差 {short} GiB。",
)
_FITS_BELOW = Text(en="{share} ({gib} GiB) fits below it with a margin.", zh="{share}（{gib} GiB）可以放下并留有余量。")


def _asked(situation: Situation) -> Text:
    total, free, asked = (situation.gib(name) or 0.0 for name in ("total", "free", "asked"))
    if asked > total:
        return _more_than_exists(asked, total, free)
    words = {"asked": asked, "share": asked / total, "total": total, "free": free, "short": asked - free}
    said = _REFUSED.fill(**{name: f"{value:.2f}" for name, value in words.items()})
    share = utilization_that_fits(free, total, wsl=bool(situation.card and situation.card.wsl))
    if share is None:
        return said
    return join(said, _FITS_BELOW.fill(share=f"{share:.2f}", gib=f"{share * total:.2f}"))


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
    en="With {share}, the weights of {model} take about {weights} GiB and {low} to {high} GiB is left for the "
    "KV cache; {length} tokens need {needs} GiB: ",
    zh="取 {share} 时，{model} 的权重约占 {weights} GiB，留给 KV 缓存 {low} 到 {high} GiB；"
    "{length} 个 token 需要 {needs} GiB：",
)
_OUTCOMES: Mapping[str, Text] = MappingProxyType(
    {
        "starts": Text(en="that starts.", zh="可以启动。"),
        "hardly": Text(
            en="that is close, it may not be enough. If it is not, a smaller or quantised model is the next step.",
            zh="余量很小，可能不够；若不够，下一步是换更小的或量化的模型。",
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


def _shown(gib: float | None) -> str:
    return "?" if gib is None else f"{gib:.2f}"
