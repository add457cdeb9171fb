"""Two searches for the least energy of a rigid ligand on a fixed receptor, for dock.py; numpy only.

Many poses are minimised side by side: seven numbers each (the centroid and a quaternion that is normalised in the energy),
BFGS with analytic gradients and halved steps. Search 1: minimisations from random starts. Search 2: chains of basin hopping,
each from the best of eight starts of its own. Each search goes on until its least energy was reached by five starts, or five
chains, that do not know of each other; the two share no random numbers.
"""

import numpy as np

BATCH = 128
CHAINS = 48
HITS = 5


def rotations(q):
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def slopes(q):
    """d R / d q_k of normalised quaternions: [pose, k, i, j]."""
    n = np.linalg.norm(q, axis=1)
    u = q / n[:, None]
    w, x, y, z = u.T
    o = 0 * w
    d = 2 * np.array(
        [
            [[o, -z, y], [z, o, -x], [-y, x, o]],
            [[o, y, z], [y, -2 * x, -w], [z, w, -2 * x]],
            [[-2 * y, x, w], [x, o, z], [-w, z, -2 * y]],
            [[-2 * z, -w, x], [w, -2 * z, y], [x, y, o]],
        ]
    )
    project = (np.eye(4) - u[:, :, None] * u[:, None, :]) / n[:, None, None]
    return np.einsum("bkl,lijb->bkij", project, d, optimize=True)


class System:
    """`pairs(r)`: energies and slopes of all pairs. `contact`: least and greatest gap of a start, reach, and radii."""

    def __init__(self, fixed, own, pairs, contact, box=None):
        self.fixed, self.own, self.pairs, self.contact, self.box = fixed, own - own.mean(0), pairs, contact, box

    def placed(self, p):
        return np.einsum("bij,nj->bni", rotations(p[:, 3:]), self.own) + p[:, None, :3]

    def energy(self, p):
        delta = self.placed(p)[:, :, None] - self.fixed
        r = np.sqrt(np.einsum("bnmk,bnmk->bnm", delta, delta)) + 1e-12
        e, slope = self.pairs(r)
        force = np.einsum("bnm,bnmk->bnk", slope / r, delta)
        turn = np.einsum("bkij,bni,nj->bk", slopes(p[:, 3:]), force, self.own, optimize=True)
        return e.sum((1, 2)), np.concatenate([force.sum(1), turn], axis=1)

    def room(self, p):
        """Distance of the outermost atom from the nearest wall; negative outside."""
        if self.box is None:
            return np.full(len(p), np.inf)
        return (self.box[1] - np.abs(self.placed(p) - self.box[0])).min((1, 2))

    def starts(self, rng, count):
        """In contact, without a clash; half of them with the centroid in the box, if there is one."""
        reach = np.linalg.norm(self.own, axis=1).max() + self.contact[2]
        low, high = self.fixed.min(0) - reach, self.fixed.max(0) + reach
        taken = []
        while sum(map(len, taken)) < count:
            p = np.empty((2 * count, 7))
            p[:, 3:] = rng.normal(size=(2 * count, 4))
            p[:, :3] = low + rng.random((2 * count, 3)) * (high - low)
            if self.box is not None:
                p[::2, :3] = self.box[0] + self.box[1] * rng.uniform(-1, 1, (count, 3))
            taken.append(p[self.is_contact(p)])
        return np.concatenate(taken)[:count]

    def is_contact(self, p):
        gap = np.linalg.norm(self.placed(p)[:, :, None] - self.fixed, axis=3) - self.contact[3]
        return (gap.min((1, 2)) > self.contact[0]) & (gap.min((1, 2)) < self.contact[1])


