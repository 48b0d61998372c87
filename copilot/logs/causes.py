"""Which exception of a chain says what happened, and which ones only pass on that something did."""

import re

from copilot.logs.exceptions import Raised

WRAPPER = re.compile(
    r"Engine core initialization failed|Engine process failed to start|WorkerProc initialization failed|EngineCore encountered an issue"
    r"|EngineCore failed to start|EngineCore encountered a fatal error|See (?:stack trace|root cause)|stack trace above for the root cause"
    r"|Worker failed with error|Call to \w+ method failed|Executor failed|died unexpectedly|Cancelled by cancel scope|EngineDeadError"
    r"|Engine loop (?:is not running|has died)|Background loop (?:has errored|is stopped)|AsyncEngineDeadError|MQEngineDeadError"
    r"|DataParallelController|worker died|Failed core proc|raised an exception|Orchestrator initialization failed|WorkerProc was terminated"
    r"|got fatal signal from worker|The actor (?:is dead|died)|RayTaskError|Application startup failed|object has no attribute 'shutdown'"
)
"""Sentences and classes of processes that report another process's end."""

_LAST_WORDS = frozenset(
    {"SystemExit", "KeyboardInterrupt", "CancelledError", "GeneratorExit", "BrokenPipeError", "EOFError", "ConnectionResetError",
     "ShuttingDown", "ZMQError", "Empty", "QueueShutDown", "EngineDeadError", "DistBackendError", "DistNetworkError", "EndOfStream"}
)  # fmt: skip
"""Classes that mostly follow from an end elsewhere."""
_VAGUE = re.compile(
    r"(?:Unable|Failed|Could not|Cannot|can't) (?:to )?(?:configure|load|start|initiali[sz]e|import|create|build|compile|run)\b[^:]{0,60}$"
    r"|An error happened while|Error (?:while|in|during) [^:]{0,60}$|C\+\+ compile error|backend='\w+' raised"
)
_ADVICE = re.compile(
    r"\b[Tt]ry \w+ing|\b[Pp]lease |`\w+`|--\w|\b[Ss]et(?:ting)? (?:the )?[`'A-Z-]|pip install|\binstall\b|\bUse \W?\w|[Ii]ncrease|[Dd]ecrease"
)
_HTTP = re.compile(
    r"^(?:httpx\w*|httpcore\w*|requests|urllib3|aiohttp|http|socket|ssl)\b|^(?:HTTPError|HTTPStatusError|ConnectError|MaxRetryError|gaierror)$"
)
_HUB = re.compile(
    r"^huggingface_hub\b|^(?:Gated|Repository|Revision|Entry|LocalEntry)\w*(?:Error|NotFound)|^HfHub|OfflineModeIsEnabled"
)
_NETWORK_WORDS = re.compile(
    r"name resolution|Connection (?:refused|reset|timed out)|timed out|certificate|Max retries", re.IGNORECASE
)


def passes_on(exception: Raised) -> bool:
    """Whether the exception only reports what another one, or another process, caused."""
    return WRAPPER.search(f"{exception.short}: {exception.text}") is not None or exception.short in _LAST_WORDS


def telling(exception: Raised) -> Raised:
    """The member of the exception's chain that tells most."""
    best = exception
    inner = exception.cause
    direct = exception.direct
    while inner is not None:
        if _says_more(inner, best, direct=direct):
            best = inner
        inner, direct = inner.cause, inner.direct
    return best


def _says_more(inner: Raised, outer: Raised, *, direct: bool) -> bool:
    """Whether the earlier exception of a chain tells more than the later one that came of it."""
    if passes_on(inner) or inner.text == outer.text:
        return False
    if passes_on(outer) or not outer.text or _VAGUE.search(outer.text):
        return True
    if outer.short in ("AttributeError", "TypeError", "UnboundLocalError", "NameError") and not direct:
        return True
    if _HUB.search(inner.name) and not _VAGUE.search(inner.text):
        return not _HUB.search(outer.name)
    if _HTTP.search(inner.name):
        return _NETWORK_WORDS.search(inner.text) is not None and _HUB.search(outer.name) is None
    return direct and not _ADVICE.search(outer.text)
