"""Writes buckling.json: critical loads that this project did not compute.

    python3 test/coverage/buckling.py > test/coverage/buckling.json
    python3 test/coverage/buckling.py 7 > another.json     # other draws

mpmath, 30 digits: closed forms, zeros of Bessel functions, determinants of exact solutions piece by piece (sines, hyperbolic
sines and quartic roots), and power series; frames by the determinant of stability functions in mpmath.
"""
import json
import sys

import mpmath as mp
import numpy as np
import scipy.linalg

mp.mp.dps = 30
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random = np.random.default_rng(SEED)
cases = []


def add(name, given, truth, source, of=None):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    cases.append(case)


def draw(low, high, digits=9):
    return float(f"{np.exp(random.uniform(np.log(low), np.log(high))):.{digits}g}")


def between(low, high, digits=9):
    return float(f"{random.uniform(low, high):.{digits}g}")


# --- columns of pieces: transfer matrices in closed form -------------------------------------------------------------

def series_piece(EI, N, k, L):
    """exp of the 4 x 4 system (w, slope, moment, force) with constant coefficients."""
    a = mp.matrix([[0, 1, 0, 0], [0, 0, 1 / EI, 0], [0, -N, 0, 1], [-k, 0, 0, 0]])
    return expm(a * L)


def float_determinant(pieces, devices, bottom, top, P):
    """The same in doubles, to find the sign."""
    L, EI0 = float(pieces[-1][1]), float(pieces[0][2])
    unscale = np.diag([1, 1 / L, EI0 / L**2, EI0 / L**3])
    span = unscale @ np.eye(4)[:, list(START[bottom])]
    for x0, x1, EI, share, held, k in pieces:
        if x0 == 0:
            span = float_device(span, devices.get(x0))
        N = float(held) + P * float(share)
        a = np.array([[0, 1, 0, 0], [0, 0, 1 / EI, 0], [0, -N, 0, 1], [-k, 0, 0, 0]]) * (x1 - x0)
        span = scipy.linalg.inv(unscale) @ span
        span = scipy.linalg.expm(np.linalg.inv(unscale) @ a @ unscale) @ span
        span = float_device(unscale @ span, devices.get(x1))
    span = np.linalg.inv(unscale) @ span
    return np.linalg.det(span[list(GOAL[top])]) / np.linalg.norm(span) ** 2


def float_device(span, given):
    if given is None:
        return span
    jump = np.eye(4)
    jump[3, 0], jump[2, 1] = -float(given[0]), float(given[1])
    return jump @ span


def expm(a):
    n = max(0, int(mp.ceil(mp.log(mp.mnorm(a, 1) + mp.mpf(10) ** -20, 2))) + 3)
    a = a / mp.mpf(2) ** n
    term, total = mp.eye(4), mp.eye(4)
    for i in range(1, 22):
        term = term * a / i
        total = total + term
    for _ in range(n):
        total = total * total
    return total


START = {"fixed": (2, 3), "pinned": (1, 3), "guided": (0, 2), "free": (0, 1)}
GOAL = {"fixed": (0, 1), "pinned": (0, 2), "guided": (1, 3), "free": (2, 3)}


def determinant(pieces, devices, bottom, top, P):
    """pieces: (x0, x1, EI, share, held, k); devices: x -> (k, c)."""
    span = mp.zeros(4, 2)
    for j, i in enumerate(START[bottom]):
        span[i, j] = 1
    L = pieces[-1][1]
    EI0 = pieces[0][2]
    scale = mp.diag([1, L, L**2 / EI0, L**3 / EI0])
    unscale = mp.diag([1, 1 / mp.mpf(L), EI0 / mp.mpf(L) ** 2, EI0 / mp.mpf(L) ** 3])
    span = unscale * span
    for x0, x1, EI, share, held, k in pieces:
        span = device(span, devices.get(x0)) if x0 == 0 else span
        span = series_piece(mp.mpf(EI), held + P * share, mp.mpf(k), mp.mpf(x1) - mp.mpf(x0)) * span
        span = device(span, devices.get(x1))
    span = scale * span
    g = GOAL[top]
    return span[g[0], 0] * span[g[1], 1] - span[g[0], 1] * span[g[1], 0]


