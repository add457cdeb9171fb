# Outside truth of climate that no constant of its ± was chosen on: other regimes and another seed than climate.py.
#
#   python3 test/coverage/climate-validation.py [seed] > test/coverage/climate-validation.json
#
# Three sets were looked at while the method was mended, and count as seen: seeds 20261124 (at first 110 of 113 answers
# covered), 3141 (116 of 118) and 2718 (122 of 124). The stored one was drawn once after the last change: 123 of 124.
#
# Riemann problems with velocities on both sides, drying middles among them, and bores that leave a wall (Toro 2001); dams on
# a slope, which are dams on a flat bed seen from a frame that falls; simple waves before they break, from their
# characteristics; Thacker's paraboloid, round and with a plane surface (SWASHES 4.2.2); Kelvin waves in a channel; standing
# waves on few cells; the fronts of dams, gauges, and flow that friction slows.
import json
import random
import sys

import numpy as np

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 161803)
cases = []


def add(name, input, truth, source, accuracy=0.0, of=None, slow=False):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if of:
        case["of"] = of
    if slow:
        case["isSlow"] = True
    cases.append({**case, "truth": float(truth), "accuracy": float(accuracy), "source": source})


def digits(value, count=4):
    return float(f"{value:.{count}g}")


def pick(low, high, count=4):
    return digits(random.uniform(low, high), count)


def log_pick(low, high, count=3):
    return digits(np.exp(random.uniform(np.log(low), np.log(high))), count)


def riemann(hl, ul, hr, ur, g):
    """Depth as a function of x/t, and the speeds of the outermost waves."""
    cl, cr = np.sqrt(g * hl), np.sqrt(g * hr)
    if hr == 0:
        fan = lambda s: hl if s <= ul - cl else 0.0 if s >= ul + 2 * cl else ((ul + 2 * cl - s) / 3) ** 2 / g
        return fan, ul - cl, ul + 2 * cl
    if ur - ul >= 2 * (cl + cr):

        def dried(s):
            if s <= ul - cl:
                return hl
            if s < ul + 2 * cl:
                return ((ul + 2 * cl - s) / 3) ** 2 / g
            if s <= ur - 2 * cr:
                return 0.0
            return ((s - ur + 2 * cr) / 3) ** 2 / g if s < ur + cr else hr

        return dried, ul - cl, ur + cr

    def side(h, k, c):
        return 2 * (np.sqrt(g * h) - c) if h <= k else (h - k) * np.sqrt(g / 2 * (1 / h + 1 / k))

    low, high = 0.0, 10 * max(hl, hr) + (abs(ul) + abs(ur)) ** 2 / g * 10
    for _ in range(300):
        m = 0.5 * (low + high)
        if side(m, hl, cl) + side(m, hr, cr) + ur - ul > 0:
            high = m
        else:
            low = m
    m = 0.5 * (low + high)
    u = 0.5 * (ul + ur) + 0.5 * (side(m, hr, cr) - side(m, hl, cl))
    cm = np.sqrt(g * m)
    left = ul - cl * np.sqrt(0.5 * (m + hl) * m) / hl if m > hl else ul - cl
    right = ur + cr * np.sqrt(0.5 * (m + hr) * m) / hr if m > hr else ur + cr

    def depth(s):
        if s <= left:
            return hl
        if s >= right:
            return hr
        if m <= hl and s < u - cm:
            return ((ul + 2 * cl - s) / 3) ** 2 / g
        if m <= hr and s > u + cm:
            return ((s - ur + 2 * cr) / 3) ** 2 / g
        return m

    return depth, left, right


SCHEMES = ["rusanov", "rusanov", "rusanov", "lax-friedrichs", "hll"]


def common(input, low=64, high=1500):
    input["nx"] = int(log_pick(low, high, 6))
    scheme = random.choice(SCHEMES)
    if scheme != "rusanov":
        input["scheme"] = scheme
    if random.random() < 0.6:
        input["courant"] = pick(0.2, 1)
    return input


