# Outside truth of flow: decaying waves in closed form, series between plates, and steady cavities by FreeFem++.
#
#   python3 test/coverage/flow.py cavities.txt > test/coverage/flow.json
#
# cavities.txt holds the lines RESULT of flow.edp on 28 and 42 elements a side for each Reynolds number. Both have errors of
# order 2 in the elements (the lid's corners on a mesh graded like a cosine), so the truth is extrapolated; a tenth of the
# change to it is stated as its accuracy. At Re = 100 this gives Botella & Peyret's -0.2140424 as -0.21401.
import json
import math
import random
import sys

import mpmath as mp

random.seed(7)
cases = []


def add(name, input, truth, source, accuracy=0.0, of=None):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if of:
        case["of"] = of
    case.update(truth=float(truth), accuracy=float(accuracy), source=source)
    cases.append(case)


def pick(low, high, digits=4):
    return float(f"{random.uniform(low, high):.{digits}g}")


def log_pick(low, high, digits=3):
    return float(f"{math.exp(random.uniform(math.log(low), math.log(high))):.{digits}g}")


for n in range(52):
    kx, ky = random.choice([(1, 1), (1, 1), (2, 1), (1, 2), (2, 2)])
    size, speed = log_pick(1e-2, 1e2), log_pick(1e-2, 1e2)
    windy = n % 2
    mean_u = pick(-1.5, 1.5) * speed * windy
    mean_v = pick(-1.5, 1.5) * speed * windy
    cells = random.randint(16, 30) * max(kx, ky)
    wave = 2 * math.pi * max(kx, ky) / size
    fastest = speed * max(1, kx / ky) + max(abs(mean_u), abs(mean_v))
    turns = pick(0.2, 3)
    end = turns / (wave * fastest)
    steps = max(10, math.ceil(turns * random.uniform(14, 30)))
    dt = float(f"{end / steps:.4g}")
    end = steps * dt
    visc = log_pick(1e-3, 0.3) * fastest / wave
    visc = float(f"{visc:.3g}")
    scheme = ["cubic", "cubic", "maccormack", "cubic", "linear"][n % 5]
    px, py = pick(0, size), pick(0, size)
    px, py = min(px, size), min(py, size)
    input = {
        "case": "taylor-green", "N": cells, "steps": steps, "dt": dt, "visc": visc, "scheme": scheme, "size": size,
        "speed": speed, "kx": kx, "ky": ky, "mean_u": float(f"{mean_u:.4g}"), "mean_v": float(f"{mean_v:.4g}"),
        "probe_x": px, "probe_y": py,
    }
    p, q = 2 * mp.pi * kx / size, 2 * mp.pi * ky / size
    decay = mp.exp(-visc * (p * p + q * q) * end)
    x, y = px - input["mean_u"] * end, py - input["mean_v"] * end
    source = "closed form of Taylor & Green's waves in a wind"
    kind = n % 3
    if kind == 0:
        add("waves, u", input, input["mean_u"] + speed * decay * mp.sin(p * x) * mp.cos(q * y), source)
    elif kind == 1:
        v = input["mean_v"] - speed * mp.mpf(kx) / ky * decay * mp.cos(p * x) * mp.sin(q * y)
        add("waves, v", input, v, source, of="probe_v")
    else:
        e = speed**2 * decay**2 * (1 + (mp.mpf(kx) / ky) ** 2) / 8 + (input["mean_u"] ** 2 + input["mean_v"] ** 2) / 2
        add("waves, energy", input, e, source, of="kinetic_energy")


def plates(speed, force, visc, size, y, t):
    y = mp.mpf(y) / size
    drive = mp.mpf(force) * size**2 / visc
    total = speed * y + drive * y * (1 - y) / 2
    for n in range(1, 400):
        a = n * mp.pi
        total += ((-1) ** n * 2 * speed / a - (0 if n % 2 == 0 else 4 * drive / a**3)) * mp.sin(a * y) * mp.exp(
            -mp.mpf(visc) * a * a * t / mp.mpf(size) ** 2)
    return total


for n in range(34):
    size, speed = log_pick(1e-3, 1e2), log_pick(1e-3, 1e2)
    cells, steps = random.randint(14, 48), random.randint(24, 100)
    relative = log_pick(0.02, 1.5)
    # The Courant number is below 20: the fluid must not pass too many cells a step.
    reynolds = log_pick(0.1, 0.2 * steps * 20 / cells / relative + 0.2)
    visc = float(f"{speed * size / reynolds:.4g}")
    force = float(f"{random.choice([0, 1, -1, 0.3]) * 4 * visc * speed / size**2:.4g}")
    dt = float(f"{relative * size**2 / visc / steps:.4g}")
    y = min(pick(0, size), size)
    input = {"case": "plates", "N": cells, "steps": steps, "dt": dt, "visc": visc, "size": size, "speed": speed,
             "force": force, "probe_y": y}
    add("plates", input, plates(speed, force, visc, size, y, mp.mpf(steps) * mp.mpf(dt)), "series of the modes between plates")

PLACES = [(0.5, 0.5), (0.25, 0.7), (0.7, 0.35), (0.31, 0.47), (0.62, 0.81), (0.83, 0.66)]
rows = {}
for line in open(sys.argv[1]):
    words = line.split()
    rows[(float(words[1]), int(words[2]))] = [float(word) for word in words[3:]]
source = "FreeFem++ P2-P1 with Newton's method, extrapolated from two graded meshes"
for n, reynolds in enumerate(sorted({key[0] for key in rows if (key[0], 42) in rows and (key[0], 28) in rows})):
    low, high = rows[(reynolds, 28)], rows[(reynolds, 42)]
    truth = [b + (b - a) * 0.8 for a, b in zip(low, high)]
    accuracy = [abs(b - a) * 0.08 + 1e-5 for a, b in zip(low, high)]
    for m in range(4):
        size, speed = log_pick(1e-3, 1e3), log_pick(1e-3, 1e3)
        cells = random.randint(22, 40)
        times = 25 if reynolds <= 120 else 60
        courant = random.uniform(1.2, 3.2)
        steps = math.ceil(times * cells / courant)
        dt = float(f"{times * size / speed / steps:.4g}")
        input = {"case": "cavity", "N": cells, "steps": steps, "dt": dt, "visc": float(f"{speed * size / reynolds:.12g}"),
                 "size": size, "speed": speed}
        if m == 0:
            add(f"cavity, u_min, Re {reynolds:g}", input, truth[0] * speed, source, accuracy[0] * speed)
        elif m == 1:
            name, k = [("v_max", 1), ("v_min", 2)][n % 2]
            add(f"cavity, {name}, Re {reynolds:g}", input, truth[k] * speed, source, accuracy[k] * speed, of=name)
        else:
            k = random.randrange(6)
            input["probe_x"], input["probe_y"] = float(f"{PLACES[k][0] * size:.12g}"), float(f"{PLACES[k][1] * size:.12g}")
            part = m - 2
            add(f"cavity, {'uv'[part]}, Re {reynolds:g}", input, truth[3 + 2 * k + part] * speed, source,
                accuracy[3 + 2 * k + part] * speed, of="probe_v" if part else None)

print(json.dumps({"cases": cases}, indent=2))
