"""What the real parser of an installed vLLM knows, as JSON on stdout. Run by the interpreter that has vLLM beside it.

`tools/parameter_report.py --python PATH` starts it; nothing of the product is imported here.
"""

import argparse
import enum
import json
import sys
import tempfile
from pathlib import Path
from typing import Any


def main() -> int:
    """Print version, options and variables of the vLLM that this interpreter imports."""
    import vllm
    from vllm import envs
    from vllm.entrypoints.cli.serve import ServeSubcommand
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    serve = ServeSubcommand().subparser_init(FlexibleArgumentParser().add_subparsers())
    flags = [_option(action) for action in serve._actions if action.option_strings]  # noqa: SLF001 - argparse's own list
    variables = {name: _value(read) for name, read in envs.environment_variables.items()}
    json.dump({"version": vllm.__version__.split("+")[0], "flags": flags, "env": variables}, sys.stdout, indent=1)
    return 0


def _option(action: argparse.Action) -> dict[str, Any]:
    return {
        "names": list(action.option_strings),
        "default": _json(action.default),
        "choices": [str(choice) for choice in action.choices] if action.choices else None,
    }


def _value(read: Any) -> Any:
    try:
        return _json(read())
    except Exception as error:  # noqa: BLE001 - any reading function may refuse; the report counts that
        return {"error": type(error).__name__}


def _json(value: Any) -> Any:
    """The value itself where JSON has it, else its class."""
    if value is argparse.SUPPRESS:
        return None
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, set | frozenset | tuple):
        return sorted(value)
    if isinstance(value, str) and any(
        place in value for place in (str(Path.home()), sys.prefix, tempfile.gettempdir())
    ):
        return {"object": "path of this machine"}
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return value
    return {"object": type(value).__name__}


if __name__ == "__main__":
    sys.exit(main())