def device(span, given):
    if given is None:
        return span
    k, c = given
    jump = mp.eye(4)
    jump[3, 0] = -k
    jump[2, 1] = c
    return jump * span


def roots(f, low, high, count, steps=400, exact=None):
    """The first roots of f between two bounds, by a scan in equal steps of the square root, then of `exact`."""
    low, high = mp.mpf(low), mp.mpf(high)
    if exact is not None:
        return refined(f, exact, float(low), float(high), count, steps)
    found, before, fb = [], mp.mpf(low), f(mp.mpf(low))
    for i in range(1, steps + 1):
        t = mp.sqrt(low) + (mp.sqrt(high) - mp.sqrt(low)) * i / steps
        x = t * t
        fx = f(x)
        if fb * fx < 0:
            a, b, fa = before, x, fb
            for _ in range(70):
                m = (a + b) / 2
                fm = f(m)
                if fa * fm <= 0:
                    b = m
                else:
                    a, fa = m, fm
            found.append((a + b) / 2)
            if len(found) == count:
                return found
        before, fb = x, fx
    return found


def refined(f, exact, low, high, count, steps):
    found = []
    places = np.linspace(np.sqrt(low), np.sqrt(high), steps + 1) ** 2
    before, earlier = f(places[0]), np.nan
    for a, b in zip(places[:-1], places[1:]):
        now = f(b)
        if not found and earlier * before > 0 and before * now > 0 and abs(before) < min(abs(earlier), abs(now)):
            return []  # Perhaps a pair of roots between two places.
        if before * now < 0:
            x0, x1 = mp.mpf(a), mp.mpf(b)
            f0, f1 = exact(x0), exact(x1)
            if f0 * f1 > 0:
                return []
            found.append(mp.findroot(exact, (x0, x1), solver="anderson", tol=mp.mpf(10) ** -40, verify=False, maxsteps=40))
            if len(found) == count:
                return found
        earlier, before = before, now
    return found


PAIRS = [("pinned", "pinned"), ("fixed", "free"), ("fixed", "fixed"), ("fixed", "pinned"), ("fixed", "guided"),
         ("pinned", "guided"), ("pinned", "fixed"), ("guided", "pinned"), ("free", "fixed"), ("guided", "fixed")]
FACTOR = {("pinned", "pinned"): mp.pi**2, ("fixed", "free"): mp.pi**2 / 4, ("fixed", "fixed"): 4 * mp.pi**2,
          ("fixed", "pinned"): mp.findroot(lambda x: mp.tan(x) - x, 4.4934) ** 2, ("fixed", "guided"): mp.pi**2,
          ("pinned", "guided"): mp.pi**2 / 4}
for a, b in list(FACTOR):
    FACTOR[(b, a)] = FACTOR[(a, b)]

# --- uniform columns, any scale --------------------------------------------------------------------------------------
for pair in PAIRS + PAIRS[:4]:
    E, length, side = draw(1e6, 1e12), draw(1e-3, 1e4), draw(1e-5, 1e2)
    truth = FACTOR[pair] * mp.mpf(E) * mp.mpf(side) ** 4 / 12 / mp.mpf(length) ** 2
    given = {"E": E, "length": length, "section": f"rectangle {side} {side}", "bottom": pair[0], "top": pair[1],
             "elements": int(random.integers(4, 80))}
    add(f"uniform {pair}", given, truth, "closed form of Euler's column")
for m in (2, 3, 5, 8):
    length = draw(0.1, 100)
    add(f"load {m}", {"EI": "1234.5", "length": length, "modes": m, "bottom": "pinned", "top": "pinned",
                      "elements": int(random.integers(20, 64))},
        m * m * mp.pi**2 * mp.mpf("1234.5") / mp.mpf(length) ** 2, "closed form m² π² EI / L²", f"critical_load[{m - 1}]")

