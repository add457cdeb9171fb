// SELECT and BIND of a compute request: from a domain and quantities to a chain of operators that can be computed.

import { DomainError } from '../core/errors.ts';
import { definitionOf } from '../operators/definition.ts';
import { type Domain, findDomain } from '../operators/find-domain.ts';
import type { Given } from '../operators/given.ts';
import { findOperator, OPERATORS } from '../operators/load.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { type Selected, selectOperators } from '../operators/select.ts';
import { bindComputation, givenBy, type Quantities } from './chain-request.ts';
import type { Bound } from './computation.ts';
import { axesOf, gridOf, type PointSet, type SweepSpec } from './sweep/axes.ts';
import { bindLawSweep } from './sweep/law-sweep.ts';
import { assertOne, type SamplesRequest, samplePoints, sampleSpec } from './sweep/samples.ts';

export interface ComputeRequest extends Quantities {
  /** Name, prefix or alias of a domain, or the id of a law. */
  readonly domain: string;
  readonly operators?: readonly string[] | undefined;
  readonly detail?: 'full' | undefined;
  /** Unit or symbol of the output; see `Wish`. */
  readonly as?: string | undefined;
  /** The question in words. */
  readonly query?: string | undefined;
  /** Inputs that take many values. */
  readonly sweep?: SweepSpec | undefined;
  /** Propagate the uncertainties by samples of the whole chain. */
  readonly samples?: SamplesRequest | undefined;
}

/**
 * Performs SELECT, and returns a function that performs BIND.
 *
 * @param tried  of a sweep, as `bindLawSweep`; by default all points
 * @throws DomainError DOMAIN_UNKNOWN, OPERATOR_UNKNOWN, OPERATOR_AMBIGUOUS, VALIDATION_FAILED, UNIT_INVALID,
 *   UNIT_MISMATCH; BIND VALIDATION_FAILED,
 *   UNIT_INVALID, UNIT_MISMATCH, ROOT_NOT_FOUND, BUDGET_EXCEEDED
 */
export function selectComputation(request: ComputeRequest, tried?: number): () => Bound {
  const given = givenBy(request);
  const points = requestedPoints(request, given);
  const keys = [...new Set([...Object.keys(given.inputs), ...Object.keys(given.consts), ...(points?.names ?? [])])];
  const law = OPERATORS.get(request.domain);
  const domain = findDomain(law?.prefix ?? request.domain);
  const named = request.operators ?? [];
  const selected = selectOperators(domain, law === undefined || named.length > 0 ? named : [law.id], {
    keys,
    units: given.units,
    as: request.as,
    query: request.query,
    solveFor: request.solve_for,
  });
  return () => bind(domain, selected, given, request, points, tried);
}

function bind(
  { name: domain }: Domain,
  { operators, selection, unit }: Selected,
  given: Given,
  { detail, solve_for: solveFor }: ComputeRequest,
  points: PointSet | undefined,
  tried: number | undefined,
): Bound {
  const definitions = [findOperator(PULSE_OPERATOR), ...operators].map(definitionOf);
  const request = { domain, definitions, selection, given, detail, as: unit };
  if (points === undefined) return bindComputation({ ...request, solveFor });
  return bindLawSweep({ ...request, given: withoutNames(given, points.samples?.inputs ?? []), points }, tried);
}

/** The points of a sweep or of samples; undefined for one result. @throws DomainError VALIDATION_FAILED */
function requestedPoints({ sweep, samples, solve_for: solveFor }: ComputeRequest, given: Given): PointSet | undefined {
  assertOne(sweep, samples);
  if (solveFor !== undefined && (sweep !== undefined || samples !== undefined)) throw unknownOfPoints();
  if (sweep !== undefined) return gridOf(axesOf(sweep));
  if (samples === undefined) return undefined;
  const { inputs, consts, uncertainties } = given;
  const valueIn = (name: string) => (Object.hasOwn(inputs, name) ? inputs : consts)[name];
  return samplePoints(sampleSpec(samples, uncertainties, valueIn));
}

/** The numbers that are not drawn. */
function withoutNames(given: Given, drawn: readonly { readonly name: string }[]): Given {
  if (drawn.length === 0) return given;
  const names = new Set(drawn.map(({ name }) => name));
  const others = (numbers: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(numbers).filter(([name]) => !names.has(name)));
  const { inputs, consts, uncertainties, units } = given;
  return { inputs: others(inputs), consts: others(consts), uncertainties: others(uncertainties), units };
}

function unknownOfPoints(): DomainError {
  const message = 'solve_for goes with neither sweep nor samples; leave one of them out.';
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'solve_for', code: 'NOT_WITH_POINTS', message }],
  });
}
