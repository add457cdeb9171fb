"""Writes solve.json: motions of the master field on a line that this project did not compute.

    python3 test/coverage/solve.py [seed] > test/coverage/solve.json

mpmath: closed forms, quadrature of energy integrals, and Taylor series of the equation with 30 digits in short steps
(odefun's coefficients by differentiation in Taylor arithmetic of our own). Inputs count as the doubles that they round to.
"""
import json
import math
import random
import sys

from mpmath import atan, cos, cosh, exp, findroot, log, mp, mpf, quad, sin, sqrt, tan, tanh

mp.dps = 34
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []


def add(name, given, of, truth, source):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    case["accuracy"] = abs(float(truth)) * 1.2e-16
    cases.append(case)


def draw(low, high, digits=6):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def either(x):
    return random.choice((-1, 1)) * x


# --- Taylor series of phi'' = -g - a phi - b phi^3 - k exp(mu phi) - d phi' + F cos(w t) + extra -----------------------
def taylor(p, x, v, t_end, terms=36):
    """phi, phi', energy per mass at t_end."""
    q = {k: mpf(p.get(k, 0)) for k in ("g", "a", "b", "k", "mu", "d", "F", "w", "vdp", "sg")}
    x, v, t, end = mpf(x), mpf(v), mpf(0), mpf(t_end)
    while t < end:
        size = abs(x) + abs(v) + 1
        rate = 1 + sqrt(abs(q["a"])) + sqrt(abs(q["b"])) * size + q["w"] + abs(q["d"]) + abs(q["vdp"]) * size**2
        rate += sqrt(abs(q["sg"])) + abs(q["mu"]) * (abs(v) + sqrt(abs(q["k"]) * exp(q["mu"] * x) + 1))
        h = min(end - t, mpf("0.12") / rate)
        c = [x, v]
        sq, e, s, co = [], [exp(q["mu"] * x)], [sin(x)], [cos(x)]
        dc, ds = [q["F"] * cos(q["w"] * t)], [q["F"] * sin(q["w"] * t)]
        for n in range(terms):
            if n > 0:
                dphi = [j * c[j] for j in range(n + 1)]
                e.append(q["mu"] * sum(dphi[j] * e[n - j] for j in range(1, n + 1)) / n)
                s.append(sum(dphi[j] * co[n - j] for j in range(1, n + 1)) / n)
                co.append(-sum(dphi[j] * s[n - j] for j in range(1, n + 1)) / n)
                dc.append(-q["w"] * ds[n - 1] / n)
                ds.append(q["w"] * dc[n - 1] / n)
            sq.append(sum(c[i] * c[n - i] for i in range(n + 1)))
            a = -q["a"] * c[n] - q["d"] * (n + 1) * c[n + 1] + dc[n]
            if q["b"]:
                a -= q["b"] * sum(c[i] * sq[n - i] for i in range(n + 1))
            if n == 0:
                a -= q["g"]
            if q["k"]:
                a -= q["k"] * e[n]
            if q["sg"]:
                a -= q["sg"] * s[n]
            if q["vdp"]:
                a += q["vdp"] * ((n + 1) * c[n + 1] - sum(sq[i] * (n - i + 1) * c[n - i + 1] for i in range(n + 1)))
            c.append(a / ((n + 1) * (n + 2)))
        x = sum(one * h**k for k, one in enumerate(c))
        v = sum(k * one * h ** (k - 1) for k, one in enumerate(c) if k)
        t += h
    energy = v * v / 2 + q["g"] * x + q["a"] * x * x / 2 + q["b"] * x**4 / 4
    if q["k"]:
        energy += q["k"] * (exp(q["mu"] * x) - 1) / q["mu"]
    return x, v, energy


TAYLOR = "Taylor series in short steps, mpmath with 34 digits"
NAMES = {"g": "gravity", "a": "alpha", "b": "beta", "k": "exponential", "mu": "exponent", "d": "damping", "F": "drive", "w": "driveFrequency"}


