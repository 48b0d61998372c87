"""What a broken link of the endpoint means: the parameter, the cause, and the one thing to change."""

from collections.abc import Sequence

from copilot.adapters.probe import NoAnswer
from copilot.chain.links import Broken, Found
from copilot.model.text import Text
from copilot.model.words import Category
from copilot.providers.explain import without_key
from copilot.providers.failures import Kind, Refusal

BASE, KEY, MODEL, WIRE = ("client:base_url",), ("client:api_key",), ("request:model",), ("client:wire_api",)

_REFUSED: dict[Kind, tuple[Category, tuple[str, ...], Text, Text]] = {
    "key": (
        "auth",
        KEY,
        Text(en="the key is refused (401)", zh="密钥被拒绝（401）"),
        Text(
            en="Give the key that this endpoint was started with, or its console shows (`--api-key` of vLLM).",
            zh="使用该接口启动时设置的密钥（vLLM 的 `--api-key`），或其控制台显示的密钥。",
        ),
    ),
    "forbidden": (
        "auth",
        KEY,
        Text(en="the key has no right to this (403)", zh="密钥没有权限（403）"),
        Text(
            en="Ask whoever runs the endpoint for the right, or use another key.",
            zh="请接口管理者开通权限，或换用其他密钥。",
        ),
    ),
    "quota": (
        "auth",
        KEY,
        Text(en="the account has no credit left", zh="账户余额不足"),
        Text(en="Top up the account, or use another key.", zh="充值，或换用其他密钥。"),
    ),
    "path": (
        "client",
        BASE,
        Text(en="there is no such path (404)", zh="没有这个路径（404）"),
        Text(en="Set the base URL of the API; it usually ends in /v1.", zh="设置 API 的 base URL，通常以 /v1 结尾。"),
    ),
    "model": (
        "client",
        MODEL,
        Text(en="there is no such model", zh="没有这个模型"),
        Text(en="Ask for a name that /v1/models lists.", zh="使用 /v1/models 列出的名称。"),
    ),
    "html": (
        "client",
        BASE,
        Text(en="a web page answers instead of the API", zh="返回的是网页而不是 API"),
        Text(en="Set the address of the API, not of the site.", zh="填写 API 的地址，而不是网站的地址。"),
    ),
    "redirect": (
        "client",
        BASE,
        Text(en="the address redirects elsewhere", zh="该地址被重定向"),
        Text(en="Set the address that it redirects to.", zh="改用重定向后的地址。"),
    ),
    "loading": (
        "environment",
        (),
        Text(en="the model is still loading (503)", zh="模型仍在加载（503）"),
        Text(en="Wait until the server says that it is up, then check again.", zh="等服务就绪后再检查。"),
    ),
    "dead": (
        "environment",
        (),
        Text(en="the engine behind the server has died", zh="服务背后的引擎已经退出"),
        Text(
            en="Run `copilot ask` on its container: its own log says why.",
            zh="对该容器运行 `copilot ask`：它的日志会说明原因。",
        ),
    ),
    "overloaded": (
        "environment",
        (),
        Text(en="the endpoint is overloaded or fails inside", zh="接口过载或内部出错"),
        Text(en="Look at the server's own log, then check again.", zh="查看服务自身的日志，然后再检查。"),
    ),
    "too_long": (
        "client",
        ("request:max_tokens",),
        Text(en="even a short question is too long", zh="很短的问题也超过长度限制"),
        Text(en="Raise --max-model-len of the server.", zh="调大服务的 --max-model-len。"),
    ),
}
_OTHER = Text(en="the request is refused", zh="请求被拒绝")


def refused(base: str, refusal: Refusal, link: str, found: Found | None = None) -> Broken:
    """A refusal, as the fault that it is at this link."""
    said = without_key(refusal.detail, found.key if found else None)
    quoted = Text(en=f" It says: {said}", zh=f" 接口的说明：{said}") if said else Text(en="", zh="")
    where = Text(en=f"{base} answered {refusal.status}.", zh=f"{base} 返回 {refusal.status}。")
    cause = Text(en=where.en + quoted.en, zh=where.zh + quoted.zh)
    if refusal.kind == "path" and found and found.provider and found.provider.wire_api == "responses":
        return _no_responses(cause, found)
    if refusal.kind == "key" and found is not None and found.key is None:
        title = Text(en="a key is asked for and none is sent (401)", zh="接口要求密钥，但没有发送（401）")
        return Broken("auth", KEY, title, cause, do=_REFUSED["key"][3])
    if "chat template" in said.lower():
        told = Text(en="Give the server a template with --chat-template.", zh="用 --chat-template 给服务指定模板。")
        title = Text(en="the model has no usable chat template", zh="模型没有可用的 chat template")
        return Broken("model", ("--chat-template", "model:chat-template"), title, cause, do=told)
    if refusal.kind not in _REFUSED:
        told = Text(en="Compare the request with what it says.", zh="按其说明核对请求。")
        return Broken("client", ("request:options",), _OTHER, cause, do=told, sure=False)
    category, parameters, title, told = _REFUSED[refusal.kind]
    to = refusal.field or None if refusal.kind == "redirect" and link == "path" else None
    to = to.removesuffix("/models").rstrip("/") if to and to.startswith("http") else None
    return Broken(category, parameters, title, cause, to=to, before=base if to else None, do=told)


