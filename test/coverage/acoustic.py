"""Truth for the coverage of acoustic: python3 test/coverage/acoustic.py > test/coverage/acoustic.json

Closed forms of boxes, turned rectangles and two triangles, zeros of Bessel functions and of their derivatives (scipy), Dauge's
benchmark of the L-shaped domain; of walls with impedances the logarithm of the reflections (1-D), and the equation of each axis,
q L = n π + i ln(R0 R1)/2 with R = (q - i κ β)/(q + i κ β), by scipy's root. Nothing of this project is used.
"""
import itertools
import json
import cmath
from math import cos, pi, sin, sqrt

import numpy as np
from scipy.optimize import root
from scipy.special import jn_zeros, jnp_zeros

random = np.random.default_rng(20261124)
pick = lambda low, high: float(f"{random.uniform(low, high):.4g}")
cases = []


def add(name, input, truth, source, accuracy=0.0):
    cases.append({"name": f"{len(cases) + 1} {name}", "input": input, "truth": float(truth), "accuracy": accuracy,
                  "source": source})


def turned(points, angle, x, y):
    place = lambda p: (p[0] * cos(angle) - p[1] * sin(angle) + x, p[0] * sin(angle) + p[1] * cos(angle) + y)
    return "; ".join(f"{a!r} {b!r}" for a, b in map(place, points))


SIDES = ["left", "right", "front", "back", "floor", "ceiling"]
for i in range(42):
    d = 1 + i % 3
    lengths = [pick(0.8, 6) for _ in range(d)]
    opened = [bool(random.integers(4) == 0) for _ in range(2 * d)]
    c, mode = pick(300, 1500), int(random.integers(1, 8))
    axes = []
    for k, length in enumerate(lengths):
        a, b = opened[2 * k], opened[2 * k + 1]
        start = 0.5 if a != b else 1 if a else 0
        axes.append([((start + n) / length) ** 2 for n in range(9)])
    squares = sorted(sum(t) for t in itertools.product(*axes))
    squares = [s for s in squares if s > 0]
    input = {"shape": ["line", "rectangle", "box"][d - 1], "c": c, "modes": 8, "mode": mode,
             "cells": [int(random.integers(50, 120)), int(random.integers(18, 40)), int(random.integers(10, 13))][d - 1]}
    input |= dict(zip(["lx", "ly", "lz"], lengths))
    if any(opened):
        input["open"] = " ".join(name for name, is_open in zip(SIDES, opened) if is_open)
    add(f"a box of {d} dimensions", input, c / 2 * sqrt(squares[mode - 1]), "closed form of the box")

plain = lambda points, mode: {"shape": "outline", "modes": 6, "mode": mode, "cells": int(random.integers(22, 44)),
                              "outline": turned(points, pick(0, 6.28), pick(-3, 3), pick(-3, 3))}
for i in range(24):
    a, b, mode = pick(1, 4), pick(1, 3), 1 + i % 5
    squares = sorted((m / a) ** 2 + (n / b) ** 2 for m in range(9) for n in range(9))
    add("a turned rectangle", plain([(0, 0), (a, 0), (a, b), (0, b)], mode), 343 / 2 * sqrt(squares[mode]),
        "closed form of the rectangle, turned")
for i in range(14):
    a, mode = pick(0.5, 4), 1 + i % 4
    squares = sorted(m * m + n * n for m in range(9) for n in range(m + 1))
    add("a right triangle", plain([(0, 0), (a, 0), (0, a)], mode), 343 / (2 * a) * sqrt(squares[mode]),
        "closed form: modes of the square that its diagonal mirrors")
for i in range(14):
    a, mode = pick(0.5, 4), 1 + i % 4
    numbers = sorted([m * m + m * n + n * n for m in range(9) for n in range(9)])
    add("an equilateral triangle", plain([(0, 0), (a, 0), (a / 2, a * sqrt(3) / 2)], mode),
        343 * 2 / (3 * a) * sqrt(numbers[mode]), "Lamé's closed form of the equilateral triangle")
zeros = sorted([z for n in range(6) for z in list(jnp_zeros(n, 3)) * (1 if n == 0 else 2)])
for i in range(14):
    a, mode = pick(0.3, 5), 1 + i % 6
    input = {"shape": "disc", "lx": a, "modes": 7, "mode": mode, "cells": int(random.integers(22, 48))}
    add("a disc", input, 343 * zeros[mode - 1] / (pi * a), "zeros of the derivatives of Bessel functions")
dauge = [1.47562182408, 3.53403136678, pi**2, pi**2, 11.3894793979]
for i in range(16):
    a, mode = pick(0.5, 3), 1 + i % 5
    truth = 343 * sqrt(dauge[mode - 1]) / (2 * pi * a)
    L = [(0, 0), (2 * a, 0), (2 * a, a), (a, a), (a, 2 * a), (0, 2 * a)]
    input = plain(L, mode) if i % 2 else {"shape": "l_shape", "lx": 2 * a, "ly": 2 * a, "modes": 6, "mode": mode,
                                          "cells": int(random.integers(24, 48))}
    add("an L", input, truth, "Dauge's benchmark of the L-shaped domain", 1e-9 * truth)

