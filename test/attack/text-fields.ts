// Every text field of every operation, found in the schemas of the registry, and inputs with a text in its place.

import type { z } from 'zod';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';

/** A step into a value: a field, the first element of a list, or the first entry of a record. */
type Step = { readonly field: string } | 'element' | 'entry' | 'entry name';

export interface TextField {
  readonly operation: Operation;
  readonly steps: readonly Step[];
  readonly schema: z.core.$ZodType;
}

export const nameOf = ({ operation, steps }: TextField) =>
  [operation.name, ...steps.map((step) => (typeof step === 'string' ? step : step.field))].join(' > ');

/** Fields of every operation that take a text: also keys of records, and free values. */
export function textFields(): TextField[] {
  return OPERATIONS.flatMap((operation: Operation) =>
    stringsIn(operation.input, []).map(({ steps, schema }) => ({ operation, steps, schema })),
  );
}

type Found = Pick<TextField, 'steps' | 'schema'>;

function stringsIn(given: z.core.$ZodType, steps: readonly Step[]): Found[] {
  const schema = given as z.core.$ZodTypes;
  const { def } = schema._zod;
  const into = (inner: z.core.$ZodType, ...step: Step[]) => stringsIn(inner, [...steps, ...step]);
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return [{ steps, schema }];
    case 'object':
      return Object.entries(def.shape).flatMap(([field, inner]) => into(inner, { field }));
    case 'array':
      return into(def.element, 'element');
    case 'record':
      return [...into(def.keyType, 'entry name'), ...into(def.valueType, 'entry')];
    case 'union':
      return def.options.flatMap((option) => into(option));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return into(def.innerType);
    case 'pipe':
      return [...into(def.in), ...into(def.out)];
    case 'number':
    case 'boolean':
    case 'literal':
    case 'enum':
    case 'transform':
    case 'unknown':
    case 'null':
      return [];
    default:
      throw new Error(`${def.type} at ${JSON.stringify(steps)} is not searched for texts.`);
  }
}

/** A copy of `input` with `text` at the place of a field. Missing levels are added. */
export function withText(input: unknown, steps: readonly Step[], text: string): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return text;
  if (step === 'element') return [withText(Array.isArray(input) ? input[0] : undefined, rest, text)];
  const record = isRecord(input) ? input : {};
  const [first = 'a'] = Object.keys(record);
  if (step === 'entry name') return { [text]: record[first] ?? 1 };
  const name = step === 'entry' ? first : step.field;
  return { ...record, [name]: withText(record[name], rest, text) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
