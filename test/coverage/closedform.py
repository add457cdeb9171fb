"""Writes closedform.json: numbers of the master field in closed form that this project did not compute.

    python3 test/coverage/closedform.py [seed] > test/coverage/closedform.json

mpmath with 50 digits, by other ways than the solver's: linear equations by the exponential of a matrix; Duffing's by the
function of Weierstrass's type as a Taylor series in steps, energies and times of escape by quadrature. Inputs count as the
doubles that they round to.
"""
import json
import math
import random
import sys

from mpmath import cos, expm, inf, matrix, mp, mpf, quad, sin, sqrt

mp.dps = 50
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []


def add(name, given, of, truth, source):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    # The truth is written as a double.
    case["accuracy"] = abs(float(truth)) * 1.2e-16
    cases.append(case)


def draw(low, high, digits=6):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def either(x):
    return random.choice((-1, 1)) * x


def taylor(a, b, x, v, t, terms=48):
    """phi and dphi at t of phi'' = -a phi - b phi^3, by Taylor series in steps of a part of the fastest motion."""
    a, b, x, v, t = map(mpf, (a, b, x, v, t))
    while t > 0:
        rate = sqrt(abs(a)) + sqrt(abs(b)) * (abs(x) + sqrt(abs(v)) / max(abs(b), mpf(1e-30)) ** mpf("0.25"))
        h = min(t, mpf("0.15") / rate)
        c, squares = [x, v], []
        for n in range(terms):
            squares.append(sum(c[i] * c[n - i] for i in range(n + 1)))
            cube = sum(c[i] * squares[n - i] for i in range(n + 1))
            c.append((-a * c[n] - b * cube) / ((n + 1) * (n + 2)))
        x = sum(one * h**k for k, one in enumerate(c))
        v = sum(k * one * h ** (k - 1) for k, one in enumerate(c) if k)
        t -= h
    return x, v


TAYLOR = "Taylor series in steps, mpmath with 50 digits"


def duffing(name, a, b, x, v, t):
    given = {"mu2_eff": a, "lambda_eff": b, "phi0": x, "dphi0": v, "t": t}
    phi, dphi = taylor(a, b, x, v, t)
    add(name, given, None, phi, TAYLOR)
    if len(cases) % 3 == 0:
        add(f"{name}, dphi", given, "dphi", dphi, TAYLOR)
    return given


def period_of(a, b, x, v):
    """By quadrature between the turns, which are roots of the energy."""
    a, b, x, v = map(mpf, (a, b, x, v))
    e = v * v / 2 + a * x * x / 2 + b * x**4 / 4
    q = sqrt((a + b * x * x) ** 2 + 2 * b * v * v)
    roots = [(-a + q) / b, (-a - q) / b]
    if b > 0 and e < 0:
        lo, hi = sqrt(roots[1]), sqrt(roots[0])
        # phi^2 = lo^2 + (hi^2 - lo^2) sin^2
        f = lambda s: 1 / sqrt(b / 2 * (lo**2 + (hi**2 - lo**2) * sin(s) ** 2))
        return 2 * quad(f, [0, mp.pi / 4, mp.pi / 2])
    top = roots[0] if b > 0 else min(r for r in roots if r > 0)
    other = roots[1] if b > 0 else max(roots)
    # phi = sqrt(top) sin
    f = lambda s: 1 / sqrt(b / 2 * (top * sin(s) ** 2 - other)) if b > 0 else 1 / sqrt(-b / 2 * (other - top * sin(s) ** 2))
    return 4 * quad(f, [0, mp.pi / 8, mp.pi / 4, 3 * mp.pi / 8, mp.pi / 2])


QUADRATURE = "quadrature of the energy integral, mpmath with 50 digits"

# --- hardening, both signs of the linear term, from any start ---------------------------------------------------------
for i in range(24):
    a, b = either(draw(0.01, 10)), draw(0.01, 10)
    x, v = either(draw(0.01, 5)), either(draw(0.01, 5)) if i % 3 else 0.0
    t = draw(0.1, 30)
    given = duffing(f"hardening a={a} b={b}", a, b, x, v, t)
    if i % 4 == 0:
        add(f"period a={a} b={b}", given, "period", period_of(a, b, x, v), QUADRATURE)

