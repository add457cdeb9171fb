// Compact JSON Schema of a tool's arguments: a model reads the complete tool list in every conversation.
//
// Omitted constraints still apply: an invalid value is rejected with the allowed range, and /openapi.json has every
// schema in full.

import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { groupBy } from '../core/group-by.ts';
import { isRecord } from '../core/record.ts';
import { documentDefault } from '../operations/schemas.ts';

export type ObjectSchema = Tool['inputSchema'];

const MAX_DESCRIPTION = 56;
const MIN_DESCRIPTION = 8;
/** Bounds beyond these only catch typing errors; a model does not need them. */
const WIDE = 1e6;
const NARROW = 1e-6;
/** `symbol`, `unit` and `rows` are extensions of this service; the unit moves into the description. */
const OMITTED_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  'id',
  'symbol',
  'unit',
  'rows',
  'description',
  'propertyNames',
  'minLength',
  'maxLength',
  'maxItems',
  'pattern',
]);

/** Draft 2020-12, the dialect that clients assume without `$schema`. */
export function argumentsSchema(input: z.ZodObject): ObjectSchema {
  const listed = Object.entries(input.shape).filter(([, field]) => (field as z.ZodType).meta()?.unlisted !== true);
  const schema = z.toJSONSchema(z.strictObject(Object.fromEntries(listed) as z.ZodRawShape), {
    io: 'input',
    unrepresentable: 'any',
    override: documentDefault,
  });
  // Unknown arguments are rejected with the nearest names, whether or not the schema says so.
  const { additionalProperties: _, ...short } = compact(schema) as ObjectSchema;
  return { ...short, type: 'object' };
}

/** Longer defaults are examples, which stand in the details. */
const MAX_DEFAULT_CHARACTERS = 16;

/**
 * The arguments of a solver in less than half of the bytes: names, types, choices, and one text with defaults by unit.
 * Only texts keep a description, since their form cannot be guessed; the first of several forms is listed. The first
 * choice is the default unless the text says otherwise. Ranges and meanings stand in the description of the solver, and errors name them.
 */
export function solverArgumentsSchema(input: z.ZodObject): ObjectSchema {
  const { properties = {}, required } = argumentsSchema(input);
  const entries = Object.entries(properties as Readonly<Record<string, FieldSchema>>);
  const short = entries.map(([name, field]) => [name, briefField(field)] as const);
  const lines = [...groupBy(entries, ([, field]) => unitOf(field))].flatMap(([unit, fields]) => {
    const texts = fields.map(([name, field]) => nameWithDefault(name, field, unit)).filter((text) => text !== '');
    return texts.length === 0 ? [] : [`${unit === '1' ? '' : `[${unit}] `}${texts.join(', ')}`];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(short) as ObjectSchema['properties'],
    ...(required === undefined || required.length === 0 ? {} : { required }),
    ...(lines.length === 0 ? {} : { description: lines.join(' ') }),
  };
}

/** The compact schema of one argument. */
interface FieldSchema {
  readonly type?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: FieldSchema;
  readonly additionalProperties?: unknown;
}

const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean']);

function briefField({ anyOf, ...field }: FieldSchema): Record<string, unknown> {
  const { type, enum: choices, description } = { ...anyOf?.[0], ...field };
  if (choices !== undefined) return { type, enum: choices };
  if (PLAIN_TYPES.has(type)) return { type };
  const { items, additionalProperties } = field;
  return {
    type,
    ...(items === undefined ? {} : { items: items.type === 'object' ? { type: 'object' } : briefField(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The unit behind the description of a compact schema; 1 without one. */
const unitOf = ({ description = '' }: FieldSchema) => /\[([^[\]]+)\]$/.exec(description)?.[1] ?? '1';

/** `L=1`; empty where there is nothing to say: no unit, and no default but the first choice. */
function nameWithDefault(name: string, field: FieldSchema, unit: string): string {
  const { default: value, enum: choices } = field;
  if (choices !== undefined && value === undefined) return `${name} unset`;
  const text = value === undefined || typeof value === 'object' ? '' : String(value);
  const isShown = text !== '' && text.length <= MAX_DEFAULT_CHARACTERS && choices?.[0] !== value;
  if (isShown) return `${name}=${text}`;
  // A text has its unit in its own description.
  return unit === '1' || !PLAIN_TYPES.has(field.anyOf?.[0]?.type ?? field.type) ? '' : name;
}

function compact(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(compact);
  if (typeof node !== 'object' || node === null) return node;
  const { description, unit, ...rest } = node as Record<string, unknown>;
  const short: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (OMITTED_KEYWORDS.has(keyword) || isWide(keyword, value)) continue;
    // Property names are not keywords.
    if (keyword === 'properties') short.properties = compactAll(value);
    // Some model providers reject a list of types, and an empty schema.
    else if (keyword === 'type' && Array.isArray(value)) short.anyOf = value.map((type) => ({ type }));
    else if (keyword === 'additionalProperties' && isEmpty(value)) short.additionalProperties = true;
    else short[keyword] = compact(value);
  }
  // What an item is follows from the description of its list.
  if (isRecord(short.items) && short.items.description !== undefined) {
    const { description: _, ...item } = short.items;
    short.items = item;
  }
  const parts = [shortDescription(description), typeof unit === 'string' && unit !== '1' ? `[${unit}]` : ''];
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? short : { ...short, description: text };
}

function compactAll(properties: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties as object).map(([name, schema]) => [name, compact(schema)]));
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function isWide(keyword: string, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  if (keyword === 'maximum' || keyword === 'exclusiveMaximum') return value >= WIDE;
  if (keyword === 'minimum' || keyword === 'exclusiveMinimum') return value <= -WIDE || (value > 0 && value <= NARROW);
  return false;
}

/** As many complete clauses as fit into MAX_DESCRIPTION. */
function shortDescription(description: unknown): string {
  if (typeof description !== 'string') return '';
  const text = description.replace(/\.$/, '');
  if (text.length <= MAX_DESCRIPTION) return text;
  const cut = text.slice(0, MAX_DESCRIPTION);
  for (const stop of ['. ', '; ', ', ', ' (', ' ']) {
    const at = cut.lastIndexOf(stop);
    if (at >= MIN_DESCRIPTION) return cut.slice(0, at);
  }
  return cut;
}
