# Outside truth of tumor: the exact wave, Gaussians of pure diffusion, and the method of lines with LSODA and RK45.
#
#   python3 test/coverage/tumor.py > test/coverage/tumor.json
#
# The lines stand at nodes, not at centres of cells; the truth is extrapolated from two grids, and a quarter of what that
# changes is its accuracy. Therapies stop and restart the integration.
import json
import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

rng = np.random.default_rng(11)
cases = []


def pick(low, high, digits=4):
    return float(f"{rng.uniform(low, high):.{digits}g}")


def add(name, input, truth, source, of=None, accuracy=0.0):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if of:
        case["of"] = of
    cases.append({**case, "truth": float(truth), "accuracy": float(accuracy), "source": source})
    print(len(cases), name, truth, accuracy, file=sys.stderr)


for i in range(24):
    D, rho = pick(2e-3, 0.9), pick(5e-3, 0.9)
    unit = np.sqrt(D / rho)
    L = float(f"{60 * unit:.4g}")
    x0 = float(f"{20 * unit:.5g}")
    scale = float(f"{np.sqrt(rho / D / 6):.15g}")
    add("the exact wave",
        {"geometry": "planar", "D_grey": D, "rho": rho, "L": L, "nx": int(rng.integers(250, 500)),
         "initial_u": f"1/(1+exp({scale!r}*(x-{x0!r})))^2", "t_end": float(f"{8 / rho:.5g}"),
         "level": pick(0.1, 0.8, 3)},
        5 / np.sqrt(6) * np.sqrt(D * rho), "Ablowitz and Zeppetella's wave", accuracy=1e-7 * np.sqrt(D * rho))

for i in range(24):
    radial = i % 2 == 0
    D, r0, peak = pick(1e-3, 0.05), pick(0.3, 1), pick(0.5, 1)
    level = float(f"{peak * rng.uniform(0.05, 0.3):.3g}")
    power = 1.5 if radial else 0.5
    grown = r0 * r0 * (peak / level) ** (1 / power)
    t = float(f"{(0.2 + 0.5 * rng.random()) * (grown - r0 * r0) / (4 * D):.4g}")
    L = float(f"{8 * np.sqrt(r0 * r0 + 4 * D * t):.4g}")
    start = pick(0.3, 0.8) * t

    def place(t):
        s = r0 * r0 + 4 * D * t
        return np.sqrt(s * (np.log(peak / level) + power * np.log(r0 * r0 / s)))

    input = {"geometry": "radial" if radial else "planar", "D_grey": D, "rho": 0, "L": L, "r0": r0, "peak": peak,
             "nx": int(rng.integers(200, 500)), "t_end": t, "t_from": start, "level": level}
    if i % 3 == 0:
        add("radius of a spreading hump", input, place(t), "a Gaussian in closed form", "radius_end", 1e-9)
    else:
        add("speed of a spreading hump", input, (place(t) - place(start)) / (t - start), "a Gaussian in closed form",
            accuracy=1e-9 * L / t)


def profile(input):
    r0, peak = input.get("r0", 0.5), input.get("peak", 0.8)
    if input.get("u0") == "ramp":
        return lambda x: peak * np.maximum(0, 1 - x / r0)
    return lambda x: peak * np.exp(-((x / r0) ** 2))


def lines(input, N, steps):
    """States at the end of every step (t, action), by LSODA on N intervals; action changes u, or is a rate."""
    L, rho = input["L"], input["rho"]
    radial = input.get("geometry", "radial") == "radial"
    h = L / N
    x = np.linspace(0, L, N + 1)
    face = x[:-1] + h / 2
    area = 4 * np.pi * face**2 if radial else np.ones(N)
    edges = np.concatenate([[0], face, [L]])
    volume = 4 * np.pi / 3 * np.diff(edges**3) if radial else np.diff(edges)
    D = np.full(N, input["D_grey"])
    if "white_from" in input:
        D[(face > input["white_from"]) & (face < input["white_to"])] = input["D_white"]
    g = D * area / h
    u = profile(input)(x)

    def rate(kill):
        def f(t, u):
            flux = g * np.diff(u)
            d = np.zeros_like(u)
            d[:-1] += flux
            d[1:] -= flux
            return d / volume + (rho - kill) * u - rho * u * u
        return f

    states, now = [], 0.0
    for to, kill, change in steps:
        if to > now:
            u = solve_ivp(rate(kill), (now, to), u, method="LSODA", rtol=1e-9, atol=1e-13, lband=1, uband=1).y[:, -1]
            now = to
        if change is not None:
            u = change(u)
        states.append(u)
    return x, volume, states