# --- own weight: zeros of Bessel functions ---------------------------------------------------------------------------
greenhill = mp.mpf(9) / 4 * mp.findroot(lambda x: mp.besselj(mp.mpf(-1) / 3, x), 1.8663) ** 2
for _ in range(4):
    EI, length = draw(1, 1e9), draw(0.1, 200)
    add("own weight", {"EI": str(EI), "length": length, "weight": str(draw(1e-3, 1e5)), "vary": "weight",
                       "bottom": "fixed", "top": "free", "elements": int(random.integers(8, 64))},
        greenhill * mp.mpf(EI) / mp.mpf(length) ** 2, "Greenhill: zero of the Bessel function of order -1/3")

# A load at the top that buckles under a held weight: series of w' with N = P + q (L - x).


def weight_series(q, P):
    """The bending moment at the clamp of a unit column whose free top has the slope 1."""
    # s from the top: theta'' + (P + q s) theta = 0, theta'(0) = 0, theta(1) = 0.
    c = [mp.mpf(1), mp.mpf(0)]
    for i in range(0, 90):
        c.append(-(P * c[i] + (q * c[i - 1] if i > 0 else 0)) / ((i + 1) * (i + 2)))
    return mp.fsum(c)


for _ in range(6):
    share = between(0.05, 0.95)
    q = float(f"{float(greenhill) * share:.9g}")
    truth = roots(lambda P: float(weight_series(mp.mpf(q), P)), 1e-6, 3, 1, 40, lambda P: weight_series(mp.mpf(q), P))[0]
    add("load on a held weight", {"EI": "1", "length": 1, "weight": str(q), "bottom": "fixed", "top": "free",
                                  "elements": int(random.integers(10, 48))}, truth, "power series, 30 digits")

# --- tapers ----------------------------------------------------------------------------------------------------------
# EI = EI0 (1 + a x)^4 between pins: w = (1 + a x) sin(...): P = EI0 (1 + a L)^2 (pi / L)^2.
for _ in range(8):
    EI0, length = draw(10, 1e7), draw(0.5, 50)
    a = float(f"{between(-0.75, 4) / length:.9g}")
    truth = mp.mpf(EI0) * (1 + mp.mpf(a) * mp.mpf(length)) ** 2 * (mp.pi / mp.mpf(length)) ** 2
    add("quartic taper", {"EI": f"{EI0}*(1+{a}*x)^4", "length": length, "bottom": "pinned", "top": "pinned",
                          "elements": int(random.integers(12, 64))}, truth, "closed form: (1 + a x) sin of a / (1 + a x)")
# EI = EI0 (1 + a x)^2 between pins: w'' x^2-type Euler equation: sqrt(y) sin(b ln y).
for _ in range(6):
    EI0, length = draw(10, 1e7), draw(0.5, 50)
    a = float(f"{between(-0.75, 6) / length:.9g}")
    am, Lm = mp.mpf(a), mp.mpf(length)
    b = mp.pi / mp.log(1 + am * Lm)
    truth = mp.mpf(EI0) * am**2 * (b**2 + mp.mpf(1) / 4)
    add("square taper", {"EI": f"{EI0}*(1+{a}*x)^2", "length": length, "bottom": "pinned", "top": "pinned",
                         "elements": int(random.integers(12, 64))}, truth, "closed form: sqrt(y) sin(b ln y)")
# EI linear, from a table, fixed below and free above: w'' of Bessel functions of order 0 and 1 in 2 sqrt(P y / EI0) / a.
for _ in range(6):
    low, high, length = draw(100, 1e5), draw(100, 1e5), draw(0.5, 30)
    if abs(high / low - 1) < 0.05:
        high *= 2
    slope = (mp.mpf(high) - mp.mpf(low)) / mp.mpf(length)

    # M = EI w'' = -P (w - w_top) on a free top: with v = w - w_top, (low + slope x) v'' + P v = 0; v'(0) = 0, v(L) = 0.
    def linear(P, low=low, high=high, slope=slope):
        u = lambda e: 2 * mp.sqrt(P * e) / abs(slope)
        f = lambda kind, e: u(e) * kind(1, u(e))
        d = lambda kind, e: kind(0, u(e))
        return (f(mp.besselj, mp.mpf(high)) * d(mp.bessely, mp.mpf(low))
                - f(mp.bessely, mp.mpf(high)) * d(mp.besselj, mp.mpf(low)))

    guess = min(low, high) / length**2
    truth = roots(lambda P: float(linear(P)), guess * 0.05, guess * 400, 1, 500, linear)[0]
    add("linear taper", {"EI": f"0 {low}; {length} {high}", "length": length, "bottom": "fixed", "top": "free",
                         "elements": int(random.integers(12, 64))}, truth, "Bessel functions of order 0 and 1, 30 digits")