def motion(name, p, x, v, t, more=None, kinds=("phi", "dphi", None)):
    given = {NAMES[k]: value for k, value in p.items() if k in NAMES}
    given.setdefault("alpha", 0)
    given.update({"position": x, "velocity": v, "tMax": t})
    given.update(more or {})
    mass = given.get("mass", 1)
    phi, dphi, energy = taylor(p, x, v, t)
    for kind in kinds:
        truth = {"phi": phi, "dphi": dphi, None: mpf(mass) * energy}[kind]
        add(f"{name}{' ' + kind if kind else ''}", given, kind, truth, TAYLOR)
    return given


def number(low, high):
    return float(f"{random.uniform(low, high):.6g}")


# --- damped, driven, nonlinear: the energy at the end is that of the run -----------------------------------------------
for i in range(12):
    p = {"a": either(draw(0.1, 4)), "b": draw(0.05, 3), "d": draw(0.02, 1)}
    if i % 2:
        p.update({"F": either(draw(0.1, 1)), "w": draw(0.3, 3)})
    if p["a"] < 0 and p.get("F"):
        p["d"] = draw(0.3, 1)
    mass = draw(0.01, 100)
    motion("damped", p, number(-2, 2), number(-2, 2), number(1, 12), {"mass": mass, "tolerance": 10 ** -random.randint(4, 9), "dt": random.choice((0.1, 0.03, 0.01))})

# --- exponential -------------------------------------------------------------------------------------------------------
for i in range(6):
    p = {"g": -draw(0.2, 3), "k": draw(0.2, 3), "mu": either(draw(0.3, 2))}
    if p["mu"] < 0:
        p["g"], p["k"] = -p["g"], -p["k"]
    if i % 2:
        p["d"] = draw(0.02, 0.5)
    motion("exponential", p, number(-1, 1), number(-1, 1), number(1, 12), {"samples": 50, "tolerance": 1e-7})

# --- couplings --------------------------------------------------------------------------------------------------------
for i in range(5):
    mu = number(0.1, 1)
    motion("van der Pol", {"a": 1, "vdp": mu}, number(-2, 2), number(-2, 2), number(1, 15), {"koSettings": {"KO29": mu}, "tolerance": 1e-6, "samples": 40})
for i in range(4):
    w = number(0.2, 1)
    motion("pendulum", {"sg": w, "d": draw(0.05, 0.3)}, number(-3, 3), number(-1, 1), number(1, 15), {"koSettings": {"KO6": w}}, ("phi", "dphi"))

# --- conservative: energy, period and turns ---------------------------------------------------------------------------
QUADRATURE = "quadrature of the energy integral, mpmath with 34 digits"
for i in range(8):
    a, b, x = draw(0.1, 4), draw(0.01, 3), draw(0.2, 4)
    a_, b_, x_ = mpf(a), mpf(b), mpf(x)
    period = 4 * quad(lambda s: 1 / sqrt(a_ + b_ * x_**2 * (1 + sin(s) ** 2) / 2), [0, mp.pi / 4, mp.pi / 2])
    given = {"alpha": a, "beta": b, "position": x, "tMax": min(30, float(f"{2.3 * float(period):.6g}"))}
    if given["tMax"] > 1.1 * period:
        add("period", given, "period", period, QUADRATURE)

    add("energy", given, None, a_ * x_**2 / 2 + b_ * x_**4 / 4, "definition of the energy")

