// BIND with an unknown: the value of a law is given, and one of its inputs is asked for. Checks what is given and asked
// for, without a search.

import { DomainError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import { type Bound, type BoundChain, bindChain } from '../bind.ts';
import { compileOperator } from '../evaluate.ts';
import { type Given, hasKey } from '../given.ts';
import { withoutAliases } from '../input-aliases.ts';
import type { InputDefinition, OperatorDefinition } from '../operator.ts';
import { roundingsOf, toCoherent, unitOf } from '../unit-table.ts';
import type { LawOfUnknown } from './residual.ts';

/** The given value of the law, in coherent units. */
export interface Target {
  readonly key: string;
  readonly value: number;
  readonly sigma: number;
  readonly roundings: number;
}

/** What a search for the unknown needs. */
export interface OpenUnknown {
  readonly pulse: OperatorDefinition;
  readonly law: OperatorDefinition;
  readonly symbol: string;
  readonly input: InputDefinition;
  readonly target: Target;
  /** The other numbers. */
  readonly rest: Given;
  /** The law with an allowed number for the unknown, which is not its value. */
  readonly chain: BoundChain;
  readonly function: LawOfUnknown;
  /** The unknown is a whole or an enumerated number. */
  readonly isWhole: boolean;
}

export type UnknownBound = Extract<Bound, { kind: 'gate' }> | { readonly kind: 'bound'; readonly unknown: OpenUnknown };

/**
 * @param definitions  KO42 and one law
 * @param solveFor  symbol of the unknown, an alias of it, or `OPERATOR.symbol`
 * @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH
 */
export function openUnknown(definitions: readonly OperatorDefinition[], given: Given, solveFor: string): UnknownBound {
  const [pulse, law, ...others] = definitions;
  if (pulse === undefined || law === undefined || others.length > 0) {
    const ids = definitions.slice(1).map(({ id }) => id);
    throw fault('solve_for', 'TOO_MANY_OPERATORS', `solve_for inverts one law; ${ids.join(', ')} are chosen.`);
  }
  const symbol = symbolOf(law, solveFor);
  const input = law.inputs[symbol];
  if (input === undefined) throw new Error(`${law.id} has no input ${symbol}.`);
  const own = withoutAliases([law], given);
  const isGiven = [symbol, `${law.id}.${symbol}`].find(hasKey(own));
  if (isGiven !== undefined)
    throw fault(`inputs.${isGiven}`, 'GIVEN', `${isGiven} is given and asked for; leave it out of the inputs.`);
  for (const field of ['units', 'uncertainties'] as const) {
    const key = [symbol, `${law.id}.${symbol}`].find((name) => Object.hasOwn(own[field], name));
    if (key === undefined) continue;
    const message = `${field}.${key}: ${key} is asked for and has no number; its unit is asked for with \`as\`.`;
    throw fault(`${field}.${key}`, 'UNKNOWN_FIELD', message);
  }
  const [target, rest] = targetOf(law, own, symbol);

  const open = bindChain([pulse, withoutRequirements(law)], withInput(rest, symbol, placeholderOf(input)));
  if (open.kind === 'gate')
    return { kind: 'gate', gate: { ...open.gate, accepted: acceptedBy(open.gate.accepted, law) } };
  const values = valuesOf(law, open.chain);
  values.delete(symbol);
  const lawOfUnknown: LawOfUnknown = { law, symbol, values, target: target.value };
  const isWhole = input.integer === true || input.enum !== undefined;
  return {
    kind: 'bound',
    unknown: { pulse, law, symbol, input, target, rest, chain: open.chain, function: lawOfUnknown, isWhole },
  };
}

const fault = (path: string, code: string, message: string) =>
  new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });

