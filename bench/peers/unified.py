"""Systems of differential equations with scipy.

Reads "problem method rtol" per line; its numbers are the evaluations and the final state.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp

MU = 0.012277471
NU = 1 - MU


def arenstorf(t, y):
    d1 = ((y[0] + MU) ** 2 + y[1] ** 2) ** 1.5
    d2 = ((y[0] - NU) ** 2 + y[1] ** 2) ** 1.5
    return [
        y[2],
        y[3],
        y[0] + 2 * y[3] - NU * (y[0] + MU) / d1 - MU * (y[0] - NU) / d2,
        y[1] - 2 * y[2] - NU * y[1] / d1 - MU * y[1] / d2,
    ]


def robertson(t, y):
    fast = 1e4 * y[1] * y[2]
    slow = 3e7 * y[1] ** 2
    return [-0.04 * y[0] + fast, 0.04 * y[0] - fast - slow, slow]


def lorenz(t, y):
    return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]


PROBLEMS = {
    "arenstorf": (arenstorf, 17.0652165601579625588917206249, [0.994, 0, 0, -2.00158510637908252], 1e-3),
    "lorenz": (lorenz, 10.0, [1.0, 1.0, 1.0], 1e-3),
    "robertson": (robertson, 40.0, [1.0, 0.0, 0.0], 1e-8),
}


def problem(name, method, rtol):
    f, end, start, atol_ratio = PROBLEMS[name]
    tolerances = {"rtol": float(rtol), "atol": float(rtol) * atol_ratio}

    def run():
        result = solve_ivp(f, (0, end), np.array(start), method=method, **tolerances)
        return [result.nfev, *result.y[:, -1]]

    return run


serve(problem, seconds=0.2)
