# Outside truth of wave: sums of modes in closed form or by quadrature, d'Alembert's solution, Fresnel's amplitudes.
#
#   python3 test/coverage/wave.py > test/coverage/wave.json
#
# On a uniform line or rectangle every mode is an oscillator by itself; its amplitude at the start is an integral by
# Gauss and Legendre, its answer to a source Duhamel's integral. Nothing is stepped and no grid is shared.
import json
import random

import numpy as np

random.seed(7)
cases = []
NODES, WEIGHTS = np.polynomial.legendre.leggauss(1200)


def add(name, input, truth, source, of=None, accuracy=0.0):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    # Rectangles take most of the time; one of three is in every run.
    if "dim" not in input and len(cases) % 3:
        case["isSlow"] = True
    if of:
        case["of"] = of
    cases.append({**case, "truth": float(truth), "accuracy": float(accuracy), "source": source})


def pick(low, high, digits=4):
    return float(f"{random.uniform(low, high):.{digits}g}")


def basis(side_a, side_b, length, count):
    """Orthonormal modes of an axis and their wave numbers."""
    if side_a == "periodic":
        k = [0.0] + [2 * np.pi * m / length for m in range(1, count) for _ in range(2)]
        f = [lambda x: np.full_like(x, length**-0.5)]
        for m in range(1, count):
            f.append(lambda x, m=m: np.sqrt(2 / length) * np.cos(2 * np.pi * m * x / length))
            f.append(lambda x, m=m: np.sqrt(2 / length) * np.sin(2 * np.pi * m * x / length))
        return np.array(k), f
    mixed = (side_a == "free") != (side_b == "free")
    k, f = [], []
    for m in range(count):
        if mixed:
            n = m + 0.5
        elif side_a == "fixed":
            n = m + 1
        else:
            n = m
        wave = n * np.pi / length
        norm = (1 if n == 0 else np.sqrt(2)) * length**-0.5
        shape = np.cos if side_a == "free" else np.sin
        k.append(wave)
        f.append(lambda x, wave=wave, norm=norm, shape=shape: norm * shape(wave * x))
    return np.array(k), f


def project(f, modes, length):
    x = 0.5 * length * (NODES + 1)
    w = 0.5 * length * WEIGHTS
    values = f(x)
    return np.array([np.sum(w * values * mode(x)) for mode in modes])


class Axis:
    def __init__(self, sides, length, profile, count=80):
        self.k, self.modes = basis(*sides, length, count)
        self.a = project(profile, self.modes, length)

    def at(self, x):
        return np.array([float(mode(np.array([x]))[0]) for mode in self.modes])


ONE = type("One", (), {"k": np.zeros(1), "a": np.ones(1), "at": lambda self, y: np.ones(1)})()


def oscillate(omega, damping, t):
    """Displacement and velocity of q'' + d q' + w^2 q = 0 from q = 1 at rest, and from q = 0 with velocity 1."""
    root = np.sqrt(omega**2 - damping**2 / 4 + 0j)
    root = np.where(root == 0, 1e-12, root)
    decay = np.exp(-damping * t / 2)
    cosine, sine = np.cos(root * t), np.sin(root * t) / root
    q1 = decay * (cosine + damping / 2 * sine)
    p1 = -decay * omega**2 * sine
    q2 = decay * sine
    p2 = decay * (cosine - damping / 2 * sine)
    return [np.real(v) for v in (q1, p1, q2, p2)]


def modal(X, Y, c, t, probe, damping=0.0, kind="u", source=None):
    """Energy and field at the probe at time t; kind u starts displaced, v with a velocity, w is Maxwell's field."""
    omega = c * np.sqrt(X.k[:, None] ** 2 + Y.k[None, :] ** 2)
    a = X.a[:, None] * Y.a[None, :]
    shape = X.at(probe[0])[:, None] * Y.at(probe[1])[None, :]
    if source:
        nodes, weights = np.polynomial.legendre.leggauss(64)
        pieces = 60
        q, p = np.zeros_like(omega), np.zeros_like(omega)
        for i in range(pieces):
            times = t * (i + 0.5 * (nodes + 1)) / pieces
            for time, weight in zip(times, 0.5 * t / pieces * weights):
                _, _, q2, p2 = oscillate(omega, damping, t - time)
                q += weight * source(time) * q2
                p += weight * source(time) * p2
        q, p = a * q, a * p
    else:
        q1, p1, q2, p2 = oscillate(omega, damping, t)
        q, p = (a * q1, a * p1) if kind in "uw" else (a * q2, a * p2)
    energy = 0.5 * np.sum(p**2 + omega**2 * q**2)
    return energy, np.sum(q * shape)


