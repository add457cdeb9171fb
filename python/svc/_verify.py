"""`svc.verify`: who signed a receipt, and that nothing sealed was changed since. Offline; no kernel runs."""

from __future__ import annotations

import html
import json
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import InputError, NotFoundError, SvcError
from ._json import canonical_json, strict_loads
from ._records import RECORDS
from ._seal import (
    arrays_fault,
    covered_fields,
    from_base64,
    predicate_of,
    registration_of,
    seal_findings,
    sealed_kind,
    sha256_hex,
    signed_statement,
    uncovered_fields,
)

Json = Dict[str, Any]
#: A receipt as an answer, a dict, JSON text, bytes of it, or a path (`pathlib.Path`).
ReceiptLike = Any
#: A key set, `{"keys": […]}`, or a list of keys.
KeysLike = Union[Mapping[str, Any], Sequence[Any]]

VALID_EXIT, USAGE_EXIT, REJECTED_EXIT, UNKNOWN_KEY_EXIT = 0, 2, 4, 5
_LIMITS: Dict[str, int] = RECORDS["limits"]
_FORBIDDEN = frozenset(RECORDS["forbidden_names"])
_WORDS: Json = RECORDS["words"]
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HINTS = {
    "key pinned": "name the keys that you trust: jwks, or --jwks FILE",
    "kernel": "Client.replay on a node, or svc replay FILE, runs it again",
    "hmac": "only the issuing node can check it, at POST /api/svc/verify",
}


@dataclass(frozen=True)
class Claim:
    """One check. `ok` is None if it was not made, and `reason` says why, or why it failed."""

    claim: str
    ok: Optional[bool]
    reason: str = ""

    @property
    def sentence(self) -> str:
        return str(_WORDS["sentences"].get(self.claim, self.claim))

    def to_dict(self) -> Json:
        reason = {"reason": self.reason} if self.reason else {}
        return {"claim": self.claim, "ok": self.ok, **reason}


@dataclass(frozen=True)
class Difference:
    """The first field in which a receipt differs from what was signed; hashes stand for long fields."""

    field: str
    signed: Any
    stored: Any


@dataclass(frozen=True)
class Verdict:
    """Verdict on a receipt; true in a condition if it is valid.

    verdict  `partial`: valid (a check in Python runs no kernel). `unknown_key`: unchanged, but signed by a key that
             nobody named as trusted. `unsigned`: no signature. `bad`: a check failed.
    """

    verdict: str
    title: str
    claims: List[Claim]
    covered: List[str]
    uncovered: List[str]
    first_difference: Optional[Difference]
    receipt: Json

    @property
    def valid(self) -> bool:
        return self.verdict == "partial"

    def __bool__(self) -> bool:
        return self.valid

    @property
    def exit_code(self) -> int:
        """As that of `svc verify`."""
        if self.valid:
            return VALID_EXIT
        return UNKNOWN_KEY_EXIT if self.verdict == "unknown_key" else REJECTED_EXIT

    @property
    def failed(self) -> List[Claim]:
        return [claim for claim in self.claims if claim.ok is False]

    @property
    def coverage(self) -> str:
        return str(_WORDS["signed"] if _is_sealed(self.claims) else _WORDS["unsigned"])

    def all_claims(self) -> List[Claim]:
        """The claims, and after them those that nobody checked."""
        names = {claim.claim for claim in self.claims}
        is_signed = _is_sealed(self.claims)
        missing = [name for name in _HINTS if (is_signed or name == "kernel") and name not in names]
        return [*self.claims, *[Claim(name, None, _HINTS[name]) for name in missing]]

    def to_dict(self) -> Json:
        difference = self.first_difference
        shown = difference and {"field": difference.field, "signed": difference.signed, "stored": difference.stored}
        return {
            "ok": True,
            "valid": self.valid,
            "claims": [claim.to_dict() for claim in self.claims],
            "covered": self.covered,
            "uncovered": self.uncovered,
            **({"first_difference": shown} if shown else {}),
            "verdict": {"verdict": self.verdict, "title": self.title, "coverage": self.coverage},
        }

    def __str__(self) -> str:
        return self.title.upper() if self.verdict == "bad" else self.title

    def report(self) -> str:
        """Every check, a line each, safe for a terminal."""
        lines = [visible(str(self))]
        difference = self.first_difference
        if difference is not None:
            lines.append(f"  first difference: {visible(difference.field)}")
            lines.append(f"    signed  {_preview(difference.signed)}")
            lines.append(f"    stored  {_preview(difference.stored)}")
        value, unit = self.receipt.get("value"), self.receipt.get("unit")
        uncertainty = self.receipt.get("uncertainty")
        lines.append(f"  result  {_preview(value)} ± {_preview(uncertainty)} {visible(str(unit))[:80]}")
        for claim in self.all_claims():
            mark = "✓" if claim.ok else "?" if claim.ok is None else "✗"
            state = "not checked: " if claim.ok is None else ""
            why = f" ({state}{visible(claim.reason)[:600]})" if claim.reason or state else ""
            lines.append(f"  {mark} {claim.claim} — {claim.sentence}{why}")
        lines.append(f"  ? {_WORDS['uncheckable']}")
        lines.append(f"  {self.coverage}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{'✓' if one.ok else '?' if one.ok is None else '✗'}</td><td>{html.escape(one.claim)}</td>"
            f"<td>{html.escape(visible(one.reason or one.sentence))}</td></tr>"
            for one in self.all_claims()
        )
        return f"<div><strong>{html.escape(visible(str(self)))}</strong><table>{rows}</table></div>"


