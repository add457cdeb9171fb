"""Verification of Ed25519 signatures (RFC 8032, section 5.1.7) with the verdicts of svc.

`cryptography` decides quickly where it is installed. It checks the equation without the cofactor, so what it refuses is
decided here with the cofactor, as in svc: both ways accept the same signatures. Keys of small order are refused.
"""

from __future__ import annotations

import hashlib
import importlib
from typing import Any, Callable, List, NamedTuple, Optional

#: The field has 2^255 − 19 elements, the base point the order L; −x² + y² = 1 + d x² y².
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
#: A square root of −1.
ROOT = 19681161376707505956807079304988542015446066515923890162744021073123829784752
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
_MASK = 2**255 - 1
#: Bits of a digit of a scalar, and digits of a scalar below L.
_WINDOW = 4
_DIGITS = 64


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, x y = T/Z."""

    x: int
    y: int
    z: int
    t: int


ZERO = Point(0, 1, 1, 0)
BASE = Point(BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def add(one: Point, two: Point) -> Point:
    """RFC 8032, section 5.1.4; complete, so it doubles too."""
    a = (one.y - one.x) * (two.y - two.x) % P
    b = (one.y + one.x) * (two.y + two.x) % P
    c = 2 * D * one.t * two.t % P
    d = 2 * one.z * two.z % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def double(one: Point) -> Point:
    a = one.x * one.x % P
    b = one.y * one.y % P
    h = a + b
    e = h - (one.x + one.y) ** 2
    g = a - b
    f = 2 * one.z * one.z + g
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def negate(one: Point) -> Point:
    return Point(-one.x % P, one.y, one.z, -one.t % P)


def is_zero(one: Point) -> bool:
    return one.x % P == 0 and (one.y - one.z) % P == 0


def times_cofactor(one: Point) -> Point:
    return double(double(double(one)))


def decode(data: bytes) -> Optional[Point]:
    """The point of 32 bytes; None unless they are its one encoding (RFC 8032, section 5.1.3)."""
    number = int.from_bytes(data, "little")
    y, sign = number & _MASK, number >> 255
    if len(data) != 32 or y >= P:
        return None
    u = (y * y - 1) % P
    v = (D * y * y + 1) % P
    # (u/v)^((p+3)/8) without an inversion.
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P != 0:
        x = x * ROOT % P
        if (v * x * x - u) % P != 0:
            return None
    if x == 0 and sign == 1:
        return None
    if x & 1 != sign:
        x = P - x
    return Point(x, y, 1, x * y % P)


def _table(one: Point) -> List[Point]:
    """0 to 15 times a point."""
    multiples = [ZERO, one]
    while len(multiples) < 2**_WINDOW:
        multiples.append(add(multiples[-1], one))
    return multiples


_BASE_TABLE = _table(BASE)


def _sum(s: int, k: int, point: Point) -> Point:
    """s · base + k · point, digit by digit from the top."""
    other = _table(point)
    total = ZERO
    for place in range((_DIGITS - 1) * _WINDOW, -1, -_WINDOW):
        for _ in range(_WINDOW):
            total = double(total)
        total = add(total, _BASE_TABLE[s >> place & 15])
        total = add(total, other[k >> place & 15])
    return total


def verify_here(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the key signed the message, without other libraries. False for malformed keys and signatures."""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r = decode(key), decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L or is_zero(times_cofactor(a)):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return is_zero(times_cofactor(add(_sum(s, k, negate(a)), negate(r))))


def _load() -> Optional[Callable[[bytes, bytes, bytes], bool]]:
    try:
        module: Any = importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        invalid: Any = importlib.import_module("cryptography.exceptions").InvalidSignature
    except ImportError:
        return None

    def check(key: bytes, message: bytes, signature: bytes) -> bool:
        try:
            module.Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
            return True
        except (invalid, ValueError):
            return False

    return check


_fast = _load()
#: The library that decides first; `python` without one.
BACKEND = "python" if _fast is None else "cryptography"


def verify_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the key signed the message; never raises."""
    point = decode(key)
    if point is None or is_zero(times_cofactor(point)):
        return False
    if _fast is not None and _fast(key, message, signature):
        return True
    return verify_here(key, message, signature)
