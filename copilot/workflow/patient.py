"""Whether the configured provider is the very server that failed."""

from urllib.parse import urlsplit

from copilot.model.evidence import Evidence, Service

LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"})  # noqa: S104 - compared, not bound


def is_patient(base_url: str | None, evidence: Evidence, service: Service) -> bool:
    """A provider on this machine whose port is the one that the failed service publishes or listens on."""
    if base_url is None:
        return False
    address = urlsplit(base_url)
    names = {name for name in (service.name, evidence.container.name if evidence.container else None) if name}
    if address.hostname in names:
        return True
    if address.hostname not in LOCAL:
        return False
    return (address.port or 80) in _ports(evidence, service)


def _ports(evidence: Evidence, service: Service) -> set[int]:
    """Host ports of the failed service; its own port where nothing is published."""
    found: set[int] = set()
    if evidence.container is not None:
        for mapping in evidence.container.ports:
            host = mapping.partition("->")[0].rpartition(":")[2]
            found.update({int(host)} if host.isdigit() else set())
    for setting in service.settings:
        if setting.parameter == "docker:ports" and setting.value:
            parts = setting.value.split("/")[0].split(":")
            found.update({int(parts[-2])} if len(parts) > 1 and parts[-2].isdigit() else set())
        elif setting.parameter == "--port" and not found and setting.value and setting.value.isdigit():
            found.add(int(setting.value))
    return found
