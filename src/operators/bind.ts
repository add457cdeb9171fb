// BIND: assigns a number to every input of every operator of a chain.
//
// An input takes, in this order: the qualified key `QM5.m`; the bare key `m`, which applies to every operator that
// accepts it, or another name of it (input-aliases.ts); the output of the last earlier operator with the same symbol and
// dimension; its default. The dimensional gate refuses keys of inputs and consts that no operator accepts, and bare keys
// that are ambiguous.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { printDimension, sameDimension } from '../core/units/dimension.ts';
import { compileOperator, unmetBy } from './evaluate.ts';
import { checkGate, type GateFinding, PULSE_PHASE } from './gate.ts';
import { type Given, hasKey } from './given.ts';
import { withoutAliases } from './input-aliases.ts';
import type { InputDefinition, OperatorDefinition } from './operator.ts';
import { canFeed, givenKey } from './order.ts';
import { describeInput, faultOf } from './range.ts';
import { fromCoherent, roundingsOf, toCoherent, unitOf } from './unit-table.ts';

/** A number of the request, in coherent units. */
export interface Variable {
  readonly key: string;
  readonly value: number;
  readonly sigma: number;
  /** Range that all operators which take it allow. */
  readonly min: number;
  readonly max: number;
  /** At least one operator takes it as a whole number. */
  readonly isWhole: boolean;
  /** How many roundings it has from the decimal number that the caller gave. */
  readonly roundings: number;
}

/** Where the number of an input comes from. `value` is in coherent units, `declared` in the declared unit. */
export type Source =
  | { readonly kind: 'given'; readonly variable: number; readonly declared: number }
  | { readonly kind: 'fed'; readonly by: number }
  | { readonly kind: 'default'; readonly value: number };

export interface BoundOperator {
  readonly definition: OperatorDefinition;
  readonly sources: ReadonlyMap<string, Source>;
}

export interface Link {
  readonly from: string;
  readonly to: string;
  readonly symbol: string;
}

export interface BoundChain {
  readonly operators: readonly BoundOperator[];
  readonly variables: readonly Variable[];
  readonly links: readonly Link[];
  /** Phase of KO42 in rad. */
  readonly phi0: number;
  readonly notes: readonly string[];
}

export type Bound =
  | { readonly kind: 'bound'; readonly chain: BoundChain }
  | { readonly kind: 'gate'; readonly gate: GateFinding };

/**
 * @param definitions  the chain in the order of computation, KO42 first
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH, VALIDATION_FAILED naming every input that is missing, not finite, not
 *   whole, out of range or at odds with a requirement
 */
export function bindChain(definitions: readonly OperatorDefinition[], given: Given): Bound {
  const [pulse, ...operators] = definitions;
  if (pulse === undefined) throw new Error('A chain begins with KO42.');
  assertKeysOfUnits(given);
  const own = withoutAliases(operators, given);
  const gate = checkGate(pulse, operators, own);
  return gate === undefined
    ? { kind: 'bound', chain: new Binder(pulse, operators, own).bind() }
    : { kind: 'gate', gate };
}

