# Outside truth of device: the first integral of Poisson and Boltzmann's equation by quadrature, series and closed forms.
#
#   python3 test/coverage/device.py > test/coverage/device.json
#
# A step: u'^2/2 is the charge integrated over the potential, so a place is an integral over the potential, and no grid
# is shared. Other profiles: scipy's solve_bvp, collocation of order 4 with its own mesh, the sides of a jump as two systems.
# An oxide: the equation of the surface potential; capacitances are quotients of charges by small changes of the gate with 40
# digits, for high frequency with the number of the minority kept. A plane: sums over modes, one coordinate in closed form,
# layers in series, cylinders by logarithms and images.
import json
import math
import random

import mpmath as mp
import numpy as np
from scipy.integrate import quad, solve_bvp
from scipy.optimize import brentq

random.seed(11)
Q, KB, EPS0 = 1.602176634e-19, 1.380649e-23, 8.8541878188e-12
cases = []


def add(name, input, truth, source, of=None, accuracy=1e-9):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if of:
        case["of"] = of
    cases.append({**case, "truth": float(truth), "accuracy": accuracy * abs(float(truth)), "source": source})


def pick(low, high, digits=4):
    return float(f"{random.uniform(low, high):.{digits}g}")


def power(low, high):
    return float(f"{10 ** random.uniform(low, high):.4g}")


for i in range(60):
    Na = power(14.5, 18)
    Nd = float(f"{min(3e18, max(3e14, Na * 10 ** random.uniform(-2.5, 2.5))):.4g}")
    T = random.choice([300, 300, pick(250, 450)])
    eps = random.choice([11.7, 12.9, 16.0, pick(3, 20)])
    ni = random.choice([1e10, 2.1e6, 1.45e10, power(6, 12)])
    vt = KB * T / Q
    built_in = vt * math.log(Na * Nd / ni**2)
    bias = random.choice([0.0, 0.0, pick(-20, 0), pick(-1, 0), float(f"{0.6 * built_in:.3g}")])
    s = math.log(ni * 1e6) + bias / (2 * vt)
    kappa = Q / (EPS0 * eps * vt)
    na, nd = Na * 1e6, Nd * 1e6
    n = math.exp(s)
    left, right = -math.asinh(na / (2 * n)), math.asinh(nd / (2 * n))

    def square(u, N, far):
        return 2 * kappa * (n * 2 * (math.cosh(u) - math.cosh(far)) - N * (u - far)) if abs(s) + abs(u) < 600 else \
            2 * kappa * (math.exp(s + u) + math.exp(s - u) - math.exp(s + far) - math.exp(s - far) - N * (u - far))

    middle = brentq(lambda u: square(u, nd, right) - square(u, -na, left), left, right, xtol=1e-15, rtol=1e-15)
    field = vt * math.sqrt(square(middle, nd, right))
    input = {"Na": Na, "Nd": Nd, "T": T, "eps": eps, "ni": ni, "bias": bias, "cv_from": 0}
    if i % 3 == 2:
        add("largest field of a step", input, field, "first integral of Poisson-Boltzmann", "field_max")
        continue
    side = random.choice([-1, 1])
    N, far = (nd, right) if side > 0 else (-na, left)
    if side * (far - middle) < 0.5:
        side = -side
        N, far = (nd, right) if side > 0 else (-na, left)
    u = middle + random.uniform(0.05, 0.9) * (far - middle)
    x = abs(quad(lambda w: 1 / math.sqrt(square(w, N, far)), middle, u, epsabs=0, epsrel=1e-12, limit=400)[0])
    place = float(f"{side * x:.7g}")
    slope = math.sqrt(square(u, N, far))
    add("potential of a step", {**input, "probe": place}, vt * (u + slope * (place - side * x)),
        "first integral of Poisson-Boltzmann, place by quadrature")


def laplace(lx, ly, x, y):
    """Top side at 1, the others at 0."""
    total = 0.0
    for m in range(1, 4001, 2):
        k = m * math.pi / lx
        if k * (ly - y) > 60:
            break
        ratio = math.exp(k * (y - ly)) * (1 - math.exp(-2 * k * y)) / (1 - math.exp(-2 * k * ly))
        total += 4 / (m * math.pi) * math.sin(k * x) * ratio
    return total


