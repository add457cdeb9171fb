"""Lotka and Volterra's period with scipy's solve_ivp and an event at the predators' maximum.

Reads "alpha beta gamma delta x0 y0 method rtol" per line; its number is the time between the first two of them.
"""
from peer import serve
from scipy.integrate import solve_ivp


def solve(alpha, beta, gamma, delta, x0, y0, method, rtol):
    alpha, beta, gamma, delta, x0, y0, rtol = map(float, (alpha, beta, gamma, delta, x0, y0, rtol))

    def slopes(t, z):
        xy = z[0] * z[1]
        return [alpha * z[0] - beta * xy, delta * xy - gamma * z[1]]

    def top(t, z):
        return z[0] - gamma / delta

    top.direction = -1
    span = 2.6 * 6.3 / (alpha * gamma) ** 0.5

    def run():
        times = solve_ivp(slopes, (0, span), [x0, y0], method=method, rtol=rtol, atol=rtol * 1e-3, events=top).t_events[0]
        return [times[1] - times[0]]

    return run


serve(solve)
