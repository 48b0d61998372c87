"""Paths that Windows wrote, as this side of WSL sees them."""

import re

_DRIVE = re.compile(r"([A-Za-z]):[\\/](.*)\Z", re.DOTALL)
_SHARE = re.compile(r"[\\/]{2}(?:wsl\.localhost|wsl\$)[\\/][^\\/]+[\\/](.*)\Z", re.DOTALL | re.IGNORECASE)


def local_path(path: str) -> str:
    """A path of a container's label on this machine: drive C is `/mnt/c`, `wsl.localhost` is the root; others as is."""
    if share := _SHARE.match(path):
        return "/" + share[1].replace("\\", "/")
    if drive := _DRIVE.match(path):
        return f"/mnt/{drive[1].lower()}/" + drive[2].replace("\\", "/")
    return path