def poisson(lx, ly, x, y):
    """Source 1 between sides at 0."""
    total = 0.0
    for m in range(1, 4001, 2):
        k = m * math.pi / lx
        edge = lambda z: (math.exp(-k * z) + math.exp(-k * (ly - z))) / (1 + math.exp(-k * ly))
        total += 4 / (m * math.pi) / k**2 * math.sin(k * x) * (1 - edge(y))
    return total


for i in range(54):
    lx, ly = pick(0.5, 2), pick(0.5, 2)
    x, y = float(f"{lx * random.uniform(0.1, 0.9):.5g}"), float(f"{ly * random.uniform(0.1, 0.85):.5g}")
    base = {"mode": "plane", "lx": lx, "ly": ly, "probe_x": x, "probe_y": y, "nx": random.choice([64, 72, 96, 50]),
            "ny": random.choice([64, 80, 56])}
    kind = i % 6
    if kind == 0:
        v = pick(-5, 5)
        add("a box with one side held", {**base, "top": str(v)}, v * laplace(lx, ly, x, y), "a series of sines")
    elif kind == 1:
        f = pick(-20, 20)
        add("even charge in a grounded box", {**base, "top": "0", "source": str(f)}, f * poisson(lx, ly, x, y),
            "a series of sines, the other axis in closed form")
    elif kind == 2:
        m = random.randint(1, 3)
        k = m * math.pi / lx
        truth = math.sin(k * x) * math.sinh(k * y) / math.sinh(k * ly)
        add("a side held at a sine", {**base, "top": f"sin({m}*pi*x/{lx})"}, truth, "separation of variables")
    elif kind == 3:
        a, b = pick(1, 20), pick(1, 20)
        share = random.choice([0.25, 0.5, 0.75])
        cut = ly * share
        base["ny"] = 64
        total = cut / a + (ly - cut) / b
        truth = (min(y, cut) / a + max(0, y - cut) / b) / total
        add("two layers in series", {**base, "left": "insulated", "right": "insulated", "top": "1",
                                     "permittivity": f"y > {cut!r} ? {b} : {a}"}, truth, "capacitors in series")
    elif kind == 4:
        m, n = random.randint(1, 2), random.randint(1, 2)
        k, l = m * math.pi / lx, n * math.pi / ly
        truth = math.cos(k * x) * math.sin(l * y) / (k * k + l * l)
        add("a mode between insulated sides", {**base, "left": "insulated", "right": "insulated", "top": "0",
            "source": f"cos({m}*pi*x/{lx})*sin({n}*pi*y/{ly})"}, truth, "an eigenfunction of the Laplacian")
    else:
        a = pick(-1, 1)
        # u = x^2 y + a y^2 with permittivity 1 + x: source = -(d(eps u_x)/dx + d(eps u_y)/dy).
        text = f"x^2*y+({a})*y^2"
        add("a graded medium", {**base, "left": text, "right": text, "bottom": text, "top": text,
            "permittivity": "1+x", "source": f"-(2*x*y+(1+x)*2*y+(1+x)*2*({a}))"}, x * x * y + a * y * y,
            "a manufactured solution")


def heavy(i):
    """Steps whose sides differ by six orders of magnitude."""
    Na, Nd = power(18.5, 20.5), power(12.7, 14.5)
    if i % 2:
        Na, Nd = Nd, Na
    vt = KB * 300 / Q
    bias = [0.0, -1.0, -20.0, -60.0, 0.0, -5.0][i]
    s = math.log(1e16) + bias / (2 * vt)
    kappa = Q / (EPS0 * 11.7 * vt)
    na, nd = Na * 1e6, Nd * 1e6
    far = lambda N: math.copysign(math.log(abs(N)) - s, N)
    square = lambda u, N: 2 * kappa * (math.exp(s + u) + math.exp(s - u) - math.exp(s + far(N)) - math.exp(s - far(N))
                                       - N * (u - far(N)))
    u = brentq(lambda u: square(u, nd) - square(u, -na), far(-na), far(nd), xtol=1e-13, rtol=1e-15)
    add("largest field of a steep step", {"Na": Na, "Nd": Nd, "bias": bias, "cv_from": 0}, vt * math.sqrt(square(u, nd)),
        "first integral of Poisson-Boltzmann", "field_max", 1e-8)


