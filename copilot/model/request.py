"""What the person asked for: where to look, and how to answer."""

from copilot.model.text import Frozen, Lang


class Sources(Frozen):
    """Where the evidence comes from. Paths as the person typed them; never part of the evidence."""

    container: str | None = None
    directory: str | None = None
    """`--from`: a collected folder or a case's round."""
    log: str | None = None
    """A path, or `-` for standard input."""
    compose: str | None = None
    service: str | None = None
    inspect: str | None = None
    gpu: str | None = None
    command: str | None = None
    """Text, or the path of a file."""
    image: str | None = None
    engine: str | None = None
    tail: int = 4000
    """Last lines read of a container's log."""

    @property
    def explicit(self) -> bool:
        """A file was named and no container: this machine's Docker and GPU are not asked."""
        named = (self.directory, self.log, self.compose, self.inspect, self.gpu, self.command)
        return self.container is None and any(value is not None for value in named)


class Options(Frozen):
    """How to answer."""

    provider: str = "playbook"
    model: str | None = None
    lang: Lang = "en"
    fallback: bool = True
    dry_run: bool = False
    loop: bool = True
    findings: bool = True
    """False: the model gets the evidence without our findings (evaluations compare both)."""
    session: str | None = None
