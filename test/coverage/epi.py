"""Writes epi.json: answers about epidemics that this project did not compute.

    python3 test/coverage/epi.py > test/coverage/epi.json

Closed forms with mpmath and 30 digits; scipy's DOP853 at 1e-13 on the equations, with peaks located as events; eigenvalues
by numpy; the exact distribution of small stochastic epidemics as a Markov chain; noisy counts drawn about known curves.
"""
import json
import sys

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

mp.mp.dps = 30
random = np.random.default_rng(20261123)
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


# --- SIR in closed form ---------------------------------------------------------------------------------------------
def closed(R0, gamma, people, seeds, immune):
    R0, gamma, n, seeds, immune = map(mp.mpf, (R0, gamma, people, seeds, immune))
    i0 = seeds / n
    s0 = 1 - i0 - immune
    left = -mp.lambertw(-R0 * s0 * mp.exp(-R0 * (s0 + i0))).real / R0
    peak = s0 + i0 - (1 + mp.log(R0 * s0)) / R0 if R0 * s0 > 1 else i0
    day = mp.mpf(0)
    if R0 * s0 > 1:
        f = lambda u: 1 / (i0 - s0 * mp.expm1(-u) - u / R0)
        end = mp.log(R0 * s0)
        marks = [mp.mpf(0)] + [m for m in (i0 * mp.mpf(10) ** k for k in range(-1, 12)) if m < end / 2] + [end]
        day = mp.quad(f, marks) / (R0 * gamma)
    return n * (s0 + i0 - left), n * peak, day


for _ in range(22):
    R0 = draw(0.3, 20)
    gamma = draw(0.01, 2)
    people = float(int(draw(50, 1e9)))
    seeds = float(max(1, int(people * draw(1e-6, 0.05))))
    immune = round(float(random.choice([0, random.uniform(0, 0.5)])), 4)
    size, peak, day = closed(R0, gamma, people, seeds, immune)
    given = {"R0": R0, "gamma": gamma, "N": people, "I0": seeds, "immune": immune,
             "days": float(f"{min(9e4, max(400, 1.5 * float(day) * gamma + 100) / gamma):.6g}")}
    label = f"SIR R0={R0} gamma={gamma} N={people:g}"
    add(label, given, "final_size", size, "Lambert W with 30 digits")
    add(label, given, "peak_infectious", peak, "maximum in closed form with 30 digits")
    add(label, given, "peak_day", day, "quadrature over the susceptible with 30 digits")


# --- the equations by DOP853 ----------------------------------------------------------------------------------------
def integrate(given, sizes, contacts):
    """Infections, susceptible and infectious at the end, the largest number infectious, and its day."""
    m = len(sizes)
    sizes = np.array(sizes, float)
    C = np.array(contacts, float)
    people = sizes.sum()
    seir = given.get("model") == "seir"
    beta, gamma = given["beta"], given["gamma"]
    sigma, mu, omega = given.get("sigma", 0), given.get("mu", 0), given.get("waning", 0)
    days = given["days"]
    share = sizes / people
    E = given.get("E0", 0) * share
    I = given["I0"] * share
    R = given.get("immune", 0) * people * share
    y = np.concatenate([sizes - E - I - R, E, I, R, 0 * E])
    edges = sorted({0.0, days, *(w["from"] for w in given.get("windows", [])), *(w["to"] for w in given.get("windows", []))})
    best, at, slope_before = I.sum(), 0.0, 0.0
    for a, b in zip(edges, edges[1:]):
        active = [w for w in given.get("windows", []) if w["from"] <= a < w["to"]]
        phi = active[0].get("factor", 1) if active else 1
        nu = active[0].get("vaccination", 0) if active else 0

        def f(t, y):
            S, E, I, R = (y[k * m:(k + 1) * m] for k in range(4))
            new = beta * phi * (C @ (I / sizes)) * S
            onset = sigma * E if seir else new
            dE = new - (sigma + mu) * E if seir else 0 * E
            return np.concatenate([mu * sizes - new - (nu + mu) * S + omega * R, dE, onset - (gamma + mu) * I,
                                   gamma * I + nu * S - (mu + omega) * R, new])

        def rising(t, y):
            return f(t, y)[2 * m:3 * m].sum()

        rising.direction = -1
        run = solve_ivp(f, (a, b), y, method="DOP853", rtol=1e-13, atol=1e-26 * people, events=rising)
        candidates = [(run.t_events[0][k], state) for k, state in enumerate(run.y_events[0])] if len(run.t_events[0]) else []
        for t, state in [*candidates, (b, run.y[:, -1])]:
            now = state[2 * m:3 * m].sum()
            if now > best:
                best, at = now, t
        y = run.y[:, -1]
    S, E, I, R, new = (y[k * m:(k + 1) * m].sum() for k in range(5))
    return {"infected": new, "susceptible_end": S, "infectious_end": I, "peak_infectious": best, "peak_day": at}


