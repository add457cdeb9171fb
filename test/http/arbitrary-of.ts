// Random values of a JSON schema, and almost valid ones. Supports the keywords of our OpenAPI document and throws on
// others.

import fc from 'fast-check';
import { z } from 'zod';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The JSON schema of what a parser takes. */
export function schemaOf(parser: z.ZodType): Schema {
  return withoutReferences(z.toJSONSchema(parser, { io: 'input', unrepresentable: 'any', reused: 'inline' }));
}

/** The same schema, which accepts anything where it refers to itself. */
export function withoutReferences(document: unknown): Schema {
  return JSON.parse(JSON.stringify(document).replaceAll(/\{"\$ref":"[^"]*"\}/g, '{}'));
}

const MAX_ITEMS = 4;
const MAX_TEXT = 24;

/** Values that the schema accepts. An optional field is present in one case of three. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, Math.max(MAX_ITEMS, schema.minItems ?? 0)),
      });
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return stringOf(schema);
    case 'boolean':
      return fc.boolean();
    case undefined:
      return fc.jsonValue().filter(hasAllowedNames);
    default:
      throw new Error(`Unsupported schema ${JSON.stringify(schema)}.`);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties, propertyNames }: Schema) {
  const fields = Object.entries(properties).map(([name, field]): fc.Arbitrary<object> => {
    const some = arbitraryOf(field).map((value) => ({ [name]: value }));
    return required.includes(name) ? some : fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, some);
  });
  const extra =
    typeof additionalProperties === 'object'
      ? fc.dictionary(
          (arbitraryOf(propertyNames ?? { type: 'string', maxLength: MAX_TEXT }) as fc.Arbitrary<string>).filter(
            isAllowedName,
          ),
          arbitraryOf(additionalProperties),
          { maxKeys: MAX_ITEMS },
        )
      : fc.constant({});
  return fc.tuple(extra, ...fields).map((parts) => Object.assign({}, ...parts) as object);
}

/** Excludes names that are rejected in every body. */
const isAllowedName = (name: string) => !['__proto__', 'prototype', 'constructor'].includes(name);

const hasAllowedNames = (value: unknown) => !/"(__proto__|prototype|constructor)":/.test(JSON.stringify(value));

/** Mostly near the minimum, where cases are cheap. */
function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? exclusiveMinimum ?? -1e6;
  const max = maximum ?? 1e6;
  if (type === 'integer') {
    const near = fc.integer({ min, max: Math.min(max, min + 100) });
    return fc.oneof(
      { weight: 3, arbitrary: near },
      fc.maxSafeInteger().map((n) => clamp(n, min, max)),
    );
  }
  const within = fc.double({ min, max, noNaN: true, minExcluded: exclusiveMinimum !== undefined });
  const round = fc.integer({ min: 1, max: 100 }).map((n) => clamp(n / 10, min, max));
  return fc.oneof(within, { weight: 3, arbitrary: round }).filter((n) => n !== exclusiveMinimum);
}

const clamp = (n: number, min: number, max: number) => Math.min(max, Math.max(min, n));

function stringOf({
  pattern,
  format,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    const year = { min: new Date('1971-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
    return fc.date(year).map((date) => date.toISOString());
  }
  if (pattern !== undefined) {
    const isLongEnough = (text: string) => text.length >= minLength && text.length <= maxLength;
    return fc.stringMatching(new RegExp(pattern)).filter(isLongEnough);
  }
  return textOf(minLength, Math.max(minLength, Math.min(maxLength, MAX_TEXT)));
}

const TEXTS = new Map<string, fc.Arbitrary<string>>();

/** One for all fields of these lengths: to make one takes fast-check milliseconds. */
function textOf(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const key = `${minLength} ${maxLength}`;
  const length = { minLength, maxLength };
  const made =
    TEXTS.get(key) ??
    fc.oneof(fc.string({ ...length, unit: 'grapheme-ascii' }), fc.string({ ...length, unit: 'binary' }));
  TEXTS.set(key, made);
  return made;
}

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  '',
  'NaN',
  '64',
  [],
  [[]],
  {},
  { a: 1 },
  '\u0000',
  '💥'.repeat(50),
];

/** A value of the schema with one defect: a wrong type, an extra or a missing field, or not an object. */
export function almostValid(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const wrong = fc.constantFrom(...WRONG);
  const broken = fc.record({ value: arbitraryOf(schema), name: fc.constantFrom('nothing', ...names), wrong });
  return fc.oneof(
    { weight: 4, arbitrary: broken.map((b) => ({ ...(b.value as object), [b.name]: b.wrong })) },
    { weight: 1, arbitrary: broken.map((b) => omit(b.value as object, b.name)) },
    { weight: 1, arbitrary: wrong },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function omit(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