/** Every key of `units` and `uncertainties` is a key of `inputs` or `consts`. */
function assertKeysOfUnits(given: Given): void {
  const names = [...Object.keys(given.inputs), ...Object.keys(given.consts)];
  for (const field of ['units', 'uncertainties'] as const) {
    const unknown = Object.keys(given[field]).find((key) => !names.includes(key));
    if (unknown === undefined) continue;
    const message = `${field}.${unknown} matches no input.${didYouMean(unknown, names)}`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: `${field}.${unknown}`, code: 'UNKNOWN_FIELD', message }],
    });
  }
  for (const [key, sigma] of Object.entries(given.uncertainties)) {
    if (sigma >= 0 && Number.isFinite(sigma)) continue;
    const message = `uncertainties.${key} is ${sigma}; a finite number from 0 is expected.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: `uncertainties.${key}`, code: 'OUT_OF_RANGE', message }],
    });
  }
}

class Binder {
  readonly #pulse: OperatorDefinition;
  readonly #operators: readonly OperatorDefinition[];
  readonly #given: Given;
  readonly #variables: Variable[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #links: Link[] = [];
  readonly #notes: string[] = [];
  readonly #faults: ErrorDetail[] = [];

  constructor(pulse: OperatorDefinition, operators: readonly OperatorDefinition[], given: Given) {
    this.#pulse = pulse;
    this.#operators = operators;
    this.#given = given;
  }

  bind(): BoundChain {
    const operators = this.#operators.map((definition, at) => this.#bindOperator(definition, at));
    const phi0 = this.#phase();
    if (this.#faults.length === 0) for (const operator of operators) this.#checkRequirements(operator);
    const [first] = this.#faults;
    if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: this.#faults });
    return { operators, variables: this.#variables, links: this.#links, phi0, notes: [...new Set(this.#notes)] };
  }

  #bindOperator(definition: OperatorDefinition, at: number): BoundOperator {
    const sources = new Map<string, Source>();
    // In alphabetical order: canonical JSON does not keep the order of keys, and sums must not depend on it.
    const inputs = Object.entries(definition.inputs).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [symbol, input] of inputs) {
      const source = this.#sourceOf(definition, symbol, input, at);
      if (source) sources.set(symbol, source);
    }
    return { definition, sources };
  }

  /** Of an operator without the output of another; a chain checks the others on the way. */
  #checkRequirements({ definition, sources }: BoundOperator): void {
    const values = new Map(Object.entries(compileOperator(definition).constants));
    for (const [symbol, source] of sources) {
      if (source.kind === 'fed') return;
      const value = source.kind === 'given' ? this.#variables[source.variable]?.value : source.value;
      values.set(symbol, value ?? Number.NaN);
    }
    this.#faults.push(...unmetBy(definition, values));
  }

  #sourceOf(definition: OperatorDefinition, symbol: string, input: InputDefinition, at: number): Source | undefined {
    const key = givenKey(definition, symbol, hasKey(this.#given));
    if (key !== undefined) return this.#variable(definition, symbol, key, input);
    const by = this.#operators.slice(0, at).findLastIndex((source) => canFeed(source, definition, symbol));
    const feeder = this.#operators[by];
    if (feeder) {
      this.#links.push({ from: feeder.id, to: definition.id, symbol });
      return { kind: 'fed', by };
    }
    if (input.default !== undefined) return { kind: 'default', value: toCoherent(input.default, input.unit) };
    this.#fault(definition, symbol, undefined, input);
    return undefined;
  }

  #variable(definition: OperatorDefinition, symbol: string, key: string, input: InputDefinition): Source {
    if (key !== symbol && hasKey(this.#given)(symbol)) {
      this.#notes.push(`${symbol} is given twice for ${definition.id}; ${key} is used.`);
    }
    const { value, sigma, declared, roundings } = this.#read(key, `${definition.id}.${symbol}`, input);
    this.#fault(definition, symbol, declared, input);
    // Samples are rounded in coherent units, in which a whole number of payments a year is none.
    const isFixed = input.enum !== undefined || (input.integer === true && toCoherent(1, input.unit) !== 1);
    if (isFixed && sigma > 0) {
      const message = `uncertainties.${key}: ${definition.id}.${symbol} is ${describeInput(input)} and has no uncertainty.`;
      this.#faults.push({ path: `uncertainties.${key}`, code: 'OUT_OF_RANGE', message });
    }
    const at = this.#byKey.get(key) ?? this.#variables.length;
    this.#byKey.set(key, at);
    const range = coherentRange(input);
    const known: Pick<Variable, 'min' | 'max' | 'isWhole'> = this.#variables[at] ?? { ...range, isWhole: false };
    this.#variables[at] = {
      key,
      value,
      sigma,
      min: Math.max(known.min, range.min),
      max: Math.min(known.max, range.max),
      isWhole: input.integer === true || known.isWhole,
      roundings,
    };
    return { kind: 'given', variable: at, declared };
  }

  /** A given number in coherent units and in the declared unit. */
  #read(
    key: string,
    name: string,
    { unit }: InputDefinition,
  ): Pick<Variable, 'value' | 'sigma' | 'roundings'> & { readonly declared: number } {
    const { inputs, consts, units, uncertainties } = this.#given;
    if (Object.hasOwn(inputs, key) && Object.hasOwn(consts, key)) {
      this.#notes.push(`${key} is given as an input and as a constant; the input is used.`);
    }
    const number = (Object.hasOwn(inputs, key) ? inputs[key] : consts[key]) ?? Number.NaN;
    const own = Object.hasOwn(units, key) ? units[key] : undefined;
    if (own !== undefined) assertSameDimension(key, own, name, unit);
    const value = toCoherent(number, own ?? unit);
    const sigma = Object.hasOwn(uncertainties, key) ? (uncertainties[key] ?? 0) : 0;
    return {
      value,
      sigma: toCoherent(sigma, own ?? unit),
      roundings: roundingsOf(number, value),
      declared: own === undefined ? number : fromCoherent(value, unit),
    };
  }

  #phase(): number {
    const key = `${this.#pulse.id}.${PULSE_PHASE}`;
    const input = this.#pulse.inputs[PULSE_PHASE];
    if (input === undefined || !hasKey(this.#given)(key)) return 0;
    const { value, declared } = this.#read(key, key, input);
    this.#fault(this.#pulse, PULSE_PHASE, declared, input);
    return value;
  }

  #fault(definition: OperatorDefinition, symbol: string, value: number | undefined, input: InputDefinition): void {
    const fault = faultOf(value, input);
    if (fault === undefined) return;
    const message = `${definition.id}.${symbol} ${fault}; ${describeInput(input)} is expected.`;
    this.#faults.push({ path: `inputs.${symbol}`, code: value === undefined ? 'MISSING' : 'OUT_OF_RANGE', message });
  }
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const ranges = new WeakMap<InputDefinition, Range>();

/** In coherent units; converted once. */
function coherentRange(input: InputDefinition): Range {
  const known = ranges.get(input);
  if (known) return known;
  const { unit, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = input;
  const fresh = { min: toCoherent(min, unit), max: toCoherent(max, unit) };
  ranges.set(input, fresh);
  return fresh;
}

function assertSameDimension(key: string, given: string, name: string, declared: string): void {
  const [own, wanted] = [unitOf(given), unitOf(declared)];
  if (sameDimension(own.dimension, wanted.dimension)) return;
  const message = `units.${key} is ${given} (${printDimension(own.dimension)}); ${name} takes ${declared} (${printDimension(wanted.dimension)}) or another unit of that dimension.`;
  throw new DomainError('UNIT_MISMATCH', message, {
    details: [{ path: `units.${key}`, code: 'UNIT_MISMATCH', message }],
  });
}
