"""SIR and SEIR with scipy's solve_ivp.

Reads "beta gamma sigma N I0 days samples method rtol" per line, sigma 0 for SIR; its numbers are the infectious at the
samples.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp


def sir(beta, gamma, _):
    def slopes(t, y):
        new = beta * y[0] * y[1]
        return [-new, new - gamma * y[1], gamma * y[1], new]

    return slopes, 1


def seir(beta, gamma, sigma):
    def slopes(t, y):
        new = beta * y[0] * y[2]
        return [-new, new - sigma * y[1], sigma * y[1] - gamma * y[2], gamma * y[2], new]

    return slopes, 2


def solve(beta, gamma, sigma, people, infectious, days, samples, method, rtol):
    beta, gamma, sigma, people, infectious, days, rtol = map(
        float, (beta, gamma, sigma, people, infectious, days, rtol)
    )
    slopes, at = (seir if sigma > 0 else sir)(beta / people, gamma, sigma)
    start = np.zeros(at + 3)
    start[0], start[at] = people - infectious, infectious
    times = np.linspace(0, days, int(samples))

    def run():
        run_of = solve_ivp(slopes, (0, days), start, method=method, rtol=rtol, atol=rtol * 1e-3, t_eval=times)
        return list(run_of.y[at])

    return run


serve(solve)
