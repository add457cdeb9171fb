// All operations, in the order in which the catalog shows them.

import { SOLVERS } from '../solvers/index.ts';
import { catalogOperations } from './catalog.ts';
import { fieldStatus } from './field-status.ts';
import { createKey, listKeys, mintDemoKey, revokeKey } from './keys.ts';
import { mcpMetadata } from './mcp-metadata.ts';
import type { Operation } from './operation.ts';
import { prove, replay, verify, verifyProof } from './proofs.ts';
import { pulse, pulseStream } from './pulse.ts';
import { getField, getKernel, getResult, getRun, listRuns } from './runs.ts';
import { socketOperation } from './socket.ts';
import { solverOperation } from './solve.ts';

export const OPERATIONS: readonly Operation[] = [
  pulse,
  pulseStream,
  socketOperation(() => OPERATIONS),
  fieldStatus,
  mintDemoKey,
  ...SOLVERS.map(solverOperation),
  prove,
  verifyProof,
  verify,
  replay,
  listRuns,
  getRun,
  getField,
  getResult,
  getKernel,
  listKeys,
  createKey,
  revokeKey,
  mcpMetadata,
  ...catalogOperations(() => OPERATIONS),
];
