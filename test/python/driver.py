"""Does tasks, one JSON object a line, with the package: python3 driver.py (cryptography | python)."""

import json
import pathlib
import sys

if sys.argv[1] == "python":
    # As on a machine without the library.
    sys.modules["cryptography"] = None

import svc
from svc import _ed25519, _json, _text


def verify(task):
    receipt = pathlib.Path(task["path"]) if "path" in task else task["receipt"]
    try:
        verdict = svc.verify(receipt, task.get("jwks"))
    except svc.SvcError as error:
        return {"error": error.code, "field": error.field, "exit": 2}
    return {**verdict.to_dict(), "exit": verdict.exit_code}


def canonical(task):
    try:
        return {"text": svc.canonical_json(_json.strict_loads(task["text"]))}
    except (svc.SvcError, TypeError, ValueError) as error:
        return {"error": type(error).__name__}


def signature(task):
    key, message, sig = (bytes.fromhex(task[name]) for name in ("key", "message", "signature"))
    return {"ok": _ed25519.verify_signature(key, message, sig)}


def pair(task):
    found = _text.rounded_pair(float(task["value"]), float(task["uncertainty"]))
    return {"pair": found}


def backend(_):
    return {"backend": _ed25519.BACKEND}


TASKS = {one.__name__: one for one in (verify, canonical, signature, pair, backend)}
for line in sys.stdin:
    task = json.loads(line)
    print(json.dumps(TASKS[task["do"]](task)))
