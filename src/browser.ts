// The package's public entry for browsers: solvers, receipts and the clock, which need no server, and a client.

export {
  type ApiInput,
  type ApiName,
  type ApiOutput,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type SolveAnswer,
  type StreamOptions,
} from './client/client.ts';
export type { LiveArray, LiveEvent, LivePlot } from './client/live-run.ts';
export { readPulse, systemClock } from './core/clock.ts';
export { DomainError, type ErrorCode, type ErrorDetail } from './core/errors.ts';
export type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './kernels/abi.ts';
export { LocalRunner } from './kernels/local-runner.ts';
export { toBibtex } from './protocol/citation/bibtex.ts';
export { type Citation, type CitationContext, citationOf } from './protocol/citation/citation.ts';
export { toCslJson } from './protocol/citation/csl-json.ts';
export type { Envelope } from './protocol/envelope.ts';
export { type ReplayReport, type ReplayTools, replayEnvelope, verifyEnvelope } from './protocol/replay.ts';
export type { Claim } from './protocol/seal.ts';
export type { Seal } from './protocol/seal-batch.ts';
export type { PublicJwk } from './protocol/signing.ts';
export { tableCsv } from './protocol/sweep/csv.ts';
export { type SweepControls, type SweptSolution, sweepHere } from './protocol/sweep/sweep-here.ts';
export type { Field, Invariant, Plan, Solution, SolverDefinition, Witness } from './solvers/definition.ts';
export { findSolver, SOLVERS } from './solvers/index.ts';
export type { Plot } from './solvers/plot.ts';
export { solveHere } from './solvers/run.ts';
export type { Solver } from './solvers/solver.ts';
export type { Table } from './solvers/table.ts';
