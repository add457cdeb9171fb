// Random values of a JSON schema, and values that are nearly of it. Covers what our OpenAPI document uses and refuses the rest.

import fc from 'fast-check';

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

const FEW = 4;
const LONG = 24;

/** Values that the schema admits. An optional field is there in one case of three. */
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
        maxLength: Math.min(schema.maxItems ?? FEW, Math.max(FEW, schema.minItems ?? 0)),
      });
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return stringOf(schema);
    case 'boolean':
      return fc.boolean();
    case undefined:
      return fc.jsonValue();
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}.`);
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
          (arbitraryOf(propertyNames ?? { type: 'string', maxLength: LONG }) as fc.Arbitrary<string>).filter(
            isAdmitted,
          ),
          arbitraryOf(additionalProperties),
          { maxKeys: FEW },
        )
      : fc.constant({});
  return fc.tuple(extra, ...fields).map((parts) => Object.assign({}, ...parts) as object);
}

/** Names that no body may hold, whatever its schema says. */
const isAdmitted = (name: string) => !['__proto__', 'prototype', 'constructor'].includes(name);

/** Near the lower end, where cases are cheap, and now and then anywhere. */
function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const least = minimum ?? exclusiveMinimum ?? -1e6;
  const most = maximum ?? 1e6;
  if (type === 'integer') {
    const near = fc.integer({ min: least, max: Math.min(most, least + 100) });
    return fc.oneof(
      { weight: 3, arbitrary: near },
      fc.maxSafeInteger().map((n) => clamp(n, least, most)),
    );
  }
  const within = fc.double({ min: least, max: most, noNaN: true, minExcluded: exclusiveMinimum !== undefined });
  const round = fc.integer({ min: 1, max: 100 }).map((n) => clamp(n / 10, least, most));
  return fc.oneof(within, { weight: 3, arbitrary: round }).filter((n) => n !== exclusiveMinimum);
}

const clamp = (n: number, least: number, most: number) => Math.min(most, Math.max(least, n));

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
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONG)) };
  return fc.oneof(fc.string({ ...length, unit: 'grapheme-ascii' }), fc.string({ ...length, unit: 'binary' }));
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

/** A value of the schema with one thing wrong: a field of another kind, one more, one less, or no object at all. */
export function nearlyOf(schema: Schema): fc.Arbitrary<unknown> {
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
