"""Double roots of laws at their maxima and minima, to 40 digits: python3 double-roots.py > double-roots.json

The place of the extremum by the zero of the derivative, the value there rounded to a double, and the half-width within
which the law stays nearer to it than the rounding of that value.
"""

import json
import random

import mpmath as mp

mp.mp.dps = 40
random.seed(13)
u = random.uniform
EPS = mp.mpf(2) ** -53
DEG = mp.pi / 180


def consecutive(a0, ka, kb):
    return lambda t: a0 * ka / (kb - ka) * (mp.exp(-ka * t) - mp.exp(-kb * t))


def resonance(F0, m, c, k):
    return lambda w: F0 / (m * mp.sqrt((k / m - w**2) ** 2 + (c / m * w) ** 2))


def rosso(T, top, low, best, high):
    a = best - low
    return top * (T - high) * (T - low) ** 2 / (a * (a * (T - best) - (best - high) * (best + low - 2 * T)))


# Law, unknown, output, draws of the other inputs, the law as a function of the unknown, its extremum to start from.
LAWS = [
    ("CM5", "theta", "R", lambda: dict(v=u(1, 100), g=u(1, 20)),
     lambda v, g: lambda x: v**2 * mp.sin(2 * x * DEG) / g, lambda v, g: 45),
    ("CM3", "t", "s", lambda: dict(v0=u(1, 50), a=-u(0.1, 20)),
     lambda v0, a: lambda t: v0 * t + a * t**2 / 2, lambda v0, a: -v0 / a),
    ("CM23", "w", "A", lambda: dict(F0=u(1, 9), m=u(0.1, 9), c=u(0.1, 0.5), k=u(10, 500)),
     resonance, lambda F0, m, c, k: mp.sqrt(k / m - c**2 / (2 * m**2))),
    ("WM15", "Z1", "tau", lambda: dict(Z2=u(0.1, 900)),
     lambda Z2: lambda z: 4 * z * Z2 / (z + Z2) ** 2, lambda Z2: Z2),
    ("CEL7", "S", "mu", lambda: dict(mumax=u(0.1, 2), Ks=u(0.1, 5), Ki=u(1, 90)),
     lambda mumax, Ks, Ki: lambda S: mumax * S / (Ks + S + S**2 / Ki), lambda mumax, Ks, Ki: mp.sqrt(Ks * Ki)),
    ("CEL12", "T", "mu", lambda: dict(muopt=u(0.1, 3), Tmin=u(270, 280), Topt=u(305, 312), Tmax=u(316, 325)),
     lambda muopt, Tmin, Topt, Tmax: lambda T: rosso(T, muopt, Tmin, Topt, Tmax),
     lambda muopt, Tmin, Topt, Tmax: Topt),
    ("CK20", "pA", "r", lambda: dict(ks=u(0.1, 9), KA=u(0.1, 9), KB=u(0.1, 9), pB=u(0.1, 5)),
     lambda ks, KA, KB, pB: lambda p: ks * KA * p * KB * pB / (1 + KA * p + KB * pB) ** 2,
     lambda ks, KA, KB, pB: (1 + KB * pB) / KA),
    ("CK8", "t", "b", lambda: dict(a0=u(0.1, 5), ka=u(0.1, 1), kb=u(1.2, 4)),
     consecutive, lambda a0, ka, kb: mp.log(kb / ka) / (kb - ka)),
    ("FL17", "s", "u", lambda: dict(U=u(0.01, 0.1), h=u(1, 2), mu=u(1, 2), G=u(1, 2)),
     lambda U, h, mu, G: lambda s: U * s + G * h**2 / (2 * mu) * s * (1 - s),
     lambda U, h, mu, G: 0.5 + U * mu / (G * h**2)),
    ("CS46", "K", "Pp", lambda: dict(P=u(0.1, 9), H=u(0.5, 3), R=u(0.1, 9)),
     lambda P, H, R: lambda K: (1 - K * H) ** 2 * P + K**2 * R, lambda P, H, R: P * H / (H**2 * P + R)),
    ("KO34", "phi", "Ck", lambda: dict(b=u(0.1, 9)),
     lambda b: lambda x: -x + b * x**2, lambda b: 1 / (2 * b)),
    ("KO19", "phi", "Ck", lambda: dict(V=u(1, 9), w=u(0.5, 3)),
     lambda V, w: lambda x: -2 * V * x / w**2 * mp.exp(-(x**2) / w**2), lambda V, w: w / mp.sqrt(2)),
    ("KO13", "phi", "Ck", lambda: dict(eps=u(0.1, 9)),
     lambda eps: lambda x: 24 * eps * (2 / (1 + x) ** 13 - 1 / (1 + x) ** 7),
     lambda eps: mp.root(mp.mpf(26) / 7, 6) - 1),
    ("STR5", "xi", "M", lambda: dict(w=0.0, F=u(10, 900), L=u(1, 9)),
     lambda w, F, L: lambda x: F * L * x * (1 - x) * (2 - x) / 2, lambda w, F, L: 1 - 1 / mp.sqrt(3)),
]

cases = []
for law, symbol, output, draw, function, start in LAWS:
    for _ in range(8):
        others = draw()
        exact = {name: mp.mpf(value) for name, value in others.items()}
        f = function(**exact)
        place = mp.findroot(lambda x: mp.diff(f, x), start(**exact))
        curvature = abs(mp.diff(f, place, 2))
        value = f(place)
        cases.append({
            "law": law, "symbol": symbol, "inputs": {**others, output: float(value)}, "place": float(place),
            "width": float(mp.sqrt(2 * EPS * abs(value) / curvature)),
        })
print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
