// What an event carries, read from the form that sends it.
//
// The node writes an event as it comes: others than this contract may listen to it, so no declaration of a payload binds it.
// A chain forgets nothing, therefore what is not of its declared type is refused here.

import type { Scalar, Scalars, ScalarType } from '../../contracts/definition.ts';
import { show } from '../../core/validation.ts';
import { typedNumber } from '../kit/typed-number.ts';

export interface Reading {
  readonly payload: Scalars;
  /** One sentence for each field that cannot be sent; an empty one is not begun yet, and is in neither. */
  readonly faults: Readonly<Record<string, string>>;
}

type ReadScalar = { readonly value: Scalar } | { readonly fault: string };

/** @param texts  by field, as they were typed */
export function readPayload(
  fields: Readonly<Record<string, ScalarType>>,
  texts: Readonly<Record<string, string>>,
): Reading {
  const payload: Record<string, Scalar> = {};
  const faults: Record<string, string> = {};
  for (const [name, type] of Object.entries(fields)) {
    const text = ownText(texts, name) ?? '';
    if (text === '' && type !== 'string' && type !== 'boolean') continue;
    const read = readScalar(name, text, type);
    if ('fault' in read) faults[name] = read.fault;
    else payload[name] = read.value;
  }
  return { payload, faults };
}

/** A field may be called as what every object has. */
export const ownText = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

function readScalar(name: string, text: string, type: ScalarType): ReadScalar {
  if (type === 'string') return { value: text };
  if (type === 'boolean') return { value: text === 'true' };
  const isWhole = type !== 'number';
  const read = typedNumber(text, { name, isWhole });
  if ('fault' in read || (isWhole ? Number.isSafeInteger(read.value) : Number.isFinite(read.value))) return read;
  const expected = isWhole ? wholeNumber(read.value) : 'a finite number';
  return { fault: `${name} is ${show(text)}; ${expected} is expected.` };
}

/** Further out, neighbours are the same number to a computer. */
const wholeNumber = (value: number) =>
  Number.isInteger(value)
    ? `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
    : 'a whole number';