for i in range(6):
    heavy(i)


def line(N, lp, ln, place, breaks):
    """Potential at a place in V between neutral ends; N in 1/m^3 of x in m, smooth between the breaks."""
    vt = KB * 300 / Q
    ni, L = 1e16, lp + ln
    kappa = Q / (EPS0 * 11.7 * vt) * L * L
    neutral = lambda x: np.arcsinh(N(x) / (2 * ni))
    marks = [-lp, *breaks, ln]
    parts = list(zip(marks, marks[1:]))
    inside = lambda a, b, t: a + (b - a) * np.clip(t, 1e-12, 1 - 1e-12)

    def slopes(t, y):
        rows = []
        for k, (a, b) in enumerate(parts):
            span = (b - a) / L
            rows += [span * y[2 * k + 1], span * kappa * (2 * ni * np.sinh(y[2 * k]) - N(inside(a, b, t)))]
        return np.array(rows)

    def sides(a, b):
        joints = [b[2 * k + m] - a[2 * k + 2 + m] for k in range(len(parts) - 1) for m in (0, 1)]
        return np.array([a[0] - neutral(np.array([-lp]))[0], b[-2] - neutral(np.array([ln]))[0], *joints])

    t = np.linspace(0, 1, 400)
    guess = []
    for a, b in parts:
        u = neutral(inside(a, b, t))
        guess += [u, np.gradient(u, t * (b - a) / L)]
    found = solve_bvp(slopes, sides, t, np.array(guess), tol=1e-8, max_nodes=100000)
    assert found.status == 0, found.message
    k = next(k for k, (a, b) in enumerate(parts) if place <= b)
    a, b = parts[k]
    return vt * found.sol((place - a) / (b - a))[2 * k]


BVP = "scipy.integrate.solve_bvp, tolerance 1e-8"
for i in range(8):
    Na, Nd, width = power(15, 17.5), power(15, 17.5), power(-7, -6.1)
    l = 1.5e-6 + width
    place = float(f"{width * random.uniform(-0.6, 0.6):.4g}")
    N = lambda x: 1e6 * (-Na + (Na + Nd) * np.clip(x / width + 0.5, 0, 1))
    add("a linear grade", {"profile": "linear", "Na": Na, "Nd": Nd, "width": width, "lp": l, "ln": l, "probe": place,
                           "cv_from": 0}, line(N, l, l, place, [-width / 2, width / 2]), BVP, accuracy=1e-7)
for i in range(8):
    Nd = power(14.5, 16.5)
    Na, lp = float(f"{Nd * 10 ** random.uniform(0.5, 2.5):.4g}"), pick(5e-7, 2e-6)
    place = float(f"{lp * random.uniform(-0.5, 0.4):.4g}")
    fall = math.log((Na + Nd) / Nd) / lp**2
    N = lambda x: 1e6 * (Nd - (Na + Nd) * np.exp(-fall * (x + lp) ** 2))
    add("diffused acceptors", {"profile": "gaussian", "Na": Na, "Nd": Nd, "lp": lp, "ln": 2e-6, "probe": place,
                               "cv_from": 0}, line(N, lp, 2e-6, place, []), BVP, accuracy=1e-7)
for i in range(8):
    a, b, cut = power(15, 17.5), power(15, 17.5), pick(-4e-7, 4e-7)
    place = float(f"{cut + random.uniform(-1.5e-7, 1.5e-7):.4g}")
    if i % 2:
        length = pick(1e-7, 4e-7)
        text = f"x < {cut!r} ? -{a!r}*exp((x-({cut!r}))/{length!r}) : {b!r}"
        N = lambda x: 1e6 * np.where(x < cut, -a * np.exp((x - cut) / length), b)
    else:
        text = f"x < {cut!r} ? -{a!r} : {b!r}"
        N = lambda x: 1e6 * np.where(x < cut, -a, b)
    add("own doping with a jump", {"doping": text, "lp": 2e-6, "ln": 2e-6, "probe": place, "cv_from": 0},
        line(N, 2e-6, 2e-6, place, [cut]), BVP, accuracy=1e-7)

mp.mp.dps = 40


