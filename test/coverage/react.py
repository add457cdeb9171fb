# Outside truth of react: Fourier and cosine methods with scipy, closed forms of fronts, ordinary equations with mpmath.
#
#   python3 test/coverage/react.py > test/coverage/react.json
#
# A field on [0, L] is a sum of waves: all of them on a periodic line, cosines between sides without flow, as a periodic
# field of twice the length. Diffusion is exact for every wave; rates are taken on a grid of points; DOP853 or LSODA
# integrates with an integrating factor, so that no step of the solver's kind and none of its stencils is shared.
import json
import random
import sys

import numpy as np
from scipy.fft import dct, dctn, idct, idctn, irfft, irfftn, rfft, rfftn, rfftfreq, fftfreq
from scipy.integrate import solve_ivp

random.seed(11)
cases = []


def grayscott(F, k):
    return lambda u, v: (F * (1 - u) - u * v * v, u * v * v - (F + k) * v)


def fhn(eps, a, b, I):
    return lambda u, v: (u - u**3 / 3 - v + I, eps * (u + a - b * v))


class Spectral:
    """u and v at the centers of n cells per axis, with transforms that suit the sides."""

    def __init__(self, lengths, n, periodic):
        self.shape = tuple(n) if len(lengths) > 1 else (n[0],)
        self.lengths = lengths
        self.periodic = periodic
        axes = [(np.arange(m) + 0.5) * L / m for m, L in zip(self.shape, lengths)]
        self.grid = np.meshgrid(*axes, indexing="ij")
        waves = []
        for i, (m, L) in enumerate(zip(self.shape, lengths)):
            if not periodic:
                waves.append((np.pi * np.arange(m) / L) ** 2)
            elif i == len(lengths) - 1:
                waves.append((2 * np.pi * rfftfreq(m, L / m)) ** 2)
            else:
                waves.append((2 * np.pi * fftfreq(m, L / m)) ** 2)
        self.k2 = sum(np.meshgrid(*waves, indexing="ij"))

    def to(self, field):
        return rfftn(field) if self.periodic else dctn(field, type=2)

    def back(self, waves):
        return irfftn(waves, s=self.shape) if self.periodic else idctn(waves, type=2)

    def run(self, u, v, Du, Dv, rates, t_end, rtol=1e-10):
        """ETDRK4 (Cox and Matthews 2002, Kassam and Trefethen 2005), halved until the means agree to rtol."""
        return etdrk4(self, u, v, Du, Dv, rates, t_end, rtol)

    def at(self, field, place):
        """Value of the band-limited field at a place."""
        value = field
        for axis, (m, L, x) in enumerate(zip(self.shape, self.lengths, place)):
            if self.periodic:
                c = np.fft.fft(value, axis=0) / m
                freq = np.fft.fftfreq(m, 1 / m)
                w = np.exp(2j * np.pi * freq * (x / L - 0.5 / m))
            else:
                c = dct(value, type=2, axis=0) / m
                c[0] = c[0] / 2
                w = np.cos(np.pi * np.arange(m) * x / L)
            value = np.real(np.tensordot(w, c, axes=(0, 0))) if not self.periodic or value.ndim == 1 else np.tensordot(w, c, axes=(0, 0))
        return float(np.real(value))


def etdrk4(s, u0, v0, Du, Dv, rates, t_end, rtol):
    previous = None
    steps = max(100, int(t_end))
    for _ in range(7):
        u, v = once(s, u0, v0, Du, Dv, rates, t_end, steps)
        now = np.concatenate([u.ravel(), v.ravel()])
        if previous is not None and np.max(np.abs(now - previous)) < rtol * np.max(np.abs(now)):
            return u, v
        previous, steps = now, steps * 2
    raise RuntimeError(f"no agreement: {np.max(np.abs(now - previous))}")


def coefficients(L, h):
    M = 32
    r = np.exp(1j * np.pi * (np.arange(1, M + 1) - 0.5) / M)
    LR = h * L[..., None] + r
    Q = h * np.real(np.mean((np.exp(LR / 2) - 1) / LR, axis=-1))
    f1 = h * np.real(np.mean((-4 - LR + np.exp(LR) * (4 - 3 * LR + LR**2)) / LR**3, axis=-1))
    f2 = h * np.real(np.mean((2 + LR + np.exp(LR) * (-2 + LR)) / LR**3, axis=-1))
    f3 = h * np.real(np.mean((-4 - 3 * LR - LR**2 + np.exp(LR) * (4 - LR)) / LR**3, axis=-1))
    return np.exp(h * L), np.exp(h * L / 2), Q, f1, f2, f3


