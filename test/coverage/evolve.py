# Writes evolve.json: cases with an answer that was found without molecular dynamics.
#
#   python3 test/coverage/evolve.py && biome format --write test/coverage/evolve.json     (mpmath, numpy, scipy)
#
# Energies, virials and lattice sums: 30 digits. Two-body motion: DOP853 at 1e-13, another method in another language.
# Two atoms in a box: the canonical and the microcanonical average is one integral over their distance, exact for any
# density. A force that is cut at rc conserves the energy from its value there, so weights have phi(r) - phi(rc), while
# reported truncated energies have phi(r).

import itertools, json, math, pathlib, random
import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

mp.mp.dps = 30
rng = random.Random(20)
here = pathlib.Path(__file__).parent
cases = []


def add(name, input, truth, source, of=None, accuracy=0, slow=False):
    case = {'name': name, 'input': input}
    if of: case['of'] = of
    case['truth'] = float(truth)
    if accuracy: case['accuracy'] = accuracy
    case['source'] = source
    if slow: case['isSlow'] = True
    cases.append(case)


class Pair:
    def __init__(self, eps=1, sig=1, rc=2.5, cutoff='truncated'):
        self.eps, self.sig, self.rc, self.cutoff = mp.mpf(eps), mp.mpf(sig), mp.mpf(rc), cutoff
        self.at_rc, self.force_rc = self.bare(self.rc), self.bare_force(self.rc)

    def bare(self, r):
        s = (self.sig / r) ** 6
        return 4 * self.eps * (s * s - s)

    def bare_force(self, r):
        s = (self.sig / r) ** 6
        return 24 * self.eps * (2 * s * s - s) / r

    # What the motion conserves, its force, and what is reported.
    def energy(self, r):
        if r >= self.rc: return mp.mpf(0)
        e = self.bare(r) - self.at_rc
        return e + self.force_rc * (r - self.rc) if self.cutoff == 'force-shifted' else e

    def force(self, r):
        if r >= self.rc: return mp.mpf(0)
        return self.bare_force(r) - (self.force_rc if self.cutoff == 'force-shifted' else 0)

    def reported(self, r):
        if r >= self.rc: return mp.mpf(0)
        return self.bare(r) if self.cutoff == 'truncated' else self.energy(r)


def sums(positions, pair, box=None, bonds=None):
    """conserved and reported energy and virial, over all images within rc"""
    e = u = w = mp.mpf(0)
    n = len(positions)
    images = [(0, 0, 0)] if box is None else list(itertools.product(*[range(-math.ceil(float(pair.rc) / b) - 1, math.ceil(float(pair.rc) / b) + 2) for b in box]))
    for i in range(n):
        for j in range(i, n):
            for m in images:
                if i == j and m == (0, 0, 0): continue
                d = [mp.mpf(positions[i][k]) - mp.mpf(positions[j][k]) + (m[k] * mp.mpf(box[k]) if box else 0) for k in range(3)]
                if sum(float(x) ** 2 for x in d) > float(pair.rc) ** 2 * 1.001: continue
                r = mp.sqrt(sum(x * x for x in d))
                h = mp.mpf(1) / 2 if i == j else 1
                e += h * pair.energy(r); u += h * pair.reported(r); w += h * pair.force(r) * r
    if bonds:
        k, r0 = bonds
        for i in range(n - 1):
            r = mp.sqrt(sum((mp.mpf(positions[i][d]) - mp.mpf(positions[i + 1][d])) ** 2 for d in range(3)))
            s = mp.mpf(k) / 2 * (r - mp.mpf(r0)) ** 2
            e += s; u += s; w += -mp.mpf(k) * (r - mp.mpf(r0)) * r
    return e, u, w


def kinetic(velocities):
    return sum(mp.mpf(x) ** 2 for v in velocities for x in v) / 2


def put(eps=1, sig=1, rc=2.5, cutoff='truncated'):
    given = {'eps': eps, 'sig': sig, 'rc': rc, 'cutoff': cutoff}
    return {k: v for k, v in given.items() if v != {'eps': 1, 'sig': 1, 'rc': 2.5, 'cutoff': 'truncated'}[k]}


