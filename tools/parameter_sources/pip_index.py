"""Releases on the package index that the user's pip is configured for.

Uses the internals of the pip beside this interpreter (its settings, its session, its lazy reader of wheels: 0.2 to
1 MB instead of hundreds), which are no stable interface. Where that fails: `pip download --no-deps` and an archive.
"""

import io
import logging
import re
from typing import Any

from parameter_sources.archives import Files, from_sdist, from_wheel

_NUMBER = re.compile(r"vllm-([^-]+?)(?:-\d+)?(?:-cp|-py|\.tar\.gz)")


class PipIndex:
    """The files of one project on the configured index."""

    def __init__(self, project: str = "vllm") -> None:
        from pip._internal.commands.download import DownloadCommand

        logging.getLogger("pip").setLevel(logging.ERROR)
        command = DownloadCommand("download", "")
        options, _ = command.parse_args([])
        self._context = command.main_context()
        self._context.__enter__()
        self._session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=self._session, ignore_requires_python=True)  # noqa: SLF001
        self._links = _links(finder._link_collector, project)  # noqa: SLF001

    def versions(self) -> tuple[str, ...]:
        """Every version that the index holds, unordered pre-releases included."""
        found = (_NUMBER.match(name) for name in self._links)
        return tuple(sorted({match.group(1) for match in found if match}))

    def files(self, version: str) -> Files:
        """The wanted files of a release: from its wheel by range requests, else from its sdist. LookupError."""
        wheels = [name for name in self._links if re.match(rf"vllm-{re.escape(version)}(-\d+)?-.*\.whl", name)]
        wheels.sort(key=lambda name: ("x86_64" not in name, name))
        if wheels:
            return self._lazy(wheels[0])
        sdist = self._links.get(f"vllm-{version}.tar.gz")
        if sdist is None:
            raise LookupError(f"the index holds no file for vllm {version}")
        reply = self._session.get(sdist.url_without_fragment, headers={"Accept-Encoding": "identity"})
        reply.raise_for_status()
        return from_sdist(io.BytesIO(reply.content))

    def _lazy(self, wheel: str) -> Files:
        from pip._internal.network.lazy_wheel import LazyZipOverHTTP

        return from_wheel(LazyZipOverHTTP(self._links[wheel].url_without_fragment, self._session))


def _links(collector: Any, project: str) -> dict[str, Any]:
    from pip._internal.index.collector import parse_links

    found = {}
    for source in collector.collect_sources(project, lambda _: []).index_urls:
        page = collector.fetch_response(source.link) if source and source.link else None
        found.update({link.filename: link for link in (parse_links(page) if page else ())})
    return found
