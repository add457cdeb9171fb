"""Writes kalman.json: numbers of Kalman filters and smoothers that this project did not compute.

    python3 test/coverage/kalman.py [seed] > test/coverage/kalman.json

mpmath with 50 digits: the filter as an update of the joint normal law (information form where P is regular is not used, the
plain recursion is exact enough with 50 digits), smoothing by conditioning the joint law of all states on all
measurements, steady states by repeated steps with doubling, expm for continuous time, incomplete gamma for tests, and
scipy's minimisers on the likelihood for maxima. Inputs count as the doubles that they round to.
"""
import json
import math
import random
import sys

import numpy as np
from mpmath import expm, eye, gammainc, gamma, log, matrix, mp, mpf, pi, sqrt, zeros
from scipy.optimize import minimize

mp.dps = 50
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []


def add(name, given, of, truth, source):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    case["accuracy"] = abs(float(truth)) * 1.2e-16
    cases.append(case)


def draw(low, high, digits=5):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def M(rows):
    return matrix([[mpf(x) for x in row] for row in rows])


def sub(A, rows, columns):
    B = zeros(len(rows), len(columns))
    for a, i in enumerate(rows):
        for b, j in enumerate(columns):
            B[a, b] = A[i, j]
    return B


def run(steps, H, R, x0, P0, z, inputs=None, qf=1, rf=1):
    """steps[k] = (F, Q) to row k. z: rows of numbers or None. Returns the last x and P, the likelihood, nis and more."""
    n = P0.rows
    x, P = matrix([mpf(v) for v in x0]), P0
    ll, nis, whites = mpf(0), [], []
    pred = []
    for k, row in enumerate(z):
        if k:
            F, Q = steps[k]
            x, P = F * x + (inputs[k] if inputs else zeros(n, 1)), F * P * F.T + Q * qf
        pred.append((x.copy(), P.copy()))
        have = [i for i, v in enumerate(row) if v is not None]
        if not have:
            nis.append((mpf(0), 0))
            continue
        Hs, Rs = sub(H, have, range(n)), sub(R, have, have) * rf
        S = Hs * P * Hs.T + Rs
        nu = matrix([mpf(row[i]) for i in have]) - Hs * x
        Si = S ** -1
        K = P * Hs.T * Si
        x, P = x + K * nu, P - K * Hs * P
        P = (P + P.T) / 2
        e = (nu.T * Si * nu)[0]
        det = mp.det(S)
        ll += -(len(have) * log(2 * pi) + log(det) + e) / 2
        nis.append((e, len(have)))
    return x, P, ll, nis, pred


def smooth_first(steps, H, R, x0, P0, z, inputs=None):
    """State 0 given all rows: the filter of a state that carries x_0 along."""
    n = P0.rows
    big_steps = [None]
    for F, Q in steps[1:]:
        FF, QQ = zeros(2 * n), zeros(2 * n)
        for i in range(n):
            FF[n + i, n + i] = 1
            for j in range(n):
                FF[i, j], QQ[i, j] = F[i, j], Q[i, j]
        big_steps.append((FF, QQ))
    HH = zeros(H.rows, 2 * n)
    for i in range(H.rows):
        for j in range(n):
            HH[i, j] = H[i, j]
    PP = zeros(2 * n)
    for i in range(n):
        for j in range(n):
            PP[i, j] = PP[n + i, j] = PP[i, n + j] = PP[n + i, n + j] = P0[i, j]
    big_inputs = [None if u is None else matrix(list(u) + [0] * n) for u in inputs] if inputs else None
    x, P, *_ = run(big_steps, HH, R, list(x0) * 2, PP, z, big_inputs)
    return x[n:], sub(P, range(n, 2 * n), range(n, 2 * n))