def separation(r, v, t, pair, bonds=None):
    """distance of two unit masses after t: relative coordinate of mass 1/2"""
    p = [float(x) for x in (pair.eps, pair.sig, pair.rc, pair.force_rc)]
    shifted = pair.cutoff == 'force-shifted'

    def right(_, y):
        d = np.sqrt(y[:3] @ y[:3])
        s = (p[1] / d) ** 6
        f = 24 * p[0] * (2 * s * s - s) / d - (p[3] if shifted else 0) if d < p[2] else 0
        if bonds: f -= bonds[0] * (d - bonds[1])
        return np.concatenate([y[3:], 2 * f * y[:3] / d])
    y = solve_ivp(right, [0, t], np.concatenate([r, v]), method='DOP853', rtol=1e-13, atol=1e-14).y[:, -1]
    return math.sqrt(y[:3] @ y[:3])


TWO_BODY = 'relative motion integrated with DOP853 at 1e-13 (scipy), independent of velocity Verlet'
CLOSED = 'energy of the given start, summed with 30 digits; the exact motion keeps it'

# Two bodies in free space: bound, rotating, scattered, sprung.
dimers = [
    ('radial oscillation', 1.3, (0, 0, 0), 1800, 0.003, dict(rc=20)),
    ('wide oscillation', 1.9, (0, 0, 0), 2500, 0.004, dict(rc=20)),
    ('small oscillation', 1.15, (0, 0, 0), 1500, 0.002, dict(rc=10)),
    ('circular orbit nearly', 1.3, (0, 0.9, 0), 3000, 0.004, dict(rc=20)),
    ('rotating vibration', 1.2, (0.3, 0.8, 0.2), 2500, 0.003, dict(rc=20)),
    ('tilted rotation', 1.4, (0.1, 0.5, 0.6), 2000, 0.004, dict(rc=15)),
    ('head-on collision', 4.0, (-2.5, 0, 0), 800, 0.002, dict(rc=20)),
    ('glancing collision', 4.0, (-2.0, 0.6, 0), 1200, 0.003, dict(rc=20)),
    ('slow capture', 3.0, (-0.6, 0.25, 0), 2500, 0.004, dict(rc=20)),
    ('fast pass', 5.0, (-6.0, 1.0, 0.5), 900, 0.0015, dict(rc=20)),
    ('deep well', 1.25, (0, 1.0, 0), 2000, 0.001, dict(eps=5, rc=20)),
    ('large atoms', 2.1, (0, 0.4, 0), 2500, 0.005, dict(sig=1.6, rc=20)),
    ('small atoms', 0.6, (0, 0.5, 0), 2000, 0.001, dict(sig=0.5, rc=10)),
    ('force-shifted vibration', 1.35, (0, 0.3, 0), 2200, 0.003, dict(rc=2.5, cutoff='force-shifted')),
    ('force-shifted rotation', 1.2, (0.2, 0.9, 0), 2000, 0.003, dict(rc=3, cutoff='force-shifted')),
    ('far apart, at rest', 8.0, (0, 0, 0), 500, 0.01, dict(rc=20)),
]
for name, x, v, steps, dt, p in dimers:
    pair = Pair(**p)
    positions = [[0.25, -0.5, 1.0], [0.25 + x, -0.5, 1.0]]
    velocities = [[-a / 2 for a in v], [a / 2 for a in v]]
    input = {**put(**p), 'positions': positions, 'velocities': velocities, 'steps': steps, 'dtSim': dt}
    add(f'{name}: separation', input, separation(np.array([x, 0, 0.]), np.array(v, float), steps * dt, pair), TWO_BODY, 'separation', 1e-11)
    e, _, _ = sums(positions, pair)
    add(f'{name}: energy', input, (e + kinetic(velocities)) / 2, CLOSED)
