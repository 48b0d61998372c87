"""The ledger in a sentence or two, with its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from copilot.ledger.changes import utilization_that_fits
from copilot.ledger.forecast import Fit, predict
from copilot.ledger.plan import Card, Plan
from copilot.ledger.tenants import Holder
from copilot.model.architecture import Architecture
from copilot.model.ledger import Row
from copilot.model.text import Text


@dataclass(frozen=True)
class Situation:
    """All that the verdict is made of."""

    rows: Mapping[str, Row]
    plan: Plan
    architecture: Architecture | None
    tokens: int | None
    length: int | None
    longest: int | None
    fit: Fit | None
    card: Card | None
    holder: Holder

    def gib(self, name: str) -> float | None:
        """The value of a row, or None."""
        row = self.rows.get(name)
        return row.gib if row else None

    def measured(self, name: str) -> bool:
        """Whether the log states this row."""
        row = self.rows.get(name)
        return row is not None and row.origin == "log"

    @property
    def refused(self) -> bool:
        """The start check found less free memory than the share asks for."""
        asked, free = self.gib("asked"), self.gib("free")
        return asked is not None and free is not None and asked > free and self.plan.release.checks_free_memory

    @property
    def fits(self) -> bool | None:
        """Whether it fitted; None where the figures do not decide."""
        available, needed = self.gib("kv_available"), self.gib("kv_needed")
        if self.gib("oom_tried") is not None or self.refused:
            return False
        if self.measured("kv_available") and available is not None:
            if available <= 0 or (self.measured("kv_needed") and needed is not None and needed > available):
                return False
            if self.tokens is not None:
                return True
        if self.measured("kv_needed") and needed is not None and available is not None:
            return needed <= available
        return True if self.tokens is not None else None


def verdict_of(situation: Situation) -> Text:
    """What the ledger says."""
    available, needed = situation.gib("kv_available"), situation.gib("kv_needed")
    if situation.refused:
        return _join(_refused(situation), _holder(situation.holder), _afterwards(situation))
    if situation.gib("oom_tried") is not None:
        return _out_of_memory(situation)
    if available is not None and available <= 0 and situation.measured("kv_available"):
        return _nothing_left(situation)
    if situation.fits is False and available is not None and needed is not None:
        return _cache_too_small(situation, available, needed)
    return _healthy(situation) if situation.fits else _undecided(situation)


def _join(*parts: Text | None) -> Text:
    there = [part for part in parts if part is not None]
    return Text(en=" ".join(part.en for part in there), zh="".join(part.zh for part in there))


def _refused(situation: Situation) -> Text:
    total, free, asked = (situation.gib(name) or 0.0 for name in ("total", "free", "asked"))
    share = utilization_that_fits(free, total, wsl=bool(situation.card and situation.card.wsl))
    said = Text(
        en="Asked for {asked} GiB ({share} × {total}), "
        "but only {free} GiB was free at the start: {short} GiB too little.",
        zh="要求 {asked} GiB（{share} × {total}），但启动时只有 {free} GiB 空闲：差 {short} GiB。",
    ).fill(
        asked=f"{asked:.2f}",
        share=f"{asked / total:.2f}" if total else "?",
        total=f"{total:.2f}",
        free=f"{free:.2f}",
        short=f"{asked - free:.2f}",
    )
    if share is None:
        return said
    hint = Text(
        en="{share} ({gib} GiB) fits below it with a margin.",
        zh="{share}（{gib} GiB）可以放下并留有余量。",
    ).fill(share=f"{share:.2f}", gib=f"{share * total:.2f}")
    return _join(said, hint)


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


def _holder(holder: Holder) -> Text | None:
    return _HOLDERS.get(holder)


def _afterwards(situation: Situation) -> Text | None:
    """What comes after the share is lowered: whether the model then leaves room for its cache."""
    card, architecture = situation.card, situation.architecture
    if card is None or architecture is None or card.free is None:
        return None
    share = utilization_that_fits(card.free, card.total, wsl=card.wsl)
    if share is None:
        return None
    then = predict(architecture, card, situation.plan.with_(utilization=share))
    row = then.row("kv_available")
    words = {
        "share": f"{share:.2f}",
        "weights": f"{then.gib('weights'):.2f}",
        "model": architecture.model.split("/")[-1],
        "low": f"{row.low if row and row.low is not None else then.gib('kv_available'):.2f}",
        "high": f"{row.high if row and row.high is not None else then.gib('kv_available'):.2f}",
        "length": f"{then.length:,}",
        "needs": f"{then.gib('kv_needed'):.2f}",
    }
    en = "With {share}, the weights of {model} take about {weights} GiB "
    en += "and {low} to {high} GiB is left for the KV cache; "
    zh = "取 {share} 时，{model} 的权重约占 {weights} GiB，留给 KV 缓存 {low} 到 {high} GiB；"
    if then.starts and then.sure:
        en, zh = (
            en + "{length} tokens need {needs}: that starts.",
            zh + "{length} 个 token 需要 {needs} GiB：可以启动。",
        )
    else:
        en += "{length} tokens need {needs}: hardly enough, a smaller or quantised model is the next step."
        zh += "{length} 个 token 需要 {needs} GiB：很可能不够，下一步是换更小的或量化的模型。"
    return Text(en=en, zh=zh).fill(**words)


def _out_of_memory(situation: Situation) -> Text:
    words = {
        "tried": f"{situation.gib('oom_tried') or 0:.2f}",
        "free": _shown(situation.gib("oom_free")),
        "used": _shown(situation.gib("oom_in_use")),
        "total": _shown(situation.gib("total")),
    }
    others = situation.gib("others")
    known = Text(
        en="The GPU ran out of memory: {tried} GiB more was asked for with {free} of {total} GiB free; "
        "this process held {used} GiB.",
        zh="显存用尽：还要 {tried} GiB，而 {total} GiB 中只剩 {free} GiB；本进程已占 {used} GiB。",
    ).fill(**words)
    if others is None or not situation.measured("others"):
        return known
    more = Text(en="Other programs held {others} GiB.", zh="其他程序占用 {others} GiB。").fill(others=f"{others:.2f}")
    return _join(known, more)


def _nothing_left(situation: Situation) -> Text:
    weights, asked = situation.gib("weights"), situation.gib("asked")
    available = situation.gib("kv_available") or 0.0
    said = Text(
        en="Nothing is left for the KV cache ({available} GiB): of the {asked} GiB asked for, "
        "weights take {weights} GiB and the rest goes to activations, libraries or other programs.",
        zh="没有给 KV 缓存留下空间（{available} GiB）：在要求的 {asked} GiB 中，权重占 {weights} GiB，"
        "其余被激活、运行库或其他程序占去。",
    ).fill(available=f"{available:.2f}", asked=_shown(asked), weights=_shown(weights))
    if weights is not None and asked is not None and weights < asked and available < weights - asked:
        more = Text(
            en="The weights alone would fit: another process grew on the card while this one was measured.",
            zh="单是权重本可放下：测量期间有别的进程在这张卡上增长。",
        )
        return _join(said, more)
    return said


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


def _healthy(situation: Situation) -> Text:
    return Text(
        en="It fits: {available} GiB of KV cache hold {tokens} tokens.",
        zh="放得下：{available} GiB 的 KV 缓存可容纳 {tokens} 个 token。",
    ).fill(
        available=_shown(situation.gib("kv_available")),
        tokens=f"{situation.tokens:,}" if situation.tokens is not None else "?",
    )


def _undecided(situation: Situation) -> Text:
    return Text(
        en="The figures do not decide whether it fits: asked {asked} GiB, free {free} GiB, weights {weights} GiB.",
        zh="这些数字不足以判断能否放下：要求 {asked} GiB，空闲 {free} GiB，权重 {weights} GiB。",
    ).fill(**{name: _shown(situation.gib(name)) for name in ("asked", "free", "weights")})


def _shown(gib: float | None) -> str:
    return "?" if gib is None else f"{gib:.2f}"
