"""Zeros of the zeta function by mpmath with 15 digits.

Reads "count t" or "zero k" per line; its number is N(t), or the place of the zero.
"""
import mpmath
from peer import serve


def zeros(task, number):
    if task == "count":
        return lambda: int(mpmath.nzeros(mpmath.mpf(number)))
    return lambda: float(mpmath.zetazero(int(number)).imag)


serve(zeros)
