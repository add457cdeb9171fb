// Hash of everything in a definition that a number depends on. Names and notes stay outside: rewording changes nothing.

import { canonicalJson } from '../core/canonical-json.ts';
import { sha256Hex } from '../core/sha256.ts';

/** Fields that enter the hash: those of a definition, and those of its parts. */
export const HASHED_FIELDS = {
  definition: ['id', 'equation', 'where', 'output', 'inputs', 'constants', 'requires', 'accuracy'],
  output: ['symbol', 'unit'],
  inputs: ['unit', 'min', 'max', 'default', 'integer', 'enum', 'aliases'],
  constants: ['value', 'unit', 'uncertainty', 'correlation'],
  accuracy: ['relative', 'absolute'],
} as const;

/**
 * SHA-256 of the canonical JSON of `id`, `equation`, `where`, `output {symbol, unit}`, `inputs {unit, min, max, default,
 * integer, enum, aliases}`, `constants {value, unit, uncertainty, correlation}`, `requires` and `accuracy {relative, absolute}`. Empty `where` and
 * `constants` count as missing.
 *
 * @param definition  a definition with the values of its constants (`definitionOf`), or what a receipt holds instead
 * @returns 64 hex digits; undefined for what canonical JSON cannot hold
 */
export function definitionSha256(definition: unknown): string | undefined {
  if (!isObject(definition)) return undefined;
  const cached = cache.get(definition);
  if (cached !== undefined) return cached;
  const hash = hashOf(definition);
  // Definitions of the registry are frozen and stand in every receipt.
  if (hash !== undefined && Object.isFrozen(definition)) cache.set(definition, hash);
  return hash;
}

const cache = new WeakMap<object, string>();

function hashOf(definition: Readonly<Record<string, unknown>>): string | undefined {
  const { where, output, inputs, constants, accuracy, ...rest } = fieldsOf(definition, HASHED_FIELDS.definition);
  try {
    return sha256Hex(
      canonicalJson({
        ...rest,
        ...(isEmpty(where) ? {} : { where }),
        output: partOf(output, HASHED_FIELDS.output),
        inputs: partsOf(inputs, HASHED_FIELDS.inputs),
        ...(isEmpty(constants) ? {} : { constants: partsOf(constants, HASHED_FIELDS.constants) }),
        ...(accuracy === undefined ? {} : { accuracy: partOf(accuracy, HASHED_FIELDS.accuracy) }),
      }),
    );
  } catch {
    return undefined;
  }
}

const fieldsOf = (record: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]));

/** The named fields of an object. Any other value stays, so that its hash is that of no definition. */
const partOf = (value: unknown, fields: readonly string[]) => (isObject(value) ? fieldsOf(value, fields) : value);

function partsOf(value: unknown, fields: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, partOf(one, fields)]));
}

const isEmpty = (value: unknown) => value === undefined || (isObject(value) && Object.keys(value).length === 0);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
