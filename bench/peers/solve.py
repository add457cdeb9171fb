"""The master field on a line with scipy's solve_ivp.

Reads "tEnd rtol" and then g, alpha, beta, damping, drag, drive, omega, phi0, dphi0 per line; its numbers are phi and dphi at
the end.
"""
import math

from peer import serve
from scipy.integrate import solve_ivp


def solve(end, rtol, *words):
    end, rtol = float(end), float(rtol)
    g, a, b, d, c, f, w, x, v = (float(word) for word in words)

    def slopes(t, y):
        phi, dphi = y
        loss = (d + c * abs(dphi)) * dphi
        return (dphi, -g - a * phi - b * phi**3 - loss + f * math.cos(w * t))

    def run():
        return solve_ivp(slopes, (0, end), (x, v), method="DOP853", rtol=rtol, atol=rtol).y[:, -1]

    return run


serve(solve)
