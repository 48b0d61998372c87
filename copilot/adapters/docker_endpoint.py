"""Where the container engine is: `DOCKER_HOST`, the chosen Docker context, or a socket at one of the usual places."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.errors import UsageError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address to try."""

    address: str
    """`unix://...`, `tcp://...`, `ssh://...`"""
    tls: Path | None = None
    """Folder with ca.pem, cert.pem and key.pem."""
    verify: bool = True
    named: bool = False
    """The person chose it: if it does not answer, no other is tried."""


def endpoints(env: Mapping[str, str] | None = None, home: Path | None = None) -> list[Endpoint]:
    """The addresses to try, in the order of the docker client: variable, context, usual sockets that exist.

    UsageError where a context is chosen that does not exist.
    """
    env = os.environ if env is None else env
    home = home or Path(env.get("HOME") or Path.home())
    if host := env.get("DOCKER_HOST"):
        certificates = env.get("DOCKER_CERT_PATH") or str(home / ".docker")
        secured = env.get("DOCKER_TLS_VERIFY") or (env.get("DOCKER_CERT_PATH") and host.startswith("tcp://"))
        return [Endpoint(host, Path(certificates) if secured else None, bool(env.get("DOCKER_TLS_VERIFY")), named=True)]
    folder = Path(env.get("DOCKER_CONFIG") or home / ".docker")
    context = env.get("DOCKER_CONTEXT") or _current(folder)
    if context and context != "default":
        return [_of_context(folder, context)]
    return [Endpoint(f"unix://{path}") for path in _sockets(env, home) if path.exists()]


def _current(folder: Path) -> str | None:
    value = _json(folder / "config.json").get("currentContext")
    return value if isinstance(value, str) else None


def _json(path: Path) -> dict[str, Any]:
    """The object in a file; empty where there is none (a broken client configuration decides nothing here)."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _of_context(folder: Path, name: str) -> Endpoint:
    digest = hashlib.sha256(name.encode()).hexdigest()
    found = _json(folder / "contexts" / "meta" / digest / "meta.json").get("Endpoints", {})
    endpoint = found.get("docker", {}) if isinstance(found, dict) else {}
    host = endpoint.get("Host") if isinstance(endpoint, dict) else None
    if not isinstance(host, str) or not host:
        raise UsageError(f"There is no Docker context named {name}.", "`docker context ls` shows the names.")
    tls = folder / "contexts" / "tls" / digest / "docker"
    return Endpoint(host, tls if tls.is_dir() else None, not endpoint.get("SkipTLSVerify"), named=True)


def _sockets(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Docker, Docker Desktop, rootless Docker, then Podman's compatible API."""
    runtime = Path(env.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    yield Path("/var/run/docker.sock")
    yield home / ".docker" / "desktop" / "docker.sock"
    yield home / ".docker" / "run" / "docker.sock"
    yield runtime / "docker.sock"
    yield home / ".colima" / "default" / "docker.sock"
    yield runtime / "podman" / "podman.sock"
    yield Path("/run/podman/podman.sock")
