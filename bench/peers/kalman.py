"""Kalman's filter of constant velocity with numpy, Joseph's form, row by row; or the steady state with scipy.

Reads "filter rows" or "steady states" per line. Its numbers are the variance of the position after the last row, and the
likelihood; or an element of the solution of the Riccati equation.
"""
import numpy as np
from peer import serve
from scipy.linalg import solve_discrete_are


def solve(what, size):
    size = int(size)

    def filtered():
        F, H, R = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]]), np.array([[1.0]])
        Q = 0.04 * np.array([[0.25, 0.5], [0.5, 1.0]])
        x, P, eye, likelihood = np.zeros(2), np.diag([10.0, 1.0]), np.eye(2), 0.0
        for k in range(size):
            if k:
                x, P = F @ x, F @ P @ F.T + Q
            S = H @ P @ H.T + R
            K = np.linalg.solve(S, H @ P).T
            nu = np.array([k % 7.0]) - H @ x
            x = x + K @ nu
            A = eye - K @ H
            P = A @ P @ A.T + K @ R @ K.T
            likelihood -= 0.5 * (np.log(2 * np.pi * S[0, 0]) + nu[0] ** 2 / S[0, 0])
        return [P[0, 0], likelihood]

    def steady():
        F = np.eye(size) + np.diag(np.ones(size - 1), 1) * 0.5 if size > 2 else np.array([[1.0, 1.0], [0.0, 1.0]])
        H = np.zeros((1, size))
        H[0, 0] = 1
        Q = 0.01 * np.eye(size) if size > 2 else 0.04 * np.array([[0.25, 0.5], [0.5, 1.0]])
        return [solve_discrete_are(F.T, H.T, Q, np.eye(1))[0, 0]]

    return filtered if what == "filter" else steady


serve(solve)
