// The definition of an operator in a receipt: everything that the value depends on, so that a replay needs no registry.

import { z } from 'zod';
import { cacheCanonical } from '../core/canonical-json.ts';
import { CODATA } from '../core/codata.ts';
import { LIMITS } from '../core/limits.ts';
import { mapValues } from '../core/map-values.ts';
import type { InputDefinition, Operator, OperatorConstant, OperatorDefinition } from './operator.ts';

export interface SealedDefinition extends OperatorDefinition {
  readonly constants?: Readonly<Record<string, OperatorConstant>>;
}

const cache = new WeakMap<Operator, SealedDefinition>();

/**
 * With the values of constants, without descriptions; names in canonical order, so that a receipt, whose JSON may have
 * any order, gives the same kernel runs. Returns the same object for the same operator.
 */
export function definitionOf(operator: Operator): SealedDefinition {
  const known = cache.get(operator);
  if (known) return known;
  const { id, name, equation, where = {}, output, inputs, constants = {} } = operator;
  const fresh: SealedDefinition = cacheCanonical({
    id,
    name,
    equation,
    ...(Object.keys(where).length === 0 ? {} : { where: { ...where } }),
    output: { symbol: output.symbol, unit: output.unit },
    inputs: mapValues(sortedByName(inputs), inputDefinition),
    ...(Object.keys(constants).length === 0
      ? {}
      : { constants: mapValues(sortedByName(constants), constantDefinition) }),
  });
  cache.set(operator, fresh);
  return fresh;
}

/** By UTF-16 code units, as canonical JSON sorts. */
function sortedByName<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inputDefinition({ unit, min, max, default: defaultValue, integer }: InputDefinition): InputDefinition {
  return {
    unit,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(integer === undefined ? {} : { integer }),
  };
}

function constantDefinition(constant: string | OperatorConstant): OperatorConstant {
  if (typeof constant !== 'string') return { value: constant.value, unit: constant.unit, note: constant.note };
  const found = CODATA.get(constant);
  if (found === undefined) throw new Error(`CODATA has no constant ${constant}.`);
  return { value: found.value, unit: found.unit, note: `CODATA 2022, ${constant}` };
}

const Symbols = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,23}$/);
const Unit = z.string().max(40);
const Text = z.string().max(LIMITS.expression.characters);

const hasAtMost = (max: number) => (record: object) => Object.keys(record).length <= max;

/** Form and size of a definition in a receipt. Expressions and units are checked when they are compiled. */
export const Definition = z.strictObject({
  id: z.string().max(40),
  name: z.string().max(90),
  equation: Text,
  where: z.record(Symbols, Text).refine(hasAtMost(8)).optional(),
  output: z.strictObject({ symbol: Symbols, unit: Unit }),
  inputs: z
    .record(
      Symbols,
      z.strictObject({
        unit: Unit,
        min: z.number().optional(),
        max: z.number().optional(),
        default: z.number().optional(),
        integer: z.boolean().optional(),
      }),
    )
    .refine(hasAtMost(LIMITS.expression.symbols)),
  constants: z
    .record(Symbols, z.strictObject({ value: z.number(), unit: Unit, note: z.string().max(400) }))
    .refine(hasAtMost(16))
    .optional(),
});