for k, r0, x, v in [(30, 1, 1.1, (0, 0, 0)), (100, 1.1, 1.2, (0, 0.7, 0)), (5, 1.3, 1.0, (0.2, 0.5, 0)), (400, 0.97, 1.0, (0, 0, 1.0))]:
    pair = Pair(rc=20)
    positions, velocities = [[0, 0, 0], [x, 0, 0]], [[-a / 2 for a in v], [a / 2 for a in v]]
    input = {'preset': 'polymer', 'rc': 20, 'kBond': k, 'r0Bond': r0, 'positions': positions, 'velocities': velocities, 'steps': 1600, 'dtSim': 0.002}
    add(f'spring {k} of length {r0}: separation', input, separation(np.array([x, 0, 0.]), np.array(v, float), 3.2, pair, (k, r0)), TWO_BODY, 'separation', 1e-11)
    e, _, _ = sums(positions, pair, None, (k, r0))
    add(f'spring {k} of length {r0}: energy', input, (e + kinetic(velocities)) / 2, CLOSED)

# Averages over whole periods of a radial oscillation: the second half of the run is one period.
for E in (-0.3, -0.6, -0.85):
    pair = Pair(rc=20)
    phi = lambda r: pair.energy(r)
    inner = mp.findroot(lambda r: phi(r) - E, (mp.mpf('0.9'), mp.mpf('1.12')), solver='anderson')
    outer = mp.findroot(lambda r: phi(r) - E, (mp.mpf('1.13'), mp.mpf('2.2')), solver='anderson')
    # r = middle + half sin(theta) removes the singular ends; reduced mass 1/2: speed 2 sqrt(E - phi).
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    r = lambda a: middle + half * mp.sin(a)
    def over(f):
        return mp.quad(lambda a: f(r(a)) * half * mp.cos(a) / (2 * mp.sqrt(abs(E - phi(r(a))))), mp.linspace(-mp.pi / 2, mp.pi / 2, 7))
    period = 2 * over(lambda r: 1)
    potential = over(pair.reported) * 2 / period / 2
    steps = 2000
    input = {'rc': 20, 'positions': [[0, 0, 0], [float(outer), 0, 0]], 'steps': steps, 'dtSim': float(2 * period / steps)}
    source = 'quadrature over the period between the turning points (30 digits)'
    add(f'mean potential energy of a dimer at {E}', input, potential, source, 'potential_energy_mean', 1e-7)
    add(f'mean temperature of a dimer at {E}', input, 2 * (E - (potential * 2 - pair.at_rc)) / 3, source, 'temperature_mean', 1e-7)

# Clusters and chains: the energy that the motion keeps.
def cluster(n, spread):
    found = []
    while len(found) < n:
        p = [round(rng.uniform(0, spread), 3) for _ in range(3)]
        if all(math.dist(p, q) > 0.98 for q in found): found.append(p)
    return found
for n, spread, speed, p in [(3, 2, 0.5, {}), (4, 2, 0, {}), (6, 2.4, 0.7, dict(rc=4)), (8, 2.6, 0.3, dict(cutoff='force-shifted')), (13, 3, 0.5, dict(rc=6)), (20, 4, 1, dict(cutoff='shifted'))]:
    positions = cluster(n, spread)
    velocities = [[round(rng.gauss(0, speed), 3) for _ in range(3)] for _ in range(n)]
    e, _, _ = sums(positions, Pair(**p))
    add(f'cluster of {n}: energy', {**put(**p), 'positions': positions, 'velocities': velocities, 'steps': 600, 'dtSim': 0.002}, (e + kinetic(velocities)) / n, CLOSED)
for n in (5, 12, 16):
    positions = [[1.05 * i, 0.1 * (i % 2), 0] for i in range(n)]
    e, _, _ = sums(positions, Pair(), None, (30, 1))
    add(f'stretched chain of {n}: energy', {'preset': 'polymer', 'positions': positions, 'steps': 500, 'dtSim': 0.002}, e / n, CLOSED)

# Perfect lattices at rest: shells of the lattice, exact squares of distances.
BASES = {'sc': [(0, 0, 0)], 'bcc': [(0, 0, 0), (1, 1, 1)], 'fcc': [(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)]}
def shells(kind, a, pair):
    """reported energy and virial per atom; sites have even coordinates in half edges, shifted by the basis"""
    m = int(2 * float(pair.rc) / a) + 2
    u = w = mp.mpf(0)
    for x, y, z in itertools.product(range(-m, m + 1), repeat=3):
        if (x, y, z) == (0, 0, 0): continue
        if not any(all((c - b) % 2 == 0 for c, b in zip((x, y, z), base)) for base in BASES[kind]): continue
        r = mp.mpf(a) / 2 * mp.sqrt(x * x + y * y + z * z)
        u += pair.reported(r) / 2; w += pair.force(r) * r / 2
    return u, w
