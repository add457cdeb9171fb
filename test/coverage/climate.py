# Outside truth of climate in closed form: breaking dams (Stoker, Ritter), basins of Thacker's, and small standing waves.
#
#   python3 test/coverage/climate.py > test/coverage/climate.json
#
# Dams: the middle depth by bisection of the two wave curves. Basins: h = h0 (1 - ((x - l/2)/a + B cos(w t)/sqrt(2 g h0))^2)
# over b = h0 ((x - l/2)^2/a^2 - 1), w^2 = 2 g h0/a^2 (Thacker 1981; SWASHES 4.2.1). Standing waves are linear: what they
# leave out is of second order in the height, and stated as the accuracy. With rotation w^2 = f^2 + g H k^2.
import json
import random

import numpy as np

random.seed(11)
cases = []


def add(name, input, truth, source, accuracy=0.0):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if input.get("dim") == 2 and len(cases) % 2:
        case["isSlow"] = True
    cases.append({**case, "truth": float(truth), "accuracy": float(accuracy), "source": source})


def pick(low, high, digits=4):
    return float(f"{random.uniform(low, high):.{digits}g}")


def log_pick(low, high, digits=3):
    return float(f"{np.exp(random.uniform(np.log(low), np.log(high))):.{digits}g}")


def dam(hl, hr, g):
    cl = np.sqrt(g * hl)
    if hr == 0:
        return 0.0, 2 * cl, 2 * cl
    a, b = hr, hl
    for _ in range(300):
        m = 0.5 * (a + b)
        u = (m - hr) * np.sqrt(g / 2 * (1 / m + 1 / hr))
        if 2 * (cl - np.sqrt(g * m)) > u:
            a = m
        else:
            b = m
    u = 2 * (cl - np.sqrt(g * m))
    return m, u, m * u / (m - hr)


def dam_depth(x, t, hl, hr, g):
    m, u, s = dam(hl, hr, g)
    c = np.sqrt(g * hl)
    xi = x / t
    if xi <= -c:
        return hl
    if xi >= s:
        return hr
    if xi >= u - np.sqrt(g * m):
        return m
    return (2 * c - xi) ** 2 / (9 * g)


for i in range(62):
    g = random.choice([9.81, 9.81, 1.0, 3.71, pick(0.5, 20)])
    hl = log_pick(0.01, 100)
    hr = 0.0 if i % 4 == 0 else float(f"{hl * random.uniform(0.02, 0.9):.4g}")
    lx = log_pick(1, 5000)
    x0 = float(f"{lx * random.uniform(0.4, 0.6):.4g}")
    _, _, s = dam(hl, hr, g)
    most = min(x0 / np.sqrt(g * hl), (lx - x0) / s)
    t = float(f"{most * random.uniform(0.3, 0.95):.4g}")
    x = float(f"{lx * random.uniform(0.05, 0.95):.5g}")
    input = {"lx": lx, "g": g, "t_end": t, "nx": random.randint(300, 900)}
    scheme = random.choice(["rusanov", "rusanov", "lax-friedrichs", "hll"])
    if scheme != "rusanov":
        input["scheme"] = scheme
    if i % 5 == 3:
        # The dam as an expression, turned round: no closed form is known to the solver.
        input.update(level=f"x < {lx} - {x0} ? {hr} : {hl}", depth=hl, probe_x=float(f"{lx - x:.6g}"))
        truth = dam_depth(lx - input["probe_x"] - x0, t, hl, hr, g)
    else:
        input.update(depth=hl, h_right=hr, x0=x0, probe_x=x)
        truth = dam_depth(x - x0, t, hl, hr, g)
    input["courant"] = pick(0.5, 1)
    add("a dam", input, truth, "exact solution of the Riemann problem")

for i in range(20):
    g = 9.81
    h0, a = log_pick(0.1, 5), pick(0.8, 3)
    lx = 4.0 * a if i % 2 else 5.0 * a
    omega = np.sqrt(2 * g * h0) / a
    # sqrt(2 g h0) times the shift in units of a.
    shift = pick(0.05, 0.4)
    t = float(f"{2 * np.pi / omega * random.uniform(0.05, 0.5):.4g}")
    x = float(f"{lx / 2 + a * random.uniform(-0.8, 0.8):.5g}")
    bed = f"{h0}*((x-{lx}/2)^2/{a}^2 - 1)"
    surface = f"{bed} + {h0}*(1-((x-{lx}/2)/{a} + {shift})^2)"
    # The level above the bed where it is wet, below it elsewhere.
    input = {"lx": lx, "level": surface, "bed": bed, "t_end": t, "nx": random.randint(400, 800), "probe_x": x}
    truth = max(0.0, h0 * (1 - ((x - lx / 2) / a + shift * np.cos(omega * t)) ** 2))
    add("a basin", input, truth, "Thacker's plane surface in a parabolic basin")

for i in range(40):
    plane = i % 4 == 3
    g, H = random.choice([9.81, 1.0]), log_pick(0.1, 4000)
    lx = float(f"{H * log_pick(20, 2000):.4g}")
    k = np.pi / lx
    n = random.choice([1, 1, 2])
    A = float(f"{1e-4 * H:.4g}")
    omega = np.sqrt(g * H) * n * k
    t = float(f"{2 * np.pi / omega * random.uniform(0.1, 0.8):.4g}")
    x = float(f"{lx * random.uniform(0.02, 0.98):.5g}")
    input = {"lx": lx, "g": g, "t_end": t, "probe_x": x, "nx": random.randint(200, 400)}
    wave = f"cos({n}*pi*x/{lx})"
    value = np.cos(n * k * x)
    rate = omega
    if plane:
        input.update(dim=2, nx=random.randint(40, 56), ny=random.randint(24, 40), ly=lx, probe_y=float(f"{lx * random.random():.5g}"))
        wave += f"*cos(pi*y/{lx})"
        value *= np.cos(k * input["probe_y"])
        rate = np.sqrt(g * H * ((n * k) ** 2 + k**2))
    elif i % 4 == 1:
        # Periodic, with rotation: a + (1 - a) cos(w t), a the part that balance keeps.
        f = float(f"{omega * random.uniform(0.2, 1):.4g}")
        wave, value = f"cos(2*pi*x/{lx})", np.cos(2 * k * x)
        rate = np.sqrt(f**2 + g * H * (2 * k) ** 2)
        input.update(f=f, boundary="periodic")
        kept = f**2 / rate**2
        value *= (kept + (1 - kept) * np.cos(rate * t)) / np.cos(rate * t)
    input["level"] = f"{H} + {A}*{wave}"
    input["depth"] = float(f"{H:.4g}")
    add("a small standing wave", input, H + A * value * np.cos(rate * t), "linear standing wave in closed form", 20 * A * A / H)

print(json.dumps({"cases": cases}, indent=1))