def standing(side_a, side_b, n, length):
    count = 2 * n if side_a == "periodic" else n - 0.5 if (side_a == "free") != (side_b == "free") else n
    k = np.pi * count / length
    return k, (np.cos if side_a in ("free", "periodic") else np.sin)


SIDES = [("fixed", "fixed"), ("free", "free"), ("fixed", "free"), ("free", "fixed"), ("periodic", "periodic")]
MODES = "a standing wave in closed form"
SUM = "a sum of modes, amplitudes by Gauss-Legendre quadrature"

for i in range(36):
    line = i % 3 == 0
    maxwell = i % 4 == 3
    sx, sy = random.choice(SIDES), random.choice(SIDES)
    lx, ly = pick(0.3, 3), pick(0.3, 3)
    c = random.choice([1.0, pick(0.2, 5), 343.0, 299792458.0])
    n, m = random.randint(1, 3), random.randint(1, 3)
    kx, fx = standing(*sx, n, lx)
    ky, fy = (0.0, None) if line else standing(*sy, m, ly)
    omega = c * np.hypot(kx, ky)
    turns = random.uniform(0.2, 3)
    t = float(f"{2 * np.pi * turns / omega:.5g}")
    px, py = pick(0, lx), pick(0, ly)
    input = {"mode": "maxwell" if maxwell else "membrane", "c": c, "lx": lx, "left": sx[0], "right": sx[1],
             "nx": random.randint(40, 90), "t_end": t, "probe_x": px, "courant": pick(0.3, 1)}
    if line:
        input |= {"dim": 1, "mode_k": n}
    else:
        input |= {"kx": n, "ky": m, "ly": ly, "ny": random.randint(40, 90), "bottom": sy[0], "top": sy[1],
                  "probe_y": py}
    mean = lambda side, k, L: 0.5 * L
    area = 0.5 * lx * (1 if line else 0.5 * ly)
    if i % 2:
        truth = 0.5 * area if maxwell else 0.5 * omega**2 * area
        add("energy of a standing wave", input, truth, MODES)
    else:
        value = fx(kx * px) * (1 if line else fy(ky * py)) * np.cos(omega * t)
        add("a standing wave at the probe", input, value, MODES, "probe_end")

for i in range(30):
    line = i % 2 == 0
    kind = "uvw"[i % 3]
    sx, sy = random.choice(SIDES[:4]), random.choice(SIDES[:4])
    lx, ly, c = pick(0.5, 2), pick(0.5, 2), pick(0.3, 3)
    x0, y0, width = pick(0.4 * lx, 0.6 * lx), pick(0.4 * ly, 0.6 * ly), pick(0.06 * lx, 0.1 * lx)
    hump = lambda centre: lambda x: np.exp(-((x - centre) ** 2) / (2 * width**2))
    damping = pick(0.1, 2) if i % 5 == 4 and kind != "w" else 0.0
    t = pick(0.2, 1.5)
    px, py = pick(0.1 * lx, 0.9 * lx), pick(0.1 * ly, 0.9 * ly)
    X, Y = Axis(sx, lx, hump(x0)), ONE if line else Axis(sy, ly, hump(y0))
    energy, value = modal(X, Y, c, t, (px, py), damping, kind)
    input = {"mode": "maxwell" if kind == "w" else "membrane", "c": c, "lx": lx, "left": sx[0], "right": sx[1],
             "nx": random.randint(90, 128), "t_end": t, "probe_x": px}
    text = f"exp(-((x-{x0})^2{'' if line else f'+(y-{y0})^2'})/(2*{width}^2))"
    if kind == "v":
        input |= {"initial_v": text}
    else:
        input |= {"initial": "gaussian", "x0": x0, "width": width} | ({} if line else {"y0": y0})
    if damping:
        input |= {"damping": str(damping)}
    if line:
        input |= {"dim": 1}
    else:
        input |= {"ly": ly, "ny": random.randint(90, 128), "bottom": sy[0], "top": sy[1], "probe_y": py}
    if kind == "w":
        energy = 0.5 * np.sum((X.a[:, None] * Y.a[None, :]) ** 2)
    if i % 3 == 1:
        add("energy of a hump", input, energy, SUM, accuracy=1e-9 * energy)
    else:
        add("a hump at the probe", input, value, SUM, "probe_end", 1e-9)

