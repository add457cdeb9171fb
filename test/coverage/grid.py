# Truth of test/coverage/grid.json: flows of drawn networks with 30 digits, by mpmath.
#
# DC: the dense equations by LU. AC: Newton's method in polar coordinates on the bus admittance matrix, with the Jacobian
# in complex form. Numbers of the tables are taken as the decimals that they are written as.
#
#   python3 test/coverage/grid.py [seed] [count] > test/coverage/grid.json

import json
import random
import sys

from mpmath import mp, mpc, mpf, matrix, lu_solve, pi, expj, conj, arg, fabs

mp.dps = 34
D = lambda x: mpf(repr(x))


def draw_network(rng, n, style):
    numbers = rng.sample(range(1, 10 * n + 10), n)
    scale = {'plain': (0.01, 0.5), 'stiff': (1e-5, 1.0), 'weak': (0.5, 9.0)}.get(style, (0.01, 0.5))

    def reactance():
        low, high = scale
        return float('%.5g' % (low * (high / low) ** rng.random()))

    branches = []
    for i in range(1, n):
        branches.append([numbers[rng.randrange(i)], numbers[i], 0, reactance()])
    if style != 'radial':
        for _ in range(rng.randrange(1, n + 1)):
            a, b = rng.sample(numbers, 2)
            branches.append([a, b, 0, reactance()])
    for _ in range(2 if style == 'parallel' else 0):
        branches.append(branches[rng.randrange(len(branches))][:3] + [reactance()])
    for row in branches:
        row[2] = float('%.4g' % (row[3] * rng.uniform(0.02, 0.4)))
        row += [float('%.3g' % rng.uniform(0, 0.05)), 0, 0, 0]
        row.append(float('%.4g' % rng.uniform(0.9, 1.1)) if rng.random() < 0.3 or style == 'taps' else 0)
        row.append(float('%.3g' % rng.uniform(-12, 12)) if rng.random() < (0.6 if style == 'shifts' else 0.1) else 0)
        row.append(0 if style == 'off' and rng.random() < 0.2 else 1)
    if style == 'negative':
        # A series capacitor behind a line: the sum stays positive.
        row = branches[rng.randrange(len(branches))]
        middle = max(numbers) + 1
        branches.append([middle, row[1], 0, -float('%.4g' % (row[3] * rng.uniform(0.1, 0.6))), 0, 0, 0, 0, 0, 0, 1])
        row[1] = middle
        numbers.append(middle)
    size = {'stiff': 30, 'weak': 3}.get(style, 100)
    buses = []
    for k, number in enumerate(numbers):
        load = 0 if rng.random() < 0.2 else float('%.4g' % rng.uniform(0, size))
        shunts = [float('%.3g' % rng.uniform(0, 8)), float('%.3g' % rng.uniform(-10, 10))] if rng.random() < 0.2 else [0, 0]
        buses.append([number, 1, load, float('%.3g' % (load * rng.uniform(-0.1, 0.5)))] + shunts + [1, 1, 0, 0])
    buses[0][1] = 3
    buses[0][8] = float('%.3g' % rng.uniform(-30, 30))
    generators = [[numbers[0], 0, 0, 9999, -9999, float('%.4g' % rng.uniform(0.98, 1.06))]]
    for k in rng.sample(range(1, len(numbers)), min(len(numbers) - 1, rng.randrange(1, 3))):
        buses[k][1] = 2
        for _ in range(rng.choice([1, 1, 2])):
            voltage = generators[-1][5] if generators[-1][0] == numbers[k] else float('%.4g' % rng.uniform(0.98, 1.06))
            generators.append([numbers[k], float('%.4g' % rng.uniform(0, size)), 0, 9999, -9999, voltage])
    if style == 'references' and len(numbers) > 2:
        buses[1][1] = 3
        buses[1][8] = float('%.3g' % (buses[0][8] + rng.uniform(-5, 5)))
    return buses, generators, branches


def parts(buses, branches):
    parent = {b[0]: b[0] for b in buses}

    def root(a):
        while parent[a] != a:
            a = parent[a]
        return a

    for row in branches:
        if row[10]:
            parent[root(row[0])] = root(row[1])
    groups = {}
    for b in buses:
        groups.setdefault(root(b[0]), []).append(b[0])
    return list(groups.values())


