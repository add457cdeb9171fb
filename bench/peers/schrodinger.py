"""The oscillator on n nodes of (-10, 10) by scipy's bisection (LAPACK dstebz), and dstein where vectors are wanted.

Reads "nodes states vectors" a line, answers one line: CPU seconds, runs timed, the energies.
"""
import sys
import time

import numpy as np
from scipy.linalg import eigh_tridiagonal

for line in sys.stdin:
    n, k, wants_vectors = map(int, line.split())
    h = 20 / (n + 1)
    x = -10 + h * np.arange(1, n + 1)
    diagonal, beside = 1 / h**2 + x**2 / 2, np.full(n - 1, -0.5 / h**2)
    runs, begin = 0, time.process_time()
    while runs == 0 or time.process_time() - begin < 0.1:
        found = eigh_tridiagonal(
            diagonal,
            beside,
            eigvals_only=not wants_vectors,
            select="i",
            select_range=(0, k - 1),
            lapack_driver="stebz",
            check_finite=False,
        )
        runs += 1
    seconds = time.process_time() - begin
    energies = found[0] if wants_vectors else found
    print(seconds, runs, *(repr(float(energy)) for energy in energies), flush=True)