# --- one well ---------------------------------------------------------------------------------------------------------
for i in range(14):
    a, b = -draw(0.1, 10), draw(0.1, 10)
    well = (-a / b) ** 0.5
    x = float(f"{either(well * random.uniform(0.3, 1.38)):.6g}")
    v = float(f"{either(random.uniform(0, 0.2)) * well * (-a) ** 0.5:.6g}") if i % 2 else 0.0
    given = duffing(f"double well a={a} b={b}", a, b, x, v, draw(0.5, 20))
    if i % 4 == 0:
        add(f"period a={a} b={b} x={x}", given, "period", period_of(a, b, x, v), QUADRATURE)

# --- softening within the barrier -------------------------------------------------------------------------------------
for i in range(16):
    a, b = draw(0.1, 10), -draw(0.01, 10)
    barrier = (-a / b) ** 0.5
    x = float(f"{either(barrier * random.uniform(0.01, 0.8)):.6g}")
    v = float(f"{either(random.uniform(0, 0.2)) * barrier * a ** 0.5:.6g}") if i % 2 else 0.0
    given = duffing(f"softening a={a} b={b}", a, b, x, v, draw(0.5, 30))
    if i % 4 == 0:
        add(f"period a={a} b={b} x={x}", given, "period", period_of(a, b, x, v), QUADRATURE)

# --- close to separatrices ---------------------------------------------------------------------------------------------
for near in (1e-3, -1e-3, 1e-6, -1e-6, 1e-10, -1e-10, 1e-13, 0.0):
    x = 2**0.5 * (1 + near)
    duffing(f"double well, {near} from the barrier", -1.0, 1.0, x, 0.0, 6.5)
    v = (1 + near) * 0.5**0.5
    if near < 1e-3:
        duffing(f"softening, {near} from the barrier", 1.0, -1.0, 0.0, v, 4.5)

# --- escapes: before the pole, by a Taylor series ----------------------------------------------------------------------
def escape_time(a, b, x, v):
    a, b, x, v = map(mpf, (a, b, x, v))
    e = v * v / 2 + a * x * x / 2 + b * x**4 / 4
    speed2 = lambda p: 2 * e - a * p * p - b * p**4 / 2
    if v == 0 or x * v >= 0:
        # p = x + s^2 takes the root out of a turn.
        x = abs(x)
        if v == 0:
            # speed2(p) = (p^2 - x^2) (-b/2) (p^2 + x^2 + 2a/b)
            g = lambda s: 2 / sqrt((2 * x + s * s) * (-b / 2) * ((x + s * s) ** 2 + x * x + 2 * a / b))
            return quad(g, [0, sqrt(x + 1) / 4, sqrt(x + 1), 4 * sqrt(x + 1), inf])
        return quad(lambda p: 1 / sqrt(speed2(p)), [x, x + 1, x + 10, inf])
    return None


for i in range(24):
    a, b = either(draw(0.1, 5)), -draw(0.1, 5)
    kind = i % 4
    barrier = (abs(a) / -b) ** 0.5
    if kind == 0:  # from rest beyond the barrier
        x, v = either(float(f"{barrier * random.uniform(1.5, 4):.6g}")), 0.0
    elif kind == 1:  # outwards
        x = float(f"{barrier * random.uniform(0.2, 2):.6g}")
        v = float(f"{barrier * random.uniform(1, 4) * abs(a) ** 0.5 + 1:.6g}")
    elif kind == 2:  # through zero, or back from a turn
        x = -float(f"{barrier * random.uniform(1.2, 3):.6g}")
        v = float(f"{barrier * random.uniform(0.2, 6) * abs(a) ** 0.5:.6g}")
    else:  # from zero
        x, v = 0.0, float(f"{barrier * random.uniform(1, 4) * abs(a) ** 0.5:.6g}")
    known = escape_time(a, b, x, v)
    # A bound of the time: that of the plain cubic force from the turn.
    if known is None:
        t = 0.0
        phi, dphi = mpf(x), mpf(v)
        limit = 6 * max(abs(x), (abs(v) / (-b) ** 0.5) ** 0.5, barrier)
        step = 0.02 / (abs(a) ** 0.5 + (-b) ** 0.5 * limit)
        while abs(phi) < limit and t < 20:
            phi, dphi = taylor(a, b, phi, dphi, step, 24)
            t += step
        t = float(f"{t * random.uniform(0.3, 0.98):.6g}")
    else:
        t = float(f"{float(known) * random.choice((0.3, 0.7, 0.9, 0.99)):.6g}")
    given = duffing(f"escape a={a} b={b} x={x} v={v}", a, b, x, v, t)
    if known is not None and i % 2:
        add(f"time of escape a={a} b={b} x={x} v={v}", given, "escape_time", known, QUADRATURE)