def steady(F, H, Q, R, steps=6000):
    """P before a row, by the recursion of pairs (doubling)."""
    n = F.rows
    A, G, P = F.T, H.T * (R ** -1) * H, Q.copy()
    for _ in range(60):
        W = (eye(n) + G * P) ** -1
        A, G, P, before = A * W * A, G + A * W * G * A.T, P + A.T * P * W * A, P
        if mp.norm(P - before, 1) < mpf(10) ** -42 * mp.norm(P, 1):
            break
    # It has to solve the equation.
    S = H * P * H.T + R
    left = F * P * F.T - F * P * H.T * S ** -1 * H * P * F.T + Q - P
    assert mp.norm(left, 1) < mpf(10) ** -30 * mp.norm(P, 1)
    return P


def gain(P, H, R):
    return P * H.T * (H * P * H.T + R) ** -1


def text(A):
    return "; ".join(" ".join(repr(v) for v in row) for row in A)


def lines(z, times=None):
    rows = []
    for k, row in enumerate(z):
        cells = ["NA" if v is None else repr(v) for v in row]
        rows.append(", ".join(([repr(times[k])] if times else []) + cells))
    return "\n".join(rows)


def covariance(n, size, rank=None):
    """A random covariance whose elements are exact doubles as typed."""
    L = np.array([[random.uniform(-1, 1) for _ in range(rank or n)] for _ in range(n)])
    C = L @ L.T + (0 if rank else 0.05) * np.eye(n)
    return [[float(f"{size * C[min(i, j)][max(i, j)]:.12g}") for j in range(n)] for i in range(n)]


def series(rows, m, size=1.0, lost=0.0):
    level, z = [0.0] * m, []
    for _ in range(rows):
        level = [v + random.gauss(0, 0.5) * size for v in level]
        z.append([None if random.random() < lost else round(v + random.gauss(0, 1) * size, 4) for v in level])
    if all(v is None for row in z for v in row):
        z[0][0] = 1.0
    return z


FILTER = "plain recursion, mpmath with 50 digits"
SMOOTH = "filter of the state with x_0 carried along, mpmath with 50 digits"
DARE = "doubling and residual of the Riccati equation, mpmath with 50 digits"

# Own matrices of all sizes and scales.
for k in range(60):
    n, m = random.randint(1, 8 if k % 4 == 0 else 4), random.randint(1, 4 if k % 3 == 0 else 2)
    m = min(m, n)
    F = [[round(random.uniform(-1, 1) * 0.9 / math.sqrt(n) + (0.4 if i == j else 0), 3) for j in range(n)] for i in range(n)]
    H = [[round(random.uniform(-1, 1), 3) if random.random() < 0.7 else float(i == j) for j in range(n)] for i in range(m)]
    for i in range(m):
        H[i][i] = H[i][i] or 1.0
    Q, R, P0 = covariance(n, draw(1e-8, 1e8)), covariance(m, draw(1e-8, 1e8)), covariance(n, draw(1e-6, 1e6))
    x0 = [round(random.uniform(-3, 3), 2) for _ in range(n)]
    rows = random.choice((1, 2, 5, 12, 30))
    z = series(rows, m, draw(0.1, 10), random.choice((0, 0, 0.3)))
    given = {"F": text(F), "H": text(H), "Q": text(Q), "R": text(R), "P0": text(P0), "x0": x0, "measurements": lines(z)}
    state = random.randrange(n)
    given["state"] = state + 1
    steps = [(M(F), M(Q))] * rows
    if k % 5 == 4:
        b = [[round(random.uniform(-1, 1), 2)] for _ in range(n)]
        u = [round(random.uniform(-2, 2), 2) for _ in range(rows)]
        given["B"], given["u"] = text(b), "\n".join(map(repr, u))
        inputs = [None] + [M(b) * mpf(u[i - 1]) for i in range(1, rows)]
    else:
        inputs = None
    x, P, ll, nis, _ = run(steps, M(H), M(R), x0, M(P0), z, inputs)
    kind = k % 4
    if kind in (0, 1):
        add(f"own {n}x{m}", given, None, sqrt(P[state, state]), FILTER)
    elif kind == 2:
        add(f"likelihood {n}x{m}", given, "log_likelihood", ll, FILTER)
    else:
        first, Ps = smooth_first(steps, M(H), M(R), x0, M(P0), z, inputs)
        add(f"smoothed {n}x{m}", given, f"start_smoothed_sd_x{state + 1}", sqrt(Ps[state, state]), SMOOTH)


