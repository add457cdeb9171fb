"""Writes gauge.json: means of lattice gauge theories from elsewhere.

  python3 test/coverage/gauge.py

Tori of two dimensions: sums over representations with mpmath. Z2 on 2 x 2 x T sites: the transfer matrix with numpy. Three
and four dimensions: long runs of bench/peers/gauge.c, which shares no code with this project and takes other random numbers
and other methods. Needs mpmath, numpy and a C compiler.
"""

import json
import pathlib
import random
import subprocess
import tempfile

import mpmath
import numpy

HERE = pathlib.Path(__file__).parent
mpmath.mp.dps = 30
RANDOM = random.Random(16)
CASES = []


def add(name, input, truth, source, of=None, accuracy=0.0):
    one = {"name": name, "input": {**input, "seed": 1000 + len(CASES)}}
    if of is not None:
        one["of"] = of
    one["truth"] = float(truth)
    if accuracy:
        one["accuracy"] = accuracy
    CASES.append({**one, "source": source})


def plane_loop(group, beta, area, plaquettes):
    """Mean Wilson loop of a torus: a disk of the area in one representation, the rest in a neighbour of it."""
    beta = mpmath.mpf(beta)
    if group == "z2":
        t = mpmath.tanh(beta)
        return (t**area + t ** (plaquettes - area)) / (1 + t**plaquettes)
    terms = int(60 + 14 * mpmath.sqrt(beta))
    if group == "u1":
        c = [mpmath.besseli(n, beta) for n in range(terms + 2)]
        norm = sum(c[abs(n)] ** plaquettes for n in range(-terms, terms + 1))
        return sum(c[abs(n)] ** (plaquettes - area) * c[abs(n + 1)] ** area for n in range(-terms, terms + 1)) / norm
    c = [mpmath.besseli(n, beta) for n in range(terms + 2)]
    norm = sum(c[n] ** plaquettes for n in range(1, terms))
    pairs = ((m, n) for m in range(1, terms) for n in (m - 1, m + 1) if n > 0)
    return sum(mpmath.mpf(n) / (2 * m) * c[n] ** area * c[m] ** (plaquettes - area) for m, n in pairs) / norm


def plane():
    for k in range(54):
        group = ["su2", "u1", "z2"][k % 3]
        high = {"su2": 12, "u1": 6, "z2": 1.6}[group]
        beta = round(RANDOM.uniform(0.1, high), 3)
        size = RANDOM.choice([2, 3, 4, 5, 6, 8])
        time = RANDOM.choice([size, 2, 3, 4, 7])
        input = {"group": group, "dim": 2, "L": size, "Lt": time, "beta": beta, "sweeps": RANDOM.choice([600, 1500, 4000])}
        if k % 4 == 1:
            input["algorithm"] = "metropolis"
        if k % 5 == 2 and group != "z2":
            input["overrelaxation"] = 1
        if k % 7 == 3:
            input["start"] = "hot"
        if k < 45:
            truth = plane_loop(group, beta, 1, size * time)
            add(f"plaquette of a torus {k}", input, truth, "sum over representations, mpmath 30 digits")
            continue
    for k in range(24):
        group = ["su2", "u1", "z2"][k % 3]
        beta = round(RANDOM.uniform(1.5, {"su2": 10, "u1": 5, "z2": 2.5}[group]) / (2 if group == "z2" else 1), 3)
        size = RANDOM.choice([4, 5, 6, 7])
        time = RANDOM.choice([4, 5, 6])
        side = 3
        input = {"group": group, "dim": 2, "L": size, "Lt": time, "beta": beta, "sweeps": 2000, "loops": side}
        if k % 4 == 2:
            input["algorithm"] = "metropolis"
        r, t = RANDOM.choice([(1, 2), (2, 2), (3, 2), (1, 3), (3, 3)])
        truth = plane_loop(group, beta, r * t, size * time)
        of = f"wilson[{(r - 1) * side + t - 1}]"
        add(f"loop of {r} x {t} on a torus {k}", input, truth, "sum over representations, mpmath 30 digits", of)
    for k, (group, beta) in enumerate([("su2", 3.1), ("u1", 1.7), ("u1", 2.9), ("z2", 0.8)]):
        # W = P^area up to P^36, which no run sees.
        input = {"group": group, "dim": 2, "L": 6, "beta": beta, "sweeps": 3000, "loops": 2}
        truth = -mpmath.log(plane_loop(group, beta, 4, 36) * plane_loop(group, beta, 1, 36) / plane_loop(group, beta, 2, 36) ** 2)
        add(f"ratio of Creutz {k}", input, truth, "from sums over representations, mpmath 30 digits", "creutz_2_2")