def crossing(x, u, level):
    spline = CubicSpline(x, u - level)
    i = np.nonzero(u >= level)[0][-1]
    roots = spline.roots(extrapolate=False)
    return float(roots[(roots >= x[i] - 1e-12)][0])


def extrapolated(input, read, steps, N=600):
    coarse, fine = (read(*lines(input, n, steps)) for n in (N, 2 * N))
    return fine + (fine - coarse) / 3, abs(fine - coarse) / 12


LINES = "the method of lines with LSODA, extrapolated"
for i in range(60):
    rho = pick(0.006, 0.05)
    D = float(f"{10 ** rng.uniform(-3, -1.7):.3g}")
    unit = np.sqrt(D / rho)
    T = float(f"{rng.uniform(8, 20) / rho:.4g}")
    L = float(f"{unit * (2 * rho * T + 14):.3g}")
    r0 = float(f"{L * rng.integers(3, 6) / 60:.6g}")
    planar = i % 3 == 0
    input = {"geometry": "planar" if planar else "radial", "D_grey": D, "rho": rho, "L": L, "r0": r0,
             "peak": pick(0.4, 0.95, 3), "t_end": T, "nx": int(rng.integers(240, 480))}
    if i % 2:
        input["u0"] = "ramp"
    start = float(f"{T * rng.uniform(0.6, 0.85):.4g}")
    input["t_from"] = start
    level = pick(0.2, 0.7, 3)
    input["level"] = level
    kind = i % 5
    if kind == 1:
        input |= {"D_white": float(f"{D * rng.uniform(1.5, 5):.3g}"), "white_from": L * 12 / 60, "white_to": L * 24 / 60}
        # The front is faster in the white part; the tissue is long enough for that.
    S, kill, first = 1.0, 0.0, float(f"{T * 0.35:.4g}")
    steps = [(start, 0, None), (T, 0, None)]
    if kind == 2:
        dose, alpha, beta = pick(1, 4, 2), pick(0.02, 0.2, 2), pick(0.002, 0.02, 2)
        S = np.exp(-alpha * dose - beta * dose**2)
        input |= {"alpha": alpha, "beta": beta, "therapy": f"radiate {first!r} 3 {dose!r}"}
        hit = lambda u, S=S: S * u
        steps = [(first + k, 0, hit) for k in range(3)] + steps
    if kind == 3:
        kill = pick(0.2, 1.6, 2) * rho
        to = float(f"{T * 0.5:.4g}")
        input["therapy"] = f"chemo {first!r} {to!r} {kill!r}"
        steps = [(first, 0, None), (to, kill, None)] + steps
    name = ["a front", "a front through white matter", "a front after radiation", "a front after chemotherapy",
            "a front"][kind] + (" of a layer" if planar else " of a ball")
    which = (i // 5) % 4
    try:
        if which in (0, 1):
            truth, accuracy = extrapolated(
                input, lambda x, v, s: (crossing(x, s[-1], level) - crossing(x, s[-2], level)) / (T - start), steps)
            add(name + ", speed", input, truth, LINES, accuracy=accuracy)
        elif which == 2:
            truth, accuracy = extrapolated(input, lambda x, v, s: crossing(x, s[-1], 0.16), steps)
            add(name + ", T2 radius", input, truth, LINES, "radius_t2_end", accuracy)
        else:
            truth, accuracy = extrapolated(input, lambda x, v, s: float(v @ s[-1]) * 1e8, steps)
            add(name + ", cells", input, truth, LINES, "cells_end", accuracy)
    except IndexError:
        print("no front:", input, file=sys.stderr)

# Maps: Gaussians and the exact wave in closed form, discs by the method of lines in the radius of a cylinder, and drawn
# tissue by the method of lines in two dimensions with Runge and Kutta's method of order 5 (4), on 4 and 8 cells a pixel.
def square(n, what):
    return "\n".join([what * n] * n)


for i in range(8):
    tissue = "gw"[i % 2]
    D, r0, peak = pick(2e-3, 0.05), pick(0.4, 1), pick(0.5, 1)
    level = float(f"{peak * rng.uniform(0.05, 0.3):.3g}")
    t = float(f"{(0.2 + 0.4 * rng.random()) * r0 * r0 * (peak / level - 1) / (4 * D):.4g}")
    L = float(f"{9 * np.sqrt(r0 * r0 + 4 * D * t):.4g}")
    start = float(f"{rng.uniform(0.3, 0.8) * t:.4g}")

    def disc(t):
        s = r0 * r0 + 4 * D * t
        return np.sqrt(s * np.log(peak * r0 * r0 / (s * level)))

    input = {"map": square(int(rng.integers(16, 30)), tissue), "L": L, "rho": 0, "r0": r0, "peak": peak, "t_end": t,
             "t_from": start, "level": level, "D_white" if tissue == "w" else "D_grey": D,
             "x0": float(f"{L * rng.uniform(0.47, 0.53):.5g}"), "y0": float(f"{L * rng.uniform(0.47, 0.53):.5g}")}
    if i % 3 == 0:
        add("a hump on a map, area", input, np.pi * disc(t) ** 2, "a Gaussian in closed form", "area_end", 1e-7 * L * L)
    else:
        add("a hump on a map, speed", input, (disc(t) - disc(start)) / (t - start), "a Gaussian in closed form",
            accuracy=1e-7 * L / t)

for i in range(8):
    D, rho = pick(5e-3, 0.5), pick(1e-2, 0.9)
    unit = np.sqrt(D / rho)
    n, H = int(rng.integers(50, 90)), int(rng.integers(1, 4))
    L = float(f"{60 * unit:.4g}")
    x0 = float(f"{20 * unit:.5g}")
    scale = float(f"{np.sqrt(rho / D / 6):.15g}")
    level, T = pick(0.1, 0.8, 3), float(f"{8 / rho:.5g}")
    height = H * L / n
    input = {"map": "\n".join(["g" * n] * H), "D_grey": D, "rho": rho, "L": L, "t_end": T, "t_from": float(f"{T / 2:.5g}"),
             "initial_u": f"1/(1+exp({scale!r}*(x-{x0!r})))^2", "level": level, "nx": 3 * n * int(rng.integers(1, 3))}

    def strip(t):
        x = x0 + 5 / np.sqrt(6) * np.sqrt(D * rho) * t + np.log(level**-0.5 - 1) / scale
        return x * height

    if i % 2:
        add("the exact wave on a strip, area", input, strip(T), "Ablowitz and Zeppetella's wave", "area_end", 1e-6 * L * height)
    else:
        radius = lambda t: np.sqrt(strip(t) / np.pi)
        add("the exact wave on a strip, speed", input, (radius(T) - radius(input["t_from"])) / (T - input["t_from"]),
            "Ablowitz and Zeppetella's wave", accuracy=1e-6 * np.sqrt(D * rho))


def cylinder(input, N, steps):
    """As `lines`, in the radius of a disc."""
    L, rho, D = input["L"] / 2, input["rho"], input["D_grey"]
    h = L / N
    x = np.linspace(0, L, N + 1)
    face = x[:-1] + h / 2
    edges = np.concatenate([[0], face, [L]])
    volume, g = np.pi * np.diff(edges**2), D * 2 * np.pi * face / h
    u, now, states = profile(input)(x), 0.0, []

    def f(t, u):
        flux = g * np.diff(u)
        d = np.zeros_like(u)
        d[:-1] += flux
        d[1:] -= flux
        return d / volume + rho * u * (1 - u)

    for to in steps:
        u = solve_ivp(f, (now, to), u, method="LSODA", rtol=1e-9, atol=1e-13, lband=1, uband=1).y[:, -1]
        now = to
        states.append(u)
    return x, volume, states


for i in range(9):
    rho = pick(0.006, 0.03)
    D = float(f"{10 ** rng.uniform(-3, -2):.3g}")
    unit = np.sqrt(D / rho)
    T = float(f"{rng.uniform(5, 9) / rho:.4g}")
    L = float(f"{2 * unit * (2 * rho * T + 14):.3g}")
    start, level = float(f"{T * rng.uniform(0.5, 0.8):.4g}"), pick(0.2, 0.6, 3)
    input = {"map": square(int(rng.integers(30, 50)), "g"), "D_grey": D, "rho": rho, "L": L, "peak": pick(0.6, 0.95, 3),
             "r0": float(f"{unit * rng.uniform(3, 6):.4g}"), "t_end": T, "t_from": start, "level": level}
    if i % 2:
        input["u0"] = "ramp"
    read = [lambda x, v, s: (crossing(x, s[1], level) - crossing(x, s[0], level)) / (T - start),
            lambda x, v, s: np.pi * crossing(x, s[1], 0.16) ** 2, lambda x, v, s: float(v @ s[1]) * 1e8][i % 3]
    coarse, fine = (read(*cylinder(input, N, [start, T])) for N in (600, 1200))
    add("a disc on a map, " + ["speed", "T2 area", "cells"][i % 3], input, fine + (fine - coarse) / 3, LINES,
        [None, "area_t2_end", "cells_end"][i % 3], abs(fine - coarse) / 12)


def drawn(n):
    """Tissue within a wobbly outline, with a core of white matter and a hole."""
    phase, wave, lobes = rng.uniform(0, 6), rng.uniform(0.05, 0.2), int(rng.integers(2, 5))
    hole, core = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.4, 0.7)
    rows = []
    for j in range(n):
        row = ""
        for i in range(n):
            x, y = (2 * i + 1) / n - 1, (2 * j + 1) / n - 1
            r, angle = np.hypot(x, y), np.arctan2(y, x)
            edge = (0.98 - wave) * (1 + wave * np.cos(lobes * angle + phase))
            inside = r < edge and np.hypot(x - hole[0], y - hole[1]) > 0.2
            row += "." if not inside else "w" if r < core * edge else "g"
        rows.append(row)
    return rows


