"""Writes lorenz.json: exponents and what goes with them that this project did not compute.

    cc -O2 -o /tmp/lyapunov test/coverage/lorenz.c -lm
    python3 test/coverage/lorenz.py /tmp/lyapunov [seed] > test/coverage/lorenz.json

Eigenvalues by numpy at equilibria that scipy's LSODA has reached; linear systems; Floquet exponents of limit cycles by
DOP853 at 1e-12; long runs of a plain C program for chaos; pairs of solutions by DOP853 at 1e-13; published numbers.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

PROGRAM = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 20261124
random = np.random.default_rng(SEED)
cases = []


def add(name, given, of, truth, source, accuracy=0.0):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    if accuracy:
        case["accuracy"] = float(accuracy)
    cases.append(case)


def draw(low, high):
    return float(f"{np.exp(random.uniform(np.log(low), np.log(high))):.6g}")


def lorenz(s, r, b):
    f = lambda t, y: [s * (y[1] - y[0]), y[0] * (r - y[2]) - y[1], y[0] * y[1] - b * y[2]]
    J = lambda y: np.array([[-s, s, 0], [r - y[2], -1, -y[0]], [y[1], y[0], -b]])
    return f, J


def rossler(a, b, c):
    f = lambda t, y: [-y[1] - y[2], y[0] + a * y[1], b + y[2] * (y[0] - c)]
    J = lambda y: np.array([[0, -1, -1], [1, a, 0], [y[2], 0, y[0] - c]])
    return f, J


# --- stable equilibria of Lorenz's equations -------------------------------------------------------------------------
EIGEN = "eigenvalues by numpy at the equilibrium that LSODA reaches"
count = 0
while count < 24:
    s, b = draw(0.5, 40), draw(0.2, 8)
    kind = count % 3
    hopf = s * (s + b + 3) / (s - b - 1) if s > b + 1 else 60
    r = float(f"{random.uniform(-3, 0.9):.5g}") if kind == 0 else float(f"{1 + (hopf - 1) * random.uniform(0.1, 0.7):.6g}")
    if kind == 2 and r > 1.5:
        r = float(f"{random.uniform(1.2, 3):.5g}")
    start = [float(f"{v:.4g}") for v in random.uniform(-5, 5, 3)]
    f, J = lorenz(s, r, b)
    end = solve_ivp(f, (0, 300), start, method="LSODA", rtol=1e-10, atol=1e-12).y[:, -1]
    if np.abs(f(0, end)).max() > 1e-7:
        continue
    x = np.sqrt(b * (r - 1)) * np.sign(end[0]) if r > 1 else 0.0
    rest = np.array([x, x, r - 1 if r > 1 else 0.0])
    if np.abs(end - rest).max() > 1e-5:
        continue
    values = np.linalg.eigvals(J(rest))
    fastest = np.abs(values).max()
    slowest = -values.real.max()
    if slowest < 0.02:
        continue
    given = {"sigma": s, "rho": r, "beta": b, "start": start, "dt": min(0.01, float(f"{0.1 / fastest:.3g}")), "steps": 60000}
    add(f"Lorenz at rest s={s} r={r} b={b}", given, None, values.real.max(), EIGEN, 1e-12 * fastest)
    if count % 4 == 0:
        add(f"Lorenz at rest, the last, s={s} r={r} b={b}", given, "lambda_3", values.real.min(), EIGEN, 1e-12 * fastest)
        add(f"Hopf, s={s} b={b}", given, "hopf_rho", s * (s + b + 3) / (s - b - 1), "Lorenz 1963, eq. 33") if s > b + 1 else None
    count += 1

# --- linear systems of two to six states -----------------------------------------------------------------------------
for k in range(16):
    n = 2 + k % 5
    A = np.round(random.normal(size=(n, n)), 3)
    A -= np.round(np.linalg.eigvals(A).real.max() + draw(0.05, 1), 3) * np.eye(n)
    A = np.round(A, 3)
    names = "abcdef"[:n]
    text = "\n".join(f"{names[i]}' = " + " + ".join(f"({A[i, j]!r})*{names[j]}" for j in range(n)).replace("np.float64", "") for i in range(n))
    values = np.linalg.eigvals(A).real
    given = {"equations": text, "steps": 20000, "dt": 0.01}
    add(f"linear, {n} states, {k}", given, None, values.max(), "eigenvalues by numpy", 1e-12)
    if k % 3 == 0:
        add(f"linear, the last of {n}, {k}", given, f"lambda_{n}", values.min(), "eigenvalues by numpy", 1e-12)
for w in (0.3, 1.0, 7.0):
    add(f"harmonic oscillator {w}", {"equations": f"x' = y; y' = -{w * w!r}*x", "dt": 0.01, "steps": 50000}, None, 0, "conserved energy")

# --- starts in an equilibrium ----------------------------------------------------------------------------------------
for s, r, b in ((10, 28, 8 / 3), (16, 45.92, 4), (7.3, 2.2, 1.1)):
    f, J = lorenz(s, r, b)
    add(f"start at the origin s={s} r={r}", {"sigma": s, "rho": r, "beta": b, "start": [0, 0, 0], "steps": 10000}, None,
        np.linalg.eigvals(J([0, 0, 0])).real.max(), "eigenvalues by numpy", 1e-12)
    x = float(np.sqrt(b * (r - 1)))
    add(f"start at the rolls s={s} r={r}", {"sigma": s, "rho": r, "beta": b, "start": [x, x, r - 1], "steps": 10000}, None,
        np.linalg.eigvals(J([x, x, r - 1])).real.max(), "eigenvalues by numpy", 1e-11)


# --- limit cycles ----------------------------------------------------------------------------------------------------
def cycle(f, J, start, section, settle, n):
    """The Floquet exponents of the cycle that is reached, by Newton's method on a section y[section] = const."""
    y = solve_ivp(f, (0, settle), start, method="DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
    level = solve_ivp(f, (0, settle / 10), y, method="DOP853", rtol=1e-9).y[section].mean()

    def both(t, z):
        return np.concatenate([f(t, z[:n]), (J(z[:n]) @ z[n:].reshape(n, n)).ravel()])

    def event(t, z):
        return z[section] - level
    event.direction = 1
    y = solve_ivp(f, (0, settle), y, method="DOP853", rtol=1e-11, atol=1e-11, events=event).y_events[0][-1]
    for periods in range(1, 9):
        crossings = solve_ivp(f, (0, settle), y, method="DOP853", rtol=1e-12, atol=1e-12, events=event)
        times = [t for t in crossings.t_events[0] if t > 1e-3]
        states = [s for t, s in zip(crossings.t_events[0], crossings.y_events[0]) if t > 1e-3]
        if np.abs(states[periods - 1] - y).max() < 1e-6 * np.abs(y).max():
            T = times[periods - 1]
            break
    else:
        return None
    end = solve_ivp(both, (0, T), np.concatenate([y, np.eye(n).ravel()]), method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    m = np.linalg.eigvals(end[n:].reshape(n, n))
    return np.sort(np.log(np.abs(m)) / T)[::-1]


FLOQUET = "Floquet exponents by scipy's DOP853 at 1e-12"
for mu in (0.2, 0.5, 1.0, 2.0, draw(0.3, 3)):
    f = lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]
    J = lambda y: np.array([[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0] ** 2)]])
    found = cycle(f, J, [2, 0.1], 0, 400, 2)
    given = {"preset": "oscillator", "constants": f"mu = {mu!r}"}
    add(f"van der Pol {mu}", given, None, 0, "a cycle has one exponent of 0")
    add(f"van der Pol, the second, {mu}", given, "lambda_2", found[1], FLOQUET, 1e-8)
    add(f"van der Pol, divergence, {mu}", given, "divergence", found.sum(), FLOQUET, 1e-8)
