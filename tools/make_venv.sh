#!/bin/sh
# Creates a virtual environment: with the venv module, else with uv, else says the one command that brings what is missing.
set -eu
python=$1
venv=$2
if [ -z "$python" ]; then
    echo "copilot needs Python 3.11 or newer, and none was found: sudo apt install python3 python3-venv" >&2
    exit 2
fi
if "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    "$python" -m venv "$venv"
elif command -v uv >/dev/null 2>&1; then
    uv venv --seed --quiet --python "$python" "$venv"
else
    minor=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "$python has no venv module and there is no uv. This brings it: sudo apt install python$minor-venv" >&2
    exit 2
fi