for i in range(36):
    g = random.choice([9.81, 9.81, log_pick(0.01, 100)])
    hl = log_pick(1e-3, 1000)
    hr = hl if i % 3 == 0 else digits(hl * np.exp(random.uniform(-5, 3)))
    c = np.sqrt(g * max(hl, hr))
    ul, ur = pick(-1.6, 1.6) * c, pick(-1.6, 1.6) * c
    ul, ur = digits(ul), digits(ur)
    if i % 9 == 0:
        # Drawn apart until the bed between falls dry.
        ul, ur = digits(-2.4 * c), digits(2.2 * c)
    lx = log_pick(0.1, 1e5)
    x0 = digits(lx * random.uniform(0.35, 0.65))
    depth, left, right = riemann(hl, ul, hr, ur, g)
    limit = min(x0 / -left if left < 0 else np.inf, (lx - x0) / right if right > 0 else np.inf)
    t = digits(limit * random.uniform(0.3, 0.95))
    x = digits(random.uniform(max(0, x0 + 1.2 * left * t), min(lx, x0 + 1.2 * right * t)), 6)
    if not 0 <= x <= lx:
        x = digits(lx * random.random(), 6)
    input = common({"lx": lx, "g": g, "t_end": t, "depth": hl, "probe_x": x, "boundary": "open"})
    input["level"] = f"x < {x0} ? {hl} : {hr}"
    input["u"] = f"x < {x0} ? {ul} : {ur}"
    add("a Riemann problem", input, depth((x - x0) / t), "exact solution of the Riemann problem (Toro 2001)")

for i in range(8):
    g, h, lx = 9.81, log_pick(0.01, 50), log_pick(1, 1e4)
    u = digits(np.sqrt(g * h) * random.uniform(0.1, 1.5))
    depth, _, right = riemann(h, u, h, -u, g)
    t = digits(lx / right * random.uniform(0.3, 0.9))
    x = digits(random.uniform(0, min(lx, 1.4 * right * t)), 6)
    input = common({"lx": lx, "g": g, "t_end": t, "initial": "lake", "depth": h, "u": f"-{u}", "probe_x": x})
    input.update(left="wall", right="open")
    add("a bore that leaves a wall", input, depth(x / t), "exact solution of the Riemann problem of the mirror image")

for i in range(12):
    g, hl, lx = 9.81, log_pick(0.05, 20), log_pick(5, 2000)
    hr = 0.0 if i % 3 == 0 else digits(hl * random.uniform(0.05, 0.8))
    slope = digits(random.choice([-1, 1]) * np.exp(random.uniform(np.log(1e-3), np.log(0.1))))
    depth, left, right = riemann(hl, 0.0, hr, 0.0, g)
    x0 = digits(0.5 * lx)
    t = 0.12 * lx / max(-left, right) * random.uniform(0.5, 1)
    t = digits(min(t, np.sqrt(0.1 * lx / (g * abs(slope)))))
    moved = -0.5 * g * slope * t * t
    x = digits(random.uniform(x0 + moved + 1.2 * left * t, x0 + moved + 1.2 * right * t), 6)
    bed = f"{slope}*x"
    input = common({"lx": lx, "t_end": t, "depth": hl, "probe_x": x, "boundary": "open", "bed": bed})
    input["level"] = f"{bed} + (x < {x0} ? {hl} : {hr})"
    add("a dam on a slope", input, depth((x - moved - x0) / t), "dam break in a frame that falls down the slope")

