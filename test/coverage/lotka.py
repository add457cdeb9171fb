"""Writes lotka.json: numbers of predators and prey that this project did not compute.

    python3 test/coverage/lotka.py [seed] > test/coverage/lotka.json

Periods of closed orbits as Waldvogel's integral by the trapezoidal rule in extended doubles; ends by Taylor series with
30 digits; limit cycles by scipy's DOP853 at 1e-13 and a root of the return map.
Inputs count as the doubles that they round to.
"""
import functools
import json
import math
import random
import sys

import numpy as np
from mpmath import exp, mp, mpf, pi, sqrt
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

mp.dps = 30
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []


def add(name, given, of, truth, source, accuracy=None):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    case["accuracy"] = abs(float(truth)) * 1.2e-16 if accuracy is None else accuracy
    cases.append(case)


def draw(low, high, digits=6):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def excess(s):
    """e^s - 1 - s without cancellation, of extended doubles."""
    near, far = np.where(abs(s) < 0.7, s, 0), np.where(abs(s) < 0.7, 1, s)
    total = np.ones_like(s)
    for k in range(24, 2, -1):
        total = 1 + near / k * total
    return np.where(abs(s) < 0.7, near * near / 2 * total, np.expm1(far) - far)


def root_of(z):
    """The s of the sign of z with e^s - 1 - s = z^2/2, by Newton's method."""
    half = z * z / 2
    s = np.where(z < -1, -half - 1, np.where(z > 2, np.log1p(half + np.log1p(half)), z - z * z / 6))
    for _ in range(12):
        root = np.where(s < 0, -1, 1) * np.sqrt(2 * excess(s))
        slope = np.where(root == 0, 1, np.expm1(s) / np.where(root == 0, 1, root))
        s = s - (root - z) / slope
    return s


@functools.cache
def orbit(a, b, g, d, x, y, h=0.0):
    a, b, g, d, x, y, h = (np.longdouble(one) for one in (a, b, g, d, x, y, h))
    a, g = a - h, g + h
    near = lambda one, other: np.log1p((one - other) / other)
    E = g * excess(near(x, g / d)) + a * excess(near(y, a / b))
    A, B = np.sqrt(2 * E / g), np.sqrt(2 * E / a)
    slope = lambda z: z / np.expm1(root_of(z))
    turn = 8 * np.arctan(np.longdouble(1))

    # Analytic and periodic: the trapezoidal rule, until twice the points change nothing. A third of a point off the axes.
    def trapezoid(points):
        angles = turn * (np.arange(points, dtype=np.longdouble) + np.longdouble(1) / 3) / points
        return np.sum(slope(A * np.cos(angles)) * slope(B * np.sin(angles))) * turn / points

    points, before = 48, trapezoid(24)
    while abs(trapezoid(points) - before) > 3e-18 * before * points**0.5 and points < 1e6:
        before = trapezoid(points)
        points *= 2
    return {
        "T": before / np.sqrt(a * g),
        "prey_max": g / d * np.exp(root_of(A)),
        "prey_min": g / d * np.exp(root_of(-A)),
        "predators_max": a / b * np.exp(root_of(B)),
        "predators_min": a / b * np.exp(root_of(-B)),
        "mean_prey": g / d,
        "mean_predators": a / b,
    }


QUADRATURE = "Waldvogel's integral by the trapezoidal rule, numpy in extended doubles"
names = ["T", "prey_max", "prey_min", "predators_max", "predators_min", "mean_prey", "mean_predators"]


def closed(name, given, of="T"):
    keys = ("alpha", "beta", "gamma", "delta", "x0", "y0")
    truth = orbit(*(given[k] for k in keys), given.get("harvest", 0.0))[of]
    add(f"{name}, {of}", given, None if of == "T" else of, truth, QUADRATURE)


