"""Writes dock.json, whole and with fixed seeds: least energies of pairs of rigid bodies from elsewhere.

  python3 test/coverage/dock.py

Bodies: polyhedra, random clusters, chains, rings, plates and cages, at any place of space; boxes that leave out the best
side; Vina's scoring (dock_vina.py). Two searches (dock_search.py) must agree on each least energy. No answer of this
project is read. Needs numpy and scipy.
"""

import json
import math
import os
import pathlib
import random
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from dock_search import System, rotations, settled
from dock_vina import vina_cases
from scipy.optimize import minimize

HERE = pathlib.Path(__file__).parent
RNG = np.random.default_rng(20)
RANDOM = random.Random(20)


def reseed(seed):
    """Each case has random numbers of its own."""
    global RNG, RANDOM
    RNG = np.random.default_rng(seed)
    RANDOM = random.Random(seed)


EDGE = 2 ** (1 / 6)
CASES = []
REDRAWN = {}
BEGUN = time.process_time()


def bodies():
    s = EDGE / 8**0.5
    tetra = s * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    octa = EDGE / 2**0.5 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1.0]])
    h = EDGE / 2
    phi = (1 + 5**0.5) / 2
    ico = [[0, a, b * phi] for a in (1, -1) for b in (1, -1)]
    ico = np.array(ico + [[b, c, a] for a, b, c in ico] + [[c, a, b] for a, b, c in ico]) / (1 + phi**2) ** 0.5
    ico = np.vstack([[0, 0, 0], ico])
    angles = 2 * np.pi * np.arange(5) / 5
    ring = 0.9562063096026524 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)
    lj7 = np.vstack([ring, [[0, 0, 0.5738701692194005], [0, 0, -0.5738701692194005]]])
    return {
        "atom": np.zeros((1, 3)),
        "dimer": np.array([[-h, 0, 0], [h, 0, 0]]),
        "triangle": np.array([[-h, -h / 3**0.5, 0], [h, -h / 3**0.5, 0], [0, EDGE / 3**0.5, 0]]),
        "square": h * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]]),
        "tetrahedron": tetra,
        "octahedron": octa,
        "ico13": ico,
        "lj7": lj7,
        "lj13": 1.0818382885513657 * ico,
    }


BODIES = bodies()


def rotation(q):
    return rotations(q[None])[0]


def lennard_jones(r):
    s3 = r**-6.0
    return 4 * s3 * (s3 - 1), -48 * s3 * (s3 - 0.5) / r


def agreed(system):
    """Both least poses are refined by scipy; energies that agree within 1e-9, else None. The sum is rounded once."""

    def value(p):
        r = np.linalg.norm(system.placed(p[None])[0][:, None] - system.fixed, axis=2)
        return math.fsum(lennard_jones(r)[0].ravel())

    def one(p):
        e, g = system.energy(p[None])
        return e[0], g[0]

    def refined(p):
        options = {"gtol": 1e-11, "maxiter": 300, "hess_inv0": 1e-3 * np.eye(7)}
        for _ in range(2):
            p = minimize(one, p, jac=True, method="BFGS", options=options).x
            p[3:] /= np.linalg.norm(p[3:])
        return value(p)

    def agree(first, second):
        a, b = (refined(found.minima[0][1]) for found in (first, second))
        return min(a, b) if abs(a - b) <= 1e-9 * abs(a) else None

    return agree


def least(receptor, ligand, seed, box=None):
    system = System(receptor, ligand, lennard_jones, (0.7, 1.8, 0.8, 0.0), box)
    return settled(system, seed, agreed(system))


