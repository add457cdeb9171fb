// Compact JSON Schema of a tool's arguments: a model reads the complete tool list in every conversation.
//
// Omitted constraints still apply: an invalid value is rejected with the allowed range, and /openapi.json has every
// schema in full.

import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
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
]);

/** Draft 2020-12, the dialect that clients assume without `$schema`. */
export function argumentsSchema(input: z.ZodObject): ObjectSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: documentDefault });
  return { ...(compact(schema) as ObjectSchema), type: 'object' };
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
