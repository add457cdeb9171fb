"""Values of the special functions at seeded random points, for special.slow.test.ts.

    python3 special-values.py SEED COUNT
    python3 special-values.py SEED COUNT precise

Prints one JSON object: per function a list of points [x, value, scale] or [n, x, value, scale]. The
value is mpmath's with 40 digits, rounded to a double; the arguments are doubles. An error is relative
to the greater of |value| and scale; a scale above 0 stands only where a function has zeros that are not
taken with relative accuracy (besselj, lgamma). Points whose value leaves the normal range are left out.

With `precise`, elementary functions come too, with 60 digits, and behind the value stands what its rounding left; then
values are left out whose rest would leave the normal range.
"""

import json
import random
import sys

import mpmath
from mpmath import mp, mpf

PRECISE = sys.argv[3:] == ["precise"]
mp.dps = 60 if PRECISE else 40
SEED, COUNT = int(sys.argv[1]), int(sys.argv[2])
draw = random.Random(SEED)


def even(low, high):
    return lambda: draw.uniform(low, high)


def decades(low, high):
    """10 to an exponent from low to high."""
    return lambda: 10 ** draw.uniform(low, high)


def negative(source):
    return lambda: -source()


def below_one(source):
    return lambda: 1 - source()


def near(points, low=-15, high=-1):
    """Close to one of some points, on either side."""
    return lambda: draw.choice(points) + draw.choice([-1, 1]) * 10 ** draw.uniform(low, high)


def orders(high):
    """Whole numbers, small ones more often."""
    return lambda: float(int(high * draw.random() ** 3))