def states(buses, generators, branches):
    """By bus number: its kind, 'dead' without a source."""
    kinds = {b[0]: {1: 'load', 2: 'generator', 3: 'reference'}[b[1]] for b in buses}
    sources = {g[0] for g in generators}
    for b in buses:
        if kinds[b[0]] == 'generator' and b[0] not in sources:
            kinds[b[0]] = 'load'
    for group in parts(buses, branches):
        if any(kinds[k] == 'reference' for k in group):
            continue
        order = [b[0] for b in buses if b[0] in group]
        found = [k for k in order if kinds[k] == 'generator'] or [k for k in order if k in sources]
        if found:
            kinds[found[0]] = 'reference'
        else:
            for k in group:
                kinds[k] = 'dead'
    return kinds


def dc(buses, generators, branches, base, factor):
    kinds = states(buses, generators, branches)
    at = {b[0]: i for i, b in enumerate(buses)}
    n = len(buses)
    B, P = matrix(n, n), matrix(n, 1)
    for i, b in enumerate(buses):
        P[i] = -(D(b[2]) * factor + D(b[4])) / base
    for g in generators:
        P[at[g[0]]] += D(g[1]) / base
    on = [r for r in branches if r[10] and kinds[r[0]] != 'dead' and kinds[r[1]] != 'dead']
    for r in on:
        b = 1 / (D(r[3]) * (D(r[8]) if r[8] else 1))
        i, j, shift = at[r[0]], at[r[1]], D(r[9]) * pi / 180
        B[i, i] += b
        B[j, j] += b
        B[i, j] -= b
        B[j, i] -= b
        P[i] += b * shift
        P[j] -= b * shift
    for i, b in enumerate(buses):
        if kinds[b[0]] in ('reference', 'dead'):
            for j in range(n):
                B[i, j] = 0
            B[i, i] = 1
            P[i] = D(b[8]) * pi / 180 if kinds[b[0]] == 'reference' else 0
    theta = lu_solve(B, P)
    flows = []
    for r in branches:
        b = 1 / (D(r[3]) * (D(r[8]) if r[8] else 1))
        flows.append(b * (theta[at[r[0]]] - theta[at[r[1]]] - D(r[9]) * pi / 180) if r in on else mpf(0))
    live = [i for i, b in enumerate(buses) if kinds[b[0]] != 'dead']
    slack = mpf(0)
    for i, b in enumerate(buses):
        if kinds[b[0]] == 'reference':
            slack += (D(b[2]) * factor + D(b[4])) / base
            for r, f in zip(branches, flows):
                slack += f if at[r[0]] == i else 0
                slack -= f if at[r[1]] == i else 0
    return flows, {'lowest_angle': min(theta[i] for i in live) * 180 / pi, 'reference_power': slack * base}


