// Parses the payload of an event from its form.
//
// The node does not check payloads against a contract, because other contracts may use the same event. Rows cannot be
// deleted, so values of a wrong type are rejected here.

import type { Scalar, Scalars, ScalarType } from '../../contracts/definition.ts';
import { quoteValue } from '../../core/validation.ts';
import { parseNumber } from '../kit/parse-number.ts';

export interface ParsedPayload {
  readonly payload: Scalars;
  /** One sentence per invalid field; empty numeric fields are in neither. */
  readonly faults: Readonly<Record<string, string>>;
}

type ParsedScalar = { readonly value: Scalar } | { readonly fault: string };

/** @param texts  texts by field, as typed */
export function parsePayload(
  fields: Readonly<Record<string, ScalarType>>,
  texts: Readonly<Record<string, string>>,
): ParsedPayload {
  const payload: Record<string, Scalar> = {};
  const faults: Record<string, string> = {};
  for (const [name, type] of Object.entries(fields)) {
    const text = textOf(texts, name) ?? '';
    if (text === '' && type !== 'string' && type !== 'boolean') continue;
    const parsed = parseScalar(name, text, type);
    if ('fault' in parsed) faults[name] = parsed.fault;
    else payload[name] = parsed.value;
  }
  return { payload, faults };
}

/** Safe for field names such as `constructor`. */
export const textOf = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

function parseScalar(name: string, text: string, type: ScalarType): ParsedScalar {
  if (type === 'string') return { value: text };
  if (type === 'boolean') return { value: text === 'true' };
  const isWhole = type !== 'number';
  const parsed = parseNumber(text, { name, isWhole });
  if ('fault' in parsed || (isWhole ? Number.isSafeInteger(parsed.value) : Number.isFinite(parsed.value)))
    return parsed;
  const expected = isWhole ? wholeNumberText(parsed.value) : 'a finite number';
  return { fault: `${name} is ${quoteValue(text)}; ${expected} is expected.` };
}

/** Beyond the safe range, adjacent integers are not distinguishable. */
const wholeNumberText = (value: number) =>
  Number.isInteger(value)
    ? `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
    : 'a whole number';
