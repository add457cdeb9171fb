"""Writes opt.json: minima and fits that this project did not compute.

    python3 test/coverage/opt.py > test/coverage/opt.json

Closed forms; roots of the gradient by mpmath with 40 digits, from scipy's end or a known point; linear and nonlinear least
squares by mpmath's Gauss-Newton with 40 digits on the printed decimals; tables of minima that have 10 digits or more.
"""
import json
import sys

import mpmath as mp
import numpy as np

mp.mp.dps = 40
random = np.random.default_rng(20261124)
cases = []
METHODS = ["bfgs", "lbfgs", "newton", "cg", "nelder-mead"]


def add(name, given, of, truth, source, accuracy=0.0, scale=0):
    case = {"name": f"{len(cases)} {name}", "input": given, "truth": float(truth)}
    if scale:
        case["scale"] = scale
    case["source"] = source
    if of:
        case["of"] = of
    if accuracy:
        case["accuracy"] = float(accuracy)
    cases.append(case)


def digits(x, k=6):
    return float(f"{x:.{k}g}")


# --- functions of the collection whose minimum is 0, or has a closed form --------------------------------------------
for method in ["bfgs", "lbfgs", "newton", "lm", "nelder-mead"]:
    for name in ["rosenbrock", "beale", "helical", "wood", "powell-singular", "brown-bad"]:
        add(f"{name} {method}", {"function": name, "method": method}, None, 0, "zero by its construction", scale=1)
for name, n in [("ext-rosenbrock", 40), ("broyden-tri", 60), ("broyden-banded", 30),
                ("discrete-boundary", 25), ("discrete-integral", 12), ("variable-dim", 12)]:
    for method in ["bfgs", "lbfgs", "lm"]:
        add(f"{name} {n} {method}", {"function": name, "n": n, "method": method}, None, 0, "zero by its construction",
            scale=1)
for n in [3, 7, 20]:
    add(f"linear full rank {n}", {"function": "linear-full", "n": n, "method": "cg"}, None, n, "m - n in closed form")
    m = 2 * n
    add(f"linear rank 1 {n}", {"function": "linear-rank-1", "n": n}, None, mp.mpf(m) * (m - 1) / (2 * (2 * m + 1)),
        "m(m - 1)/(2(2m + 1)) in closed form")
    add(f"linear rank 1 zero {n}", {"function": "linear-zero", "n": n, "method": "lm"}, None,
        mp.mpf(m * m + 3 * m - 6) / (2 * (2 * m - 3)), "(m^2 + 3m - 6)/(2(2m - 3)) in closed form")

# --- minima of the collection in 40 digits -----------------------------------------------------------------------------
def newton(f, start, steps=60):
    """The root of the gradient nearest to the start, by Newton's method with derivatives from Taylor's series."""
    n = len(start)
    g = lambda j: (lambda *x: mp.diff(f, x, tuple(1 if i == j else 0 for i in range(n))))
    root = mp.findroot(lambda *x: [g(j)(*x) for j in range(n)], start, tol=1e-50, maxsteps=steps, verify=False)
    return [root[j] for j in range(n)], f(*[root[j] for j in range(n)])


def gauss_newton(residuals, start, steps=200):
    """Least squares with 40 digits; residuals takes and returns lists."""
    x = mp.matrix(start)
    n = len(start)
    for _ in range(steps):
        r = residuals(list(x))
        J = mp.matrix(len(r), n)
        for j in range(n):
            h = mp.mpf(10) ** -20 * max(1, abs(x[j]))
            y = list(x)
            y[j] += h
            z = list(x)
            z[j] -= h
            up, down = residuals(y), residuals(z)
            for i in range(len(r)):
                J[i, j] = (up[i] - down[i]) / (2 * h)
        step = mp.lu_solve(J.T * J, -(J.T * mp.matrix(r)))
        x = x + step
        if max(abs(step[j]) / max(1, abs(x[j])) for j in range(n)) < mp.mpf(10) ** -28:
            break
    r = residuals(list(x))
    total = sum(v * v for v in r)
    inverse = (J.T * J) ** -1
    return list(x), total, inverse


