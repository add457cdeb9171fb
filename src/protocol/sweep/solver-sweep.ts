// A sweep over numeric inputs of a solver, or over symbols of an open one. It needs nothing from the solver.

import type { z } from 'zod';
import { canonicalCopy } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { parseOrThrow } from '../../core/validation.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { fieldWords } from '../../solvers/request.ts';
import { type Computation, solverComputation } from '../computation.ts';
import type { PointSet } from './axes.ts';
import { listPlan, roomFor } from './list.ts';
import { commonOf, type Point, pointwise } from './pointwise.ts';
import { orRefusal, sweepComputation } from './sweep-computation.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface SolverSweep {
  /** Without the swept fields. */
  readonly input: Fields;
  readonly consts: Readonly<Record<string, number>>;
  readonly definitions: readonly SealedDefinition[];
}

/** @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED; the refusal of the first point if all are refused */
export function solverSweep(solver: SolverDefinition, sweep: SolverSweep, points: PointSet): Computation {
  const { input, consts, definitions } = sweep;
  const units = sweptUnits(solver, points);
  const pointAt = (index: number): Point => {
    const computation = orRefusal(() =>
      solverComputation(solver, { input: inputAt(solver, input, points, index), consts, definitions }),
    );
    return computation instanceof DomainError ? { refusal: computation } : { computation };
  };
  const common = commonOf(points.count, pointAt);
  // Here only the first that is allowed: the others are made where the sweep is planned.
  const all = function* () {
    for (let index = 0; index < points.count; index++) yield pointAt(index);
  };
  const runs = pointwise(all, listPlan, roomFor(points.count));
  return { ...sweepComputation({ points, units, common, input, runs }), isLongPlan: true };
}

/** The fields of one point, parsed. @throws DomainError VALIDATION_FAILED */
function inputAt(solver: SolverDefinition, base: Fields, points: PointSet, index: number): Fields {
  const values = points.at(index);
  const named = points.names.map((name, at) => [name, values[at] ?? Number.NaN] as const);
  const isField = ([name]: readonly [string, number]) => Object.hasOwn(solver.inputs.shape, name);
  const fields = { ...base, ...Object.fromEntries(named.filter(isField)) };
  const parsed = parseOrThrow(solver.inputs, fields, Object.keys(solver.inputs.shape));
  const symbols = Object.fromEntries(named.filter((one) => !isField(one)));
  return canonicalCopy(solver.open?.withValues(parsed, symbols) ?? parsed);
}

/** The schema of a solver's fields without the swept ones. */
export function withoutSwept(solver: SolverDefinition, { names }: PointSet): z.ZodObject {
  const swept = names.filter((name) => Object.hasOwn(solver.inputs.shape, name)).map((name) => [name, true]);
  return solver.inputs.omit(Object.fromEntries(swept)) as z.ZodObject;
}

/**
 * The units of the swept inputs.
 *
 * @throws DomainError VALIDATION_FAILED for a name that is no numeric field, nor a symbol of an open solver
 */
export function sweptUnits(solver: SolverDefinition, { names, samples }: PointSet): readonly string[] {
  const words = fieldWords(solver);
  const field = samples === undefined ? 'sweep' : 'uncertainties';
  return names.map((name) => {
    const unit = Object.hasOwn(words, name) ? words[name]?.unit : undefined;
    if (unit !== undefined) return unit;
    const isSymbol = solver.open !== undefined && !Object.hasOwn(words, name) && SYMBOL.test(name);
    if (isSymbol) return '1';
    const numeric = Object.keys(words).filter((field) => words[field]?.unit !== undefined);
    const message = `${field}.${name} is no numeric input of ${solver.id}.${didYouMean(name, numeric)} It has ${numeric.join(', ')}.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: `${field}.${name}`, code: 'SWEEP_INVALID', message }],
    });
  });
}

const SYMBOL = /^[A-Za-z]\w*$/;
