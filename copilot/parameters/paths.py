"""What lies on the same path of the engine: parameters that a change of one should be judged together with."""

from copilot.model.words import Topic

_PATHS: tuple[tuple[Topic, tuple[str, ...]], ...] = (
    # pinned host memory: what needs it, and what decides whether there is any
    (
        "memory path",
        (
            "env:VLLM_WSL2_ENABLE_PIN_MEMORY",
            "env:VLLM_USE_V2_MODEL_RUNNER",
            "--cpu-offload-gb",
            "--kv-offloading-size",
            "env:VLLM_WEIGHT_OFFLOADING_DISABLE_UVA",
            "env:VLLM_WEIGHT_OFFLOADING_DISABLE_PIN_MEMORY",
            "--swap-space",
            "host:wsl-version",
        ),
    ),
    # attention: which implementation, and what it accepts
    (
        "attention",
        (
            "--attention-backend",
            "env:VLLM_ATTENTION_BACKEND",
            "env:VLLM_USE_FLASHINFER_SAMPLER",
            "--kv-cache-dtype",
            "--block-size",
            "--dtype",
            "--attention-config",
            "env:VLLM_FLASH_ATTN_VERSION",
        ),
    ),
    # the GPU's memory: what takes from it, and what decides what is left for the KV cache
    (
        "memory budget",
        (
            "--gpu-memory-utilization",
            "--max-model-len",
            "--max-num-seqs",
            "--max-num-batched-tokens",
            "--kv-cache-dtype",
            "--enforce-eager",
            "--kv-cache-memory-bytes",
            "env:VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS",
            "--cpu-offload-gb",
            "--quantization",
            "--dtype",
            "--tensor-parallel-size",
            "--limit-mm-per-prompt",
            "--max-loras",
            "--speculative-config",
            "env:PYTORCH_CUDA_ALLOC_CONF",
            "env:PYTORCH_ALLOC_CONF",
            "host:gpu-processes",
        ),
    ),
    # compilation and CUDA graphs
    (
        "other",
        (
            "--enforce-eager",
            "--compilation-config",
            "--optimization-level",
            "--cudagraph-capture-sizes",
            "--max-cudagraph-capture-size",
            "--cuda-graph-sizes",
            "env:VLLM_DISABLE_COMPILE_CACHE",
            "env:VLLM_CACHE_ROOT",
            "env:TORCHINDUCTOR_CACHE_DIR",
            "env:TORCH_COMPILE_DISABLE",
        ),
    ),
    # getting the model's files
    (
        "download",
        (
            "env:HF_HUB_DISABLE_XET",
            "env:HF_HUB_ENABLE_HF_TRANSFER",
            "env:HF_XET_HIGH_PERFORMANCE",
            "env:HF_ENDPOINT",
            "env:HF_HUB_OFFLINE",
            "env:HF_HOME",
            "env:HF_TOKEN",
            "--download-dir",
            "--revision",
            "--load-format",
            "env:HTTPS_PROXY",
            "env:VLLM_USE_MODELSCOPE",
        ),
    ),
    # the right to get them
    ("access", ("env:HF_TOKEN", "env:HUGGING_FACE_HUB_TOKEN", "--hf-token", "model:access", "env:HF_ENDPOINT")),
    # several GPUs
    (
        "parallelism",
        (
            "--tensor-parallel-size",
            "--pipeline-parallel-size",
            "--data-parallel-size",
            "--distributed-executor-backend",
            "--disable-custom-all-reduce",
            "env:NCCL_P2P_DISABLE",
            "env:NCCL_SHM_DISABLE",
            "env:NCCL_IB_DISABLE",
            "env:NCCL_SOCKET_IFNAME",
            "env:NCCL_DEBUG",
            "env:GLOO_SOCKET_IFNAME",
            "env:VLLM_HOST_IP",
            "env:CUDA_VISIBLE_DEVICES",
            "docker:shm_size",
            "docker:ipc",
        ),
    ),
    # which GPU
    (
        "device",
        (
            "env:CUDA_VISIBLE_DEVICES",
            "env:NVIDIA_VISIBLE_DEVICES",
            "docker:gpus",
            "docker:runtime",
            "env:CUDA_DEVICE_ORDER",
        ),
    ),
    # tool calls and reasoning
    (
        "request",
        (
            "--enable-auto-tool-choice",
            "--tool-call-parser",
            "--reasoning-parser",
            "--chat-template",
            "--tool-parser-plugin",
            "--structured-outputs-config",
        ),
    ),
    # prefill scheduling
    (
        "memory budget",
        (
            "--enable-chunked-prefill",
            "--max-num-batched-tokens",
            "--enable-prefix-caching",
            "--long-prefill-token-threshold",
        ),
    ),
    # LoRA
    ("model", ("--enable-lora", "--lora-modules", "--max-lora-rank", "--max-loras", "--max-cpu-loras")),
    # the model's rights and names
    ("model", ("--model", "--served-model-name", "--tokenizer", "--revision", "--trust-remote-code", "--hf-overrides")),
    # reaching the server
    (
        "network",
        ("--host", "--port", "--api-key", "env:VLLM_API_KEY", "docker:ports", "--root-path", "--allowed-origins"),
    ),
    # start-up time
    ("other", ("env:VLLM_ENGINE_READY_TIMEOUT_S", "--load-format", "--enforce-eager", "env:VLLM_CACHE_ROOT")),
    # for Ollama, memory
    (
        "memory budget",
        (
            "env:OLLAMA_CONTEXT_LENGTH",
            "env:OLLAMA_NUM_PARALLEL",
            "env:OLLAMA_KV_CACHE_TYPE",
            "env:OLLAMA_FLASH_ATTENTION",
            "env:OLLAMA_GPU_OVERHEAD",
            "env:OLLAMA_MAX_LOADED_MODELS",
            "env:OLLAMA_KEEP_ALIVE",
            "env:OLLAMA_SCHED_SPREAD",
            "env:LLAMA_ARG_FIT",
            "env:LLAMA_ARG_FIT_TARGET",
            "env:OLLAMA_MAX_VRAM",
        ),
    ),
    # for Ollama, finding the GPU
    (
        "device",
        (
            "env:OLLAMA_LLM_LIBRARY",
            "env:CUDA_VISIBLE_DEVICES",
            "env:OLLAMA_VULKAN",
            "env:OLLAMA_IGPU_ENABLE",
            "env:HSA_OVERRIDE_GFX_VERSION",
            "docker:gpus",
            "env:OLLAMA_DEBUG",
        ),
    ),
    # for Ollama, reaching it
    ("network", ("env:OLLAMA_HOST", "env:OLLAMA_ORIGINS", "docker:ports", "env:NO_PROXY", "env:HTTP_PROXY")),
    # for Ollama, models on disk
    ("download", ("env:OLLAMA_MODELS", "docker:volumes", "env:OLLAMA_NOPRUNE", "env:HTTPS_PROXY")),
)


def neighbours(parameter: str) -> tuple[str, ...]:
    """The other parameters of every path that a parameter lies on; a key of a JSON flag counts as its flag."""
    flag = parameter.split(".", 1)[0]
    found: dict[str, None] = {}
    for _, path in _PATHS:
        if parameter in path or flag in path:
            found.update(dict.fromkeys(name for name in path if name not in (parameter, flag)))
    return tuple(found)


def topic_of(parameter: str) -> Topic:
    """The topic of the line map under which a setting is shown; `other` where it lies on no path."""
    flag = parameter.split(".", 1)[0]
    for topic, path in _PATHS:
        if parameter in path or flag in path:
            return topic
    return "other"
