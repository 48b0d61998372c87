"""What the answers of an endpoint look like when they are not what the protocol promises, and when they are."""

from collections.abc import Sequence
from typing import Any

from copilot.chain.links import Broken, Found
from copilot.model.text import Text


def endless(base: str) -> Broken:
    """An answer without an end."""
    return Broken(
        "client",
        ("client:timeout", "client:base_url"),
        Text(en="the answer does not end", zh="回答没有结束"),
        Text(
            en=f"{base} keeps sending and was left after the time or size limit.",
            zh=f"{base} 不停发送，超过时间或大小限制后已断开。",
        ),
        do=Text(
            en="Look at the server's log: a model may be writing white space for ever.",
            zh="查看服务日志：模型可能在不停输出空白。",
        ),
        sure=False,
    )


def garbled(base: str, complete: bool) -> Broken:
    """200 with an answer that is none."""
    if not complete:
        return endless(base)
    return Broken(
        "client",
        ("client:base_url", "client:parser"),
        Text(en="the answer is not what the protocol promises", zh="回答不符合协议"),
        Text(
            en=f"{base} answers 200 with a document that has no choices: broken JSON, or an error in disguise.",
            zh=f"{base} 返回 200，但文档没有 choices：JSON 损坏，或是伪装的错误。",
        ),
        do=Text(en="Ask the server directly, without the gateway in between.", zh="绕过网关直接请求服务。"),
        sure=False,
    )


def no_stream(found: Found, kind: str) -> Text:
    """The endpoint answers in one piece: clients that only read events see nothing."""
    warned = Broken(
        "client",
        ("client:parser",),
        Text(en="it does not stream", zh="它不支持流式输出"),
        Text(
            en=f"A stream was asked for and `{kind}` came: copilot reads that, clients that only read events do not.",
            zh=f"要求流式输出，返回的却是 `{kind}`：copilot 能读取，但只读事件的客户端不能。",
        ),
        do=Text(en="Switch streaming off in the client.", zh="在客户端关闭流式输出。"),
        warning=True,
    )
    found.warnings.append(("stream", warned))
    return warned.title


def broken_stream(base: str, events: int) -> Broken:
    """A stream whose events are no JSON, or that has none."""
    return Broken(
        "client",
        ("client:parser", "client:base_url"),
        Text(en="the stream is broken", zh="流已损坏"),
        Text(
            en=f"Of {events} events of {base} not all are JSON: something in between cuts or changes the stream.",
            zh=f"{base} 的 {events} 个事件并非都是 JSON：中间有程序截断或改动了流。",
        ),
        do=Text(en="Ask the server directly, without the gateway in between.", zh="绕过网关直接请求服务。"),
        sure=False,
    )


def error_inside(base: str, said: str) -> Broken:
    """200, and the failure in the middle of the stream: clients that only look for choices show nothing."""
    return Broken(
        "environment",
        ("client:parser", "request:options"),
        Text(en="the stream holds an error instead of an answer", zh="流中是错误，而不是回答"),
        Text(
            en=f"{base} answered 200 and then sent an error as an event: {said}",
            zh=f"{base} 先返回 200，然后在流中发送了错误：{said}",
        ),
        do=Text(en="Look at the server's own log for this request.", zh="在服务自身的日志里查找这个请求。"),
        sure=False,
    )


def no_choices(base: str, chunks: int) -> Broken:
    """A stream in which no chunk has a choice: there is no answer in it."""
    return Broken(
        "client",
        ("client:parser", "client:base_url"),
        Text(en="no chunk of the stream has choices", zh="流中没有任何带 choices 的数据块"),
        Text(
            en=f"{base} streamed {chunks} chunks without an answer: a client that reads choices[0] fails here.",
            zh=f"{base} 返回了 {chunks} 个数据块，但没有回答：读取 choices[0] 的客户端会在此出错。",
        ),
        do=Text(en="Ask the server directly, without the gateway in between.", zh="绕过网关直接请求服务。"),
        sure=False,
    )


def stream_seen(base: str, events: Sequence[Any], *, done: bool, responses: bool) -> Text | Broken:
    """What a healthy stream looks like, and what trips clients that do not expect it."""
    if responses:
        last = str(events[-1].get("type"))
        return Text(en=f"{len(events)} events, the last is {last}", zh=f"{len(events)} 个事件，最后一个是 {last}")
    empty = sum(not event.get("choices") for event in events)
    if empty == len(events):
        return no_choices(base, empty)
    usage = bool(events[-1].get("usage")) and not events[-1].get("choices")
    en = f"{len(events)} chunks" + (", [DONE]" if done else ", no [DONE]")
    zh = f"{len(events)} 个数据块" + ("，有 [DONE]" if done else "，没有 [DONE]")
    if usage:
        en += "; the last has the usage and an empty `choices`"
        zh += "；最后一块只有 usage，`choices` 为空"
    if empty:
        en += f" ({empty} without choices: a client that reads choices[0] must skip them)"
        zh += f"（{empty} 块没有 choices：读取 choices[0] 的客户端必须跳过）"
    return Text(en=en, zh=zh)