# Exponential EI between pins: EI0 e^(-2 c x) w'' + P w = 0: Bessel functions of order 0 of sqrt(P / EI0) e^(c x) / c.
for _ in range(4):
    EI0, length = draw(10, 1e6), draw(0.5, 20)
    c = float(f"{between(0.2, 1.5) / length:.9g}")

    def exponential(P, EI0=EI0, length=length, c=c):
        z = lambda x: mp.sqrt(P / EI0) * mp.exp(mp.mpf(c) * x) / c
        return (mp.besselj(0, z(0)) * mp.bessely(0, z(mp.mpf(length)))
                - mp.bessely(0, z(0)) * mp.besselj(0, z(mp.mpf(length))))

    guess = EI0 / length**2
    truth = roots(lambda P: float(exponential(P)), guess * 0.01, guess * 20, 1, 250, exponential)[0]
    add("exponential taper", {"EI": f"{EI0}*exp(-{2 * c}*x)", "length": length, "bottom": "pinned", "top": "pinned",
                              "elements": int(random.integers(12, 64))}, truth, "Bessel functions of order 0, 30 digits")


# --- steps, springs, foundations, loads between the ends -------------------------------------------------------------

def piecewise(name, pair, length, cuts, EI, share, k, springs, elements, held=None, modes=1, as_text=False):
    """Cuts rising with 0 and length; EI, share, k for each piece; springs (x, k, c)."""
    held = held or [0.0] * len(EI)
    pieces = [(cuts[i], cuts[i + 1], EI[i], mp.mpf(share[i]), mp.mpf(held[i]), k[i]) for i in range(len(EI))]
    devices = {x: (mp.mpf(a), mp.mpf(b)) for x, a, b in springs}
    f = lambda P: float_determinant(pieces, devices, pair[0], pair[1], P)
    exact = lambda P: determinant(pieces, devices, pair[0], pair[1], P)
    base = float(max(EI)) / length**2
    most = base * 150 + sum(10 * a * length for _, a, _ in springs if a < 1e6 * base / length) + 8 * np.sqrt(
        max(k) * max(EI))
    found = roots(f, min(EI) / length**2 * 1e-4, most, modes, 700, exact)
    if len(found) < modes:
        return
    given = {"length": length, "bottom": pair[0], "top": pair[1], "elements": elements}
    if as_text:
        text = repr(EI[-1])
        for i in reversed(range(len(EI) - 1)):
            text = f"x<{cuts[i + 1]!r}?{EI[i]!r}:({text})"
        given["EI"] = text
    else:
        given["EI"] = "; ".join(f"{cuts[i]!r} {EI[i]!r}; {cuts[i + 1]!r} {EI[i]!r}" for i in range(len(EI)))
        if len(EI) == 1:
            given["EI"] = repr(EI[0])
    if any(k):
        given["foundation"] = "; ".join(f"{cuts[i]!r} {k[i]!r}; {cuts[i + 1]!r} {k[i]!r}" for i in range(len(k)))
    words = [f"{x!r}" + (f" k={a!r}" if a else "") + (f" c={b!r}" if b else "") for x, a, b in springs]
    if words:
        given["springs"] = "; ".join(words)
    loads = [f"{cuts[i + 1]!r} {float(share[i] - (share[i + 1] if i + 1 < len(share) else 1))!r}"
             for i in range(len(share)) if i + 1 < len(share) and share[i] != share[i + 1]]
    loads += [f"held {cuts[i + 1]!r} {float(held[i] - (held[i + 1] if i + 1 < len(held) else 0))!r}"
              for i in range(len(held)) if held[i] != (held[i + 1] if i + 1 < len(held) else 0)]
    if loads:
        given["loads"] = "; ".join(loads)
    if modes > 1:
        given["modes"] = modes
    add(name, given, found[modes - 1], "determinant of the pieces' exact solutions, mpmath, 30 digits",
        f"critical_load[{modes - 1}]" if modes > 1 else None)


