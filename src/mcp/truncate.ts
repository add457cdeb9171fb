// Truncates a result that is too long for a tool answer: same record, with placeholders for omitted items and text.

import { isRecord } from '../core/record.ts';

interface Limits {
  /** Longer arrays become their length with first and last item. */
  readonly maxItems: number;
  /** Longer texts are cut after this many characters. */
  readonly maxCharacters: number;
}

/** Tried in this order until the result fits. */
const LEVELS: readonly Limits[] = [
  { maxItems: 32, maxCharacters: 400 },
  { maxItems: 8, maxCharacters: 200 },
  { maxItems: 3, maxCharacters: 80 },
];

/**
 * Truncates to at most `maxBytes` of JSON, keeping as much detail as fits. Falls back to the scalar fields of the top
 * level, then to an empty object.
 */
export function truncate(value: unknown, maxBytes: number): Record<string, unknown> {
  for (const limits of LEVELS) {
    const short = shorten(value, limits);
    if (isRecord(short) && sizeOf(short) <= maxBytes) return short;
  }
  const top = isRecord(value) ? Object.entries(value).filter(([, field]) => isScalar(field)) : [];
  const scalars = Object.fromEntries(
    top.map(([name, field]) => [name, shorten(field, { maxItems: 0, maxCharacters: 80 })]),
  );
  return sizeOf(scalars) <= maxBytes ? scalars : {};
}

function shorten(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.maxCharacters) return value;
    return `${value.slice(0, limits.maxCharacters)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    if (value.length <= limits.maxItems) return value.map((item) => shorten(item, limits));
    return { omitted: value.length, first: shorten(value[0], limits), last: shorten(value.at(-1), limits) };
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, limits)]));
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
