"""Cases of docking with Vina's scoring, for dock.py.

Systems of random atoms with bonds and hydrogens. Scores: as AutoDock Vina 1.2 prints them (vina --score_only), and the
published sum over pairs in numpy. Least energies: simplex searches of scipy from many starts, refined with restarts; taken if
two sets of starts agree. Needs numpy and scipy, and vina on the PATH.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

import numpy as np
from scipy.optimize import minimize

WEIGHTS = (-0.035579, -0.005156, 0.840245, -0.035069, -0.587439)
ELEMENT = {"A": "C", "NA": "N", "OA": "O", "SA": "S", "HD": "H"}
RADIUS = {"C": 1.9, "N": 1.8, "O": 1.7, "S": 2.0, "P": 2.1, "F": 1.5, "Cl": 1.8, "Br": 2.0, "I": 2.2, "Mg": 1.2, "Zn": 1.2}
COVALENT = {"C": 0.77, "N": 0.75, "O": 0.73, "S": 1.02, "P": 1.06, "F": 0.71, "Cl": 0.99, "Br": 1.14, "I": 1.33, "H": 0.37, "Mg": 1.3, "Zn": 1.31}
TYPES = ["C", "A", "C", "A", "N", "NA", "OA", "OA", "S", "SA", "P", "F", "Cl", "Br", "I", "Zn", "Mg", "N", "O"]
LONG = {"Br", "I", "Zn", "Mg", "P", "S", "SA", "Cl"}


def element(kind):
    return ELEMENT.get(kind, kind)


def grow(draw, n, origin, hydrogens=0.35, types=TYPES):
    def unit():
        v = np.array([draw.gauss(0, 1) for _ in range(3)])
        return v / np.linalg.norm(v)

    atoms = [("C", np.array(origin, float))]
    while len(atoms) < n:
        kind, place = draw.choice([one for one in atoms if element(one[0]) != "H"])
        if draw.random() < hydrogens:
            new, length = ("HD" if element(kind) in "NOS" else "H"), 1.0
        else:
            new = draw.choice(types)
            length = 1.8 if new in LONG else 1.45
        at = place + length * unit()
        if all(np.linalg.norm(at - other) > 0.9 for _, other in atoms):
            atoms.append((new, at))
    return atoms


def text_of(atoms, is_ligand):
    rows = [
        "ATOM  %5d  %-3s LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00     0.000 %-2s" % (k + 1, kind, *place, kind)
        for k, (kind, place) in enumerate(atoms)
    ]
    return "\n".join(["ROOT", *rows, "ENDROOT", "TORSDOF 0"] if is_ligand else rows) + "\n"


def read(text):
    return [(l[77:79].strip(), np.array([float(l[k : k + 8]) for k in (30, 38, 46)])) for l in text.splitlines() if l[:4] == "ATOM"]


def typed(atoms):
    """Places, radii, and masks of hydrophobic atoms, donors and acceptors; heavy atoms only."""
    elements = [element(kind) for kind, _ in atoms]
    d = np.linalg.norm(np.array([p for _, p in atoms])[:, None] - np.array([p for _, p in atoms])[None], axis=2)
    n = len(atoms)
    bonds = [
        [
            j
            for j in range(n)
            if j != i
            and d[i, j] < 1.1 * (COVALENT[elements[i]] + COVALENT[elements[j]])
            and not any(c not in (i, j) and d[i, c] < d[i, j] and d[j, c] < d[i, j] for c in range(n))
        ]
        for i in range(n)
    ]
    rows = []
    for i, (kind, place) in enumerate(atoms):
        own = elements[i]
        if own == "H":
            continue
        polar = any(atoms[k][0] == "HD" for k in bonds[i])
        bare = own == "C" and all(elements[k] in ("C", "H") for k in bonds[i])
        metal = own in ("Zn", "Mg")
        rows.append((*place, RADIUS[own], bare or own in ("F", "Cl", "Br", "I"), metal or (own in "NO" and polar), kind in ("NA", "OA")))
    rows = np.array(rows, float)
    return rows[:, :3], rows[:, 3], rows[:, 4] > 0, rows[:, 5] > 0, rows[:, 6] > 0


class Score:
    def __init__(self, receptor, ligand):
        self.fixed, r1, h1, d1, a1 = typed(receptor)
        self.free, r2, h2, d2, a2 = typed(ligand)
        self.radii = r2[:, None] + r1[None]
        self.hydrophobic = h2[:, None] & h1[None]
        self.bond = (d2[:, None] & a1[None]) | (a2[:, None] & d1[None])

    def pairs(self, r):
        d = r - self.radii
        e = WEIGHTS[0] * np.exp(-4 * d * d) + WEIGHTS[1] * np.exp(-((d - 3) ** 2) / 4) + WEIGHTS[2] * np.minimum(d, 0) ** 2
        e = e + WEIGHTS[3] * self.hydrophobic * np.clip(1.5 - d, 0, 1) + WEIGHTS[4] * self.bond * np.clip(-d / 0.7, 0, 1)
        return np.where(r < 8, e, 0)

    def __call__(self, places):
        return float(self.pairs(np.linalg.norm(places[:, None] - self.fixed[None], axis=2)).sum())


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def simplex(score, origin, own, pose, size, evaluations):
    """Nelder and Mead in a displacement and a rotation vector about a pose."""
    place, turn = pose

    def moved(p):
        angle = np.linalg.norm(p[3:])
        q = np.concatenate([[math.cos(angle / 2)], p[3:] * (0.5 if angle < 1e-9 else math.sin(angle / 2) / angle)])
        return place + p[:3], rotation(q) @ turn

    def value(p):
        x, r = moved(p)
        return score(own @ r.T + x)

    start = np.vstack([np.zeros(6), size * np.eye(6)])
    options = {"initial_simplex": start, "maxfev": evaluations, "xatol": 1e-9, "fatol": 1e-12}
    result = minimize(value, np.zeros(6), method="Nelder-Mead", options=options)
    return result.fun, moved(result.x)


def least(score, rng, starts=90):
    middle = score.fixed.mean(0)
    own = score.free - score.free.mean(0)
    reach = np.linalg.norm(score.fixed - middle, axis=1).max()
    values = []
    for _ in range(2):
        found = []
        while len(found) < starts:
            q = rng.normal(size=4)
            n = rng.normal(size=3)
            turn, x = rotation(q), middle + (reach + 8) * n / np.linalg.norm(n)
            step = (middle - x) / np.linalg.norm(middle - x)
            for _ in range(400):
                r = np.linalg.norm((own @ turn.T + x)[:, None] - score.fixed[None], axis=2) - score.radii
                if r.min() < 0.1:
                    break
                x = x + 0.1 * step
            found.append(simplex(score, middle, own, (x, turn), 0.3, 500))
        found.sort(key=lambda one: one[0])
        best = math.inf
        for _, pose in found[:16]:
            for size in (0.2, 0.05, 0.02, 0.1, 0.02, 0.005, 0.001):
                e, pose = simplex(score, middle, own, pose, size, 900)
            best = min(best, e)
        values.append(best)
    return min(values) if abs(values[0] - values[1]) < 3e-4 else None


def vina_cases(add, scores=24, minima=14):
    printed_scores = []
    for seed in range(1, scores + 1):
        draw = random.Random(seed)
        receptor = []
        for _ in range(3):
            for atom in grow(draw, draw.randint(4, 14), [draw.uniform(-5, 5) for _ in range(3)]):
                if all(np.linalg.norm(atom[1] - other) > 1 for _, other in receptor):
                    receptor.append(atom)
        ligand = grow(draw, draw.randint(3, 20), [0, 0, 0])
        direction = np.array([draw.gauss(0, 1) for _ in range(3)])
        direction /= np.linalg.norm(direction)
        gap = draw.uniform(2.4, 3.4)
        while min(np.linalg.norm(p - q) for _, p in ligand for _, q in receptor) < gap:
            ligand = [(kind, place + 0.1 * direction) for kind, place in ligand]
        texts = text_of(receptor, False), text_of(ligand, True)
        input = {"receptor_file": texts[0], "ligand_file": texts[1], "mode": "score"}
        score = Score(read(texts[0]), read(texts[1]))
        add("score", input, score(score.free), "published sum over pairs in numpy")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in zip("rl", texts):
                (pathlib.Path(folder) / f"{name}.pdbqt").write_text(text)
            command = ["vina", "--receptor", "r.pdbqt", "--ligand", "l.pdbqt", "--score_only", "--autobox"]
            printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
        number = float(re.search(r"Free Energy of Binding\s*:\s*(\S+)", printed).group(1))
        printed_scores.append({"receptor_file": texts[0], "ligand_file": texts[1], "printed": number})
    provenance = "Written by test/coverage/dock_vina.py: vina 1.2.3 --score_only on systems of random atoms."
    truth = {"provenance": provenance, "tolerance": 6e-4, "scores": printed_scores}
    target = pathlib.Path(__file__).parent.parent / "truth" / "vina-scores.json"
    target.write_text(json.dumps(truth, indent=2) + "\n")
    rng = np.random.default_rng(5)
    for seed in range(101, 101 + minima):
        draw = random.Random(seed)
        receptor = [atom for atom in grow(draw, draw.randint(8, 16), [0, 0, 0])]
        ligand = grow(draw, draw.randint(3, 8), [9, 0, 0])
        texts = text_of(receptor, False), text_of(ligand, True)
        truth = least(Score(read(texts[0]), read(texts[1])), rng)
        source = "simplex searches of scipy from 90 starts, twice"
        input = {"receptor_file": texts[0], "ligand_file": texts[1], "hops": 60}
        add("least score", input, truth, source, accuracy=3e-6)