for i in range(34):
    a, b, g, d = draw(0.05, 20), draw(0.01, 10), draw(0.05, 20), draw(0.01, 10)
    given = {"alpha": a, "beta": b, "gamma": g, "delta": d,
             "x0": float(f"{g / d * 10 ** random.uniform(-1.2, 1.2):.6g}"), "y0": float(f"{a / b * 10 ** random.uniform(-1.2, 1.2):.6g}")}
    if i % 5 == 4:
        given["harvest"] = float(f"{a * random.uniform(0.05, 0.8):.4g}")
    closed("orbit", given)
    if i % 2:
        closed("orbit", given, names[1 + (i // 2) % 6])
# Small and large.
for amplitude in (1e-12, 1e-8, 1e-5, 1e-3, 0.03):
    closed(f"small {amplitude}", {"alpha": 1.7, "beta": 0.3, "gamma": 0.6, "delta": 0.02, "x0": 30.0 * (1 + amplitude), "y0": 1.7 / 0.3})
for x in (30.0, 100.0, 300.0):
    closed(f"large {x}", {"alpha": 1.0, "beta": 1.0, "gamma": 1.0, "delta": 1.0, "x0": x, "y0": 1.0})
    closed(f"large {x}", {"alpha": 1.0, "beta": 1.0, "gamma": 1.0, "delta": 1.0, "x0": x, "y0": 1.0}, "predators_max")
for a, g in ((1e-6, 1e3), (1e3, 1e-6), (1e-6, 1e-6), (1e3, 1e3), (1e-3, 10.0)):
    closed(f"rates {a}, {g}", {"alpha": a, "beta": 1.0, "gamma": g, "delta": 1.0, "x0": 1.3 * g, "y0": 0.9 * a})
for x, y in ((1e9, 1e9), (1e-9, 2e-9), (3e11, 1e-7)):
    closed(f"scales {x}, {y}", {"alpha": 1.0, "beta": 1.5 / y if y > 1e-6 else 1e6, "gamma": 1.0, "delta": max(1e-9, min(1e6, 0.5 / x)), "x0": x, "y0": y if y > 1e-6 else 2e-6})


# --- ends, by Taylor series --------------------------------------------------------------------------------------------
def taylor_end(g, t, terms=30):
    a, b, c, d = (mpf(g[k]) for k in ("alpha", "beta", "gamma", "delta"))
    h = mpf(g.get("harvest", 0.0))
    K = mpf(g.get("carrying_capacity", 0.0))
    crowd = a / K if K else mpf(0)
    x, y, left = mpf(g["x0"]), mpf(g["y0"]), mpf(t)
    while left > 0:
        rate = a + c + h + b * y + d * x + 2 * crowd * x
        step = min(left, mpf("0.35") / rate)
        xs, ys = [x], [y]
        for n in range(terms):
            xy = sum(xs[i] * ys[n - i] for i in range(n + 1))
            xx = sum(xs[i] * xs[n - i] for i in range(n + 1)) if crowd else 0
            xs.append(((a - h) * xs[n] - crowd * xx - b * xy) / (n + 1))
            ys.append((d * xy - (c + h) * ys[n]) / (n + 1))
        x = sum(v * step**k for k, v in enumerate(xs))
        y = sum(v * step**k for k, v in enumerate(ys))
        left -= step
    return x, y


TAYLOR = "Taylor series in steps, mpmath with 30 digits"
for i in range(16):
    a, b, g, d = draw(0.2, 3), draw(0.05, 3), draw(0.2, 3), draw(0.05, 3)
    given = {"alpha": a, "beta": b, "gamma": g, "delta": d, "x0": float(f"{g / d * 10 ** random.uniform(-0.7, 0.7):.6g}"),
             "y0": float(f"{a / b * 10 ** random.uniform(-0.7, 0.7):.6g}"), "t_end": draw(1, 15)}
    if i % 4 == 1:
        given["carrying_capacity"] = float(f"{g / d * random.choice((0.7, 1.3, 3, 20)):.5g}")
    if i % 4 == 2:
        given["harvest"] = float(f"{a * random.choice((0.3, 0.7, 1.2)):.4g}")
    x, y = taylor_end(given, given["t_end"])
    add("end", given, "prey_end", x, TAYLOR)
    add("end", given, "predators_end", y, TAYLOR)


# --- limit cycles, foci and nodes --------------------------------------------------------------------------------------
def cycle(a, b, g, d, K, H):
    """Period and extremes by a root of the return map of ln y on x = x*, in logarithms."""
    xs = g / (d - g / H)

    def f(t, u):
        x, y = math.exp(u[0]), math.exp(u[1])
        s = 1 / (1 + x / H)
        return [a * (1 - x / K) - b * y * s, d * x * s - g]

    down = lambda t, u: u[0] - math.log(xs)
    down.direction, down.terminal = -1, True

    def lap(v):
        start = [math.log(xs), v]
        s = solve_ivp(f, (0, 1e-3), start, method="DOP853", rtol=1e-13, atol=1e-14)
        r = solve_ivp(f, (1e-3, 1e5), s.y[:, -1], method="DOP853", rtol=1e-13, atol=1e-14, events=down)
        return r.t_events[0][0], r.y_events[0][0][1], r

    ys = (a * (1 - xs / K)) * (1 + xs / H) / b
    low = high = math.log(ys) + 1e-2
    while lap(high)[1] > high:
        low, high = high, high + 0.5
    v = brentq(lambda v: lap(v)[1] - v, low, high, xtol=1e-13, rtol=1e-14)
    return lap(v)[0], math.exp(v)


SCIPY = "scipy DOP853 at 1e-13 in logarithms, root of the return map by Brent"
for a, b, g, d, K, H in ((1, 1, 0.5, 1, 5, 1), (1, 1, 0.5, 1, 20, 1), (1, 1, 0.5, 1, 3.5, 1), (2, 0.7, 0.3, 0.4, 12, 1.7), (0.5, 2, 0.2, 1.1, 2, 0.4),
                         (1, 1, 0.1, 1, 3, 1), (3, 1, 1, 2, 6, 0.9), (0.8, 1.3, 0.35, 0.9, 4, 0.8), (10, 3, 4, 9, 12, 2)):
    T, top = cycle(a, b, g, d, K, H)
    given = {"alpha": a, "beta": b, "gamma": g, "delta": d, "x0": 1.0, "y0": 1.0, "carrying_capacity": K, "half_saturation": H}
    add(f"limit cycle K={K} H={H}", given, None, T, SCIPY, 3e-11 * T)
    add(f"limit cycle K={K} H={H}", given, "predators_max", top, SCIPY, 3e-11 * top)
for a, b, g, d, K, H in ((1, 1, 1, 1, 10, 0), (1, 1, 1, 1, 1.5, 0), (1, 1, 0.5, 1, 2.5, 1), (1, 1, 0.5, 1, 1.2, 1), (5, 0.1, 2, 0.03, 300, 0)):
    given = {"alpha": a, "beta": b, "gamma": g, "delta": d, "x0": 1.0, "y0": 1.0, "carrying_capacity": K, "half_saturation": H}
    add(f"no cycle K={K} H={H}", given, None, 0, "Jacobian with a negative trace: stable, so no cycle")
    A, B, G, D, k = map(mpf, (a, b, g, d, K))
    hs = mpf(H) if H else mp.inf
    x = G / (D - G / hs)
    y = A * (1 - x / k) * (1 + x / hs) / B
    s = 1 + x / hs
    # The Jacobian of x' and y' as they stand.
    J = mp.matrix([[A * (1 - 2 * x / k) - B * y / s**2, -B * x / s], [D * y / s**2, 0]])
    tr, det = J[0, 0], -J[0, 1] * J[1, 0]
    add(f"equilibrium K={K} H={H}", given, "equilibrium_predators", y, "the nullclines, mpmath with 30 digits")
    add(f"decay K={K} H={H}", given, "growth_rate", tr / 2, "trace of the Jacobian, mpmath with 30 digits")
    if tr**2 < 4 * det:
        add(f"focus K={K} H={H}", given, "T0", 2 * pi / sqrt(det - tr**2 / 4), "eigenvalues of the Jacobian, mpmath with 30 digits")
for a, g in ((1.0, 1.0), (0.3, 2.7), (1e-3, 100.0)):
    add("equilibrium", {"alpha": a, "beta": 1.0, "gamma": g, "delta": 1.0, "x0": g, "y0": a}, None, 2 * pi / sqrt(mpf(a) * mpf(g)), "2 pi / sqrt(alpha gamma), mpmath")
for given, of, truth in (
    ({"x0": 0.0, "y0": 3.0, "gamma": 0.7, "t_end": 4.0}, "predators_end", 3 * exp(-mpf(0.7) * 4)),
    ({"x0": 2.0, "y0": 0.0, "alpha": 0.3, "t_end": 9.0}, "prey_end", 2 * exp(mpf(0.3) * 9)),
    ({"x0": 2.0, "y0": 0.0, "alpha": 0.3, "t_end": 9.0, "carrying_capacity": 50.0}, "prey_end", 50 / (1 + 24 * exp(-mpf(0.3) * 9))),
    ({"x0": 2.0, "y0": 0.0, "alpha": 0.3, "t_end": 9.0}, None, 0),
):
    add("one species", given, of, truth, "exponential or logistic law, mpmath with 30 digits")

json.dump({"generator": "test/coverage/lotka.py", "cases": cases}, sys.stdout, indent=2)
print()
