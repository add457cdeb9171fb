"""JSON as svc reads and writes it: kept as it came or refused, and canonical (RFC 8785) for hashes."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Dict, List, Tuple

from ._errors import InputError

MAX_DEPTH = 64
#: Integers below this are doubles.
_SAFE = 2**53
_NOT_ZERO = re.compile(r"-?[0.]*[1-9]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def number_text(value: float) -> str:
    """A finite double as ECMAScript prints it: `0.1`, `1e+21`, `5e-324`; 0 for −0."""
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    written = (whole + fraction).rstrip("0")
    digits = written.lstrip("0")
    # The value is 0.digits times ten to this power.
    point = len(whole) + int(exponent or 0) - (len(written) - len(digits))
    count = len(digits)
    if count <= point <= 21:
        text = digits + "0" * (point - count)
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        tail = f".{digits[1:]}" if count > 1 else ""
        text = f"{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"-{text}" if value < 0 else text


def canonical_json(value: Any) -> str:
    """RFC 8785 canonical JSON: sorted keys, numbers and strings as in ECMAScript, no white space.

    Raises TypeError for what has none: NaN, infinities, integers that no double holds, lone surrogates, other types,
    nesting deeper than 64 levels.
    """
    return _write(value, 0)


def _write(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return _write_string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _write_number(value)
    if depth == MAX_DEPTH:
        raise TypeError(f"The value is nested deeper than {MAX_DEPTH} levels, or contains a cycle.")
    if isinstance(value, (list, tuple)):
        return f"[{','.join([_write(one, depth + 1) for one in value])}]"
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("A key that is no text has no canonical JSON.")
        parts = [f"{_write_string(key)}:{_write(value[key], depth + 1)}" for key in sorted(value, key=_utf16)]
        return f"{{{','.join(parts)}}}"
    raise TypeError(f"A {type(value).__name__} has no canonical JSON.")


def _utf16(key: str) -> bytes:
    """Orders keys by UTF-16 code units, as RFC 8785 requires."""
    return key.encode("utf-16-be", "surrogatepass")


def _write_number(value: float) -> str:
    if isinstance(value, int) and -_SAFE < value < _SAFE:
        return str(value)
    number = double_of(value)
    if not math.isfinite(number):
        raise TypeError(f"{value} has no canonical JSON.")
    return number_text(number)


def double_of(value: float) -> float:
    """The double of a number of JSON. Raises TypeError for an integer that no double holds."""
    if isinstance(value, float):
        return value
    try:
        number = float(value)
    except OverflowError:
        raise TypeError(f"{value} exceeds the range of doubles.") from None
    # Equal, or the shortest digits of a double, as programs write it.
    if int(number) != value and number_text(number) != str(value):
        raise TypeError(f"{value} is no double.")
    return number


def _write_string(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise TypeError("A string with a lone surrogate has no canonical JSON.") from None
    return json.dumps(text, ensure_ascii=False)


def strict_loads(text: str) -> Any:
    """The value of a JSON text, kept as it came.

    Refused with InputError: other integers than a double holds (unless they are its shortest digits), numbers beyond
    the range of doubles, a key twice in one object, lone surrogates. −0 stays −0. ValueError if the text is no JSON.
    """
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=_real,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise InputError("VALIDATION_FAILED", f"The value is nested deeper than {MAX_DEPTH} levels.") from None
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                "VALIDATION_FAILED", "The value has a lone surrogate; Unicode text is expected."
            ) from None
    return value


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON.")


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise InputError(
            "VALIDATION_FAILED",
            f"{key[:64]!a} is given twice; one value is expected.",
            field=key,
            allowed="one value is expected",
        )
    return value


def _short(text: str) -> str:
    return text if len(text) <= 64 else f"{text[:64]}…"


def _real(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise InputError(
            "VALIDATION_FAILED", f"{_short(text)} is given; a number up to 1.7976931348623157e308 in size is expected."
        )
    if value == 0 and _NOT_ZERO.match(text):
        message = f"{_short(text)} is given; 0 or a number from 5e-324 in size is expected."
        raise InputError("VALIDATION_FAILED", message)
    return value


def _integer(text: str) -> float:
    if text == "-0":
        return -0.0
    value = _real(text)
    exact = int(value)
    if len(text) < 16 or str(exact) == text:
        return exact
    if number_text(value) != text:
        nearest = f"an integer that a double holds is expected, like {exact}, or the digits as a text"
        raise InputError("VALIDATION_FAILED", f"{_short(text)} is given; {nearest}.")
    return value
