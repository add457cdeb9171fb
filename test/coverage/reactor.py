"""Writes reactor.json: numbers of point kinetics that this project did not compute.

    python3 test/coverage/reactor.py [seed] > test/coverage/reactor.json

mpmath with 40 digits: steps by the exponential of the matrix, every other program and feedback by Taylor series in short
steps, periods by a root of the inhour equation. Inputs count as the doubles that they round to.
"""
import json
import math
import random
import sys

from mpmath import cos, expm, matrix, mp, mpf, pi, sin

mp.dps = 40
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20261124
random.seed(SEED)
cases = []
FAST = [0.0127, 0.0317, 0.115, 0.311, 1.4, 3.87]
SETS = {
    "U235_thermal_Keepin": ([0.0065 * a for a in (0.033, 0.219, 0.196, 0.395, 0.115, 0.042)], [0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01]),
    "U235_fast": ([0.006488 * a for a in (0.03807, 0.2127, 0.188039, 0.406905, 0.128237, 0.026048)], FAST),
    "Pu239": ([0.000077, 0.000656, 0.000464, 0.000717, 0.000189, 0.000097], [0.0128, 0.0301, 0.124, 0.325, 1.12, 2.69]),
    "benchmark": ([0.000266, 0.001491, 0.001316, 0.002849, 0.000896, 0.000182], FAST),
}