def ac(buses, generators, branches, base, factor):
    kinds = states(buses, generators, branches)
    if 'dead' in kinds.values():
        return None
    at = {b[0]: i for i, b in enumerate(buses)}
    n = len(buses)
    Y = matrix(n, n)
    ends = []
    for r in branches:
        if not r[10]:
            ends.append(None)
            continue
        y = 1 / mpc(D(r[2]), D(r[3]))
        half = mpc(0, D(r[4]) / 2)
        tap = (D(r[8]) if r[8] else 1) * expj(D(r[9]) * pi / 180)
        i, j = at[r[0]], at[r[1]]
        port = ((y + half) / fabs(tap) ** 2, -y / conj(tap), -y / tap, y + half)
        ends.append((i, j, port))
        Y[i, i] += port[0]
        Y[i, j] += port[1]
        Y[j, i] += port[2]
        Y[j, j] += port[3]
    S = [mpc(-D(b[2]), -D(b[3])) * factor / base for b in buses]
    for i, b in enumerate(buses):
        Y[i, i] += mpc(D(b[4]), D(b[5])) / base
    V = [mpf(1)] * n
    for g in generators:
        S[at[g[0]]] += mpc(D(g[1]), D(g[2])) / base
        if kinds[g[0]] != 'load':
            V[at[g[0]]] = D(g[5])
    angle0 = [D(b[8]) * pi / 180 for b in buses]
    reference = [i for i, b in enumerate(buses) if kinds[b[0]] == 'reference']
    a = [angle0[i] if i in reference else angle0[reference[0]] for i in range(n)]
    free = [i for i in range(n) if i not in reference]
    loads = [i for i, b in enumerate(buses) if kinds[b[0]] == 'load']
    for _ in range(30):
        U = [V[i] * expj(a[i]) for i in range(n)]
        I = [sum(Y[i, j] * U[j] for j in range(n)) for i in range(n)]
        T = [U[i] * conj(I[i]) for i in range(n)]
        F = [(T[i] - S[i]).real for i in free] + [(T[i] - S[i]).imag for i in loads]
        if max([fabs(f) for f in F] or [0]) < mpf(10) ** -28:
            break
        J = matrix(len(F), len(F))
        for c, (j, isV) in enumerate([(j, False) for j in free] + [(j, True) for j in loads]):
            dU = expj(a[j]) if isV else mpc(0, 1) * U[j]
            for r, (i, isQ) in enumerate([(i, False) for i in free] + [(i, True) for i in loads]):
                d = U[i] * conj(Y[i, j] * dU) + (dU * conj(I[i]) if i == j else 0)
                J[r, c] = d.imag if isQ else d.real
        step = lu_solve(J, matrix(F))
        for c, j in enumerate(free):
            a[j] -= step[c]
        for c, j in enumerate(loads):
            V[j] -= step[len(free) + c]
        if max(fabs(s) for s in step) > 50:
            return None
    else:
        return None
    if min(V) < 0.8:
        return None
    flows = [(U[e[0]] * conj(e[2][0] * U[e[0]] + e[2][1] * U[e[1]])).real if e else mpf(0) for e in ends]
    slack = sum((T[i].real + D(buses[i][2]) * factor / base) for i in reference)
    loss = sum(T[i].real for i in range(n))
    total = loss * base
    return flows, {'lowest_voltage': min(V), 'reference_power': slack * base, 'losses': total}


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    rng = random.Random(seed)
    styles = ['plain', 'radial', 'parallel', 'taps', 'shifts', 'off', 'negative', 'references', 'stiff', 'weak']
    cases = []
    while len(cases) < count:
        k = len(cases)
        style = styles[k % len(styles)]
        method = 'ac' if k % 3 == 2 else 'dc'
        n = rng.randrange(2, 9 if method == 'ac' else 14)
        buses, generators, branches = draw_network(rng, n, style)
        base = rng.choice([100, 100, 10, 1000])
        given = {'buses': buses, 'generators': generators, 'branches': branches, 'base': base, 'method': method}
        factor = mpf(1)
        if rng.random() < 0.2:
            given['load_factor'] = float('%.3g' % rng.uniform(0.2, 1.5))
            factor = D(given['load_factor'])
        if method == 'ac':
            given['contingencies'] = False
        result = (ac if method == 'ac' else dc)(buses, generators, branches, D(base), factor)
        on = [i for i, r in enumerate(branches) if r[10]]
        kinds = states(buses, generators, branches)
        on = [i for i in on if kinds[branches[i][0]] != 'dead']
        if result is None or not on:
            continue
        flows, others = result
        name = f'{style} {k}'
        l = rng.choice(on)
        given['branch'] = l + 1
        truth = {'name': f'{name}: {method} flow', 'input': given, 'truth': float(flows[l])}
        if k % 2 == 1:
            of = rng.choice(sorted(others))
            truth = {'name': f'{name}: {of}', 'input': given, 'of': of, 'truth': float(others[of])}
        # Of an exact 0 any rounding is more than a part of it: no measure of the ratio.
        if abs(truth['truth']) < 1e-6:
            continue
        truth['source'] = 'mpmath, 34 digits: dense equations, LU' if method == 'dc' else 'mpmath, 34 digits: polar Newton on the admittance matrix'
        truth['accuracy'] = 2.0 ** -52 * abs(truth['truth'])
        cases.append(truth)
    print(json.dumps({'provenance': 'Drawn and solved by test/coverage/grid.py with mpmath, which shares nothing with this project.', 'cases': cases}, indent=None, separators=(',', ':')))


main()