def once(s, u, v, Du, Dv, rates, t_end, steps):
    h = t_end / steps
    co = [coefficients(-D * s.k2, h) for D in (Du, Dv)]
    y = [s.to(u), s.to(v)]

    def N(w):
        f, g = rates(s.back(w[0]), s.back(w[1]))
        return [s.to(f), s.to(g)]

    for _ in range(steps):
        n1 = N(y)
        a = [c[1] * w + c[2] * n for c, w, n in zip(co, y, n1)]
        n2 = N(a)
        b = [c[1] * w + c[2] * n for c, w, n in zip(co, y, n2)]
        n3 = N(b)
        d = [c[1] * w + c[2] * (2 * m - n) for c, w, m, n in zip(co, a, n3, n1)]
        n4 = N(d)
        y = [c[0] * w + c[3] * p + 2 * c[4] * (q + r) + c[5] * t for c, w, p, q, r, t in zip(co, y, n1, n2, n3, n4)]
    return s.back(y[0]), s.back(y[1])


def fmt(x):
    return float(f"{x:.6g}")


def add(name, inp, truth, source, of=None, accuracy=None):
    case = {"name": f"{len(cases) + 1} {name}", "input": inp}
    if of is not None:
        case["of"] = of
    case["truth"] = float(truth)
    if accuracy:
        case["accuracy"] = accuracy
    case["source"] = source
    cases.append(case)
    print(len(cases), name, file=sys.stderr, flush=True)


ETD = "ETDRK4 over Fourier or cosine modes, step halved until the state agrees to 1e-7, which its error is a sixteenth of"


def measure(s, u, v, kind, place):
    if kind == "mean_u":
        return u.mean()
    if kind == "mean_v":
        return v.mean()
    return s.at(u if kind == "probe_u" else v, place)


def smooth_line(name, model, rates, Du, Dv, L, N, periodic, bumps, base, t_end, kind, extra=None, modes=256, method=None, steps=None):
    """bumps: (center, width, amplitude of u, amplitude of v)"""
    s = Spectral([L], [modes], periodic)
    x = s.grid[0]
    u, v = np.full_like(x, base[0]), np.full_like(x, base[1])
    text = [repr(base[0]), repr(base[1])]
    for c, w, p, q in bumps:
        shape = np.exp(-((x - c) ** 2) / (2 * w * w))
        u, v = u + p * shape, v + q * shape
        for i, amplitude in enumerate((p, q)):
            if amplitude != 0:
                text[i] += f" + ({amplitude!r})*exp(-(x-{c!r})^2/(2*{w!r}^2))"
    inp = {"dim": 1, "N": N, "length": L, "Du": Du, "Dv": Dv, "t_end": t_end, "boundary": "periodic" if periodic else "no-flux",
           "initial_u": text[0], "initial_v": text[1], "measure": kind, **model, **(extra or {})}
    if method:
        inp["method"] = method
    if steps:
        inp["steps"] = steps
    place = fmt(random.uniform(0.05, 0.95) * L)
    if kind.startswith("probe"):
        inp["probe_x"] = place
    try:
        u, v = s.run(u, v, Du, Dv, rates(x) if rates.__code__.co_argcount == 1 else rates, t_end, 1e-7)
    except RuntimeError as reason:  # the truth is not known well enough
        print(name, inp, reason, file=sys.stderr)
        return
    add(name, inp, measure(s, u, v, kind, [place]), ETD, accuracy=2e-8 * max(1.0, np.max(np.abs(u))))


KINDS = ["mean_u", "mean_v", "probe_u", "probe_v"]


def gray_scott_lines(count, method=None):
    for i in range(count):
        F, k = fmt(random.uniform(0.02, 0.06)), fmt(random.uniform(0.045, 0.066))
        L = fmt(random.uniform(40, 90))
        h = random.uniform(0.5, 1.0)
        N = max(40, int(L / h))
        bumps = [(fmt(random.uniform(0.2, 0.8) * L), fmt(random.uniform(2.5, 5)), -0.5, 0.25) for _ in range(random.randint(1, 2))]
        t = fmt(random.uniform(20, 150))
        smooth_line("Gray-Scott" + (" by Euler" if method else ""), {"F": F, "k": k}, grayscott(F, k), 0.16, 0.08, L, N, random.random() < 0.5, bumps, (1.0, 0.0), t, random.choice(KINDS), method=method,
                    steps=int(t / (0.4 * h * h)) + 1 if method else None)


def fitzhugh_lines(count):
    for i in range(count):
        eps, I = fmt(random.uniform(0.03, 0.2)), fmt(random.uniform(-0.1, 0.8))
        L = fmt(random.uniform(20, 60))
        N = int(L / random.uniform(0.25, 0.5))
        base = (fmt(random.uniform(-1.3, -0.9)), fmt(random.uniform(-0.7, -0.3)))
        bumps = [(fmt(random.uniform(0, 0.6) * L), fmt(random.uniform(1.5, 4)), fmt(random.uniform(1, 3)), 0)]
        smooth_line("FitzHugh-Nagumo", {"model": "fitzhugh-nagumo", "epsilon": eps, "I": I}, fhn(eps, 0.7, 0.8, I), 1.0, fmt(random.uniform(0, 0.5)), L, N, random.random() < 0.5, bumps, base, fmt(random.uniform(3, 25)), random.choice(KINDS), modes=384)