def stack(i):
    """A gate over an oxide over an even body: everything follows from the potential of the surface."""
    body, N, tox = random.choice("pn"), power(14.5, 17.8), power(-8.7, -7)
    Qf, eps_ox = random.choice([0, power(10, 11.7), -power(10, 11.5)]), random.choice([3.9, 3.9, pick(3.9, 22)])
    sign = -1 if body == "p" else 1
    vt, ni = mp.mpf(KB * 300 / Q), mp.mpf(10) ** 16
    bulk = sign * mp.asinh(N * 1e6 / (2 * ni))
    n0, p0 = ni * mp.exp(bulk), ni * mp.exp(-bulk)
    eps, cox = mp.mpf(11.7 * EPS0), mp.mpf(eps_ox * EPS0 / tox)
    kappa = Q / (eps * vt)
    charge = mp.mpf(Q) * Qf * 10**4
    flat = mp.mpf(4.1) - (4.05 + 0.56 - vt * bulk) - charge / cox
    threshold = flat - 2 * vt * bulk
    bias = float(f"{float(threshold + sign * random.choice([-1, -0.3, 0.2, 0.5, 1]) * random.uniform(0.3, 3)):.4g}")

    def square(d, level=0):
        # The minority with a Fermi level of its own, which holds near the surface.
        n, p = (n0 * mp.exp(-level), p0) if body == "p" else (n0, p0 * mp.exp(level))
        return 2 * kappa * (n * mp.expm1(d) - n0 * d + p * mp.expm1(-d) + p0 * d)

    def field(d, level=0):
        return mp.sign(d) * mp.sqrt(square(d, level))

    def surface(gate):
        low, high = min(mp.mpf(0), (gate - flat) / vt), max(mp.mpf(0), (gate - flat) / vt)
        for _ in range(140):
            d = (low + high) / 2
            if cox * (gate - flat - vt * d) > eps * vt * field(d):
                low = d
            else:
                high = d
        return (low + high) / 2

    def minority(d, level=0):
        """1/m^2 of the layer, where bands are bent towards it."""
        density = (lambda u: n0 * mp.exp(u - level)) if body == "p" else (lambda u: p0 * mp.exp(level - u))
        ends = [d * mp.mpf(k) / 8 for k in range(9)]
        ends[0] = d * mp.mpf(10) ** -12
        return mp.quad(lambda u: density(u) / abs(field(u, level)), ends)

    input = {"mode": "mos", "body": body, "Na" if body == "p" else "Nd": N, "tox": tox, "eps_ox": eps_ox, "Qf": Qf,
             "bias": bias, "cv_from": bias - 1, "cv_to": bias + 1}
    d = surface(bias)
    kind = i % 5
    if kind == 0:
        add("potential of a surface", input, vt * d, "the equation of the surface potential, 40 digits")
    elif kind == 1:
        u = d * mp.mpf(random.uniform(0.1, 0.8))
        x = abs(mp.quad(lambda w: 1 / field(w), [u, (u + d) / 2, d - (d - u) / 20, d]))
        place = float(f"{float(x):.7g}")
        add("potential under an oxide", {**input, "probe": place}, vt * (u - field(u) * (place - x)),
            "first integral of Poisson-Boltzmann, place by quadrature, 40 digits")
    elif kind == 2:
        h = mp.mpf(10) ** -12
        low = cox * (1 - vt * (surface(bias + h) - surface(bias - h)) / (2 * h))
        add("capacitance of low frequency", input, low, "quotient of charge and voltage, 40 digits", "capacitance")
    elif kind == 3:
        # Strong enough a layer that its number is that of the surface; a level of its own keeps it.
        bias = float(f"{float(threshold + (1 if body == 'p' else -1) * (mp.sqrt(4 * Q * eps * N * 1e6 * abs(vt * bulk)) / cox + random.uniform(0.3, 2))):.4g}")
        input = {**input, "bias": bias, "cv_from": bias - 1, "cv_to": bias + 1}
        d = surface(bias)
        h = mp.mpf(10) ** -10
        by_d = (minority(d + h) - minority(d - h)) / (2 * h)
        by_level = (minority(d, h) - minority(d, -h)) / (2 * h)
        rate = -by_d / by_level
        cs = eps * ((field(d + h, 0) - field(d - h, 0)) + rate * (field(d, h) - field(d, -h))) / (2 * h)
        add("capacitance of high frequency", input, cox * cs / (cox + cs),
            "quotient of charge and voltage with the number of the minority kept, 40 digits", "capacitance_high", 1e-6)
    else:
        add("field of the oxide", input, (bias - flat - vt * d - charge / cox) / tox,
            "the equation of the surface potential, 40 digits", "oxide_field")


