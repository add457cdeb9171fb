"""Writes dock.json: least energies of pairs of rigid bodies from elsewhere.

  python3 test/coverage/dock.py

Multi-start with numpy and scipy, without code of this project: four numbers that are normalised to a quaternion, BFGS of
scipy with an analytic gradient from many random starts, then Newton's method with a Hessian of differences. Bodies:
polyhedra, random clusters, chains, rings, plates and cages, at any place of space; boxes that leave out the best side. A
number is taken if two sets of starts agree on it. Needs numpy and scipy.
"""

import json
import pathlib
import random

import numpy as np
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
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def slopes_of_rotation(q):
    """d R / d q_k of the normalised quaternion."""
    n = np.linalg.norm(q)
    w, x, y, z = u = q / n
    d = 2 * np.array(
        [
            [[0, -z, y], [z, 0, -x], [-y, x, 0]],
            [[0, y, z], [y, -2 * x, -w], [z, w, -2 * x]],
            [[-2 * y, x, w], [x, 0, z], [-w, z, -2 * y]],
            [[-2 * z, -w, x], [w, -2 * z, y], [x, y, 0]],
        ]
    )
    return np.einsum("kl,lij->kij", (np.eye(4) - np.outer(u, u)) / n, d)


def energy(p, receptor, ligand):
    r = rotation(p[3:])
    delta = (ligand @ r.T + p[:3])[:, None, :] - receptor[None, :, :]
    s = 1 / np.einsum("ijk,ijk->ij", delta, delta)
    s3 = s**3
    e = 4 * np.sum(s3 * (s3 - 1))
    g = np.einsum("ij,ijk->ik", -48 * s3 * (s3 - 0.5) * s, delta)
    turn = np.einsum("kij,ni,nj->k", slopes_of_rotation(p[3:]), g, ligand)
    return e, np.concatenate([g.sum(0), turn])


def start(receptor, ligand, isInside):
    q = RNG.normal(size=4)
    placed = ligand @ rotation(q).T
    low, high = receptor.min(0), receptor.max(0)
    for _ in range(200):
        if isInside:
            x = low + RNG.random(3) * (high - low)
        else:
            n = RNG.normal(size=3)
            n /= np.linalg.norm(n)
            d = 0.0
            x = receptor.mean(0)
            while np.min(np.linalg.norm((placed + x)[:, None] - receptor[None], axis=2)) < 0.95:
                x = x + 0.05 * n
        if np.min(np.linalg.norm((placed + x)[:, None] - receptor[None], axis=2)) > 0.8:
            return np.concatenate([x, q])
        isInside = False
    return np.concatenate([x, q])


def minima(receptor, ligand, starts):
    found = []
    for k in range(starts):
        p = start(receptor, ligand, k % 4 == 3)
        for _ in range(3):
            result = minimize(energy, p, args=(receptor, ligand), jac=True, method="BFGS", options={"gtol": 1e-10, "maxiter": 800})
            p = result.x.copy()
            p[3:] /= np.linalg.norm(p[3:])
        if np.max(np.abs(result.jac)) < 1e-5 and result.fun < -1e-6:
            found.append((result.fun, p))
    return sorted(found, key=lambda one: one[0])


def least(receptor, ligand, box=None, starts=60):
    def inside(p):
        placed = ligand @ rotation(p[3:]).T + p[:3]
        return box is None or np.all(np.abs(placed - box[0]) <= box[1] - 1e-6)

    values = []
    for _ in range(2):
        good = [e for e, p in minima(receptor, ligand, starts) if inside(p)]
        if not good:
            return None
        values.append(good[0])
    if abs(values[0] - values[1]) > 1e-7:
        return None if starts > 150 else least(receptor, ligand, box, 3 * starts)
    return min(values)


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


def add(name, input, truth, source, accuracy=0.0):
    if truth is None:
        print("skipped", name, flush=True)
        return
    one = {"name": f"{name} {len(CASES)}", "input": {**input, "seed": 100 + len(CASES)}}
    one["truth"] = truth
    if accuracy:
        one["accuracy"] = accuracy
    CASES.append({**one, "source": source})
    print(len(CASES), name, truth, flush=True)


SOURCE = "multi-start BFGS with numpy and scipy, two sets of starts agree"


def polyhedra():
    names = list(BODIES)
    pairs = [(a, b) for a in names for b in names if len(BODIES[a]) * len(BODIES[b]) <= 60 and len(BODIES[a]) > 1 or a == b == "atom"]
    for a, b in pairs:
        add(f"{b} on {a}", {"receptor": a, "ligand": b}, least(BODIES[a], BODIES[b]), SOURCE)


def uploaded(count):
    for seed in range(count):
        reseed(1000 + seed)
        (a, receptor), (b, ligand) = shape(), shape()
        while len(ligand) * len(receptor) > 60:
            (a, receptor), (b, ligand) = shape(), shape()
        texts = [text_of(moved(receptor)), text_of(moved(ligand))]
        fixed, free = read(texts[0]), read(texts[1])
        middle = fixed.mean(0)
        truth = least(fixed - middle, free - free.mean(0))
        add(f"{b} on {a}", {"receptor_file": texts[0], "ligand_file": texts[1]}, truth, SOURCE)


def boxed(count):
    for seed in range(count):
        reseed(2000 + seed)
        receptor, ligand = cluster(RANDOM.randint(3, 8)), cluster(RANDOM.randint(1, 4))
        texts = [text_of(moved(receptor)), text_of(moved(ligand))]
        fixed, free = read(texts[0]), read(texts[1])
        middle = fixed.mean(0)
        # A box beside the receptor, large enough for the ligand.
        direction = RNG.normal(size=3)
        centre = 1.6 * direction / np.linalg.norm(direction)
        half = np.array([RANDOM.uniform(1.6, 2.6) for _ in range(3)])
        centre, half = np.round(centre + middle, 3), np.round(half, 3)
        truth = least(fixed - middle, free - free.mean(0), (centre - middle, half))
        box = {f"center_{axis}": centre[k] for k, axis in enumerate("xyz")} | {f"size_{axis}": 2 * half[k] for k, axis in enumerate("xyz")}
        add("in a box", {"receptor_file": texts[0], "ligand_file": texts[1], **box}, truth, SOURCE + "; minima inside the box")


def main():
    polyhedra()
    uploaded(30)
    boxed(10)
    vina_cases(add)
    provenance = "Written by test/coverage/dock.py with numpy, scipy and AutoDock Vina, without code of this project."
    (HERE / "dock.json").write_text(json.dumps({"provenance": provenance, "cases": CASES}, indent=2) + "\n")


if __name__ == "__main__":
    main()
