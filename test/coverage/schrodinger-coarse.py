# Writes schrodinger-coarse.json: high levels on few nodes, where the grids barely resolve the waves.
#
#   python3 test/coverage/schrodinger-coarse.py && biome format --write test/coverage/schrodinger-coarse.json   (numpy, scipy)
#
# Truth without finite differences: closed forms, Airy zeros, roots of matching conditions, and Chebyshev collocation whose
# two sizes agree to 1e-8 of the level.

import json, math, pathlib
import numpy as np
from scipy.optimize import brentq
from scipy.special import ai_zeros

NODES = (50, 60, 75, 90, 120, 160)
STATES = (8, 12, 20)
cases = []


def add(name, input, levels, source):
    for nodes in NODES:
        for states in STATES:
            if states > len(levels): continue
            for n in sorted({0, states // 2, states - 1}):
                cases.append({
                    'name': f'{name} N={nodes} states={states} n={n}',
                    'input': {**input, 'N': nodes, 'states': states},
                    'of': f'E[{n}]',
                    'truth': float(levels[n]),
                    'source': source,
                })


def collocation(V, a, b, size):
    x = np.cos(np.pi * np.arange(size + 1) / size)
    c = np.r_[2, np.ones(size - 1), 2] * (-1.0) ** np.arange(size + 1)
    d = x[:, None] - x[None, :]
    D = np.outer(c, 1 / c) / (d + np.eye(size + 1))
    D -= np.diag(D.sum(1))
    inner = (D @ D)[1:-1, 1:-1] * (2 / (b - a)) ** 2
    at = (a + b) / 2 + (b - a) / 2 * x[1:-1]
    return np.sort(np.linalg.eigvals(-0.5 * inner + np.diag(V(at))).real)[:20]


def spectral(name, input, V, a, b):
    levels, finer = collocation(V, a, b, 240), collocation(V, a, b, 330)
    assert np.all(np.abs(levels - finer) <= 1e-8 * np.maximum(1, np.abs(finer))), name
    add(name, input, finer, 'Chebyshev collocation, 240 and 330 nodes agree to 1e-8')


def custom(expression, V, a, b):
    spectral(expression, {'potential': 'custom', 'expression': expression, 'xmin': a, 'xmax': b}, V, a, b)


for w, m in ((1, 1), (0.37, 2.5)):
    add(f'oscillator w={w} m={m}', {'potential': 'harmonic', 'omega': w, 'mass': m}, [w * (n + 0.5) for n in range(20)], 'closed form (n + 1/2) hbar omega')
zeros, primes, _, _ = ai_zeros(20)
add('linear F=1.7 m=0.8', {'potential': 'linear', 'F': 1.7, 'mass': 0.8}, [-z * (1.7 ** 2 / 1.6) ** (1 / 3) for z in zeros], 'zeros of Ai, closed form')
lam = math.sqrt(2 * 200) / 0.6
add('morse D=200 a=0.6', {'potential': 'morse', 'D': 200, 'alpha': 0.6}, [200 * (n + 0.5) / lam * (2 - (n + 0.5) / lam) for n in range(20)], 'closed form of the Morse levels')
add('poschl_teller l=22.3', {'potential': 'poschl_teller', 'lambda': 22.3, 'alpha': 0.9}, [-0.405 * (22.3 - n) ** 2 for n in range(20)], 'closed form -(hbar alpha)^2 (lambda - n)^2 / 2m')
for w, g, edge in ((1, 0.1, 9), (0, 1, 6), (3, 0.5, 6)):
    spectral(f'quartic w={w} g={g}', {'potential': 'quartic', 'omega': w, 'g': g}, lambda x: w * w * x * x / 2 + g * x ** 4, -edge, edge)
for V0, a, edge in ((10, 1, 5), (25, 1.2, 5), (6, 2.5, 7)):
    spectral(f'double well V0={V0} a={a}', {'potential': 'double_well', 'V0': V0, 'a': a}, lambda x: V0 * ((x / a) ** 2 - 1) ** 2, -edge, edge)
custom('cosh(x)-1', lambda x: np.cosh(x) - 1, -7, 7)
custom('x^2/2+3*sin(2*x)', lambda x: x * x / 2 + 3 * np.sin(2 * x), -12, 12)
custom('5*cos(3*x)', lambda x: 5 * np.cos(3 * x), -4, 5)
custom('-40/(1+x^2)', lambda x: -40 / (1 + x * x), -10, 10)
custom('20*sin(x)^2', lambda x: 20 * np.sin(x) ** 2, 0, 7)
custom('x^4/4-2*x^2+x', lambda x: x ** 4 / 4 - 2 * x * x + x, -6, 6)
custom('50*exp(-30*x^2)', lambda x: 50 * np.exp(-30 * x * x), -2, 2)
custom('-30*exp(-x^2)', lambda x: -30 * np.exp(-x * x), -6, 6)

# Beyond 22 the levels up to the twentieth have decayed by more than 1e-12.
tent = sorted([-z * 0.5 ** (1 / 3) for z in [*zeros, *primes]])[:20]
add('abs(x)', {'potential': 'custom', 'expression': 'abs(x)', 'xmin': -22, 'xmax': 22}, tent, 'zeros of Ai and of its derivative')


def stepped(V0, w, L):
    def mismatch(E, isOdd):
        k, q, d = math.sqrt(2 * E), 2 * (E - V0), L - w
        u, du = (math.sin(k * w), k * math.cos(k * w)) if isOdd else (math.cos(k * w), -k * math.sin(k * w))
        s = math.sqrt(abs(q)) or 1e-9
        return u * math.cos(s * d) + du / s * math.sin(s * d) if q > 0 else u * math.cosh(s * d) + du / s * math.sinh(s * d)

    levels = []
    for isOdd in (False, True):
        energies = np.linspace(1e-6, (15 * math.pi / L) ** 2 / 2 + V0, 40001)
        values = [mismatch(E, isOdd) for E in energies]
        levels += [brentq(mismatch, energies[i], energies[i + 1], args=(isOdd,), xtol=1e-13) for i in range(40000) if values[i] * values[i + 1] < 0]
    return sorted(levels)[:20]


for V0, w, L in ((60, 0.7, 2.0), (25, 1.13, 2.6)):
    expression = f'abs(x) < {w} ? 0 : {V0}'
    add(expression, {'potential': 'custom', 'expression': expression, 'xmin': -L, 'xmax': L}, stepped(V0, w, L), 'roots of the matching conditions of a stepped box')

pathlib.Path(__file__).with_suffix('.json').write_text(json.dumps({
    'provenance': 'Written by schrodinger-coarse.py, without finite differences.',
    'cases': cases,
}))
print(len(cases))