def scenario(kind):
    given = {"beta": draw(0.1, 2), "gamma": draw(0.05, 0.8), "days": float(int(draw(30, 500)))}
    sizes = [float(int(draw(200, 1e8)))]
    contacts = [[1.0]]
    given["I0"] = float(max(1, int(sizes[0] * 1e-4)))
    if "seir" in kind:
        given.update(model="seir", sigma=draw(0.05, 3), E0=float(max(1, int(sizes[0] * 2e-4))))
    if "births" in kind:
        given.update(mu=draw(1e-5, 0.02))
    if "waning" in kind:
        given.update(waning=draw(1e-3, 0.1))
    if "windows" in kind:
        a, b, c, d = sorted(float(f"{x:.5f}") for x in random.uniform(0, given["days"], 4))
        given["windows"] = [{"from": a, "to": b, "factor": round(random.uniform(0, 1.5), 3), "vaccination": draw(1e-3, 0.05)},
                            {"from": c, "to": d, "factor": round(random.uniform(0, 1), 3)}]
    if "burst" in kind:
        a = float(f"{random.uniform(0.1, 0.6) * given['days']:.5f}")
        given["windows"] = [{"from": a, "to": round(a + 0.01, 5), "factor": 60.0}]
    if "groups" in kind:
        m = int(random.integers(2, 6))
        sizes = [float(int(draw(500, 1e6))) for _ in range(m)]
        meet = random.uniform(0.05, 1, (m, m))
        meet = (meet + meet.T) / 2 * np.array(sizes)
        contacts = [[float(f"{x:.6g}") for x in row] for row in meet / meet.sum(axis=1).max() * 3]
        given.update(groups=sizes, contacts=contacts, I0=20.0)
        given.pop("E0", None)
    else:
        given["N"] = sizes[0]
    return given, sizes, contacts


KINDS = ["seir", "seir births", "waning", "windows", "seir windows", "births waning windows", "burst", "seir burst", "groups",
         "seir groups windows", "groups births waning"]
for turn in range(2):
    for kind in KINDS:
        given, sizes, contacts = scenario(kind)
        found = integrate(given, sizes, contacts)
        people = sum(sizes)
        chosen = ["infected", "peak_infectious", "peak_day"] if turn == 0 else ["susceptible_end", "infectious_end", "peak_day"]
        for of in chosen:
            accuracy = 2e-9 * given["days"] if of == "peak_day" else 2e-11 * people
            add(kind, given, of, found[of], "scipy DOP853 at 1e-13, peaks as events", accuracy)

# --- eigenvalues ----------------------------------------------------------------------------------------------------
for _ in range(10):
    m = int(random.integers(2, 12))
    contacts = [[float(f"{x:.6g}") for x in row] for row in random.lognormal(0, 2, (m, m)) * (random.random((m, m)) < 0.7)]
    sizes = [float(int(draw(100, 1e7))) for _ in range(m)]
    gamma, mu, sigma, beta = draw(0.02, 2), draw(1e-5, 0.1), draw(0.02, 2), draw(0.001, 1)
    A = mp.matrix(contacts)
    radius = max(abs(x) for x in mp.eig(A, left=False, right=False))
    truth = radius * mp.mpf(beta) / (mp.mpf(gamma) + mp.mpf(mu)) * mp.mpf(sigma) / (mp.mpf(sigma) + mp.mpf(mu))
    given = {"model": "seir", "beta": beta, "gamma": gamma, "sigma": sigma, "mu": mu, "groups": sizes, "contacts": contacts,
             "days": 1.0, "I0": 1.0}
    add(f"R0 of {m} groups", given, None, truth, "largest eigenvalue by mpmath's QR with 30 digits")
