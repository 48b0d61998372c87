"""Values that stand for a secret but are none: they are evidence ("the token is empty") and stay."""

import re

_EXACT = frozenset(
    """empty none null nil true false yes no on off unset undefined missing redacted removed hidden masked secret password
    passwd token key apikey api_key api-key changeme change_me change-me replace_me replaceme replace-me todo fixme dummy fake
    test testing example sample placeholder string str int bytes bool float object any optional required invalid expired
    unknown default auto ollama vllm lm-studio lmstudio not-needed notneeded not_needed no-key no_key nokey no-key-required
    n/a na sk-no-key-required sk-no-key-needed sk-1234 sk-123 sk-test sk-fake sk-dummy sk-placeholder sk-empty sk-none sk-ollama
    sk-local token-abc123 your_token bearer basic local anything whatever foo bar foobar abc xyz x-api-key authorization
    failed error denied rejected accepted valid ok found given provided set self cls value values type name
    fake-key test-key dummy-key fake_key test_key dummy_key sk-abc sk-xxx hf_xxx
    """.split()
)
_PATTERN = re.compile(
    r"""(?ix)
    (?:env|client|docker|host|model|engine|request):[a-z_-]+ | \$\w+ | \$\{.* | \$\(.* | \$env:\w+ | %\w+% | \{\{.* | \{\w+\} | \{[\w.]+(?:\[[^]]*\])?\} | \#\{.*
  | <[^<>]{0,60}>? | \[[A-Z_ -]{2,30}\]? | ‹.*
  | .{0,8}?(?:\*{2,}|•{2,}|…|\.{3,}|█+|＊{2,}).{0,8} | [x*.•_=#-]+
  | (?:(?:sk|hf|ghp|gho|gsk|xai|nvapi|r8|pplx|glpat|api|key|token|sk-proj|sk-ant|sk-ant-api03|sk-or-v1|github_pat)[-_])?(?:x{3,}|0{4,}|\.{3,}|\*{3,})[-_x0.*]*
  | (?:(?:sk|hf|ghp|gsk|token|key|api)[-_])?(?:your|my|the|some|an?|insert|enter|put|paste|add|use|change|replace|set|provide|fill|goes)[-_ ].{0,60}
  | (?:sk-|hf_)?your.{0,40} | .{0,20}(?:_|-|\b)(?:here|placeholder|goes-here|changeme|example|redacted|replaceme)[>\])}]?
  | (?:sk|hf|token|key)[-_](?:test|fake|dummy|example|sample|demo|none|empty|local|placeholder|no-?key|not-?needed|anything|whatever|secret|token|key)(?:[-_](?:key|token|value))?
  | (?:AKIA|ASIA)[A-Z0-9]{9}EXAMPLE | wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY | <\|.*
    """
)


def is_placeholder(value: str) -> bool:
    """True for `EMPTY`, `$HF_TOKEN`, `<your token>`, `***`, `hf_xxxx`, `None` and their like."""
    stripped = value.strip().strip("\"'`,;")
    return not stripped or stripped.lower() in _EXACT or _PATTERN.fullmatch(stripped) is not None
