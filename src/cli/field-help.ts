// Help of a solver's fields: what each is, what is allowed, its default, and an example. All of it from the record.

import { z } from 'zod';
import type { SolverDefinition } from '../solvers/definition.ts';

interface FieldSchema {
  readonly type?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxItems?: number;
}

type Schemas = Readonly<Record<string, FieldSchema>>;

/** Of the fields of a solver, made when its help is asked for: a schema takes milliseconds. */
export function fieldHelp(solver: SolverDefinition): (name: string) => string | undefined {
  let schemas: Schemas | undefined;
  return (name) => {
    schemas ??= (z.toJSONSchema(solver.inputs, { io: 'input', unrepresentable: 'any' }).properties ?? {}) as Schemas;
    return Object.hasOwn(schemas, name) ? sentenceOf(name, schemas[name] ?? {}, solver) : undefined;
  };
}

/** `Cells along x; the nodes are one more [a whole number from 8 to 128; default 64; --nx 96]` */
function sentenceOf(name: string, field: FieldSchema, { form }: SolverDefinition): string {
  const given = form?.examples?.map(({ input }) => (input as Readonly<Record<string, unknown>>)[name]) ?? [];
  const example = given.find((value) => isShort(value) && value !== field.default) ?? otherChoice(field);
  const parts = [
    `${allowed(field)}${field.unit === undefined || field.unit === '1' ? '' : ` in ${field.unit}`}`,
    field.default === undefined ? '' : `default ${shown(field.default)}`,
    example === undefined ? '' : `--${name} ${argument(example)}`,
  ].filter((part) => part !== '');
  return `${field.description ?? ''} [${parts.join('; ')}]`.trimStart();
}

function allowed(field: FieldSchema): string {
  if (field.const !== undefined) return shown(field.const);
  if (field.enum !== undefined) return `one of ${field.enum.map(shown).join(', ')}`;
  if (field.anyOf !== undefined) return [...new Set(field.anyOf.map(allowed))].join(', or ');
  switch (field.type) {
    case 'integer':
      return `a whole number${rangeOf(field)}`;
    case 'number':
      return `a number${rangeOf(field)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${field.maxItems === undefined ? '' : ` of at most ${field.maxItems}`}`;
    case 'object':
      return 'names with values';
    default:
      return 'text';
  }
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FieldSchema): string {
  const isBound = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const lower = isBound(minimum) ? ` from ${minimum}` : isBound(exclusiveMinimum) ? ` above ${exclusiveMinimum}` : '';
  const upper = isBound(maximum) ? ` to ${maximum}` : isBound(exclusiveMaximum) ? ` below ${exclusiveMaximum}` : '';
  return lower === '' && upper !== '' ? upper.replace(' to ', ' up to ') : `${lower}${upper}`;
}

/** A choice that is not the default, since every other example would repeat it. */
function otherChoice({ enum: choices, default: standard }: FieldSchema): unknown {
  return choices?.find((one) => one !== standard);
}

const MAX_SHOWN = 60;
/** A longer example, or one of several lines, is left to the pages of the solver. */
const MAX_EXAMPLE = 120;

const isShort = (value: unknown) =>
  value !== undefined && !/\n/.test(String(value)) && JSON.stringify(value).length <= MAX_EXAMPLE;

function shown(value: unknown): string {
  // A text of several lines in one.
  const text = typeof value === 'string' && !value.includes('\n') ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** As a shell takes it. */
function argument(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.+:,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