def add(name, given, of, truth, source):
    case = {"name": f"{len(cases)} {name}", "input": {"output_points": 4, **given}, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    case["accuracy"] = abs(float(truth)) * 1.2e-16
    cases.append(case)


def draw(low, high, digits=6):
    return float(f"{10 ** random.uniform(math.log10(low), math.log10(high)):.{digits}g}")


def data(given):
    beta, decay = SETS[given.get("groups", "U235_thermal_Keepin")]
    return [mpf(b) for b in beta], [mpf(d) for d in decay], mpf(given.get("Lambda", 2e-5))


EXPM = "exponential of the matrix, mpmath with 40 digits"


def step(given, rho, t):
    """n and its integral; states n, c, 1 for the source, integral."""
    beta, decay, generation = data(given)
    m = matrix(9, 9)
    m[0, 0] = (rho - sum(beta)) / generation
    m[0, 7] = mpf(given.get("source", 0.0))
    m[8, 0] = 1
    n0 = mpf(given.get("n0", 1.0))
    y = [n0]
    for i in range(6):
        m[0, 1 + i] = decay[i]
        m[1 + i, 0] = beta[i] / generation
        m[1 + i, 1 + i] = -decay[i]
        y.append(n0 * beta[i] / generation / decay[i])
    end = expm(m * mpf(t), method="taylor") * matrix(y + [1, 0])
    return end[0], end[8]


TAYLOR = "Taylor series in steps, mpmath with 40 digits"


def taylor(given, rho, t, alpha=0, heat=1, cool=0, terms=60):
    """rho(t0) gives value, slope, amplitude and angular frequency about t0; pieces end at multiples of nothing."""
    beta, decay, generation = data(given)
    n0 = mpf(given.get("n0", 1.0))
    n, theta = n0, mpf(0)
    c = [n0 * b / generation / d for b, d in zip(beta, decay)]
    source = mpf(given.get("source", 0.0))
    alpha, heat, cool = mpf(alpha), mpf(heat), mpf(cool)
    steady = n0 if cool else mpf(0)
    total = sum(beta)
    for begin, end, value, slope, amplitude, omega, since in rho:
        at, end = mpf(begin), min(mpf(end), mpf(t))
        while at < end:
            rate = (abs(mpf(value)) + abs(mpf(amplitude)) + abs(mpf(slope) * (end - begin)) + total) / generation + max(decay) + abs(mpf(omega))
            h = min(end - at, (3 if alpha or amplitude else 10) / rate)
            base = mpf(value) + mpf(slope) * (at - mpf(since))
            angle = mpf(omega) * (at - mpf(since))
            # rho as a series about `at`.
            r = [mpf(0)] * terms
            r[0], r[1] = base, mpf(slope)
            if amplitude:
                s, k, f = sin(angle), cos(angle), mpf(1)
                for j in range(terms):
                    wave = (s, k, -s, -k)[j % 4]
                    r[j] += mpf(amplitude) * wave * f
                    f = f * mpf(omega) / (j + 1)
            ns, cs, ts = [n], [[x] for x in c], [theta]
            last = terms if amplitude else 2
            for j in range(terms - 1):
                value_j = sum(r[i] * ns[j - i] for i in range(min(j + 1, last)))
                if alpha:
                    value_j += alpha * sum(ts[i] * ns[j - i] for i in range(j + 1))
                delayed = sum(d * x[j] for d, x in zip(decay, cs))
                ns.append(((value_j - total * ns[j]) / generation + delayed + (source if j == 0 else 0)) / (j + 1))
                for b, d, x in zip(beta, decay, cs):
                    x.append((b / generation * ns[j] - d * x[j]) / (j + 1))
                ts.append((heat * (ns[j] - (steady if j == 0 else 0)) - cool * ts[j]) / (j + 1))
            add_up = lambda xs: sum(x * h**k for k, x in enumerate(xs))
            n, theta, c = add_up(ns), add_up(ts), [add_up(x) for x in cs]
            at += h
    return n, theta


def program(kind, value, slope=0.0, start=0.0, length=0.0, period=0.0, t=1e9):
    """Pieces: begin, end, value, slope, amplitude, omega, and the time they count from."""
    before = [(0.0, start, 0, 0, 0, 0, 0)] if start else []
    if kind == "ramp":
        end = mpf(start) + mpf(value) / mpf(slope)
        return before + [(start, end, 0, slope, 0, 0, start), (end, t, value, 0, 0, 0, 0)]
    if kind == "pulse":
        return before + [(start, mpf(start) + mpf(length), value, 0, 0, 0, 0), (mpf(start) + mpf(length), t, 0, 0, 0, 0, 0)]
    return before + [(start, t, 0, 0, value, 2 * pi / mpf(period), start)]


# --- steps ------------------------------------------------------------------------------------------------------------
names = list(SETS)
for i in range(56):
    given = {"groups": names[i % 4], "Lambda": draw(1e-6, 1e-3) if i % 3 else random.choice((1e-5, 5e-5))}
    total = sum(data(given)[0])
    dollars = random.choice((random.uniform(-8, 0.9), random.uniform(0.2, 0.97), random.uniform(-1, 0.5), random.uniform(1, 1.3)))
    rho = float(f"{float(total) * dollars:.6g}")
    limit = 60 if rho < 0.8 * total else 1.5 if rho < total else 300 * given["Lambda"] / (abs(rho - float(total)) + 1e-4)
    given["t_end"] = min(100.0, draw(max(1e-4, limit / 50), max(2e-4, limit)))
    if i % 7 == 6:
        given["source"] = draw(0.1, 1000)
    if i % 14 == 13:
        given["n0"] = 0.0
    given["reactivity"] = {"value": rho}
    n, energy = step(given, mpf(rho), given["t_end"])
    add(f"step {dollars:.3f} $", given, None, n, EXPM)
    if i % 4 == 1:
        add(f"step {dollars:.3f} $", given, "energy", energy, EXPM)
    if i % 4 == 2:
        beta, decay, generation = data(given)
        f = lambda w: w * generation + sum(b * w / (w + d) for b, d in zip(beta, decay)) - mpf(rho)
        lo, hi = (mpf(0), (abs(mpf(rho)) + total) / generation + 10) if rho > 0 else (-decay[0] * (1 - mpf("1e-25")), mpf(0))
        for _ in range(140):
            middle = (lo + hi) / 2
            lo, hi = (middle, hi) if f(middle) < 0 else (lo, middle)
        add(f"step {dollars:.3f} $", given, "asymptotic_period", 1 / lo, "root of the inhour equation by bisection, mpmath with 40 digits")

# --- ramps, waves, pulses ---------------------------------------------------------------------------------------------
for i in range(12):
    given = {"groups": names[i % 4], "Lambda": random.choice((1e-4, 5e-4, 3e-5)), "t_end": draw(0.3, 4)}
    value, slope = draw(1e-4, 2e-3), draw(1e-4, 5e-3)
    if i % 2:
        value, slope = -value, -slope
    start = 0.2 if i % 3 == 0 else 0.0
    given["reactivity"] = {"kind": "ramp", "value": value, "rate": slope, "start": start}
    add("ramp", given, None, taylor(given, program("ramp", value, slope, start), given["t_end"])[0], TAYLOR)
for i in range(12):
    given = {"groups": names[i % 4], "Lambda": random.choice((1e-4, 5e-4, 3e-5)), "t_end": draw(0.3, 3)}
    value, period = draw(1e-4, 2e-3), draw(0.1, 5)
    given["reactivity"] = {"kind": "sine", "value": value, "period": period}
    add("sine", given, None, taylor(given, program("sine", value, period=period), given["t_end"])[0], TAYLOR)
for i in range(10):
    given = {"groups": names[i % 4], "Lambda": random.choice((1e-4, 5e-4, 3e-5)), "t_end": draw(1, 4)}
    # Narrow ones, too, where no sample lies.
    value, start, length = draw(1e-4, 4e-3), draw(0.1, 0.9, 3), draw(1e-4, 0.5)
    given["reactivity"] = {"kind": "pulse", "value": value, "start": start, "duration": length}
    add("pulse", given, None, taylor(given, program("pulse", value, start=start, length=length), given["t_end"])[0], TAYLOR)

# --- feedback ---------------------------------------------------------------------------------------------------------
for i in range(10):
    given = {"groups": names[i % 4], "Lambda": random.choice((1e-4, 5e-4, 5e-5)), "t_end": draw(0.2, 2)}
    total = float(sum(data(given)[0]))
    rho = float(f"{total * random.uniform(0.2, 1.4):.5g}")
    alpha, capacity, cool = -draw(1e-6, 1e-3), draw(0.1, 10), random.choice((0.0, draw(0.01, 2)))
    given["reactivity"] = {"value": rho}
    given["feedback"] = {"alpha_T": alpha, "heat_capacity": capacity, "cooling": cool}
    n, theta = taylor(given, [(0, given["t_end"], rho, 0, 0, 0, 0)], given["t_end"], alpha, 1 / mpf(capacity), cool)
    add("feedback", given, None, n, TAYLOR)
    if i % 2:
        add("feedback", given, "temperature_rise_end", theta, TAYLOR)

json.dump({"generator": "test/coverage/reactor.py", "cases": cases}, sys.stdout, indent=2)
print()