for c in (2.5, 3.5, 4.0, float(f"{random.uniform(2.2, 2.7):.4f}")):
    f, J = rossler(0.2, 0.2, c)
    found = cycle(f, J, [1, 1, 0], 1, 1500, 3)
    if found is None:
        continue
    given = {"preset": "rossler", "c": c}
    add(f"Rössler {c}", given, None, 0, "a cycle has one exponent of 0")
    add(f"Rössler, the second, {c}", given, "lambda_2", found[1], FLOQUET, 1e-7)
    add(f"Rössler, dimension, {c}", given, "kaplan_yorke_dimension", 1, "a cycle is a line")
for r in (100.0, 100.4, 160.0, 250.0, float(f"{random.uniform(320, 400):.2f}")):
    f, J = lorenz(10, r, 8 / 3)
    found = cycle(f, J, [1, 1, 1], 2, 200, 3)
    if found is None:
        continue
    given = {"preset": "window", "rho": r}
    add(f"Lorenz's window {r}", given, None, 0, "a cycle has one exponent of 0")
    add(f"Lorenz's window, the second, {r}", given, "lambda_2", found[1], FLOQUET, 1e-6)

# --- chaos -----------------------------------------------------------------------------------------------------------
LONG = "a plain program in C over 37,500 or 187,500 units of time"
jobs = [(0, 10, 28, 8 / 3), (0, 16, 45.92, 4), (0, 10, 40, 8 / 3), (0, 10, 32, 2.2)]
for _ in range(10):
    s, b = float(f"{random.uniform(8, 16):.4g}"), float(f"{random.uniform(2, 4):.4g}")
    hopf = s * (s + b + 3) / (s - b - 1)
    jobs.append((0, s, float(f"{hopf * random.uniform(1.05, 1.6):.5g}"), b))
