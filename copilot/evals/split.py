"""The split: `dev` cases may be looked at while tuning, `test` cases are for reporting. Fixed by the name alone."""

import hashlib
from typing import Literal

TEST_SHARE = 40
"""Per cent of the names that fall into `test`."""


def split_of(slug: str) -> Literal["dev", "test"]:
    """Which side a case is on: the first four bytes of SHA-256 of its slug, modulo 100, below 40 is `test`.

    Nobody chooses: a new case lands on a side by its name, and renaming a case moves it openly.
    """
    number = int.from_bytes(hashlib.sha256(slug.encode("utf-8")).digest()[:4], "big")
    return "test" if number % 100 < TEST_SHARE else "dev"
