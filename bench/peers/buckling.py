"""Critical loads of a column between pins, Hermite elements of unit stiffness and length, by scipy's eigh (LAPACK).

Reads "elements modes kind" per line: kind 0 is eigh with dense matrices, 1 is eigsh with sparse ones, shift 0. Its numbers are
the loads. Assembly is not in the time of this peer.
"""
import numpy as np
from peer import serve
from scipy.linalg import eigh
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import eigsh


def column(elements, modes, kind):
    n, k = int(elements), int(modes)
    h = 1 / n
    bend = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                     [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]) / h**3
    geometric = np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h],
                          [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]]) / (30 * h)
    stiffness, load = np.zeros((2 * n + 2, 2 * n + 2)), np.zeros((2 * n + 2, 2 * n + 2))
    for e in range(n):
        stiffness[2 * e:2 * e + 4, 2 * e:2 * e + 4] += bend
        load[2 * e:2 * e + 4, 2 * e:2 * e + 4] += geometric
    free = [i for i in range(2 * n + 2) if i not in (0, 2 * n)]
    stiffness, load = stiffness[np.ix_(free, free)], load[np.ix_(free, free)]
    if int(kind) == 1:
        a, b = csc_matrix(stiffness), csc_matrix(load)
        return lambda: np.sort(eigsh(a, k, b, sigma=0, which="LM", return_eigenvectors=True)[0])
    return lambda: eigh(stiffness, load, subset_by_index=[0, k - 1])[0]


serve(column)
