// Translates zod issues into error details: the field, the given value, and the allowed values.

import type { z } from 'zod';
import { DomainError, type ErrorDetail } from './errors.ts';
import { didYouMean, nearestNames } from './nearest.ts';

const MAX_VALUE_CHARACTERS = 60;
const MAX_DETAILS = 20;
/** Maximum number of fields that a message lists. */
const MAX_LISTED_FIELDS = 12;
/** Fields whose values must not appear in messages. */
const SECRET_FIELDS: ReadonlySet<PropertyKey> = new Set(['equation']);

/** Suggests the nearest known field, or lists all fields if they are few. */
function suggestField(key: string, known: readonly string[]): string {
  const nearest = didYouMean(key, known);
  if (nearest !== '' || known.length === 0 || known.length > MAX_LISTED_FIELDS) return nearest;
  return ` Allowed fields: ${known.join(', ')}.`;
}

/** Prints a value, shortened for a message. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

type Issue = z.core.$ZodIssue;

/** The schema and the input value before any conversion to numbers. */
interface ValidationContext {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

function describeAllowed(issue: Issue, actual: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${TYPE_NAMES.get(issue.expected) ?? issue.expected} is expected`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${sizeOf(issue.origin, issue.minimum)} allowed`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${sizeOf(issue.origin, issue.maximum)} allowed`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => String(value)).join(', ')} is expected${suggestValue(actual, issue.values)}`;
    case 'invalid_format':
      return NAMED_FORMATS.get(issue.format) ?? `the format is ${issue.pattern ?? issue.format}`;
    case 'invalid_key':
      return issue.issues[0] === undefined ? 'another name is expected' : describeAllowed(issue.issues[0], actual);
    default:
      return issue.message;
  }
}

/** The unit of a limit, and its verb: `1 element is`, `2 elements are`. */
function sizeOf(origin: string, limit: number | bigint): string {
  const noun = origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'element' : undefined;
  if (noun === undefined) return ' is';
  return Number(limit) === 1 ? ` ${noun} is` : ` ${noun}s are`;
}

/** Readable names of zod types. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['int', 'a whole number'],
  ['record', 'object'],
  ['tuple', 'array'],
  ['nonoptional', 'a value'],
]);

/** Messages for named formats, which are clearer than their pattern. */
const NAMED_FORMATS: ReadonlyMap<string, string> = new Map([['uuid', 'a UUID is expected']]);

/** Suggests the nearest allowed value, as part of a sentence. */
function suggestValue(actual: unknown, values: readonly unknown[]): string {
  const [closest] = typeof actual === 'string' ? nearestNames(actual, values.map(String), 1) : [];
  return closest === undefined ? '' : `, perhaps ${closest}`;
}

/** The original value at a path, before any conversion; undefined if the path does not exist. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name],
    value,
  );
}

/** Describes the allowed numbers at a path; undefined if the path is not a number field of an object. */
function describeNumberAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string | undefined {
  let at = unwrapSchema(schema);
  for (const name of path) {
    const { def } = at._zod;
    const next = def.type === 'object' ? def.shape[String(name)] : undefined;
    if (next === undefined) return undefined;
    at = unwrapSchema(next);
  }
  if (at._zod.def.type !== 'number') return undefined;
  const { minValue, maxValue, isInt } = at as z.ZodNumber;
  const hasMin = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
  const hasMax = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  const kind = isInt ? 'a whole number' : 'a number';
  if (hasMin && hasMax) return `${kind} from ${minValue} to ${maxValue} is allowed`;
  if (hasMin) return `${kind} of at least ${minValue} is allowed`;
  return hasMax ? `${kind} of at most ${maxValue} is allowed` : `${kind} is allowed`;
}

/** Unwraps optional, default and pipe schemas. */
function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodTypes {
  const unwrapped = schema as z.core.$ZodTypes;
  const { def } = unwrapped._zod;
  if (def.type === 'optional' || def.type === 'default') return unwrapSchema(def.innerType);
  return def.type === 'pipe' ? unwrapSchema(def.out) : unwrapped;
}

/** Whether a union says in words what it expects, and no alternative failed at a part of the value. */
const isDescribed = ({ message, errors }: z.core.$ZodIssueInvalidUnion): boolean =>
  message !== DEFAULT_UNION_MESSAGE && errors.flat().every(({ path }) => path.length === 0);
const DEFAULT_UNION_MESSAGE = 'Invalid input';

function detailsOf(
  issue: Issue,
  known: readonly string[],
  context: ValidationContext,
  prefix: readonly PropertyKey[] = [],
): ErrorDetail[] {
  const at = [...prefix, ...issue.path];
  const path = at.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    // Suggestions take time: none for keys that no answer has room for.
    return issue.keys.slice(0, MAX_DETAILS).map((key) => ({
      path: [...at.map(String), key].join('.'),
      code: 'UNKNOWN_FIELD',
      message: `Unknown field ${quoteValue(key)}.${at.length === 0 ? suggestField(key, known) : ''}`,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0 && !isDescribed(issue)) {
    // Report the alternative that matched best: the one that failed deepest.
    const depth = (issues: readonly Issue[]) => Math.max(...issues.map((issue) => issue.path.length), 0);
    const closest = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
    return closest.flatMap((nested) => detailsOf(nested, known, context, at));
  }
  const isMissing = issue.input === undefined;
  const isSecret = at.some((name) => SECRET_FIELDS.has(name));
  // A query parameter is converted to a number first; report its text, not NaN.
  const isMisread = issue.code === 'invalid_type' && Number.isNaN(issue.input);
  const given = isMisread ? valueAt(context.value, at) : issue.input;
  const actual = isMissing ? 'is missing' : isSecret ? 'is not valid' : `is ${quoteValue(given)}`;
  const expectedNumber = isMisread && typeof given === 'string' ? describeNumberAt(context.schema, at) : undefined;
  return [
    {
      path,
      code: isMissing ? 'MISSING' : issue.code.toUpperCase(),
      message: `${path || 'The body'} ${actual}; ${expectedNumber ?? describeAllowed(issue, given)}.`,
    },
  ];
}

/**
 * Parses a value, or throws an error with details of every issue.
 *
 * @param known  names to suggest from when a top-level field is unknown
 * @throws DomainError VALIDATION_FAILED
 */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  known: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  // Each issue has one detail at least.
  const details = parsed.error.issues
    .slice(0, MAX_DETAILS)
    .flatMap((issue) => detailsOf(issue, known, { schema, value }))
    .slice(0, MAX_DETAILS);
  throw new DomainError('VALIDATION_FAILED', details[0]?.message ?? 'The input is not valid.', { details });
}