BARD = "0.14 0.18 0.22 0.25 0.29 0.32 0.35 0.39 0.37 0.58 0.73 0.96 1.34 2.1 4.39".split()
bard = lambda x: [mp.mpf(y) - x[0] - (i + 1) / ((15 - i) * x[1] + min(i + 1, 15 - i) * x[2]) for i, y in enumerate(BARD)]
_, bard_min, _ = gauss_newton(bard, [mp.mpf("0.08"), mp.mpf("1.13"), mp.mpf("2.34")])
MEYER = [34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872]
meyer = lambda x: [x[0] * mp.exp(x[1] / (50 + 5 * i + x[2])) - y for i, y in enumerate(MEYER)]
_, meyer_min, _ = gauss_newton(meyer, [mp.mpf("0.0056096364710"), mp.mpf("6181.3463462"), mp.mpf("345.22363462")])
jennrich = lambda x: [2 + 2 * i - mp.exp(i * x[0]) - mp.exp(i * x[1]) for i in range(1, 11)]
_, jennrich_min = newton(lambda a, b: sum(v * v for v in jennrich([a, b])), (0.2578, 0.2578))
dennis = lambda x: [(x[0] + mp.mpf(i) / 5 * x[1] - mp.exp(mp.mpf(i) / 5)) ** 2
                    + (x[2] + x[3] * mp.sin(mp.mpf(i) / 5) - mp.cos(mp.mpf(i) / 5)) ** 2 for i in range(1, 21)]
_, dennis_min = newton(lambda a, b, c, d: sum(v * v for v in dennis([a, b, c, d])), (-11.59, 13.20, -0.4034, 0.2367))
for name, truth in [("bard", bard_min), ("meyer", meyer_min), ("jennrich", jennrich_min), ("brown-dennis", dennis_min)]:
    for method in ["bfgs", "lm", "newton", "nelder-mead"]:
        add(f"{name} {method}", {"function": name, "method": method}, None, truth, "mpmath with 40 digits")
    add(f"{name} above known", {"function": name, "method": "lm"}, "above_known", 0, "the minimum is the known one",
        scale=float(truth))

# --- quadratic forms in two to four variables, of any scale --------------------------------------------------------------
for k in range(16):
    n = 2 + k % 3
    scale = 10.0 ** int(random.integers(-9, 10))
    M = [[digits(v, 4) for v in row] for row in random.normal(size=(n, n))]
    for i in range(n):
        M[i][i] = digits(M[i][i] + 3, 4)
    b = [digits(v * 10.0 ** int(random.integers(-3, 4)), 5) for v in random.normal(size=n)]
    c = digits(random.normal() * scale, 5)
    terms = [f"({' + '.join(f'({M[i][j]!r})*x{j + 1}' for j in range(n))} - ({b[i]!r}))^2" for i in range(n)]
    # An invertible system leaves 0, so the constant is the minimum.
    text = f"{scale!r}*({' + '.join(terms)}) + ({c!r})"
    add(f"quadratic {n} scale {scale:g}", {"expression": text, "method": METHODS[k % 4]}, None, c, "an invertible system has no rest")

# --- convex functions with a minimum between terms, by mpmath -------------------------------------------------------------
for k in range(14):
    a, b, c, d = (digits(random.uniform(0.2, 3), 4) for _ in range(4))
    s = 10.0 ** int(random.integers(-6, 7))
    text = f"{s!r}*(exp({a!r}*x) + exp({b!r}*y - x) + exp(-{c!r}*y) + {d!r}*x^2)"
    A, B, C, D, S = (mp.mpf(repr(v)) for v in (a, b, c, d, s))
    f = lambda x, y: S * (mp.exp(A * x) + mp.exp(B * y - x) + mp.exp(-C * y) + D * x * x)
    g = lambda x, y: f(x, y) / S
    _, low = newton(g, (-0.1, 0.1))
    given = {"expression": text, "method": METHODS[k % 5], "x0": [0.5, -0.5]}
    if k % 2 == 0:
        given.update({"tol_g": 1e-3 * s, "tol_f": 1e-7})
    add(f"exponentials {k}", given, None, low * S, "mpmath with 40 digits")