for i in range(14):
    g, H = random.choice([9.81, 1.0]), log_pick(0.01, 1000)
    lx = digits(H * log_pick(5, 5000))
    A = log_pick(0.005, 0.3)
    c0, k = np.sqrt(g * H), 2 * np.pi / lx
    xi = np.linspace(0, lx, 200001)
    speed = 3 * np.sqrt(g * H * (1 + A * np.cos(k * xi))) - 2 * c0
    breaking = -1 / np.min(np.gradient(speed, xi))
    t = digits(min(breaking * random.uniform(0.1, 0.9), 3 * lx / c0))
    x = digits(lx * random.random(), 6)
    own = lambda s: 3 * np.sqrt(g * H * (1 + A * np.cos(k * s))) - 2 * c0
    low, high = x - 5 * c0 * t - lx, x + lx
    for _ in range(200):
        m = 0.5 * (low + high)
        if m + own(m) * t < x:
            low = m
        else:
            high = m
    level = f"{H}*(1 + {A}*cos(2*pi*x/{lx}))"
    input = common({"lx": lx, "g": g, "t_end": t, "boundary": "periodic", "depth": H, "probe_x": x}, 100, 1200)
    input.update(level=level, u=f"2*(sqrt({g}*{level}) - {repr(float(c0))})")
    truth = H * (1 + A * np.cos(k * 0.5 * (low + high)))
    add("a simple wave", input, truth, "characteristics of a simple wave before it breaks", 1e-9 * H)

for i in range(14):
    g, h0, a = 9.81, log_pick(0.05, 10), log_pick(0.5, 100)
    lx = digits(a * random.uniform(3.2, 4.2))
    r2 = f"((x-{lx}/2)^2 + (y-{lx}/2)^2)"
    bed = f"{h0}*({r2}/{a}^2 - 1)"
    n = random.randint(48, 88)
    x, y = (digits(lx / 2 + a * random.uniform(-0.7, 0.7), 5) for _ in range(2))
    input = {"dim": 2, "nx": n, "ny": n - random.randint(0, 6), "lx": lx, "ly": lx, "bed": bed, "probe_x": x, "probe_y": y}
    dx, dy = x - lx / 2, y - lx / 2
    if i % 2:
        eta = digits(a * random.uniform(0.1, 0.5))
        omega = np.sqrt(2 * g * h0) / a
        t = digits(2 * np.pi / omega * random.uniform(0.05, 0.4))
        input.update(level=f"{eta}*{h0}/{a}^2*(2*(x-{lx}/2) - {eta})", v=f"{repr(float(eta * omega))}", t_end=t)
        surface = eta * h0 / a**2 * (2 * dx * np.cos(omega * t) + 2 * dy * np.sin(omega * t) - eta)
    else:
        A = pick(0.05, 0.5)
        omega = np.sqrt(8 * g * h0) / a
        t = digits(2 * np.pi / omega * random.uniform(0.05, 0.6))
        form = lambda q: (np.sqrt(1 - A * A) / q - 1, (1 - A * A) / q**2 - 1)
        p, s = form(1 - A)
        input.update(level=f"{h0}*({repr(float(p))} - {r2}/{a}^2*{repr(float(s))})", t_end=t)
        p, s = form(1 - A * np.cos(omega * t))
        surface = h0 * (p - (dx**2 + dy**2) / a**2 * s)
    truth = max(0.0, surface - h0 * ((dx**2 + dy**2) / a**2 - 1))
    if random.random() < 0.4:
        input["scheme"] = "hll"
    add("a paraboloid", input, truth, "Thacker's basins in a plane in closed form", slow=i % 3 != 0)