def own_lines(count):
    for i in range(count):
        which = i % 3
        L = fmt(random.uniform(10, 40))
        N = int(L / random.uniform(0.2, 0.4))
        bumps = [(fmt(random.uniform(0.3, 0.7) * L), fmt(random.uniform(1.2, 3)), fmt(random.uniform(0.1, 0.5)), fmt(random.uniform(-0.2, 0.2)))]
        t = fmt(random.uniform(1, 12))
        if which == 0:
            a, b = fmt(random.uniform(0.05, 0.2)), fmt(random.uniform(0.7, 1.1))
            model = {"reaction_u": "a - u + u^2*v", "reaction_v": "b - u^2*v", "a": a, "b": b}
            smooth_line("Schnakenberg", model, lambda u, v: (a - u + u * u * v, b - u * u * v), 1.0, 4.0, L, N, random.random() < 0.5, bumps, (a + b, b / (a + b) ** 2), t, random.choice(KINDS))
        elif which == 1:
            a, b = 1.0, fmt(random.uniform(1.5, 2.5))
            model = {"reaction_u": "a - (b+1)*u + u^2*v", "reaction_v": "b*u - u^2*v", "a": a, "b": b}
            smooth_line("Brusselator", model, lambda u, v: (a - (b + 1) * u + u * u * v, b * u - u * u * v), 1.0, 0.5, L, N, random.random() < 0.5, bumps, (1.0, b), t, random.choice(KINDS))
        else:
            r = fmt(random.uniform(0.5, 2))
            model = {"reaction_u": f"{r!r}*u*(1-u)*(1+0.5*cos(2*pi*x/{L!r}))", "reaction_v": "u - v"}
            smooth_line("growth that varies with x", model, lambda x: (lambda u, v: (r * u * (1 - u) * (1 + 0.5 * np.cos(2 * np.pi * x / L)), u - v)), 1.0, 0.3, L, N, True, bumps, (0.1, 0.0), t, random.choice(KINDS))


