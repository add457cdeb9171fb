// The definition of an operator in a receipt: everything that the value depends on, so that a replay needs no registry.

import { z } from 'zod';
import { cacheCanonical } from '../core/canonical-json.ts';
import { CODATA } from '../core/codata.ts';
import { correlationOf, standardUncertaintyOf } from '../core/codata-correlations.ts';
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
  const { id, name, equation, where = {}, output, inputs, constants = {}, requires = [], accuracy } = operator;
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
    ...(requires.length === 0 ? {} : { requires: [...requires] }),
    ...(accuracy === undefined ? {} : { accuracy }),
  });
  cache.set(operator, fresh);
  return fresh;
}

/** By UTF-16 code units, as canonical JSON sorts. */
function sortedByName<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inputDefinition(input: InputDefinition): InputDefinition {
  const { unit, min, max, default: defaultValue, integer, enum: allowed, aliases } = input;
  return {
    unit,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(integer === undefined ? {} : { integer }),
    ...(allowed === undefined ? {} : { enum: [...allowed] }),
    ...(aliases === undefined ? {} : { aliases: [...aliases] }),
  };
}

/** A constant with its value. */
export function constantDefinition(constant: string | OperatorConstant): OperatorConstant {
  if (typeof constant !== 'string') return constant;
  const found = CODATA.get(constant);
  if (found === undefined) throw new Error(`CODATA has no constant ${constant}.`);
  const { value, unit, uncertainty } = found;
  const exact = { value, unit, note: `CODATA 2022, ${constant}` };
  return uncertainty === 0
    ? exact
    : {
        ...exact,
        uncertainty: standardUncertaintyOf(constant, value, uncertainty),
        correlation: sortedByName(correlationOf(constant, value)),
      };
}

const Symbols = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,23}$/);
const Unit = z.string().max(40);
const Text = z.string().max(LIMITS.expression.characters);

const hasAtMost = (max: number) => (record: object) => Object.keys(record).length <= max;

/** A constant with its value. */
export const ConstantShape = z.strictObject({
  value: z.number(),
  unit: Unit,
  note: z.string().max(400),
  uncertainty: z.number().positive().optional().describe('Standard uncertainty in `unit`; missing if exact.'),
  correlation: z
    .record(z.string().max(80), z.number().min(-1).max(1))
    .refine(hasAtMost(8))
    .optional()
    .describe('Correlation coefficients with independent sources.'),
});

export const AccuracyShape = z
  .strictObject({
    relative: z.number().positive().optional(),
    absolute: z.number().positive().optional(),
    basis: z.string().max(400).describe('Who says so; not sealed.'),
  })
  .refine(({ relative, absolute }) => (relative === undefined) !== (absolute === undefined))
  .describe('Bound of the distance between the law and nature; missing for an exact law.');

export const Requires = z
  .array(Text)
  .min(1)
  .max(8)
  .describe('Comparisons that the inputs must satisfy together; all of them hold.');

export const AllowedNumbers = z.array(z.number()).min(1).max(32).describe('The allowed numbers.');

export const Aliases = z
  .array(Symbols)
  .min(1)
  .max(4)
  .describe('Other names, accepted where no law of the chain uses them otherwise.');

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
        enum: AllowedNumbers.optional(),
        aliases: Aliases.optional(),
      }),
    )
    .refine(hasAtMost(LIMITS.expression.symbols)),
  constants: z.record(Symbols, ConstantShape).refine(hasAtMost(16)).optional(),
  requires: Requires.optional(),
  accuracy: AccuracyShape.optional(),
});
