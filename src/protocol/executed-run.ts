// Kernel runs as executed, and what they left behind: the part of a receipt that needs no code but the archived kernel.
//
// A run is named, not counted: the kernel itself exports the positions of its parameters, views and statistics. Its
// seal covers each array by the hash of its bytes, so a run has the same hash with and without them.

import { fromBase64, fromLittleEndianF64, fromLittleEndianI32, littleEndianBytes, toBase64 } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { mapValues } from '../core/map-values.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import { arraySha256, type NumericArray, withCanonicalNaNs } from './array-digest.ts';

/** Maximum elements of an input array that stands in a receipt; a longer one is held by its hash. */
export const MAX_INLINE_ELEMENTS = 512;

/** An input array of a run. */
export interface RunArray {
  readonly type: 'f64' | 'i32';
  readonly length: number;
  readonly sha256: string;
  /** The bytes, little-endian; present up to 512 elements, and always in a self-contained receipt. */
  readonly base64?: string;
}

/** JSON has no −0 and no infinities, so these stand as text. */
export type Parameter = number | '-0' | 'NaN' | 'Infinity' | '-Infinity';

export interface ExecutedRun {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly inputs: Readonly<Record<string, RunArray>>;
  readonly steps: number;
  /** Views that were copied at the end. */
  readonly outputs: readonly string[];
  readonly statistics: readonly string[];
}

/** What a run left behind. */
export interface RunOutcome {
  readonly info: number;
  readonly steps: number;
  /** SHA-256 of each view. */
  readonly views: Readonly<Record<string, string>>;
  /** SHA-256 of the statistics, in the order of the run. */
  readonly statistics: string;
}

/** A whole computation as its kernel saw it. */
export interface Execution {
  readonly runs: readonly ExecutedRun[];
  readonly outcomes: readonly RunOutcome[];
}

/** @param isComplete  include the bytes of every array */
export function executionOf(
  runs: readonly KernelRun[],
  outputs: readonly KernelOutput[],
  isComplete = false,
): Execution {
  return {
    runs: runs.map((run) => executedRun(run, isComplete ? Number.POSITIVE_INFINITY : MAX_INLINE_ELEMENTS)),
    outcomes: outputs.map((output, i) => runOutcome(output, runs[i]?.statistics ?? [])),
  };
}

function executedRun(
  { parameters, inputs = {}, steps, outputs, statistics = [] }: KernelRun,
  maxInline: number,
): ExecutedRun {
  return {
    parameters: mapValues(parameters, parameterOf),
    inputs: mapValues(inputs, (data) => runArray(data, maxInline)),
    steps,
    outputs,
    statistics,
  };
}

/** By array: the byte code of a law is the same array in every run. Other arrays are new in every run. */
const byteCodes = new WeakMap<Int32Array, RunArray>();

function runArray(data: NumericArray, maxInline: number): RunArray {
  const known = data instanceof Int32Array ? byteCodes.get(data) : undefined;
  if (known !== undefined) return known;
  const form = { type: data instanceof Int32Array ? 'i32' : 'f64', length: data.length } as const;
  const sha256 = arraySha256(data);
  if (data.length > maxInline) return { ...form, sha256 };
  const inline = { ...form, sha256, base64: toBase64(littleEndianBytes(withCanonicalNaNs(data))) };
  if (data instanceof Int32Array && data.length <= MAX_INLINE_ELEMENTS) byteCodes.set(data, inline);
  return inline;
}

export function runOutcome({ info, steps, views, statistics }: KernelOutput, names: readonly string[]): RunOutcome {
  const values = new Float64Array(names.length);
  for (const [i, name] of names.entries()) values[i] = statistics[name] ?? Number.NaN;
  return { info, steps, views: mapValues(views, arraySha256), statistics: arraySha256(values) };
}

/** SHA-256 of runs, whether or not they hold the bytes of their arrays. */
export function runsSha256(runs: readonly ExecutedRun[]): string {
  return sha256Hex(
    canonicalJson(
      runs.map(({ parameters, inputs, steps, outputs, statistics }) => ({
        inputs: mapValues(inputs, ({ type, length, sha256 }) => ({ length, sha256, type })),
        outputs,
        parameters,
        statistics,
        steps,
      })),
    ),
  );
}

/** SHA-256 of everything that the runs left behind. */
export function outcomesSha256(outcomes: readonly RunOutcome[]): string {
  return sha256Hex(
    canonicalJson(outcomes.map(({ info, steps, views, statistics }) => ({ info, statistics, steps, views }))),
  );
}

/** The array of a receipt; undefined without its bytes, or if they do not have its type, length and hash. */
export function arrayOf({ type, length, sha256, base64 }: RunArray): NumericArray | undefined {
  const bytes = base64 === undefined ? undefined : fromBase64(base64);
  const data = bytes && (type === 'i32' ? fromLittleEndianI32(bytes) : fromLittleEndianF64(bytes));
  return data?.length === length && arraySha256(data) === sha256 ? data : undefined;
}

export function parameterValue(parameter: Parameter): number {
  return typeof parameter === 'number' ? parameter : Number(parameter);
}

function parameterOf(value: number): Parameter {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? '-0' : (String(value) as Parameter);
}