for i in range(8):
    g, H = 9.81, log_pick(1, 4000)
    c = np.sqrt(g * H)
    lx = digits(H * log_pick(50, 2000))
    ly = digits(lx * random.uniform(0.4, 1.2))
    f, A = digits(c / ly * random.uniform(0.3, 2)), digits(1e-4 * H)
    k = 2 * np.pi / lx
    t = digits(lx / c * random.uniform(0.05, 0.7))
    x, y = digits(lx * random.random(), 5), digits(ly * random.random(), 5)
    shape = f"{A}*cos(2*pi*x/{lx})*exp(-{repr(float(f / c))}*y)"
    input = {"dim": 2, "nx": random.randint(40, 64), "ny": random.randint(30, 48), "lx": lx, "ly": ly, "f": f, "t_end": t}
    input.update(left="periodic", right="periodic", depth=H, level=f"{H} + {shape}", u=f"{repr(float(g / c))}*{shape}")
    input.update(probe_x=x, probe_y=y)
    truth = H + A * np.cos(k * (x - c * t)) * np.exp(-f / c * y)
    add("a Kelvin wave", input, truth, "linear Kelvin wave in closed form", 20 * A * A / H, slow=i % 2 == 1)

for i in range(14):
    g, H = log_pick(0.05, 50), log_pick(1e-3, 5000)
    lx = digits(H * log_pick(10, 5000))
    n, m = random.randint(1, 3), random.randint(1, 3)
    A = digits(1e-4 * H)
    k, l = n * np.pi / lx, m * np.pi / lx
    x = digits(lx * random.random(), 5)
    input = {"lx": lx, "g": g, "probe_x": x, "depth": H}
    wave, value, rate = f"cos({n}*pi*x/{lx})", np.cos(k * x), np.sqrt(g * H) * k
    if i % 3 == 2:
        y = digits(lx * random.random(), 5)
        input.update(dim=2, nx=random.randint(24, 80), ny=random.randint(24, 60), ly=lx, probe_y=y)
        wave, value, rate = f"{wave}*cos({m}*pi*y/{lx})", value * np.cos(l * y), np.sqrt(g * H * (k * k + l * l))
    else:
        common(input, 32, 400)
    t = digits(2 * np.pi / rate * random.uniform(0.1, 1.5))
    input.update(level=f"{H} + {A}*{wave}", t_end=t)
    add("a standing wave", input, H + A * value * np.cos(rate * t), "linear standing wave in closed form", 20 * A * A / H)

for i in range(16):
    g, hl, lx = 9.81, log_pick(0.01, 100), log_pick(1, 5000)
    hr = 0.0 if i % 3 == 0 else digits(hl * random.uniform(0.01, 0.9))
    depth, left, right = riemann(hl, 0.0, hr, 0.0, g)
    x0 = digits(lx * random.uniform(0.4, 0.6))
    t = digits(min(-x0 / left, (lx - x0) / right) * random.uniform(0.3, 0.9))
    input = common({"lx": lx, "t_end": t, "depth": hl, "h_right": hr, "x0": x0})
    if i % 4 == 3:
        x = digits(lx * random.uniform(0.05, 0.95), 5)
        input.update(gauges=[[x, 0]], probe_x=x0)
        add("a gauge", input, depth((x - x0) / t), "exact solution of the dam break", of="gauge_1_end")
        continue
    # Of a dry front: where Ritter's depth is a hundredth of the dam's.
    speed = 2 * np.sqrt(g * hl) - 3 * np.sqrt(0.01 * g * hl) if hr == 0 else right
    add("a front", input, x0 + speed * t, "exact solution of the dam break", of="front")

for i in range(6):
    h, u, n = log_pick(0.05, 20), log_pick(0.1, 5), log_pick(0.01, 0.1)
    t = log_pick(1, 200)
    lx = digits((u + np.sqrt(9.81 * h)) * t * random.uniform(0.2, 2))
    input = common({"lx": lx, "t_end": t, "initial": "lake", "depth": h, "u": f"{u}", "manning": n, "boundary": "periodic"})
    input.update(probe_x=digits(lx / 3))
    truth = u / (1 + 9.81 * n * n * u * t / h ** (4 / 3))
    add("flow that friction slows", input, truth, "u' = -g n^2 u^2/h^(4/3) in closed form", of="speed_max", accuracy=1e-9 * u)

print(json.dumps({"cases": cases}, indent=1))
