"""Peer of bench/acoustic.ts: modes of a rigid rectangle of 1.0 by 0.7 m by finite volumes and scipy's eigsh."""
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from peer import serve


def prepare(n):
    nx, ny = int(n), round(0.7 * int(n))

    def run():
        line = lambda m, h: sp.diags([-np.ones(m - 1), np.r_[1, 2 * np.ones(m - 2), 1], -np.ones(m - 1)], [-1, 0, 1]) / h**2
        A = sp.kron(sp.eye(ny), line(nx, 1 / nx)) + sp.kron(line(ny, 0.7 / ny), sp.eye(nx))
        return 343 / (2 * np.pi) * np.sqrt(np.sort(eigsh(A.tocsc(), 9, sigma=-1, return_eigenvectors=False))[1:])

    return run


serve(prepare)
