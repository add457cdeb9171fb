// zod's findings in our words: which field, what was got, what is allowed.

import type { z } from 'zod';
import { DomainError, type ErrorDetail } from './errors.ts';
import { didYouMean } from './nearest.ts';

const MAX_SHOWN = 60;
const MAX_DETAILS = 20;

/** What was got, short enough for a message. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

type Issue = z.core.$ZodIssue;

function allowed(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number is expected' : `${issue.expected} is expected`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${sizeOf(issue.origin)} is allowed`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${sizeOf(issue.origin)} is allowed`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => String(value)).join(', ')} is expected`;
    case 'invalid_format':
      return `the format is ${issue.pattern ?? issue.format}`;
    default:
      return issue.message;
  }
}

function sizeOf(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array' || origin === 'set') return ' elements';
  return '';
}

function detailsOf(issue: Issue, known: readonly string[], prefix: readonly PropertyKey[] = []): ErrorDetail[] {
  const at = [...prefix, ...issue.path];
  const path = at.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...at.map(String), key].join('.'),
      code: 'UNKNOWN_FIELD',
      message: `There is no field ${show(key)}.${at.length === 0 ? didYouMean(key, known) : ''}`,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // Show the alternative that came closest: the one that failed deepest.
    const depth = (issues: readonly Issue[]) => Math.max(...issues.map((one) => one.path.length), 0);
    const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
    return best.flatMap((one) => detailsOf(one, known, at));
  }
  const isMissing = issue.input === undefined;
  const got = isMissing ? 'is missing' : `is ${show(issue.input)}`;
  return [
    {
      path,
      code: isMissing ? 'MISSING' : issue.code.toUpperCase(),
      message: `${path || 'The body'} ${got}; ${allowed(issue)}.`,
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
  const details = parsed.error.issues.flatMap((issue) => detailsOf(issue, known)).slice(0, MAX_DETAILS);
  throw new DomainError('VALIDATION_FAILED', details[0]?.message ?? 'The input is not valid.', { details });
}
