"""Fronts by the method of lines: LSODA with a banded Jacobian (scipy).

Reads a case, a number of intervals and a relative tolerance per line; its numbers are the speed of the front over the
second part of the run, with a spline through the profile.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline


def place(x, u):
    i = np.nonzero(u >= 0.5)[0][-1]
    near = slice(max(0, i - 6), i + 8)
    roots = CubicSpline(x[near], u[near] - 0.5).roots(extrapolate=False)
    return roots[roots >= x[i]][0]


def run(case, cells, tolerance):
    length, start, end = (60, 5, 10) if case == "wave" else (130, 40, 50)
    h = length / cells
    x = np.linspace(0, length, cells + 1)
    u = (1 + np.exp((x - 20) / np.sqrt(6))) ** -2.0 if case == "wave" else np.maximum(0, 1 - x / 5)

    def rate(t, u):
        d = np.empty_like(u)
        d[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        d[0], d[-1] = 2 * (u[1] - u[0]), 2 * (u[-2] - u[-1])
        return d / h**2 + u * (1 - u)

    y = solve_ivp(rate, (0, end), u, method="LSODA", t_eval=[start, end], rtol=tolerance, atol=1e-12, lband=1, uband=1).y
    return (place(x, y[:, 1]) - place(x, y[:, 0])) / (end - start)


serve(lambda case, cells, tolerance: lambda: run(case, int(cells), float(tolerance)))
