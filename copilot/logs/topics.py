"""What a message is about, in the contract's words. The first topic whose words occur wins."""

from copilot.logs.symptoms import any_of
from copilot.model.words import Topic

_TOPICS: tuple[tuple[Topic, tuple[str, ...]], ...] = (
    (
        "request",
        (
            r'"(?:GET|POST|PUT|DELETE) \S+ HTTP/',
            r"\[GIN\]",
            r"chat template rejected",
            r"/v1/(?:chat|completions|responses)",
        ),
    ),
    (
        "access",
        (
            r"\b40[13]\b",
            r"gated",
            r"unauthori[sz]ed",
            r"forbidden",
            r"hf_token",
            r"api[_ -]?key",
            r"restricted",
            r"authenticated",
        ),
    ),
    (
        "memory path",
        (
            r"\buva\b",
            r"pin(?:ned)?[_ -]memory",
            r"model runner",
            r"cpu[_ -]offload",
            r"unified memory",
            r"swap[_ -]space",
            r"shm|shared memory",
        ),
    ),
    (
        "attention",
        (r"attention", r"flash_?attn", r"flashinfer", r"xformers", r"triton_(?:attn|mla)", r"\bmla\b", r"head_size"),
    ),
    (
        "download",
        (
            r"huggingface",
            r"\bhub\b",
            r"\bxet\b",
            r"xethub|\bcas\b",
            r"download",
            r"snapshot",
            r"pulling|pull model",
            r"thrown while requesting",
            r"offline",
        ),
    ),
    (
        "memory budget",
        (
            r"memory",
            r"kv[_ ]cache",
            r"utilization",
            r"cache blocks",
            r"# (?:gpu|cuda) blocks",
            r"concurrency",
            r"\d ?[gm]i?b\b",
            r"max[_ ](?:model|seq)[_ ]len",
            r"batched_tokens",
            r"max_num_seqs",
            r"cuda ?graphs?",
            r"graph captur",
            r"offload",
            r"n_ctx",
        ),
    ),
    (
        "parallelism",
        (
            r"world[_ ]size",
            r"tensor[_ -]parallel",
            r"pipeline[_ -]parallel",
            r"\bnccl\b",
            r"\bray\b",
            r"\brank \d",
            r"all_?reduce",
            r"gloo",
        ),
    ),
    (
        "network",
        (
            r"connect(?:ion|ing)? ?(?:error|refused|reset|timed)",
            r"name resolution|no such host",
            r"proxy",
            r"address already in use",
            r"socket",
            r"listening on",
            r"http://",
            r"\bport\b",
            r"timed out",
            r"certificate|ssl",
        ),
    ),
    (
        "device",
        (
            r"\bcuda\b",
            r"\bgpus?\b",
            r"device",
            r"platform",
            r"nvml|nvidia|driver",
            r"compute capability",
            r"\bwsl",
            r"kernel image",
            r"rocm",
        ),
    ),
    (
        "model",
        (
            r"architecture",
            r"tokenizer",
            r"config\.json|model config",
            r"weights?",
            r"quantiz",
            r"dtype|bfloat16|float16",
            r"checkpoint",
            r"safetensors|gguf",
            r"\blora\b",
            r"model",
        ),
    ),
)
_PATTERNS = tuple((topic, any_of(*words)) for topic, words in _TOPICS)


def topic_of(message: str) -> Topic:
    """The topic of a message; `other` where none of the words occurs."""
    lower = message[:1000].lower()
    return next((topic for topic, pattern in _PATTERNS if pattern.search(lower)), "other")
