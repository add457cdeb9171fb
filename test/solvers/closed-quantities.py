"""Closed forms among the quantities of solvers, to 40 digits: python3 closed-quantities.py > closed-quantities.json

Inputs are the decimal numbers that are written. The factor of an edge crack is that for any length (Tada, Paris & Irwin,
The Stress Analysis of Cracks Handbook), not the polynomial of the solver; frequencies on the grid of a box are those of
central differences in cells.
"""

import json
import random

from mpmath import cos, exp, mp, mpf, pi, sin, sqrt, tan

mp.dps = 40
random.seed(26)


def u(low, high):
    """Of few digits, as people write them."""
    return float(f"{random.uniform(low, high):.4g}")


def d(value):
    return mpf(repr(value))


cases = []


def add(solver, inputs, **truth):
    cases.append({"solver": solver, "inputs": inputs, "truth": {name: float(value) for name, value in truth.items()}})


for _ in range(6):
    nx, lx, alpha, dt = random.randint(8, 40), u(0.3, 3), u(0.1, 2), u(1e-4, 1e-3)
    r = d(alpha) * d(dt) * (nx / d(lx)) ** 2
    add("heat", dict(dim=1, nx=nx, lx=lx, alpha=alpha, dt=dt, steps=12), r=r, r_x=r)

for _ in range(6):
    N, size, speed, visc = 16, u(0.5, 3), u(0.1, 2), u(0.01, 0.1)
    dt = float(f"{0.2 * size / N / speed:.3g}")
    add("flow", dict(N=N, size=size, speed=speed, visc=visc, steps=20, dt=dt),
        reynolds=d(speed) * d(size) / d(visc), courant=d(speed) * d(dt) * N / d(size))

for _ in range(8):
    E, G0, width, notch = u(1e9, 1e11), u(2, 200), u(0.1, 2), u(0.1, 0.6)
    nx, ny, m = 16, 8, 3
    horizon = m * d(width) / nx
    height = d(width) / nx * ny
    r = d(notch)
    half = pi * r / 2
    factor = sqrt(tan(half) / half) * (mpf("0.752") + mpf("2.02") * r + mpf("0.37") * (1 - sin(half)) ** 3) / cos(half)
    s0 = sqrt(4 * pi * d(G0) / (9 * d(E) * horizon))
    if not 1e-6 < s0 < 0.05:
        continue
    add("fracture", dict(nx=nx, ny=ny, loadSteps=4, width=width, E=E, G0=G0, notchFrac=notch, horizonM=m),
        s0=s0, sf=s0, G0=d(G0), strain_clamped_strip=sqrt(16 * d(G0) / (9 * d(E) * height)),
        sigma_free_ends=sqrt(d(E) * d(G0) / (pi * r * d(width))) / factor)

for i in range(8):
    S0, r, q, T = u(20, 200), u(-0.1, 0.3), u(-0.1, 0.3), u(0.1, 20)
    dividends = [] if i % 2 else [[round(T / 3, 3), u(0.05, 0.4) * 20]]
    spot = d(S0) - sum(d(amount) * exp(-d(r) * d(t)) for t, amount in dividends)
    add("quant", dict(S0=S0, K=S0, r=r, q=q, T=T, paths=1000, **({"dividends": dividends} if dividends else {})),
        forward=spot * exp((d(r) - d(q)) * d(T)), discount=exp(-d(r) * d(T)))

for _ in range(6):
    R0, gamma = u(1.2, 8), u(0.05, 0.6)
    add("epi", dict(model="sir", R0=R0, gamma=gamma, days=30), beta=d(R0) * d(gamma), infectious_days=1 / d(gamma))

for _ in range(4):
    shares = [u(1e-4, 2e-3) for _ in range(6)]
    add("reactor", dict(groups="custom", beta_i=shares, lambda_i=sorted(u(0.01, 3) for _ in shares), t_end=0.1),
        beta=sum(map(d, shares)))

for _ in range(4):
    K = u(-9, 9)
    add("lattice", dict(tMax=1, K=K), K=d(K))

for _ in range(5):
    lx, ly, c, cells, rt = u(2, 9), u(2, 9), u(300, 360), 12, u(0.2, 3)
    longest = max(lx, ly)
    mode = 1
    add("acoustic", dict(shape="rectangle", lx=longest, ly=min(lx, ly), c=c, modes=1, cells=cells, rt60=rt, mode=mode),
        reverberation_time=d(rt),
        quality_factor=pi * d(c) / (2 * d(longest)) * d(rt) / (3 * mp.log(10)),
        frequency_on_grid=d(c) / pi * cells / d(longest) * sin(pi / (2 * cells)))

print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
