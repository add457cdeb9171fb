// Computations: operators, domains, solvers, stamps and receipts, filed runs.

import { SOLVERS } from '../../solvers/index.ts';
import { getField, getKernel, getResult } from './artifacts.ts';
import { auto, readQuestion } from './auto.ts';
import { compute, playground } from './compute.ts';
import { listDomains, matchDomain } from './domains.ts';
import { findOperators, getOperator, listOperators } from './operators.ts';
import { prove, verify, verifyProof } from './proofs.ts';
import { replay } from './replay.ts';
import { getRun, listRuns } from './runs.ts';
import { solverOperation } from './solve.ts';
import { getSolver } from './solvers.ts';
import { cancelRun, runStream, solveStream } from './stream.ts';

export const COMPUTE_OPERATIONS = [
  compute,
  playground,
  auto,
  readQuestion,
  findOperators,
  listOperators,
  getOperator,
  listDomains,
  matchDomain,
  ...SOLVERS.map(solverOperation),
  getSolver,
  solveStream,
  runStream,
  cancelRun,
  prove,
  verifyProof,
  verify,
  replay,
  listRuns,
  getRun,
  getField,
  getResult,
  getKernel,
] as const;