def cuts_of(length, count):
    inner = sorted(float(f"{x:.7g}") for x in random.uniform(0.04, 0.96, count - 1) * length)
    return [0.0, *inner, length]


def pair():
    return PAIRS[int(random.integers(len(PAIRS)))]


for i in range(14):
    length, count = draw(0.2, 40), int(random.integers(2, 5))
    piecewise("steps", pair(), length, cuts_of(length, count), [draw(10, 1e5) for _ in range(count)], [1.0] * count,
              [0.0] * count, [], int(random.integers(8, 64)), as_text=i % 2 == 1)
for _ in range(3):
    # A soft or stiff place a ten-thousandth to a hundredth of the column wide.
    length, EI = 1.0, draw(10, 1e5)
    middle, width = between(0.1, 0.9, 7), draw(3e-4, 1e-2, 4)
    piecewise("a hidden notch", pair(), length, [0.0, middle, float(f"{middle + width:.9g}"), length],
              [EI, EI * draw(1e-3, 0.1, 4), EI], [1.0] * 3, [0.0] * 3, [], int(random.integers(8, 48)))
for _ in range(10):
    length, EI = draw(0.2, 40), draw(10, 1e6)
    unit = EI / length**3
    place = float(f"{between(0.1, 0.9) * length:.7g}")
    piecewise("a spring between the ends", pair(), length, [0.0, place, length], [EI] * 2, [1.0] * 2, [0.0] * 2,
              [(place, draw(1e-2, 1e4, 6) * unit, 0.0)], int(random.integers(8, 64)))
for _ in range(6):
    length, EI = draw(0.2, 40), draw(10, 1e6)
    piecewise("ends that turn in springs", ("pinned", "pinned"), length, [0.0, length], [EI], [1.0], [0.0],
              [(0.0, 0.0, draw(1e-3, 1e5, 6) * EI / length), (length, 0.0, draw(1e-3, 1e5, 6) * EI / length)],
              int(random.integers(8, 64)))
for _ in range(5):
    length, EI = draw(0.2, 40), draw(10, 1e6)
    piecewise("a top in a spring", ("fixed", "free"), length, [0.0, length], [EI], [1.0], [0.0],
              [(length, draw(1e-3, 1e6, 6) * EI / length**3, 0.0)], int(random.integers(8, 64)))
for _ in range(3):
    # A rigid bar, so to say, on a very soft spring.
    length, EI = draw(0.2, 40), draw(10, 1e6)
    k, elements = draw(1e-7, 1e-4, 6) * EI / length**3, int(random.integers(8, 40))
    add("a very soft spring", {"length": length, "bottom": "pinned", "top": "free", "elements": elements, "EI": repr(EI),
                               "springs": f"{length!r} k={k!r}"}, mp.mpf(k) * mp.mpf(length), "closed form k L of a straight bar")
for _ in range(8):
    length, EI = draw(0.2, 40), draw(10, 1e6)
    k = draw(1, 1e5, 6) * EI / length**4
    piecewise("a foundation", pair(), length, [0.0, length], [EI], [1.0], [k], [], int(random.integers(40, 96)))
for _ in range(5):
    length, EI, count = draw(0.2, 40), draw(10, 1e6), 2
    cuts = cuts_of(length, count)
    piecewise("a foundation in part", pair(), length, cuts, [EI] * 2, [1.0] * 2,
              [draw(10, 1e5, 6) * EI / length**4, 0.0], [], int(random.integers(32, 80)))
for _ in range(6):
    length, count = draw(0.2, 40), int(random.integers(2, 4))
    shares = np.cumsum([1.0, *[draw(0.1, 5, 4) for _ in range(count - 1)]])[::-1]
    piecewise("loads between the ends", pair(), length, cuts_of(length, count), [draw(10, 1e5) for _ in range(count)],
              [float(s) for s in shares], [0.0] * count, [], int(random.integers(10, 64)))
for _ in range(4):
    length, EI = draw(0.2, 40), draw(10, 1e6)
    cuts = cuts_of(length, 2)
    piecewise("a held tension or compression", ("fixed", "fixed"), length, cuts, [EI] * 2, [1.0] * 2, [0.0] * 2, [],
              int(random.integers(10, 64)), held=[between(-60, 20, 5) * EI / length**2, 0.0])
