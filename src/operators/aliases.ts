// Other names: of domains (solver names from the specification's route list), and of what laws speak about.

import WORDS from './everyday-words.json' with { type: 'json' };

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

/** Words that mean the same to a search, each list in its singular form. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['speed', 'velocity', 'fast'],
  ['range', 'far', 'distance', 'displacement'],
  ['height', 'high', 'apex'],
  ['projectile', 'thrown', 'throw', 'cannon'],
  ['gravity', 'gravitational', 'weight'],
  ['deflection', 'bend', 'sag', 'bending'],
  ['coil', 'solenoid', 'inductor'],
  ['capacitor', 'capacitance'],
  ['wire', 'cable'],
  ['voltage', 'potential', 'electromotive', 'volt'],
  ['current', 'ampere', 'amp'],
  ['power', 'watt'],
  ['energy', 'joule'],
  ['loan', 'mortgage', 'credit'],
  ['payment', 'rate', 'instalment'],
  ['wall', 'slab'],
  ['heat', 'thermal'],
  ['sound', 'acoustic'],
  ['bacteria', 'bacterium', 'microbial', 'cell'],
  ['infection', 'infected', 'epidemic', 'disease'],
  ['drag', 'resistance'],
  ['density', 'dense'],
  ['gravitational', 'attraction', 'pull'],
  ['charge', 'charged'],
  ['force', 'hard', 'push'],
  ['friction', 'sliding'],
  ['share', 'fraction', 'proportion', 'percentage'],
  ['chance', 'probability', 'likely'],
  ['fall', 'falling', 'drop'],
  ['move', 'moving', 'moves', 'motion'],
  ['divide', 'division', 'generation'],
  ['buckle', 'buckling'],
  ['radiate', 'radiation'],
  ['grow', 'growth'],
  ['turbulent', 'turbulence'],
  ['sort', 'sorting', 'sorted'],
];

/** The other words of the same meaning. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(SAME_MEANING.flat())].map((word) => [
    word,
    [...new Set(SAME_MEANING.filter((words) => words.includes(word)).flat())].filter((other) => other !== word),
  ]),
);

/** Words that people use for a law and that its record lacks, by id. */
export const EVERYDAY_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(WORDS).map(([id, words]) => [id, words.split(' ')]),
);

/** Names of output units, in the singular. */
export const UNIT_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['J', ['joule']],
  ['W', ['watt']],
  ['N', ['newton']],
  ['V', ['volt']],
  ['A', ['ampere']],
  ['Hz', ['hertz']],
  ['Pa', ['pascal']],
  ['ohm', ['ohm']],
  ['T', ['tesla']],
]);
