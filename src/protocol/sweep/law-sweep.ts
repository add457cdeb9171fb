// A sweep over inputs of a chain of laws.

import { DomainError } from '../../core/errors.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { type BoundChain, bindChain } from '../../operators/bind.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { type Given, hasKey } from '../../operators/given.ts';
import { aliasedKeys } from '../../operators/input-aliases.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import type { Selection } from '../../operators/selection.ts';
import { isSweepable, SweptOperator, type SweptVariable } from '../../operators/swept-operator.ts';
import type { Solution } from '../../solvers/definition.ts';
import {
  COMPUTE,
  COMPUTE_REVISION,
  chainComputation,
  ESTIMATED_BYTES,
  NS_PER_INSTRUCTION,
  optionsOf,
} from '../chain-computation.ts';
import type { Bound, Computation } from '../computation.ts';
import { isConverged } from '../convergence.ts';
import type { PointSet } from './axes.ts';
import { blockPlan, rowsBetween } from './block.ts';
import { conversionOf, rowOf } from './law-row.ts';
import { type Point, pointwise } from './pointwise.ts';
import { allRefused, orRefusal, type PointRuns, type Row, sweepComputation } from './sweep-computation.ts';

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
 * @param tried  points until the first that is allowed; if there are more and none is, a worker has to bind the sweep
 * @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH; the refusal of the first point if all are refused
 */
export function bindLawSweep(sweep: LawSweep, tried = sweep.points.count): Bound {
  const { points, given } = sweep;
  for (const name of points.names) assertFree(name, given);
  const found = firstAllowed(sweep, Math.min(tried, points.count));
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
  const swept = sweptVariables(sweep, chain);
  const runs = swept === undefined ? chainRuns(sweep) : operatorRuns(sweep, chain, swept);
  const units = points.names.map((name) => given.units[name] ?? declaredUnit(definitions, name));
  const common = pointComputation(sweep, found.point);
  const computation = sweepComputation({ points, units, common, input: given.inputs, runs });
  return { kind: 'bound', computation: { ...computation, isWhole: true }, notes: chain.notes };
}

/**
 * The chain of the first point that the laws take, or what the gate finds, which is the same at every point; undefined if
 * the first `tried` of more points are refused.
 */
function firstAllowed(sweep: LawSweep, tried: number) {
  const { count } = sweep.points;
  let refusal: DomainError | undefined;
  for (let point = 0; point < tried; point++) {
    const bound = orRefusal(() => bindChain(sweep.definitions, givenAt(sweep, point)));
    if (!(bound instanceof DomainError)) return { ...bound, point };
    refusal ??= bound;
  }
  if (tried < count) return undefined;
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

/** Point by point, for chains of several laws, sums and given uncertainties. */
function chainRuns(sweep: LawSweep): PointRuns {
  const pointOf = (index: number): Point => {
    const computation = orRefusal(() => pointComputation(sweep, index));
    return computation instanceof DomainError ? { refusal: computation } : { computation };
  };
  return pointwise(() => Array.from({ length: sweep.points.count }, (_, index) => pointOf(index)), blockPlan);
}

/** The swept inputs as variables of one law; undefined where they are not. */
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

/** All points of one law at once. */
function operatorRuns(sweep: LawSweep, chain: BoundChain, swept: readonly SweptVariable[]): PointRuns {
  const { points, as, definitions } = sweep;
  const { count } = points;
  /** First row of each point. */
  const rows = new Int32Array(count + 1);
  let operator: SweptOperator | undefined;
  const planned = (): SweptOperator => {
    if (operator !== undefined) return operator;
    operator = new SweptOperator(chain, swept, count);
    for (let index = 0; index < count; index++)
      rows[index + 1] = (rows[index] as number) + operator.addPoint(points.at(index));
    return operator;
  };
  const convert = conversionOf(definitions, as);
  const solutionAt = (index: number, [output]: readonly KernelOutput[]): Solution => {
    if (output === undefined) throw new Error('The law was not run.');
    const [from, to] = [rows[index] as number, rows[index + 1] as number];
    const computation = pointComputation(sweep, index);
    if (from === to) throw new Error(`The law takes point ${index}, which has no rows.`);
    return computation.collect([rowsBetween(output, from, to)]);
  };
  const rowAt = (index: number, outputs: readonly KernelOutput[]): Row => {
    const [output] = outputs;
    const values = output?.info === INFO.ok ? output.views.values : undefined;
    const found = values && planned().valueAt(index, values, rows[index] as number);
    if (found !== undefined) return rowOf(found, convert);
    const solution = solutionAt(index, outputs);
    const { value, uncertainty } = solution;
    return { value, uncertainty, isConverged: isConverged(solution) };
  };
  return {
    plan: () => {
      const run = planned().run();
      return {
        runs: [run],
        estimateNs: run.steps * (run.parameters.codeWords ?? 0) * NS_PER_INSTRUCTION,
        collectNs: count * NS_PER_POINT,
        estimateBytes: ESTIMATED_BYTES + (run.inputs?.slots?.byteLength ?? 0) + 8 * run.steps,
      };
    },
    rowAt,
    solutionAt: (index, outputs) => {
      planned();
      const solution = solutionAt(index, outputs);
      const { value, uncertainty } = rowAt(index, outputs);
      if (solution.value !== value || solution.uncertainty !== uncertainty)
        throw new Error(`Point ${index} has another value alone than among others.`);
      return solution;
    },
  };
}

/** The second evaluation of a point and its budget. */
const NS_PER_POINT = 2_000;

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
