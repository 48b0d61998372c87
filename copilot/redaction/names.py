"""Which names are names of secrets: `HF_TOKEN`, `apiKey`, `X-Api-Key` are; `max_tokens`, `tokenizer` are not."""

import re
from functools import lru_cache

from copilot.redaction.words import listed

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORD = listed("names", "password")
_SECRET = listed("names", "secret")
_TOKEN = listed("names", "token")
_KEY = listed("names", "key")
_COOKIE = listed("names", "cookie")
_CREDENTIAL = listed("names", "credential")
_BEFORE_KEY = listed("names", "before_key")
_NOT_BEFORE_TOKEN = listed("names", "not_before_token")
_TAIL = listed("names", "tail")
_CHINESE = listed("names", "chinese")
_COUNTED = frozenset("数量长限预错无不未过个")
"""What follows the Chinese word where its number, length or fault is spoken of; an empty rest is none of them."""
_HEADERS = listed("names", "header")
_KINDS = (
    ("password", _PASSWORD, frozenset({"bypass", "com", "by", "first", "second", "forward"})),
    ("cookie", _COOKIE, frozenset[str]()),
    ("credential", _CREDENTIAL, frozenset[str]()),
    ("secret", _SECRET - {"seed"}, frozenset({"use", "docker"})),
    ("token", _TOKEN, _NOT_BEFORE_TOKEN),
    ("api-key", _KEY, frozenset[str]()),
)
"""(placeholder type, last words, words before them that make it none)"""
_BEFORE_TOKENS = frozenset({"api", "auth", "access", "refresh", "hf", "bearer"})
_WHOLE = frozenset({"private_key_id", "privatekeyid"})
_PROVIDER = (
    ("huggingface-token", re.compile(r"(?i)hugging_?face|\bhf_|^hf[a-z]*token|hf-token|hf_token")),
    ("openai-key", re.compile(r"(?i)openai(?!.*azure)")),
    ("anthropic-key", re.compile(r"(?i)anthropic|claude")),
    ("github-token", re.compile(r"(?i)github|\bgh_token")),
    ("gitlab-token", re.compile(r"(?i)gitlab")),
)


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a name: `hfToken`, `HF_TOKEN` and `hf-token` are (hf, token)."""
    return tuple(word.lower() for word in _WORDS.findall(name))


@lru_cache(maxsize=8192)
def kind_of_name(name: str) -> str | None:
    """What a variable, option, field or header of this name holds: a type of placeholder; None: no secret."""
    if name.lower() in _WHOLE:
        return "secret"
    parts = list(words(name))
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _TAIL):
        parts.pop()
    if len(parts) > 12:  # noqa: PLR2004 - a name that long is text
        return None
    parts = parts or [""]
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    kind = _kind(last, before, name)
    if kind in {"api-key", "token", "secret"}:
        return next((k for k, pattern in _PROVIDER if pattern.search(name)), kind)
    return kind


def _kind(last: str, before: str, name: str) -> str | None:
    for kind, words_of_kind, harmless in _KINDS:
        if last in words_of_kind:
            return None if before in harmless else kind
    if last == "tokens":
        return "token" if before in _BEFORE_TOKENS else "weak"
    if last in {"key", "keys"} and before in _BEFORE_KEY:
        return None if before in {"host", "user", "server"} and "secret" not in name.lower() else "api-key"
    if last in {"key", "keys", "sk", "auth", "session"}:
        return None if before in {"public", "pub"} else "weak"
    return (
        "password" if any(name.rpartition(word)[2][:1] not in _COUNTED for word in _CHINESE if word in name) else None
    )


def is_header(name: str) -> bool:
    """A header whose whole value is the secret."""
    return name.lower() in _HEADERS