def jumps(count):
    """The edges of the image lie on edges of the cells of a fine grid; the grid halves until it agrees."""
    for i in range(count):
        F, k = fmt(random.uniform(0.02, 0.05)), fmt(random.uniform(0.05, 0.064))
        L, N = 64.0, random.randint(64, 128)
        rows = "".join(random.choice("..#") for _ in range(8))
        rows = rows if "#" in rows else "...##..."
        t = fmt(random.uniform(30, 150))
        periodic = random.random() < 0.5
        kind = random.choice(KINDS)
        place = fmt(random.uniform(0.1, 0.9) * L)
        values = []
        for modes in (512, 1024):
            s = Spectral([L], [modes], periodic)
            fg = np.repeat(np.array([c == "#" for c in rows], float), modes // 8)
            u, v = s.run(1 - 0.5 * fg, 0.25 * fg, 0.16, 0.08, grayscott(F, k), t, 1e-6)
            values.append(measure(s, u, v, kind, [place]))
        inp = {"dim": 1, "N": N, "length": L, "F": F, "k": k, "t_end": t, "painting": rows, "measure": kind, "boundary": "periodic" if periodic else "no-flux"}
        if kind.startswith("probe"):
            inp["probe_x"] = place
        add("blocks of Gray-Scott", inp, (4 * values[1] - values[0]) / 3, "ETDRK4 with 512 and 1024 modes, extrapolated", accuracy=abs(values[1] - values[0]) + 1e-7)


def fronts():
    for i in range(14):
        a = fmt(random.uniform(0.0, 0.42))
        D = fmt(10 ** random.uniform(-1, 1))
        r = fmt(10 ** random.uniform(-1, 1))
        width = np.sqrt(2 * D / r)
        c = np.sqrt(D * r / 2) * (1 - 2 * a)
        L = fmt(60 * width)
        t = fmt(40 * width / c)
        inp = {"dim": 1, "reaction_u": f"{r!r}*u*(1-u)*(u-a)", "a": a, "Du": D, "N": random.randint(150, 300), "length": L, "boundary": "no-flux", "initial": "front", "t_end": t, "measure": "speed"}
        add("front of Nagumo", inp, c, "closed form sqrt(D r / 2) (1 - 2 a), Murray, Mathematical Biology I, 13.5")
    for i in range(5):
        D, r = fmt(10 ** random.uniform(-1, 1)), fmt(10 ** random.uniform(-1, 1))
        width = np.sqrt(D / r)
        L, c = fmt(160 * width), 2 * np.sqrt(D * r)
        inp = {"dim": 1, "reaction_u": f"{r!r}*u*(1-u)", "Du": D, "N": 400, "length": L, "boundary": "no-flux", "initial": "front", "t_end": fmt(120 * width / c), "measure": "speed"}
        add("front of Fisher", inp, c, "closed form 2 sqrt(D r) for compact initial states, Murray, Mathematical Biology I, 13.2")


def closed_forms():
    for i in range(10):
        dim = 1 + i % 2
        m, n = random.randint(1, 3), random.randint(1, 2)
        scale = 10 ** random.uniform(-6, 6)
        L = fmt(scale)
        D = fmt(10 ** random.uniform(-9, 3))
        N = random.randint(32, 48) if dim == 2 else random.randint(48, 100)
        rate = D * (np.pi / L) ** 2 * (m * m + (n * n if dim == 2 else 0))
        t = fmt(random.uniform(0.3, 1) / rate)
        q = fmt(random.uniform(-1, 1) / t)
        x, y = fmt(random.uniform(0.02, 0.98) * L), fmt(random.uniform(0.02, 0.98) * L)
        inp = {"dim": dim, "N": N, "length": L, "Du": D, "boundary": "no-flux", "reaction_u": f"({q!r})*u", "t_end": t, "measure": "probe_u", "probe_x": x,
               "initial_u": f"cos({m}*pi*x/{L!r})" + (f"*cos({n}*pi*y/{L!r})" if dim == 2 else "")}
        truth = np.cos(m * np.pi * x / L) * np.exp((q - rate) * t)
        if dim == 2:
            inp["probe_y"] = y
            truth *= np.cos(n * np.pi * y / L)
        add("a mode that decays and grows", inp, truth, "closed form cos(m pi x / L) cos(n pi y / L) exp((q - D k^2) t)", accuracy=1e-13)


def uniform():
    for i in range(8):
        I, u0, v0 = fmt(random.uniform(0, 1.2)), fmt(random.uniform(-2, 2)), fmt(random.uniform(-1, 1.5))
        t = fmt(random.uniform(5, 120))
        f = fhn(0.08, 0.7, 0.8, I)
        truth = solve_ivp(lambda _, y: f(*y), (0, t), [u0, v0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        kind = random.choice(KINDS)
        add("uniform FitzHugh-Nagumo", {"model": "fitzhugh-nagumo", "dim": 1, "N": 16, "I": I, "initial_u": repr(u0), "initial_v": repr(v0), "t_end": t, "measure": kind, "probe_x": 2.3},
            truth[0 if kind.endswith("u") else 1], "ordinary equations by DOP853 at 1e-13", accuracy=1e-10)


def rectangles(count):
    for i in range(count):
        F, k = fmt(random.uniform(0.025, 0.055)), fmt(random.uniform(0.05, 0.064))
        N, Ny = random.randint(40, 56), random.randint(36, 48)
        h = random.uniform(0.6, 0.9)
        L = fmt(N * h)
        Ly = L / N * Ny
        periodic = random.random() < 0.5
        s = Spectral([Ly, L], [80, 80], periodic)
        y, x = s.grid
        cx, cy, w = fmt(random.uniform(0.35, 0.65) * L), fmt(random.uniform(0.35, 0.65) * Ly), fmt(random.uniform(3, 4))
        bump = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * w * w))
        t = fmt(random.uniform(20, 80))
        kind = random.choice(KINDS)
        px, py = fmt(random.uniform(0.2, 0.8) * L), fmt(random.uniform(0.2, 0.8) * Ly)
        u, v = s.run(1 - 0.5 * bump, 0.25 * bump, 0.16, 0.08, grayscott(F, k), t, 1e-7)
        text = f"exp(-((x-{cx!r})^2 + (y-{cy!r})^2)/(2*{w!r}^2))"
        inp = {"N": N, "Ny": Ny, "length": L, "F": F, "k": k, "t_end": t, "boundary": "periodic" if periodic else "no-flux", "initial_u": f"1 - 0.5*{text}", "initial_v": f"0.25*{text}", "measure": kind}
        if kind.startswith("probe"):
            inp.update(probe_x=px, probe_y=py)
        add("a spot on a rectangle", inp, measure(s, u, v, kind, [py, px]), ETD, accuracy=1e-6)


if __name__ == "__main__":
    gray_scott_lines(24)
    gray_scott_lines(10, "euler")
    fitzhugh_lines(16)
    own_lines(15)
    jumps(6)
    fronts()
    closed_forms()
    uniform()
    rectangles(5)
    provenance = "Computed outside of this project by test/coverage/react.py with numpy and scipy: Fourier and cosine methods, closed forms, ordinary equations."
    print(json.dumps({"provenance": provenance, "cases": cases}, indent=1))