jobs += [(1, 0.2, 0.2, 5.7), (1, 0.15, 0.2, 10), (1, 0.1, 0.1, 14), (1, 0.25, float(f"{random.uniform(0.15, 0.3):.3g}"), 5)]


def run(job):
    model, p, q, r = job
    h, T = (0.002, 37500) if model == 0 else (0.01, 187500)
    return [float(v) for v in subprocess.run([PROGRAM, *map(str, (model, p, q, r, h, T))], capture_output=True, text=True).stdout.split()]


with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(run, jobs))
for (model, p, q, r), (l1, e1, l2, e2, l3, e3) in zip(jobs, results):
    names = ("sigma", "rho", "beta") if model == 0 else ("a", "b", "c")
    given = {"preset": "rossler" if model else "lorenz", **dict(zip(names, (p, q, r)))}
    label = f"{'Rössler' if model else 'Lorenz'} {p} {q} {r:.4g}"
    if model == 0 and q > 40:
        given["dt"] = 0.004
    if abs(l1) < 3 * e1 + 1e-4:
        add(f"{label}: no chaos", given, None, 0, LONG, 3 * e1)
        continue
    add(label, given, None, l1, LONG, 2 * e1)
    add(f"{label}, the last", given, "lambda_3", l3, LONG, 2 * e3)
    add(f"{label}, the second", given, "lambda_2", 0, "a bounded way without equilibrium has an exponent of 0")
    add(f"{label}, dimension", given, "kaplan_yorke_dimension", 2 + l1 / -l3, LONG, 2 * e1 / -l3 + 2 * l1 * e3 / l3 ** 2)
add("Viswanath", {}, None, 0.905630, "Viswanath 2004: symbolic dynamics, all digits", 1e-6)
add("Sprott, Lorenz", {}, "lambda_3", -14.5723, "Sprott 2003, table", 5e-5)
add("Sprott, dimension", {}, "kaplan_yorke_dimension", 2.06215, "Sprott 2003, table", 5e-5)
add("Sprott, Rössler", {"preset": "rossler"}, None, 0.0714, "Sprott 2003, table", 5e-5)
add("Sprott, Rössler, the last", {"preset": "rossler"}, "lambda_3", -5.3943, "Sprott 2003, table", 5e-5)
add("Wolf", {"preset": "wolf"}, None, 1.50233, "long run of the design's table", 4e-4)

# --- forecast horizons -----------------------------------------------------------------------------------------------
for k in range(8):
    delta = draw(1e-8, 1e-3)
    start = [float(f"{v:.4g}") for v in random.uniform([-10, -10, 10], [10, 10, 35])]
    tolerance = float(random.choice([0.1, 1.0, 3.0]))
    f, _ = lorenz(10, 28, 8 / 3)
    g = lambda t, y: np.concatenate([f(t, y[:3]), f(t, y[3:])])
    apart = lambda y: np.sqrt(((y[:3] - y[3:]) ** 2).sum(axis=0))
    solution = solve_ivp(g, (0, 40), start + [start[0] + delta, *start[1:]], method="DOP853", rtol=1e-13, atol=1e-15, max_step=0.01, dense_output=True)
    t = np.linspace(0, 40, 400001)
    d = apart(solution.sol(t))
    first = int(np.argmax(d >= tolerance))
    horizon = brentq(lambda x: apart(solution.sol(x)) - tolerance, t[first - 1], t[first], xtol=1e-12)
    add(f"horizon {k}", {"start": start, "delta": delta, "tolerance": tolerance, "steps": 20000}, "predictability_horizon",
        horizon, "two solutions by scipy's DOP853 at 1e-13", 1e-6)

# Long runs: five of six are in the slow suite only.
long = sorted({json.dumps(one["input"]) for one in cases if "dt" not in one["input"] and "equations" not in one["input"] and "steps" not in one["input"]})
for one in cases:
    text = json.dumps(one["input"])
    if text in long and long.index(text) % 6 != 0:
        one["isSlow"] = True

json.dump({"generator": "test/coverage/lorenz.py", "cases": cases}, sys.stdout, indent=2, ensure_ascii=False)
print()
