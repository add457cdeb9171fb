"""Cases of coverage for the solver fea, from closed forms of plane and axisymmetric elasticity with 30 digits.

    python3 test/coverage/fea.py > test/coverage/fea.json

Plane fields are those of Kolosov and Muskhelishvili, 2 mu (u + i v) = kappa phi(z) - z conj(phi'(z)) - conj(psi(z)), with
polynomials phi and psi; they are prescribed on the whole boundary of blocks, outlines and meshes. Beams, tubes, bars and
columns have forces on their sides instead.
"""

import json
import random

from mpmath import mp, mpc, mpf

mp.dps = 30
rng = random.Random(20261123)
cases = []


def add(name, inputs, truth, source, **more):
    cases.append({"name": f"{name} {len(cases)}", "input": inputs, "truth": float(truth), "source": source, **more})


def rounded(x, digits=6):
    return float(f"{float(x):.{digits}g}")


def log_uniform(low, high):
    return rounded(mp.e ** (mp.log(low) + rng.random() * (mp.log(high) - mp.log(low))))


def uniform(low, high):
    return rounded(low + rng.random() * (high - low))


def plane(e, nu, state):
    """mu and kappa."""
    e, nu = mpf(e), mpf(nu)
    return e / (2 * (1 + nu)), (3 - 4 * nu) if state == "strain" else (3 - nu) / (1 + nu)


# Real and imaginary parts of z^n as texts.
POWERS = {
    1: ("x", "y"),
    2: ("(x^2-y^2)", "(2*x*y)"),
    3: ("(x^3-3*x*y^2)", "(3*x^2*y-y^3)"),
    4: ("(x^4-6*x^2*y^2+y^4)", "(4*x^3*y-4*x*y^3)"),
}


def field(mu, kappa, a, b, n, m):
    """phi = a z^n, psi = b z^m with real a, b: a function and two texts."""

    def at(x, y):
        z = mpc(x, y)
        w = kappa * a * z**n - z * mp.conj(a * n * z ** (n - 1)) - mp.conj(b * z**m)
        return w.real / (2 * mu), w.imag / (2 * mu)

    # z conj(z^(n-1)) = |z|^2 conj(z^(n-2)), of n = 1 it is z.
    re, im = POWERS[n]
    if n == 1:
        sr, si = "x", "y"
    elif n == 2:
        sr, si = "(x^2+y^2)", "0"
    else:
        r, i = POWERS[n - 2]
        sr, si = f"(x^2+y^2)*{r}", f"(-(x^2+y^2)*{i})"
    c1, c2, c3 = (repr(float(v)) for v in (kappa * a / (2 * mu), mpf(a) * n / (2 * mu), mpf(b) / (2 * mu)))
    pr, pi = POWERS[m]
    ux = f"{c1}*{re}-({c2})*{sr}-({c3})*{pr}"
    uy = f"{c1}*{im}-({c2})*{si}+({c3})*{pi}"
    return at, ux, uy


MUSKHELISHVILI = "closed form of Kolosov and Muskhelishvili, prescribed on the boundary (mpmath, 30 digits)"
OUTLINES = [
    ("0 0; 2 0; 2 1; 0 1", lambda: (uniform(0.1, 1.9), uniform(0.1, 0.9))),
    ("0 0; 2 0; 2 1; 1 1; 1 2; 0 2", lambda: (uniform(0.1, 0.9), uniform(0.1, 1.9))),
    ("0 0; 2 0; 2 2; 0 2 | circle 1 1 0.3", lambda: (uniform(0.1, 0.6), uniform(0.1, 1.9))),
    ("circle 0 0 1", lambda: (uniform(-0.6, 0.6), uniform(-0.6, 0.6))),
    ("0 0; 3 0; 1.2 2.1", lambda: (uniform(1.1, 1.5), uniform(0.2, 0.9))),
    ("0 0; 1 0; 1.3 0.9; 0.5 1.6; -0.3 0.9 | 0.4 0.5; 0.6 0.5; 0.6 0.9; 0.4 0.9", lambda: (uniform(0.0, 0.3), uniform(0.2, 0.9))),
]
for i in range(36):
    state = rng.choice(["stress", "strain"])
    e, nu = log_uniform(1, 1e12), uniform(0, 0.45 if state == "stress" else 0.4)
    mu, kappa = plane(e, nu, state)
    n, m = rng.choice([(2, 2), (3, 3), (2, 3), (3, 2), (2, 4), (3, 4)])
    strain = log_uniform(1e-6, 1e-2)
    a, b = (mpf(rounded(strain * float(mu) * uniform(-1, 1))) for _ in range(2))
    at, ux, uy = field(mu, kappa, a, b, n, m)
    outline, place = OUTLINES[i % len(OUTLINES)]
    x, y = place()
    component = rng.choice(["ux", "uy"])
    inputs = {
        "outline": outline,
        "supports": f"boundary ux={ux} uy={uy}",
        "E": e,
        "nu": nu,
        "state": state,
        "probe_x": x,
        "probe_y": y,
        "component": component,
        "element": rng.choice(["full", "incompatible"]),
        "size": uniform(0.12, 0.2),
    }
    add("a field in an outline", inputs, at(x, y)[component == "uy"], MUSKHELISHVILI)