for m in (2, 3, 4, 6):
    length, count = draw(0.2, 40), 3
    piecewise(f"load {m} of steps", pair(), length, cuts_of(length, count), [draw(100, 1e4) for _ in range(count)],
              [1.0] * count, [0.0] * count, [], int(random.integers(32, 80)), modes=m)
for _ in range(4):
    # A stiff foundation: many half-waves.
    length, EI, k = draw(0.2, 40), draw(10, 1e6), draw(1e4, 1e7, 6)
    truth = min(m * m + mp.mpf(k) / (mp.pi**4 * m * m) for m in range(1, 60)) * mp.pi**2 * mp.mpf(EI) / mp.mpf(length) ** 2
    soil = k * EI / length**4
    truth = min(m * m * mp.pi**2 * mp.mpf(EI) / mp.mpf(length) ** 2 + mp.mpf(soil) * mp.mpf(length) ** 2 / (mp.pi**2 * m * m)
                for m in range(1, 60))
    add("a stiff foundation", {"EI": repr(EI), "length": length, "foundation": repr(soil), "bottom": "pinned",
                               "top": "pinned", "elements": int(random.integers(64, 160))}, truth,
        "closed form, the least over m half-waves")
for m in (1, 2, 1, 2):
    k = 4 * np.pi**4 * (1 + (0 if m == 1 else 1e-9))
    exact = [5 * mp.pi**2, 5 * mp.pi**2]
    length = draw(0.3, 10)
    add(f"equal loads {m}", {"EI": "1", "length": length, "foundation": repr(float(4 * np.pi**4 / length**4)),
                             "bottom": "pinned", "top": "pinned", "modes": 3, "elements": int(random.integers(32, 64))},
        exact[0] / mp.mpf(length) ** 2, "closed form where m = 1 and m = 2 meet", f"critical_load[{m - 1}]")


# --- frames: determinants of stability functions in mpmath ------------------------------------------------------------

def member_matrix(EI, EA, L, N):
    """6 x 6 with sines, or with hyperbolic sines in tension."""
    k = mp.zeros(6)
    a = EA / L
    k[0, 0] = k[3, 3] = a
    k[0, 3] = k[3, 0] = -a
    if abs(N) * L**2 / EI < mp.mpf(10) ** -14:
        s, c, t = mp.mpf(4), mp.mpf(2), mp.mpf(0)
    elif N > 0:
        u = L * mp.sqrt(N / EI)
        d = 2 - 2 * mp.cos(u) - u * mp.sin(u)
        s, c, t = u * (mp.sin(u) - u * mp.cos(u)) / d, u * (u - mp.sin(u)) / d, u * u
    else:
        u = L * mp.sqrt(-N / EI)
        d = 2 - 2 * mp.cosh(u) + u * mp.sinh(u)
        s, c, t = u * (u * mp.cosh(u) - mp.sinh(u)) / d, u * (mp.sinh(u) - u) / d, -u * u
    i = EI / L
    shear = (2 * (s + c) - t) * i / L**2
    for (r, q), value in {(1, 1): shear, (1, 4): -shear, (4, 4): shear, (1, 2): (s + c) * i / L, (1, 5): (s + c) * i / L,
                          (2, 4): -(s + c) * i / L, (4, 5): -(s + c) * i / L, (2, 2): s * i, (5, 5): s * i,
                          (2, 5): c * i}.items():
        k[r, q] = k[q, r] = value
    return k