# --- linear: the exponential of a matrix with the drive as states ------------------------------------------------------
def linear(given, name):
    g = {"mu2_eff": 1.0, "F_eff": 0.0, "omega": 0.0, "phase": 0.0, "damping": 0.0, "phi0": 1.0, "dphi0": 0.0, **given}
    a, f, w, p, c, t = (mpf(g[key]) for key in ("mu2_eff", "F_eff", "omega", "phase", "damping", "t"))
    # phi, dphi, cos(w t + p), sin(w t + p)
    m = matrix([[0, 1, 0, 0], [-a, -c, f, 0], [0, 0, 0, -w], [0, 0, w, 0]])
    end = expm(m * t, method="taylor") * matrix([mpf(g["phi0"]), mpf(g["dphi0"]), cos(p), sin(p)])
    source = "exponential of a matrix, mpmath with 50 digits"
    add(name, given, None, end[0], source)
    if len(cases) % 3 == 0:
        add(f"{name}, dphi", given, "dphi", end[1], source)


for i in range(12):
    linear({"mu2_eff": 0.0, "phi0": either(draw(0.1, 100)), "dphi0": either(draw(0.1, 100)), "t": draw(0.1, 100),
            "F_eff": either(draw(0.1, 10)) if i % 2 else 0.0, "damping": draw(1e-6, 3) if i % 3 == 0 else 0.0}, f"free {i}")
for i in range(12):
    a = either(draw(0.01, 20))
    linear({"mu2_eff": a, "phi0": either(draw(0.1, 10)), "dphi0": either(draw(0.1, 10)), "t": draw(0.1, 20),
            "F_eff": either(draw(0.1, 10)) if i % 3 == 0 else 0.0}, f"oscillator a={a}")
for i in range(12):
    a, c = draw(0.1, 10), draw(0.01, 8)
    if i % 4 == 0:
        c = 2 * a**0.5 * random.choice((1, 1 + 1e-9, 1 - 1e-9, 1 + 1e-15))
    linear({"mu2_eff": a, "damping": c, "phi0": either(draw(0.1, 10)), "dphi0": either(draw(0.1, 10)), "t": draw(0.1, 15)},
           f"damped a={a} c={c}")
for i in range(20):
    a, w = draw(0.1, 10), draw(0.1, 10)
    if i % 2:
        w = a**0.5 * random.choice((1, 1 + 1e-3, 1 - 1e-6, 1 + 1e-10, 1 - 1e-14))
    c = (0.0, draw(1e-8, 1))[i % 4 > 1]
    linear({"mu2_eff": a, "damping": c, "F_eff": either(draw(0.1, 10)), "omega": w, "phase": round(random.uniform(-6, 6), 4),
            "phi0": either(draw(0.1, 3)), "dphi0": either(draw(0.1, 3)), "t": draw(0.5, 60)}, f"driven a={a} w={w} c={c}")
for i in range(4):
    linear({"mu2_eff": -draw(0.1, 4), "F_eff": 1.5, "omega": draw(0.1, 4), "damping": draw(0.1, 3), "t": draw(0.5, 8)}, f"driven barrier {i}")

json.dump({"generator": "test/coverage/closedform.py", "cases": cases}, sys.stdout, indent=2)
print()
