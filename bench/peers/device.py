"""Poisson's equation in the unit square, five points, by scipy's conjugate gradients with Jacobi's preconditioner.

Reads "cells tolerance" per line. Its numbers are the potential in the middle and the iterations. Assembly is not in the time.
"""
import numpy as np
from peer import serve
from scipy.sparse import diags, identity, kron
from scipy.sparse.linalg import LinearOperator, cg


def square(cells, tolerance):
    n = int(cells)
    line = diags([-np.ones(n - 2), 2 * np.ones(n - 1), -np.ones(n - 2)], [-1, 0, 1])
    a = (kron(line, identity(n - 1)) + kron(identity(n - 1), line)).tocsr()
    b = np.full((n - 1) ** 2, 1 / n**2)
    jacobi = LinearOperator(a.shape, matvec=lambda r: 0.25 * r)

    def solve():
        count = [0]

        def step(_):
            count[0] += 1

        try:
            x, _ = cg(a, b, rtol=tolerance, M=jacobi, callback=step)
        except TypeError:
            x, _ = cg(a, b, tol=tolerance, M=jacobi, callback=step)
        return [x[(n // 2 - 1) * (n - 1) + n // 2 - 1], count[0]]

    return solve


serve(square)
