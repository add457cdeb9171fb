"""Cases of multibody with outside truth: closed forms with 30 digits, and extrapolation in quadruple precision.

python3 test/coverage/multibody.py [seed] > test/coverage/multibody.json; needs mpmath and g++ with libquadmath. Decimals of the
inputs are taken as written, so that their rounding to doubles is an error of the answer.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from mpmath import mp, mpf, sqrt, sin, cos, tanh, log, cosh, pi, findroot, ellipfun, ellipk

mp.dps = 30
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20
rng = random.Random(seed)
cases = []
here = Path(__file__).parent
program = str(Path(tempfile.mkdtemp()) / "multibody")
subprocess.run(["g++", "-O2", "-o", program, str(here / "multibody.cpp"), "-lquadmath"], check=True)

R = lambda low, high, digits=4: round(rng.uniform(low, high), digits)
LOG = lambda low, high: float(f"{10 ** rng.uniform(low, high):.4g}")
QUAD = "extrapolation in quadruple precision, tolerance 1e-26"


def quad(law, d, bodies, strength, softening, tmax, alpha=0, beta=0):
    words = [law, len(bodies), d, strength, softening, alpha, beta, tmax]
    for b in bodies:
        words += [b["m"], b.get("R", 0), b.get("site", 0), b.get("g", 0), b.get("c", 0), *b["x"], *b["v"]]
    text = " ".join(repr(w) if not isinstance(w, str) else w for w in words)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split()
    n = len(bodies)
    rows = [[float(x) for x in out[2 + 2 * d * i : 2 + 2 * d * (i + 1)]] for i in range(n)]
    energy, work, least, when = (float(x) for x in out[2 + 2 * d * n :])
    return {"t": float(out[0]), "why": int(out[1]), "rows": rows, "E": energy, "W": work, "least": least, "when": when}


def add(name, given, truth, source, of=None):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    cases.append(case)


def gravity(kind, d, bodies, softening, tmax, extra=None):
    given = {"bodies": [{"mass": b["m"], "position": b["x"], "velocity": b["v"], **({"radius": b["R"]} if "R" in b else {})} for b in bodies], "tMax": tmax}
    if softening:
        given["softening"] = softening
    given.update(extra or {})
    truth = quad(0, d, bodies, 1, softening, tmax)
    if truth["why"] == 2:
        return
    name = f"{kind} n={len(bodies)} d={d} t={tmax:.4g}"
    axes = "xyz"[:d]
    if truth["why"] == 1:
        add(name, given, truth["t"], QUAD, "contact_time")
        add(name, given, truth["E"], QUAD)
        return
    for _ in range(2):
        i, k = rng.randrange(len(bodies)), rng.randrange(d)
        add(name, given, truth["rows"][i][k], QUAD, f"{axes[k]}_{i}")
    i, k = rng.randrange(len(bodies)), rng.randrange(d)
    add(name, given, truth["rows"][i][d + k], QUAD, f"v{axes[k]}_{i}")
    pick = rng.random()
    if pick < 0.4:
        add(name, given, truth["least"], QUAD, "closest_approach")
    elif pick < 0.6:
        add(name, given, truth["E"], QUAD)


# Random systems of 2 to 6 bodies, at most some crossing times: bound, passing, softened, with radii, far from 0.
for c in range(22):
    n = rng.choice([2, 3, 3, 4, 5, 6])
    d = rng.choice([2, 3])
    size, heavy = LOG(-3, 6), LOG(-6, 6)
    away = rng.choice([0, 0, 0, 100]) * size
    bodies = [{"m": float(f"{heavy * 10 ** rng.uniform(-1.5, 0.3):.5g}"), "x": [float(f"{away + size * rng.uniform(-1, 1):.7g}") for _ in range(d)]} for _ in range(n)]
    speed = (sum(b["m"] for b in bodies) / size) ** 0.5
    for b in bodies:
        b["v"] = [float(f"{0.5 * speed * rng.uniform(-1, 1):.7g}") for _ in range(d)]
    kind = rng.choice(["free", "free", "softened", "solid"])
    softening = float(f"{size * 10 ** rng.uniform(-3, -0.5):.4g}") if kind == "softened" else 0
    if kind == "solid":
        for b in bodies:
            b["R"] = float(f"{size * 0.01 * rng.uniform(0.5, 2):.4g}")
    gravity(kind, d, bodies, softening, float(f"{rng.uniform(0.5, 5) * size / speed:.5g}"))


def kepler_state(a, e, M, mu):
    E = M
    for _ in range(200):
        E -= (E - e * sin(E) - M) / (1 - e * cos(E))
    b = sqrt(1 - e * e)
    rate = sqrt(mu / a) / (1 - e * cos(E))
    return a * (cos(E) - e), a * b * sin(E), -rate * sin(E), rate * b * cos(E)


# Two bodies on an orbit, up to hundreds of revolutions: Kepler's equation.
for c in range(14):
    m0, m1, a = LOG(-2, 3), LOG(-6, 0), LOG(-3, 3)
    e = R(0, 0.97, 3) if c % 3 else R(0, 0.3, 3)
    anomaly = R(0, 360, 2)
    mu = mpf(repr(m0)) + mpf(repr(m1))
    period = 2 * pi * sqrt(mpf(repr(a)) ** 3 / mu)
    tmax = float(f"{float(period) * 10 ** rng.uniform(-1, 2):.6g}")
    given = {"bodies": [{"mass": m0}, {"mass": m1, "orbit": {"a": a, "e": e, "anomaly": anomaly}}], "tMax": tmax}
    M = mpf(repr(anomaly)) * pi / 180 + 2 * pi * mpf(repr(tmax)) / period
    x, y, vx, vy = kepler_state(mpf(repr(a)), mpf(repr(e)), M - 2 * pi * mp.floor(M / (2 * pi)), mu)
    share = mpf(repr(m0)) / mu
    name = f"Kepler e={e} orbits={tmax / float(period):.3g}"
    source = "Kepler's equation with 30 digits"
    add(name, given, x * share, source, "x_1")
    add(name, given, vy * share, source, "vy_1")
    add(name, given, period, source, "period")
    if tmax > float(period):
        add(name, given, mpf(repr(a)) * (1 - mpf(repr(e))), source, "closest_approach")

# The field: oscillators, weights and drag by quadruple precision; pairs through each other with softening.
for c in range(12):
    n = rng.choice([2, 2, 3, 4])
    alpha, beta = R(-0.5, 4, 3), rng.choice([0, R(0, 2, 3)])
    if alpha <= 0 and beta == 0:
        beta = 0.5
    kappa, eps = rng.choice([0, R(0.01, 1, 3)]), R(0.05, 0.5, 3)
    where = [("", "0"), ("earth", "9.80665")]
    # Densities over 2, times the drag area over the mass, as decimals of 30 digits.
    media = {"vacuum": mpf(0), "air": mpf("1.225"), "water": mpf("998.2")}
    rows, given = [], []
    for i in range(n):
        m, phi, v, site = R(0.5, 3, 2), R(-1, 1, 3), R(-1, 1, 3), R(-2, 2, 2) + 5 * i
        place, g = rng.choice(where)
        medium, area = rng.choice(["vacuum", "vacuum", "air", "water"]), R(0.0001, 0.003, 4)
        drag = mp.nstr(media[medium] * mpf(repr(area)) / (2 * mpf(repr(m))), 30)
        rows.append({"m": m, "site": site, "g": g, "c": drag, "x": [phi], "v": [v]})
        body = {"mass": m, "position": site, "phi0": phi, "dphi0": v, "medium": medium, "dragArea": area}
        if place:
            body["location"] = place
        given.append(body)
    tmax = R(1, 15, 3)
    truth = quad(1, 1, rows, kappa, eps, tmax, alpha, beta)
    if truth["why"] == 2:
        continue
    request = {"law": "field", "bodies": given, "tMax": tmax, "alpha": alpha, "beta": beta, "pairwiseCoupling": kappa, "pairwiseSoftening": eps}
    i = rng.randrange(n)
    name = f"field n={n} t={tmax}"
    add(name, request, truth["rows"][i][0], QUAD, f"phi_{i}")
    add(name, request, truth["rows"][i][1], QUAD, f"dphi_{i}")
    add(name, request, truth["E"], QUAD)

# Closed forms of one body beside another: harmonic, Duffing, free fall with quadratic drag.
for c in range(6):
    A, tmax = R(0.1, 3, 3), R(0.5, 60, 2)
    alpha, beta = R(0.1, 9, 3), R(0, 3, 3) if c % 2 else 0
    bodies = [{"mass": 1, "phi0": A}, {"mass": 2, "phi0": 0}]
    given = {"bodies": bodies, "alpha": alpha, "beta": beta, "pairwiseCoupling": 0, "tMax": tmax}
    al, be, amp, t = mpf(repr(alpha)), mpf(repr(beta)), mpf(repr(A)), mpf(repr(tmax))
    w2 = al + be * amp**2
    m = be * amp**2 / (2 * w2)
    add("Duffing", given, amp * ellipfun("cn", sqrt(w2) * t, m=m), "Jacobi's cn with 30 digits", "phi_0")
for c in range(6):
    h, tmax = R(0, 100, 1), R(0.5, 20, 2)
    mass, area = R(0.5, 20, 2), R(0.001, 0.5, 4)
    bodies = [{"mass": mass, "phi0": h, "location": "earth", "medium": "air", "dragArea": area}, {"mass": 1}]
    given = {"bodies": bodies, "alpha": 0, "pairwiseCoupling": 0, "tMax": tmax}
    k = mpf("1.225") * mpf(repr(area)) / (2 * mpf(repr(mass)))
    g, t = mpf("9.80665"), mpf(repr(tmax))
    add("fall with drag", given, mpf(repr(h)) - log(cosh(t * sqrt(g * k))) / k, "ln cosh with 30 digits", "phi_0")
    add("fall with drag", given, -sqrt(g / k) * tanh(t * sqrt(g * k)), "tanh with 30 digits", "dphi_0")

# Equal steps, whose errors are seen; and Burrau's problem after its encounters.
for c in range(6):
    n = rng.choice([3, 4])
    bodies = [{"m": R(0.5, 2, 3), "x": [R(-2, 2), R(-2, 2)], "v": [R(-0.5, 0.5), R(-0.5, 0.5)]} for _ in range(n)]
    tmax = R(1, 6, 2)
    method = ["rk4", "leapfrog", "yoshida4"][c % 3]
    gravity(method, 2, bodies, R(0.2, 0.6, 2), tmax, {"method": method, "dt": float(f"{tmax / rng.randrange(100, 400):.4g}")})
burrau = [{"m": m, "x": x, "v": [0, 0]} for m, x in [(3, [1, 3]), (4, [-2, -1]), (5, [1, -1])]]
for tmax in [45, 52, 58, 60]:
    gravity("Burrau", 2, burrau, 0, tmax)

json.dump({"generator": "test/coverage/multibody.py", "cases": cases}, sys.stdout, indent=1)
print()