full = shells('fcc', 2 ** 0.5, Pair(rc=40))[0]
# Kittel, Introduction to Solid State Physics, ch. 3: sums 14.45392 and 12.13188 over distances in neighbours.
assert abs(full - 2 * (mp.mpf('12.13188') - mp.mpf('14.45392'))) < 2e-3, full
def lattice(kind, a, cells):
    return [[(2 * i + b[0]) * a / 2, (2 * j + b[1]) * a / 2, (2 * k + b[2]) * a / 2] for i in range(cells) for j in range(cells) for k in range(cells) for b in BASES[kind]]
for kind, a, cells, p in [('fcc', 1.6, 3, {}), ('fcc', 1.54, 2, dict(rc=4.3)), ('fcc', 1.7, 3, dict(cutoff='force-shifted')), ('fcc', 1.5, 2, dict(rc=6.1)), ('fcc', 3.1, 3, dict(sig=2, rc=5.3)),
                          ('sc', 1.1, 4, {}), ('sc', 1.05, 3, dict(rc=3.7)), ('sc', 1.2, 3, dict(cutoff='shifted', rc=3.1)), ('bcc', 1.25, 3, {}), ('bcc', 1.3, 2, dict(rc=3.9, eps=2)), ('bcc', 1.28, 3, dict(cutoff='force-shifted', rc=3.3))]:
    u, w = shells(kind, a, Pair(**p))
    input = {**put(**p), 'positions': lattice(kind, a, cells), 'box': [a * cells] * 3, 'steps': 10, 'sample': 2}
    source = f'{kind} lattice sum over shells within rc (30 digits); the sum to 40 sigma is checked against Kittel'
    add(f'{kind} {a} {p}: energy', input, u, source, 'potential_energy_mean')
    add(f'{kind} {a} {p}: pressure', input, w * len(BASES[kind]) / (3 * mp.mpf(a) ** 3), source, 'pressure_mean')

# The fourth configuration of NIST: 30 atoms in a box of 8.
nist = json.loads((here / '../truth/nist-lennard-jones-4.json').read_text())
still = {'positions': nist['positions'], 'box': [8, 8, 8], 'steps': 10, 'dtSim': 1e-7, 'sample': 2}
for row in nist['values']:
    input = {**put(rc=row['rc'], cutoff=row['cutoff']), **still}
    label = f"NIST configuration 4, {row['cutoff']} at {row['rc']}"
    add(f'{label}: energy', input, row['U'] / 30, nist['source'], 'potential_energy_mean', 5e-4 / 30)
    add(f'{label}: pressure', input, row['W'] / (3 * 512), nist['source'], 'pressure_mean', 5e-4 / 1536)
    if row['tail']: add(f'{label}: tail', input, row['tail'] / 30, nist['source'], 'tail_energy', 5e-6 / 30)

# Momentum of atoms that move together, at any speed.
for v in ((0.5, 0, 0), (3, -4, 0), (0.01, 0.02, 0.02)):
    add(f'momentum at {v}', {'positions': [[0, 0, 0], [1.2, 0, 0], [0, 1.2, 0]], 'velocities': [list(v)] * 3, 'steps': 200, 'dtSim': 0.001}, 3 * mp.sqrt(sum(mp.mpf(x) ** 2 for x in v)), 'three unit masses of one velocity: 3 |v|, conserved', 'momentum')
for rho, rc in ((0.8442, 2.5), (0.3, 4)):
    x = (1 / mp.mpf(rc)) ** 3
    add(f'tail energy at {rho}, {rc}', {'N': 32, 'rho': rho, 'rc': rc, 'steps': 10}, mp.mpf(8) / 3 * mp.pi * mp.mpf(rho) * (x ** 3 / 3 - x), 'Frenkel & Smit, Understanding Molecular Simulation, eq. 3.2.8, with 30 digits', 'tail_energy')

