"""The public seal of a receipt: DSSE over an in-toto statement about its sealed fields, alone or in a batch.

The lists of sealed fields come from svc itself (records.json), one for each predicate type that it ever signed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import re
import struct
from array import array
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._ed25519 import verify_signature
from ._json import canonical_json, double_of, strict_loads
from ._errors import InputError
from ._records import RECORDS

Json = Dict[str, Any]
Selection = Union[str, Dict[str, Any], List[Any]]

PAYLOAD_TYPE = "application/vnd.in-toto+json"
BATCH_TYPE = "application/vnd.svc.seal-batch+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
#: Leaves of the largest tree that is read, length of its longest path, characters of the payload of a batch.
MAX_LEAVES = 2**20
MAX_PATH = 20
MAX_BATCH_PAYLOAD = 136

_LISTS: Dict[str, Json] = RECORDS["sealed"]["lists"]
_NEWEST: str = RECORDS["sealed"]["plain"]
_HASHED: List[str] = RECORDS["sealed"]["hashed"]
_CARRIERS = frozenset(RECORDS["sealed"]["carriers"])
_HASHED_IN_ARRAYS = frozenset(RECORDS["sealed"]["hashed_in_arrays"])
_HEX = re.compile(r"[0-9a-f]{64}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
_CANONICAL_NAN = struct.pack("<Q", 0x7FF8_0000_0000_0000)


def sha256_hex(data: Union[str, bytes]) -> str:
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def from_base64(text: Any) -> Optional[bytes]:
    """The bytes of canonical base64; None for anything else."""
    if not isinstance(text, str) or len(text) % 4 != 0 or not _BASE64.fullmatch(text):
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def from_base64url(text: Any) -> Optional[bytes]:
    """The bytes of unpadded base64url; None for anything else."""
    if not isinstance(text, str) or len(text) % 4 == 1 or not _BASE64URL.fullmatch(text):
        return None
    return from_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))


# --- arrays -----------------------------------------------------------------------------------------------------------


def _f64_sha256(data: bytes) -> str:
    """SHA-256 of little-endian doubles; every NaN counts as the canonical one."""
    numbers = struct.unpack(f"<{len(data) // 8}d", data)
    if any(number != number for number in numbers):
        data = b"".join(
            _CANONICAL_NAN if number != number else data[8 * at : 8 * at + 8] for at, number in enumerate(numbers)
        )
    return sha256_hex(data)


def _doubles(values: Sequence[Any]) -> Optional[bytes]:
    """Little-endian bytes of numbers; NaN for None. None for anything else."""
    try:
        return struct.pack(f"<{len(values)}d", *[float("nan") if one is None else double_of(one) for one in values])
    except (TypeError, struct.error):
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _bytes_of_array(entry: Json) -> Union[bytes, str, None]:
    """The bytes of a series or field; None if they are none, `absent` if it holds only its hash."""
    if "data" in entry and "base64" in entry:
        return None
    if "base64" in entry:
        data = from_base64(entry["base64"])
        return data if data is not None and len(data) % 8 == 0 else None
    if "data" not in entry:
        return "absent"
    values = entry["data"]
    return _doubles(values) if isinstance(values, list) and all(_is_number(one) for one in values) else None


def _bytes_of_table(table: Json) -> Optional[bytes]:
    rows, shape = table.get("rows"), table.get("shape")
    if isinstance(rows, list):
        cells: List[Any] = []
        for row in rows:
            cells.extend(row if isinstance(row, list) else [row])
        data = _doubles(cells) if all(cell is None or _is_number(cell) for cell in cells) else None
    else:
        data = from_base64(table.get("base64"))
    if data is None or len(data) % 8 != 0 or not isinstance(shape, list) or len(shape) < 2:
        return None
    if not _is_number(shape[0]) or not _is_number(shape[1]) or shape[0] * shape[1] * 8 != len(data):
        return None
    return data


def arrays_fault(envelope: Json) -> Optional[str]:
    """Why the numbers of an envelope do not have the hashes beside them; None if they do."""
    hashes = ""
    for name in ("series", "fields"):
        listed = envelope.get(name)
        for entry in listed if isinstance(listed, list) else []:
            if not isinstance(entry, dict):
                continue
            digest = entry.get("sha256")
            hashes += digest if isinstance(digest, str) else ""
            data = _bytes_of_array(entry)
            if data == "absent":
                continue
            if not isinstance(data, bytes) or _f64_sha256(data) != digest:
                label = entry.get("name")
                return f"The numbers of {label[:80] if isinstance(label, str) else 'an array'} differ from their hash."
    table = envelope.get("table")
    if isinstance(table, dict) and ("rows" in table or "base64" in table):
        data = None if "rows" in table and "base64" in table else _bytes_of_table(table)
        if data is None or _f64_sha256(data) != table.get("sha256"):
            return "The rows of the table differ from their hash."
    if envelope.get("trajectory_sha256") != sha256_hex(hashes):
        return "trajectory_sha256 names other arrays."
    runs = envelope.get("runs")
    for run in runs if isinstance(runs, list) else []:
        inputs = run.get("inputs") if isinstance(run, dict) else None
        for view, entry in inputs.items() if isinstance(inputs, dict) else []:
            if isinstance(entry, dict) and "base64" in entry and not _has_hash(entry):
                return f"The bytes of the input {view[:80]} of a run differ from their hash."
    return None


def _has_hash(entry: Json) -> bool:
    data = from_base64(entry["base64"])
    width = 4 if entry.get("type") == "i32" else 8
    if data is None or len(data) % width != 0 or len(data) // width != entry.get("length"):
        return False
    return (sha256_hex(data) if width == 4 else _f64_sha256(data)) == entry.get("sha256")


def doubles_of(entry: Json) -> "Optional[array[float]]":
    """The numbers of a series, field or table that holds them; None if it holds only their hash."""
    data = _bytes_of_table(entry) if "shape" in entry and ("rows" in entry or "columns" in entry) else None
    found: Union[bytes, str, None] = data if data is not None else _bytes_of_array(entry)
    if not isinstance(found, bytes):
        return None
    return array("d", struct.unpack(f"<{len(found) // 8}d", found))


# --- the statement ----------------------------------------------------------------------------------------------------


def new_seal_type(envelope: Json) -> str:
    """The predicate type whose list covers all results of an envelope."""
    for entry in RECORDS["sealed"]["marks"]:
        if any(name in envelope for name in entry["fields"]):
            return str(entry["type"])
    return _NEWEST


def _write(value: Any, selection: Selection) -> str:
    """Canonical JSON of the selected part of a value."""
    if isinstance(selection, list):
        if not isinstance(value, list):
            return canonical_json(value)
        return f"[{','.join([_write(one, selection[0]) for one in value])}]"
    if isinstance(selection, dict):
        if not isinstance(value, dict):
            return canonical_json(value)
        names = [name for name in sorted(selection) if name in value]
        return f"{{{','.join([f'{json.dumps(name)}:{_write(value[name], selection[name])}' for name in names])}}}"
    return canonical_json(value)


def sealed_sha256(envelope: Json, kind: str) -> str:
    return sha256_hex(_write(envelope, _LISTS[kind]))


def _sealed_minus_zero(envelope: Json, kind: str) -> Optional[str]:
    """Path of the first sealed −0. Canonical JSON writes it as 0, but no program that seals has written it."""
    selections: Json = {
        **_LISTS[kind],
        "runs": "whole",
        "outcomes": "whole",
        "definitions": [RECORDS["sealed"]["definition"]],
    }
    return _minus_zero(envelope, selections, "")


def _minus_zero(value: Any, selection: Selection, path: str) -> Optional[str]:
    if isinstance(value, float):
        return path if value == 0 and math.copysign(1, value) < 0 else None
    if isinstance(value, list):
        inner = selection[0] if isinstance(selection, list) else "whole"
        parts = [(f"{path}[{index}]", one, inner) for index, one in enumerate(value)]
    elif isinstance(value, dict):
        names = [name for name in value if not isinstance(selection, dict) or name in selection]
        parts = [
            (f"{path}.{name}" if path else name, value[name], selection[name] if isinstance(selection, dict) else "whole")
            for name in names
        ]
    else:
        return None
    found = (_minus_zero(one, part, place) for place, one, part in parts)
    return next((place for place in found if place is not None), None)


def _only(record: Json, names: Sequence[str]) -> Json:
    return {name: record[name] for name in names if name in record}


def definition_sha256(definition: Any) -> Optional[str]:
    """SHA-256 of everything in a definition that a number depends on; None for what canonical JSON cannot hold."""
    if not isinstance(definition, dict):
        return None
    form = RECORDS["definition"]
    kept = _only(definition, form["definition"])
    for name in ("where", "constants"):
        if kept.get(name) == {}:
            del kept[name]
    for name in ("output", "accuracy"):
        if isinstance(kept.get(name), dict):
            kept[name] = _only(kept[name], form[name])
    for name in ("inputs", "constants"):
        if isinstance(kept.get(name), dict):
            parts = kept[name].items()
            kept[name] = {key: _only(one, form[name]) if isinstance(one, dict) else one for key, one in parts}
    try:
        return sha256_hex(canonical_json(kept))
    except TypeError:
        return None


def registration_of(definition: Any) -> str:
    """Whether a registry of svc holds (`registered`), held (`changed since`) or never held this definition."""
    name = definition.get("id") if isinstance(definition, dict) else None
    hashes = RECORDS["registered"].get(name, []) if isinstance(name, str) else []
    found = definition_sha256(definition) if hashes else None
    if found is None or found not in hashes:
        return "not registered"
    return "registered" if hashes[-1] == found else "changed since"


def predicate_of(envelope: Json) -> Json:
    """What a statement about this envelope says of it. Raises TypeError for what JSON cannot hold."""
    definitions = [definition_sha256(one) for one in envelope["definitions"]]
    if None in definitions:
        raise TypeError("A definition has no canonical JSON.")
    runs = [
        {
            "inputs": {key: _only(one, ("length", "sha256", "type")) for key, one in run["inputs"].items()},
            **_only(run, ("outputs", "parameters", "statistics", "steps")),
        }
        for run in envelope["runs"]
    ]
    outcomes = [_only(one, ("info", "statistics", "steps", "views")) for one in envelope["outcomes"]]
    bound = _only(envelope, ("as", "consts", "detail", "inputs", "seed", "solve_for", "uncertainties", "units"))
    same = ("kernel_sha256", "revision", "solver", "stamps", "trajectory_sha256", "uncertainty", "unit", "value")
    return {
        "definitions_sha256": sha256_hex(canonical_json(definitions)),
        "inputs_sha256": sha256_hex(canonical_json(bound)),
        "outputs_sha256": sha256_hex(canonical_json(outcomes)),
        "runs_sha256": sha256_hex(canonical_json(runs)),
        "value_bits": struct.pack(">d", double_of(envelope["value"])).hex(),
        **_only(envelope, same),
    }


def statement_of(envelope: Json, kind: str) -> str:
    """Canonical text of the statement about an envelope. Raises TypeError for what JSON cannot hold."""
    return canonical_json(
        {
            "_type": STATEMENT_TYPE,
            "predicate": predicate_of(envelope),
            "predicateType": kind,
            "subject": [{"digest": {"sha256": sealed_sha256(envelope, kind)}, "name": "sealed fields"}],
        }
    )


# --- the seal ---------------------------------------------------------------------------------------------------------


class OpenedSeal(NamedTuple):
    statement: bytes
    #: DSSE's pre-authentication encoding: the exact bytes that are signed.
    signed: bytes
    keyid: str
    signature: bytes


class SealFault(Exception):
    """Why a value is no seal."""


def _need(condition: bool, reason: str) -> None:
    if not condition:
        raise SealFault(reason)


def _has_exactly(value: Any, names: Sequence[str]) -> bool:
    return isinstance(value, dict) and sorted(value) == sorted(names)


def _bytes(value: Any, what: str) -> bytes:
    data = from_base64(value)
    if data is None:
        raise SealFault(f"{what} is no canonical base64.")
    return data


def open_seal(seal: Any) -> OpenedSeal:
    """Reads an untrusted seal of either form; the caller verifies the signature. Raises SealFault."""
    is_batch = isinstance(seal, dict) and seal.get("payloadType") == BATCH_TYPE
    names = ["payloadType", "payload", "signatures", *(["statement", "inclusion"] if is_batch else [])]
    _need(_has_exactly(seal, names), f"The seal must hold {', '.join(names)}, and nothing else.")
    _need(is_batch or seal["payloadType"] == PAYLOAD_TYPE, f"payloadType must be {PAYLOAD_TYPE} or {BATCH_TYPE}.")
    listed = seal["signatures"]
    _need(isinstance(listed, list) and len(listed) == 1, "signatures must hold one signature.")
    entry = listed[0]
    _need(_has_exactly(entry, ("keyid", "sig")), "A signature holds keyid and sig.")
    keyid = entry["keyid"]
    _need(isinstance(keyid, str) and len(keyid) <= 64, "keyid must be a text of at most 64 characters.")
    signature = _bytes(entry["sig"], "sig")
    _need(len(signature) == 64, "sig must have 64 bytes.")
    payload = _bytes(seal["payload"], "payload")
    kind = str(seal["payloadType"])
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    statement = _open_batch(seal, payload) if is_batch else payload
    return OpenedSeal(statement, signed, keyid, signature)


def _is_whole(value: Any, least: int, most: int) -> bool:
    return _is_number(value) and value == int(value) and least <= value <= most


def _open_batch(seal: Json, payload: bytes) -> bytes:
    _need(len(seal["payload"]) <= MAX_BATCH_PAYLOAD, "The payload of the batch is too long.")
    statement = _bytes(seal["statement"], "statement")
    inclusion = seal["inclusion"]
    _need(_has_exactly(inclusion, ("index", "path")), "inclusion holds index and path.")
    index, path = inclusion["index"], inclusion["path"]
    _need(_is_whole(index, 0, 2**53 - 1), "inclusion.index must be a whole number from 0.")
    _need(
        isinstance(path, list) and len(path) <= MAX_PATH and all(_is_hash(one) for one in path),
        f"inclusion.path must hold at most {MAX_PATH} hashes.",
    )
    try:
        text = payload.decode("utf-8")
        batch = json.loads(text)
    except ValueError:
        raise SealFault("The payload of the batch is not JSON.") from None
    _need(
        _has_exactly(batch, ("batch", "root", "size"))
        and _is_whole(batch["batch"], 1, 1)
        and _is_hash(batch["root"])
        and _is_whole(batch["size"], 2, MAX_LEAVES),
        "The payload of the batch must hold batch 1, a root, and a size from 2.",
    )
    _need(canonical_json(batch) == text, "The payload of the batch is not canonical JSON of batch, root and size.")
    root = bytes.fromhex(batch["root"])
    is_leaf = _is_included(statement, int(index), int(batch["size"]), [bytes.fromhex(one) for one in path], root)
    _need(is_leaf, f"The statement is not leaf {index} of the signed batch of {batch['size']}.")
    return statement


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """RFC 9162, section 2.1.3.2, for a leaf of RFC 6962."""
    if index >= size:
        return False
    last = size - 1
    found = hashlib.sha256(b"\x00" + leaf).digest()
    for sibling in path:
        if last == 0:
            return False
        if index % 2 == 1 or index == last:
            found = hashlib.sha256(b"\x01" + sibling + found).digest()
            while index % 2 == 0 and index != 0:
                index >>= 1
                last >>= 1
        else:
            found = hashlib.sha256(b"\x01" + found + sibling).digest()
        index >>= 1
        last >>= 1
    return last == 0 and found == root


def read_key(value: Any) -> Optional[Dict[str, str]]:
    """An Ed25519 key (RFC 8037) whose kid is its thumbprint (RFC 7638); None for anything else."""
    names = ("kty", "crv", "x", "kid", "alg", "use")
    if not _has_exactly(value, names) or not all(isinstance(value[name], str) for name in names):
        return None
    kind = (value["kty"], value["crv"], value["alg"], value["use"])
    data = from_base64url(value["x"])
    if kind != ("OKP", "Ed25519", "EdDSA", "sig") or data is None or len(data) != 32:
        return None
    text = canonical_json({"crv": "Ed25519", "kty": "OKP", "x": value["x"]})
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
    return value if value["kid"] == thumbprint else None


Finding = Tuple[str, bool, str]


def seal_findings(envelope: Json, trusted: Optional[Sequence[Any]]) -> List[Finding]:
    """Claims about the seal of an envelope, each with its outcome and the reason of a failure."""
    try:
        opened = open_seal(envelope.get("seal"))
    except SealFault as refusal:
        return [("seal", False, str(refusal))]
    key = read_key(envelope.get("public_key"))
    if key is None:
        return [("key", False, "public_key is not an Ed25519 key whose kid is its thumbprint.")]
    is_signed = verify_signature(from_base64url(key["x"]) or b"", opened.signed, opened.signature)
    fault = _statement_fault(envelope, opened.statement)
    findings: List[Finding] = [
        ("keyid", opened.keyid == key["kid"], "The signature names another key than public_key."),
        ("signature", is_signed, "The Ed25519 signature does not belong to this payload and key."),
        ("statement", fault is None, fault or ""),
    ]
    if trusted is not None:
        is_pinned = any(
            isinstance(one, dict) and one.get("kid") == key["kid"] and one.get("x") == key["x"] for one in trusted
        )
        findings.append(("key pinned", is_pinned, f"Key {key['kid']} is not among the trusted ones."))
    return findings


def signed_statement(envelope: Json) -> Optional[Json]:
    """The statement in the seal as JSON; None if there is none."""
    try:
        statement = strict_loads(open_seal(envelope.get("seal")).statement.decode("utf-8"))
    except (SealFault, ValueError, InputError):
        return None
    return statement if isinstance(statement, dict) else None


def _statement_fault(envelope: Json, statement: bytes) -> Optional[str]:
    read = signed_statement(envelope)
    kind = read.get("predicateType") if read else None
    if not isinstance(kind, str) or kind not in _LISTS:
        shown = "nothing" if kind is None else json.dumps(kind)[:60]
        return f"It is a statement of type {shown}; this program reads {_NEWEST} and earlier ones."
    needed = new_seal_type(envelope)
    if needed not in (_NEWEST, kind):
        return f"A statement of type {json.dumps(kind)} covers no sweep and no samples, which this envelope has."
    fault = arrays_fault(envelope)
    if fault is not None:
        return fault
    try:
        if statement == statement_of(envelope, kind).encode("utf-8"):
            zero = _sealed_minus_zero(envelope, kind)
            return None if zero is None else f"{zero} is −0, which no seal has: a sealed field was changed."
    except (TypeError, KeyError):
        pass  # What has no statement is not what was signed.
    return "The signed statement is about another envelope: a sealed field was changed."


# --- coverage ---------------------------------------------------------------------------------------------------------


def sealed_kind(envelope: Json) -> str:
    """The list that the seal of an envelope covers; that of new seals if it has none that can be read."""
    read = signed_statement(envelope)
    kind = read.get("predicateType") if read else None
    return kind if isinstance(kind, str) and kind in _LISTS else _NEWEST


def covered_fields(envelope: Json, kind: str) -> List[str]:
    return [name for name in [*_LISTS[kind], *_HASHED] if name in envelope]


def uncovered_fields(envelope: Json, kind: str) -> List[str]:
    """Fields outside of the seal, which anybody can have written; those inside of a covered field by their path."""
    covered = covered_fields(envelope, kind)
    others = [name for name in envelope if name not in covered and name not in _CARRIERS]
    selections: Json = {**_LISTS[kind], "definitions": [RECORDS["sealed"]["definition"]]}
    inside: Dict[str, None] = {}
    for name in covered:
        for path in _paths_outside(envelope[name], selections.get(name, "whole"), name):
            inside[path] = None
    return [*others, *inside]


def _paths_outside(value: Any, selection: Selection, path: str) -> List[str]:
    if isinstance(selection, list):
        elements = value if isinstance(value, list) else []
        return [inner for one in elements for inner in _paths_outside(one, selection[0], f"{path}[]")]
    if not isinstance(selection, dict) or not isinstance(value, dict):
        return []
    paths: List[str] = []
    for name, part in value.items():
        inner = f"{path}.{name}"
        if name in selection:
            paths.extend(_paths_outside(part, selection[name], inner))
        elif inner not in _HASHED_IN_ARRAYS:
            paths.append(inner)
    return paths
