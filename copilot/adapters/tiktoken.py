"""Exact token counts where the tokenizer's data is at hand; never a download."""

import hashlib
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from copilot.ports import EstimatedTokens, TokenCount

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
_SOURCE = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
"""Where tiktoken would load the data from; the name in its cache is the hash of this address."""


class TiktokenTokens:
    """`ports.Tokens` with `tiktoken` if its cache holds the data, else the estimate."""

    def count(self, text: str) -> TokenCount:
        """Tokens of a text, and whether the number is an estimate."""
        if self._encoding is None:
            return EstimatedTokens().count(text)
        return TokenCount(len(self._encoding.encode_ordinary(text)), estimated=False)

    @cached_property
    def _encoding(self) -> "tiktoken.Encoding | None":
        """The encoding, read from the cache only."""
        if not cached():
            return None
        import tiktoken

        return tiktoken.get_encoding(ENCODING)


def cached() -> bool:
    """Whether tiktoken's own cache folder holds the data: otherwise it would go to the network, and wait there."""
    named = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    folder = Path(named) if named is not None else Path(tempfile.gettempdir()) / "data-gym-cache"
    name = hashlib.sha1(_SOURCE.encode()).hexdigest()  # noqa: S324 - the name of a cache file, chosen by tiktoken
    return named != "" and (folder / name).is_file()
