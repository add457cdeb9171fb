"""Writes action.json: numbers of symplectic maps and of the motions they approximate that this project did not compute.

    python3 test/coverage/action.py [seed] > test/coverage/action.json

mpmath with 40 digits: the exact motion by Kepler's equation, Jacobi's functions and Taylor series; periods by elliptic
integrals; the maps themselves, written again from their published coefficients, for energies after steps. Inputs count as
the doubles that they round to.
"""
import json
import math
import random
import sys

from mpmath import cos, ellipfun, ellipk, exp, findroot, mp, mpf, quad, sin, sqrt, asin

mp.dps = 34
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []


def add(name, given, of, truth, source):
    case = {"name": f"{len(cases)} {name}", "input": {"compare": False, **given}, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    case["accuracy"] = abs(float(truth)) * 1.2e-16
    cases.append(case)


def draw(low, high, digits=6):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def number(low, high):
    return float(f"{random.uniform(low, high):.6g}")


EXACT = "exact motion, mpmath with 34 digits"
ORDERS = (2, 4, 6, 8)


# --- Kepler -------------------------------------------------------------------------------------------------------------
def kepler(e, mu, t):
    """From the perihelion, a = 1: x, y, vx, vy."""
    n = sqrt(mu)
    m = n * t
    m -= 2 * mp.pi * mp.floor(m / (2 * mp.pi))
    u = findroot(lambda s: s - e * sin(s) - m, m + e * sin(m) if e < 0.8 else mp.pi)
    r = 1 - e * cos(u)
    b = sqrt(1 - e * e)
    return cos(u) - e, b * sin(u), -n * sin(u) / r, n * b * cos(u) / r


for i in range(12):
    e, mu, order = number(0, 0.9), draw(0.1, 10), ORDERS[i % 4]
    per = {2: 4000, 4: 1500, 6: 500, 8: 300}[order] * (1 if e < 0.6 else 2)
    dt = float(f"{2 * math.pi / math.sqrt(mu) / per:.4g}")
    steps = int(per * random.uniform(0.7, 4.3))
    given = {"eccentricity": e, "mu": mu, "order": order, "dt": dt, "steps": steps}
    # The start is that of doubles: perihelion distance and speed, rounded, are within their ± here.
    x, y, vx, vy = kepler(mpf(e), mpf(mu), mpf(dt) * steps)
    for name, value in (("q1", x), ("q2", y), ("p1", vx), ("p2", vy)):
        add(f"kepler e={e} order {order} {name}", given, name, value, EXACT)
    add(f"kepler e={e} order {order} energy", given, None, -mpf(mu) / 2, "energy of the orbit")
    add(f"kepler e={e} order {order} momentum", given, "angular_momentum", sqrt(mpf(mu) * (1 - mpf(e) ** 2)), EXACT)

# --- pendulum -----------------------------------------------------------------------------------------------------------
for i in range(8):
    q0, lam, order = number(0.2, 2.9), draw(0.1, 10), ORDERS[i % 4]
    k = sqrt(mpf(lam))
    m = sin(mpf(q0) / 2) ** 2
    period = 4 * ellipk(m) / k
    per = {2: 3000, 4: 600, 6: 200, 8: 120}[order]
    dt = float(f"{float(period) / per:.4g}")
    steps = int(per * random.uniform(0.6, 3.2))
    t = mpf(dt) * steps
    u = k * t
    q = 2 * asin(sqrt(m) * ellipfun("cd", u, m=m))
    p = -2 * k * sqrt(m) * sqrt(1 - m) * ellipfun("sd", u, m=m)
    given = {"system": "pendulum", "q0": q0, "lambda": lam, "order": order, "dt": dt, "steps": steps}
    add(f"pendulum {q0} order {order} q", given, "q1", q, EXACT)
    add(f"pendulum {q0} order {order} p", given, "p1", p, EXACT)
    add(f"pendulum {q0} order {order} period", given, "period", period, "complete elliptic integral, mpmath")
    add(f"pendulum {q0} order {order} energy", given, None, -mpf(lam) * cos(mpf(q0)), "energy of the start")

# --- oscillator ---------------------------------------------------------------------------------------------------------
for i in range(4):
    q0, p0, w, order = number(-3, 3), number(-3, 3), draw(0.01, 100), ORDERS[i]
    dt = float(f"{2 * math.pi / w / {2: 4000, 4: 400, 6: 120, 8: 60}[order]:.4g}")
    steps = random.randint(50, 3000)
    t = mpf(dt) * steps
    given = {"system": "oscillator", "q0": q0, "p0": p0, "omega": w, "order": order, "dt": dt, "steps": steps}
    w_ = mpf(w)
    add(f"oscillator {w} q", given, "q1", q0 * cos(w_ * t) + p0 / w_ * sin(w_ * t), EXACT)
    add(f"oscillator {w} p", given, "p1", p0 * cos(w_ * t) - q0 * w_ * sin(w_ * t), EXACT)
    add(f"oscillator {w} energy", given, None, mpf(p0) ** 2 / 2 + w_**2 * mpf(q0) ** 2 / 2, "energy of the start")

# --- Hamiltonians of one's own: Taylor series ------------------------------------------------------------------------------
TAYLOR = "Taylor series in short steps, mpmath with 34 digits"


def quartic(a, b, q, p, t_end, terms=36):
    q, p, t = mpf(q), mpf(p), mpf(0)
    while t < t_end:
        h = min(t_end - t, mpf("0.15") / (1 + sqrt(abs(a)) + sqrt(abs(b)) * (abs(q) + abs(p) + 1)))
        c, sq = [q, p], []
        for n in range(terms):
            sq.append(sum(c[i] * c[n - i] for i in range(n + 1)))
            cube = sum(c[i] * sq[n - i] for i in range(n + 1))
            c.append(-(a * c[n] + b * cube) / ((n + 1) * (n + 2)))
        q = sum(one * h**k for k, one in enumerate(c))
        p = sum(k * one * h ** (k - 1) for k, one in enumerate(c) if k)
        t += h
    return q, p


for i in range(4):
    a, b = number(-2, 2), draw(0.1, 2)
    q0, p0, order = number(-2, 2), number(-1, 1), ORDERS[i]
    dt, steps = {2: 0.001, 4: 0.005, 6: 0.01, 8: 0.02}[order], 500
    given = {"potential": f"{a!r}*q^2/2 + {b!r}*q^4/4", "q0": q0, "p0": p0, "order": order, "dt": dt, "steps": steps}
    q, p = quartic(mpf(a), mpf(b), q0, p0, mpf(dt) * steps)
    add(f"own quartic order {order} q", given, "q1", q, TAYLOR)
    add(f"own quartic order {order} p", given, "p1", p, TAYLOR)
    add(f"own quartic order {order} energy", given, None, mpf(p0) ** 2 / 2 + mpf(a) * mpf(q0) ** 2 / 2 + mpf(b) * mpf(q0) ** 4 / 4, "energy of the start")

# --- largest energy errors: the maps again, step by step -------------------------------------------------------------------
Y4 = [mpf("1.35120719195965763"), mpf("-1.70241438391931527")]
Y6 = [mpf("0.78451361047755726382"), mpf("0.23557321335935813368"), mpf("-1.17767998417887100695")]
Y6.append(1 - 2 * sum(Y6))
K8 = [mpf(x) for x in (
    "0.13020248308889008088", "0.56116298177510838456", "-0.38947496264484728641", "0.15884190655515560090",
    "-0.39590389413323757734", "0.18453964097831570709", "0.25837438768632204729", "0.29501172360931029887",
)]
K8.append(1 - 2 * sum(K8))
STAGES = {2: [mpf(1)], 4: Y4[:1] + Y4[1:] + Y4[:1], 6: Y6[:-1] + Y6[-1:] + Y6[-2::-1], 8: K8[:-1] + K8[-1:] + K8[-2::-1]}
mp.dps = 25
for order in ORDERS:
    for force, energy, given in (
        (lambda q: -sin(q), lambda q, p: p * p / 2 - cos(q), {"system": "pendulum", "q0": 1.5}),
        (lambda q: -4 * q, lambda q, p: p * p / 2 + 2 * q * q, {"system": "oscillator", "q0": 0.7, "omega": 2.0}),
    ):
        dt, steps = 0.1, 200
        q, p = mpf(given["q0"]), mpf(0)
        start, worst, kinetic = energy(q, p), mpf(0), mpf(0)
        for _ in range(steps):
            for w in STAGES[order]:
                h = w * mpf(dt)
                p += h / 2 * force(q)
                q += h * p
                p += h / 2 * force(q)
            worst, kinetic = max(worst, abs(energy(q, p) - start)), max(kinetic, p * p / 2)
        scale = abs(start) if abs(start) >= kinetic / 1000 else kinetic
        add(f"energy error of order {order}", {**given, "order": order, "dt": dt, "steps": steps}, "max_energy_error", worst / scale, "the map again, mpmath with 25 digits")

json.dump({"generator": "test/coverage/action.py", "cases": cases}, sys.stdout, indent=2)
print()