for _ in range(6):
    R0, gamma, sigma = draw(0.5, 10), draw(0.02, 1), draw(0.02, 1)
    b, g, s = mp.mpf(R0) * mp.mpf(gamma), mp.mpf(gamma), mp.mpf(sigma)
    share = mp.mpf(1) - mp.mpf(1) / 10**6
    truth = (-(g + s) + mp.sqrt((g - s) ** 2 + 4 * s * b * share)) / 2
    given = {"model": "seir", "R0": R0, "gamma": gamma, "sigma": sigma, "N": 1e6, "I0": 1.0, "days": 10.0}
    add(f"growth at R0={R0}", given, "growth_rate", truth, "root of the characteristic equation with 30 digits")


# --- small stochastic epidemics -------------------------------------------------------------------------------------
def mean_size(beta, gamma, n, seeds, small):
    """Mean infections until the end, and the chance of fewer than `small`, over the jump chain of (S, I)."""
    s_max = n - seeds
    chance = {(s_max, seeds): 1.0}
    mean, few = 0.0, 0.0
    for total in range(2 * s_max + seeds + 1):
        after = {}
        for (s, i), p in chance.items():
            if i == 0:
                mean += p * (s_max - s)
                few += p * (s_max - s < small)
                continue
            infection = beta * s / n
            q = infection / (infection + gamma)
            if s:
                after[(s - 1, i + 1)] = after.get((s - 1, i + 1), 0) + p * q
            after[(s, i - 1)] = after.get((s, i - 1), 0) + p * (1 - q)
        chance = after
    return mean, few


for k in range(6):
    n, seeds = int(random.integers(20, 120)), int(random.integers(1, 4))
    gamma = draw(0.1, 0.6)
    R0 = draw(0.7, 4)
    mean, few = mean_size(R0 * gamma, gamma, n, seeds, 0.1 * (n - seeds))
    given = {"R0": R0, "gamma": gamma, "N": float(n), "I0": float(seeds), "days": float(int(600 / gamma)), "ensemble": 400,
             "seed": 1000 + k}
    add(f"ensemble of {n}", given, "ensemble_infected", mean, "jump chain of the Markov process, summed over all paths")
    add(f"ensemble of {n}", given, "small_outbreaks", few, "jump chain of the Markov process, summed over all paths")

# --- fits to noisy counts -------------------------------------------------------------------------------------------
for k in range(16):
    seir = k % 2 == 1
    gamma, sigma = draw(0.1, 0.5), draw(0.1, 0.5)
    R0 = draw(1.4, 5)
    n, seeds = float(int(draw(3e3, 1e6))), 3.0
    reporting = [1.0, 0.3][k % 4 // 2]
    f = lambda t, y: [-R0 * gamma * y[0] * y[2] / n, R0 * gamma * y[0] * y[2] / n - sigma * y[1] if seir else 0,
                      (sigma * y[1] if seir else R0 * gamma * y[0] * y[2] / n) - gamma * y[2], R0 * gamma * y[0] * y[2] / n]
    grow = (-(gamma + sigma) + np.sqrt((gamma - sigma) ** 2 + 4 * sigma * R0 * gamma)) / 2 if seir else gamma * (R0 - 1)
    days = int(min(300, np.log(n / seeds) / grow * random.uniform(0.9, 1.5)))
    run = solve_ivp(f, (0, days), [n - seeds, 0, seeds, 0], method="DOP853", rtol=1e-10, atol=1e-8, t_eval=np.arange(days + 1))
    means = reporting * np.diff(run.y[3])
    spread = [1.0, 4.0][k % 8 // 4]
    counts = random.poisson(means) if spread == 1 else random.negative_binomial(means / (spread - 1) + 1e-9, 1 / spread)
    lines = [f"{day + 1},{'NA' if random.random() < 0.05 else int(c)}" for day, c in enumerate(counts)]
    given = {"model": "seir" if seir else "sir", "gamma": gamma, "N": n, "I0": 1.0, "cases": "day,cases\n" + "\n".join(lines),
             "reporting": reporting, "days": float(days), **({"sigma": sigma} if seir else {})}
    add(f"fit of R0={R0} spread {spread:g}", given, None, R0, "counts drawn about a curve of this R0, Poisson or negative binomial")

json.dump({"generator": "test/coverage/epi.py", "cases": cases}, sys.stdout, indent=1)
sys.stdout.write("\n")
