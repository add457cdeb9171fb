// A sweep over inputs of a chain of laws.

import { DomainError } from '../../core/errors.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { type BoundChain, bindChain, type Bound as ChainBound } from '../../operators/bind.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type Given, hasKey } from '../../operators/given.ts';
import { aliasedKeys } from '../../operators/input-aliases.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import type { Selection } from '../../operators/selection.ts';
import { isSweepable, type SweptVariable } from '../../operators/swept-chain.ts';
import { openUnknown } from '../../operators/unknown/open-unknown.ts';
import { COMPUTE, COMPUTE_REVISION, optionsOf } from '../chain-computation.ts';
import { bindComputation } from '../chain-request.ts';
import type { Bound, Computation } from '../computation.ts';
import type { PointSet } from './axes.ts';
import { blockPlan } from './block.ts';
import { conversionOf } from './law-row.ts';
import { type Point, pointwise } from './pointwise.ts';
import { allRefused, orRefusal, type PointRuns, sweepComputation } from './sweep-computation.ts';
import { sweptRuns } from './swept-runs.ts';
import { unknownRuns } from './unknown-runs.ts';

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
  /** The input that is asked for at every point, where the value of the law is given. */
  readonly solveFor?: string | undefined;
  readonly points: PointSet;
}

/**
 * @param tried  points until the first that is allowed; if there are more and none is, a worker has to bind the sweep
 * @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH; the refusal of the first point if all are refused
 */
export function bindLawSweep(sweep: LawSweep, tried = sweep.points.count): Bound {
  const { points, given, solveFor } = sweep;
  for (const name of points.names) assertFree(name, given);
  // Points with an unknown are few, and their searches are not made here.
  const most = solveFor === undefined ? Math.min(tried, points.count) : points.count;
  const found = firstAllowed(sweep, most);
  return found === undefined ? { kind: 'bound', computation: unbound(sweep), notes: [] } : boundAt(sweep, found);
}

/** A sweep whose first points are refused, for a worker to bind. */
function unbound({ points, given, definitions, domain, detail, as, selection }: LawSweep): Computation {
  const { axes, samples } = points;
  const elsewhere = () => {
    throw new Error('This sweep is bound in a worker.');
  };
  return {
    ...{ id: COMPUTE, revision: COMPUTE_REVISION, kernel: EXPRESSION_KERNEL, domain, definitions, method: '', phi0: 0 },
    operatorChain: definitions.map(({ id }) => id),
    unit: as ?? definitions.at(-1)?.output.unit ?? '1',
    ...{ input: given.inputs, consts: given.consts, options: optionsOf(given, detail, as) },
    ...(selection === undefined ? {} : { selection: { ...selection, chain: [] } }),
    ...(samples === undefined ? { sweep: axes.map(({ sealed }) => sealed) } : { samples }),
    ...{ isWhole: true, isUnbound: true, plan: elsewhere, collect: elsewhere },
  };
}

type Found = NonNullable<ReturnType<typeof firstAllowed>>;

function boundAt(sweep: LawSweep, found: Found): Bound {
  const { points, given, definitions, domain, as } = sweep;
  if (found.kind === 'gate') {
    const operatorChain = definitions.map(({ id }) => id);
    const unit = as ?? definitions.at(-1)?.output.unit ?? '1';
    return { kind: 'gate', gated: { id: COMPUTE, domain, operatorChain, unit }, gate: found.gate };
  }
  const { chain } = found;
  const runs = runsOf(sweep, chain);
  const units = points.names.map((name) => given.units[name] ?? declaredUnit(sweep, name));
  const common = pointComputation(sweep, found.point);
  const computation = sweepComputation({ points, units, common, input: given.inputs, runs });
  return { kind: 'bound', computation: { ...computation, isWhole: true }, notes: chain.notes };
}

function runsOf(sweep: LawSweep, chain: BoundChain): PointRuns {
  const { points, definitions, as, solveFor } = sweep;
  const pointAt = (point: number) => pointComputation(sweep, point);
  if (solveFor !== undefined) return unknownRuns(points.count, pointAt);
  const swept = sweptVariables(sweep, chain);
  const convert = conversionOf(definitions, as);
  return swept === undefined ? chainRuns(sweep) : sweptRuns({ chain, swept, points, convert, pointAt });
}

/**
 * The chain of the first point that the laws take, or what the gate finds, which is the same at every point; undefined if
 * the first `tried` of more points are refused.
 */
function firstAllowed(sweep: LawSweep, tried: number) {
  const { count } = sweep.points;
  let refusal: DomainError | undefined;
  for (let point = 0; point < tried; point++) {
    const bound = orRefusal(() => pointBound(sweep, point));
    if (!(bound instanceof DomainError)) return { ...bound, point };
    refusal ??= bound;
  }
  if (tried < count) return undefined;
  throw allRefused(refusal, count);
}

/** The chain of a point; with an unknown, that of any number for it. */
function pointBound(sweep: LawSweep, point: number): ChainBound {
  const { definitions, solveFor } = sweep;
  const given = givenAt(sweep, point);
  if (solveFor === undefined) return bindChain(definitions, given);
  const bound = openUnknown(definitions, given, solveFor);
  return bound.kind === 'gate' ? bound : { kind: 'bound', chain: bound.unknown.chain };
}

function givenAt({ points, given }: LawSweep, point: number): Given {
  const values = points.at(point);
  const own = points.names.map((name, at) => [name, values[at] ?? Number.NaN] as const);
  return { ...given, inputs: { ...given.inputs, ...Object.fromEntries(own) } };
}

/** The computation of one point. @throws DomainError  its refusal */
function pointComputation(sweep: LawSweep, point: number): Computation {
  const { points: _, ...request } = sweep;
  const bound = bindComputation({ ...request, given: givenAt(sweep, point) });
  // The gate looks at names alone.
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  return bound.computation;
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

/** Of the first law that takes the input, by any of its names; with an unknown, the value of the law is given. */
function declaredUnit({ definitions, solveFor }: LawSweep, name: string): string {
  const [, id, symbol = name] = /^([^.]*)\.(.*)$/s.exec(name) ?? [];
  for (const { id: lawId, inputs, output } of definitions) {
    if (id !== undefined && id !== lawId) continue;
    if (solveFor !== undefined && output.symbol === symbol) return output.unit;
    const own = Object.hasOwn(inputs, symbol) ? inputs[symbol] : undefined;
    const input = own ?? Object.values(inputs).find(({ aliases = [] }) => aliases.includes(symbol));
    if (input !== undefined) return input.unit;
  }
  return '1';
}
