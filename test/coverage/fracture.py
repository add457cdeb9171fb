# Outside truth of fracture: bars in closed form; plates by a sparse direct solution on twice the points; motion by
# d'Alembert's waves, the dispersion of an endless peridynamic bar, modes of a plate that are exact in time, the place and time
# of spalling, and the balance of energy of a long strip, whose crack runs through or stays.
#
#   python3 test/coverage/fracture.py > test/coverage/fracture.json
#
# Plates keep the horizon in metres. Bonds are listed by a tree of the points instead of a stencil, and the stiffness
# matrix is factorised. Plates in equilibrium stay below s0. Two sets of motion had
# been missed by an earlier ±; this one was drawn anew after the last change of it.
import json
import random

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve
from scipy.spatial import cKDTree
from scipy.special import sici

random.seed(11)
cases = []


def pick(low, high, digits=4):
    return float(f"{random.uniform(low, high):.{digits}g}")


def add(name, input, truth, source, of=None):
    cases.append(
        {"name": f"{len(cases) + 1} {name}", "input": input, "truth": float(truth), "accuracy": 0.0, "source": source}
        | ({} if of is None else {"of": of})
    )


def plate(nx, ny, m, notch, finer):
    """Stiffness matrix over E, which points are grips, the heights of points over the middle, columns and rows."""
    columns, rows, horizon = nx * finer, ny * finer, m * finer
    reach = int(np.ceil(horizon + 0.5)) - 1
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(-reach, rows + reach) + 0.5)
    points = np.column_stack([x.ravel(), y.ravel()])
    pairs = cKDTree(points).query_pairs(horizon + 0.5 - 1e-9, output_type="ndarray")
    a, b = pairs.T
    d = points[b] - points[a]
    length = np.hypot(*d.T)
    weight = np.minimum(1, horizon + 0.5 - length) / length
    n = len(points)
    whole = np.bincount(a, weight, n) + np.bincount(b, weight, n)
    grid = np.arange(-reach, reach + 1)
    gx, gy = np.meshgrid(grid, grid)
    r = np.hypot(gx, gy)
    near = (r > 0) & (r < horizon + 0.5)
    gy, r = gy[near], r[near]
    part = np.minimum(1, horizon + 0.5 - r)
    constant = 1.125 / (0.5 * np.sum(part * gy**4 / r**3))
    is_grip = (points[:, 1] < 0) | (points[:, 1] > rows)
    va = np.where(is_grip[a], whole[b], whole[a])
    vb = np.where(is_grip[b], whole[a], whole[b])
    k = constant * weight * 2 * np.sum(part / r) / (va + vb)
    level = rows / 2
    crosses = (points[a, 1] - level) * (points[b, 1] - level) < 0
    with np.errstate(divide="ignore", invalid="ignore"):
        at = points[a, 0] + d[:, 0] * (level - points[a, 1]) / d[:, 1]
    keep = ~(crosses & (at <= notch * columns)) & ~(is_grip[a] & is_grip[b])
    a, b, d, length, k = a[keep], b[keep], d[keep], length[keep], k[keep]
    e = d / length[:, None]
    # Stretch of each bond as rows of a matrix over the displacements.
    row = np.tile(np.arange(len(a)), 4)
    column = np.concatenate([b, a, b + n, a + n])
    value = np.concatenate([e[:, 0], -e[:, 0], e[:, 1], -e[:, 1]])
    stretch = coo_matrix((value, (row, column)), shape=(len(a), 2 * n)).tocsr()
    stiffness = (stretch.T.multiply(k) @ stretch).tocsr()
    return stiffness, is_grip, points[:, 1] - rows / 2, columns, rows


def plate_stress(nx, ny, m, notch, finer=2):
    """Stress over E and strain of a plate of nx by ny cells with clamped ends."""
    stiffness, is_grip, height, columns, rows = plate(nx, ny, m, notch, finer)
    n = len(height)
    u = np.concatenate([np.zeros(n), height])
    free = np.flatnonzero(~np.tile(is_grip, 2))
    fixed = np.flatnonzero(np.tile(is_grip, 2))
    u[free] = spsolve(stiffness[free][:, free].tocsc(), -stiffness[free][:, fixed] @ u[fixed])
    force = stiffness @ u
    return force[n:][height > rows / 2].sum() / columns