def plane(input, side, steps):
    rows = input["map"].split("\n")[::-1]
    D = np.array([[{"w": input["D_white"], "g": input["D_grey"], ".": 0.0}[c] for c in row] for row in rows])
    D = np.kron(D, np.ones((side, side)))
    h = input["L"] / D.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = lambda a, b: np.where((a > 0) & (b > 0), 2 * a * b / (a + b), 0) / h**2
        gx, gy = mean(D[:, 1:], D[:, :-1]), mean(D[1:], D[:-1])
    y, x = np.mgrid[: D.shape[0], : D.shape[1]]
    q = (np.arange(4) + 0.5) / 4
    u = np.mean([profile(input)(np.hypot((x + a) * h - input["x0"], (y + b) * h - input["y0"])) for a in q for b in q], 0)
    u = np.where(D > 0, u, 0)

    def f(t, u):
        u = u.reshape(D.shape)
        fx, fy = gx * np.diff(u, axis=1), gy * np.diff(u, axis=0)
        d = input["rho"] * u * (1 - u)
        d[:, :-1] += fx
        d[:, 1:] -= fx
        d[:-1] += fy
        d[1:] -= fy
        return d.ravel()

    now, states = 0.0, []
    for to in steps:
        u = solve_ivp(f, (now, to), u.ravel(), method="RK45", rtol=1e-7, atol=1e-10).y[:, -1].reshape(D.shape)
        now = to
        states.append(u)
    return D > 0, h, states