def frame_factor(nodes, members, loads, count=1):
    """nodes (x, y, held triple, spring triple); members (i, j, EI, EA, hinge); all from 0."""
    number, next_ = {}, 0
    for e, (i, j, EI, EA, hinge) in enumerate(members):
        for end, word in (("from", "start"), ("to", "end")):
            if hinge in (word, "both"):
                number[("hinge", e, end)] = next_
                next_ += 1
    for i, (x, y, held, springs) in enumerate(nodes):
        rigid = any((m[0] == i and m[4] not in ("start", "both")) or (m[1] == i and m[4] not in ("end", "both"))
                    for m in members)
        for d in range(3):
            if not held[d] and (d < 2 or rigid or springs[2] > 0):
                number[(i, d)] = next_
                next_ += 1

    def dofs(e):
        i, j = members[e][0], members[e][1]
        return [number.get((i, 0), -1), number.get((i, 1), -1), number.get(("hinge", e, "from"), number.get((i, 2), -1)),
                number.get((j, 0), -1), number.get((j, 1), -1), number.get(("hinge", e, "to"), number.get((j, 2), -1))]

    def assembled(forces):
        K = mp.zeros(next_)
        for e, (i, j, EI, EA, hinge) in enumerate(members):
            dx, dy = mp.mpf(nodes[j][0]) - nodes[i][0], mp.mpf(nodes[j][1]) - nodes[i][1]
            L = mp.sqrt(dx * dx + dy * dy)
            c, s = dx / L, dy / L
            T = mp.eye(6)
            for o in (0, 3):
                T[o, o], T[o, o + 1], T[o + 1, o], T[o + 1, o + 1] = c, s, -s, c
            k = T.T * member_matrix(mp.mpf(EI), mp.mpf(EA), L, forces[e]) * T
            d = dofs(e)
            for a in range(6):
                for b in range(6):
                    if d[a] >= 0 and d[b] >= 0:
                        K[d[a], d[b]] += k[a, b]
        for i, node in enumerate(nodes):
            for a in range(3):
                if number.get((i, a), -1) >= 0:
                    K[number[(i, a)], number[(i, a)]] += node[3][a]
        return K

    K0 = assembled([mp.mpf(0)] * len(members))
    f = mp.zeros(next_, 1)
    for i, fx, fy in loads:
        for d, value in ((0, fx), (1, fy)):
            if number.get((i, d), -1) >= 0:
                f[number[(i, d)]] += mp.mpf(value)
    u = mp.lu_solve(K0, f)
    N = []
    for e, (i, j, EI, EA, hinge) in enumerate(members):
        dx, dy = mp.mpf(nodes[j][0]) - nodes[i][0], mp.mpf(nodes[j][1]) - nodes[i][1]
        L = mp.sqrt(dx * dx + dy * dy)
        d = dofs(e)
        at = lambda a: u[d[a]] if d[a] >= 0 else mp.mpf(0)
        N.append(-mp.mpf(EA) / L * (dx / L * (at(3) - at(0)) + dy / L * (at(4) - at(1))))
    most = max(abs(n) for n in N)
    N = [n if abs(n) > most * mp.mpf(10) ** -20 else mp.mpf(0) for n in N]

    def negative(factor):
        K = assembled([factor * n for n in N])
        signs, inside = 0, 0
        A = K.copy()
        for k in range(next_):
            if A[k, k] < 0:
                signs += 1
            for i in range(k + 1, next_):
                if A[i, k] != 0:
                    m = A[i, k] / A[k, k]
                    for j in range(k, next_):
                        A[i, j] -= m * A[k, j]
        for e, (i, j, EI, EA, hinge) in enumerate(members):
            if N[e] * factor > 0:
                L = mp.sqrt((mp.mpf(nodes[j][0]) - nodes[i][0]) ** 2 + (mp.mpf(nodes[j][1]) - nodes[i][1]) ** 2)
                x = L * mp.sqrt(factor * N[e] / mp.mpf(EI))
                # Clamped loads: sin(x/2) = 0 and tan(x/2) = x/2.
                inside += int(mp.floor(x / (2 * mp.pi)))
                for root in TANGENT:
                    inside += int(x > 2 * root)
        return signs + inside

    mp.mp.dps = 20
    high = mp.mpf(1)
    while negative(high) < count:
        high *= 4
    while high > mp.mpf(10) ** -12 and negative(high / 4) >= count:
        high /= 4
    low = high / 4
    for _ in range(46):
        m = (low + high) / 2
        if negative(m) >= count:
            high = m
        else:
            low = m
    mp.mp.dps = 30
    return (low + high) / 2


