// Inputs for tests that run each solver and look at what surrounds it, not at its numbers.

/** Small cases, with a zero among the inputs where there may be one; a solver that is not here takes its defaults. */
export const SMALL_CASES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  acoustic: { shape: 'rectangle', modes: 3, cells: 12 },
  heat: { dim: 1, nx: 8, steps: 12 },
  evolve: { preset: 'lj-gas', N: 32, steps: 20, sample: 4, T0: 0 },
  climate: { nx: 40, h_right: 0, depth: 1 },
  gauge: { L: 2, thermalisation: 10, sweeps: 100 },
  react: { N: 16, steps: 40 },
  action: { steps: 200, compare: false },
  dock: { receptor: 'dimer', ligand: 'atom', exhaustiveness: 1 },
  kalman: { preset: 'walk' },
  lattice: { tMax: 5 },
  reactor: { t_end: 1 },
  shift: { steps: 3 },
  solve: { tMax: 1 },
  device: { cells: 64, cv_from: 0 },
  tumor: { nx: 64, L: 6, t_end: 400 },
  flow: { N: 16, steps: 20, force: 0 },
  fracture: { nx: 16, ny: 8, loadSteps: 4 },
  wave: { nx: 16, ny: 16, steps: 8 },
  schrodinger: { potential: 'quartic', omega: 0, N: 50, states: 2 },
};