for i in range(8):
    # The outside of a mesh file: a skewed block of three by two elements.
    state = rng.choice(["stress", "strain"])
    e, nu = log_uniform(1e6, 1e12), uniform(0, 0.4)
    mu, kappa = plane(e, nu, state)
    n, m = rng.choice([(2, 3), (3, 2)])
    at, ux, uy = field(mu, kappa, mpf(rounded(1e-4 * float(mu))), mpf(rounded(-2e-4 * float(mu))), n, m)
    shear = uniform(-0.4, 0.4)
    nodes = [(i + shear * j + (0.1 if (i, j) == (1, 1) else 0), j) for j in range(5) for i in range(7)]
    lines = ["*NODE"] + [f"{k + 1}, {rounded(px / 6, 12)}, {rounded(py / 4, 12)}" for k, (px, py) in enumerate(nodes)]
    lines += ["*ELEMENT, TYPE=CPS4"]
    lines += [f"{6 * j + i + 1}, {7 * j + i + 1}, {7 * j + i + 2}, {7 * j + i + 9}, {7 * j + i + 8}" for j in range(4) for i in range(6)]
    x, y = uniform(0.3, 0.7), uniform(0.2, 0.8)
    component = rng.choice(["ux", "uy"])
    inputs = {"mesh": "\n".join(lines), "supports": f"boundary ux={ux} uy={uy}", "E": e, "nu": nu, "state": state}
    add("a field in a mesh", {**inputs, "probe_x": x, "probe_y": y, "component": component}, at(x, y)[component == "uy"], MUSKHELISHVILI)

for i in range(26):
    # A beam with a parabolic shear at its end.
    state = rng.choice(["stress", "strain"])
    length, height = log_uniform(1e-3, 1e2), 0
    height = rounded(length / uniform(1, 12))
    e, nu, force, thickness = log_uniform(1e3, 1e12), uniform(-0.2, 0.45), log_uniform(1e-3, 1e6), log_uniform(1e-3, 10)
    if state == "strain":
        nu = abs(nu) * 0.8
    x, y = (length, 0) if i % 3 == 0 else (rounded(length * uniform(0.3, 1)), rounded(height * uniform(-0.45, 0.45)))
    component = "uy" if i % 3 == 0 else rng.choice(["ux", "uy"])
    e2, nu2 = (mpf(e), mpf(nu)) if state == "stress" else (mpf(e) / (1 - mpf(nu) ** 2), mpf(nu) / (1 - mpf(nu)))
    p, inertia = mpf(force) / mpf(thickness), mpf(height) ** 3 / 12
    X, Y, L, H = mpf(x), mpf(y), mpf(length), mpf(height)
    ux = -p * Y / (6 * e2 * inertia) * ((6 * L - 3 * X) * X + (2 + nu2) * (Y**2 - H**2 / 4))
    uy = p / (6 * e2 * inertia) * (3 * nu2 * Y**2 * (L - X) + (4 + 5 * nu2) * H**2 * X / 4 + (3 * L - X) * X**2)
    inputs = {
        "length": length, "height": height, "E": e, "nu": nu, "load": force, "thickness": thickness, "state": state,
        "nx": rng.choice([24, 32, 48, 64]), "ny": rng.choice([8, 12, 16]), "probe_x": x, "probe_y": y, "component": component,
        "element": rng.choice(["full", "incompatible"]),
    }  # fmt: skip
    add("a beam", inputs, uy if component == "uy" else ux, "closed form of Timoshenko & Goodier, paragraph 21 (mpmath)")

