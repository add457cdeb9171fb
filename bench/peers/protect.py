"""The guard equation P'' + mu P = 0 over a whole turn with scipy: DOP853 at 1e-13.

Reads "mu end points" per line; its number is P at the end.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp


def solve(mu, end, points):
    mu, end, points = float(mu), float(end), int(points)
    t = np.linspace(0, end, points)
    f = lambda t, y: [y[1], -mu * y[0]]
    return lambda: [solve_ivp(f, (0, end), [1.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=t).y[0, -1]]


serve(solve)
