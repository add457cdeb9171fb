"""Cases of docking with Vina's scoring, for dock.py; run alone, the scores that AutoDock Vina prints (vina-scores.json).

Systems of random atoms with bonds and hydrogens. Scores: the published sum over pairs in numpy. Least energies: both searches
of dock_search.py on a smooth neighbour of the sum, then simplex searches of scipy on the sum itself. Needs numpy and scipy.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

import numpy as np
from dock_search import System, rotations, settled
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


def smooth(d, width=0.02):
    """max(d, 0) with a rounded corner, and its slope."""
    root = np.sqrt(d * d + width * width)
    return 0.5 * (root + d), 0.5 * (1 + d / root)


class Smooth:
    """A neighbour of the sum with slopes, for the searches: rounded ramps, faded out from 7.6 Å to 8 Å."""

    def __init__(self, score):
        self.score = score

    def __call__(self, r):
        d = r - self.score.radii
        g1 = WEIGHTS[0] * np.exp(-4 * d * d)
        g2 = WEIGHTS[1] * np.exp(-((d - 3) ** 2) / 4)
        core = np.minimum(d, 0)
        e = g1 + g2 + WEIGHTS[2] * core**2
        slope = -8 * d * g1 - (d - 3) / 2 * g2 + 2 * WEIGHTS[2] * core
        for weight, mask, x, scale in (
            (WEIGHTS[3], self.score.hydrophobic, 1.5 - d, -1),
            (WEIGHTS[4], self.score.bond, -d / 0.7, -1 / 0.7),
        ):
            (low, low_slope), (high, high_slope) = smooth(x), smooth(x - 1)
            e = e + weight * mask * (low - high)
            slope = slope + weight * mask * scale * (low_slope - high_slope)
        u = np.clip((r - 7.6) / 0.4, 0, 1)
        fade, fade_slope = 1 - u * u * (3 - 2 * u), -6 * u * (1 - u) / 0.4
        return e * fade, slope * fade + e * fade_slope


def simplex(score, system, pose, size, evaluations):
    """Nelder and Mead in a displacement and a rotation vector about a pose."""
    place, turn = pose

    def moved(p):
        angle = np.linalg.norm(p[3:])
        q = np.concatenate([[math.cos(angle / 2)], p[3:] * (0.5 if angle < 1e-9 else math.sin(angle / 2) / angle)])
        return place + p[:3], rotations(q[None])[0] @ turn

    def value(p):
        x, r = moved(p)
        return score(system.own @ r.T + x)

    start = np.vstack([np.zeros(6), size * np.eye(6)])
    options = {"initial_simplex": start, "maxfev": evaluations, "xatol": 1e-9, "fatol": 1e-12}
    result = minimize(value, np.zeros(6), method="Nelder-Mead", options=options)
    return result.fun, moved(result.x)


def agreed(score, system, accuracy):
    """The sharp sum is refined by simplex searches from both least poses; the lower one, if they agree, else None."""

    def refined(found):
        best = math.inf, None
        for _, p, _ in [one for one in found.minima if one[0] < found.minima[0][0] + 0.03][:2]:
            pose, last, e = (p[:3], rotations(p[None, 3:])[0]), math.inf, math.inf
            for size in (0.02, 0.05, 0.01, 0.002, 0.02, 0.005, 0.001, 0.02, 0.005, 0.001):
                last, (e, pose) = e, simplex(score, system, pose, size, 500)
                if size == 0.001 and last - e < 1e-8:
                    break
            placed = system.own @ pose[1].T + pose[0]
            room = math.inf if system.box is None else float((system.box[1] - np.abs(placed - system.box[0])).min())
            if room > 0:
                best = min(best, (e, room), key=lambda one: one[0])
        return best

    def agree(first, second):
        (a, room), (b, _) = refined(first), refined(second)
        # A pose at the wall would be a matter of rounding.
        return min(a, b) if abs(a - b) <= accuracy and room > 0.01 else None

    return agree


ACCURACY = 3e-6


def texts_of_score(seed):
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
    return text_of(receptor, False), text_of(ligand, True)


def draw_minimum(seed, is_boxed):
    draw = random.Random(seed)
    receptor = grow(draw, draw.randint(8, 16), [0, 0, 0])
    ligand = grow(draw, draw.randint(3, 8), [9, 0, 0])
    texts = text_of(receptor, False), text_of(ligand, True)
    score = Score(read(texts[0]), read(texts[1]))
    box, fields = None, {}
    if is_boxed:
        # On one side of the receptor.
        direction = np.array([draw.gauss(0, 1) for _ in range(3)])
        centre = np.round(score.fixed.mean(0) + 4 * direction / np.linalg.norm(direction), 2)
        half = np.round([draw.uniform(4, 6.5) for _ in range(3)], 2)
        box = centre, half
        fields = {f"center_{axis}": centre[k] for k, axis in enumerate("xyz")}
        fields |= {f"size_{axis}": 2 * half[k] for k, axis in enumerate("xyz")}
    system = System(score.fixed, score.free, Smooth(score), (-0.8, 0.8, 3.6, score.radii), box)
    truth = settled(system, seed, agreed(score, system, ACCURACY))
    source = "many starts and basin hopping in numpy, simplex searches of scipy; both agree" + ("; minima inside the box" if is_boxed else "")
    input = {"receptor_file": texts[0], "ligand_file": texts[1], **fields, "hops": 60}
    return truth and ("least score in a box" if is_boxed else "least score", input, truth, source, ACCURACY)


def vina_cases(add, drawn, scores=24, minima=9, boxed=15):
    for seed in range(1, scores + 1):
        texts = texts_of_score(seed)
        score = Score(read(texts[0]), read(texts[1]))
        input = {"receptor_file": texts[0], "ligand_file": texts[1], "mode": "score"}
        add("score", input, score(score.free), "published sum over pairs in numpy")
    for k in range(minima):
        add(*drawn("least scores", 101 + k, lambda seed: draw_minimum(seed, False)), is_slow=k % 4 != 0)
    for k in range(boxed):
        add(*drawn("least scores in a box", 301 + k, lambda seed: draw_minimum(seed, True)), is_slow=k % 4 != 0)


def print_scores():
    """Writes test/truth/vina-scores.json; needs vina on the PATH."""
    printed_scores = []
    for seed in range(1, 25):
        texts = texts_of_score(seed)
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


if __name__ == "__main__":
    print_scores()