# --- logarithmic barriers, roots and trigonometric valleys --------------------------------------------------------------
for k in range(10):
    p, q = (digits(random.uniform(0.5, 5), 4) for _ in range(2))
    text = f"x/{p!r} - log(x) + y*y/{q!r} - sqrt(y) + cos(x)/7"
    P, Q = mp.mpf(repr(p)), mp.mpf(repr(q))
    f = lambda x, y: x / P - mp.log(x) + y * y / Q - mp.sqrt(y) + mp.cos(x) / 7
    from scipy.optimize import minimize
    near = minimize(lambda v: float(f(*map(mp.mpf, v))), [p, (q / 4) ** (2 / 3)], method="Nelder-Mead",
                    options={"xatol": 1e-10, "fatol": 1e-14}).x
    _, low = newton(f, tuple(near))
    given = {"expression": text, "x0": [digits(v * 1.05, 4) for v in near], "method": METHODS[(k + 2) % 5]}
    if k % 3 == 0:
        given.update({"tol_g": 1e-3, "tol_f": 1e-7})
    add(f"logarithm and root {k}", given, None, low, "mpmath with 40 digits")

# --- bounds: the closed form on a face -----------------------------------------------------------------------------------
for k in range(6):
    a, b = digits(random.uniform(0.5, 3), 4), digits(random.uniform(-3, -0.5), 4)
    low = digits(a + random.uniform(0.1, 1), 4)
    text = f"(x - ({a!r}))^2 + 2*(y - ({b!r}))^4 + (x - ({a!r}))^3"
    given = {"expression": text, "bounds": [[low, 10], [-5, 5]], "x0": [low + 1, 1], "method": METHODS[k % 5]}
    e = mp.mpf(repr(low)) - mp.mpf(repr(a))
    add(f"on a bound {k}", given, None, e * e + e ** 3, "the face x = bound in closed form")

# --- fits ------------------------------------------------------------------------------------------------------------------
def table(names, rows):
    return ",".join(names) + "\n" + "\n".join(",".join(repr(v) for v in row) for row in rows) + "\n"


def fit_case(label, model, names, start, rows, predict, method="lm"):
    data = table(["t", "y"], rows)
    T = [(mp.mpf(repr(t)), mp.mpf(repr(y))) for t, y in rows]
    residuals = lambda x: [predict(t, x) - y for t, y in T]
    x, total, inverse = gauss_newton(residuals, [mp.mpf(repr(v)) for v in start])
    m, n = len(rows), len(names)
    given = {"data": data, "model": model, "variables": ", ".join(names), "x0": start, "method": method}
    add(f"{label} rest", given, None, total, "mpmath with 40 digits on the printed decimals")
    deviation = mp.sqrt(total / (m - n))
    add(f"{label} deviation", given, "residual_deviation", deviation, "mpmath with 40 digits on the printed decimals")
    k = int(random.integers(n))
    add(f"{label} error of {names[k]}", given, f"standard_error_{names[k]}", deviation * mp.sqrt(inverse[k, k]),
        "mpmath with 40 digits on the printed decimals")
    mean = sum(y for _, y in T) / m
    add(f"{label} r squared", given, "r_squared", 1 - total / sum((y - mean) ** 2 for _, y in T),
        "mpmath with 40 digits on the printed decimals")


for k in range(3):
    a, b, c = random.uniform(2, 9), random.uniform(0.2, 0.8), random.uniform(0, 2)
    rows = [(float(t), digits(a * np.exp(-b * t) + c + 0.05 * random.normal(), 5)) for t in range(14)]
    fit_case(f"decay {k}", "a*exp(-b*t) + c", ["a", "b", "c"], [digits(a * 1.1, 3), digits(b * 0.9, 3), 0.5], rows,
             lambda t, x: x[0] * mp.exp(-x[1] * t) + x[2])
for k in range(2):
    rows = [(float(t), digits(3 * t / (2 + t) + 0.02 * random.normal(), 5)) for t in (0.2, 0.4, 0.7, 1, 1.5, 2, 3, 5, 8, 12)]
    fit_case(f"Michaelis {k}", "V*t/(K + t)", ["V", "K"], [2.5, 1.5], rows, lambda t, x: x[0] * t / (x[1] + t))
rows = [(float(t), digits(1e6 + 3e3 * t - 20 * t * t + 50 * random.normal(), 9)) for t in range(12)]
fit_case("parabola of large numbers", "a + b*t + c*t^2", ["a", "b", "c"], [9e5, 2e3, -10], rows,
         lambda t, x: x[0] + x[1] * t + x[2] * t * t, "bfgs")

json.dump({"generator": "test/coverage/opt.py", "cases": cases}, sys.stdout, indent=2)
print()
