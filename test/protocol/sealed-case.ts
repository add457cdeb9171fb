// Real envelopes for the tests: the kernel of a solver, run here, with known stamps and secrets.

import { createPrivateKey, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { KernelImage } from '../../src/kernels/abi.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { type Computation, solverComputation } from '../../src/protocol/computation.ts';
import { type ComputeRequest, selectComputation } from '../../src/protocol/compute-request.ts';
import { buildEnvelope, type Envelope } from '../../src/protocol/envelope.ts';
import type { Issuer } from '../../src/protocol/issuer.ts';
import { type LinkedBytes, type PureFields, pureFields } from '../../src/protocol/pure-fields.ts';
import { ReceiptKeys } from '../../src/protocol/receipt.ts';
import type { ReplayTools } from '../../src/protocol/replay.ts';
import { publicJwk, type Signer, sealEnvelope } from '../../src/protocol/seal.ts';
import type { Stamps } from '../../src/protocol/stamps.ts';
import type { Solution, SolverDefinition } from '../../src/solvers/definition.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { runPlan } from '../../src/solvers/run.ts';

/** PKCS #8 around a raw Ed25519 seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Node's signer over a seed of one repeated byte. */
export function signerOf(byte: number): Signer {
  const seed = new Uint8Array(32).fill(byte);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return { publicKey: publicJwk(ed25519.getPublicKey(seed)), sign: (bytes) => sign(null, bytes, key) };
}

export const signer = signerOf(9);
export const receipts = new ReceiptKeys([{ epoch: 1, secret: new Uint8Array(32).fill(7) }]);
export const issuer: Issuer = { keyPrefix: 'svc_ak_0a1b2c3d', receipts, signer };

/** A computation of a millisecond in September 2026, in the middle of a tick. */
export const STAMPS: Stamps = [0n, 20_000n, 50_000n, 90_000n, 900_000n, 1_000_000n, 1_000_000n].map(
  (ns) => 1_790_000_000_345_678_901n + ns,
);
/** The same, with a computation of two seconds, to which the parity rule applies. */
export const SLOW_STAMPS: Stamps = STAMPS.map((ns, step) => (step < 4 ? ns : ns + 2_000_000_000n));

const runner = new LocalRunner();

export interface Computed {
  readonly computation: Computation;
  readonly image: KernelImage;
  readonly solution: Solution;
  readonly pure: PureFields;
  readonly linked: readonly LinkedBytes[];
}

export interface Solved extends Computed {
  readonly solver: SolverDefinition;
}

/** Runs a solver with the kernel of this build. */
export async function solve(id: string, fields: Readonly<Record<string, unknown>>): Promise<Solved> {
  const solver = findSolver(id);
  if (!solver) throw new Error(`There is no solver ${id}.`);
  const input = solver.inputs.parse(fields);
  const definitions = solver.operatorChain.map((one) => definitionOf(findOperator(one)));
  const computation = solverComputation(solver, { input, consts: { g: 9.81 }, definitions });
  const image = await loadKernel(id);
  const solution = solver.collect(await runPlan(solver.plan(input), image, runner), input);
  return { solver, computation, image, solution, ...pureFields(computation, image.sha256, solution) };
}

/** Computes with operators of the registry. A refusal of the gate is a fault of the test. */
export async function compute(request: ComputeRequest): Promise<Computed> {
  const bound = selectComputation(request)();
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const { computation } = bound;
  const image = await loadKernel(computation.kernel);
  const solution = computation.collect(await runPlan(computation.plan(), image, runner));
  return { computation, image, solution, ...pureFields(computation, image.sha256, solution) };
}

/** The envelope as a caller receives it: sealed, and parsed from JSON. */
export function envelopeOf(
  { pure, solution, computation: { phi0 } }: Computed,
  stamps: Stamps = STAMPS,
  by: Issuer = issuer,
): Envelope {
  const call = { notes: ['dt is given twice; 0.1 from the top level is used.'], tokens: 1, runId: 'run-1', phi0 };
  return JSON.parse(JSON.stringify(buildEnvelope(pure, solution, stamps, by, call))) as Envelope;
}

/** Seals a changed envelope with another key. */
export function forge(envelope: Envelope): Envelope {
  const forger = signerOf(66);
  const { seal: _, ...body } = { ...envelope, public_key: forger.publicKey };
  return { ...body, seal: sealEnvelope(body, forger) };
}

/** Tools with the kernels of this build, which trust the issuer's key. */
export function replayTools(overrides: Partial<ReplayTools> = {}): ReplayTools {
  return {
    kernel: (_sha256, slug) => loadKernel(slug),
    solver: findSolver,
    runner,
    trusted: [signer.publicKey],
    ...overrides,
  };
}

/** A rod with few cells: a few hundred numbers, all inline. */
export const ROD = { dim: 1, nx: 8, steps: 12 };
/** A plate whose field is too large to be inline. */
export const PLATE = { dim: 2, nx: 72, ny: 72, steps: 8 };