function symbolOf({ id, inputs, output }: OperatorDefinition, solveFor: string): string {
  const bare = solveFor.startsWith(`${id}.`) ? solveFor.slice(id.length + 1) : solveFor;
  if (Object.hasOwn(inputs, bare)) return bare;
  const aliased = Object.keys(inputs).find((symbol) => inputs[symbol]?.aliases?.includes(bare));
  if (aliased !== undefined) return aliased;
  if (bare === output.symbol) {
    throw fault('solve_for', 'OUTPUT', `${id} gives ${bare} itself; leave out solve_for.`);
  }
  const names = Object.keys(inputs);
  const message = `${id} has no input ${solveFor} to solve for; its inputs are ${names.join(', ')}.${didYouMean(bare, names)}`;
  throw fault('solve_for', 'UNKNOWN_FIELD', message);
}

/** The value of the law, and the other numbers. */
function targetOf({ id, output }: OperatorDefinition, given: Given, symbol: string): [Target, Given] {
  const key = [`${id}.${output.symbol}`, output.symbol].find(hasKey(given));
  if (key === undefined) {
    const message = `${id}.${output.symbol} is missing: to solve for ${symbol}, give the value of the law, a finite number [${output.unit}].`;
    throw fault(`inputs.${output.symbol}`, 'MISSING', message);
  }
  const { inputs, consts, units, uncertainties } = given;
  const number = (Object.hasOwn(inputs, key) ? inputs[key] : consts[key]) ?? Number.NaN;
  const own = Object.hasOwn(units, key) ? (units[key] ?? output.unit) : output.unit;
  const [dimension, expected] = [unitOf(own).dimension, unitOf(output.unit).dimension];
  if (!sameDimension(dimension, expected)) {
    const message = `units.${key} is ${own} (${printDimension(dimension)}); ${id}.${output.symbol} takes ${output.unit} (${printDimension(expected)}) or another unit of that dimension.`;
    throw new DomainError('UNIT_MISMATCH', message, {
      details: [{ path: `units.${key}`, code: 'UNIT_MISMATCH', message }],
    });
  }
  const value = toCoherent(number, own);
  if (!Number.isFinite(value))
    throw fault(`inputs.${key}`, 'OUT_OF_RANGE', `${key} is ${number}; a finite number is expected.`);
  const sigma = Object.hasOwn(uncertainties, key) ? (uncertainties[key] ?? 0) : 0;
  if (!(sigma >= 0 && Number.isFinite(sigma)))
    throw fault(
      `uncertainties.${key}`,
      'OUT_OF_RANGE',
      `uncertainties.${key} is ${sigma}; a finite number from 0 is expected.`,
    );
  const target = { key, value, sigma: toCoherent(sigma, own), roundings: roundingsOf(number, value) };
  const without = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  return [
    target,
    { inputs: without(inputs), consts: without(consts), units: without(units), uncertainties: without(uncertainties) },
  ];
}

export const withInput = (given: Given, symbol: string, value: number): Given => ({
  ...given,
  inputs: { ...given.inputs, [symbol]: value },
});

/** Any allowed number: what it is does not matter where nothing is evaluated. */
function placeholderOf({ enum: allowed, integer, min, max, default: standard }: InputDefinition): number {
  const any = standard ?? allowed?.[0] ?? min ?? max ?? 1;
  return integer === true ? Math.ceil(any) : any;
}

const open = new WeakMap<OperatorDefinition, OperatorDefinition>();

/** The same object for the same law, since a law is compiled once an object. */
function withoutRequirements(law: OperatorDefinition): OperatorDefinition {
  const known = open.get(law);
  if (known) return known;
  const { requires: _, ...rest } = law;
  open.set(law, rest);
  return rest;
}

const acceptedBy = (accepted: Readonly<Record<string, string>>, { output }: OperatorDefinition) => ({
  ...accepted,
  [output.symbol]: output.unit,
});

/** Inputs, defaults and constants, in coherent units. */
function valuesOf(law: OperatorDefinition, { operators, variables }: BoundChain): Map<string, number> {
  const values = new Map(Object.entries(compileOperator(law).constants));
  for (const [symbol, source] of operators[0]?.sources ?? []) {
    if (source.kind === 'given') values.set(symbol, variables[source.variable]?.value ?? Number.NaN);
    if (source.kind === 'default') values.set(symbol, source.value);
  }
  return values;
}