def area(inside, h, u, level):
    """Where u >= level: lengths of rows between linear crossings, mean of both axes."""
    def along(inside, u):
        total = 0.0
        for row, has in zip(u, inside):
            for k in range(len(row)):
                if not has[k]:
                    continue
                for m in (k - 1, k + 1):
                    other = row[m] if 0 <= m < len(row) and has[m] else row[k]
                    # The half of cell k towards m, u linear between the centres.
                    a, b = row[k] - level, 0.5 * (row[k] + other) - level
                    total += 0.5 * (1.0 if a >= 0 and b >= 0 else 0.0 if a < 0 and b < 0 else max(a, b) / abs(a - b))
        return total * h * h
    return 0.5 * (along(inside, u) + along(inside.T, u.T))


for i in range(12):
    n = int(rng.integers(11, 16))
    while True:
        rows = drawn(n)
        center = rng.uniform(0.35, 0.65, 2)
        if rows[n - 1 - int(center[1] * n)][int(center[0] * n)] != ".":
            break
    L = pick(8, 14, 3)
    D = pick(2e-3, 6e-3, 3)
    rho = pick(0.01, 0.02)
    T = float(f"{rng.uniform(3, 6) / rho:.4g}")
    input = {"map": "\n".join(rows), "L": L, "D_grey": D, "D_white": float(f"{D * rng.uniform(1.5, 5):.3g}"), "rho": rho,
             "r0": float(f"{L * rng.uniform(0.1, 0.15):.4g}"), "x0": float(f"{center[0] * L:.5g}"),
             "y0": float(f"{center[1] * L:.5g}"), "t_end": T, "t_from": float(f"{T * 0.6:.4g}"),
             "level": pick(0.2, 0.4, 2)}
    # An area across steps of the outline is no smooth number of the grid: its accuracy is the whole change.
    isArea = i % 2 == 1
    read = [lambda inside, h, s: s[1].sum() * h * h * 1e8, lambda inside, h, s: area(inside, h, s[1], 0.16)][isArea]
    coarse, fine = (read(*plane(input, side, [input["t_from"], T])) for side in (4, 8))
    add("drawn tissue, " + ["cells", "T2 area"][isArea], input, fine + (fine - coarse) / 3,
        "the method of lines in two dimensions with RK45, extrapolated", ["cells_end", "area_t2_end"][isArea],
        abs(fine - coarse) / (1 if isArea else 4))

print(json.dumps({"provenance": "Computed outside of this project by test/coverage/tumor.py with numpy and scipy: "
                  "Ablowitz and Zeppetella's wave, Gaussians, and the method of lines with LSODA and RK45.", "cases": cases},
                 indent=2))
