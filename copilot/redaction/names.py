"""Is a name the name of a secret? `HF_TOKEN`, `apiKey`, `--hf-token`, `X-Api-Key` are; `max_tokens`, `tokenizer` are not."""

import re
from functools import lru_cache

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORD = frozenset({"password", "passwd", "passwort", "passphrase", "pwd", "pass", "pw", "psw", "passcode", "userpass", "pswd",
                       "requirepass", "masterauth", "pgpassword", "dbpass", "dbpassword", "rootpassword", "userpassword", "sshpass", "pin", "mima"})
_SECRET = frozenset({"secret", "salt", "clientsecret", "appsecret", "seed", "pepper", "sas", "hmac"})
_TOKEN = frozenset({"token", "authtoken", "accesstoken", "refreshtoken", "apitoken", "bearer", "jwt", "pat", "idtoken", "hftoken", "bottoken", "sessiontoken", "xsrf", "csrf"})
_KEY = frozenset({"apikey", "apikeys", "accesskey", "secretkey", "privatekey", "authkey", "masterkey", "appkey", "accountkey", "sharedkey", "signingkey",
                  "encryptionkey", "sharedaccesskey", "licensekey", "keymaterial"})
_COOKIE = frozenset({"cookie", "cookies", "sessionid", "sid", "phpsessid", "jsessionid", "csrftoken"})
_AUTH = frozenset({"authorization", "auth", "credential", "credentials", "creds", "cred", "authentication", "signature", "sig", "identitytoken", "registrytoken"})
_BEFORE_KEY = frozenset({"api", "access", "secret", "private", "master", "auth", "encryption", "encrypt", "signing", "sign", "account", "app", "service",
                         "client", "license", "subscription", "admin", "virtual", "webui", "webhook", "x", "session", "storage", "shared", "host", "ssh", "openai", "gateway",
                         "anthropic", "azure", "aws", "hf", "ak", "sk", "google", "gemini", "deepseek", "dashscope", "bailian", "moonshot", "kimi", "zhipu", "glm", "ark", "qwen", "mistral", "groq",
                         "cohere", "together", "nvidia", "ngc", "replicate", "wandb", "comet", "minio", "s", "tailscale", "tunnel", "litellm", "vllm", "user", "team",
                         "bot", "cipher", "crypt", "aes", "hmac", "fernet", "jwt", "wireguard", "pinecone", "qdrant", "langfuse", "langsmith", "serper", "tavily", "django", "flask", "proxy", "deploy", "root", "server"})
_NOT_TOKEN_BEFORE = frozenset("""bos eos pad unk sep cls mask stop special image audio video num max min next per prompt completion total n first last new old
    added additional extra draft output input think start end begin begin_of thought tool reasoning sampled generated cached computed user_prompt
    placeholder text vision speech frame control fake_image single each one every word sub unexpected prev previous current accepted rejected
    invalid boi eoi bov eov img boa eoa time ignore padding decoder decode prefill ms eot eom suffix middle prefix fim context batch target
    continuation response request nospeech timestamp""".split())
_NEUTRAL_TAIL = frozenset("""value val file path dir name names id count size len length type limit url uri endpoint version revision mode
    ids expires expiry expiration ttl age lifetime policy hash format class prefix header location usage budget min max
    level enabled required set provider store manager helper env var variable field regex pattern cache block blocks
    index hint hints rate bytes source status error errors method algorithm host port
    per parallel counts budgets spec issuer audience scope scopes params param config validator invalid filename""".split())
_VALUE_TAIL = frozenset({"value", "val", "env", "b", "base", "str", "string", "plain", "text", "raw", "header", "default", "old", "new", "prod", "dev", "staging", "test", "backup", "primary", "secondary", "main", "live", "local", "one", "two"})
_WHOLE = frozenset({"private_key_id", "privatekeyid"})
_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "x-amz-security-token", "x-goog-api-key", "www-authorization"})
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
    """What a variable, option, field or header of this name holds: a placeholder type, or None where it is no secret."""
    if name.lower() in _WHOLE:
        return "secret"
    parts = list(words(name))
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _VALUE_TAIL):
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
    if last in _PASSWORD:
        return None if before in {"bypass", "com", "by", "first", "second", "forward"} else "password"
    if last in _COOKIE:
        return "cookie"
    if last in _AUTH:
        return "credential"
    if last in _SECRET:
        return None if last == "seed" or before in {"use", "docker"} else "secret"
    if last in _TOKEN or (last == "tokens" and before in {"api", "auth", "access", "refresh", "hf", "bearer"}):
        return None if before in _NOT_TOKEN_BEFORE else "token"
    if last in _KEY:
        return "api-key"
    if last in {"key", "keys"} and before in _BEFORE_KEY:
        return None if before in {"host", "user", "server"} and "secret" not in name.lower() else "api-key"
    if last in {"key", "keys", "sk", "auth"}:
        return "weak"
    return "password" if any(word in name for word in _CHINESE) else None


_CHINESE = frozenset({"密码", "口令", "密钥", "令牌", "秘钥", "私钥", "凭证", "访问令牌", "访问密钥", "密碼", "金鑰", "權杖", "授权码", "验证码", "用户密码"})


def is_header(name: str) -> bool:
    """A header whose whole value is the secret."""
    return name.lower() in _HEADERS
