"""Point kinetics after a step from equilibrium with scipy's solve_ivp.

Reads "rho end Lambda method rtol beta_1 … beta_6 lambda_1 … lambda_6" per line; its number is the power at the end.
"""
import numpy as np
from peer import serve
from scipy.integrate import solve_ivp


def solve(rho, end, generation, method, rtol, *groups):
    rho, end, generation, rtol = map(float, (rho, end, generation, rtol))
    beta, decay = np.array(list(map(float, groups))).reshape(2, 6)
    matrix = np.zeros((7, 7))
    matrix[0, 0] = (rho - beta.sum()) / generation
    matrix[0, 1:] = decay
    matrix[1:, 0] = beta / generation
    matrix[1:, 1:] = -np.diag(decay)
    start = np.concatenate([[1.0], beta / generation / decay])
    options = {} if method == "DOP853" else {"jac": (lambda t, y: matrix) if method == "LSODA" else matrix}

    def run():
        solution = solve_ivp(lambda t, y: matrix @ y, (0, end), start, method=method, rtol=rtol, atol=rtol * 1e-3, **options)
        return [solution.y[0, -1]]

    return run


serve(solve)
