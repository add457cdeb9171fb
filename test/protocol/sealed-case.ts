// Real envelopes for the tests: the kernel of a solver, run here, with known stamps and secrets.

import { createPrivateKey, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { KernelImage } from '../../src/kernels/abi.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { bindChain } from '../../src/operators/bind.ts';
import { definitionOf, type SealedDefinition } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { registration } from '../../src/operators/registered.ts';
import type { LinkedBytes } from '../../src/protocol/array-results.ts';
import { chainComputation } from '../../src/protocol/chain-computation.ts';
import { type Computation, solverComputation } from '../../src/protocol/computation.ts';
import { type ComputeRequest, selectComputation } from '../../src/protocol/compute-request.ts';
import { type Body, buildBody, type Envelope } from '../../src/protocol/envelope.ts';
import type { Issuer } from '../../src/protocol/issuer.ts';
import { type Executed, type PureFields, pureFields } from '../../src/protocol/pure-fields.ts';
import { ReceiptKeys } from '../../src/protocol/receipt.ts';
import type { ReplayTools } from '../../src/protocol/replay.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import { publicJwk, type Signer } from '../../src/protocol/signing.ts';
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
export const issuer: Issuer = { keyPrefix: 'svc_ak_0a1b2c3d', receipts, publicKey: signer.publicKey };

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
  readonly executed: Executed;
  readonly solution: Solution;
  readonly pure: PureFields;
  readonly linked: readonly LinkedBytes[];
}

export interface Solved extends Computed {
  readonly solver: SolverDefinition;
}

/** Runs a solver with the kernel of this build. */
export async function solve(
  id: string,
  fields: Readonly<Record<string, unknown>>,
  {
    isComplete = false,
    operators = [],
  }: { readonly isComplete?: boolean; readonly operators?: readonly string[] } = {},
): Promise<Solved> {
  const solver = findSolver(id);
  if (!solver) throw new Error(`There is no solver ${id}.`);
  const input = solver.inputs.parse(fields);
  const definitions = [...solver.operatorChain, ...operators].map((one) => definitionOf(findOperator(one)));
  const computation = solverComputation(solver, { input, consts: {}, definitions });
  const image = await loadKernel(id);
  return { solver, ...(await runComputation(computation, image, isComplete)) };
}

/** Computes with operators of the registry. A refusal of the gate is a fault of the test. */
export async function compute(request: ComputeRequest, isComplete = false): Promise<Computed> {
  const bound = selectComputation(request)();
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const { computation } = bound;
  return runComputation(computation, await loadKernel(computation.kernel), isComplete);
}

/** Computes with definitions that need not be registered, KO42 first. */
export async function computeWith(
  definitions: readonly SealedDefinition[],
  inputs: Readonly<Record<string, number>>,
): Promise<Computed> {
  const given = { inputs, consts: {}, units: {}, uncertainties: {} };
  const bound = bindChain(definitions, given);
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const computation = chainComputation({ domain: 'Laws', definitions, given, detail: undefined, bound: bound.chain });
  return runComputation(computation, await loadKernel(computation.kernel), false);
}

async function runComputation(computation: Computation, image: KernelImage, isComplete: boolean): Promise<Computed> {
  const executed = { kernelSha256: image.sha256, ...(await runPlan(computation.plan(), image, runner)) };
  const solution = computation.collect(executed.outputs);
  return { computation, image, executed, solution, ...pureFields(computation, executed, solution, isComplete) };
}

/** The envelope as a caller receives it: sealed, and parsed from JSON. */
export function envelopeOf(computed: Computed, stamps: Stamps = STAMPS): Envelope {
  const body = unsealed(computed, stamps);
  return JSON.parse(JSON.stringify({ ...body, seal: sealEnvelope({ ...body }, signer) })) as Envelope;
}

/** Everything but the seal. */
export function unsealed({ pure, solution }: Computed, stamps: Stamps = STAMPS): Body {
  const call = { notes: ['dt is given twice; 0.1 from the top level is used.'], tokens: 1, runId: 'run-1' };
  return buildBody(pure, solution, stamps, issuer, call);
}

/** Seals a changed envelope with another key. */
export function forge(envelope: Envelope): Envelope {
  const forger = signerOf(66);
  const { seal: _, ...body } = { ...envelope, public_key: forger.publicKey };
  return { ...body, seal: sealEnvelope({ ...body }, forger) };
}

/** Tools with the kernels of this build, which trust the issuer's key. */
export function replayTools(overrides: Partial<ReplayTools> = {}): ReplayTools {
  return {
    kernel: (_sha256, slug) => loadKernel(slug),
    solver: findSolver,
    registration,
    runner,
    trusted: [signer.publicKey],
    ...overrides,
  };
}

/** A rod with few cells: a few hundred numbers, all inline. */
export const ROD = { dim: 1, nx: 8, steps: 12 };
/** A plate whose field is too large to be inline. */
export const PLATE = { dim: 2, nx: 72, ny: 72, steps: 8 };