def minimise(system, p, rounds=400, tolerance=1e-8):
    """Energies, poses and largest slopes."""
    p = p.copy()
    p[:, 3:] /= np.linalg.norm(p[:, 3:], axis=1, keepdims=True)
    e, g = system.energy(p)
    h = np.tile(np.eye(7), (len(p), 1, 1))
    t, fresh = np.ones(len(p)), np.ones(len(p), bool)
    active = np.arange(len(p))
    for _ in range(rounds):
        active = active[(np.abs(g[active]).max(1) > tolerance) & (t[active] > 1e-9)]
        if not len(active):
            break
        a = active
        d = -np.einsum("bij,bj->bi", h[a], g[a])
        down = np.einsum("bi,bi->b", d, g[a])
        wrong = down >= 0
        h[a[wrong]] = np.eye(7)
        d[wrong], fresh[a[wrong]] = -g[a[wrong]], True
        d *= np.minimum(1, 0.25 / np.abs(d).max(1))[:, None]
        down = np.einsum("bi,bi->b", d, g[a])
        step = t[a, None] * d
        e1, g1 = system.energy(p[a] + step)
        good = e1 <= e[a] + 1e-4 * t[a] * down + 1e-15 * np.abs(e[a])
        t[a[~good]] *= 0.3
        a, s, y = a[good], step[good], (g1 - g[a])[good]
        p[a], e[a], g[a], t[a] = p[a] + s, e1[good], g1[good], 1
        sy = np.einsum("bi,bi->b", s, y)
        up = sy > 1e-16
        a, s, y, sy = a[up], s[up], y[up], sy[up]
        first = fresh[a]
        h[a[first]] = np.eye(7) * (sy / np.einsum("bi,bi->b", y, y))[first, None, None]
        fresh[a] = False
        left = np.eye(7) - s[:, :, None] * y[:, None, :] / sy[:, None, None]
        h[a] = left @ h[a] @ left.transpose(0, 2, 1) + s[:, :, None] * s[:, None, :] / sy[:, None, None]
    return e, p, np.abs(g).max(1)


class Found:
    """The least energies of a search, each with a pose, and how often the least one was reached."""

    def __init__(self, system, margin=1e-6):
        self.system, self.margin, self.minima = system, margin, []

    def take(self, e, p, slope, sources):
        good = (slope < 1e-5) & (e < -1e-6) & (self.system.room(p) >= self.margin)
        for k in np.flatnonzero(good):
            for one in self.minima:
                if abs(one[0] - e[k]) <= 1e-7 * max(1, abs(e[k])):
                    one[2].add(int(sources[k]))
                    if e[k] < one[0]:
                        one[0], one[1] = float(e[k]), p[k].copy()
                    break
            else:
                self.minima.append([float(e[k]), p[k].copy(), {int(sources[k])}])
        self.minima.sort(key=lambda one: one[0])

    def is_settled(self):
        return bool(self.minima) and len(self.minima[0][2]) >= HITS


def many_starts(system, rng, effort):
    found = Found(system)
    for k in range(20 * effort):
        e, p, slope = minimise(system, system.starts(rng, BATCH))
        found.take(e, p, slope, k * BATCH + np.arange(BATCH))
        if k >= 2 * effort - 1 and found.is_settled():
            break
    return found


def basin_hopping(system, rng, effort):
    found = Found(system)
    first = system.starts(rng, 8 * CHAINS)
    e = system.energy(first)[0].reshape(8, CHAINS)
    p = first.reshape(8, CHAINS, 7)[e.argmin(0), np.arange(CHAINS)]
    e, p, slope = minimise(system, p)
    found.take(e, p, slope, np.arange(CHAINS))
    for k in range(50 * effort):
        if k >= 4 * effort and found.is_settled():
            break
        new = p.copy()
        waiting = np.arange(CHAINS)
        for _ in range(20):
            size = rng.choice([0.15, 0.5, 1.2], size=(len(waiting), 1))
            trial = p[waiting].copy()
            trial[:, :3] += size * system.contact[2] * rng.normal(size=(len(waiting), 3))
            trial[:, 3:] += size * np.linalg.norm(trial[:, 3:], axis=1, keepdims=True) * rng.normal(size=(len(waiting), 4))
            fits = system.is_contact(trial)
            new[waiting[fits]] = trial[fits]
            waiting = waiting[~fits]
            if not len(waiting):
                break
        e1, p1, slope = minimise(system, new)
        found.take(e1, p1, slope, np.arange(CHAINS))
        # A pose outside the box is left only for a pose nearer to it.
        worse = (e1 - e) / (0.08 * abs(found.minima[0][0]) if found.minima else 1)
        better = rng.random(CHAINS) < np.exp(-np.clip(worse, 0, 50))
        outside = np.minimum(system.room(p1), 0) < np.minimum(system.room(p), 0) - 0.3
        move = better & ~outside
        e[move], p[move] = e1[move], p1[move]
    return found


def settled(system, seed, agree, efforts=(1, 4)):
    """The least energy if both searches have it five times and agree, else None. The second effort draws new starts."""
    for effort in efforts:
        both = [
            many_starts(system, np.random.default_rng([seed, effort, 1]), effort),
            basin_hopping(system, np.random.default_rng([seed, effort, 2]), effort),
        ]
        if all(one.is_settled() for one in both):
            least = agree(*both)
            if least is not None:
                return least
    return None
