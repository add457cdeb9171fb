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

/** What most people come for, in this order; the others of a subject follow by name. */
const WELL_KNOWN: readonly string[] = [
  ...['multibody', 'fea', 'heat', 'flow', 'wave', 'evolve', 'react', 'schrodinger', 'epi', 'lotka'],
  ...['grid', 'device', 'quant', 'kalman', 'unified', 'lorenz', 'opt'],
];

/** Orders the solvers of a subject for a gallery: the well-known first. */
export function byRenown<Solver extends { readonly id: string }>(solvers: readonly Solver[]): readonly Solver[] {
  const known = WELL_KNOWN.flatMap((id) => solvers.filter((solver) => solver.id === id));
  return [...known, ...solvers.filter((solver) => !known.includes(solver))];
}
