// What a receipt says of an operator: everything that the value depends on, so that a replay needs no registry.

import { z } from 'zod';
import { keepCanonical } from '../core/canonical-json.ts';
import { CODATA } from '../core/codata.ts';
import { LIMITS } from '../core/limits.ts';
import type { InputDefinition, Operator, OperatorConstant, OperatorDefinition } from './operator.ts';

export interface SealedDefinition extends OperatorDefinition {
  readonly constants?: Readonly<Record<string, OperatorConstant>>;
}

const kept = new WeakMap<Operator, SealedDefinition>();

/** Constants with their values, and no words that a value does not depend on. The same object for the same operator. */
export function definitionOf(operator: Operator): SealedDefinition {
  const known = kept.get(operator);
  if (known) return known;
  const { id, name, equation, where = {}, output, inputs, constants = {} } = operator;
  const fresh: SealedDefinition = keepCanonical({
    id,
    name,
    equation,
    ...(Object.keys(where).length === 0 ? {} : { where: { ...where } }),
    output: { symbol: output.symbol, unit: output.unit },
    inputs: mapped(inputs, inputDefinition),
    ...(Object.keys(constants).length === 0 ? {} : { constants: mapped(constants, constantDefinition) }),
  });
  kept.set(operator, fresh);
  return fresh;
}

function mapped<From, To>(record: Readonly<Record<string, From>>, change: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, change(one)]));
}

function inputDefinition({ unit, min, max, default: standard, integer }: InputDefinition): InputDefinition {
  return {
    unit,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(standard === undefined ? {} : { default: standard }),
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

const few = (most: number) => (record: object) => Object.keys(record).length <= most;

/** A definition that came with a receipt. Most of it is checked again by what uses it; here only form and size. */
export const Definition = z.strictObject({
  id: z.string().max(40),
  name: z.string().max(90),
  equation: Text,
  where: z.record(Symbols, Text).refine(few(8)).optional(),
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
    .refine(few(LIMITS.expression.symbols)),
  constants: z
    .record(Symbols, z.strictObject({ value: z.number(), unit: Unit, note: z.string().max(400) }))
    .refine(few(16))
    .optional(),
});