for i in range(18):
    # A thick tube under inner and outer pressure, its ends held: Lame.
    a, thickness = log_uniform(1e-3, 10), 0
    thickness = rounded(a * uniform(0.1, 2))
    nearly = i % 3 == 0
    e, nu = log_uniform(1e5, 1e12), 0.4999 if i == 0 else uniform(0.45, 0.499) if nearly else uniform(0, 0.4)
    pi, po = log_uniform(1e3, 1e8), log_uniform(1e3, 1e8)
    A, B, E, NU, PI, PO = mpf(a), mpf(a) + mpf(thickness), mpf(e), mpf(nu), mpf(pi), mpf(po)
    r = rounded(a + thickness * uniform(0.05, 0.95))
    c1 = (PI * A**2 - PO * B**2) / (B**2 - A**2)
    c2 = (PI - PO) * A**2 * B**2 / (B**2 - A**2)
    truth = (1 + NU) / E * ((1 - 2 * NU) * c1 * mpf(r) + c2 / mpf(r))
    height = rounded(thickness * uniform(0.5, 2))
    inputs = {
        "problem": "tube", "radius": a, "length": thickness, "height": height, "E": e, "nu": nu,
        "loads": f"left p={pi}; right p={po}", "nx": 32, "ny": 8, "probe_x": r, "probe_y": rounded(height * 0.37),
        "element": "bbar" if nearly else rng.choice(["full", "incompatible", "bbar"]),
    }  # fmt: skip
    add("a tube", inputs, truth, "closed form of Lame: a tube under pressure (mpmath)")

for i in range(14):
    # A ring from an outline of two circles: plane stress under inner pressure, held where it does not move.
    a, b = 1.0, uniform(1.6, 3)
    e, nu, p = log_uniform(1e6, 1e12), uniform(0, 0.45), log_uniform(1e3, 1e8)
    A, B, E, NU, P = mpf(a), mpf(b), mpf(e), mpf(nu), mpf(p)
    angle = uniform(0, 6.28)
    r = uniform(1.1, b - 0.1)
    x, y = rounded(r * float(mp.cos(angle))), rounded(r * float(mp.sin(angle)))
    R = mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2)
    radial = P * A**2 / (B**2 - A**2) / E * ((1 - NU) * R + (1 + NU) * B**2 / R)
    inputs = {
        "outline": f"circle 0 0 {b} | circle 0 0 1", "E": e, "nu": nu, "loads": f"hole1 p={p}",
        "supports": f"at {b} 0 uy=0; at -{b} 0 uy=0; at 0 {b} ux=0", "probe_x": x, "probe_y": y, "size": 0.15,
        "component": "magnitude", "element": rng.choice(["full", "incompatible"]),
    }  # fmt: skip
    add("a ring", inputs, radial, "closed form of Lame: a ring in plane stress under pressure (mpmath)")

for i in range(10):
    # A bar that is pulled, heated and hangs: u_y(y) on the axis is exact for nu = 0.
    length, e = log_uniform(1e-2, 1e3), log_uniform(1e6, 1e12)
    t, g, rise, rho, alpha = uniform(-1e5, 1e5), uniform(0, 20), uniform(-100, 100), uniform(100, 9000), log_uniform(1e-6, 1e-4)
    y = rounded(length * uniform(0.05, 0.95))
    L, Y = mpf(length), mpf(y)
    truth = mpf(t) * Y / mpf(e) - mpf(rho) * mpf(g) * (L * Y - Y**2 / 2) / mpf(e) + mpf(alpha) * mpf(rise) * Y
    inputs = {
        "problem": "block", "length": rounded(length * uniform(0.1, 1)), "height": length, "E": e, "nu": 0, "density": rho,
        "expansion": alpha, "supports": "bottom uy=0; at 0 0 ux=0", "loads": f"top ty={t}; gravity 0 {-g}; heat {rise}",
        "probe_x": 0, "probe_y": y, "component": "uy", "nx": 8, "ny": 32,
    }  # fmt: skip
    add("a bar", inputs, truth, "closed form: tension, own weight and heat of a bar without lateral contraction (mpmath)")

provenance = "Computed outside of this project by test/coverage/fea.py with mpmath and 30 digits: closed forms as each source says."
print(json.dumps({"provenance": provenance, "cases": cases}, indent=2))
