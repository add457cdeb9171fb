// The body of a solver route with a sweep: the fields that all points share, and the computation of all points.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { parseOrThrow } from '../../core/validation.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { type Bound as BoundBody, bindSolverBody, type SolverBody } from '../../solvers/request.ts';
import type { Computation } from '../computation.ts';
import { axesOfSolver, gridOf, type PointSet } from './axes.ts';
import { assertOne, SolverSamplesShape, samplePoints, sampleSpec } from './samples.ts';
import { solverSweep, sweptUnits } from './solver-sweep.ts';
import { orRefusal } from './sweep-computation.ts';

export type BoundSweep =
  | Extract<BoundBody, { readonly kind: 'gate' }>
  | { readonly kind: 'bound'; readonly computation: Computation; readonly notes: readonly string[] };

/** Whether a body asks for many points. A solver may have uncertainties of its own, which are no draws. */
export const hasPoints = ({ inputs }: SolverDefinition, { sweep, samples, uncertainties }: SolverBody): boolean =>
  sweep !== undefined || isRecord(samples) || (uncertainties !== undefined && !propagates(inputs));

const propagates = ({ shape }: SolverDefinition['inputs']): boolean => 'uncertainties' in shape;

/**
 * @param definitions  of the solver's chain, then of the laws that the body names
 * @throws DomainError  as `bindSolverBody` for the first point, if no point is allowed; VALIDATION_FAILED naming the
 *   swept or drawn input; BUDGET_EXCEEDED
 */
export function bindSolverSweep(
  solver: SolverDefinition,
  { sweep, uncertainties, ...body }: SolverBody,
  {
    laws,
    definitions,
  }: { readonly laws: readonly SealedDefinition[]; readonly definitions: readonly SealedDefinition[] },
): BoundSweep {
  // As a number it is a field of some solvers.
  const samples = isRecord(body.samples) ? body.samples : undefined;
  assertOne(sweep, samples);
  const isSweep = sweep !== undefined;
  // Of every point, as of the single call.
  const isOwn = isSweep && propagates(solver.inputs);
  const given: SolverBody = {
    ...(samples === undefined ? body : { ...body, samples: undefined }),
    ...(isOwn && uncertainties !== undefined ? { uncertainties } : {}),
  };
  if (isSweep && uncertainties !== undefined && !isOwn)
    throw invalid('uncertainties', 'uncertainties of a solver are propagated by samples, which a sweep has none of.');
  const points = isSweep ? gridOf(axesOfSolver(sweep)) : drawnPoints(solver, { samples, uncertainties, given }, laws);
  sweptUnits(solver, points);
  const base = isSweep ? given : withoutNames(given, points.names);
  for (const name of points.names) assertFree(name, base);
  const bound = firstAllowed(solver, base, points, laws);
  if (bound.kind === 'gate') return bound;
  const { names } = points;
  const hasSymbols = names.some((name) => !Object.hasOwn(solver.inputs.shape, name));
  // Symbols of the caller's equations enter each point by themselves.
  const common = hasSymbols ? bindSolverBody(solver, withFields(solver, base, points, bound.point), laws) : bound;
  if (common.kind === 'gate') return common;
  const explicit = solver.open?.explicitValues(common.input as never);
  const twice = names.find((name) => explicit?.has(name));
  if (twice !== undefined) throw givenTwice(twice);
  const input = Object.fromEntries(Object.entries(common.input).filter(([name]) => !names.includes(name)));
  const { consts, notes } = common;
  return { kind: 'bound', computation: solverSweep(solver, { input, consts, definitions }, points), notes };
}

interface Drawn {
  readonly samples: unknown;
  readonly uncertainties: unknown;
  readonly given: SolverBody;
}

