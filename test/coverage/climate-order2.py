# Outside truth of climate at order 2 (`limiter`): Stoker, Ritter, Thacker's basins, Riemann problems, simple and standing waves
# with the truths of climate.json and climate-validation.json on other cells, and waves that climb a plane beach (Carrier and
# Greenspan), which neither has.
#
#   python3 test/coverage/climate-order2.py [seed] > test/coverage/climate-order2.json
#
# Carrier and Greenspan, J. Fluid Mech. 4 (1958) 97: lengths over l, heights over s l, times over sqrt(l/(s g)), x inland from
# the shore at rest: phi = A J0(sigma) cos(lambda), v = phi_sigma/sigma, eta = phi_lambda/4 - v^2/2, x = eta - sigma^2/16,
# t = lambda/2 - v. At lambda = pi/2 everything is at rest; that level is the state at the start, as a polynomial in x fitted
# to 1e-9. A signal crosses sigma as fast as lambda passes, so that the wall far from the shore is not felt by the end.
import json
import random
import sys
from pathlib import Path

import numpy as np
from numpy.polynomial import chebyshev, polynomial
from scipy.optimize import brentq, fsolve
from scipy.special import j0, j1

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 577215)
folder = Path(__file__).parent
cases = []


def digits(value, count=4):
    return float(f"{value:.{count}g}")


def add(name, input, truth, source, accuracy=0.0, of=None, slow=False):
    case = {"name": f"{len(cases) + 1} {name}", "input": input}
    if of:
        case["of"] = of
    if slow:
        case["isSlow"] = True
    cases.append({**case, "truth": float(truth), "accuracy": float(accuracy), "source": source})


def limiter():
    return random.choice(["van-leer", "minmod"])


def of_set(name, words, count):
    stored = json.loads((folder / f"{name}.json").read_text())["cases"]
    chosen = [one for one in stored if one["name"].split(" ", 1)[1] in words]
    for one in random.sample(chosen, min(count, len(chosen))):
        input = {key: value for key, value in one["input"].items() if key not in ("nx", "scheme", "courant")}
        input["limiter"] = limiter()
        input["nx"] = random.randint(36, 64) if input.get("dim") == 2 else random.randint(120, 420)
        if random.random() < 0.4:
            input["scheme"] = "hll"
        if random.random() < 0.5:
            input["courant"] = digits(random.uniform(0.5, 1))
        add(one["name"].split(" ", 1)[1], input, one["truth"], one["source"], one.get("accuracy", 0), one.get("of"), input.get("dim") == 2)


of_set("climate", ["a dam"], 34)
of_set("climate", ["a basin"], 16)
of_set("climate", ["a small standing wave"], 16)
of_set("climate-validation", ["a Riemann problem"], 10)
of_set("climate-validation", ["a simple wave"], 10)
of_set("climate-validation", ["a paraboloid"], 6)
of_set("climate-validation", ["a Kelvin wave"], 4)


def state(A, sigma, lam):
    v = -A * (j1(sigma) / sigma if sigma > 0 else 0.5) * np.cos(lam)
    eta = -A * j0(sigma) * np.sin(lam) / 4 - v * v / 2
    return v, eta, eta - sigma**2 / 16


def depth(A, x, t):
    """Depth at a place and a time; 0 on dry land."""

    def off(p):
        v, _, at = state(A, abs(p[0]), p[1])
        return [at - x, p[1] / 2 - v - t]

    shore = lambda lam: lam / 2 - state(A, 0.0, lam)[0] - t
    lam = brentq(shore, 2 * t - 4, 2 * t + 4)
    if x >= state(A, 0.0, lam)[2]:
        return 0.0
    for guess in np.linspace(0.2, 12, 60):
        found, _, ok, _ = fsolve(off, [guess, 2 * t], full_output=True, xtol=1e-13)
        if ok == 1 and max(map(abs, off(found))) < 1e-11:
            return found[0] ** 2 / 16
    raise ValueError("no root")


for i in range(24):
    A = digits(random.uniform(0.1, 0.7))
    s, l = digits(10 ** random.uniform(-2.5, -0.5)), digits(10 ** random.uniform(0, 3))
    passed = random.uniform(0.6, 2.4)
    last = passed + 3
    # In units of l: from the wall to dry land beyond the largest climb, and the level as a polynomial in inland x.
    sigma = np.linspace(0, last + 0.2, 6000)
    eta = -A * j0(sigma) / 4
    inland = eta - sigma**2 / 16
    lx = digits((1 + A) * 0.5 + last**2 / 16)
    start = 0.5 * (1 + A) - lx
    span = (min(start, inland.min()), inland.max())
    scaled = lambda x: (2 * x - span[0] - span[1]) / (span[1] - span[0])
    fit = chebyshev.chebfit(scaled(inland), eta, 15)
    error = np.max(np.abs(chebyshev.chebval(scaled(inland), fit) - eta))
    coefficients = chebyshev.cheb2poly(fit)
    z = f"((x-{repr(float(l * (0.5 * (span[0] + span[1]) - start)))})/{repr(float(0.5 * l * (span[1] - span[0])))})"
    horner = repr(float(coefficients[-1]))
    for c in coefficients[-2::-1]:
        horner = f"({horner})*z{'+' if c >= 0 else '-'}{repr(abs(float(f'{c:.13g}')))}"
    g = 9.81
    probe = digits(l * random.uniform(lx - 0.5 * (1 + A) - 0.5, lx - 0.5 * (1 + A) + 0.1 * A), 5)
    t = digits(0.5 * passed * np.sqrt(l / (s * g)))
    input = {
        **{"lx": digits(l * lx, 8), "g": g, "t_end": t, "nx": random.randint(240, 480), "limiter": limiter()},
        **{"bed": f"{s}*(x-{repr(float(-start * l))})", "depth": digits(-s * start * l), "probe_x": probe},
    }
    # The expression language has no names, so that z is written out in a form that is short: powers by Horner.
    input["level"] = f"{repr(float(s * l))}*({horner.replace('z', z)})"
    if len(input["level"]) > 620:
        # Fewer digits of a lower degree.
        for degree in range(14, 6, -1):
            fit = chebyshev.chebfit(scaled(inland), eta, degree)
            error = np.max(np.abs(chebyshev.chebval(scaled(inland), fit) - eta))
            coefficients = chebyshev.cheb2poly(fit)
            center, half = digits(l * (0.5 * (span[0] + span[1]) - start), 9), digits(0.5 * l * (span[1] - span[0]), 9)
            z = f"((x-{center})/{half})"
            horner = f"{coefficients[-1]:.10g}"
            for c in coefficients[-2::-1]:
                horner = f"({horner})*{z}{'+' if c >= 0 else '-'}{abs(c):.10g}"
            input["level"] = f"{digits(s * l, 10)}*({horner})"
            if len(input["level"]) <= 620:
                break
    truth = s * l * depth(A, probe / l + start, np.pi / 4 + t / np.sqrt(l / (s * g)))
    add("a wave on a beach", input, truth, "Carrier and Greenspan (1958), standing wave on a plane beach", 5 * s * l * error)

print(json.dumps({"cases": cases}, indent=1))