# Two atoms in a box: averages by one integral.
def canonical(L, T, pair, weight=None):
    weight = weight or (lambda r: mp.exp(-pair.energy(r) / T))
    grid = [mp.mpf('0.55') * pair.sig, pair.sig, 1.3 * pair.sig, 2 * pair.sig, pair.rc]
    far = mp.mpf(L) ** 3 - 4 * mp.pi / 3 * pair.rc ** 3
    total = mp.quad(lambda r: weight(r) * 4 * mp.pi * r * r, grid) + far * weight(mp.mpf(10 ** 6))
    mean = lambda f: mp.quad(lambda r: f(r) * weight(r) * 4 * mp.pi * r * r, grid) / total
    return mean(pair.reported), mean(lambda r: pair.force(r) * r), mean(lambda r: pair.energy(r))
COUNT = 0
for L, T, p in [(5.2, 1.5, {}), (5.5, 2.5, {}), (6.0, 1.3, {}), (5.1, 4.0, {}), (5.0, 2.0, dict(cutoff='force-shifted')), (6.5, 1.6, dict(rc=3)), (5.0, 10.0, dict(cutoff='shifted')), (7.0, 3.0, {}), (5.4, 3, dict(eps=2, rc=2.6)), (4.2, 1.8, dict(sig=0.8, rc=2))]:
    pair = Pair(**p)
    u, w, _ = canonical(L, T, pair)
    k = mp.mpf(3) / 2 * T
    V = mp.mpf(L) ** 3
    for of, truth in ((None, (u + k) / 2), ('potential_energy_mean', u / 2), ('pressure_mean', (2 * k + w) / (3 * V)), ('temperature_mean', T)):
        COUNT += 1
        input = {**put(**p), 'positions': [[1, 1, 1], [3, 2.2, 2.7]], 'box': [L] * 3, 'T0': T, 'thermostat': 'bussi', 'tau': 0.3, 'steps': 60000, 'dtSim': 0.003 / max(1, math.sqrt(T / 2)), 'seed': COUNT}
        add(f'two atoms, edge {L}, T {T} {p}: {of or "energy"}', input, truth, 'canonical average of two atoms: an integral over their distance (mpmath, 30 digits)', of)
# The same at constant energy: the weight of a distance is the square root of the kinetic energy left, in three dimensions.
for L, E, p in [(5.2, 2.0, {}), (5.5, 4.0, {}), (5.0, 3.0, dict(cutoff='force-shifted')), (5.1, 6.0, dict(cutoff='shifted'))]:
    pair = Pair(**p)
    start = [[1, 1, 1], [3, 2.1, 2.2]]
    e, _, _ = sums(start, pair, [L] * 3)
    T0 = float((E - e) * 2 / 3)
    root = lambda r: mp.sqrt(max(mp.mpf(0), mp.mpf(E) - pair.energy(r)))
    inside = mp.findroot(lambda r: pair.energy(r) - E, (mp.mpf('0.8'), mp.mpf('1.05')), solver='anderson')
    grid = [inside, 1, 1.3, 2, pair.rc]
    far = mp.mpf(L) ** 3 - 4 * mp.pi / 3 * pair.rc ** 3
    total = mp.quad(lambda r: root(r) * r * r * 4 * mp.pi, grid) + far * mp.sqrt(E)
    mean = lambda f: mp.quad(lambda r: f(r) * root(r) * r * r * 4 * mp.pi, grid) / total
    k = E - mean(pair.energy)
    for of, truth in (('temperature_mean', 2 * k / 3), ('potential_energy_mean', mean(pair.reported) / 2), ('pressure_mean', (2 * k + mean(lambda r: pair.force(r) * r)) / (3 * mp.mpf(L) ** 3))):
        COUNT += 1
        input = {**put(**p), 'positions': start, 'box': [L] * 3, 'T0': T0, 'steps': 60000, 'dtSim': 0.002, 'seed': COUNT}
        add(f'two atoms, edge {L}, energy {E} {p}: {of}', input, truth, 'microcanonical average of two atoms: an integral over their distance (mpmath, 30 digits)', of)

