// Untrusted envelopes: checks only the fields whose types replay and seal rely on.

import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { STEPS, type Stamps } from './stamps.ts';

/** An object that claims to be an envelope or a bundle. */
export type Untrusted = Readonly<Record<string, unknown>>;

/** The pure fields of an envelope that a replay computes with. */
export interface ResultShape extends Untrusted {
  readonly solver: string;
  readonly definitions: readonly unknown[];
  readonly kernel_sha256: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
}

export interface EnvelopeShape extends ResultShape {
  readonly stamps: readonly string[];
}

export function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_AN_ENVELOPE', message }] });
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks the fields that every sealed envelope has, also one of an older version that holds no definitions.
 *
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function assertEnvelope(envelope: Untrusted): Omit<EnvelopeShape, 'definitions'> {
  const { solver, value, seal, stamps } = envelope;
  if (typeof solver !== 'string' && typeof value === 'number' && seal === undefined)
    refuse('seal', 'This is a result without a seal: a node seals what it computes, a library or a command does not.');
  assertFields(envelope);
  if (!Array.isArray(stamps)) refuse('stamps', 'An envelope holds seven stamps.');
  return envelope as unknown as EnvelopeShape;
}

/** Checks what a replay needs. @throws DomainError VALIDATION_FAILED naming the field */
export function assertReplayable(result: Untrusted): ResultShape {
  assertFields(result);
  if (!Array.isArray(result.definitions))
    refuse('definitions', 'An envelope holds the definitions of its operators; without them it cannot be replayed.');
  return result as unknown as ResultShape;
}

/** Checks the types of the fields that are computed with. All other fields are only compared. */
function assertFields(envelope: Untrusted): void {
  const { solver, kernel_sha256, inputs, consts, verification, value } = envelope;
  if (value === null)
    refuse('value', 'This is an answer of the dimensional gate: nothing was computed, so there is nothing to replay.');
  if (typeof solver !== 'string') refuse('solver', 'An envelope names its solver.');
  if (typeof kernel_sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(kernel_sha256))
    refuse('kernel_sha256', 'An envelope names its kernel by 64 lower-case hex digits.');
  if (!isRecord(inputs)) refuse('inputs', 'An envelope holds its inputs as an object.');
  if (!isRecord(consts) || Object.values(consts).some((one) => typeof one !== 'number'))
    refuse('consts', 'An envelope holds its consts as an object of numbers.');
  if (!isRecord(verification)) refuse('verification', 'An envelope holds its verification.');
  if (typeof value !== 'number') refuse('value', 'An envelope holds a number as its value.');
  try {
    canonicalJson(envelope);
  } catch {
    refuse('', 'This holds something that JSON cannot say.');
  }
}

const MAX_STAMP_DIGITS = 20;

export function readStamps(stamps: readonly unknown[]): Stamps | undefined {
  if (stamps.length !== STEPS.length) return undefined;
  const read: bigint[] = [];
  for (const stamp of stamps) {
    if (typeof stamp !== 'string' || stamp.length > MAX_STAMP_DIGITS || !/^(0|[1-9][0-9]*)$/.test(stamp))
      return undefined;
    const ns = BigInt(stamp);
    if (ns < (read.at(-1) ?? 0n)) return undefined;
    read.push(ns);
  }
  return read;
}
