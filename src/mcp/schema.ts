// The JSON Schema of a tool's arguments, in few bytes: every list of tools is read by a model, all of it, every time.
//
// What is left out here is not lost: whatever does not fit comes back as a refusal with the range, and
// /openapi.json has every schema in full.

import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type ObjectSchema = Tool['inputSchema'];

const MAX_DESCRIPTION = 56;
const MIN_DESCRIPTION = 8;
/** A bound beyond these keeps slips of the hand out; it tells a model nothing. */
const WIDE = 1e6;
const NARROW = 1e-6;
/** `symbol`, `unit` and `rows` are ours; the unit moves into the description. */
const UNREAD: ReadonlySet<string> = new Set([
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

/** Draft 2020-12, which is what a client assumes without `$schema`. */
export function argumentsSchema(input: z.ZodObject): ObjectSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { ...(compact(schema) as ObjectSchema), type: 'object' };
}

function compact(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(compact);
  if (typeof node !== 'object' || node === null) return node;
  const { description, unit, ...rest } = node as Record<string, unknown>;
  const short: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (UNREAD.has(keyword) || isWide(keyword, value)) continue;
    // Names of properties are not keywords.
    if (keyword === 'properties') short.properties = compactAll(value);
    // Some providers of models take no list of types, and no schema that says nothing.
    else if (keyword === 'type' && Array.isArray(value)) short.anyOf = value.map((type) => ({ type }));
    else if (keyword === 'additionalProperties' && isEmpty(value)) short.additionalProperties = true;
    else short[keyword] = compact(value);
  }
  const words = [brief(description), typeof unit === 'string' && unit !== '1' ? `[${unit}]` : ''];
  const described = words.filter((word) => word !== '').join(' ');
  return described === '' ? short : { ...short, description: described };
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

/** As many whole clauses as there is room for. */
function brief(description: unknown): string {
  if (typeof description !== 'string') return '';
  const text = description.replace(/\.$/, '');
  if (text.length <= MAX_DESCRIPTION) return text;
  const room = text.slice(0, MAX_DESCRIPTION);
  for (const stop of ['. ', '; ', ', ', ' (', ' ']) {
    const at = room.lastIndexOf(stop);
    if (at >= MIN_DESCRIPTION) return room.slice(0, at);
  }
  return room;
}
