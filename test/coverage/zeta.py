"""Writes zeta.json: zeros of the zeta function that this project did not compute.

    python3 test/coverage/zeta.py > test/coverage/zeta.json

mpmath: zetazero, nzeros, siegelz and siegeltheta with 25 digits, and tables: A. Odlyzko's zeros and the LMFDB.
"""
import json
import sys

import mpmath as mp
import numpy as np

mp.mp.dps = 25
random = np.random.default_rng(20261124)
cases = []


def add(name, given, of, truth, source):
    # The second way takes a second at t of some millions: long ones are in the slow suite, but for every sixth below 10⁶.
    is_slow = given.get("t_max", 0) > 3e5 and (len(cases) % 6 != 0 or given["t_max"] > 1e6)
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth), "source": source}
    if of:
        case["of"] = of
    if is_slow:
        case["isSlow"] = True
    cases.append(case)


def draw(low, high):
    return float(f"{np.exp(random.uniform(np.log(low), np.log(high))):.9g}")


def count(t):
    return int(mp.nzeros(mp.mpf(t))) if t > 14 else 0


# --- counts from 0, off any grid -------------------------------------------------------------------------------------
for i in range(30):
    t = draw(10, 50_000)
    add("count", {"t_max": t}, "", count(t), "mpmath nzeros")
# --- windows anywhere ------------------------------------------------------------------------------------------------
for i in range(25):
    low = draw(20, 4e6)
    high = low + draw(0.5, 300)
    add("window", {"t_min": low, "t_max": high, "task": "verify"}, "", count(high) - count(low), "mpmath nzeros at both ends")
for i in range(5):
    low, high = draw(20, 5_000), draw(5_000, 9_000)
    options = {"rosser": False} if i % 2 else {"turing": False}
    add("options", {"t_min": low, "t_max": high, **options}, "", count(high) - count(low), "mpmath nzeros at both ends")
# --- single zeros ----------------------------------------------------------------------------------------------------
for k in [1, 2, 3, 4, 5, 10, 50, 127, 453, 454, 649, 650] + [int(draw(5, 300_000)) for _ in range(28)]:
    given = {"task": "zero_k", "k": k, "refine_tol": [1e-2, 1e-6, 1e-9, 1e-12][int(random.integers(4))]}
    add("zero", given, "zero", mp.zetazero(k).imag, "mpmath zetazero, 25 digits")
TABLE = {
    6709: "7005.0628661749205814",
    6710: "7005.1005646726467216",
    10142: "9998.8503970896740491",
    100000: "74920.827498994186794",
    1000000: "600269.67701244495552",
}
for k, place in TABLE.items():
    add("zero of the tables", {"task": "zero_k", "k": k}, "zero", mp.mpf(place), "tables of zeros to 20 digits (Odlyzko; Arb)")
# --- S(t) ------------------------------------------------------------------------------------------------------------
for i in range(15):
    t = draw(15, 2e5)
    s = count(t) - 1 - mp.siegeltheta(mp.mpf(t)) / mp.pi
    given = {"t_max": t} if t < 3e4 else {"t_min": t - 20, "t_max": t}
    add("S", given, "s_at_t_max", s, "mpmath nzeros less siegeltheta over pi less 1")
# --- close pairs -----------------------------------------------------------------------------------------------------
for low, high, k in [(7004, 7006, 6709), (750, 752, 453), (10, 1000, 453), (6000, 8000, 6709)]:
    gap = mp.zetazero(k + 1).imag - mp.zetazero(k).imag
    add("closest pair", {"task": "list", "t_min": low, "t_max": high}, "smallest_gap", gap, "mpmath zetazero, difference of two")
# --- fewer corrections -----------------------------------------------------------------------------------------------
for i in range(5):
    t = draw(2e3, 2e4)
    add("corrections", {"t_max": t, "rs_terms": i}, "", count(t), "mpmath nzeros")
json.dump({"provenance": "Written by test/coverage/zeta.py with mpmath, without code of this project.", "cases": cases}, sys.stdout, indent=2)
print()