def moving_peak(nx, ny, m, notch, end, ramp, finer=2):
    """Largest stress over E and strain through the middle of a plate whose grips start; times over height / bar speed."""
    stiffness, is_grip, height, columns, rows = plate(nx, ny, m, notch, finer)
    n = len(height)
    free = np.flatnonzero(~np.tile(is_grip, 2))
    fixed = np.flatnonzero(np.tile(is_grip, 2))
    grips = np.concatenate([np.zeros(n), height])[fixed]
    squares, modes = np.linalg.eigh(stiffness[free][:, free].toarray())
    omega = np.sqrt(squares)
    drive = -modes.T @ (stiffness[free][:, fixed] @ grips)
    above = np.concatenate([np.zeros(n), height > 0]).astype(float)
    pull = stiffness @ above  # the force on what is above the middle, by displacement
    by_mode = modes.T @ pull[free]
    by_grips = pull[fixed] @ grips
    t1, t2 = ramp * rows, end * rows
    rate = 1 / (t2 - t1 / 2)
    q, speed = np.zeros(len(free)), np.zeros(len(free))
    peak = 0.0
    for start, length, e0, e1, e2 in [(0, t1, 0, 0, rate / (2 * t1)), (t1, t2 - t1, rate * t1 / 2, rate, 0)]:
        rest = drive / squares * (e0 - 2 * e2 / squares)
        a, b = q - rest, (speed - drive / squares * e1) / omega
        for tau in np.linspace(0, length, 1500):
            strain = e0 + e1 * tau + e2 * tau**2
            forced = drive / squares * (strain - 2 * e2 / squares)
            q = a * np.cos(omega * tau) + b * np.sin(omega * tau) + forced
            peak = max(peak, (by_mode @ q + by_grips * strain) / columns)
        speed = -a * omega * np.sin(omega * length) + b * omega * np.cos(omega * length)
        speed = speed + drive / squares * (e1 + 2 * e2 * length)
    return peak


def risen(t, ramp):
    return np.clip(np.maximum(t, 0) / ramp, 0, 1)


def middle(t, passage, ramp, sign):
    """Strain in the middle of a local bar by waves of unit strain from both ends, which return with a sign."""
    return sum(2 * sign**k * risen(t - (k + 0.5) * passage, ramp) for k in range(int(t[-1] / passage) + 1))


for _ in range(45):
    E, s0, strain = pick(1e6, 3e11), pick(1e-4, 5e-3), pick(1e-5, 8e-3)
    input = {"mode": "bar", "E": E, "s0": s0, "strain": strain, "N": random.randint(8, 120)}
    input |= {"horizonM": pick(2, 4), "loadSteps": random.randint(2, 15), "width": pick(0.01, 10)}
    if random.random() < 0.3:
        input["sf"] = s0
    add("a bar", input, E * min(strain, s0), "Hooke's law up to the stretch at which every bond fails")

for i in range(60):
    nx, m, notch = random.randint(16, 28), pick(2, 3.5), pick(0.1, 0.6)
    ny = random.choice([8, 10, 12, 14, 16])
    E, strain = pick(1e9, 3e11), pick(1e-5, 1e-3)
    input = {"nx": nx, "ny": ny, "horizonM": m, "E": E, "strain": strain, "s0": 0.1, "loadSteps": 2}
    input |= {"notch": "no"} if i % 4 == 0 else {"notchFrac": notch}
    stress = plate_stress(nx, ny, m, 0 if i % 4 == 0 else notch)
    add("a plate below failure", input, E * strain * stress, "direct sparse solution on twice the points by scipy")

random.seed(61)


def bar(load):
    E, rho, width = pick(1e9, 3e11), pick(500, 9e3), pick(0.01, 10)
    input = {"mode": "bar", "load": load, "E": E, "rho": rho, "width": width, "N": random.randint(60, 200)}
    input["horizonM"] = pick(2, 4)
    return input, width / np.sqrt(E / rho)


