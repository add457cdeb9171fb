// All operations, in the order in which the catalog shows them.

import { SOLVERS } from '../solvers/index.ts';
import { catalogOperations } from './catalog.ts';
import { createKey, listKeys, mintDemoKey, revokeKey } from './keys.ts';
import type { Operation } from './operation.ts';
import { prove, replay, verify, verifyProof } from './proofs.ts';
import { pulse } from './pulse.ts';
import { getField, getKernel, getRun, listRuns } from './runs.ts';
import { solverOperation } from './solve.ts';

export const OPERATIONS: readonly Operation[] = [
  pulse,
  mintDemoKey,
  ...SOLVERS.map(solverOperation),
  prove,
  verifyProof,
  verify,
  replay,
  listRuns,
  getRun,
  getField,
  getKernel,
  listKeys,
  createKey,
  revokeKey,
  ...catalogOperations(() => OPERATIONS),
];