# --- falls --------------------------------------------------------------------------------------------------------------
FALL = "closed form, mpmath with 34 digits"
for i in range(8):
    h, g, c = draw(1, 1000), draw(1, 25), draw(0.0005, 0.1)
    up = draw(1, 30) if i % 2 else 0.0
    h_, g_, c_ = mpf(h), mpf(g), mpf(c)
    vt = sqrt(g_ / c_)
    top, t_up = h_, mpf(0)
    if up:
        top += log(1 + (mpf(up) / vt) ** 2) / (2 * c_)
        t_up = vt / g_ * atan(mpf(up) / vt)
    fall = exp(c_ * top)
    t = t_up + vt / g_ * log(fall + sqrt(fall**2 - 1))
    v = vt * sqrt(1 - fall**-2)
    given = {"referenceMode": "free-fall", "height": h, "gravity": g, "drag": c, "velocity": up, "duration": float(f"{1.2 * float(t):.4g}")}
    add("impact with quadratic drag", given, "impact_time", t, FALL)
    add("its speed", given, "impact_speed", v, FALL)
    if up:
        add("its top", given, "highest", top, FALL)
    # Stopped before the impact: the energy in the air.
    part = float(f"{0.7 * float(t):.5g}")
    if part > t_up:
        s = g_ / vt * (mpf(part) - t_up)
        w, y = vt * tanh(s), top - log(cosh(s)) / c_
        add("energy in the air", {**given, "duration": part, "tolerance": 1e-6}, None, w * w / 2 + g_ * y, FALL)
for i in range(5):
    h, b = draw(1, 500), draw(0.02, 2)
    h_, b_, g_ = mpf(h), mpf(b), mpf("9.80665")
    g_ = mpf(9.80665)
    t = findroot(lambda s: h_ - g_ / b_ * (s - (1 - exp(-b_ * s)) / b_), sqrt(2 * h_ / g_) + h_ * b_ / g_)
    given = {"referenceMode": "free-fall", "height": h, "damping": b, "duration": float(f"{1.2 * float(t):.4g}")}
    add("impact with linear drag", given, "impact_time", t, FALL)
    add("its speed", given, "impact_speed", g_ / b_ * (1 - exp(-b_ * t)), FALL)
for name, g, R in (
    ("earth", 9.80665, 6.3710088e6),
    ("moon", 4.9028e12 / (1.7374e6 * 1.7374e6), 1.7374e6),
    ("mars", 4.282837e13 / (3.3895e6 * 3.3895e6), 3.3895e6),
):
    h = draw(1e4, 1e7)
    r0, r1 = mpf(R) + mpf(h), mpf(R)
    gm = mpf(g) * r1**2
    x = r1 / r0
    t = sqrt(r0**3 / (2 * gm)) * (sqrt(x * (1 - x)) + mp.acos(sqrt(x)))
    given = {"referenceMode": "gravity", "location": name, "height": h, "duration": float(f"{1.1 * float(t):.4g}")}
    add(f"fall from far, {name}", given, "impact_time", t, FALL)
    add(f"its speed, {name}", given, "impact_speed", sqrt(2 * gm * (1 / r1 - 1 / r0)), FALL)

# --- escape -------------------------------------------------------------------------------------------------------------
for i in range(4):
    k, mu, x = draw(0.2, 3), draw(0.3, 2), number(-1, 1)
    k_, mu_, x_ = mpf(k), mpf(mu), mpf(x)
    # From rest: half the time of a whole pass of sech^2.
    t = mp.pi / sqrt(2 * k_ * mu_ * exp(mu_ * x_))
    add("escape of an exponential", {"alpha": 0, "exponential": -k, "exponent": mu, "position": x, "tMax": 30}, "escape_time", t, FALL)
for i in range(3):
    b, x = draw(0.3, 3), draw(0.3, 3)
    t = quad(lambda u: 1 / sqrt(1 - u**4), [0, mpf("0.5"), 1]) / (mpf(x) * sqrt(mpf(b) / 2))
    add("escape of a cubic", {"alpha": 0, "beta": -b, "position": x, "tMax": 30}, "escape_time", t, QUADRATURE)

json.dump({"generator": "test/coverage/solve.py", "cases": cases}, sys.stdout, indent=2)
print()