for i in range(14):
    a, n, c = pick(0.4, 6), 1 + i % 4, pick(300, 1500)
    z0, z1 = pick(1.2, 30), pick(1.2, 30) + 1j * (pick(-3, 3) if i % 2 else 0)
    product = cmath.log((z0 - 1) / (z0 + 1) * (z1 - 1) / (z1 + 1))
    kappa = (product / 2 + 1j * pi * n) / a
    add("a tube with walls of impedances", {"shape": "line", "lx": a, "c": c, "modes": 6, "cells": int(random.integers(20, 200)),
        "mode": n,
        "impedance": f"left {z0!r}; right {z1.real!r} {z1.imag!r}"}, c * kappa.imag / (2 * pi),
        "closed form: logarithm of the reflections at both ends")


def axis(q, kappa, length, n, b0, b1):
    r = lambda b: (q - 1j * kappa * b) / (q + 1j * kappa * b)
    return 2j * q * length - 2j * pi * n + cmath.log(r(b0)) + cmath.log(r(b1))


def lossy(lengths, ns, betas):
    """κ with half-waves ns > 0 on all axes, from weak walls to those given."""
    unknowns = np.array([pi * n / a for n, a in zip(ns, lengths)] + [0] * len(ns), float)
    d = len(ns)
    for t in np.linspace(0.02, 1, 50):
        def f(v):
            q = v[:d] + 1j * v[d:]
            kappa = 1j * cmath.sqrt(sum(q * q))
            # The phase of a reflection is the phase of e^(-2 i q L), near its value without walls.
            values = [axis(q[k], kappa, lengths[k], ns[k], t * betas[k][0], t * betas[k][1]) for k in range(d)]
            return [x.real for x in values] + [x.imag for x in values]
        found = root(f, unknowns, tol=1e-13)
        unknowns = found.x
    assert max(map(abs, f(unknowns))) < 1e-9, (found, lengths, ns, betas)
    q = unknowns[:d] + 1j * unknowns[d:]
    return 1j * cmath.sqrt(sum(q * q))


i = 0
while i < 20:
    d = 2 + i % 2
    lengths = [pick(1, 5) for _ in range(d)]
    zetas = [complex(pick(10, 60), pick(-1, 1) if i % 4 > 1 else 0) for _ in range(2 * d)]
    betas = [(1 / zetas[2 * k], 1 / zetas[2 * k + 1]) for k in range(d)]
    ns = [1] * d
    # Its place in the order of modes: those of rigid walls below it, whose frequencies such walls move by less than the gap asked for.
    all_rigid = sorted(pi * sqrt(sum((m / a) ** 2 for m, a in zip(one, lengths))) for one in itertools.product(range(9), repeat=d))
    own = pi * sqrt(sum((1 / a) ** 2 for a in lengths))
    place = min(range(len(all_rigid)), key=lambda j: abs(all_rigid[j] - own))
    if place > 14 or min(abs(x - own) for j, x in enumerate(all_rigid) if j != place) < 0.05 * own:
        continue
    kappa = lossy(lengths, ns, betas)
    text = "; ".join(f"{side} {z.real!r} {z.imag!r}" for side, z in zip(SIDES, zetas))
    input = {"shape": ["rectangle", "box"][d - 2], "modes": place + 2, "mode": place, "cells": int(random.integers(12, 16)), "impedance": text}
    input |= dict(zip(["lx", "ly", "lz"], lengths))
    add(f"{d} dimensions with walls of impedances", input, 343 * kappa.imag / (2 * pi), "phases of the reflections on each axis, by scipy's root", 1e-9)
    i += 1
opened = sorted([z for n in range(6) for z in list(jn_zeros(n, 3)) * (1 if n == 0 else 2)])
for i in range(10):
    a, mode = pick(0.3, 5), 1 + i % 6
    add("an open disc", {"shape": "disc", "lx": a, "open": "all", "modes": 7, "mode": mode, "cells": int(random.integers(24, 48))},
        343 * opened[mode - 1] / (pi * a), "zeros of Bessel functions")
for i in range(16):
    a, b, mode = pick(1, 4), pick(1, 3), 1 + i % 4
    open_edges = [["1"], ["1", "2"], ["1", "3"], ["all"]][i // 4]
    x = 0.5 if "2" in open_edges else 1 if "all" in open_edges else 0
    y = 1 if "3" in open_edges or "all" in open_edges else 0.5
    squares = sorted(((x + m) / a) ** 2 + ((y + n) / b) ** 2 for m in range(9) for n in range(9))
    add("a turned rectangle with open edges", plain([(0, 0), (a, 0), (a, b), (0, b)], mode) | {"open": " ".join(open_edges)},
        343 / 2 * sqrt(squares[mode - 1]), "closed form of the rectangle, turned")
for i in range(6):
    a = pick(0.5, 3)
    L = [(0, 0), (2 * a, 0), (2 * a, a), (a, a), (a, 2 * a), (0, 2 * a)]
    input = plain(L, 1) if i % 2 else {"shape": "l_shape", "lx": 2 * a, "ly": 2 * a, "modes": 6, "mode": 1,
                                       "cells": int(random.integers(24, 48))}
    add("an L with open walls", input | {"open": "all"}, 343 * sqrt(9.6397238440219) / (2 * pi * a),
        "Betcke & Trefethen, SIAM Review 47 (2005): the L-shaped membrane", 1e-9)

print(json.dumps({"provenance": "Computed outside of this project by test/coverage/acoustic.py with scipy: closed forms, "
                  "zeros of Bessel functions, Dauge's benchmark.", "cases": cases}, indent=2))