for i in range(16):
    load = "grips" if i % 2 == 0 else "stress"
    input, passage = bar(load)
    end = pick(1.2, 6) * passage
    ramp = pick(0.25, 0.9) * passage
    input |= {"t_end": float(end), "ramp": float(ramp), "s0": 0.1}
    t = np.linspace(0, end, 400_001)
    if load == "grips":
        strain = pick(1e-6, 5e-3)
        input["strain"] = strain
        unit = 0.5 * strain * passage / (end - ramp / 2)
    else:
        input["stress"] = pick(1e4, 1e8)
        unit = input["stress"] / input["E"]
    truth = input["E"] * unit * middle(t, passage, ramp, 1 if load == "grips" else -1).max()
    add("waves in a bar", input, truth, "d'Alembert's solution of a local bar, both ends alike")

for i in range(16):
    input, passage = bar("wave")
    input["waves"] = random.randint(1, input["N"] // 8)
    input["strain"] = pick(1e-7, 1e-3)
    x = 2 * np.pi * input["waves"] * input["horizonM"] / input["N"]
    ratio = 2 * np.sqrt(np.euler_gamma + np.log(x) - sici(x)[1]) / x
    add("a ring", input, input["width"] / passage * ratio, "dispersion of an endless peridynamic bar, Ci by scipy")

for i in range(12):
    load = "grips" if i % 2 == 0 else "stress"
    input, passage = bar(load)
    end, ramp = 1.4 * passage, pick(0.2, 0.45) * passage
    s0 = pick(2e-4, 4e-3)
    # The sum of two waves breaks the middle, one wave breaks nothing.
    share = pick(1.2, 1.8)
    input |= {"t_end": float(end), "ramp": float(ramp), "s0": s0}
    if load == "grips":
        input["strain"] = float(s0 / share * (end - ramp / 2) / (0.5 * passage))
    else:
        input["stress"] = float(input["E"] * s0 / share)
    truth = 0.5 * passage + ramp * share / 2
    if i % 3 == 2:
        add("spall", input, input["width"] / 2, "two equal waves meet in the middle", "failure_y")
    else:
        add("spall", input, truth, "the sum of two waves reaches the stretch of failure in the middle", "failure_time")

for i in range(8):
    nx, ny, m, notch = random.randint(16, 20), random.choice([8, 10]), pick(2, 3), pick(0.1, 0.5)
    E, rho, strain, width = pick(1e9, 3e11), pick(500, 9e3), pick(1e-6, 3e-4), pick(0.01, 1)
    end, ramp = pick(1.5, 6), pick(0.4, 1)
    height = width * ny / nx / np.sqrt(E / rho)
    input = {"load": "grips", "nx": nx, "ny": ny, "horizonM": m, "E": E, "rho": rho, "strain": strain, "width": width}
    input |= {"s0": 0.1, "notchFrac": notch, "t_end": float(end * height), "ramp": float(ramp * height)}
    truth = E * strain * moving_peak(nx, ny, m, notch, end, ramp)
    add("a plate in motion", input, truth, "modes exact in time on twice the points, by numpy")

for i in range(14):
    runs = i % 2 == 0
    nx, ny, G0 = random.randint(44, 56), random.choice([10, 12]), pick(10, 1e3)
    E, rho, width, notch = pick(1e10, 3e11), pick(1e3, 9e3), pick(0.02, 0.5), pick(0.3, 0.45)
    griffith = np.sqrt(16 * G0 / (9 * E * width * ny / nx))
    ratio = pick(1.25, 1.6) if runs else pick(0.4, 0.75)
    input = {"load": "release", "nx": nx, "ny": ny, "E": E, "rho": rho, "width": width, "notchFrac": notch, "G0": G0}
    input |= {"strain": float(ratio * griffith), "t_end": float(6 * width / np.sqrt(E / rho))}
    truth = width if runs else width * notch
    source = "energy of a long strip over the surface energy: the crack " + ("runs through" if runs else "stays")
    add("a strip", input, truth, source, "crack_tip")

print(
    json.dumps(
        {
            "provenance": "Computed outside of this project by test/coverage/fracture.py with numpy and scipy: closed forms of "
            "bars and strips, direct solutions and modes of plates.",
            "cases": cases,
        },
        indent=2,
    )
)
