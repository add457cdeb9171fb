"""Outside truth of the chain: mpmath where it locks, scipy's DOP853 at 1e-13 and closed forms otherwise.

    python3 test/coverage/lattice.py > test/coverage/lattice.json
"""
import json
import random

import numpy as np
from mpmath import asin, cos, expj, matrix, mp, mpf, pi, quad, sqrt, eigsy
from scipy.integrate import solve_ivp

mp.dps = 30
rng = random.Random(42)
cases = []


def add(name, given, of, truth, accuracy, source):
    one = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "accuracy": accuracy, "source": source}
    if of:
        one["of"] = of
    cases.append(one)


def nodes(omega, theta=None):
    return [{"inputs": {"omega": w} | ({} if theta is None else {"theta0": theta[i]})} for i, w in enumerate(omega)]


def locked(omega, K):
    w = [mpf(repr(x)) for x in omega]
    mean = sum(w) / len(w)
    sums = [sum(mean - x for x in w[: i + 1]) for i in range(len(w) - 1)]
    critical = max(abs(s) for s in sums)
    if critical >= abs(K):
        return critical, None, None
    steps = [asin(s / mpf(repr(K))) for s in sums]
    theta = [mpf(0)]
    for d in steps:
        theta.append(theta[-1] + d)
    r = abs(sum(expj(x) for x in theta)) / len(w)
    n = len(w)
    a = matrix(n, n)
    for i, d in enumerate(steps):
        c = mpf(repr(K)) * cos(d)
        a[i, i] -= c
        a[i + 1, i + 1] -= c
        a[i, i + 1] += c
        a[i + 1, i] += c
    rates = sorted(eigsy(a, eigvals_only=True), reverse=True)
    return critical, r, rates[1]


def simulated(omega, theta, K, pairs, t_end):
    w = np.array(omega)
    mean = w.mean()
    n = len(w)

    def f(t, y):
        d = w - mean
        for i, j in pairs:
            s = K * np.sin(y[j] - y[i])
            d[i] += s
            d[j] -= s
        return np.append(d, abs(np.exp(1j * y[:n]).mean()))

    y = solve_ivp(f, (0, t_end), np.append(theta, 0.0), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=[t_end / 2, t_end])
    return (y.y[n, 1] - y.y[n, 0]) / (t_end / 2), abs(np.exp(1j * y.y[:n, 1]).mean())


PAIRS = {
    "chain": lambda n: [(i, i + 1) for i in range(n - 1)],
    "ring": lambda n: [(i, i + 1) for i in range(n - 1)] + ([(0, n - 1)] if n > 2 else []),
    "all": lambda n: [(i, j) for i in range(n) for j in range(i + 1, n)],
}

# Locked chains.
while len(cases) < 60:
    n = rng.randint(2, 5)
    scale = 10.0 ** rng.randint(-2, 2)
    omega = [float(f"{scale * rng.uniform(0.5, 1.5):.4g}") for _ in range(n)]
    critical, _, _ = locked(omega, 1e9)
    K = float(f"{float(critical) * rng.choice([1.02, 1.1, 1.5, 3, 20]):.5g}")
    _, r, rate = locked(omega, K)
    theta = [round(rng.uniform(-1, 1), 3) for _ in range(n)]
    given = {"nodes": nodes(omega, theta), "K": K}
    of = [None, "r_locked", "K_c", "slowest_rate", None][len(cases) % 5]
    truth = {None: r, "r_locked": r, "K_c": critical, "slowest_rate": rate}[of]
    add(f"locked, {n} nodes, {of}", given, of, truth, abs(float(truth)) * 2.0**-53, "mpmath 30 digits, locked state in closed form")

# Drifting pairs over whole beats, in closed form.
for _ in range(20):
    w, K = [round(rng.uniform(0.5, 1.5), 3), round(rng.uniform(2, 4), 3)], round(rng.uniform(0.05, 0.4), 3)
    d = mpf(repr(w[1])) - mpf(repr(w[0]))
    k = mpf(repr(K))
    beat = 2 * pi / sqrt(d * d - 4 * k * k)
    mean = quad(lambda x: abs(cos(x / 2)) / (d - 2 * k * mp.sin(x)), [0, pi, 2 * pi]) / beat
    beats = rng.randint(2, 9)
    t_end = float(2 * beats * beat)
    add("drifting pair", {"nodes": nodes(w), "K": K, "tMax": t_end}, None, mean, 1e-14, "mpmath, mean over whole beats by quadrature")

# Everything else by an integrator of another program.
while len(cases) < 125:
    n = rng.randint(3, 5)
    topology = rng.choice(list(PAIRS))
    omega = [round(rng.uniform(-2, 4), 3) for _ in range(n)]
    theta = [round(rng.uniform(-3, 3), 3) for _ in range(n)]
    K = round(rng.uniform(-0.5, 1.5), 3)
    t_end = round(rng.uniform(1, 30), 2)
    mean, r = simulated(omega, theta, K, PAIRS[topology](n), t_end)
    of = [None, "r_end"][len(cases) % 2]
    add(
        f"{topology}, {n} nodes, {of}",
        {"nodes": nodes(omega, theta), "K": K, "topology": topology, "tMax": t_end},
        of,
        r if of else mean,
        1e-11,
        "scipy DOP853, rtol 1e-13",
    )
print(json.dumps({"generator": "test/coverage/lattice.py", "cases": cases}, indent=1))
