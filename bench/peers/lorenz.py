"""Two close solutions of Lorenz's equations with scipy's solve_ivp.

Reads "sigma rho beta t method rtol x y z delta" per line; its numbers are the six states at t.
"""
from peer import serve
from scipy.integrate import solve_ivp


def solve(sigma, rho, beta, end, method, rtol, x, y, z, delta):
    sigma, rho, beta, end, rtol, x, y, z, delta = map(float, (sigma, rho, beta, end, rtol, x, y, z, delta))

    def slopes(t, s):
        a, b, c, d, e, f = s
        return [sigma * (b - a), a * (rho - c) - b, a * b - beta * c, sigma * (e - d), d * (rho - f) - e, d * e - beta * f]

    def run():
        return list(solve_ivp(slopes, (0, end), [x, y, z, x + delta, y, z], method=method, rtol=rtol, atol=rtol * 1e-3).y[:, -1])

    return run


serve(solve)
