"""Truth for the Heston cases of test/coverage/quant.json: run after quant.py, in the root of the repository.

The two probabilities of Heston (1993) by mpmath with 30 digits, along the real axis and along its shift by −i, with the
form of the characteristic function of Albrecher et al. (2007). A third of them also solves the Riccati equations with
scipy and compares. Greeks are numerical derivatives of that price, implied volatilities roots of the closed form of Black.
"""
import json
import math
import random

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

mp.mp.dps = 30
random.seed(20261130)
PATH = "test/coverage/quant.json"
whole = json.load(open(PATH))
cases = [case for case in whole["cases"] if not case["name"].startswith("heston")]
first = len(cases)


def digits(x, n=4):
    return float(f"{x:.{n}g}")


def add(name, given, truth, source, of=None):
    case = {"name": name, "input": {**given, "seed": 3000 + len(cases) - first}, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    cases.append(case)


def exponent(u, g):
    """A + B v0 for E exp(i u ln(S_T / F))."""
    v0, kappa, theta, sigma, rho, t = (mp.mpf(g[n]) for n in ("v0", "kappa", "theta", "sigma_v", "rho", "T"))
    beta = kappa - rho * sigma * 1j * u
    d = mp.sqrt(beta**2 + sigma**2 * (u**2 + 1j * u))
    ratio = (beta - d) / (beta + d)
    fall = mp.exp(-d * t)
    a = kappa * theta / sigma**2 * ((beta - d) * t - 2 * mp.log((1 - ratio * fall) / (1 - ratio)))
    return a + v0 * (beta - d) / sigma**2 * (1 - fall) / (1 - ratio * fall)


def by_riccati(u, g):
    v0, kappa, theta, sigma, rho, t = (float(g[n]) for n in ("v0", "kappa", "theta", "sigma_v", "rho", "T"))
    u = complex(u)
    c, beta = -(u * u + 1j * u) / 2, kappa - 1j * rho * sigma * u
    right = lambda _, y: [c - beta * y[0] + sigma**2 * y[0] ** 2 / 2, kappa * theta * y[0]]
    end = solve_ivp(right, (0, t), [0j, 0j], method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    return end[1] + v0 * end[0]


def cut(g, shift):
    u = mp.mpf(1)
    while mp.re(exponent(u + shift, g)) > -70 and u < 1e8:
        u *= mp.mpf(1.3)
    return u


def probability(g, k, shift):
    """P(S_T > K) under the measure of the numéraire that the shift stands for."""
    end = cut(g, shift)
    width = 6 / (abs(k) + 4 * mp.sqrt(spread(g)))
    points = [mp.mpf(0), mp.mpf("0.05")]
    while points[-1] < end:
        points.append(min(end, points[-1] + min(width, points[-1])))
    inner = lambda u: mp.im(mp.exp(1j * u * k + exponent(u + shift, g))) / u if u != 0 else mp.mpf(0)
    return mp.mpf("0.5") + mp.quad(inner, points, maxdegree=5) / mp.pi


def spread(g):
    v0, kappa, theta, t = (mp.mpf(g[n]) for n in ("v0", "kappa", "theta", "T"))
    return theta * t + (v0 - theta) * (1 - mp.exp(-kappa * t)) / kappa


def market(g):
    s, strike, r, q, t = (mp.mpf(g[n]) for n in ("S0", "K", "r", "q", "T"))
    return s * mp.exp((r - q) * t), strike, mp.exp(-r * t), 1 if g["type"] == "call" else -1


def price(g):
    forward, strike, discount, phi = market(g)
    k = mp.log(forward / strike)
    call = forward * probability(g, k, -1j) - strike * probability(g, k, 0)
    return discount * (call if phi > 0 else call - forward + strike)


def digital(g):
    forward, strike, discount, phi = market(g)
    above = probability(g, mp.log(forward / strike), 0)
    return discount * (above if phi > 0 else 1 - above)


def black(g, sigma):
    forward, strike, discount, phi = market(g)
    root = sigma * mp.sqrt(g["T"])
    d = mp.log(forward / strike) / root + root / 2
    return discount * phi * (forward * mp.ncdf(phi * d) - strike * mp.ncdf(phi * (d - root)))


def derivative(g, name, order=1):
    h = mp.mpf(g[name]) * mp.mpf("1e-4")
    at = lambda j: price({**g, name: mp.mpf(g[name]) + j * h})
    if order == 2:
        return (-at(2) + 16 * at(1) - 30 * at(0) + 16 * at(-1) - at(-2)) / (12 * h * h)
    return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * h)


def draw(extreme=False):
    s = digits(10 ** random.uniform(-1, 4))
    t = digits(10 ** random.uniform(-1.5, 1.0 if extreme else 0.4))
    g = {
        "model": "heston", "type": random.choice(["call", "put"]), "S0": s, "T": t,
        "r": digits(random.uniform(-0.02, 0.1)), "q": digits(random.uniform(0.001, 0.06)),
        "v0": digits(10 ** random.uniform(-2.5, -0.6)), "theta": digits(10 ** random.uniform(-2.5, -0.6)),
        "kappa": digits(10 ** random.uniform(-1 if extreme else -0.3, 1.0)),
        "sigma_v": digits(10 ** random.uniform(-2 if extreme else -1, 0.3)),
        "rho": digits(random.uniform(-0.97, 0.9 if extreme else 0.2)),
    }
    far = random.uniform(-2.5, 2.5) if extreme else random.uniform(-1, 1)
    forward = s * math.exp((g["r"] - g["q"]) * t)
    return {**g, "K": digits(forward * math.exp(far * math.sqrt(float(spread(g)))))}


SOURCE = "probabilities of Heston (1993), mpmath 30 digits"
published = {"model": "heston", "type": "call", "S0": 100, "K": 100, "r": 0, "q": 0, "T": 1, "v0": 0.0175,
             "kappa": 1.5768, "theta": 0.0398, "sigma_v": 0.5751, "rho": -0.5711}
print("parameters of Fang and Oosterlee", mp.nstr(price(published), 20), mp.nstr(price({**published, "T": 10}), 20))
print("delta, gamma, vega_v0", *(mp.nstr(derivative(published, n, o), 16) for n, o in (("S0", 1), ("S0", 2), ("v0", 1))))

for i in range(18):
    g = draw(extreme=i % 3 == 2)
    if i % 3 == 0:
        for u in (0.7, 5.0, 20.0 - 1j):
            one, two = complex(exponent(mp.mpmathify(u), g)), by_riccati(u, g)
            assert abs(one - two) < 1e-7 * (1 + abs(one)), (g, u, one, two)
    add(f"heston {i}", g, price(g), SOURCE)
for i in range(6):
    g = draw()
    add(f"heston digital {i}", {**g, "style": "digital"}, digital(g), SOURCE)
GREEKS = [("delta", "S0", 1, 1), ("gamma", "S0", 2, 1), ("vega_v0", "v0", 1, 1), ("rho", "r", 1, 1), ("theta", "T", 1, -1)]
for i, (name, by, order, sign) in enumerate(GREEKS * 2):
    g = draw()
    add(f"heston {name} {i}", g, sign * derivative(g, by, order), f"numerical derivative; {SOURCE}", of=name)
for i in range(4):
    g = draw()
    add(f"heston implied volatility {i}", g, mp.findroot(lambda x: black(g, x) - price(g), mp.sqrt(spread(g) / mp.mpf(g["T"]))),
        "root of Black's price", of="implied_volatility")
for i in range(10):
    g = {**draw(), **[{}, {"sampler": "sobol"}, {"variance": "none"}, {"variance": "antithetic"}, {"style": "digital"}][i % 5]}
    ask = {**g, "model": "heston-paths", "paths": 20000, "time_steps": 16 if i < 5 else 48}
    add(f"heston paths {i}", ask, digital(g) if g.get("style") else price(g), SOURCE)

whole["cases"] = cases
with open(PATH, "w") as out:
    out.write('{\n  "provenance": ' + json.dumps(whole["provenance"]) + ',\n  "cases": [\n')
    out.write(",\n".join("    " + json.dumps(case) for case in cases))
    out.write("\n  ]\n}\n")
print(len(cases) - first)
