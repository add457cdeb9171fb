"""Minimisation with scipy, by analytic slopes.

Reads "function n method" per line, of rosenbrock (chained), meyer, watson, powell-bad, powell-singular and brown-dennis, and
BFGS, L-BFGS-B, Nelder-Mead or least_squares; its numbers are f at the end and how often it was computed.
"""
import numpy as np
from peer import serve
from scipy.optimize import least_squares, minimize, rosen, rosen_der

MEYER = np.array([34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872])
TIMES = 45 + 5 * np.arange(1, 17)


def rosenbrock(n):
    def residuals(x):
        return np.concatenate((10 * (x[1:] - x[:-1] ** 2), 1 - x[:-1]))

    def jacobian(x):
        m = n - 1
        rows = np.zeros((2 * m, n))
        i = np.arange(m)
        rows[i, i] = -20 * x[:-1]
        rows[i, i + 1] = 10
        rows[m + i, i] = -1
        return rows

    return residuals, jacobian, np.where(np.arange(n) % 2 == 0, -1.2, 1.0), (rosen, rosen_der)


def meyer(_):
    def residuals(x):
        return x[0] * np.exp(x[1] / (TIMES + x[2])) - MEYER

    def jacobian(x):
        e = np.exp(x[1] / (TIMES + x[2]))
        return np.stack((e, x[0] * e / (TIMES + x[2]), -x[0] * x[1] * e / (TIMES + x[2]) ** 2), axis=1)

    return residuals, jacobian, np.array([0.02, 4000.0, 250.0]), None


def watson(n):
    t = np.arange(1, 30) / 29
    powers = t[:, None] ** np.arange(n)
    slopes = np.zeros((29, n))
    slopes[:, 1:] = np.arange(1, n) * t[:, None] ** np.arange(n - 1)

    def residuals(x):
        return np.concatenate((slopes @ x - (powers @ x) ** 2 - 1, [x[0], x[1] - x[0] ** 2 - 1]))

    def jacobian(x):
        last = np.zeros((2, n))
        last[0, 0], last[1, 0], last[1, 1] = 1, -2 * x[0], 1
        return np.concatenate((slopes - 2 * (powers @ x)[:, None] * powers, last))

    return residuals, jacobian, np.zeros(n), None


def powell(_):
    def residuals(x):
        return np.array([1e4 * x[0] * x[1] - 1, np.exp(-x[0]) + np.exp(-x[1]) - 1.0001])

    def jacobian(x):
        return np.array([[1e4 * x[1], 1e4 * x[0]], [-np.exp(-x[0]), -np.exp(-x[1])]])

    return residuals, jacobian, np.array([0.0, 1.0]), None


def singular(_):
    root5, root10 = np.sqrt(5), np.sqrt(10)

    def residuals(x):
        return np.array([x[0] + 10 * x[1], root5 * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2, root10 * (x[0] - x[3]) ** 2])

    def jacobian(x):
        a, b = 2 * (x[1] - 2 * x[2]), 2 * root10 * (x[0] - x[3])
        return np.array([[1, 10, 0, 0], [0, 0, root5, -root5], [0, a, -2 * a, 0], [b, 0, 0, -b]])

    return residuals, jacobian, np.array([3.0, -1.0, 0.0, 1.0]), None


def dennis(_):
    t = np.arange(1, 21) / 5
    e, s, c = np.exp(t), np.sin(t), np.cos(t)

    def residuals(x):
        return (x[0] + t * x[1] - e) ** 2 + (x[2] + x[3] * s - c) ** 2

    def jacobian(x):
        a, b = 2 * (x[0] + t * x[1] - e), 2 * (x[2] + x[3] * s - c)
        return np.stack((a, a * t, b, b * s), axis=1)

    return residuals, jacobian, np.array([25.0, 5.0, -5.0, -1.0]), None


FUNCTIONS = {"chained-rosenbrock": rosenbrock, "meyer": meyer, "watson": watson, "powell-bad": powell, "powell-singular": singular, "brown-dennis": dennis}


def solve(name, n, method):
    residuals, jacobian, start, direct = FUNCTIONS[name](int(n))

    def value(x):
        r = residuals(x)
        return r @ r

    def slopes(x):
        return 2 * jacobian(x).T @ residuals(x)

    f, g = direct or (value, slopes)
    if method == "least_squares":

        def fit():
            found = least_squares(residuals, start, jacobian, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15)
            return [2 * found.cost, found.nfev]

        return fit
    if method == "Nelder-Mead":
        jac, options = None, {"xatol": 1e-10, "fatol": 1e-18, "maxiter": 20000, "maxfev": 20000}
    else:
        jac, options = g, {"gtol": 1e-9, "maxiter": 20000}
    if method == "L-BFGS-B":
        options.update({"ftol": 1e-16, "maxfun": 40000})

    def minimum():
        found = minimize(f, start, jac=jac, method=method, options=options)
        return [found.fun, found.nfev]

    return minimum


serve(solve)
