// A value that fits a schema, for fields that have no example. It names nothing that exists.

import { alternativesOf, resolve, type Schema, type Schemas, typesOf } from './schema.ts';

/** Objects in objects, beyond which an object is empty. */
const MAX_DEPTH = 6;

/** The first that fits is taken. */
const TEXTS = [
  'text',
  'example',
  '1.0',
  '00000000-0000-7000-8000-000000000000',
  '2026-01-31T12:00:00.000Z',
  '2026-01-31',
  'https://example.org/',
  '0'.repeat(64),
  'CM9',
  'Z1',
  '1',
  '0'.repeat(16),
  '0'.repeat(32),
  '0'.repeat(128),
  'A'.repeat(22),
  'A'.repeat(43),
  `${'A'.repeat(43)}=`,
  `${'A'.repeat(86)}==`,
  'AAAA',
];

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-7000-8000-000000000000',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  binary: 'bytes',
};

/**
 * Required fields only.
 *
 * @param name  of the field, which is a readable text where it fits
 */
export function sampleOf(given: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  const { schema } = resolve(given, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const alternatives = alternativesOf(schema);
  if (alternatives[0] !== schema) {
    const real = alternatives.find(({ type }) => type !== 'null') ?? alternatives[0];
    return real === undefined || depth > MAX_DEPTH ? null : sampleOf(real, schemas, name, depth + 1);
  }
  if (schema.prefixItems) return schema.prefixItems.map((one) => sampleOf(one, schemas, name, depth + 1));
  const type = typesOf(schema).find((one) => one !== 'null') ?? typesOf(schema)[0];
  if (type === 'array') return sampleList(schema, schemas, name, depth);
  if (type === 'object' || schema.properties) return sampleObject(schema, schemas, depth);
  if (type === 'number' || type === 'integer') return sampleNumber(schema, type);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'string') return sampleText(schema, name);
  return {};
}

function sampleList({ items, minItems = 0 }: Schema, schemas: Schemas, name: string, depth: number): unknown[] {
  if (items === undefined || depth > MAX_DEPTH) return [];
  return Array.from({ length: Math.max(1, minItems) }, () => sampleOf(items, schemas, name, depth + 1));
}

function sampleObject(schema: Schema, schemas: Schemas, depth: number): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  if (depth > MAX_DEPTH) return {};
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, field]) => [name, sampleOf(field, schemas, name, depth + 1)]),
  );
}

function sampleNumber({ minimum, maximum, exclusiveMinimum }: Schema, type: string): number {
  const above = exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1;
  const least = minimum === undefined || minimum < 0 ? above : Math.max(minimum, above);
  const value = maximum === undefined ? least : Math.min(least, maximum);
  return type === 'integer' ? Math.ceil(value) : value;
}

function sampleText(
  { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema,
  name: string,
): string {
  const candidates = [FORMATS[format ?? ''] ?? '', name, ...TEXTS, '0'.repeat(Math.min(minLength, 1_000))];
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const fits = (text: string) =>
    text !== '' && text.length >= minLength && text.length <= maxLength && (expression?.test(text) ?? true);
  return candidates.find(fits) ?? 'text';
}
