"""python -m svc verify receipt.json --jwks keys.json: `svc verify` without Node, with its exit codes."""

from __future__ import annotations

import argparse
import io
import json
import sys
from typing import Optional, Sequence

from . import __version__
from ._errors import SvcError
from ._verify import USAGE_EXIT, read_json, verify, visible


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m svc", description="Check receipts of svc, offline.")
    parser.add_argument("-V", "--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("verify", help="check who signed a receipt, and that nothing sealed was changed")
    check.add_argument("file", help="a receipt, a result file or a bundle of a receipt")
    check.add_argument("--jwks", metavar="FILE", help="trusted public keys; without them the exit code is 5")
    check.add_argument("--json", action="store_true", help="print the report as JSON")
    check.epilog = "Exit codes: 0 valid, 2 no receipt, 4 not valid or not signed, 5 signed by an unknown key."
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        keys = None if options.jwks is None else read_json(options.jwks)
        verdict = verify(read_json(options.file), keys)
    except SvcError as error:
        print(visible(str(error)), file=sys.stderr)
        return USAGE_EXIT
    # ASCII, so that no text of a receipt reaches the terminal as it is.
    print(json.dumps(verdict.to_dict(), indent=2) if options.json else verdict.report())
    return verdict.exit_code


if __name__ == "__main__":
    sys.exit(main())
