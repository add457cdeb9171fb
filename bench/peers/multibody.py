"""Bodies under gravity in a plane with scipy's solve_ivp.

Reads "tEnd rtol n" and then "mass x y vx vy" of each body per line; its numbers are the places at the end.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp


def solve(end, rtol, count, *words):
    end, rtol, n = float(end), float(rtol), int(count)
    rows = np.array([float(word) for word in words]).reshape(n, 5)
    masses, start = rows[:, 0], np.concatenate([rows[:, 1:3].ravel(), rows[:, 3:5].ravel()])

    def slopes(t, y):
        x = y[: 2 * n].reshape(n, 2)
        d = x[None, :, :] - x[:, None, :]
        r2 = (d * d).sum(axis=2)
        np.fill_diagonal(r2, 1)
        a = ((masses[None, :] / (r2 * np.sqrt(r2)))[:, :, None] * d).sum(axis=1)
        return np.concatenate([y[2 * n :], a.ravel()])

    def run():
        found = solve_ivp(slopes, (0, end), start, method="DOP853", rtol=rtol, atol=rtol)
        return found.y[: 2 * n, -1]

    return run


serve(solve)
