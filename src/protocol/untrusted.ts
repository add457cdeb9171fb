// Untrusted envelopes: checks only the fields whose types replay and seal rely on.

import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { FORBIDDEN_KEYS } from '../core/json-object.ts';
import { LIMITS } from '../core/limits.ts';
import { isRecord } from '../core/record.ts';
import { STEPS, type Stamps } from './stamps.ts';

/** An object that claims to be an envelope or a bundle. */
export type Untrusted = Readonly<Record<string, unknown>>;

/** The pure fields of an envelope that a replay computes with. */
export interface ResultShape extends Untrusted {
  readonly solver: string;
  readonly revision: number;
  readonly definitions: readonly unknown[];
  readonly kernel_sha256: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  readonly value: number;
  readonly functional: number;
  readonly runs: z.output<typeof Runs>;
  readonly outcomes: z.output<typeof Outcomes>;
}

export interface EnvelopeShape extends ResultShape {
  readonly stamps: readonly string[];
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_AN_ENVELOPE', message }] });
}

/** More only of a sweep. */
const MAX_RUNS = LIMITS.sweep.runs;
const MAX_NAMES = 64;
const MAX_STEPS = 1e12;
const MAX_BASE64 = 4_000_000;

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
const Names = z.array(Name).max(MAX_NAMES);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const hasFewNames = (record: object) => Object.keys(record).length <= MAX_NAMES;

const Runs = z
  .array(
    z.looseObject({
      parameters: z
        .record(Name, z.union([z.number(), z.enum(['-0', 'NaN', 'Infinity', '-Infinity'])]))
        .refine(hasFewNames),
      inputs: z
        .record(
          Name,
          z.looseObject({
            type: z.enum(['f64', 'i32']),
            length: z.int().min(0),
            sha256: Sha256,
            base64: z.string().max(MAX_BASE64).optional(),
          }),
        )
        .refine(hasFewNames),
      steps: z.number().min(0).max(MAX_STEPS),
      outputs: Names,
      statistics: Names,
    }),
  )
  .min(1)
  .max(MAX_RUNS);

const Outcomes = z
  .array(
    z.looseObject({
      info: z.number(),
      steps: z.number(),
      views: z.record(Name, Sha256).refine(hasFewNames),
      statistics: Sha256,
    }),
  )
  .min(1)
  .max(MAX_RUNS);

/**
 * Checks the fields that every sealed envelope has.
 *
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function assertEnvelope(envelope: Untrusted): EnvelopeShape {
  const { value, seal, stamps } = envelope;
  if (typeof value === 'number' && seal === undefined && stamps === undefined)
    refuse(
      'seal',
      'This is a result without a seal: a node seals what it computes, a library or a command does not. A file that a command writes with --output can be replayed.',
    );
  assertReplayable(envelope);
  if (!Array.isArray(stamps)) refuse('stamps', 'An envelope holds seven stamps.');
  return envelope as unknown as EnvelopeShape;
}

/** What a node refuses in a body is refused in a file, so that every face says the same of a receipt. */
function assertPlain(value: object, levels: number): void {
  if (levels === 0) refuse('', `An envelope is nested at most ${LIMITS.receiptDepth} levels deep.`);
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null) assertPlain(child, levels - 1);
  if (Array.isArray(value)) return;
  const forbidden = Object.keys(value).find((name) => FORBIDDEN_KEYS.has(name));
  if (forbidden !== undefined) refuse(forbidden, `An envelope has no field of the name ${forbidden}.`);
}

/** Checks what a replay computes with; all other fields are only compared. @throws DomainError VALIDATION_FAILED */
export function assertReplayable(result: Untrusted): ResultShape {
  const { solver, revision, kernel_sha256, inputs, consts, verification, value, functional, definitions } = result;
  if (value === null)
    refuse('value', 'This is an answer of the dimensional gate: nothing was computed, so there is nothing to replay.');
  if (typeof solver !== 'string') refuse('solver', 'An envelope names its solver.');
  if (typeof kernel_sha256 !== 'string' || !Sha256.safeParse(kernel_sha256).success)
    refuse('kernel_sha256', 'An envelope names its kernel by 64 lower-case hex digits.');
  if (!Number.isSafeInteger(revision) || (revision as number) < 1)
    refuse(
      'revision',
      'An envelope names the revision of its solver; receipts of development versions before it do not.',
    );
  if (!isRecord(inputs)) refuse('inputs', 'An envelope holds its inputs as an object.');
  if (!isRecord(consts) || Object.values(consts).some((one) => typeof one !== 'number'))
    refuse('consts', 'An envelope holds its consts as an object of numbers.');
  if (!isRecord(verification)) refuse('verification', 'An envelope holds its verification.');
  if (typeof value !== 'number') refuse('value', 'An envelope holds a number as its value.');
  if (typeof functional !== 'number') refuse('functional', 'An envelope holds a number as its functional.');
  if (!Array.isArray(definitions))
    refuse('definitions', 'An envelope holds the definitions of its operators; without them it cannot be replayed.');
  assertForm('runs', Runs, result.runs);
  assertForm('outcomes', Outcomes, result.outcomes);
  if ((result.runs as unknown[]).length !== (result.outcomes as unknown[]).length)
    refuse('outcomes', 'An envelope holds one outcome for each of its runs.');
  try {
    canonicalJson(result);
  } catch {
    refuse('', 'This holds something that JSON cannot say.');
  }
  assertPlain(result, LIMITS.receiptDepth);
  return result as unknown as ResultShape;
}

function assertForm(field: string, form: z.ZodType, value: unknown): void {
  const issue = form.safeParse(value).error?.issues[0];
  if (issue) refuse([field, ...issue.path].join('.'), `An envelope holds its ${field}: ${issue.message}.`);
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
