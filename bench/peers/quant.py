"""A European call by Monte Carlo with numpy. Reads "paths seed" per line."""
import numpy as np
from peer import serve


def call(paths, seed):
    z = np.random.default_rng(seed).standard_normal(paths)
    z *= 0.2
    z += 0.05 - 0.02
    np.exp(z, out=z)
    z *= 100
    z -= 100
    np.maximum(z, 0, out=z)
    return np.exp(-0.05) * z.mean(), np.exp(-0.05) * z.std() / np.sqrt(paths)


serve(lambda paths, seed: lambda: call(int(paths), int(seed)))