def normal_distribution(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def normal_quantile(p):
    """Newton on the logarithm of the tail, which is nearly a parabola; erfinv alone does not reach far."""
    p = mpf(p)
    tail = min(p, 1 - p)
    x = mpmath.sqrt(max(0, -2 * mpmath.log(2 * tail)))
    for _ in range(60):
        beyond = normal_distribution(-x)
        step = mpmath.log(beyond / tail) * beyond / mpmath.npdf(x)
        x += step
        if abs(step) < mpf(10) ** -30 * abs(x):
            break
    return -x if p < 0.5 else x


def lambert(branch, x):
    """Newton on w e^w = x with the digits that the branch point takes away."""
    with mpmath.workdps(90):
        x = mpf(x)
        p = 2 * (1 + mpmath.e * x)
        if p < 0:
            return mpf(-1)
        w = mpmath.lambertw(x, int(branch)).real
        if p < 0.1:
            w = -1 + (1 if branch == 0 else -1) * mpmath.sqrt(p)
        for _ in range(100):
            step = (w - x * mpmath.exp(-w)) / (1 + w) if w != -1 else mpf(0)
            w -= step
            if abs(step) < mpf(10) ** -60 * abs(w):
                break
        return w


def lgamma(x):
    return mpmath.log(abs(mpmath.gamma(mpf(x)))) if abs(x) < 1e4 else mpmath.loggamma(mpf(x)).real


def lgamma_scale(x):
    return max(1, abs(x) * float(mpmath.log(2 + abs(x)))) if x < 0 else 0


def besselj_scale(n, x):
    """The amplitude where J oscillates."""
    return float(mpmath.sqrt(2 / (mpmath.pi * abs(x)))) if abs(x) > max(abs(n), 2) else 0


def besselk(n, x):
    """Up from orders 0 and 1, where nothing cancels; mpmath's own takes half a second for a high order."""
    n = abs(n)
    with mpmath.workdps(60):
        before, here = mpmath.besselk(0, mpf(x)), mpmath.besselk(1, mpf(x))
        for k in range(1, int(n)):
            before, here = here, before + 2 * k / mpf(x) * here
        return before if n == 0 else here


def langevin(x):
    x = mpf(x)
    if abs(x) < 1e-20:
        return x / 3
    with mpmath.workdps(90):
        return mpmath.coth(x) - 1 / x


BRANCH = -0.36787944117144233

# Per function: its value, its scale, and where its arguments come from.
ONE = {
    "erf": (mpmath.erf, None, [even(-7, 7), decades(-300, 0), near([0.5, 4, -0.5])]),
    "erfc": (mpmath.erfc, None, [even(-7, 27), even(0, 5), decades(-20, 1.4), near([0.5, 4, 26])]),
    "normcdf": (normal_distribution, None, [even(-37.4, 9), even(-6, 6), negative(decades(-20, 1.5))]),
    "normpdf": (mpmath.npdf, None, [even(-37.4, 37.4), even(-3, 3), decades(-20, 1)]),
    "norminv": (normal_quantile, None, [even(0, 1), decades(-300, 0), below_one(decades(-15, -1)), near([0.5, 0.925, 0.075], -12, -2)]),
    "gamma": (mpmath.gamma, None, [even(-20, 20), even(-170, 171.6), even(0, 12), decades(-300, 2), near(range(-30, 30))]),
    "lgamma": (lgamma, lgamma_scale, [even(0, 12), decades(-300, 300), even(-60, 60), near([1, 2, 3, 10, 0.5]), near(range(-30, 0))]),
    "factorial": (mpmath.factorial, None, [lambda: float(draw.randrange(171))]),
    "ellipk": (mpmath.ellipk, None, [even(-5, 1), below_one(decades(-15, 0)), negative(decades(-20, 300)), decades(-300, 0)]),
    "ellipe": (mpmath.ellipe, None, [even(-5, 1), below_one(decades(-15, 0)), negative(decades(-20, 300)), decades(-300, 0)]),
    "expint1": (mpmath.e1, None, [even(0, 5), even(0, 690), decades(-300, 2), near([1, 4])]),
    "zeta": (mpmath.zeta, None, [even(-10, 10), even(-250, 60), near([1, 0, -2, -4, -20]), decades(-20, 2)]),
    "langevin": (langevin, None, [even(-20, 20), even(-2, 2), decades(-300, 300), near([1, -1])]),
}
TWO = {
    "choose": (lambda n, k: mpmath.binomial(int(n), int(k)), None, [(orders(1029), orders(1029)), (orders(60), orders(60))]),
    "besselj": (
        lambda n, x: mpmath.besselj(int(n), mpf(x)),
        besselj_scale,
        [(orders(12), even(0, 60)), (orders(12), decades(-3, 6)), (orders(1000), even(0, 1500)), (orders(40), even(0, 80)), (orders(3), negative(even(0, 40)))],
    ),
    "besseli": (
        lambda n, x: mpmath.besseli(int(n), mpf(x)),
        None,
        [(orders(12), even(0, 60)), (orders(12), decades(-3, 2.8)), (orders(1000), even(0, 1200)), (orders(3), negative(even(0, 40)))],
    ),
    "besselk": (
        besselk,
        None,
        [(orders(12), even(0, 20)), (orders(12), decades(-3, 2.8)), (orders(1000), even(0, 1500)), (orders(2), near([1], -12, -1))],
    ),
    "lambertw": (
        lambert,
        None,
        [
            (lambda: 0.0, decades(-300, 300)),
            (lambda: 0.0, even(BRANCH, 3)),
            (lambda: -1.0, even(BRANCH, 0)),
            (lambda: -1.0, negative(decades(-300, -1))),
            (lambda: draw.choice([0.0, -1.0]), lambda: BRANCH + 10 ** draw.uniform(-16, -1)),
        ],
    ),
}


def signed(source):
    return lambda: draw.choice([-1, 1]) * source()


def turned(function):
    """Reducing a huge argument takes as many digits as it has before the point."""

    def value(x):
        with mpmath.workdps(400):
            return function(mpf(x))

    return value


SIZES = [signed(decades(-20, 0)), signed(decades(0, 20)), signed(decades(20, 300)), signed(even(0, 20))]
ANGLES = [signed(decades(-20, 1)), signed(decades(0, 15)), signed(decades(15, 308)), signed(even(0, 7))]
SMALL = [signed(even(0, 1)), signed(decades(-20, 0)), near([1], -15, -1), signed(even(0, 700))]
UNIT = [signed(even(0, 1)), signed(decades(-20, 0)), below_one(decades(-15, -1))]
GREAT = [decades(0, 300), below_one(negative(decades(-15, 1)))]

ELEMENTARY = {
    "sqrt": (mpmath.sqrt, None, [decades(-270, 300)]),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(mpf(x))), None, SIZES),
    "exp": (mpmath.exp, None, SMALL),
    "expm1": (mpmath.expm1, None, SMALL),
    "log": (mpmath.log, None, [decades(-300, 300), even(0.5, 2), near([1])]),
    "log1p": (mpmath.log1p, None, [decades(-20, 300), negative(decades(-20, -0.001))]),
    "log10": (mpmath.log10, None, [decades(-300, 300), near([1])]),
    "log2": (lambda x: mpmath.log(mpf(x), 2), None, [decades(-300, 300), near([1])]),
    "sin": (turned(mpmath.sin), None, ANGLES),
    "cos": (turned(mpmath.cos), None, ANGLES),
    "tan": (turned(mpmath.tan), None, ANGLES),
    "asin": (mpmath.asin, None, UNIT),
    "acos": (mpmath.acos, None, UNIT),
    "atan": (mpmath.atan, None, SIZES),
    "sinh": (mpmath.sinh, None, SMALL),
    "cosh": (mpmath.cosh, None, SMALL),
    "tanh": (mpmath.tanh, None, SMALL),
    "asinh": (mpmath.asinh, None, SIZES),
    "acosh": (mpmath.acosh, None, GREAT),
    "atanh": (mpmath.atanh, None, UNIT),
    "sinc": (turned(lambda x: mpmath.sin(x) / x), None, [signed(even(0, 20)), signed(decades(0, 15))]),
    "atan2": (lambda y, x: mpmath.atan2(mpf(y), mpf(x)), None, [(signed(decades(-9, 9)), signed(decades(-9, 9)))]),
    "hypot": (lambda x, y: mpmath.hypot(mpf(x), mpf(y)), None, [(decades(-200, 300), decades(-200, 300))]),
    "^": (
        lambda x, y: mpf(x) ** mpf(y),
        None,
        [(decades(-20, 20), signed(even(0, 12))), (signed(even(0, 10)), lambda: float(draw.randrange(-200, 200)))],
    ),
}


def usable(value):
    least = -270 if PRECISE else -307
    return mpmath.isfinite(value) and mpf(10) ** least < abs(value) < mpf(10) ** 308


def rounded(value):
    """The double next to a value, and what is left of it."""
    with mpmath.workdps(400):
        high = float(value)
        return [high, float(value - mpf(high))] if PRECISE else [high]


def points(value, scale, sources):
    found = []
    for i in range(4 * COUNT):
        if len(found) == COUNT:
            break
        source = sources[i % len(sources)]
        arguments = [pick() for pick in source] if isinstance(source, tuple) else [source()]
        try:
            exact = value(*arguments) if len(arguments) == 2 else value(mpf(arguments[0]))
        except ValueError:  # a pole
            continue
        if usable(exact):
            found.append([*arguments, *rounded(exact), scale(*arguments) if scale else 0])
    return found


print(json.dumps({name: points(*entry) for name, entry in {**(ELEMENTARY if PRECISE else {}), **ONE, **TWO}.items()}))