TANGENT = [mp.findroot(lambda x: mp.tan(x) - x, float(g)) for g in (4.4934, 7.7253, 10.9041, 14.0662, 17.2208)]
HELD = {"fixed": (1, 1, 1), "pinned": (1, 1, 0), "": (0, 0, 0), "ux": (1, 0, 0), "uy": (0, 1, 0)}


def frame(name, nodes, members, loads, elements, count=1):
    """nodes (x, y, word, kx, ky, kr)."""
    exact = frame_factor([(x, y, HELD[word], springs) for x, y, word, springs in nodes], members, loads, count)
    unit = max(np.hypot(fx, fy) for _, fx, fy in loads)
    given = {
        "nodes": "; ".join(f"{x!r} {y!r} {word}" + "".join(f" {n}={v!r}" for n, v in zip(("kx", "ky", "kr"), springs)
                                                           if v) for x, y, word, springs in nodes),
        "members": "; ".join(f"{i + 1} {j + 1} EI={EI!r} EA={EA!r}" + (f" hinge={h}" if h else "")
                             for i, j, EI, EA, h in members),
        "loads": "; ".join(f"{i + 1} {fx!r} {fy!r}" for i, fx, fy in loads),
        "elements": elements, "modes": max(1, count)}
    add(name, given, exact * unit, "determinant of stability functions, statics with 30 digits, mpmath",
        f"critical_load[{count - 1}]" if count > 1 else None)


NONE = (0.0, 0.0, 0.0)
for i in range(12):
    h, w = between(2, 8, 5), between(3, 12, 5)
    base = "pinned" if i % 2 else "fixed"
    EI, EA = draw(1e5, 1e8, 6), draw(1e8, 1e10, 6)
    nodes = [(0.0, 0.0, base, NONE), (0.0, h, "ux" if i % 4 == 3 else "", NONE), (w, float(f"{h * between(0.7, 1.3):.5g}"), "", NONE),
             (w, 0.0, base, NONE)]
    members = [(0, 1, EI, EA, ""), (1, 2, EI * draw(0.2, 5, 4), EA, "end" if i % 5 == 4 else ""), (2, 3, EI * draw(0.5, 2, 4), EA, "")]
    frame("a portal", nodes, members, [(1, 0.0, -1.0), (2, between(-0.2, 0.2, 3), -between(0.2, 3, 4))], int(random.integers(4, 14)),
          1 if i % 3 else 2)
for i in range(5):
    # A truss of hinged bars and an oblique load.
    a = between(1, 4, 5)
    nodes = [(0.0, 0.0, "pinned", NONE), (a, between(0.5, 3, 5), "", NONE), (2 * a, 0.0, "pinned", NONE)]
    members = [(0, 1, draw(1e3, 1e5, 6), draw(1e6, 1e8, 6), "both"), (1, 2, draw(1e3, 1e5, 6), draw(1e6, 1e8, 6), "both")]
    frame("two bars", nodes, members, [(1, between(-1, 1, 4), -between(1, 3, 4))], int(random.integers(4, 14)))
for i in range(5):
    h, w, EI, EA = between(2.5, 5, 5), between(4, 8, 5), draw(1e6, 1e8, 6), draw(1e8, 1e10, 6)
    nodes = [(0.0, 0.0, "fixed", NONE), (w, 0.0, "pinned", (0.0, 0.0, EI * draw(0.01, 10, 4))), (0.0, h, "", (EI * draw(1e-3, 1, 4), 0.0, 0.0)),
             (w, h, "", NONE), (0.0, 2 * h, "", NONE), (w, 2 * h, "", NONE)]
    members = [(0, 2, EI, EA, ""), (1, 3, EI, EA, ""), (2, 4, EI / 2, EA, ""), (3, 5, EI / 2, EA, ""), (2, 3, 2 * EI, EA, ""),
               (4, 5, EI, EA, "")]
    if i % 2:
        members.append((0, 3, EI / 100, EA / 20, "both"))
    frame("two storeys", nodes, members, [(2, 0.0, -1.0), (3, 0.1, -1.0), (4, 0.0, -between(0.3, 2, 4)), (5, 0.0, -0.7)],
          int(random.integers(5, 12)))

print(json.dumps({"provenance": "Written by test/coverage/buckling.py with mpmath, without code of this project.", "cases": cases}, indent=1))