def text_of(points):
    rows = [f"A {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    return "\n".join([str(len(points)), "body", *rows]) + "\n"


def read(text):
    return np.array([[float(w) for w in line.split()[1:]] for line in text.splitlines()[2:]])


def moved(points):
    q = RNG.normal(size=4)
    return points @ rotation(q).T + RNG.choice([0.0, 3.0, 40.0, 2000.0]) * RNG.normal(size=3)


def cluster(n):
    points = [np.zeros(3)]
    while len(points) < n:
        direction = RNG.normal(size=3)
        new = points[RNG.integers(len(points))] + RNG.uniform(0.95, 1.3) * direction / np.linalg.norm(direction)
        if all(np.linalg.norm(new - other) > 0.9 for other in points):
            points.append(new)
    return np.array(points)


def shape():
    kind = RANDOM.choice(["cluster", "cluster", "chain", "ring", "plate", "cage", "star"])
    if kind == "cluster":
        return kind, cluster(RANDOM.randint(2, 12))
    if kind == "chain":
        n = RANDOM.randint(2, 7)
        t = np.arange(n)
        return kind, np.stack([0.8 * t, RANDOM.uniform(0, 0.9) * np.cos(2.1 * t), RANDOM.uniform(0, 0.9) * np.sin(1.7 * t)], 1)
    if kind == "ring":
        n = RANDOM.randint(4, 9)
        a = 2 * np.pi * np.arange(n) / n
        radius = RANDOM.uniform(0.5, 0.62) / np.sin(np.pi / n)
        return kind, radius * np.stack([np.cos(a), np.sin(a), 0 * a], 1)
    if kind == "plate":
        n, m = RANDOM.randint(2, 4), RANDOM.randint(2, 4)
        return kind, 1.1 * np.array([[i, j + 0.5 * (i % 2), 0] for i in range(n) for j in range(m)], float)
    if kind == "cage":
        # A cube of 8 atoms with room for one atom inside.
        e = RANDOM.uniform(1.2, 1.5)
        return kind, 0.5 * e * np.array([[x, y, z] for x in (1, -1) for y in (1, -1) for z in (1, -1)], float)
    n = RANDOM.randint(3, 6)
    directions = RNG.normal(size=(n, 3))
    return kind, np.vstack([np.zeros(3), RANDOM.uniform(1, 1.6) * directions / np.linalg.norm(directions, axis=1)[:, None]])


def add(name, input, truth, source, accuracy=0.0, is_slow=False):
    one = {"name": f"{name} {len(CASES)}", "input": {**input, "seed": 100 + len(CASES)}, "truth": truth}
    if accuracy:
        one["accuracy"] = accuracy
    CASES.append({**one, "source": source, **({"isSlow": True} if is_slow else {})})
    print(f"{time.process_time() - BEGUN:.0f} s", len(CASES), name, truth, flush=True)


def drawn(name, seed, draw):
    """The first draw whose least energy is settled: seeds `seed`, `seed + 10000`, and so on."""
    for attempt in range(20):
        case = draw(seed + 10000 * attempt)
        if case is not None:
            return case
        REDRAWN[name] = REDRAWN.get(name, 0) + 1
        print("drawn anew:", name, seed, flush=True)
    raise RuntimeError(f"No draw of {name} {seed} is settled.")


SOURCE = "many starts and basin hopping in numpy; five hits of each, and both agree"


def polyhedra():
    names = list(BODIES)
    pairs = [(a, b) for a in names for b in names if len(BODIES[a]) * len(BODIES[b]) <= 60 and len(BODIES[a]) > 1 or a == b == "atom"]
    for k, (a, b) in enumerate(pairs):
        truth = least(BODIES[a], BODIES[b], k)
        if truth is None:
            raise RuntimeError(f"{b} on {a} is not settled.")
        add(f"{b} on {a}", {"receptor": a, "ligand": b}, truth, SOURCE, is_slow=k % SLOW["polyhedra"] != 0)


def draw_uploaded(seed):
    reseed(seed)
    (a, receptor), (b, ligand) = shape(), shape()
    while len(ligand) * len(receptor) > 60:
        (a, receptor), (b, ligand) = shape(), shape()
    texts = [text_of(moved(receptor)), text_of(moved(ligand))]
    fixed, free = read(texts[0]), read(texts[1])
    truth = least(fixed - fixed.mean(0), free, seed)
    return truth and (f"{b} on {a}", {"receptor_file": texts[0], "ligand_file": texts[1]}, truth, SOURCE)


def draw_boxed(seed):
    reseed(seed)
    receptor, ligand = cluster(RANDOM.randint(3, 8)), cluster(RANDOM.randint(1, 4))
    texts = [text_of(moved(receptor)), text_of(moved(ligand))]
    fixed, free = read(texts[0]), read(texts[1])
    middle = fixed.mean(0)
    # A box beside the receptor, large enough for the ligand.
    direction = RNG.normal(size=3)
    centre = 1.6 * direction / np.linalg.norm(direction)
    half = np.array([RANDOM.uniform(1.6, 2.6) for _ in range(3)])
    centre, half = np.round(centre + middle, 3), np.round(half, 3)
    truth = least(fixed - middle, free, seed, (centre - middle, half))
    box = {f"center_{axis}": centre[k] for k, axis in enumerate("xyz")} | {f"size_{axis}": 2 * half[k] for k, axis in enumerate("xyz")}
    return truth and ("in a box", {"receptor_file": texts[0], "ligand_file": texts[1], **box}, truth, SOURCE + "; minima inside the box")


# Of each kind, one case in so many is fast.
SLOW = {"polyhedra": 2, "uploaded": 3, "boxed": 2}


def main():
    polyhedra()
    for kind, base, count, draw in (("uploaded", 1000, 30, draw_uploaded), ("boxed", 2000, 10, draw_boxed)):
        for k in range(count):
            add(*drawn(kind, base + k, draw), is_slow=k % SLOW[kind] != 0)
    vina_cases(add, drawn)
    again = ", ".join(f"{count} of {kind}" for kind, count in REDRAWN.items()) or "none"
    provenance = (
        "Written whole by one run of test/coverage/dock.py (numpy and scipy, fixed seeds); no code and no answer of this project is used. "
        "Least energies: a search from many random starts and chains of basin hopping, both of this program, each until its least energy "
        "was reached by five starts or chains (at least 256 starts), with four times the effort where that fails; both must agree "
        "(1e-9 of the energy for Lennard-Jones; the accuracy of the case for Vina's sum, which is refined by simplex searches). "
        f"Draws that are not settled are drawn anew from the seed + 10000: {again}. "
        "Scores of poses: the published sum over pairs. A least energy that both searches miss would go unnoticed."
    )
    (HERE / "dock.json").write_text(json.dumps({"provenance": provenance, "cases": CASES}, indent=2) + "\n")


if __name__ == "__main__":
    main()
