"""Truth for test/coverage/quant.json: prices, greeks and implied volatilities by other means than the solver's.

European and digital: mpmath with 30 digits, as the integral of the payoff over the normal density. Barriers watched
always: formulas of Reiner and Rubinstein with mpmath. Asian and barriers on dates: expectations over the joint normal
distribution of two or three dates, by nested integration with numpy and scipy. American: QuantLib (quant-american.cpp).
Run it in the root of the repository to write the file anew, then quant-heston.py, which adds Heston's variance.
"""
import json
import math
import random
import subprocess
import tempfile

import mpmath as mp
import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

mp.mp.dps = 30
random.seed(20261123)
cases = []


def add(name, given, truth, source, of=None, accuracy=0.0, slow=False):
    # A seed of its own for each case: with shared numbers, cases would miss together.
    given = {**given, "seed": 1000 + len(cases)}
    case = {"name": name, "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    if accuracy:
        case["accuracy"] = accuracy
    if slow:
        case["isSlow"] = True
    cases.append(case)


def digits(x, n=4):
    return float(f"{x:.{n}g}")


def integral(payoff, forward, w, kink):
    """E payoff(F exp(sqrt(w) z - w/2)), the integral split at the kink."""
    root = mp.sqrt(w)
    z = (mp.log(mp.mpf(kink) / forward) + w / 2) / root
    points = sorted({mp.mpf(-40), z - 6, z, z + 6, root - 6, root, root + 6, root + 40, mp.mpf(0), mp.mpf(-8), mp.mpf(8)})
    points = [p for p in points if -40 <= p <= root + 40]
    inner = lambda z: payoff(forward * mp.exp(root * z - w / 2)) * mp.npdf(z)
    return mp.quad(inner, points)


def market(g):
    s, k, r, q = (mp.mpf(g.get(n, d)) for n, d in (("S0", 100), ("K", 100), ("r", 0.05), ("q", 0)))
    sigma, t = mp.mpf(g.get("sigma", 0.2)), mp.mpf(g.get("T", 1))
    phi = 1 if g.get("type", "call") == "call" else -1
    return s, k, r, q, sigma, t, phi


def european(g, digital=False):
    s, k, r, q, sigma, t, phi = market(g)
    f, w = s * mp.exp((r - q) * t), sigma**2 * t
    pay = (lambda x: mp.mpf(phi * (x - k) > 0)) if digital else (lambda x: max(mp.mpf(0), phi * (x - k)))
    return mp.exp(-r * t) * integral(pay, f, w, k)


def closed(g, digital=False):
    """The closed form with 30 digits, for derivatives."""
    s, k, r, q, sigma, t, phi = market(g)
    root = sigma * mp.sqrt(t)
    d1 = (mp.log(s / k) + (r - q) * t) / root + root / 2
    d2 = d1 - root
    if digital:
        return mp.exp(-r * t) * mp.ncdf(phi * d2)
    return phi * (s * mp.exp(-q * t) * mp.ncdf(phi * d1) - k * mp.exp(-r * t) * mp.ncdf(phi * d2))


def derivative(g, name, digital=False, order=1):
    base = mp.mpf(g.get(name, {"S0": 100, "sigma": 0.2, "r": 0.05}[name]))
    return mp.diff(lambda x: closed({**g, name: x}, digital), base, order)


def draw(extreme=False):
    """One contract, off every grid; extreme ones are far from the money, long, short or wide."""
    s = digits(10 ** random.uniform(-2, 4))
    t = digits(10 ** random.uniform(-2.5, 1.2 if extreme else 0.7))
    sigma = digits(10 ** random.uniform(-1.5, 0.3 if extreme else -0.1))
    r, q = digits(random.uniform(-0.03, 0.12)), digits(random.uniform(0, 0.08))
    far = random.uniform(-4, 4) if extreme else random.uniform(-1.2, 1.2)
    forward = s * math.exp((r - q) * t)
    k = digits(forward * math.exp(far * sigma * math.sqrt(t)))
    return {"type": random.choice(["call", "put"]), "S0": s, "K": k, "r": r, "q": q, "sigma": sigma, "T": t}


SAMPLING = [{}, {"sampler": "sobol"}, {"variance": "importance"}, {"variance": "antithetic"}, {"variance": "control"}]


def sampled(i):
    return {**SAMPLING[i % len(SAMPLING)], "paths": 20000}


for i in range(24):
    g = draw(extreme=i % 3 == 2)
    ask = sampled(i) if i % 3 != 2 else {"paths": 20000, **({"sampler": "sobol"} if i % 2 else {})}
    add(f"european {i}", {**g, **ask}, european(g), "integral of the payoff over the normal density, mpmath 30 digits")

for i in range(14):
    g = draw(extreme=i % 3 == 2)
    ask = sampled(i) if i % 3 != 2 else {"paths": 20000}
    truth = european(g, digital=True)
    add(f"digital {i}", {"style": "digital", **g, **ask}, truth, "integral of the payoff over the normal density, mpmath 30 digits")

GREEKS = {"delta": ("S0", 1), "gamma": ("S0", 2), "vega": ("sigma", 1), "rho": ("r", 1)}
for i in range(16):
    name = list(GREEKS)[i % 4]
    g = draw()
    digital = i % 5 == 4
    ask = {"greeks": ["pathwise", "likelihood"][i // 4 % 2], "paths": 40000}
    if digital:
        ask["style"] = "digital"
    add(f"sampled {name} {i}", {**g, **ask}, derivative(g, GREEKS[name][0], digital, GREEKS[name][1]),
        "derivative of the closed form, mpmath 30 digits", of=name)
for i in range(10):
    name = list(GREEKS)[i % 4]
    g = draw(extreme=i % 2 == 1)
    digital = i % 3 == 2
    ask = {"paths": 1000, "greeks": "none", "variance": "importance"}
    if digital:
        ask["style"] = "digital"
    add(f"closed {name} {i}", {**g, **ask}, derivative(g, GREEKS[name][0], digital, GREEKS[name][1]),
        "derivative of the closed form, mpmath 30 digits", of=f"{name}_closed_form")

for i in range(8):
    g = draw(extreme=i % 2 == 1)
    s, k, r, q, sigma, t, phi = market(g)
    price = float(closed(g))
    if price <= 0 or price < 1e-12 * float(s):
        continue
    root = mp.findroot(lambda x: closed({**g, "sigma": x}) - mp.mpf(price), sigma)
    slope = float(mp.diff(lambda x: closed({**g, "sigma": x}), root))
    add(f"implied volatility {i}", {**g, "price": price, "paths": 1000, "variance": "importance", "greeks": "none"}, root,
        "root of the closed form, mpmath 30 digits", of="implied_volatility")


def reflection(g, h, kind):
    """Reiner & Rubinstein 1991: barrier watched always, from the law of the maximum of a Brownian motion with drift.

    Integrates the payoff over the joint density of the end and the survival, which is the image method.
    """
    s, k, r, q, sigma, t, phi = market(g)
    h = mp.mpf(h)
    drift, w = (r - q - sigma**2 / 2) * t, sigma**2 * t
    level = mp.log(h / s)
    root = mp.sqrt(w)
    up = kind.startswith("up")

    def density(y):
        image = mp.exp(2 * drift * level / w) * mp.npdf((y - 2 * level - drift) / root)
        return (mp.npdf((y - drift) / root) - image) / root

    pay = lambda y: max(mp.mpf(0), phi * (s * mp.exp(y) - k)) * density(y)
    strike = mp.log(k / s)
    low, high = drift - 14 * root, drift + w + 14 * root
    ends = (low, min(level, high)) if up else (max(level, low), high)
    points = sorted({ends[0], ends[1], *(p for p in (strike, drift, drift + w) if ends[0] < p < ends[1])})
    out = mp.exp(-r * t) * mp.quad(pay, points)
    return out if kind.endswith("out") else closed(g) - out


KINDS = ["down-out", "down-in", "up-out", "up-in"]
for i in range(16):
    kind = KINDS[i % 4]
    g = draw()
    step = g["sigma"] * math.sqrt(g["T"])
    h = digits(g["S0"] * math.exp((1 if kind.startswith("up") else -1) * random.uniform(0.3, 1.8) * step))
    ask = {"style": "barrier", "barrier": kind, "H": h, **sampled(i)}
    add(f"barrier watched always {i}", {**g, **ask}, reflection(g, h, kind),
        "integral over the image density of Brownian motion, mpmath 30 digits")


def moments(g, m):
    s, k, r, q, sigma, t, phi = (float(x) for x in market(g))
    dt = t / m
    return s, k, r, phi, (r - q - sigma**2 / 2) * dt, sigma * math.sqrt(dt), t


NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def black(f, k, w, phi):
    root = math.sqrt(w)
    with np.errstate(divide="ignore"):
        d1 = (np.log(f / k)) / root + root / 2
    return phi * (f * ndtr(phi * d1) - k * ndtr(phi * (d1 - root)))


def asian(g, m):
    """Mean of m = 2 or 3 dates: conditional on all but the last date it is a European option."""
    s, k, r, phi, drift, dev, t = moments(g, m)
    z = 9 * NODES
    density = 9 * WEIGHTS * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    def last(x, total):
        rest = m * k - total
        f = x * np.exp(drift + dev * dev / 2)
        certain = np.maximum(0, phi * (f - rest))
        return np.where(rest > 0, black(f, np.maximum(rest, 1e-300), dev * dev, phi), certain)

    first = s * np.exp(drift + dev * z)
    if m == 2:
        inner = last(first, first)
    else:
        second = first[:, None] * np.exp(drift + dev * z[None, :])
        inner = last(second, first[:, None] + second) @ density
    return math.exp(-r * t) * float(inner @ density) / m


for i in range(14):
    m = 2 + i % 2
    g = draw(extreme=i % 7 == 6)
    g["sigma"] = min(g["sigma"], 1.2)
    ask = {"style": "asian", "dates": m, **sampled(i)}
    scale = g["S0"] * math.exp(-g["q"] * g["T"])
    add(f"asian of {m} dates {i}", {**g, **ask}, asian(g, m),
        f"nested Gauss rules of 200 points over {m - 1} dates and the closed form of the last, numpy", accuracy=1e-9 * scale)


def on_dates(g, h, kind):
    """A barrier on two dates: the integral over the first, and a closed form of a truncated lognormal for the second."""
    s, k, r, phi, drift, dev, t = moments(g, 2)
    up = kind.startswith("up")
    level = math.log(h / s)

    def second(y):
        f = s * math.exp(y + drift + dev * dev / 2)
        lo, hi = (k, math.inf) if phi > 0 else (0.0, k)
        lo, hi = (lo, min(hi, h)) if up else (max(lo, h), hi)
        if lo >= hi:
            return 0.0
        cut = lambda x: (math.log(f / x) / dev + dev / 2) if 0 < x < math.inf else (math.inf if x == 0 else -math.inf)
        a, b = cut(lo), cut(hi)
        return phi * (f * (ndtr(a) - ndtr(b)) - k * (ndtr(a - dev) - ndtr(b - dev)))

    inner = lambda y: second(y) * math.exp(-((y - drift) / dev) ** 2 / 2) / (dev * math.sqrt(2 * math.pi))
    low, high = drift - 9 * dev, drift + dev * dev + 9 * dev
    ends = (low, min(level, high)) if up else (max(level, low), high)
    parts = np.linspace(ends[0], ends[1], 13)
    out = math.exp(-r * t) * sum(quad(inner, a, b, epsabs=0, epsrel=1e-11)[0] for a, b in zip(parts, parts[1:]))
    return out if kind.endswith("out") else float(closed(g)) - out


for i in range(10):
    kind = KINDS[i % 4]
    g = draw()
    step = g["sigma"] * math.sqrt(g["T"])
    h = digits(g["S0"] * math.exp((1 if kind.startswith("up") else -1) * random.uniform(0.3, 1.5) * step))
    ask = {"style": "barrier", "barrier": kind, "H": h, "dates": 2, **sampled(i)}
    add(f"barrier on two dates {i}", {**g, **ask}, on_dates(g, h, kind),
        "adaptive integral over the first date and a truncated lognormal for the second, scipy", accuracy=1e-9 * g["S0"])


def curves(g, rates, vols, dividends):
    """Escrowed dividends and curves that are straight in ∫ r dt and in total variance."""
    s, k, _, q, _, t, phi = market(g)
    grown = lambda u: mp.mpf(np.interp(float(u), [0.0] + [a for a, _ in rates], [0.0] + [a * b for a, b in rates]))
    total = mp.mpf(np.interp(float(t), [0.0] + [a for a, _ in vols], [0.0] + [a * b * b for a, b in vols]))
    spot = s - sum(mp.mpf(a) * mp.exp(-grown(u)) for u, a in dividends if u <= t)
    f = spot * mp.exp(grown(t) - q * t)
    return mp.exp(-grown(t)) * integral(lambda x: max(mp.mpf(0), phi * (x - k)), f, total, k)


for i in range(8):
    t = digits(random.uniform(0.6, 1.9))
    rates = [[0.37, digits(random.uniform(0, 0.06))], [1.1, digits(random.uniform(0, 0.06))], [2.0, 0.04]]
    low = random.uniform(0.15, 0.35)
    vols = [[0.5, digits(low)], [2.0, digits(low * random.uniform(0.7, 1.3))]]
    dividends = [[0.21, digits(random.uniform(0, 3))], [0.59, digits(random.uniform(0, 3))]]
    g = {"type": ["call", "put"][i % 2], "S0": 87.3, "K": digits(random.uniform(70, 105)), "T": t, "q": 0.011}
    add(f"curves and dividends {i}", {**g, "rates": rates, "vols": vols, "dividends": dividends, **sampled(i)},
        curves(g, rates, vols, dividends), "integral of the payoff over the normal density, mpmath 30 digits")

for i, (g, truth) in enumerate([
    ({"T": 0, "K": 93.7}, 6.3),
    ({"T": 0, "K": 93.7, "type": "put"}, 0),
    ({"sigma": 0, "K": 93.7}, 100 - mp.mpf("93.7") * mp.exp(-mp.mpf("0.05"))),
    ({"sigma": 0, "K": 120, "type": "put", "q": 0.02}, 120 * mp.exp(-mp.mpf("0.05")) - 100 * mp.exp(-mp.mpf("0.02"))),
    ({"sigma": 0, "style": "digital", "K": 101, "T": 2}, mp.exp(-mp.mpf("0.1"))),
    ({"T": 0, "style": "digital", "K": 101}, 0),
]):
    add(f"without chance {i}", g, truth, "the payoff at the forward, by hand")

# American: QuantLib's integral equation; a year of 365 days, so times are whole days.
with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/american"
    subprocess.run(["c++", "-O1", "-o", program, "test/coverage/quant-american.cpp", "-lQuantLib"], check=True)
    asked = []
    for i in range(20):
        days = int(10 ** random.uniform(1.2, 3.0))
        sigma = digits(10 ** random.uniform(-1.1, -0.2))
        s = digits(10 ** random.uniform(0, 3))
        k = digits(s * math.exp(random.uniform(-1.5, 1.5) * sigma * math.sqrt(days / 365)))
        g = {"type": ["call", "put"][i % 2], "S0": s, "K": k, "r": digits(random.uniform(0.005, 0.12)),
             "q": digits(random.uniform(0.005, 0.12)), "sigma": sigma}
        asked.append((g, days))
    lines = "\n".join(f"{1 if g['type'] == 'call' else -1} {g['S0']} {g['K']} {g['r']} {g['q']} {g['sigma']} {d}" for g, d in asked)
    found = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.split()
    for i, ((g, days), price) in enumerate(zip(asked, found, strict=True)):
        add(f"american {i}", {"style": "american", **g, "T": days / 365}, float(price),
            "QuantLib 1.29, QdFpAmericanEngine, high precision", accuracy=1e-8 * g["S0"])

with open("test/coverage/quant.json", "w") as out:
    provenance = "Written by test/coverage/quant.py with mpmath, numpy, scipy and QuantLib, without code of this project."
    out.write('{\n  "provenance": ' + json.dumps(provenance) + ',\n  "cases": [\n')
    out.write(",\n".join("    " + json.dumps(case) for case in cases))
    out.write("\n  ]\n}\n")
print(len(cases))
