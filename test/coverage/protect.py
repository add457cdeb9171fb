"""Outside truth of the guard: mpmath with 60 digits, from the numbers as they are written in decimal.

The state and S follow the published rules; S is the sum of the power series of P'' + (2l - 1) P = 0 with P(0) = 1 and
P'(0) = 0. The pulse is 1.287 t modulo 1, in rationals.

    python3 test/coverage/protect.py > test/coverage/protect.json
"""
import json
import random
from fractions import Fraction

from mpmath import factorial, fmod, mp, mpf, pi, sin

mp.dps = 60
rng = random.Random(1287)
SOURCE = "mpmath 60 digits: power series of the guard equation at the decimal inputs"
HEALTH = {"up": Fraction(1), "slow": Fraction(1, 2), "down": Fraction(0)}


def exact(number):
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def status_cap(status):
    if 200 <= status < 300 or status == 304:
        return Fraction(1)
    return Fraction(0) if status >= 500 or status < 100 or status > 599 else Fraction(1, 2)


def real(fraction):
    return mpf(fraction.numerator) / mpf(fraction.denominator)


def guard(case):
    l = min(
        exact(case.get("liveness", 1)),
        HEALTH[case.get("health", "up")],
        status_cap(case["status"]) if "status" in case else Fraction(1),
    )
    turns = exact(case.get("t", 0)) * Fraction(1287, 1000)
    fraction = real(turns - turns.numerator // turns.denominator)
    theta = fmod(real(exact(case["phase"])), 2 * pi) if "phase" in case else 2 * pi * fraction
    if theta < 0:
        theta += 2 * pi
    step = -real(2 * l - 1) * theta**2
    s = sum(step**n / factorial(2 * n) for n in range(80))
    r = 1 + mpf(1) / 1000 * sin(2 * pi * fraction)
    return {"S": s, "P": s * r, "R_t": r, "theta": theta, "mu": real(2 * l - 1)}


def decimal(low, high, digits):
    return round(rng.uniform(low, high), digits)


def inputs(i):
    case = {"t": rng.choice([decimal(0, 4e9, 3), decimal(1.7e9, 1.9e9, 6), decimal(0, 2e5, 9), rng.randint(0, 4 * 10**9)])}
    if i % 3:
        case["phase"] = rng.choice(
            [decimal(0, 6.28, 3), decimal(-20, 20, 5), decimal(-1e6, 1e6, 2), decimal(-1e9, 1e9, 1), decimal(0, 6.28, 12)]
        )
    if i % 2:
        case["liveness"] = rng.choice(
            [decimal(0, 1, 2), decimal(0, 1, 9), 0.5, 0.75, 0.5 + 10.0 ** -rng.randint(3, 12), 0.5 - 10.0 ** -rng.randint(3, 12)]
        )
    if rng.random() < 0.4:
        case["health"] = rng.choice(["up", "slow", "down"])
    if rng.random() < 0.4:
        case["status"] = rng.choice([200, 204, 301, 304, 404, 429, 500, 503, 0, 600, 99])
    return case


cases = []
for i in range(180):
    case = inputs(i)
    truth = guard(case)
    of = ["S", "P", "R_t", "theta", "S", "mu"][i % 6]
    one = {"name": f"{i}: {of}", "input": case, "truth": float(truth[of]), "source": SOURCE}
    # The truth itself is rounded to a double.
    one["accuracy"] = abs(float(truth[of])) * 2.0**-53
    if of != "S" or i % 6:
        one["of"] = of
    cases.append(one)
print(json.dumps({"cases": cases}, indent=1))
