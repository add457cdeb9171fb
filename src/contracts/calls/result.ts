// Results of activities: the event that tells what became of one, and what its row records so that others can check it.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { parsePointer, resolvePointer } from '../../core/json-pointer.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { sha256Hex, utf8 } from '../../core/sha256.ts';
import type { StartedCall, StartedRequest } from '../contract-state.ts';
import type { Scalar, Scalars } from '../definition.ts';

/** A receipt, or the hash and length of one that is too long for a row. Both are of its canonical JSON. */
export type RowReceipt = object | { readonly sha256: string; readonly bytes: number };

export type CallOutcome =
  | {
      readonly kind: 'computed';
      readonly value: number;
      readonly unit: string;
      readonly uncertainty: number;
      readonly receipt: RowReceipt;
    }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body_sha256: string;
      readonly bytes: number;
      /** The body, unless it is long, or has what a database does not store. */
      readonly text?: string;
      readonly fields: Scalars;
    }
  | FailedCall;

interface FailedCall {
  readonly kind: 'failed';
  readonly code: string;
  readonly reason: string;
}

const MAX_REASON = 300;

export const failedCall = (code: string, reason: string): FailedCall => ({
  kind: 'failed',
  code,
  // A cut may split a character.
  reason: reason.slice(0, MAX_REASON).toWellFormed(),
});

/** SHA-256 of the canonical JSON of a receipt. */
const hashOfReceipt = (receipt: RowReceipt): string =>
  isReference(receipt) ? receipt.sha256 : sha256Hex(canonicalJson(receipt));

const isReference = (receipt: RowReceipt): receipt is { readonly sha256: string; readonly bytes: number } =>
  Object.keys(receipt).sort().join() === 'bytes,sha256';

/** The event that tells what became of an activity. */
export function resultOf({ into, on_error }: StartedCall, outcome: CallOutcome, tries: number) {
  switch (outcome.kind) {
    case 'computed': {
      const { value, unit, uncertainty, receipt } = outcome;
      return {
        name: into,
        payload: { value, unit, uncertainty, receipt: hashOfReceipt(receipt) },
        evidence: { receipt },
      };
    }
    case 'answered': {
      const { kind: _, fields, ...http } = outcome;
      return { name: into, payload: { ...fields, status: http.status, body: http.body_sha256 }, evidence: { http } };
    }
    default: {
      const { code, reason } = outcome;
      return { name: on_error, payload: { code, tries }, evidence: { code, reason } };
    }
  }
}

/** A response of a status from 200 to 299 as an outcome; failed if it has not what the event declares. */
export function answeredCall(status: number, text: string, { fields = {} }: StartedRequest): CallOutcome {
  const bytes = utf8(text);
  const read = fieldsOf(text, fields);
  if ('kind' in read) return read;
  const isRecorded = bytes.length <= LIMITS.contracts.calls.recordedBytes && isStorable(text);
  const body = { body_sha256: sha256Hex(text), bytes: bytes.length, ...(isRecorded ? { text } : {}) };
  return { kind: 'answered', status, ...body, fields: read.values };
}

function fieldsOf(
  text: string,
  fields: NonNullable<StartedRequest['fields']>,
): FailedCall | { readonly values: Scalars } {
  const values: Record<string, Scalar> = {};
  if (Object.keys(fields).length === 0) return { values };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return failedCall('RESPONSE', 'The response is not JSON, from which fields are to be read.');
  }
  for (const [name, { at, type }] of Object.entries(fields)) {
    const found = valueAt(document, at);
    if (!hasType(found, type))
      return failedCall('RESPONSE', `${name}, at ${JSON.stringify(at)}, is ${shown(found)}; expected ${type}.`);
    values[name] = found === 0 ? 0 : found;
  }
  return { values };
}

function valueAt(document: unknown, at: string): unknown {
  try {
    return resolvePointer(document, parsePointer(at));
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function hasType(value: unknown, type: string): value is Scalar {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' && value.length <= LIMITS.contracts.calls.textCharacters && isStorable(value);
  }
}

/** A text that every database can store. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object') return value === null ? 'null' : 'a list or an object';
  return JSON.stringify(value).slice(0, 40);
}

/**
 * What the row of a result says that its evidence does not confirm; undefined if it confirms all.
 *
 * @param row  payload of the row
 * @param started  the activity, if its row can be read
 */
export function resultFault(row: Readonly<Record<string, unknown>>, started?: StartedCall): string | undefined {
  const { payload, call } = row;
  if (!isRecord(call) || !isRecord(payload)) return undefined;
  const { receipt, http, code, tries } = call;
  if (started !== undefined) {
    const name = code === undefined ? started.into : started.on_error;
    if (row.name !== name) return `tells ${String(row.name)}; the activity has ${name}`;
    if ((started.http !== undefined) !== isRecord(http) && code === undefined)
      return 'has the evidence of another kind';
  }
  if (code !== undefined) return unequal(payload, { code, tries });
  if (isRecord(receipt)) return receiptFault(payload, receipt, started);
  if (isRecord(http)) return responseFault(payload, http, started?.http);
  return 'has no evidence';
}

function receiptFault(
  payload: Readonly<Record<string, unknown>>,
  receipt: Readonly<Record<string, unknown>>,
  started: StartedCall | undefined,
): string | undefined {
  const hash = unequal(payload, { receipt: hashOfReceipt(receipt) });
  if (hash !== undefined || isReference(receipt)) return hash;
  const { value, unit, uncertainty, operator_id: operator, solver, inputs } = receipt;
  const fault = unequal(payload, { value, unit, uncertainty });
  if (fault !== undefined || started === undefined) return fault;
  if (started.unit !== unit) return `has the unit ${String(unit)}; the activity asks for ${started.unit}`;
  const [asked, computed] = started.operator === undefined ? [started.solver, solver] : [started.operator, operator];
  if (asked !== computed) return `has the receipt of ${String(computed)}; the activity asks for ${asked}`;
  const given = isRecord(inputs) ? inputs : {};
  const other = Object.entries(started.inputs ?? {}).find(([name, number]) => given[name] !== number + 0);
  return other && `has a receipt whose ${other[0]} is ${JSON.stringify(given[other[0]])}; the activity has ${other[1]}`;
}

function responseFault(
  payload: Readonly<Record<string, unknown>>,
  { status, body_sha256: body, text }: Readonly<Record<string, unknown>>,
  started: StartedRequest | undefined,
): string | undefined {
  const fault = unequal(payload, { status, body });
  if (fault !== undefined || typeof text !== 'string') return fault;
  if (sha256Hex(text) !== body) return 'has a response of another hash';
  const read = fieldsOf(text, started?.fields ?? {});
  return 'kind' in read ? `has a response that is refused: ${read.reason}` : unequal(payload, read.values);
}

function unequal(
  payload: Readonly<Record<string, unknown>>,
  told: Readonly<Record<string, unknown>>,
): string | undefined {
  const other = Object.entries(told).find(
    ([name, value]) => canonicalJson(payload[name] ?? null) !== canonicalJson(value ?? null),
  );
  return other && `has ${other[0]} ${JSON.stringify(payload[other[0]])}; its evidence has ${JSON.stringify(other[1])}`;
}
