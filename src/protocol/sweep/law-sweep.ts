// A sweep over inputs of a chain of laws.

import { DomainError } from '../../core/errors.ts';
import { type BoundChain, bindChain } from '../../operators/bind.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type Given, hasKey } from '../../operators/given.ts';
import { aliasedKeys } from '../../operators/input-aliases.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import type { Selection } from '../../operators/selection.ts';
import { isSweepable, type SweptVariable } from '../../operators/swept-chain.ts';
import { COMPUTE, chainComputation } from '../chain-computation.ts';
import type { Bound, Computation } from '../computation.ts';
import type { PointSet } from './axes.ts';
import { blockPlan } from './block.ts';
import { conversionOf } from './law-row.ts';
import { type Point, pointwise } from './pointwise.ts';
import { allRefused, orRefusal, type PointRuns, sweepComputation } from './sweep-computation.ts';
import { sweptRuns } from './swept-runs.ts';

export interface LawSweep {
  readonly domain: string;
  /** In the order of computation, KO42 first. */
  readonly definitions: readonly SealedDefinition[];
  /** Missing where a receipt is replayed. */
  readonly selection?: Selection | undefined;
  /** Without the swept inputs. */
  readonly given: Given;
  readonly detail: 'full' | undefined;
  readonly as?: string | undefined;
  readonly points: PointSet;
}

/**
 * @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH; the refusal of the first point if all are refused
 */
export function bindLawSweep(sweep: LawSweep): Bound {
  const { points, given, definitions, domain, as } = sweep;
  for (const name of points.names) assertFree(name, given);
  const found = firstAllowed(sweep);
  if (found.kind === 'gate') {
    const operatorChain = definitions.map(({ id }) => id);
    const unit = as ?? definitions.at(-1)?.output.unit ?? '1';
    return { kind: 'gate', gated: { id: COMPUTE, domain, operatorChain, unit }, gate: found.gate };
  }
  const { chain } = found;
  const swept = sweptVariables(sweep, chain);
  const pointAt = (point: number) => pointComputation(sweep, point);
  const convert = conversionOf(definitions, as);
  const runs = swept === undefined ? chainRuns(sweep) : sweptRuns({ chain, swept, points, convert, pointAt });
  const units = points.names.map((name) => given.units[name] ?? declaredUnit(definitions, name));
  const common = pointComputation(sweep, found.point);
  const computation = sweepComputation({ points, units, common, input: given.inputs, runs });
  return { kind: 'bound', computation: { ...computation, isWhole: true }, notes: chain.notes };
}

/** The chain of the first point that the laws take, or what the gate finds, which is the same at every point. */
function firstAllowed(sweep: LawSweep) {
  const { count } = sweep.points;
  let refusal: DomainError | undefined;
  for (let point = 0; point < count; point++) {
    const bound = orRefusal(() => bindChain(sweep.definitions, givenAt(sweep, point)));
    if (!(bound instanceof DomainError)) return { ...bound, point };
    refusal ??= bound;
  }
  throw allRefused(refusal, count);
}

function givenAt({ points, given }: LawSweep, point: number): Given {
  const values = points.at(point);
  const own = points.names.map((name, at) => [name, values[at] ?? Number.NaN] as const);
  return { ...given, inputs: { ...given.inputs, ...Object.fromEntries(own) } };
}

/** The computation of one point. @throws DomainError  its refusal */
function pointComputation(sweep: LawSweep, point: number): Computation {
  const { definitions, domain, detail, as, selection } = sweep;
  const given = givenAt(sweep, point);
  const bound = bindChain(definitions, given);
  // The gate looks at names alone.
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const known = selection === undefined ? {} : { selection };
  return chainComputation({ domain, definitions, given, detail, as, bound: bound.chain, ...known });
}

/** Point by point, for laws with sums. */
function chainRuns(sweep: LawSweep): PointRuns {
  const pointOf = (index: number): Point => {
    const computation = orRefusal(() => pointComputation(sweep, index));
    return computation instanceof DomainError ? { refusal: computation } : { computation };
  };
  return pointwise(() => Array.from({ length: sweep.points.count }, (_, index) => pointOf(index)), blockPlan);
}

/** The swept inputs as variables of the chain; undefined where they are not, and where it is not swept as a whole. */
function sweptVariables({ points, given }: LawSweep, chain: BoundChain): readonly SweptVariable[] | undefined {
  if (!isSweepable(chain)) return undefined;
  const operators = chain.operators.map(({ definition }) => definition);
  const names = new Set([...Object.keys(given.inputs), ...Object.keys(given.consts), ...points.names]);
  const aliases = aliasedKeys(operators, (key) => names.has(key));
  const found = points.names.map((name): SweptVariable => {
    const key = aliases.get(name) ?? name;
    const unit = Object.hasOwn(given.units, name) ? given.units[name] : undefined;
    return { variable: chain.variables.findIndex((one) => one.key === key), unit };
  });
  return found.every(({ variable }) => variable >= 0) ? found : undefined;
}

/** @throws DomainError VALIDATION_FAILED */
function assertFree(name: string, given: Given): void {
  const refuse = (message: string): never => {
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: `sweep.${name}`, code: 'SWEEP_INVALID', message }],
    });
  };
  if (hasKey(given)(name)) refuse(`${name} is in sweep and in inputs or consts; give it once.`);
  if (name.startsWith(`${PULSE_OPERATOR}.`))
    refuse(`sweep.${name} is the phase of the pulse; only inputs of laws can be swept.`);
}

/** Of the first law that takes the input, by any of its names. */
function declaredUnit(definitions: readonly SealedDefinition[], name: string): string {
  const [, id, symbol = name] = /^([^.]*)\.(.*)$/s.exec(name) ?? [];
  for (const { id: lawId, inputs } of definitions) {
    if (id !== undefined && id !== lawId) continue;
    const own = Object.hasOwn(inputs, symbol) ? inputs[symbol] : undefined;
    const input = own ?? Object.values(inputs).find(({ aliases = [] }) => aliases.includes(symbol));
    if (input !== undefined) return input.unit;
  }
  return '1';
}
