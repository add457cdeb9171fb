// The dimensional gate: a request with an unknown or an ambiguous key has no value.

import { sameDimension } from '../core/units/dimension.ts';
import { unrecognisedKeys } from '../core/unrecognised-keys.ts';
import { type Given, hasKey } from './given.ts';
import type { OperatorDefinition } from './operator.ts';
import { givenKey } from './order.ts';
import { unitOf } from './unit-table.ts';

/** Why the gate refuses a request. */
export interface GateFinding {
  readonly reason: string;
  readonly unrecognised: readonly string[];
  /** Accepted keys and their units. */
  readonly accepted: Readonly<Record<string, string>>;
  /** Ambiguous bare keys: the unit in which each operator takes them. */
  readonly conflicts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The one input of KO42 that a caller may give. */
export const PULSE_PHASE = 'phi0';

/**
 * @param pulse  KO42
 * @returns undefined if every key is known and unambiguous
 */
export function checkGate(
  pulse: OperatorDefinition,
  operators: readonly OperatorDefinition[],
  given: Given,
): GateFinding | undefined {
  const byInput = new Map<string, OperatorDefinition[]>();
  for (const operator of operators)
    for (const symbol of Object.keys(operator.inputs)) byInput.set(symbol, [...(byInput.get(symbol) ?? []), operator]);
  const unitIn = (operator: OperatorDefinition, symbol: string) => operator.inputs[symbol]?.unit ?? '1';

  const accepted: Record<string, string> = {};
  for (const [symbol, all] of byInput) {
    const [first] = all;
    const isUnambiguous = first && all.every((one) => unitIn(one, symbol) === unitIn(first, symbol));
    if (isUnambiguous) accepted[symbol] = unitIn(first, symbol);
    else for (const one of all) accepted[`${one.id}.${symbol}`] = unitIn(one, symbol);
  }
  const phase = `${pulse.id}.${PULSE_PHASE}`;
  accepted[phase] = pulse.inputs[PULSE_PHASE]?.unit ?? 'rad';

  const isKnown = (key: string) =>
    key === phase ||
    byInput.has(key) ||
    operators.some(({ id, inputs }) => key.startsWith(`${id}.`) && Object.hasOwn(inputs, key.slice(id.length + 1)));
  const unrecognised = unrecognisedKeys(given.inputs, given.consts, isKnown);
  if (unrecognised.length > 0) {
    const chain = operators.map(({ id }) => id).join(', ');
    const held = ownConstants(operators, hasKey(given));
    const verb = operators.length === 1 ? 'takes' : 'take';
    const reason = [`${chain} ${verb} no ${unrecognised.join(', ')}`, ...held].join('; ');
    return { reason, unrecognised, accepted };
  }

  const conflicts: Record<string, Record<string, string>> = {};
  for (const [symbol, all] of byInput) {
    const users = all.filter((one) => givenKey(one, symbol, hasKey(given)) === symbol);
    if (
      !isAmbiguous(
        users.map((one) => unitIn(one, symbol)),
        given.units[symbol],
      )
    )
      continue;
    conflicts[symbol] = Object.fromEntries(users.map((one) => [one.id, unitIn(one, symbol)]));
  }
  const [symbol] = Object.keys(conflicts);
  if (symbol === undefined) return undefined;
  const meanings = Object.entries(conflicts[symbol] ?? {}).map(([id, unit]) => `${unit} for ${id}`);
  return {
    reason: `${symbol} means two things: ${meanings.join(', ')}; give each its own as OPERATOR.${symbol}, or its unit in units`,
    unrecognised: [],
    accepted,
    conflicts,
  };
}

/** Says of given keys that are constants of an operator that they are fixed. */
function ownConstants(operators: readonly OperatorDefinition[], isGiven: (key: string) => boolean): string[] {
  return operators.flatMap(({ id, inputs, constants = {} }) =>
    Object.keys(constants)
      .filter((name) => (isGiven(name) && !Object.hasOwn(inputs, name)) || isGiven(`${id}.${name}`))
      .map((name) => `${name} is a constant of ${id} and cannot be changed`),
  );
}

/** Different dimensions, or different units of one dimension without a given unit. */
function isAmbiguous(units: readonly string[], given: string | undefined): boolean {
  const [first, ...rest] = units.map(unitOf);
  if (first === undefined) return false;
  return rest.some(
    ({ dimension, factor }) =>
      !sameDimension(dimension, first.dimension) || (given === undefined && factor !== first.factor),
  );
}
