"""How programs other than Python say that something failed: one table, most telling first.

These are forms (a usage error, the daemon's refusal, a signal), not a list of known failures: that is what
signatures are for.
"""

import re
from dataclasses import dataclass


def any_of(*alternatives: str) -> re.Pattern[str]:
    """One pattern that matches at the place where any of the alternatives does."""
    return re.compile("|".join(f"(?:{one})" for one in alternatives))


@dataclass(frozen=True, slots=True)
class Symptom:
    """One form of failure: what kind of line it is, and how much it decides among the lines of a boot."""

    kind: str
    points: int
    pattern: re.Pattern[str]


SYMPTOMS = (
    Symptom(
        "argparse",
        900,
        any_of(
            r"[\w./ -]{1,60}: error: \S",
            r"Error: (?:No such|Invalid|Missing) (?:command|option|value)",
            r"[\w-]+: (?:unrecognized|invalid) option",
        ),
    ),
    Symptom(
        "daemon",
        800,
        any_of(
            r"(?:docker: )?Error response from daemon: ",
            r"nvidia-container-cli\S*: ",
            r".{0,80}OCI runtime \w+ failed",
            r".*could not select device driver",
            r".*unknown or invalid runtime name",
            r".*failed to (?:create task|discover GPU vendor|inject CDI)",
            r"(?:/bin/\w+: )?exec: .*(?:not found|no such file|permission denied)",
            r"exec /\S+: (?:exec format error|no such file|permission denied)",
            r"services\.\S+ .*(?:not allowed|must be|is required)",
            r"for \S+ +Cannot (?:create|start) (?:container|service)",
            r"validating \S+: ",
            r".*bind source path does not exist",
            r".*no matching manifest for ",
            r".*(?:port is already allocated|bind: address already in use)",
            r"Failed to initialize NVML: ",
        ),
    ),
    Symptom(
        "fatal",
        715,
        any_of(
            r"/bin/(?:ba)?sh: (?:line )?\d+: .*(?:not found|No such file|Permission denied)",
            r"\S+:\d+(?::\d+)?: (?:fatal )?error: ",
            r"(?:g\+\+|gcc|cc1plus|ld|nvcc|collect2)\S*:? (?:fatal )?(?:fatal|error)\b",
            r"nvcc fatal",
        ),
    ),
    Symptom(
        "signal",
        450,
        any_of(
            r".*(?:died unexpectedly|exited|exit)\b.*\((?:exit ?code|code)[:= ]+-\d+",
            r".*exit ?code[:= ]+(?:-\d+|13[0-9])\b",
            r"(?:\S+: line \d+:\s+\d+ )?(?:Killed|Segmentation fault|Bus error|Illegal instruction|Aborted)\b",
            r".*signal: (?:killed|segmentation|aborted|bus error|illegal)",
            r"Fatal Python error: ",
            r".*[Oo]ut of memory: Killed process",
            r".*Memory cgroup out of memory",
            r".*killed by SIG(?:KILL|SEGV|BUS|ILL|ABRT)",
            r"!{3,} Segfault",
            r"\*{3} SIG\w+ received",
            r".*worker process has died",
        ),
    ),
    Symptom(
        "fatal",
        500,
        any_of(
            r"panic: ",
            r"fatal error: ",
            r"Error: ",
            r"CUDA error: ",
            r"terminate called after",
            r"ninja: build stopped",
            r".{0,80}: (?:undefined symbol|cannot open shared object)",
            r"GGML_ASSERT",
            r"ggml_cuda\S*: .*(?:error|failed)",
            r".*cudaMalloc failed",
            r".*error loading model",
            r".*unable to (?:load (?:model|full)|create llama|allocate)",
            r".*(?:llama runner|llama-server) process (?:has terminated|no longer)",
            r".*model requires more system memory",
            r".*timed out waiting for",
            r".*No space left on device",
            r".* Assertion `.*' ?failed",
        ),
    ),
)

HINT = re.compile(
    r"\b(?:error|fail(?:ed|ure)|cannot|can't|could not|couldn't|unable|not found|denied|refused|no such|timed? ?out"
    r"|killed|fatal|exceeds?|too (?:long|large|small)"
    r"|not (?:supported|recogni[sz]ed|allowed|available|valid|installed)"
    r"|no longer|missing|invalid|unsupported|does not recognize|no operator|requires? a newer|restricted|reset by peer"
    r"|truncating|unauthorized|forbidden|[45]\d\d (?:Client|Server|Bad|Not|Unauthorized|Forbidden|Gateway))\b"
    r"|No CUDA|CUDA available: False|^usage: ",
    re.IGNORECASE,
)
"""Words of trouble: only where a boot holds nothing better, and it did not come up."""
REQUEST = re.compile(
    r'.*"[A-Z]+ \S+ HTTP/\d\.\d" (?P<uvicorn>[45]\d\d)|\[GIN\][^|]*\| +(?P<gin>[45]\d\d) \|'
    r'|.*HTTP Request: .*"HTTP/\d\.\d (?P<httpx>[45]\d\d)'
)
"""A request that was refused."""
HUB_REQUEST = " thrown while requesting "
READY = re.compile(r"Application startup complete|Uvicorn running on|Listening on \S+ \(version ")
STOP = any_of(
    r"\[shutdown\] API server: shutdown triggered",
    r"(?:Received|Caught) (?:signal|SIG|exit)",
    r"Shutting down$",
    r"KeyboardInterrupt",
)
"""Somebody asked the server to stop."""
NOISE = any_of(
    r"nanobind: |See https://nanobind",
    r".*resource_tracker: ",
    r".*destroy_process_group\(\) was not called",
    r"Exception ignored in",
    r".*leaked (?:semaphore|shared_memory)",
)
"""What a shutdown prints whether or not anything failed."""
