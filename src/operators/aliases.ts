// Aliases of domains: the names that the specification's list of routes uses for solvers.

/** Alias → prefix. */
export const DOMAIN_ALIASES: ReadonlyMap<string, string> = new Map([
  ['Symplectic Mechanics', 'RB'],
  ['Structural Stability', 'STR'],
  ['Structural FEA', 'STR'],
  ['Geophysical Fluid Dynamics', 'OC'],
  ['Molecular Docking', 'PHA'],
  ['Molecular Dynamics', 'STM'],
  ['Lattice Gauge Theory', 'HEP'],
  ['Thermal Diffusion', 'CHE'],
  ['State Estimation', 'CS'],
  ['Optimization', 'CS'],
  ['Computational Complexity', 'CS'],
  ['Chaotic Dynamics', 'NL'],
  ['Population Ecology', 'ECO'],
  ['Reaction-Diffusion', 'ICO'],
  ['Growth-Front Dynamics', 'ICO'],
  ['Analytic Number Theory', 'NT'],
  ['Master Field', 'KO'],
  ['Master Field N-body', 'KO'],
  ['Closed-Form Master Field', 'KO'],
]);
