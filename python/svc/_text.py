"""A number and its ± as texts of as many digits as ± supports: two digits of ±, the number to the same place."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Optional, Tuple

from ._json import number_text

#: Above this, rounding to the place of the uncertainty saves nothing.
_MAX_DIGITS = 15
#: Decimals without an exponent are readable between these powers of ten.
_MIN_FIXED, _MAX_FIXED = -4, 7
_MAX_PLACE = 3
#: Exact for every double.
_EXACT = Context(prec=1_100, rounding=ROUND_HALF_UP)


def _rounded(value: float, digits: int) -> float:
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).plus(Decimal(value)))


def _exponent(value: float) -> int:
    return Decimal(number_text(value)).adjusted()


def _fixed(value: Decimal, decimals: int) -> str:
    return f"{value.quantize(Decimal(1).scaleb(-decimals), context=_EXACT):f}"


def rounded_pair(value: float, uncertainty: float) -> Optional[Tuple[str, str]]:
    """`8.676e-20` and `0.035e-20`; None for what is not finite, or for a negative uncertainty."""
    if not math.isfinite(value) or not math.isfinite(uncertainty) or uncertainty < 0:
        return None
    if uncertainty == 0:
        return number_text(value), "0"
    short = _rounded(uncertainty, 2)
    if not math.isfinite(short):
        return None
    place = _exponent(short) - 1
    top = place if value == 0 else _exponent(value)
    if top < place:
        # The value drowns in its uncertainty.
        return number_text(_rounded(value, 2)), number_text(short)
    digits = top - place + 1
    if digits > _MAX_DIGITS:
        return number_text(value), number_text(short)
    rounded = _rounded(value, digits)
    if not math.isfinite(rounded):
        return None
    if _MIN_FIXED <= top <= _MAX_FIXED and place < _MAX_PLACE:
        decimals = max(0, -place)
        return _fixed(Decimal(rounded), decimals), _fixed(Decimal(short), decimals)
    return _scaled(rounded, top, digits), _scaled(short, top, digits)


def _scaled(value: float, top: int, digits: int) -> str:
    # The shortest digits, shifted and rounded once to a double, as svc prints them.
    shifted = float(Decimal(number_text(value)).scaleb(-top, context=_EXACT))
    return f"{_fixed(Decimal(shifted), digits - 1)}e{top}"


def value_text(value: Optional[float], uncertainty: Optional[float], unit: str) -> str:
    """`8.676e-20 ± 0.035e-20 J`"""
    if value is None:
        return "NaN"
    tail = "" if unit in ("", "1") else f" {unit}"
    if uncertainty is None:
        return f"{number_text(_rounded(value, 8)) if math.isfinite(value) else value}{tail}"
    pair = rounded_pair(value, uncertainty)
    return f"{pair[0]} ± {pair[1]}{tail}" if pair else f"{value} ± {uncertainty}{tail}"
