"""Kepler's orbit of semi-major axis 1 from its perihelion with scipy's DOP853.

Reads "eccentricity tEnd rtol" per line; its numbers are x, y, vx, vy at the end.
"""
import math

from peer import serve
from scipy.integrate import solve_ivp


def orbit(e, end, rtol):
    e, end, rtol = float(e), float(end), float(rtol)
    start = (1 - e, 0.0, 0.0, math.sqrt((1 + e) / (1 - e)))

    def slopes(t, s):
        x, y, vx, vy = s
        r2 = x * x + y * y
        w = -1 / (r2 * math.sqrt(r2))
        return (vx, vy, w * x, w * y)

    return lambda: solve_ivp(slopes, (0, end), start, method="DOP853", rtol=rtol, atol=rtol).y[:, -1]


serve(orbit)