for i in range(30):
    stack(i)


def ends(text):
    return {side: text for side in ("left", "right", "bottom", "top")}


for i in range(20):
    base = {"mode": "plane", "nx": random.choice([96, 128]), "ny": random.choice([96, 128])}
    kind = i % 5
    if kind == 0:
        a, v = pick(0.2, 0.45), pick(1, 9)
        while True:
            x, y = pick(0.05, 0.95), pick(0.05, 0.95)
            if math.hypot(x, y) > a + 0.08:
                break
        text = f"{v}*(1-log((x^2+y^2)/{a}^2)/2)"
        add("a coaxial line", {**base, "left": "insulated", "bottom": "insulated", "right": text, "top": text,
            "electrode": f"{a}^2-x^2-y^2", "electrode_v": v, "probe_x": x, "probe_y": y},
            v * (1 - math.log((x * x + y * y) / a**2) / 2), "coaxial cylinders")
    elif kind == 1:
        # A cylinder over a grounded plane: a line charge and its image.
        a, h = pick(0.1, 0.2), pick(0.4, 0.6)
        f = math.sqrt(h * h - a * a)
        v = 1 / (math.log((h + f) / a) * 2)
        text = f"{v!r}*log(((x-0.5)^2+(y+{f!r})^2)/((x-0.5)^2+(y-{f!r})^2))"
        while True:
            x, y = pick(0.05, 0.95), pick(0.05, 0.95)
            if math.hypot(x - 0.5, y - h) > a + 0.08:
                break
        add("a wire over ground", {**base, "left": text, "right": text, "bottom": "0", "top": text,
            "electrode": f"{a}^2-(x-0.5)^2-(y-{h})^2", "electrode_v": 1, "probe_x": x, "probe_y": y},
            v * math.log(((x - 0.5) ** 2 + (y + f) ** 2) / ((x - 0.5) ** 2 + (y - f) ** 2)), "the image of a line charge")
    elif kind == 2:
        a, b, cut = pick(1, 20), pick(1, 20), pick(0.2, 0.8)
        y = pick(0.1, 0.9)
        add("plates with a layer off the grid", {**base, "left": "insulated", "right": "insulated",
            "permittivity": f"y > {cut} ? {b} : {a}", "probe_y": y},
            (min(y, cut) / a + max(0, y - cut) / b) / (cut / a + (1 - cut) / b), "capacitors in series")
    elif kind == 3:
        a, eps = pick(0.2, 0.4), random.choice([80, 3.9, 0.1])
        k = (eps - 1) / (eps + 1)
        while True:
            x, y = pick(0.1, 0.9), pick(0.1, 0.9)
            if math.hypot(x, y) > a + 0.08:
                break
        of = lambda x, y: y * (1 - k * a * a / (x * x + y * y))
        text = f"y*(1-{k!r}*{a}^2/(x^2+y^2))"
        add("a dielectric cylinder in a field", {**base, "left": "insulated", "bottom": "0", "right": text, "top": text,
            "permittivity": f"x^2+y^2 < {a}^2 ? {eps} : 1", "probe_x": x, "probe_y": y}, of(x, y), "an image dipole")
    else:
        # A plate at an angle: the potential falls evenly along its normal.
        c, d = math.cos(0.4), math.sin(0.4)
        cut = pick(0.2, 0.5)
        text = f"1-{c!r}*x-{d!r}*y+{cut}"
        while True:
            x, y = pick(0.1, 0.9), pick(0.1, 0.9)
            if c * x + d * y > cut + 0.08:
                break
        add("a plate at an angle", {**base, **ends(text), "electrode": f"{cut}-({c!r}*x+{d!r}*y)", "electrode_v": 1,
            "probe_x": x, "probe_y": y}, 1 - c * x - d * y + cut, "an even field")

print(json.dumps({"cases": cases}, indent=1))
