"""A dam break, or a slope of water that moves everywhere, by Lax and Friedrichs, global or local (Rusanov), in numpy.

Reads "scheme cells hl hr g length t_end courant shape" per line, shape dam or slope; its numbers are the L1 distance to zero depth (the volume), the depth
nearest 60 % of the length, and the steps.
"""
import numpy as np
from peer import serve


def dam(scheme, cells, hl, hr, g, length, end, courant, shape):
    n, hl, hr, g, length, end, courant = int(cells), *map(float, (hl, hr, g, length, end, courant))
    is_local = scheme == "rusanov"
    dx = length / n
    x = (np.arange(n) + 0.5) * dx

    def run():
        h = np.empty(n + 2)
        q = np.zeros(n + 2)
        slope = hl + (hr - hl) * x / length
        h[1:-1] = np.where(x < 0.5 * length, hl, hr) if shape == "dam" else slope
        t, steps = 0.0, 0
        while t < end:
            h[0], h[-1], q[0], q[-1] = h[1], h[-2], -q[1], -q[-2]
            u = q / h
            s = np.abs(u) + np.sqrt(g * h)
            dt = min(courant * dx / s.max(), end - t)
            a = np.maximum(s[1:], s[:-1]) if is_local else dx / dt
            momentum = q * u + 0.5 * g * h * h
            f = 0.5 * (q[1:] + q[:-1] - a * (h[1:] - h[:-1]))
            p = 0.5 * (momentum[1:] + momentum[:-1] - a * (q[1:] - q[:-1]))
            h[1:-1] -= dt / dx * (f[1:] - f[:-1])
            q[1:-1] -= dt / dx * (p[1:] - p[:-1])
            t += dt
            steps += 1
        return [h[1:-1].sum() * dx, np.interp(0.6 * length, x, h[1:-1]), steps]

    return run


serve(dam)