# The kinetic temperature of a canonical run is that of the thermostat, whatever the atoms do.
for name, input, T in [('liquid', {'N': 32, 'rho': 0.7, 'rc': 1.7, 'steps': 6000, 'dtSim': 0.004}, 1.2), ('gas', {'preset': 'lj-gas', 'N': 40, 'steps': 6000, 'dtSim': 0.005}, 2), ('crystal', {'preset': 'crystal', 'N': 32, 'rc': 1.7, 'steps': 6000, 'dtSim': 0.005}, 0.3),
                       ('melt', {'preset': 'polymer', 'N': 32, 'rc': 1.122462048309373, 'cutoff': 'shifted', 'steps': 8000, 'dtSim': 0.004}, 1), ('hot fluid', {'N': 32, 'rho': 0.5, 'rc': 1.7, 'steps': 8000, 'dtSim': 0.002}, 8), ('supercooled', {'N': 32, 'rho': 0.9, 'rc': 1.7, 'steps': 8000, 'dtSim': 0.005}, 0.5)]:
    for tau in (0.1, 0.4):
        COUNT += 1
        add(f'{name}, tau {tau}: temperature', {**input, 'T0': T, 'thermostat': 'bussi', 'tau': tau, 'seed': COUNT}, T, 'equipartition: the canonical kinetic energy has no part of the potential', 'temperature_mean')

# Dilute gases: second virial coefficient of the cut potential; the third is bounded by rho^2.
for T, rho, p in [(2, 0.005, {}), (1.5, 0.004, {}), (3, 0.01, dict(cutoff='force-shifted')), (5, 0.01, {})]:
    pair = Pair(**p)
    grid = [mp.mpf('0.4'), 0.8, 1, 1.3, 2, pair.rc]
    b = lambda f: mp.quad(lambda r: f(r) * 2 * mp.pi * r * r, grid)
    boltzmann = lambda r: mp.exp(-pair.energy(r) / T)
    B2 = -b(lambda r: boltzmann(r) - 1) + 2 * mp.pi * mp.mpf('0.4') ** 3 / 3
    n = 60
    pairs = mp.mpf(n - 1) / n
    for of, truth, third in (('pressure_mean', rho * T * (pairs + B2 * rho * pairs), 5 * rho ** 3 * T), ('potential_energy_mean', rho * pairs * b(lambda r: pair.reported(r) * boltzmann(r)), 30 * rho ** 2)):
        COUNT += 1
        add(f'gas of {rho} at {T} {p}: {of}', {**put(**p), 'preset': 'lj-gas', 'N': n, 'rho': rho, 'T0': T, 'thermostat': 'bussi', 'steps': 12000, 'dtSim': 0.005 if T < 4 else 0.003, 'seed': COUNT}, truth, 'virial expansion to the second coefficient, by quadrature; the third bounds the accuracy', of, third)

# Published states of the fluid, 500 atoms. Tails are taken off; the kinetic part is that of N - 1 atoms.
states = json.loads((here / '../truth/lennard-jones.json').read_text())
for s in states['states']:
    x = (1 / s['rc']) ** 3
    tailU = 8 / 3 * math.pi * s['rho'] * (x ** 3 / 3 - x) if s['withTails'] else 0
    tailP = 16 / 3 * math.pi * s['rho'] ** 2 * (2 / 3 * x ** 3 - x) if s['withTails'] else 0
    input = {**put(rc=s['rc'], cutoff=s['cutoff']), 'preset': 'lj-gas' if s['rho'] < 0.1 else 'lj-liquid', 'N': 500, 'rho': s['rho'], 'T0': s['T'], 'thermostat': 'bussi', 'steps': 40000, 'dtSim': 0.004}
    source = states['provenance'][s['source']]
    add(f"published energy at {s['T']}, {s['rho']}", input, s['U'] - tailU, source, 'potential_energy_mean', s['tolerance']['U'], True)
    if 'P' in s:
        add(f"published pressure at {s['T']}, {s['rho']}", input, s['P'] - tailP - s['rho'] * s['T'] / 500, source, 'pressure_mean', s['tolerance']['P'], True)

assert len({c['name'] for c in cases}) == len(cases)
body = ',\n'.join('    ' + json.dumps(c, ensure_ascii=False) for c in cases)
(here / 'evolve.json').write_text('{\n  "generator": "test/coverage/evolve.py",\n  "cases": [\n' + body + '\n  ]\n}\n')
print(len(cases), 'cases')