def visible(text: str) -> str:
    """A text with control characters, invisible ones and changes of direction shown, never sent to a terminal."""
    return "".join(one if one.isprintable() else f"\\u{{{ord(one):x}}}" for one in text)


def _preview(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return visible(text if len(text) <= 80 else f"{text[:80]}…")


def verify(receipt: ReceiptLike, jwks: Optional[KeysLike] = None) -> Verdict:
    """The verdict of `svc verify` on a receipt, offline.

    receipt  an answer of a client, a dict, JSON text or bytes, or a pathlib.Path; also a result file, or a bundle of a
             receipt (whose kernel is compared with its hash, but does not run)
    jwks     the keys that you trust, from the signer by another way than the receipt; without them nothing is valid

    Raises InputError if it is no receipt, NotFoundError if there is no such file.
    """
    trusted = None if jwks is None else _keys_of(jwks)
    subject, is_sealed, kernel = _open(_load(receipt))
    if is_sealed:
        _assert_envelope(subject)
        claims = [Claim(name, ok, "" if ok else reason) for name, ok, reason in seal_findings(subject, trusted)]
    else:
        _assert_replayable(subject)
        fault = arrays_fault(subject)
        claims = [Claim("arrays", fault is None, fault or "")]
    claims.append(_laws_claim(subject))
    if kernel is not None and kernel != subject["kernel_sha256"]:
        claims.append(Claim("kernel", False, "The kernel in the bundle is not the one that the receipt names."))
    key = subject.get("public_key")
    kind, title = _verdict_of(claims, key.get("kid") if isinstance(key, dict) else None)
    listed = sealed_kind(subject)
    return Verdict(
        verdict=kind,
        title=title,
        claims=claims,
        covered=covered_fields(subject, listed),
        uncovered=uncovered_fields(subject, listed),
        first_difference=_first_difference(subject, claims),
        receipt=subject,
    )


def _verdict_of(claims: Sequence[Claim], keyid: Any) -> Tuple[str, str]:
    failed = [claim for claim in claims if claim.ok is False]
    if failed:
        return "bad", "not a registered law" if all(one.claim == "laws" for one in failed) else "not valid"
    if not _is_sealed(claims):
        return "unsigned", "not signed"
    if not any(claim.claim == "key pinned" and claim.ok for claim in claims):
        return "unknown_key", f"signed by an unknown key{f' {keyid[:80]}' if isinstance(keyid, str) else ''}"
    return "partial", "valid"


def _is_sealed(claims: Sequence[Claim]) -> bool:
    holding = {claim.claim for claim in claims if claim.ok}
    return {"keyid", "signature", "statement"} <= holding


def _laws_claim(envelope: Json) -> Claim:
    definitions = envelope["definitions"]
    unknown = [
        one["id"] if isinstance(one, dict) and isinstance(one.get("id"), str) else ""
        for one in definitions
        if registration_of(one) == "not registered"
    ]
    if not unknown:
        return Claim("laws", True)
    names = ", ".join(dict.fromkeys(unknown))[:200]
    return Claim("laws", False, f"No registry of this project has held this definition of {names}.")


#: Fields of the predicate, and what their hash stands for; those of numbers first.
_PARTS = {
    "value_bits": "value",
    "inputs_sha256": "inputs",
    "definitions_sha256": "definitions",
    "runs_sha256": "runs",
    "outputs_sha256": "outcomes",
    "trajectory_sha256": "series and fields",
}
_ORDER = ("solver", "revision", "value", "value_bits", "unit", "uncertainty", "inputs_sha256", "definitions_sha256")


def _first_difference(envelope: Json, claims: Sequence[Claim]) -> Optional[Difference]:
    """What the signed statement says otherwise than the receipt; None if they agree, or cannot be compared."""
    if not any(claim.claim == "statement" and claim.ok is False for claim in claims):
        return None
    statement = signed_statement(envelope)
    signed = statement.get("predicate") if statement else None
    if not isinstance(signed, dict):
        return None
    try:
        stored = predicate_of(envelope)
        for name in [*_ORDER, *sorted(set(signed) | set(stored))]:
            if canonical_json(signed.get(name)) != canonical_json(stored.get(name)):
                return Difference(_PARTS.get(name, name), signed.get(name), stored.get(name))
    except (TypeError, KeyError):
        return None
    return None


# --- files and forms --------------------------------------------------------------------------------------------------


def read_json(path: Union[str, "os.PathLike[str]"]) -> Json:
    """The JSON object in a file. Raises NotFoundError and InputError."""
    try:
        size = os.stat(path).st_size
        if size > _LIMITS["file_bytes"]:
            raise InputError("BODY_TOO_LARGE", f"{path} exceeds {_LIMITS['file_bytes']} bytes; it has {size}.")
        data = Path(path).read_bytes()
    except OSError as cause:
        raise NotFoundError("NOT_FOUND", f"{path} cannot be read: {cause}.") from cause
    try:
        value = strict_loads(_text_of(data))
    except ValueError as cause:
        raise InputError("BAD_REQUEST", f"{path} is not JSON.") from cause
    if not isinstance(value, dict):
        raise InputError("BAD_REQUEST", f"{path} does not contain a JSON object.")
    return value


def _text_of(data: bytes) -> str:
    """UTF-8 without a byte order mark. Raises ValueError for other bytes, which would become signs nobody wrote."""
    text = data.decode("utf-8")
    return text[1:] if text.startswith("\ufeff") else text


def _load(receipt: ReceiptLike) -> Json:
    if isinstance(receipt, os.PathLike):
        return read_json(receipt)
    if isinstance(receipt, (str, bytes, bytearray)):
        try:
            receipt = strict_loads(receipt if isinstance(receipt, str) else _text_of(bytes(receipt)))
        except ValueError as cause:
            raise InputError("BAD_REQUEST", "The text is not JSON; a file is named by a pathlib.Path.") from cause
    value = getattr(receipt, "result", receipt)
    if not isinstance(value, dict):
        raise InputError("BAD_REQUEST", f"A receipt is a JSON object; got {type(value).__name__}.")
    return value


def _keys_of(jwks: KeysLike) -> List[Any]:
    keys = jwks.get("keys") if isinstance(jwks, Mapping) else jwks
    if not isinstance(keys, (list, tuple)):
        raise InputError("BAD_REQUEST", "This is not a JSON Web Key Set: an object whose keys is a list is expected.")
    return list(keys)


def _refuse(path: str, message: str, code: str = "NOT_AN_ENVELOPE") -> SvcError:
    detail = {"path": path, "code": code, "message": message}
    return InputError("VALIDATION_FAILED", message, field=path, details=[detail])


def _open(value: Json) -> Tuple[Json, bool, Optional[str]]:
    """The envelope, or a result that nobody sealed; and the hash of the kernel in a bundle."""
    form = value.get("format")
    if isinstance(form, str) and form.startswith("svc-bundle/"):
        return _open_bundle(value)
    envelope = value.get("envelope")
    if isinstance(form, str) and form.startswith("svc-result/"):
        if form != _WORDS["result_format"]:
            raise _refuse("format", _format_message(form, "result_format"), "NOT_A_RESULT")
        if "envelope" in value and "result" in value:
            message = "A result file holds either envelope or result; this one holds both, which may differ."
            raise _refuse("result", message, "NOT_A_RESULT")
        subject = envelope if envelope is not None else value.get("result")
        if not isinstance(subject, dict):
            raise _refuse("result", "A result file holds an object as its envelope or result.", "NOT_A_RESULT")
        return subject, "envelope" in value, None
    if isinstance(envelope, dict) and "seal" not in value:
        return envelope, True, None
    return value, True, None


def _format_message(found: str, expected: str) -> str:
    return f"format is {_preview(found)}; {_WORDS[expected]} is expected."


def _open_bundle(value: Json) -> Tuple[Json, bool, Optional[str]]:
    if value.get("format") != _WORDS["bundle_format"]:
        raise _refuse("format", _format_message(value["format"], "bundle_format"), "NOT_A_BUNDLE")
    if value.get("kind") == "machine":
        message = "This is a bundle of a machine; `svc verify` of the command line checks it."
        raise _refuse("kind", message, "NOT_A_RECEIPT")
    envelope, kernel = value.get("envelope"), value.get("kernel")
    if value.get("kind") != "receipt" or not isinstance(envelope, dict) or not isinstance(kernel, dict):
        raise _refuse("kind", "A bundle of a receipt holds an envelope and a kernel.", "NOT_A_BUNDLE")
    extra = sorted({*value} - {"format", "kind", "envelope", "kernel"})
    if extra:
        raise _refuse(extra[0], f"Unknown field {_preview(extra[0])}.", "UNKNOWN_FIELD")
    data = from_base64(kernel.get("wasm"))
    if data is None:
        raise _refuse("kernel.wasm", "kernel.wasm is not base64.", "NOT_A_BUNDLE")
    found = sha256_hex(data)
    if found != kernel.get("sha256"):
        raise _refuse("kernel.wasm", f"kernel.wasm has the hash {found}; another is named.", "NOT_A_BUNDLE")
    return envelope, True, found


def _assert_envelope(envelope: Json) -> None:
    value = envelope.get("value")
    if _is_number(value) and "seal" not in envelope and "stamps" not in envelope:
        raise _refuse("seal", "This is a result without a seal: a node seals what it computes.")
    _assert_replayable(envelope)
    if not isinstance(envelope.get("stamps"), list):
        raise _refuse("stamps", "An envelope holds seven stamps.")


def _assert_replayable(result: Json) -> None:
    value, consts, revision = result.get("value"), result.get("consts"), result.get("revision")
    if "value" in result and value is None:
        raise _refuse("value", "This is an answer of the dimensional gate: nothing was computed.")
    if not isinstance(result.get("solver"), str):
        raise _refuse("solver", "An envelope names its solver.")
    if not _is_sha256(result.get("kernel_sha256")):
        raise _refuse("kernel_sha256", "An envelope names its kernel by 64 lower-case hex digits.")
    if not _is_whole(revision, 1):
        raise _refuse("revision", "An envelope names the revision of its solver.")
    if not isinstance(result.get("inputs"), dict):
        raise _refuse("inputs", "An envelope holds its inputs as an object.")
    if not isinstance(consts, dict) or not all(_is_number(one) for one in consts.values()):
        raise _refuse("consts", "An envelope holds its consts as an object of numbers.")
    if not isinstance(result.get("verification"), dict):
        raise _refuse("verification", "An envelope holds its verification.")
    for name in ("value", "functional"):
        if not _is_number(result.get(name)):
            raise _refuse(name, f"An envelope holds a number as its {name}.")
    if not isinstance(result.get("definitions"), list):
        raise _refuse("definitions", "An envelope holds the definitions of its operators.")
    runs, outcomes = result.get("runs"), result.get("outcomes")
    for name, listed, is_form in (("runs", runs, _is_run), ("outcomes", outcomes, _is_outcome)):
        if not isinstance(listed, list) or not 1 <= len(listed) <= _LIMITS["runs"]:
            raise _refuse(name, f"An envelope holds its {name}: from 1 to {_LIMITS['runs']} are expected.")
        for at, one in enumerate(listed):
            if not is_form(one):
                raise _refuse(f"{name}.{at}", f"An envelope holds its {name}: element {at} has another form.")
    if len(runs or []) != len(outcomes or []):
        raise _refuse("outcomes", "An envelope holds one outcome for each of its runs.")
    try:
        canonical_json(result)
    except (TypeError, RecursionError):
        raise _refuse("", "This holds something that JSON cannot say.") from None
    _assert_plain(result, _LIMITS["depth"])


def _assert_plain(value: Any, levels: int) -> None:
    """What a node refuses in a body is refused in a file."""
    if not isinstance(value, (dict, list, tuple)):
        return
    if levels == 0:
        raise _refuse("", f"An envelope is nested at most {_LIMITS['depth']} levels deep.")
    for child in value.values() if isinstance(value, dict) else value:
        _assert_plain(child, levels - 1)
    forbidden = next((name for name in value if name in _FORBIDDEN), None) if isinstance(value, dict) else None
    if forbidden is not None:
        raise _refuse(forbidden, f"An envelope has no field of the name {forbidden}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or math.isfinite(value))


def _is_whole(value: Any, least: int) -> bool:
    return _is_finite(value) and value == int(value) and least <= value < 2**53


def _is_sha256(value: Any) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 64 and all(_is_name(name) for name in value)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 64 and all(_is_name(name) for name in value)


def _is_run(run: Any) -> bool:
    if not isinstance(run, dict) or not _is_record(run.get("parameters")) or not _is_record(run.get("inputs")):
        return False
    words = ("-0", "NaN", "Infinity", "-Infinity")
    parameters = all(_is_finite(one) or (isinstance(one, str) and one in words) for one in run["parameters"].values())
    steps = _is_finite(run.get("steps")) and 0 <= run["steps"] <= 1e12
    names = _are_names(run.get("outputs")) and _are_names(run.get("statistics"))
    return parameters and steps and names and all(_is_run_array(one) for one in run["inputs"].values())


def _is_run_array(entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.get("type") not in ("f64", "i32") or not _is_sha256(entry.get("sha256")):
        return False
    data = entry.get("base64", "")
    return _is_whole(entry.get("length"), 0) and isinstance(data, str) and len(data) <= 4_000_000


def _is_outcome(outcome: Any) -> bool:
    if not isinstance(outcome, dict) or not _is_record(outcome.get("views")):
        return False
    numbers = _is_finite(outcome.get("info")) and _is_finite(outcome.get("steps"))
    hashes = [*outcome["views"].values(), outcome.get("statistics")]
    return numbers and all(_is_sha256(one) for one in hashes)
