// Names of what the answer of each solver holds: solved with its defaults, and kept in build/ while nothing that makes
// numbers changed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SolverDefinition } from '../../../src/solvers/definition.ts';
import { solveHere } from '../../../src/solvers/run.ts';
import { ROOT } from '../../compile-kernel.ts';
import { fingerprintOf } from '../../output-folder.ts';

export interface SolverSample {
  /** How the value was computed a second way. */
  readonly witness: string;
  readonly quantities: readonly { readonly name: string; readonly unit: string }[];
  readonly fields: readonly string[];
  readonly invariants: readonly { readonly name: string; readonly label?: string; readonly bound: number }[];
}

const FILE = join(ROOT, 'build/solver-samples.json');
const SOURCES = [
  'src/{core,kernels,expressions,solvers}/**/*.ts',
  'scripts/portal/docs/solver-samples.ts',
  'build/kernels/manifest.json',
];

type Samples = Readonly<Record<string, SolverSample>>;

/** By solver. @throws DomainError if a solver does not solve its defaults */
export async function solverSamples(solvers: readonly SolverDefinition[]): Promise<Samples> {
  const fingerprint = fingerprintOf(SOURCES);
  if (existsSync(FILE)) {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly fingerprint: string; readonly samples: Samples };
    if (kept.fingerprint === fingerprint && solvers.every(({ id }) => kept.samples[id])) return kept.samples;
  }
  const samples: Record<string, SolverSample> = {};
  for (const solver of solvers) {
    const { witness, quantities, fields, invariants } = await solveHere(solver, {});
    samples[solver.id] = {
      witness: witness.method,
      quantities: quantities.map(({ name, unit }) => ({ name, unit })),
      fields: fields.map(({ name }) => name),
      invariants: invariants.map(({ name, label, bound }) => ({ name, bound, ...(label ? { label } : {}) })),
    };
  }
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ fingerprint, samples }));
  return samples;
}