ricker = lambda f: lambda t: (1 - 2 * (np.pi * (f * t - 1.5)) ** 2) * np.exp(-((np.pi * (f * t - 1.5)) ** 2))
pulse = lambda f: lambda t: np.exp(-((np.pi * (f * t - 1.5)) ** 2))
sine = lambda f: lambda t: (0.5 * (1 - np.cos(np.pi * f * t)) if f * t < 1 else 1) * np.sin(2 * np.pi * f * t)
for i in range(16):
    line = i % 4 != 3
    lx, ly, c = pick(0.8, 2), pick(0.8, 2), pick(0.5, 2)
    x0, y0, width = pick(0.3 * lx, 0.7 * lx), pick(0.3 * ly, 0.7 * ly), pick(0.07 * lx, 0.1 * lx)
    f = pick(0.3 * c / (8 * width), c / (8 * width))
    damping = pick(0.1, 1) if i % 2 else 0.0
    name, waveform = [("ricker", ricker), ("pulse", pulse), ("sine", sine)][i % 3]
    t = pick(2.5 / f, 4 / f)
    px, py = pick(0.1 * lx, 0.9 * lx), pick(0.1 * ly, 0.9 * ly)
    hump = lambda centre: lambda x: np.exp(-((x - centre) ** 2) / (2 * width**2))
    count = 80 if line else 40
    X = Axis(("fixed", "fixed"), lx, hump(x0), count)
    Y = ONE if line else Axis(("fixed", "fixed"), ly, hump(y0), count)
    energy, value = modal(X, Y, c, t, (px, py), damping, source=waveform(f))
    input = {"source": name, "frequency": f, "c": c, "lx": lx, "x0": x0, "width": width, "t_end": t, "nx": 110,
             "probe_x": px}
    input |= {"dim": 1} if line else {"ly": ly, "y0": y0, "ny": 100, "probe_y": py}
    if damping:
        input |= {"damping": str(damping)}
    if i % 2:
        add(f"energy by a {name}", input, energy, "modes with Duhamel's integral", accuracy=1e-8 * energy)
    else:
        add(f"a {name} at the probe", input, value, "modes with Duhamel's integral", "probe_end", 1e-8)

for i in range(20):
    # An infinite line: a hump parts into halves, which a boundary of media splits again.
    c, width = pick(0.5, 3), pick(0.03, 0.05)
    x0, wall, ratio = pick(0.25, 0.35), pick(0.55, 0.65), pick(0.3, 6)
    maxwell = i % 2 == 1
    n = np.sqrt(ratio)
    t = pick(0.15, 0.55) / c
    half = lambda s: 0.5 * np.exp(-(s**2) / (2 * width**2))
    px = pick(0.05, 0.95)
    two = i % 4 < 2
    # u of a string with density ratio n^2, or E_z with permittivity n^2: both continuous with their slope.
    reflection = (1 - n) / (1 + n) if two else 0.0
    speed = c / n if two else c

    def field(x):
        if x < wall:
            return half(x - x0 - c * t) + half(x - x0 + c * t) + reflection * half(2 * wall - x - x0 - c * t)
        return (1 + reflection) * half((x - wall) * c / speed + wall - x0 - c * t)

    input = {"mode": "maxwell" if maxwell else "membrane", "dim": 1, "boundary": "open", "initial": "gaussian",
             "x0": x0, "width": width, "c": c, "nx": 128, "t_end": t, "probe_x": px}
    if two:
        input |= {"density": f"x > {wall} ? {ratio} : 1"}
    add("a hump on an infinite line", input, field(px), "d'Alembert's solution and Fresnel's amplitudes", "probe_end",
        1e-9)

for i in range(8):
    # All of the energy leaves, or one half of it has left.
    c, width = pick(0.5, 3), pick(0.03, 0.06)
    input = {"mode": "membrane", "dim": 1, "boundary": "open", "initial": "gaussian", "x0": 0.5, "width": width, "c": c,
             "nx": 128}
    total = 0.25 * c * c * np.sqrt(np.pi) / width
    if i % 2:
        add("half of the energy on a line", input | {"x0": 0.25, "t_end": 0.5 / c}, 0.5 * total, "d'Alembert's solution",
            accuracy=1e-6 * total)
    else:
        add("the energy radiated", input | {"t_end": 1.2 / c}, total, "d'Alembert's solution", "radiated", 1e-6 * total)

for i in range(6):
    # A plane without sides, as the middle of a rectangle whose sides are too far to be heard.
    c, width, t = 1.0, pick(0.06, 0.09), pick(0.3, 0.9)
    far = 2.0
    X = Axis(("fixed", "fixed"), 1 + 2 * far, lambda x: np.exp(-((x - far - 0.5) ** 2) / (2 * width**2)), 220)
    px, py = pick(0.1, 0.9), pick(0.1, 0.9)
    _, value = modal(X, X, c, t, (px + far, py + far))
    add("a hump in an open plane", {"boundary": "open", "initial": "gaussian", "width": width, "nx": 90, "ny": 90,
                                    "t_end": t, "probe_x": px, "probe_y": py}, value, SUM + " of a wide rectangle",
        "probe_end", 1e-8)

print(json.dumps({"provenance": "Computed outside of this project by test/coverage/wave.py with numpy: sums of modes, "
                  "d'Alembert's solution, Fresnel's amplitudes.", "cases": cases}, indent=2))
