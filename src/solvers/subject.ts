// The subjects that lists of solvers are grouped by, in their order. A subject is wider than a domain of the registry,
// which one or two solvers share.

export const SUBJECTS = [
  'Mechanics and structures',
  'Heat, fluids and waves',
  'Atoms and chemistry',
  'Quantum and particles',
  'Life and medicine',
  'Energy and devices',
  'Chance, signals and finance',
  'Mathematics and logic',
  'Clock and service',
] as const;

export type Subject = (typeof SUBJECTS)[number];
