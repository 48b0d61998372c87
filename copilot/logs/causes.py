"""Which exception of a chain says what happened, and which ones only pass on that something did."""

import re

from copilot.logs.exceptions import Raised
from copilot.logs.symptoms import any_of

WRAPPER = any_of(
    r"Engine core initialization failed",
    r"Engine process failed to start",
    r"WorkerProc initialization failed",
    r"WorkerProc (?:hit an exception|was terminated)",
    r"EngineCore (?:failed to start|encountered)",
    r"Engine loop (?:is not running|has died)",
    r"Background loop (?:has errored|is stopped)",
    r"(?:Async|MQ)?EngineDeadError",
    r"[Ss]ee (?:the )?(?:stack trace|root cause)",
    r"stack trace above for (?:the )?root cause",
    r"Worker failed with error",
    r"Call to \w+ method failed",
    r"Executor failed",
    r"died unexpectedly",
    r"Failed core proc",
    r"Cancelled by cancel scope",
    r"RuntimeError: cancelled$",
    r"[Gg]ot fatal signal from worker",
    r"The actor (?:is dead|died)",
    r"RayTaskError",
    r"Application startup failed",
    r"initialization failed: ",
    r"object has no attribute 'shutdown'",
    r"AsyncLLM output_handler failed",
    r"Exception in worker \w+ while processing method",
)
"""Sentences and classes with which a process reports another process's end, or its own as a consequence."""

_LAST_WORDS = frozenset(
    {
        "SystemExit", "KeyboardInterrupt", "CancelledError", "GeneratorExit", "BrokenPipeError", "ConnectionResetError",
        "EngineDeadError", "ZMQError", "ShuttingDown", "DistBackendError", "DistNetworkError",
    }
)  # fmt: skip
"""Classes that mostly follow from an end elsewhere."""
_VAGUE = any_of(
    r"(?:Unable|Failed|Could not|Cannot|[Cc]an't) (?:to )?"
    r"(?:configure|load|start|initiali[sz]e|import|create|build|compile|run)\b[^:]{0,60}$",
    r"An error happened while",
    r"Error (?:while|in|during) [^:]{0,60}$",
    r"backend='\w+' raised",
)
_ADVICE = any_of(
    r"\b[Tt]ry \w+ing",
    r"\b[Pp]lease ",
    r"`\w+`",
    r"--\w",
    r"\b[Ss]et(?:ting)? (?:the )?[`'A-Z-]",
    r"pip install|\binstall\b",
    r"\bUse \W?\w",
    r"[Ii]ncrease|[Dd]ecrease",
)
_HTTP = any_of(
    r"(?:httpx\w*|httpcore\w*|requests|urllib3|aiohttp|http|socket|ssl)\.",
    r"(?:HTTPError|HTTPStatusError|ConnectError|MaxRetryError|gaierror)$",
)
_HUB = any_of(
    r"huggingface_hub\.",
    r"(?:Gated|Repository|Revision|Entry|LocalEntry)\w*(?:Error|NotFound)",
    r"HfHub",
    r"OfflineModeIsEnabled",
)
_NETWORK = re.compile(r"name resolution|Connection (?:refused|reset|timed out)|timed out|certificate", re.IGNORECASE)
_CLEANUP = frozenset({"AttributeError", "TypeError", "UnboundLocalError", "NameError"})
"""Raised while handling another exception they are mostly a fault of the handler."""


def passes_on(exception: Raised) -> bool:
    """Whether the exception only reports what another one, or another process, caused."""
    return WRAPPER.search(f"{exception.short}: {exception.text}") is not None or exception.short in _LAST_WORDS


def telling(exception: Raised) -> Raised:
    """The member of the exception's chain that tells most."""
    best = later = exception
    while later.cause is not None:
        if _says_more(later.cause, best, direct=later.direct):
            best = later.cause
        later = later.cause
    return best


def _says_more(inner: Raised, outer: Raised, *, direct: bool) -> bool:
    """Whether the earlier exception of a chain tells more than the later one that came of it."""
    if passes_on(inner) or inner.text == outer.text:
        return False
    if passes_on(outer) or not outer.text or _VAGUE.search(outer.text):
        return True
    if direct and inner.short == "ModuleNotFoundError":
        return "Import" not in outer.short
    if _HUB.match(inner.name) or _HTTP.match(inner.name):
        return _of_the_net(inner, outer)
    if direct:
        return not _ADVICE.search(outer.text)
    return outer.short in _CLEANUP


def _of_the_net(inner: Raised, outer: Raised) -> bool:
    """The hub's exceptions say which right or file is missing; those below them only a status."""
    if _HUB.match(outer.name):
        return False
    if _HUB.match(inner.name):
        return not _VAGUE.search(inner.text)
    return _NETWORK.search(inner.text) is not None
