// zod's findings in our words: which field, what was got, what is allowed.

import type { z } from 'zod';
import { DomainError, type ErrorDetail } from './errors.ts';
import { didYouMean, nearestNames } from './nearest.ts';

const MAX_SHOWN = 60;
const MAX_DETAILS = 20;
/** Fields that a message may list. */
const FEW = 12;
/** Fields whose content no message repeats. */
const SECRETS: ReadonlySet<PropertyKey> = new Set(['equation']);

/** The nearest of the fields that there are, or all of them if they are few. */
function insteadOf(key: string, known: readonly string[]): string {
  const nearest = didYouMean(key, known);
  if (nearest !== '' || known.length === 0 || known.length > FEW) return nearest;
  return ` Allowed are ${known.join(', ')}.`;
}

/** What was got, short enough for a message. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

type Issue = z.core.$ZodIssue;

/** What is looked at: the schema and the value as they were handed over, before anything was read as a number. */
interface Whole {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

function allowed(issue: Issue, got: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${PLAIN_TYPES.get(issue.expected) ?? issue.expected} is expected`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${sizeOf(issue.origin)} is allowed`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${sizeOf(issue.origin)} is allowed`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => String(value)).join(', ')} is expected${meant(got, issue.values)}`;
    case 'invalid_format':
      return NAMED_FORMATS.get(issue.format) ?? `the format is ${issue.pattern ?? issue.format}`;
    case 'invalid_key':
      return issue.issues[0] === undefined ? 'another name is expected' : allowed(issue.issues[0], got);
    default:
      return issue.message;
  }
}

function sizeOf(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array' || origin === 'set') return ' elements';
  return '';
}

/** Types that zod calls by names of its own. */
const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ['int', 'a whole number'],
  ['record', 'object'],
  ['tuple', 'array'],
  ['nonoptional', 'a value'],
]);

/** Formats that have a name, which says more than their expression. */
const NAMED_FORMATS: ReadonlyMap<string, string> = new Map([['uuid', 'a UUID is expected']]);

/** The nearest of the values that are allowed, as part of a sentence. */
function meant(got: unknown, values: readonly unknown[]): string {
  const [best] = typeof got === 'string' ? nearestNames(got, values.map(String), 1) : [];
  return best === undefined ? '' : `, perhaps ${best}`;
}

/** What stood at a place before it was read as a number; undefined where there is no such place. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name],
    value,
  );
}

/** The number that is allowed at a place, in words; undefined where the place is not a plain number of an object. */
function numberAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string | undefined {
  let at = insideOf(schema);
  for (const name of path) {
    const { def } = at._zod;
    const next = def.type === 'object' ? def.shape[String(name)] : undefined;
    if (next === undefined) return undefined;
    at = insideOf(next);
  }
  if (at._zod.def.type !== 'number') return undefined;
  const { minValue, maxValue, isInt } = at as z.ZodNumber;
  const isFrom = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
  const isTo = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  const kind = isInt ? 'a whole number' : 'a number';
  if (isFrom && isTo) return `${kind} from ${minValue} to ${maxValue} is allowed`;
  if (isFrom) return `${kind} of at least ${minValue} is allowed`;
  return isTo ? `${kind} of at most ${maxValue} is allowed` : `${kind} is allowed`;
}

/** The schema within what makes it optional, gives it a default, or reads it first. */
function insideOf(schema: z.core.$ZodType): z.core.$ZodTypes {
  const inside = schema as z.core.$ZodTypes;
  const { def } = inside._zod;
  if (def.type === 'optional' || def.type === 'default') return insideOf(def.innerType);
  return def.type === 'pipe' ? insideOf(def.out) : inside;
}

function detailsOf(
  issue: Issue,
  known: readonly string[],
  whole: Whole,
  prefix: readonly PropertyKey[] = [],
): ErrorDetail[] {
  const at = [...prefix, ...issue.path];
  const path = at.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...at.map(String), key].join('.'),
      code: 'UNKNOWN_FIELD',
      message: `There is no field ${show(key)}.${at.length === 0 ? insteadOf(key, known) : ''}`,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // Show the alternative that came closest: the one that failed deepest.
    const depth = (issues: readonly Issue[]) => Math.max(...issues.map((one) => one.path.length), 0);
    const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
    return best.flatMap((one) => detailsOf(one, known, whole, at));
  }
  const isMissing = issue.input === undefined;
  const isSecret = at.some((name) => SECRETS.has(name));
  // A text of a query is read as a number first: NaN is not what was got.
  const isMisread = issue.code === 'invalid_type' && Number.isNaN(issue.input);
  const given = isMisread ? valueAt(whole.value, at) : issue.input;
  const got = isMissing ? 'is missing' : isSecret ? 'is not what it should be' : `is ${show(given)}`;
  const wanted = isMisread && typeof given === 'string' ? numberAt(whole.schema, at) : undefined;
  return [
    {
      path,
      code: isMissing ? 'MISSING' : issue.code.toUpperCase(),
      message: `${path || 'The body'} ${got}; ${wanted ?? allowed(issue, given)}.`,
    },
  ];
}

/**
 * Parse, or refuse with every fault named.
 *
 * @param known  names to suggest from when a top-level field is unknown
 * @throws DomainError VALIDATION_FAILED
 */
export function parseOrRefuse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  known: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues
    .flatMap((issue) => detailsOf(issue, known, { schema, value }))
    .slice(0, MAX_DETAILS);
  throw new DomainError('VALIDATION_FAILED', details[0]?.message ?? 'The input is not valid.', { details });
}
