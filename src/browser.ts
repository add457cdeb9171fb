// The public entry for browsers: solvers, receipts and the clock, nothing that needs a server.

export { readPulse, systemClock } from './core/clock.ts';
export { DomainError, type ErrorCode, type ErrorDetail } from './core/errors.ts';
export type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './kernels/abi.ts';
export { LocalRunner } from './kernels/run-here.ts';
export type { Envelope } from './protocol/envelope.ts';
export { type ReplayReport, type ReplayTools, replayEnvelope, verifyEnvelope } from './protocol/replay.ts';
export type { Claim, PublicJwk, Seal } from './protocol/seal.ts';
export { findSolver, SOLVERS } from './solvers/index.ts';
export { solveHere } from './solvers/run.ts';
export type { Field, Invariant, Plan, Plot, Solution, Solver, SolverDefinition, Witness } from './solvers/solver.ts';
