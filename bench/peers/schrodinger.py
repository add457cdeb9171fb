"""The oscillator on n nodes of (-10, 10) by scipy's bisection (LAPACK dstebz), with dstein for vectors.

Reads "nodes states vectors" per line; prints one line: CPU seconds, number of runs, energies.
"""
import sys
import time

import numpy as np
from scipy.linalg import eigh_tridiagonal

for line in sys.stdin:
    n, k, wants_vectors = map(int, line.split())
    h = 20 / (n + 1)
    x = -10 + h * np.arange(1, n + 1)
    diagonal, off_diagonal = 1 / h**2 + x**2 / 2, np.full(n - 1, -0.5 / h**2)
    runs, begin = 0, time.process_time()
    while runs == 0 or time.process_time() - begin < 0.1:
        result = eigh_tridiagonal(
            diagonal,
            off_diagonal,
            eigvals_only=not wants_vectors,
            select="i",
            select_range=(0, k - 1),
            lapack_driver="stebz",
            check_finite=False,
        )
        runs += 1
    seconds = time.process_time() - begin
    energies = result[0] if wants_vectors else result
    print(seconds, runs, *(repr(float(energy)) for energy in energies), flush=True)