def _no_responses(cause: Text, found: Found) -> Broken:
    """An endpoint that has no `/responses`; Codex has no other wire to change to."""
    title = Text(en="the endpoint has no /responses (404)", zh="接口没有 /responses（404）")
    if found.codex:
        told = Text(
            en="Codex asks nothing else: use a newer server, or a gateway that offers /responses.",
            zh="Codex 只使用 /responses：请升级服务，或使用提供 /responses 的网关。",
        )
        return Broken("client", (*WIRE, *BASE), title, cause, do=told)
    return Broken(
        "client",
        WIRE,
        title,
        cause,
        to="chat",
        before="responses",
        do=Text(en="Use chat completions, or a newer server.", zh="改用 chat completions，或升级服务。"),
    )


def other_base(typed: str, base: str, status: int) -> Broken:
    """The API is at another address than the one configured."""
    return Broken(
        "client",
        BASE,
        Text(en=f"the API is at {base}", zh=f"API 的地址是 {base}"),
        Text(
            en=f"{typed}/models answers {status} and is no API; {base}/models is one.",
            zh=f"{typed}/models 返回 {status}，不是 API；{base}/models 才是。",
        ),
        to=base,
        before=typed,
    )


def page(base: str) -> Broken:
    """HTML."""
    category, parameters, title, told = _REFUSED["html"]
    cause = Text(
        en=f"{base} sends HTML: it is a site, a login page, or a gateway's front.",
        zh=f"{base} 返回 HTML：它是网站、登录页或网关首页。",
    )
    return Broken(category, parameters, title, cause, do=told)


def no_api(base: str) -> Broken:
    """200 with something that is no list of models."""
    return Broken(
        "client",
        BASE,
        Text(en="something else than an OpenAI-compatible API answers", zh="应答的不是 OpenAI 兼容 API"),
        Text(
            en=f"{base}/models answers 200, but with no list of models.", zh=f"{base}/models 返回 200，但没有模型列表。"
        ),
        do=_REFUSED["path"][3],
        sure=False,
    )


def no_answer(found: Found, error: NoAnswer) -> Broken:
    """The connection stood, and no response came."""
    slow = error.kind == "timeout"
    title = Text(en=f"no response: {error.reason}", zh=f"没有响应：{error.reason}")
    cause = Text(
        en=f"{found.base} took the connection but sent no complete response within {found.http.seconds:g} s."
        if slow
        else f"{found.base} broke the connection: {error.reason}.",
        zh=f"{found.base} 接受了连接，但 {found.http.seconds:g} 秒内没有完整响应。"
        if slow
        else f"{found.base} 断开了连接：{error.reason}。",
    )
    parameters = ("client:timeout",) if slow else ("host:proxy",) if error.kind == "proxy" else ("client:base_url",)
    told = Text(en="Look at the server's own log for this request.", zh="在服务自身的日志里查找这个请求。")
    return Broken("network", parameters, title, cause, do=told, sure=False)


def no_model(models: Sequence[str]) -> Broken:
    """No model is configured, and there is not exactly one."""
    shown = ", ".join(models[:8]) or "–"
    return Broken(
        "client",
        MODEL,
        Text(en="no model is chosen", zh="没有选择模型"),
        Text(en=f"The endpoint has {len(models)} models: {shown}.", zh=f"接口有 {len(models)} 个模型：{shown}。"),
        to=models[0] if models else None,
        do=Text(
            en="Say --model ID, or write `model` into the configuration.", zh="用 --model ID，或在配置中写 `model`。"
        ),
        sure=False,
    )


def wrong_model(wanted: str, near: str, shown: str) -> Broken:
    """A name that the endpoint does not list."""
    return Broken(
        "client",
        ("request:model", "--served-model-name"),
        Text(en=f"the endpoint has no model {wanted}", zh=f"接口没有模型 {wanted}"),
        Text(en=f"It lists: {shown}.", zh=f"它列出：{shown}。"),
        to=near,
        before=wanted,
    )
