// A solver's record as plain data, for the portal's page of it.

import { z } from 'zod';
import type { FieldDescription, FieldKind, SolverDescription } from '../../src/portal/solve/solver-description.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import type { Condition, DrawnForm } from '../../src/solvers/solver-form.ts';
import { latexNode } from './docs/latex.ts';

interface FieldSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  /** Of a union. */
  readonly anyOf?: readonly Pick<FieldSchema, 'type'>[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  /** Written by the service. */
  readonly unlisted?: boolean;
  readonly description?: string;
  readonly unit?: string;
  readonly symbol?: string;
  readonly rows?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** The additional field of an open solver. */
const OPERATORS: FieldDescription = {
  name: 'operators',
  label: 'Operators',
  kind: 'list',
  unit: '1',
  help: 'Operators whose laws join the equations, by id: QM5, FL1. Without equations they stand alone',
};

const KINDS: Readonly<Record<string, FieldKind>> = {
  number: 'number',
  integer: 'integer',
  boolean: 'switch',
  array: 'array',
  object: 'object',
};

export function describeSolver(solver: SolverDefinition): SolverDescription {
  const { id, title, summary, domain, subject, equations, unit, method, operatorChain, references } = solver;
  const { inputs, open, form } = solver;
  const schema = z.toJSONSchema(inputs, { io: 'input' });
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, FieldSchema>>);
  const listed = properties.filter(([, { unlisted }]) => unlisted !== true);
  const fields = listed.map(([name, field]) => describeField(name, field, form));
  // After the equations.
  if (open) fields.splice(fields.findLastIndex(({ rows }) => rows !== undefined) + 1, 0, OPERATORS);
  return {
    id,
    title,
    summary,
    domain,
    subject,
    equations: equations.map(latexNode),
    unit,
    ...(form === undefined ? {} : { answer: form.answer }),
    ...(form?.answers === undefined ? {} : { answers: form.answers }),
    ...(form?.quantities === undefined ? {} : { quantities: form.quantities }),
    ...(solver.mesh === undefined ? {} : { mesh: solver.mesh }),
    ...(form?.units === undefined ? {} : { units: form.units }),
    method: method.name,
    ...(method.stability === undefined ? {} : { stability: method.stability }),
    operatorChain,
    references,
    ...(solver.clock === undefined ? {} : { clock: solver.clock }),
    fields,
    examples: (form?.examples ?? []).map((example) => ({ ...example, input: { ...example.input } })),
  };
}

function describeField(name: string, field: FieldSchema, form: SolverDefinition['form']): FieldDescription {
  const min = field.minimum ?? field.exclusiveMinimum;
  const max = field.maximum ?? field.exclusiveMaximum;
  const usedWhen = form?.usedWhen?.[name];
  const drawn = form?.drawn?.[name] as readonly DrawnForm[] | undefined;
  const isExclusive = field.exclusiveMinimum !== undefined || field.exclusiveMaximum !== undefined;
  return {
    name,
    kind: kindOf(field),
    unit: field.unit ?? '1',
    help: field.description ?? '',
    ...(form?.labels[name] === undefined ? {} : { label: form.labels[name] }),
    ...(form?.numerics.includes(name) ? { isNumerics: true } : {}),
    ...(form?.shown?.includes(name) ? { isShown: true } : {}),
    ...(usedWhen === undefined ? {} : { usedWhen: [usedWhen].flat() as readonly Condition[] }),
    ...(drawn === undefined ? {} : { drawn }),
    ...(field.symbol === undefined ? {} : { symbol: field.symbol }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(isExclusive ? { isExclusive } : {}),
    ...(field.enum === undefined ? {} : { choices: field.enum }),
    ...(field.rows === undefined ? {} : { rows: field.rows }),
    ...(field.default === undefined ? {} : { defaultValue: defaultOf(field.default) }),
  };
}

function kindOf({ type, enum: choices, anyOf = [] }: FieldSchema): FieldKind {
  if (choices) return 'choice';
  return anyOf.some((one) => one.type === 'array') ? 'text-or-array' : (KINDS[type ?? ''] ?? 'text');
}

/** Lists and objects as the text of a form. */
function defaultOf(value: unknown): number | string | boolean {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
}
