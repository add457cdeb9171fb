// Fields of a schema in words: type, limits, unit, default, meaning, and the fields of its objects.

import { formatBound, withFullStop } from '../../../src/portal/kit/format.ts';
import { type FieldRow, VARIANT } from '../../../src/portal/reference/operation-page.ts';
import { alternativesOf, type Resolved, resolve, type Schema, type Schemas, typesOf, valueSchemaOf } from './schema.ts';

/** Objects in objects, beyond which only the type is named. */
const MAX_DEPTH = 4;
const MAX_DEFAULT_LENGTH = 80;
const MAX_CHOICES = 40;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
};
const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time of ISO 8601',
  date: 'date of ISO 8601',
  uri: 'URL',
  binary: 'bytes',
};
/** Bounds of what JSON can hold, which limit nothing. */
const isNoLimit = (bound: number) => Math.abs(bound) >= Number.MAX_SAFE_INTEGER;

/** @param above  names of the schemas that contain this one, which ends a schema that contains itself */
export function fieldRows(schema: Schema, schemas: Schemas, above: readonly string[] = []): FieldRow[] {
  const target = objectIn(schema, schemas);
  if (target === undefined) return variantRows(schema, schemas, above);
  const { properties = {}, required = [] } = target.schema;
  const within = [...above, target.name ?? ''];
  if (above.length >= MAX_DEPTH || (target.name !== undefined && above.includes(target.name))) return [];
  return Object.entries(properties).map(([name, field]) =>
    fieldRow(name, field, required.includes(name), schemas, within),
  );
}

export function fieldRow(
  name: string,
  field: Schema,
  isRequired: boolean,
  schemas: Schemas,
  above: readonly string[] = [''],
): FieldRow {
  const { schema } = resolve(field, schemas);
  const plain = plainSchema(schema, schemas);
  const limits = limitsOf(plain);
  const fields = fieldRows(field, schemas, above);
  const pattern = patternOf(plain) ?? (plain.items && patternOf(plain.items));
  const unit = plain['x-unit'] ?? plain.items?.['x-unit'];
  return {
    name,
    type: typeOf(field, schemas),
    ...(isRequired ? { isRequired } : {}),
    ...(limits === '' ? {} : { limits }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(unit === undefined || unit === '1' ? {} : { unit }),
    ...(schema.default === undefined ? {} : { defaultValue: shortJson(schema.default) }),
    ...(schema.description === undefined ? {} : { meaning: withFullStop(schema.description) }),
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/** Where a format says it, in words. */
const patternOf = ({ pattern, format = '' }: Schema) => (format in FORMAT_WORDS ? undefined : pattern);

/** A row for each of several objects that a value can be. */
function variantRows(schema: Schema, schemas: Schemas, above: readonly string[]): FieldRow[] {
  const variants = objectsIn(schema, schemas);
  if (variants.length < 2 || above.length >= MAX_DEPTH) return [];
  return variants.map(({ schema: variant, name }, at): FieldRow => {
    const fields =
      name !== undefined && above.includes(name) ? [] : fieldRows(variant, schemas, [...above, name ?? '']);
    return {
      name: name ?? `form ${at + 1}`,
      type: VARIANT,
      ...(variant.description === undefined ? {} : { meaning: withFullStop(variant.description) }),
      ...(fields.length === 0 ? {} : { fields }),
    };
  });
}

/** The one object that a value is, or that its list or map consists of. */
function objectIn(schema: Schema, schemas: Schemas): Resolved | undefined {
  const objects = objectsIn(schema, schemas);
  return objects.length === 1 ? objects[0] : undefined;
}

function objectsIn(given: Schema, schemas: Schemas): readonly Resolved[] {
  const resolved = resolve(given, schemas);
  const { schema } = resolved;
  if (schema.properties) return [resolved];
  const inner = schema.items ?? valueSchemaOf(schema);
  if (inner) return objectsIn(inner, schemas);
  const alternatives = alternativesOf(schema);
  return alternatives.length === 1 && alternatives[0] === schema
    ? []
    : alternatives.flatMap((one) => objectsIn(one, schemas));
}

/** Of `number or null` the number, which has the limits. */
function plainSchema(schema: Schema, schemas: Schemas): Schema {
  const real = alternativesOf(schema).filter(({ type }) => type !== 'null');
  return real.length === 1 && real[0] ? resolve(real[0], schemas).schema : schema;
}

/** `list of text`, `one of implicit, explicit`, `Envelope or Gate`. */
function typeOf(given: Schema, schemas: Schemas): string {
  const { schema, name } = resolve(given, schemas);
  if (name !== undefined && (schema.properties || schema.anyOf || schema.oneOf)) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return choicesOf(schema.enum);
  if (schema.prefixItems) return `list of ${schema.prefixItems.map((one) => typeOf(one, schemas)).join(', ')}`;
  if (schema.items) return `list of ${plural(typeOf(schema.items, schemas))}`;
  const alternatives = alternativesOf(schema);
  if (alternatives[0] !== schema) return [...new Set(alternatives.map((one) => typeOf(one, schemas)))].join(' or ');
  if (schema.properties) return 'object';
  const values = valueSchemaOf(schema);
  if (values) return Object.keys(values).length === 0 ? 'object' : `${plural(typeOf(values, schemas))} by name`;
  const format = FORMAT_WORDS[schema.format ?? ''];
  if (format !== undefined) return typesOf(schema).includes('null') ? `${format} or null` : format;
  const words = typesOf(schema).map((type) => TYPE_WORDS[type] ?? type);
  return words.length === 0 ? 'anything' : words.join(' or ');
}

/** Of the words of simple types; names of schemas and choices stay. */
const plural = (type: string) =>
  type.replace(/\b(text|whole number|number|object|list of)(?= or |$| of )/g, (word) =>
    word === 'list of' ? 'lists of' : `${word}s`,
  );

function choicesOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_CHOICES).map(String).join(', ');
  return values.length > MAX_CHOICES ? `one of ${shown} and ${values.length - MAX_CHOICES} more` : `one of ${shown}`;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, items } = schema;
  const inner = items === undefined ? '' : limitsOf(items);
  return [
    exclusiveMinimum === undefined ? '' : `> ${formatBound(exclusiveMinimum)}`,
    rangeText(minimum, maximum, ''),
    typesOf(schema).includes('string')
      ? rangeText(minLength === 0 ? undefined : minLength, maxLength, 'characters')
      : '',
    rangeText(minItems === 0 ? undefined : minItems, maxItems, 'entries'),
    inner === '' ? '' : `each ${inner}`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string {
  const [low, high] = [min, max].map((bound) =>
    bound === undefined || isNoLimit(bound) ? undefined : formatBound(bound),
  );
  const text =
    low === undefined ? high && `≤ ${high}` : high === undefined ? `≥ ${low}` : low === high ? low : `${low} – ${high}`;
  return text === undefined ? '' : `${text} ${unit}`.trim();
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_DEFAULT_LENGTH ? `${text.slice(0, MAX_DEFAULT_LENGTH)}…` : text;
}
