// Domain aliases: solver names from the specification's route list, each mapped to a domain prefix.

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