/** @throws DomainError VALIDATION_FAILED */
function drawnPoints(
  solver: SolverDefinition,
  { samples, uncertainties = {}, given }: Drawn,
  laws: readonly SealedDefinition[],
): PointSet {
  if (samples === undefined)
    throw invalid('uncertainties', 'uncertainties of a solver are propagated by samples; add samples: {"count": 200}.');
  const parsed = parseOrThrow(
    z.object({ samples: SolverSamplesShape, uncertainties: z.record(z.string(), z.number()) }),
    {
      samples,
      uncertainties,
    },
  );
  const bound = bindSolverBody(solver, given, laws);
  const fields: Readonly<Record<string, unknown>> = bound.kind === 'bound' ? bound.input : {};
  const valueIn = (name: string): number | undefined => {
    const value = Object.hasOwn(solver.inputs.shape, name) ? fields[name] : given.inputs?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const spec = sampleSpec(parsed.samples, parsed.uncertainties, valueIn);
  const whole = spec.inputs.find(({ name, value }) => isWhole(solver, name, value, fields));
  if (whole !== undefined)
    throw invalid(
      `uncertainties.${whole.name}`,
      `${whole.name} of ${solver.id} is a whole number and has no uncertainty.`,
    );
  return samplePoints(spec);
}

/** Whether the solver takes only whole numbers here. */
function isWhole(
  solver: SolverDefinition,
  name: string,
  value: number,
  fields: Readonly<Record<string, unknown>>,
): boolean {
  if (!Object.hasOwn(solver.inputs.shape, name) || !Number.isInteger(value)) return false;
  const issues = solver.inputs.safeParse({ ...fields, [name]: value + 0.5 }).error?.issues ?? [];
  return issues.some((issue) => issue.code === 'invalid_type' && issue.path[0] === name);
}

function withoutNames(body: SolverBody, names: readonly string[]): SolverBody {
  const others = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  const { inputs, ...rest } = body;
  return { ...others(rest), ...(inputs === undefined ? {} : { inputs: others(inputs) }) };
}

/** The body at the first point that the solver allows. */
function firstAllowed(
  solver: SolverDefinition,
  body: SolverBody,
  points: PointSet,
  laws: readonly SealedDefinition[],
): BoundBody & { readonly point: number } {
  let refusal: DomainError | undefined;
  for (let point = 0; point < points.count; point++) {
    const bound = orRefusal(() => bindSolverBody(solver, withPoint(solver, body, points, point), laws));
    if (!(bound instanceof DomainError)) return { ...bound, point };
    refusal ??= bound;
  }
  throw refusal ?? new Error('A sweep has at least one point.');
}

/** The swept fields at the top level, and the swept symbols in `inputs`. */
function withPoint(solver: SolverDefinition, body: SolverBody, points: PointSet, point: number): SolverBody {
  const values = points.at(point);
  const symbols = points.names.flatMap((name, at) =>
    Object.hasOwn(solver.inputs.shape, name) ? [] : [[name, values[at] ?? Number.NaN] as const],
  );
  const fields = withFields(solver, body, points, point);
  return symbols.length === 0 ? fields : { ...fields, inputs: { ...body.inputs, ...Object.fromEntries(symbols) } };
}

function withFields(solver: SolverDefinition, body: SolverBody, points: PointSet, point: number): SolverBody {
  const values = points.at(point);
  const fields = points.names.flatMap((name, at) =>
    Object.hasOwn(solver.inputs.shape, name) ? [[name, values[at] ?? Number.NaN] as const] : [],
  );
  return { ...body, ...Object.fromEntries(fields) };
}

function assertFree(name: string, body: SolverBody): void {
  const isGiven = [body, body.inputs ?? {}, body.consts ?? {}].some(
    (fields) => Object.hasOwn(fields, name) && (fields as Record<string, unknown>)[name] !== undefined,
  );
  if (isGiven) throw givenTwice(name);
}

function givenTwice(name: string): DomainError {
  return invalid(`sweep.${name}`, `${name} is in sweep and among the inputs; give it once.`);
}

export function invalid(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'SWEEP_INVALID', message }] });
}