def transfer_matrix(beta, time):
    """Log of the partition function of Z2 on 2 x 2 x time sites."""
    states = numpy.array([[1 - 2 * ((s >> i) & 1) for i in range(8)] for s in range(256)], dtype=float)
    link = lambda x, y, mu: 2 * (2 * (y % 2) + x % 2) + mu
    space = numpy.zeros(256)
    for x in range(2):
        for y in range(2):
            around = [link(x, y, 0), link(x + 1, y, 1), link(x, y + 1, 0), link(x, y, 1)]
            space += numpy.prod(states[:, around], axis=1)
    matrix = numpy.zeros((256, 256))
    for gauge in range(16):
        g = [1 - 2 * ((gauge >> i) & 1) for i in range(4)]
        turn = numpy.ones(8)
        for x in range(2):
            for y in range(2):
                turn[link(x, y, 0)] = g[2 * y + x] * g[2 * y + (x + 1) % 2]
                turn[link(x, y, 1)] = g[2 * y + x] * g[2 * ((y + 1) % 2) + x]
        matrix += numpy.exp(beta * (states * turn) @ states.T)
    half = numpy.exp(0.5 * beta * space)
    values = numpy.linalg.eigvalsh(half[:, None] * matrix * half[None, :])
    return numpy.log(numpy.sum(values**time))


def cubes():
    for k in range(14):
        time = RANDOM.choice([2, 3, 4, 5])
        beta = round(RANDOM.uniform(0.05, 0.8), 3)
        slope = lambda h: (transfer_matrix(beta + h, time) - transfer_matrix(beta - h, time)) / (2 * h)
        truth = (4 * slope(5e-4) - slope(1e-3)) / 3 / (12 * time)
        input = {"group": "z2", "dim": 3, "L": 2, "Lt": time, "beta": beta, "sweeps": 3000}
        if k % 3 == 1:
            input["algorithm"] = "metropolis"
        if k % 3 == 2:
            input["start"] = "hot"
        add(f"Z2 on 2 x 2 x {time} sites {k}", input, truth, "transfer matrix of 256 states, numpy")


def long_runs():
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/gauge"
        subprocess.run(["cc", "-O3", "-o", program, str(HERE.parent.parent / "bench/peers/gauge.c"), "-lm"], check=True)
        problems = [
            *[("su2", 4, 4, 4, beta) for beta in (0.5, 1.0, 1.6, 2.0, 2.3, 2.7, 4.0)],
            *[("su2", 4, 4, 2, beta) for beta in (1.2, 2.3)],
            *[("su2", 3, 4, 4, beta) for beta in (1.0, 3.0, 5.0, 8.0)],
            *[("u1", 4, 4, 4, beta) for beta in (0.3, 0.7, 1.3, 2.0)],
            *[("u1", 3, 4, 4, beta) for beta in (0.6, 1.4, 2.2, 4.0)],
            *[("u1", 3, 3, 5, beta) for beta in (1.0, 1.9)],
            *[("z2", 4, 4, 4, beta) for beta in (0.1, 0.25, 0.35, 0.6)],
            *[("z2", 3, 5, 5, beta) for beta in (0.2, 0.45, 0.6, 0.68)],
            *[("su2", 3, 3, 5, beta) for beta in (2.5, 6.0)],
        ]
        for k, (group, dim, size, time, beta) in enumerate(problems):
            sites = size ** (dim - 1) * time
            sweeps = min(200000, 20_000_000 // (sites * dim))
            number = ["z2", "u1", "su2"].index(group)
            line = f"{number} {dim} {size} {time} {beta} {sweeps // 20} {sweeps} {77 + k}\n"
            out = subprocess.run([program], input=line, capture_output=True, text=True, check=True).stdout
            _, truth, error = map(float, out.split())
            print(line.strip(), truth, error)
            input = {"group": group, "dim": dim, "L": size, "beta": beta, "sweeps": 1000}
            if time != size:
                input["Lt"] = time
            if k % 4 == 1:
                input["algorithm"] = "metropolis"
            if k % 4 == 2 and group != "z2":
                input["overrelaxation"] = 2
            if k % 3 == 1:
                input["start"] = "hot"
            add(f"{group} in {dim} dimensions, beta {beta}, {size} x {time}", input, truth,
                f"bench/peers/gauge.c, {sweeps} sweeps, standard error {error:.1e}", accuracy=2 * error)


plane()
cubes()
long_runs()
provenance = "Written by test/coverage/gauge.py with mpmath, numpy and bench/peers/gauge.c, without code of this project."
(HERE / "gauge.json").write_text(json.dumps({"provenance": provenance, "cases": CASES}, indent=2) + "\n")
print(len(CASES))