# Joseph's form where R goes to zero, and starts that are wide.
for k in range(24):
    n = random.choice((2, 3))
    r, p = draw(1e-14, 1e-8), draw(1, 1e9)
    F = [[1.0, 1.0], [0.0, 1.0]] if n == 2 else [[1.0, 1.0, 0.5], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    H = [[1.0] + [0.0] * (n - 1)]
    q = draw(1e-10, 1e2)
    Q = [[q if i == j else 0.0 for j in range(n)] for i in range(n)]
    rows = random.choice((2, 5, 20, 50))
    z = series(rows, 1)
    P0 = [[p if i == j else 0.0 for j in range(n)] for i in range(n)]
    given = {"F": text(F), "H": text(H), "Q": text(Q), "R": repr(r), "P0": text(P0), "measurements": lines(z)}
    state = random.randrange(n)
    given["state"] = state + 1
    x, P, ll, *_ = run([(M(F), M(Q))] * rows, M(H), M([[r]]), [0] * n, M(P0), z)
    if k % 4 == 3:
        add("likelihood of small R", given, "log_likelihood", ll, FILTER)
    elif k % 4 == 2:
        _, Ps = smooth_first([(M(F), M(Q))] * rows, M(H), M([[r]]), [0] * n, M(P0), z)
        add("smoothed of small R", given, f"start_smoothed_sd_x{state + 1}", sqrt(Ps[state, state]), SMOOTH)
    else:
        add("small R", given, None, sqrt(P[state, state]), FILTER)


def van_loan(A, Qc, t):
    n = A.rows
    B = zeros(2 * n)
    for i in range(n):
        for j in range(n):
            B[i, j], B[i, n + j], B[n + i, n + j] = -A[i, j] * t, Qc[i, j] * t, A[j, i] * t
    E = expm(B, method="taylor")
    F = sub(E, range(n, 2 * n), range(n, 2 * n)).T
    return F, F * sub(E, range(n), range(n, 2 * n))


def held(A, b, q, t):
    """Noise that is held during the step, by the exponential of the system with its input."""
    n = A.rows
    B = zeros(n + 1)
    for i in range(n):
        B[i, n] = b[i] * t
        for j in range(n):
            B[i, j] = A[i, j] * t
    E = expm(B, method="taylor")
    G = matrix([E[i, n] for i in range(n)])
    return sub(E, range(n), range(n)), G * G.T * q


def preset(name, t, v):
    """F and Q of a step of length t."""
    t, q = mpf(t), mpf(v["q"])
    continuous = v["time"] == "continuous"
    if name in ("cv", "gps"):
        A = M([[0, 1], [0, 0]])
        F, Q = van_loan(A, M([[0, 0], [0, 1]]) * q, t) if continuous else held(A, [0, 1], q, t)
        if name == "cv":
            return F, Q
        FF, QQ = zeros(4), zeros(4)
        for axis in range(2):
            for i in range(2):
                for j in range(2):
                    FF[2 * i + axis, 2 * j + axis], QQ[2 * i + axis, 2 * j + axis] = F[i, j], Q[i, j]
        return FF, QQ
    if name == "ca":
        A = M([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
        F, Q = van_loan(A, M([[0, 0, 0], [0, 0, 0], [0, 0, 1]]) * q, t)
        if not continuous:
            g = matrix([t * t / 2, t, mpf(1)])
            Q = g * g.T * q
        return F, Q
    if name == "pendulum":
        A = M([[0, 1], [-mpf("9.80665") / mpf(v["length"]), -mpf(v["damping"])]])
        A[1, 0] = -mpf(9.80665) / mpf(v["length"])
        return van_loan(A, M([[0, 0], [0, 1]]) * q, t) if continuous else held(A, [0, 1], q, t)
    if name == "ar1":
        a = mpf(v["a"])
        k = t / mpf(v["dt"])
        return M([[a**k]]), M([[q * (1 - a ** (2 * k)) / (1 - a**2)]])
    return M([[1]]), M([[q * t / mpf(v["dt"])]])


# Presets with uneven times and gaps.
STATES = {"cv": ["position", "velocity"], "ca": ["position", "velocity", "acceleration"], "pendulum": ["angle", "rate"],
          "ar1": ["level"], "walk": ["level"], "gps": ["east", "north", "v_east", "v_north"]}
for k in range(48):
    name = list(STATES)[k % 6]
    n = len(STATES[name])
    m = 2 if name == "gps" else 1
    v = {"q": draw(1e-4, 1e2), "r": draw(1e-4, 1e2), "dt": draw(1e-2, 1e1),
         "time": random.choice(("discrete", "continuous"))}
    if name == "ar1":
        v["a"] = round(random.uniform(0.2, 0.99), 3)
    if name == "pendulum":
        v["length"], v["damping"] = draw(0.1, 10), draw(1e-3, 5)
    rows = random.choice((3, 8, 20))
    z = series(rows, m, 1.0, random.choice((0, 0.2)))
    times = None
    gaps = [v["dt"]] * rows
    if k % 2:
        at, times = 0.0, []
        for i in range(rows):
            times.append(at)
            at = round(at + v["dt"] * random.choice((1, 1, 0.3, 2.7, 5)), 6)
        gaps = [None] + [times[i] - times[i - 1] for i in range(1, rows)]
        # A whole number of steps counts as such, other gaps to nine digits.
        for i in range(1, rows):
            parts = gaps[i] / v["dt"]
            w = round(parts)
            gaps[i] = w * v["dt"] if w >= 1 and abs(parts - w) <= 1e-9 * max(1, parts) else float(f"{gaps[i]:.9g}")
    P0 = covariance(n, draw(1e-2, 1e4))
    x0 = [round(random.uniform(-2, 2), 2) for _ in range(n)]
    given = {"preset": name, **v, "P0": text(P0), "x0": x0, "measurements": lines(z, times)}
    state = random.randrange(n)
    given["state"] = state + 1
    memo = {}
    steps = [None] + [memo.setdefault(gaps[i], preset(name, gaps[i], v)) for i in range(1, rows)]
    H = zeros(m, n)
    for i in range(m):
        H[i, i] = 1
    R = eye(m) * mpf(v["r"])
    if k % 3 == 2:
        _, Ps = smooth_first(steps, H, R, x0, M(P0), z)
        add(f"{name} smoothed", given, f"start_smoothed_sd_{STATES[name][state]}", sqrt(Ps[state, state]), SMOOTH)
    else:
        x, P, ll, *_ = run(steps, H, R, x0, M(P0), z)
        add(f"{name}", given, None if k % 3 == 0 else "log_likelihood", sqrt(P[state, state]) if k % 3 == 0 else ll, FILTER)

# Steady states.
for k in range(30):
    if k < 18:
        name = list(STATES)[k % 6]
        v = {"q": draw(1e-5, 1e3), "r": draw(1e-5, 1e3), "dt": draw(1e-2, 1e1), "time": random.choice(("discrete", "continuous"))}
        if name == "ar1":
            v["a"] = round(random.uniform(-0.9, 0.99), 3)
        if name == "pendulum":
            v["length"], v["damping"] = draw(0.1, 10), draw(1e-3, 5)
        F, Q = preset(name, v["dt"], v)
        if name == "ar1":
            F, Q = M([[v["a"]]]), M([[v["q"]]])
        m = 2 if name == "gps" else 1
        H = zeros(m, F.rows)
        for i in range(m):
            H[i, i] = 1
        R = eye(m) * mpf(v["r"])
        states, given = STATES[name], {"preset": name, **v, "steps": 4, "runs": 1}
        channels = {"cv": ["position"], "ca": ["position"], "pendulum": ["angle"], "gps": ["east", "north"]}.get(name, ["z"])
    else:
        n, m = random.randint(2, 8), random.randint(1, 3)
        m = min(m, n)
        f = [[round(random.uniform(-1, 1) / math.sqrt(n) + (0.5 if i == j else 0), 3) for j in range(n)] for i in range(n)]
        h = [[round(random.uniform(-1, 1), 3) for _ in range(n)] for _ in range(m)]
        q, r = covariance(n, draw(1e-6, 1e6)), covariance(m, draw(1e-6, 1e6))
        F, H, Q, R = M(f), M(h), M(q), M(r)
        states, channels = [f"x{i + 1}" for i in range(n)], [f"z{i + 1}" for i in range(m)]
        given = {"F": text(f), "H": text(h), "Q": text(q), "R": text(r), "steps": 4, "runs": 1}
    P = steady(F, H, Q, R)
    K = gain(P, H, R)
    state = random.randrange(len(states))
    given["state"] = state + 1
    if k % 3 == 0:
        add("steady before", given, "steady_variance_predicted", P[state, state], DARE)
    elif k % 3 == 1:
        add("steady", given, "steady_sd", sqrt((P - K * H * P)[state, state]), DARE)
    else:
        add("steady gain", given, f"steady_gain_{states[state]}_{channels[0]}", K[state, 0], DARE)

# A filter with the wrong noise: what its errors are.
for k in range(8):
    q, r, tq, tr = draw(0.01, 10), draw(0.01, 10), draw(0.01, 100), draw(0.01, 100)
    rows = random.choice((3, 10, 40))
    F, Q = preset("cv", 1, {"q": q, "time": "discrete"})
    H, R = M([[1, 0]]), M([[r]])
    P = W = M([[10, 0], [0, 1]])
    for i in range(rows):
        if i:
            P, W = F * P * F.T + Q, F * W * F.T + Q * mpf(tq)
        K = gain(P, H, R)
        A = eye(2) - K * H
        P, W = P - K * H * P, A * W * A.T + K * R * K.T * mpf(tr)
    given = {"preset": "cv", "q": q, "r": r, "true_q": tq, "true_r": tr, "steps": rows, "runs": 2}
    add("wrong noise", given, "rmse_expected_velocity", sqrt(W[1, 1]), "covariance of the errors, mpmath with 50 digits")

# Tests of the innovations.
for k in range(10):
    rows = random.choice((20, 60, 150))
    z = series(rows, 1, draw(0.5, 2), random.choice((0, 0.1)))
    v = {"q": draw(0.05, 1), "r": draw(0.5, 2)}
    given = {"preset": "walk", **v, "P0": "10", "measurements": lines(z)}
    F, Q = M([[1]]), M([[v["q"]]])
    *_, nis, _ = run([(F, Q)] * rows, M([[1]]), M([[v["r"]]]), [0], M([[10]]), z)
    total, freedom, count = sum(e for e, _ in nis), sum(d for _, d in nis), sum(1 for _, d in nis if d)
    if k % 2:
        add("nis", given, "nis_mean", total / count, FILTER)
    else:
        tail = gammainc(mpf(freedom) / 2, total / 2) / gamma(mpf(freedom) / 2)
        add("nis p", given, "nis_p", 2 * min(tail, 1 - tail), "incomplete gamma function, mpmath with 50 digits")

# Maximum likelihood, where the minimiser of scipy finds it.
for k in range(6):
    rows = 150
    q, r = draw(0.2, 2), draw(0.5, 2)
    level, z = 0.0, []
    for _ in range(rows):
        level += random.gauss(0, math.sqrt(q))
        z.append([round(level + random.gauss(0, math.sqrt(r)), 4)])

    def negative(theta):
        x, p, ll = 0.0, 100.0, 0.0
        for i, (value,) in enumerate(z):
            p += math.exp(theta[0]) if i else 0
            s = p + math.exp(theta[1])
            ll += math.log(s) + (value - x) ** 2 / s
            x, p = x + p / s * (value - x), p - p * p / s
        return ll

    best = minimize(negative, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-11, "maxiter": 4000})
    given = {"preset": "walk", "P0": "100", "tune": "both", "measurements": lines(z)}
    truth = -(best.fun + rows * math.log(2 * math.pi)) / 2
    add("maximum likelihood", given, "log_likelihood", truth, "Nelder and Mead's method of scipy on the likelihood")
    cases[-1]["accuracy"] = 1e-9

print(json.dumps({"generator": "test/coverage/kalman.py", "cases": cases}, indent=1, ensure_ascii=False))
