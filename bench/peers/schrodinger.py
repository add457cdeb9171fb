"""The oscillator on n nodes of (-10, 10) by scipy's bisection (LAPACK dstebz), with dstein for vectors.

Reads "nodes states vectors" per line; its numbers are the energies.
"""
import numpy as np
from peer import serve
from scipy.linalg import eigh_tridiagonal


def oscillator(nodes, states, vectors):
    n, wants_vectors = int(nodes), int(vectors)
    h = 20 / (n + 1)
    x = -10 + h * np.arange(1, n + 1)
    diagonal, off_diagonal = 1 / h**2 + x**2 / 2, np.full(n - 1, -0.5 / h**2)

    def run():
        result = eigh_tridiagonal(
            diagonal,
            off_diagonal,
            eigvals_only=not wants_vectors,
            select="i",
            select_range=(0, int(states) - 1),
            lapack_driver="stebz",
            check_finite=False,
        )
        return result[0] if wants_vectors else result

    return run


serve(oscillator)
