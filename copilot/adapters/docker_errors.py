"""What the errors of Docker's SDK mean for the person: one table, complete by a test that walks the SDK's errors."""

from copilot.errors import CopilotError, NothingCollected, UsageError

FILES = "Or name the evidence: --log FILE, --compose FILE."

ERRORS: tuple[tuple[str, type[CopilotError], str, str], ...] = (
    # name of the SDK's or the system's error · ours · what happened · what to do; the first that fits counts
    ("ImageNotFound", UsageError, "The container's image is gone.", "`docker images` shows what is there."),
    ("NotFound", UsageError, "There is no such container.", "`docker ps -a` shows the names."),
    (
        "PermissionError",
        NothingCollected,
        "Docker's socket refuses this user.",
        "Add the user to the group docker and log in again, or use sudo. " + FILES,
    ),
    ("FileNotFoundError", NothingCollected, "No Docker engine runs here.", "Start Docker. " + FILES),
    ("ConnectionRefusedError", NothingCollected, "No Docker engine runs here.", "Start Docker. " + FILES),
    ("TLSParameterError", UsageError, "The TLS files of the Docker engine cannot be used.", "Check DOCKER_CERT_PATH."),
    ("ContextNotFound", UsageError, "The Docker context does not exist.", "`docker context ls` shows the names."),
    ("ContextException", UsageError, "The Docker context cannot be read.", "`docker context ls` shows what is there."),
    ("MissingContextParameter", UsageError, "The Docker context is incomplete.", "`docker context inspect` shows it."),
    ("ContextAlreadyExists", UsageError, "The Docker context exists already.", "`docker context ls` shows it."),
    ("InvalidConfigFile", UsageError, "Docker's configuration file cannot be read.", "Check ~/.docker/config.json."),
    (
        "InvalidVersion",
        NothingCollected,
        "The Docker engine speaks an API too old for this SDK.",
        "Update Docker. " + FILES,
    ),
    ("APIError", NothingCollected, "The Docker engine refused the request.", FILES),
    ("Timeout", NothingCollected, "The Docker engine did not answer in time.", "Is it overloaded? " + FILES),
    ("DockerException", NothingCollected, "The Docker engine does not answer.", "Start Docker. " + FILES),
    ("StreamParseError", NothingCollected, "The Docker engine's answer cannot be read.", FILES),
    ("OSError", NothingCollected, "The Docker engine does not answer.", "Start Docker. " + FILES),
)


def translated(error: BaseException) -> CopilotError:
    """Our error for one of the SDK's: by the innermost cause that the table names."""
    chain: list[str] = []
    inner: BaseException | None = error
    while inner is not None:
        chain.extend(base.__name__ for base in type(inner).__mro__)
        inner = inner.__cause__ or inner.__context__
    text = str(error)
    for name, ours, message, hint in ERRORS:
        if name in chain or f"{name}(" in text:
            return ours(message, hint)
    return NothingCollected("The Docker engine does not answer.", FILES)
