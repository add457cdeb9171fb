"""Duffing's hardening equation from rest with scipy: ellipj at the closed form, or solve_ivp.

Reads "a b amplitude end points method" per line; its numbers are phi at the end, and dphi.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp
from scipy.special import ellipj


def solve(a, b, amplitude, end, points, method):
    a, b, amplitude, end, points = float(a), float(b), float(amplitude), float(end), int(points)
    t = np.linspace(0, end, points)
    square = a + b * amplitude**2
    w, m = np.sqrt(square), b * amplitude**2 / (2 * square)

    def closed():
        sn, cn, dn, _ = ellipj(w * t, m)
        phi, dphi = amplitude * cn, -amplitude * w * sn * dn
        return [phi[-1], dphi[-1]]

    def integrated():
        f = lambda t, y: [y[1], -y[0] * (a + b * y[0] ** 2)]
        y = solve_ivp(f, (0, end), [amplitude, 0.0], method=method, rtol=1e-13, atol=1e-14, t_eval=t).y
        return list(y[:, -1])

    return closed if method == "ellipj" else integrated


serve(solve)
