"""Values that stand for a secret but are none: they are evidence ("the token is empty") and stay."""

import re
from functools import lru_cache

from copilot.redaction.words import listed

_EXACT = listed("values", "placeholder")
_PATTERN = re.compile(
    r"""(?ix)
    (?:env|client|docker|host|model|engine|request):[a-z_-]+ | \$\w+ | \$\{.* | \$\(.*
  | \$env:\w+ | %\w+% | \{\{.* | \{\w+\}? | SIG[A-Z]{2,6} | \{[\w.]+(?:\[[^]]*\])?\} | \#\{.*
  | <[^<>]{0,60}>? | \[[A-Z_ -]{2,30}\]? | ‹.*
  | .{0,8}?(?:\*{2,}|•{2,}|…|\.{3,}|█+|＊{2,}).{0,8} | [x*.•_=#-]+
  | (?:(?:sk|hf|ghp|gho|gsk|xai|nvapi|r8|pplx|glpat|api|key|token|sk-proj|sk-ant|sk-ant-api03|sk-or-v1|github_pat)[-_])?
    (?:x{3,}|0{4,}|\.{3,}|\*{3,})[-_x0.*]*
  | (?:(?:sk|hf|ghp|gsk|token|key|api)[-_])?
    (?:your[-_ ].{0,60}
    |(?:my|the|some|an?|insert|enter|put|paste|add|use|change|replace|set|provide|fill|goes)[-_ ]
     (?=[^0-9]{0,60}(?:key|token|secret|pass|here|me\b|value|cred|random|string|later|it\b))
     (?:[^0-9]{0,60}|[^0-9 ]{0,60}\d{0,3}))
  | (?:sk-|hf_)?your.{0,40}
  | .{0,20}(?:_|-|\b)(?:here|placeholder|goes-here|changeme|example|redacted|replaceme)[>\])}]?
  | (?:sk|hf|token|key)[-_](?:test|fake|dummy|example|sample|demo|none|empty|local|placeholder|no-?key|not-?needed
    |anything|whatever|secret|token|key)(?:[-_](?:key|token|value))?
  | (?:AKIA|ASIA)[A-Z0-9]{9}EXAMPLE | wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY | <\|.* | AAAA[BCE]3NzaC1.*
    """
)


@lru_cache(maxsize=4096)
def is_placeholder(value: str) -> bool:
    """True for `EMPTY`, `$HF_TOKEN`, `<your token>`, `***`, `hf_xxxx`, `None` and their like."""
    stripped = value.strip().strip("\"'`,;")
    return not stripped or stripped.lower() in _EXACT or _PATTERN.fullmatch(stripped) is not None
