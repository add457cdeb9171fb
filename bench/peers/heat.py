"""Crank-Nicolson and ADI with scipy and numpy.

Reads the name of a case per line; its number is the temperature at the centre.
"""
import numpy as np
from peer import serve
from scipy.linalg import solve_banded


def bands(n, r):
    matrix = np.zeros((3, n))
    matrix[0, 1:] = matrix[2, :-1] = -r / 2
    matrix[1] = 1 + r
    return matrix


def explicit(u, r):
    """(1 - B) u along the first axis."""
    b = (1 - r) * u
    b[1:] += r / 2 * u[:-1]
    b[:-1] += r / 2 * u[1:]
    return b


def banded(n, r):
    matrix = bands(n, r)
    return lambda b: solve_banded((1, 1), matrix, b, overwrite_b=True, check_finite=False)


def thomas(n, r):
    """Solves all columns at once, one numpy statement per row; factors once."""
    ratio, inverse = np.zeros(n), np.zeros(n)
    for i in range(n):
        inverse[i] = 1 / (1 + r - r / 2 * ratio[i - 1])
        ratio[i] = r / 2 * inverse[i]

    def solve(b):
        b[0] *= inverse[0]
        for i in range(1, n):
            b[i] += r / 2 * b[i - 1]
            b[i] *= inverse[i]
        for i in range(n - 2, -1, -1):
            b[i] += ratio[i] * b[i + 1]
        return b

    return solve


def rod(cells=1024, steps=1600, t_end=0.1):
    n, r = cells - 1, t_end / steps * cells**2
    solve = banded(n, r)
    u = np.sin(np.pi / cells * np.arange(1, cells))
    for _ in range(steps):
        u = solve(explicit(u, r))
    return u[n // 2]


def plate(solver, cells=128, steps=100, t_end=0.02):
    n, r = cells - 1, t_end / steps * cells**2
    solve = solver(n, r)
    x = np.sin(np.pi / cells * np.arange(1, cells))
    u = np.outer(x, x)
    for _ in range(steps):
        half = solve(explicit(u, r).T.copy())
        u = solve(explicit(half, r).T.copy())
    return u[n // 2, n // 2]


def dense(cells=128, steps=100, t_end=0.02):
    """The same step as two products with a dense matrix, in BLAS."""
    n, r = cells - 1, t_end / steps * cells**2
    identity = np.eye(n)
    step = banded(n, r)(explicit(identity, r))
    x = np.sin(np.pi / cells * np.arange(1, cells))
    u = np.outer(x, x)
    for _ in range(steps):
        u = step @ u @ step.T
    return u[n // 2, n // 2]


CASES = {
    "rod": rod,
    "plate-thomas": lambda: plate(thomas),
    "plate-banded": lambda: plate(banded),
    "plate-dense": dense,
}

serve(lambda name: CASES[name])
