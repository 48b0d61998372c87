"""The parameter names of the contract, their meaning, and the groups whose members are equally right.

This is the one list: a new name is added here, with one line of meaning. Engine flags (`--x`) and environment
variables (`env:X`) are known by the registry in `copilot.parameters`, not here.
"""

from collections.abc import Iterable

MEANINGS: dict[str, str] = {
    "docker:image": "the image and its tag",
    "docker:command": "the arguments given to the image's entrypoint",
    "docker:entrypoint": "the program the container starts",
    "docker:gpus": "which GPUs the container may use (--gpus, gpus:, deploy.resources.reservations.devices)",
    "docker:runtime": "the container runtime (runtime: nvidia)",
    "docker:shm_size": "size of /dev/shm in the container",
    "docker:ipc": "IPC namespace (ipc: host shares the host's /dev/shm)",
    "docker:ports": "which container port is published where",
    "docker:volumes": "which host folders or volumes are mounted",
    "docker:network": "the network or network mode",
    "docker:mem_limit": "the container's memory limit",
    "docker:restart": "the restart policy",
    "docker:user": "the user the container runs as",
    "docker:name": "the container's name",
    "docker:platform": "the CPU architecture of the image",
    "docker:extra_hosts": "additional host names (host.docker.internal)",
    "docker:env_file": "files with environment variables",
    "docker:depends_on": "start order and conditions of services",
    "docker:ulimits": "resource limits of the container's processes",
    "docker:compose": "the compose file itself: its syntax, names and references",
    "docker:daemon": "the Docker daemon's own configuration",
    "host:nvidia-driver": "the NVIDIA driver of the host (under WSL2: of Windows)",
    "host:nvidia-container-toolkit": "the package that gives containers the GPU",
    "host:wsl-memory": "memory and swap of the WSL2 virtual machine (.wslconfig)",
    "host:wsl-version": "WSL 1 or 2, and its kernel",
    "host:gpu-processes": "other programs that hold GPU memory",
    "host:disk": "free disk space",
    "host:memory": "the host's memory",
    "host:gpu": "the card itself: memory size, compute capability",
    "host:network": "the host's network, firewall, MTU",
    "host:dns": "name resolution",
    "host:proxy": "proxy settings of the host or the daemon",
    "host:time": "the host's clock",
    "host:file-permissions": "owner and mode of files and folders",
    "host:port": "a port that another program holds",
    "host:docker": "the Docker installation itself",
    "model:id": "the model's repository id or path",
    "model:config": "the model's config.json",
    "model:weights": "the model's weight files",
    "model:tokenizer": "the model's tokenizer files",
    "model:chat-template": "the model's chat template",
    "model:access": "the right to download the model (gate, licence, token scope)",
    "model:quantization": "how the checkpoint is quantised",
    "engine:version": "the engine's version",
    "engine:build": "what was built into the engine or its image (a package, an architecture)",
    "request:model": "the model name a request asks for",
    "request:max_tokens": "the output length a request asks for",
    "request:messages": "the messages of a request (length, roles)",
    "request:tools": "tools and tool_choice of a request",
    "request:options": "other fields of a request (Ollama's options, keep_alive)",
    "client:base_url": "the base URL the client uses",
    "client:api_key": "the key the client sends",
    "client:no_proxy": "hosts the client must reach without a proxy",
    "client:wire_api": "chat completions or responses",
    "client:timeout": "how long the client (or a proxy before the server) waits",
    "client:parser": "how the client reads replies and stream chunks",
    "client:auth": "which login the client uses instead of the provider's key",
}

GROUPS: tuple[frozenset[str], ...] = (
    frozenset({"docker:image", "engine:version", "engine:build"}),
    frozenset({"--model", "model:id", "model:config"}),
    frozenset({"docker:command", "docker:entrypoint"}),
    frozenset({"env:NO_PROXY", "client:no_proxy", "host:proxy", "env:HTTPS_PROXY", "env:HTTP_PROXY"}),
    frozenset({"docker:shm_size", "docker:ipc"}),
    frozenset({"env:HF_TOKEN", "model:access"}),
    frozenset({"--api-key", "env:VLLM_API_KEY", "client:api_key"}),
    frozenset({"docker:gpus", "docker:runtime", "host:nvidia-container-toolkit", "docker:daemon"}),
    frozenset({"--quantization", "model:quantization"}),
    frozenset({"--chat-template", "model:chat-template", "model:tokenizer"}),
    frozenset({"--served-model-name", "request:model"}),
    frozenset({"docker:volumes", "docker:user", "host:file-permissions", "env:HF_HOME", "env:HOME"}),
    frozenset({"--port", "docker:ports", "host:port"}),
    frozenset({"env:VLLM_ATTENTION_BACKEND", "--attention-backend"}),
    frozenset({"host:wsl-memory", "host:memory"}),
)
"""Naming either of a group is equally right (contract §3)."""


def is_listed(name: str) -> bool:
    """Whether a `docker:`, `host:`, `model:`, `engine:`, `request:` or `client:` name is in the list."""
    return name in MEANINGS


def alike(a: str, b: str) -> bool:
    """Whether two parameter names are the same, or of one group."""
    return a == b or any(a in group and b in group for group in GROUPS)


def any_alike(names: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether any of `names` is equally right as any of `wanted`."""
    targets = tuple(wanted)
    return any(alike(name, target) for name in names for target in targets)
