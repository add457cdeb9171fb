"""Kuramoto's chain with scipy: DOP853 at a tolerance, with the integral of r as a state.

Reads "K end tolerance omega..." per line; its numbers are the mean of r over the second half, and the evaluations.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp


def solve(K, end, tolerance, *omega):
    K, end, tolerance = float(K), float(end), float(tolerance)
    w = np.array([float(one) for one in omega])
    w -= w.mean()
    n = len(w)

    def f(t, y):
        pull = K * np.sin(np.diff(y[:n]))
        d = np.empty(n + 1)
        d[:n] = w
        d[: n - 1] += pull
        d[1:n] -= pull
        d[n] = abs(np.exp(1j * y[:n]).mean())
        return d

    def run():
        y = solve_ivp(f, (0, end), np.zeros(n + 1), method="DOP853", rtol=tolerance, atol=tolerance, t_eval=[end / 2, end])
        return [(y.y[n, 1] - y.y[n, 0]) / (end / 2), y.nfev]

    return run


serve(solve)
