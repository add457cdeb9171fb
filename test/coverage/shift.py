"""Outside truth of the clock series: mpmath with 60 digits and rationals, at the decimal times.

    python3 test/coverage/shift.py > test/coverage/shift.json
"""
import json
import random
from fractions import Fraction

from mpmath import mp, mpf, pi, sin

mp.dps = 60
rng = random.Random(777)
STEP = Fraction(777, 1000)


def modulation(t):
    turns = t * Fraction(1287, 1000)
    part = turns - turns.numerator // turns.denominator
    return 1 + sin(2 * pi * mpf(part.numerator) / mpf(part.denominator)) / 1000


cases = []
for i in range(110):
    digits = rng.choice([0, 1, 3, 6])
    t = round(rng.choice([rng.uniform(0, 4e9), rng.uniform(1.7e9, 1.9e9), rng.uniform(0, 1e4)]), digits)
    if rng.random() < 0.1:
        t = rng.uniform(0, 1)
    steps = rng.randint(1, 64)
    k = rng.randrange(steps)
    truth = modulation(Fraction(repr(t)) + k * STEP)
    one = {"name": f"{i}: R at step {k}", "input": {"t": t, "steps": steps}, "of": f"R_t[{k}]", "truth": float(truth)}
    if i % 4 == 0:
        m, v = round(rng.uniform(0.1, 9), 3), round(rng.uniform(0.1, 9), 3)
        energy = Fraction(repr(m)) * Fraction(repr(v)) ** 2 / 2
        one["input"] |= {"domain": "CM9", "inputs": {"m": m, "v": v}}
        truth = truth * mpf(energy.numerator) / mpf(energy.denominator)
        one |= {"name": f"{i}: S R at step {k}", "of": f"S_R_t[{k}]", "truth": float(truth)}
    cases.append(one | {"accuracy": abs(float(truth)) * 2.0**-53, "source": "mpmath 60 digits, 1.287 t modulo 1 in rationals"})
print(json.dumps({"generator": "test/coverage/shift.py", "cases": cases}, indent=1))
